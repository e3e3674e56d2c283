"""Rules on keys, and on values of any key."""

import re
from collections.abc import Iterator

import numpy as np

from kaitai_gguf.rules.facts import Facts, duplicates, not_utf8
from kaitai_gguf.rules.rule import LISTED, SET, SET_TYPED, UNSET, Place, rule
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import quoted

LONGEST = 65_535  # bytes of a key
CHUNK = 1 << 16  # strings decoded together
RENAME = "rename-key FILE KEY NEW_KEY --output FIXED"

_KEY = re.compile(r"[a-z0-9_.]+")


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
    header, lists = facts.header, facts.lists
    rows = lists.rows_of(ValueType.STRING)
    ends = lists.num_elements[rows].cumsum()
    positions = header.element_starts(ValueType.STRING, lists.elements[rows], lists.num_elements[rows])
    chunks = [np.empty(0, np.int64)]
    for first in range(0, len(positions), CHUNK):
        texts = header.texts(*header.string_spans(positions[first : first + CHUNK]))
        chunks.append(first + np.array(not_utf8(texts), np.int64))
    invalid = np.concatenate(chunks)
    # For each list with such strings: its place among the rows, the first of these strings, and how many there are.
    owners = np.searchsorted(ends, invalid, "right")
    starts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1])[: len(owners)])
    owners, firsts, counts = owners[starts], invalid[starts], np.diff(np.append(starts, len(invalid)))
    index = firsts - (ends - lists.num_elements[rows])[owners]
    columns = (column.tolist() for column in (rows[owners], index, positions[firsts], counts))
    return _elements(facts, list(zip(*columns, strict=True)), "is not UTF-8", "not UTF-8")


@rule("values", "error", "ggml/docs/gguf.md#file-structure", fixes=[SET])
def bool_value(facts: Facts) -> Iterator[Place]:
    """A bool is neither 0 nor 1.

    According to the documentation, the file is invalid, or the reader is broken. Some readers treat other numbers as
    true, and others compare bytes.
    Fix: set the value again: `true` or `false`, or a list such as `[true, false]` for an array.
    """
    data, lists = np.frombuffer(facts.header.buf, np.uint8), facts.lists
    broken = []
    for row in lists.rows_of(ValueType.BOOL).tolist():
        start = lists.elements.item(row)
        invalid = data[start : start + lists.num_elements.item(row)] > 1
        if invalid.any():
            index = int(invalid.argmax())
            broken.append((row, index, start + index, int(np.count_nonzero(invalid))))
    return _elements(facts, broken, "is a bool of {byte}, expected 0 or 1", "neither 0 nor 1")


def _elements(facts: Facts, broken: list[tuple[int, int, int, int]], value: str, element: str) -> Iterator[Place]:
    """Yield a place for each list with invalid elements.

    broken          the row of each, the index and offset of its first invalid element, and how many there are.
    value, element  the fault of the value of a key, and of an element of an array.
    """
    for row, index, offset, count in broken[:LISTED]:
        number, path = facts.lists.locate(row)
        key = quoted(facts.header.keys[number])
        if row < facts.lists.num_keys:
            yield Place(path, f"the value of {key} {value.format(byte=facts.header.buf[offset])}", offset)
        else:
            which = f"element {index}" if count == 1 else f"{count:,} elements, the first is {index},"
            yield Place(f"{path}/elements/{index}", f"{which} of {key}: {element}", offset, count)
    others = sum(count for _, _, _, count in broken[LISTED:])
    if others:  # they are only counted: the path of a deep array takes long to find
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
