"""`kaitai-gguf tokens`: list the vocabulary."""

import json
import re
from collections import defaultdict
from collections.abc import Callable
from fnmatch import translate
from typing import Any, NamedTuple

import click
import numpy as np

from kaitai_gguf import GGUFFile, StringArray
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, NoMatchError, file_argument, form_options
from kaitai_gguf.cli.output import format_number, warn
from kaitai_gguf.cli.selection import compiled
from kaitai_gguf.cli.table import print_table
from kaitai_gguf.decimals import shortest
from kaitai_gguf.reading.arrays import TOKENS
from kaitai_gguf.reading.info import special_token_ids

SPACE = "\u2581"  # how SentencePiece writes a space

_BYTES = dict(enumerate((byte for byte in range(256) if byte == 0x20 or not chr(byte).isprintable()), 0x100))
"""GPT-2's characters, from U+0100 on, for the bytes that are not printable in Latin-1, and the space."""

TYPE_NAMES = dict(enumerate(["undefined", "normal", "unknown", "control", "user defined", "unused", "byte"]))
"""llama.cpp's token types by number."""


class Token(NamedTuple):
    id: int
    token: str
    score: float | None
    type: str | None
    roles: list[str]
    """From the keys tokenizer.ggml.*_token_id."""


def id_range(text: str) -> range:
    """Parse an id or a range of ids: `5` or `0-10`."""
    match = re.fullmatch(r"([0-9]{1,1000})(?:-([0-9]{1,1000}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise click.BadParameter(f"{text!r} is not an id or a range of ids: expected 5 or 0-10, for example")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


@click.command(epilog=PIPES)
@file_argument
@click.argument("pattern", required=False)
@click.option("--regex", is_flag=True, help="PATTERN is a Python regular expression.")
@click.option("--id", "ids", type=id_range, multiple=True, metavar="ID|A-B", help="Only these ids. Can be repeated.")
@click.option("--special", is_flag=True, help="Only tokens with a role in the metadata: bos, eos and so on.")
@form_options
def command(
    *, file: str, pattern: str | None, regex: bool, ids: tuple[range, ...], special: bool, as_json: bool
) -> None:
    """List the tokens of FILE: id, text, score, type.

    PATTERN is searched for anywhere in a token, both as stored and as decoded text: ' the' finds ▁the and Ġthe.
    A PATTERN with * or ? is a glob for the whole token. --special adds a column with the roles: bos is
    the token that tokenizer.ggml.bos_token_id names. Control characters are escaped, except in JSON.

    Exit status: 1 if no token matches or FILE has none, 2 if it can't be read.

    \b
    Examples:
      kaitai-gguf tokens model.gguf
      kaitai-gguf tokens model.gguf --id 0-10
      kaitai-gguf tokens model.gguf --special --json
      kaitai-gguf tokens model.gguf --regex '^<.*>$'
    """
    if regex and pattern is None:
        raise click.UsageError("--regex needs a PATTERN")
    matches = None if pattern is None else _matcher(pattern, regex)
    with open_model(file) as model:
        tokens = _tokens(model, special)
        for each in ids:
            if each.start >= len(tokens):
                raise NoMatchError(f"has no token {each.start}: there are {len(tokens)}, numbered from 0")
        if ids:
            tokens = list({token.id: token for each in ids for token in tokens[each.start : each.stop]}.values())
        if special:
            tokens = [token for token in tokens if token.roles]
        if matches is not None:
            is_gpt2 = model.metadata.get_str("tokenizer.ggml.model", None) == "gpt2"
            texts = ((token, _decoded(token.token, is_gpt2)) for token in tokens)
            tokens = [token for token, decoded in texts if matches(token.token) or matches(decoded)]
        if not tokens and (ids or special or matches is not None):
            raise NoMatchError("no token matches" + (f" {pattern!r}" if pattern is not None else ""))
    columns = Token._fields if special else Token._fields[:-1]
    if as_json:
        documents = []
        for token in tokens:
            score = None if token.score is None else canonical.number(shortest(token.score))
            row = token._asdict() | {"token": canonical.text(token.token), "score": score}
            documents.append(json.dumps({name: row[name] for name in columns}, allow_nan=False))
        lines = ",\n".join(documents)
        click.echo(f"[\n{lines}\n]" if lines else "[]")
        return
    rows = (
        (id, text, "" if score is None else format_number(score), type or "", ", ".join(roles))[: len(columns)]
        for id, text, score, type, roles in tokens
    )
    print_table(columns, rows, right=["id", "score"], cut="token")


def _tokens(model: GGUFFile, with_roles: bool) -> list[Token]:
    """Return the tokens of a model. Raises `NoMatchError` if it has none."""
    texts = model.metadata.get(TOKENS)
    if not isinstance(texts, StringArray):
        problem = f"no key {TOKENS!r} in the metadata"
        if texts is not None:
            problem = f"the value of {TOKENS!r} is not an array of strings"
        raise NoMatchError(f"has no tokens: {problem}")
    size = len(texts)
    roles = defaultdict[int, list[str]](list)
    for name, id in special_token_ids(model.metadata).items() if with_roles else ():
        if 0 <= id < size:
            roles[id].append(name)
        else:
            warn(f"tokenizer.ggml.{name}_token_id is {id}, but there are only {size} tokens")
    scores = _column(model, "tokenizer.ggml.scores", size)
    types = _column(model, "tokenizer.ggml.token_type", size)
    names = (number if number is None else TYPE_NAMES.get(number, f"type {number}") for number in types)
    return [Token(*facts, roles.get(facts[0], [])) for facts in zip(range(size), texts, scores, names, strict=True)]


def _column(model: GGUFFile, key: str, size: int) -> list[Any]:
    """Return the array of numbers with one for each token; as None, with a warning if its length is wrong."""
    values = model.metadata.get(key)
    if isinstance(values, np.ndarray) and len(values) == size:
        return list(values.tolist())
    if isinstance(values, np.ndarray):
        warn(f"{key} has {len(values)} elements for {size} tokens, and is ignored")
    return [None] * size


def _matcher(pattern: str, is_regex: bool) -> Callable[[str], object]:
    if is_regex:
        return compiled(pattern).search
    if "*" in pattern or "?" in pattern:
        return re.compile(translate(pattern)).match
    return lambda text: pattern in text


def _decoded(token: str, is_byte_level: bool) -> str:
    """Return the text of a token."""
    if not is_byte_level:
        return token.replace(SPACE, " ")
    try:
        return token.translate(_BYTES).encode("latin-1").decode()
    except UnicodeError:  # another kind of token, or part of a character
        return token
