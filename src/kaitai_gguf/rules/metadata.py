"""Rules on keys, and on values of any key."""

import re
from collections.abc import Iterable, Iterator
from itertools import groupby
from operator import itemgetter

import numpy as np

from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules.facts import Facts, duplicates, not_utf8, text_chunks
from kaitai_gguf.rules.lists import Lists
from kaitai_gguf.rules.rule import LISTED, SET, SET_TYPED, UNSET, Place, rule
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import quoted

LONGEST = 65_535  # bytes of a key
RENAME = "rename-key FILE KEY NEW_KEY --output FIXED"

_KEY = re.compile(r"[a-z0-9_.]+")

Invalid = tuple[int, int, int, int]
"""Invalid elements of a list: its row, the index and the offset of the first of them, and how many there are."""


@rule("keys", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp")
def empty_key(facts: Facts) -> Iterator[Place]:
    """A key is empty.

    Fix: write the file again with the tool that made it; no command can open this one.
    """
    for i in np.flatnonzero(facts.key_values.key_start == facts.key_values.key_end).tolist():
        yield Place(f"/metadata/{i}/key", f"the key of key-value {i} is empty")


@rule("keys", "error", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp, gguf-py")
def duplicate_key(facts: Facts) -> Iterator[Place]:
    """A key is duplicated.

    The format does not define which of the values applies.
    Fix: write the file again, with the tool that made it, with one value for the key; no command can open this one.
    """
    return _keys(facts, duplicates(facts.header.keys, of_empty=False).tolist(), "is duplicated")


@rule("keys", "error", "ggml/docs/gguf.md#file-structure", refused_by="gguf-py", fixes=[RENAME, UNSET])
def key_utf8(facts: Facts) -> Iterator[Place]:
    """A key is not UTF-8.

    Fix: rename the key, or remove it.
    """
    return _keys(facts, not_utf8(facts.header.keys), "is not UTF-8")


@rule("keys", "error", "ggml/docs/gguf.md#file-structure", fixes=[RENAME, UNSET])
def key_charset(facts: Facts) -> Iterator[Place]:
    """A key does not consist of `lower_snake_case` segments joined by dots.

    A segment has letters a to z, digits and `_`. No reader checks this. If a key begins with the name of the
    architecture, only the rest is checked here, because the name has its own rules.
    Fix: rename the key, or remove it.
    """
    prefix = f"{facts.architecture}." if facts.architecture else ""
    invalid = [i for i, key in enumerate(facts.header.keys) if key and not _is_segments(key.removeprefix(prefix))]
    others = set(not_utf8(facts.header.keys)) if invalid else set()
    invalid = [i for i in invalid if i not in others]
    return _keys(facts, invalid, "does not consist of lower_snake_case segments joined by dots")


@rule("keys", "error", "ggml/docs/gguf.md#file-structure", fixes=[UNSET])
def key_length(facts: Facts) -> Iterator[Place]:
    """A key is longer than 65,535 bytes.

    Fix: remove the key.
    """
    lengths = facts.key_values.key_end - facts.key_values.key_start
    for i in np.flatnonzero(lengths > LONGEST).tolist():
        message = f"the key of key-value {i} has {lengths[i]:,} bytes, expected at most {LONGEST:,}"
        yield Place(f"/metadata/{i}/key", message)


def _is_segments(key: str) -> bool:
    # A regular expression for the segments would take 70 bytes of memory for each byte of the key.
    return _KEY.fullmatch(key) is not None and ".." not in f".{key}."


def _keys(facts: Facts, numbers: list[int], message: str) -> Iterator[Place]:
    for i in numbers:
        yield Place(f"/metadata/{i}/key", f"the key {quoted(facts.header.keys[i])} {message}")


@rule("values", "error", "ggml/docs/gguf.md#file-structure", fixes=[SET, UNSET])
def string_utf8(facts: Facts) -> Iterator[Place]:
    """A string, or an element of an array of strings, is not UTF-8.

    Some tokens are parts of characters; converters encode these in a special alphabet. Readers accept any bytes, and
    fail when the text is used or shown.
    Fix: set the value again (an array as JSON), or remove the key. An array of arrays can only be removed.
    """
    return _elements(facts, _not_utf8(facts.header, facts.lists), "is not UTF-8", "not UTF-8")


def _not_utf8(header: Header, lists: Lists) -> Iterator[Invalid]:
    """Yield which strings are not UTF-8. A list may be yielded several times, one after the other."""
    rows = lists.rows_of(ValueType.STRING)
    counts = lists.num_elements[rows]
    ends = counts.cumsum()
    starts = ends - counts
    positions = header.element_starts(ValueType.STRING, lists.elements[rows], counts)
    first = 0
    for texts in text_chunks(header, positions):
        invalid = first + np.array(not_utf8(texts), np.int64)
        owners, places, counts = np.unique(
            np.searchsorted(ends, invalid, "right"), return_index=True, return_counts=True
        )
        firsts = invalid[places]
        index = firsts - starts[owners]
        yield from zip(rows[owners].tolist(), index.tolist(), positions[firsts].tolist(), counts.tolist(), strict=True)
        first += len(texts)


@rule("values", "error", "ggml/docs/gguf.md#file-structure", fixes=[SET])
def bool_value(facts: Facts) -> Iterator[Place]:
    """A bool is neither 0 nor 1.

    According to the documentation, the file is invalid, or the reader is broken. Some readers treat other numbers as
    true, and others compare bytes.
    Fix: set the value again: `true` or `false`, or a list such as `[true, false]` for an array.
    """
    data, lists = np.frombuffer(facts.header.buf, np.uint8), facts.lists
    broken: list[Invalid] = []
    for row in lists.rows_of(ValueType.BOOL).tolist():
        start = lists.elements.item(row)
        invalid = data[start : start + lists.num_elements.item(row)] > 1
        if invalid.any():
            index = int(invalid.argmax())
            broken.append((row, index, start + index, int(np.count_nonzero(invalid))))
    return _elements(facts, broken, "is a bool of {byte}, expected 0 or 1", "neither 0 nor 1")


def _elements(facts: Facts, broken: Iterable[Invalid], value: str, element: str) -> Iterator[Place]:
    """Yield a place for each list with invalid elements.

    value, element  the fault of the value of a key, and of an element of an array.
    """
    others = 0
    for number, (row, parts) in enumerate(groupby(broken, itemgetter(0))):
        _, index, offset, count = next(parts)
        count += sum(more for _, _, _, more in parts)
        if number >= LISTED:  # the rest is only counted: the path of a deep array takes long to find
            others += count
            continue
        key_number, path = facts.lists.locate(row)
        key = quoted(facts.header.keys[key_number])
        if row < facts.lists.num_keys:
            yield Place(path, f"the value of {key} {value.format(byte=facts.header.buf[offset])}", offset)
        else:
            which = f"element {index}" if count == 1 else f"{count:,} elements, the first is {index},"
            yield Place(f"{path}/elements/{index}", f"{which} of {key}: {element}", offset, count)
    if others:
        yield Place("", "", 0, others)


@rule("values", "warning", "ggml/src/gguf.cpp", refused_by="ggml, llama.cpp", fixes=[SET_TYPED, UNSET])
def nested_array(facts: Facts) -> Iterator[Place]:
    """An array has arrays as elements.

    The format allows this, to any depth. ggml has never supported it.
    Fix: set the value to a flat array, or remove the key.
    """
    numbers, element_type, _ = facts.lists.arrays()
    numbers = numbers[element_type == ValueType.ARRAY]
    return _values(facts, numbers, "is an array of arrays, which llama.cpp does not read")


@rule("values", "note", "ggml/docs/gguf.md#file-structure", fixes=[UNSET])
def empty_array(facts: Facts) -> Iterator[Place]:
    """An array has no elements.

    It is valid, but gguf-py can't write it, and loses its element type. Most readers treat it like a missing key.
    Fix: remove the key.
    """
    numbers, _, num_elements = facts.lists.arrays()
    return _values(facts, numbers[num_elements == 0], "is an empty array")


def _values(facts: Facts, numbers: IntArray, message: str) -> Iterator[Place]:
    for i in numbers.tolist():
        yield Place(f"/metadata/{i}/value", f"the value of {quoted(facts.header.keys[i])} {message}")
