"""Rules on values of any key."""

from collections.abc import Callable, Iterator

import numpy as np

from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules.facts import Facts, not_utf8
from kaitai_gguf.rules.finding import ERROR, HEADER, NOTE, WARNING
from kaitai_gguf.rules.references import GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import SET, SET_TYPED, UNSET, Place, rule, several
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import quoted

CHUNK = 1 << 16  # strings decoded together


@rule("string-utf8", ERROR, STRUCTURE, fixes=[SET, UNSET])
def string_utf8(facts: Facts) -> Iterator[Place]:
    """A string, or an element of an array of strings, is not UTF-8.

    Some tokens are parts of characters; converters encode these in a special alphabet. Readers accept any bytes, and
    fail when the text is used or shown.

    Fix: set the value again (an array as JSON), or remove the key. An array of arrays can only be removed.
    """
    header, arrays = facts.header, facts.arrays
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.STRING)
    invalid = numbers[_not_utf8(header, *header.string_spans(facts.key_values.value[numbers]))]
    yield from several(invalid.tolist(), lambda i: _value(facts, i, "is not UTF-8"))
    rows = arrays.of(ValueType.STRING)
    counts = arrays.num_elements[rows]
    before = counts.cumsum() - counts
    positions = header.element_starts(ValueType.STRING, arrays.elements[rows], counts)
    invalid = _not_utf8(header, *header.string_spans(positions))
    totals = np.diff(np.searchsorted(invalid, np.append(before, len(positions))))
    yield from _several_arrays(
        facts, rows, totals, lambda i: int(invalid[np.searchsorted(invalid, before[i])] - before[i]), "not UTF-8"
    )


def _not_utf8(header: Header, starts: IntArray, ends: IntArray) -> IntArray:
    """Return the indices of the texts that are not UTF-8."""
    chunks = range(0, len(starts), CHUNK)
    texts = (header.texts(starts[first : first + CHUNK], ends[first : first + CHUNK]) for first in chunks)
    return np.array([first + i for first, each in zip(chunks, texts, strict=True) for i in not_utf8(each)], np.int64)


@rule("bool-value", ERROR, STRUCTURE, fixes=[SET])
def bool_value(facts: Facts) -> Iterator[Place]:
    """A bool is neither 0 nor 1.

    According to the documentation, the file is invalid, or the reader is broken. Some readers treat other numbers as
    true, and others compare bytes.

    Fix: set the value again: `true` or `false`, or a list such as `[true, false]` for an array.
    """
    data, positions, arrays = np.frombuffer(facts.header.buf, np.uint8), facts.key_values.value, facts.arrays
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.BOOL)
    invalid = numbers[data[positions[numbers]] > 1].tolist()
    yield from several(invalid, lambda i: _value(facts, i, f"is a bool of {data[positions[i]]}, expected 0 or 1"))
    rows = arrays.of(ValueType.BOOL)
    if len(rows):
        spans = np.stack([arrays.elements[rows], arrays.elements[rows] + arrays.num_elements[rows]], axis=1)
        is_invalid = data[spans[0, 0] : spans[-1, 1]] > 1
        spans -= spans[0, 0]
        totals = np.add.reduceat(is_invalid, spans.ravel()[:-1], dtype=np.int64)[::2]
        yield from _several_arrays(
            facts, rows, totals, lambda i: int(is_invalid[slice(*spans[i])].argmax()), "neither 0 nor 1"
        )


@rule("nested-array", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[SET_TYPED, UNSET])
def nested_array(facts: Facts) -> Iterator[Place]:
    """An array has arrays as elements.

    The format allows this, to any depth. ggml has never supported it.

    Fix: set the value to a flat array, or remove the key.
    """
    values = facts.arrays.values
    invalid = values.owner[values.element_type == ValueType.ARRAY].tolist()
    return several(invalid, lambda i: _value(facts, i, "is an array of arrays, which llama.cpp does not read"))


@rule("empty-array", NOTE, STRUCTURE, fixes=[UNSET])
def empty_array(facts: Facts) -> Iterator[Place]:
    """An array has no elements.

    It is valid, but gguf-py can't write it, and loses its element type. Most readers treat it like a missing key.

    Fix: remove the key.
    """
    values = facts.arrays.values
    invalid = values.owner[values.num_elements == 0].tolist()
    return several(invalid, lambda i: _value(facts, i, "is an empty array"))


def _value(facts: Facts, number: int, message: str) -> Place:
    return facts.key_value_place(number, "value", f"the value of {quoted(facts.header.keys[number])} {message}")


def _several_arrays(
    facts: Facts, rows: IntArray, totals: IntArray, first: Callable[[int], int], fault: str
) -> Iterator[Place]:
    """Yield places in arrays, given how many elements of each are invalid, and which is the first."""

    def place(i: int) -> Place:
        number, path, array = facts.arrays.at(rows.item(i))
        index, count = first(i), totals.item(i)
        which = f"element {index}" if count == 1 else f"{count:,} elements, the first is {index},"
        message = f"{which} of {quoted(facts.header.keys[number])}: {fault}"
        return facts.element_place(path, array, index, message, count)

    return several(np.flatnonzero(totals).tolist(), place, int(totals.sum()))
