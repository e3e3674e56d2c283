"""`kaitai-gguf tokens`: list the vocabulary."""

import json
import re
from collections.abc import Callable, Iterable, Sequence
from fnmatch import translate
from itertools import chain
from typing import Any, NamedTuple

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.facts import special_token_ids
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, NoMatchError, file_argument, json_option
from kaitai_gguf.cli.output import format_number, warn
from kaitai_gguf.cli.table import print_table
from kaitai_gguf.decimals import shortest

SPACE = "\u2581"  # how SentencePiece writes a space

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
_BYTES = {0x100 + number: byte for number, byte in enumerate(_OTHERS)}
"""GPT-2's characters, from U+0100 on, for the bytes that are not printable in Latin-1."""

TYPE_NAMES = ["undefined", "normal", "unknown", "control", "user defined", "unused", "byte"]
"""llama.cpp's token types by number."""


class Token(NamedTuple):
    id: int
    text: str
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
@json_option
def command(
    *, file: str, pattern: str | None, regex: bool, ids: tuple[range, ...], special: bool, as_json: bool
) -> None:
    """List the tokens of FILE: id, text, score, type.

    PATTERN is searched for anywhere in a token, both as stored and as decoded text: ' the' finds ▁the and Ġthe.
    A PATTERN with * or ? is a glob for the whole token. --special adds a column with the roles: bos is
    the token that tokenizer.ggml.bos_token_id names. Control characters are escaped, except in JSON.

    Exit status: 1 if no token matches, 2 if FILE has no tokens or can't be read.

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
        if ids:
            tokens = [tokens[id] for id in _chosen(ids, len(tokens))]
        if special:
            tokens = [token for token in tokens if token.roles]
        if matches is not None:
            tokenizer = model.metadata.get_str("tokenizer.ggml.model", None)
            decoded = _byte_level if tokenizer == "gpt2" else _sentence_piece
            tokens = [token for token in tokens if matches(token.text) or matches(decoded(token.text))]
        if not tokens and (ids or special or matches is not None):
            raise NoMatchError("no token matches" + (f" {pattern!r}" if pattern is not None else ""))
    if as_json:
        rows = ",\n".join(json.dumps(_json(token, special), allow_nan=False) for token in tokens)
        click.echo(f"[\n{rows}\n]" if rows else "[]")
    else:
        columns = ["id", "token", "score", "type", *(["roles"] if special else [])]
        print_table(columns, (_row(token)[: len(columns)] for token in tokens), right=["id", "score"], cut="token")


def _tokens(model: kaitai_gguf.GGUFFile, with_roles: bool) -> list[Token]:
    """Return the tokens of a model. Raises `GGUFError` if it has none."""
    key = "tokenizer.ggml.tokens"
    if key not in model.metadata:
        raise kaitai_gguf.GGUFError(f"has no tokens: no key {key!r} in the metadata")
    texts = model.metadata[key]
    if not isinstance(texts, kaitai_gguf.StringArray):
        raise kaitai_gguf.GGUFError(f"has no tokens: the value of {key!r} is not an array of strings")
    roles: list[list[str]] = [[] for _ in texts]
    for name, id in special_token_ids(model).items() if with_roles else ():
        if 0 <= id < len(texts):
            roles[id].append(name)
        else:
            warn(f"tokenizer.ggml.{name}_token_id is {id}, but there are only {len(texts)} tokens")
    scores = _column(model, "tokenizer.ggml.scores", len(texts))
    types = _column(model, "tokenizer.ggml.token_type", len(texts))
    names = [number if number is None else _type_name(number) for number in types]
    return list(map(Token, range(len(texts)), texts, scores, names, roles))


def _matcher(pattern: str, is_regex: bool) -> Callable[[str], object]:
    if is_regex:
        try:
            return re.compile(pattern).search
        except re.error as error:
            raise click.BadParameter(f"{pattern!r} is not a regular expression: {error}") from None
    if "*" in pattern or "?" in pattern:
        return re.compile(translate(pattern)).match
    return lambda text: pattern in text


def _column(model: kaitai_gguf.GGUFFile, key: str, size: int) -> list[Any]:
    """Return the array of numbers with one for each token; as None, with a warning if its length is wrong."""
    values = model.metadata.get(key)
    if isinstance(values, np.ndarray) and len(values) == size:
        return list(values.tolist())
    if isinstance(values, np.ndarray):
        warn(f"{key} has {len(values)} elements for {size} tokens, and is ignored")
    return [None] * size


def _type_name(number: Any) -> str:
    return TYPE_NAMES[number] if number in range(len(TYPE_NAMES)) else f"type {number}"


def _chosen(ranges: Sequence[range], size: int) -> Iterable[int]:
    """Return the requested ids, without those beyond the end."""
    for each in ranges:
        if each.start >= size:
            raise NoMatchError(f"has no token {each.start}: there are {size}, numbered from 0")
    return dict.fromkeys(chain.from_iterable(range(each.start, min(each.stop, size)) for each in ranges))


def _row(token: Token) -> list[object]:
    score = "" if token.score is None else format_number(token.score)
    return [token.id, token.text, score, token.type or "", ", ".join(token.roles)]


def _json(token: Token, with_roles: bool) -> dict[str, Any]:
    score = None if token.score is None else canonical.number(shortest(token.score))
    row = {"id": token.id, "token": canonical.text(token.text), "score": score, "type": token.type}
    return row | ({"roles": token.roles} if with_roles else {})


def _byte_level(token: str) -> str:
    try:
        return token.translate(_BYTES).encode("latin-1").decode()
    except UnicodeError:  # another kind of token, or part of a character
        return token


def _sentence_piece(token: str) -> str:
    return token.replace(SPACE, " ")
