"""Rules on keys."""

import re
from collections.abc import Iterator

import numpy as np

from kaitai_gguf.rules.facts import Facts, duplicates, not_utf8
from kaitai_gguf.rules.finding import ERROR, GGUF_PY, HEADER
from kaitai_gguf.rules.references import GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import UNSET, Place, rule, several
from kaitai_gguf.text import quoted

LONGEST = 65_535  # bytes
RENAME = "rename-key FILE KEY NEW_KEY --output FIXED"

_KEY = re.compile(r"[a-z0-9_.]+")


@rule("empty-key", ERROR, GGUF_CPP, refused_by=HEADER)
def empty_key(facts: Facts) -> Iterator[Place]:
    """A key is empty.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    numbers = np.flatnonzero(facts.key_values.key_start == facts.key_values.key_end).tolist()
    return several(numbers, lambda i: facts.key_value_place(i, "key", f"the key of key-value {i} is empty"))


@rule("duplicate-key", ERROR, GGUF_CPP, refused_by=(*HEADER, GGUF_PY))
def duplicate_key(facts: Facts) -> Iterator[Place]:
    """A key is duplicated.

    The format does not define which of the values applies.

    Fix: write the file again, with the tool that made it, with one value for the key; no command can open this one.
    """
    numbers = [number for number in duplicates(facts.header.keys) if facts.header.keys[number]]
    return several(numbers, lambda i: _place(facts, i, "is duplicated"))


@rule("key-utf8", ERROR, STRUCTURE, refused_by=(GGUF_PY,), fixes=[RENAME, UNSET])
def key_utf8(facts: Facts) -> Iterator[Place]:
    """A key is not UTF-8.

    Fix: rename the key, or remove it.
    """
    return several(not_utf8(facts.header.keys), lambda i: _place(facts, i, "is not UTF-8"))


@rule("key-charset", ERROR, STRUCTURE, fixes=[RENAME, UNSET])
def key_charset(facts: Facts) -> Iterator[Place]:
    """A key does not consist of `lower_snake_case` segments joined by dots.

    A segment has letters a to z, digits and `_`. No reader checks this. If a key begins with the name of the
    architecture, only the rest is checked here, because the name has its own rules.

    Fix: rename the key, or remove it.
    """
    prefix = f"{facts.architecture}." if facts.architecture else ""
    invalid = [i for i, key in enumerate(facts.header.keys) if key and not _is_segments(key.removeprefix(prefix))]
    if invalid:
        others = set(not_utf8(facts.header.keys))
        invalid = [number for number in invalid if number not in others]
    return several(invalid, lambda i: _place(facts, i, "does not consist of lower_snake_case segments joined by dots"))


@rule("key-length", ERROR, STRUCTURE, fixes=[UNSET])
def key_length(facts: Facts) -> Iterator[Place]:
    """A key is longer than 65,535 bytes.

    Fix: remove the key.
    """
    lengths = facts.key_values.key_end - facts.key_values.key_start
    for number in np.flatnonzero(lengths > LONGEST).tolist():
        message = f"the key of key-value {number} has {lengths[number]:,} bytes, expected at most {LONGEST:,}"
        yield facts.key_value_place(number, "key", message)


def _is_segments(key: str) -> bool:
    # A regular expression for the segments would take 70 bytes of memory for each byte of the key.
    return _KEY.fullmatch(key) is not None and ".." not in f".{key}."


def _place(facts: Facts, number: int, message: str) -> Place:
    return facts.key_value_place(number, "key", f"the key {quoted(facts.header.keys[number])} {message}")
