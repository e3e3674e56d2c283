"""`kaitai-gguf tokens`: list the vocabulary."""

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from fnmatch import translate
from itertools import chain, count, repeat
from typing import Any, NamedTuple

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.facts import special_token_ids
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, NoMatchError, file_argument, json_option
from kaitai_gguf.cli.output import echo_all, format_number, warn
from kaitai_gguf.cli.table import print_table
from kaitai_gguf.decimals import shortest

SPACE = "\u2581"  # how SentencePiece writes a space

_PRINTED = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
_OTHERS = [byte for byte in range(256) if byte not in _PRINTED]
_BYTES = {0x100 + number: byte for number, byte in enumerate(_OTHERS)}
"""GPT-2's characters, from U+0100 on, for the bytes that are not printable in Latin-1."""

TOKENIZER = "tokenizer.ggml.model"
TOKENS, SCORES, TYPES = (f"tokenizer.ggml.{name}" for name in ("tokens", "scores", "token_type"))
TYPE_NAMES = dict(enumerate(["undefined", "normal", "unknown", "control", "user defined", "unused", "byte"]))
"""llama.cpp's token types by number."""

Names = dict[int, list[str]]
"""The roles of tokens by id, from the keys tokenizer.ggml.*_token_id."""


class Token(NamedTuple):
    id: int
    text: str
    score: float | None
    type: str | None


class Vocabulary:
    """The tokens of a model. Raises `GGUFError` if it has none."""

    def __init__(self, model: kaitai_gguf.GGUFFile) -> None:
        if TOKENS not in model.metadata:
            raise kaitai_gguf.GGUFError(f"has no tokens: no key {TOKENS!r} in the metadata")
        texts = model.metadata[TOKENS]
        if not isinstance(texts, kaitai_gguf.StringArray):
            raise kaitai_gguf.GGUFError(f"has no tokens: the value of {TOKENS!r} is not an array of strings")
        self.texts = texts
        self._scores = _column(model, SCORES, len(texts))
        numbers = _column(model, TYPES, len(texts))
        self._types = None if numbers is None else [_type_name(number) for number in numbers]

    def tokens(self, ids: Iterable[int] | None) -> Iterator[Token]:
        """Yield the tokens with these ids; all for None."""
        scores, types = self._scores, self._types
        if ids is None:
            yield from map(Token, count(), self.texts, scores or repeat(None), types or repeat(None))
            return
        for id in ids:
            yield Token(id, self.texts[id], scores[id] if scores else None, types[id] if types else None)


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
        vocabulary = Vocabulary(model)
        names = _special(model, len(vocabulary.texts)) if special else {}
        tokens = vocabulary.tokens(_chosen(len(vocabulary.texts), ids, names if special else None))
        if matches is not None:
            read = _reader(model.metadata.get_str(TOKENIZER, None))
            tokens = (token for token in tokens if matches(token.text) or matches(read(token.text)))
        if ids or special or matches is not None:
            tokens = _not_empty(tokens, pattern)
        if as_json:
            echo_all(_json_lines(tokens, names if special else None))
        else:
            columns = ["id", "token", "score", "type", *(["roles"] if special else [])]
            rows = (_row(token) + ([", ".join(names[token.id])] if special else []) for token in tokens)
            print_table(columns, rows, right=["id", "score"], cut=["token"])


def _matcher(pattern: str, is_regex: bool) -> Callable[[str], object]:
    if is_regex:
        try:
            return re.compile(pattern).search
        except re.error as error:
            raise click.BadParameter(f"{pattern!r} is not a regular expression: {error}") from None
    if "*" in pattern or "?" in pattern:
        return re.compile(translate(pattern)).match
    return lambda text: pattern in text


def _column(model: kaitai_gguf.GGUFFile, key: str, size: int) -> Sequence[Any] | None:
    """Return the array of numbers with one for each token; None, with a warning if its length is wrong."""
    values = model.metadata.get(key)
    if not isinstance(values, np.ndarray):
        return None
    if len(values) != size:
        warn(f"{key} has {len(values)} elements for {size} tokens, and is ignored")
        return None
    numbers: list[Any] = values.tolist()
    return numbers


def _type_name(number: Any) -> str:
    return TYPE_NAMES.get(number, f"type {number}")


def _special(model: kaitai_gguf.GGUFFile, size: int) -> Names:
    names: Names = defaultdict(list)
    for name, id in special_token_ids(model).items():
        if 0 <= id < size:
            names[id].append(name)
        else:
            warn(f"tokenizer.ggml.{name}_token_id is {id}, but there are only {size} tokens")
    return names


def _chosen(size: int, ranges: Sequence[range], names: Names | None) -> Iterable[int] | None:
    """Return the requested ids, without those beyond the end; None for all."""
    if not ranges and names is None:
        return None
    if not ranges:
        return sorted(names or ())
    for each in ranges:
        if each.start >= size:
            raise NoMatchError(f"has no token {each.start}: there are {size}, numbered from 0")
    ids = chain.from_iterable(range(each.start, min(each.stop, size)) for each in ranges)
    return dict.fromkeys(id for id in ids if names is None or id in names)


def _not_empty(tokens: Iterator[Token], pattern: str | None) -> Iterator[Token]:
    first = next(tokens, None)
    if first is None:
        raise NoMatchError("no token matches" + (f" {pattern!r}" if pattern is not None else ""))
    return chain([first], tokens)


def _row(token: Token) -> list[object]:
    score = "" if token.score is None else format_number(token.score)
    return [token.id, token.text, score, token.type or ""]


def _json_lines(tokens: Iterable[Token], names: Names | None) -> Iterator[str]:
    """Yield the lines of a JSON document, one for each token, as they come: there may be millions."""
    encode = json.JSONEncoder(allow_nan=False).encode
    separator = "[\n"
    for token in tokens:
        score = None if token.score is None else canonical.number(shortest(token.score))
        row: dict[str, Any] = {"id": token.id, "token": canonical.text(token.text), "score": score}
        row |= {"type": token.type} | ({} if names is None else {"roles": names[token.id]})
        yield separator + encode(row)
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def _reader(tokenizer: str | None) -> Callable[[str], str]:
    """Return the function that decodes a token, given the value of tokenizer.ggml.model."""
    return _byte_level if tokenizer == "gpt2" else _sentence_piece


def _byte_level(token: str) -> str:
    try:
        return token.translate(_BYTES).encode("latin-1").decode()
    except UnicodeError:  # another kind of token, or part of a character
        return token


def _sentence_piece(token: str) -> str:
    return token.replace(SPACE, " ")
