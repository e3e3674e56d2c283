"""Rules on values of any key."""

from collections.abc import Callable, Iterator

import numpy as np

from kaitai_gguf.rules.facts import Facts, not_utf8
from kaitai_gguf.rules.finding import ERROR, HEADER, NOTE, WARNING
from kaitai_gguf.rules.nested_arrays import ArrayAt
from kaitai_gguf.rules.references import GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import LISTED, SET, SET_TYPED, UNSET, Place, rule, several
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import quoted

CHUNK = 1 << 16  # elements of small arrays, and strings, read together

Find = Callable[[Facts, IntArray, IntArray], IntArray]
"""Returns which elements are invalid, numbered through all arrays, given where their elements start and how many."""


@rule("string-utf8", ERROR, STRUCTURE, fixes=[SET, UNSET])
def string_utf8(facts: Facts) -> Iterator[Place]:
    """A string, or an element of an array of strings, is not UTF-8.

    Some tokens are parts of characters; converters encode these in a special alphabet. Readers accept any bytes, and
    fail when the text is used or shown.

    Fix: set the value again (an array as JSON), or remove the key. An array of arrays can only be removed.
    """
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.STRING)
    positions = facts.key_values.value[numbers]
    invalid = numbers[not_utf8(facts.header.texts(*facts.header.string_spans(positions)))].tolist()
    yield from several(invalid, lambda i: _value(facts, i, "is not UTF-8"))
    yield from _several_arrays(facts, ValueType.STRING, _invalid_strings, "not UTF-8")


def _invalid_strings(facts: Facts, elements: IntArray, counts: IntArray) -> IntArray:
    positions = facts.header.element_starts(ValueType.STRING, elements, counts)
    starts, ends = facts.header.string_spans(positions)
    invalid: list[int] = []
    for first in range(0, len(starts), CHUNK):
        texts = facts.header.texts(starts[first : first + CHUNK], ends[first : first + CHUNK])
        invalid += [first + index for index in not_utf8(texts)]
    return np.array(invalid, np.int64)


@rule("bool-value", ERROR, STRUCTURE, fixes=[SET])
def bool_value(facts: Facts) -> Iterator[Place]:
    """A bool is neither 0 nor 1.

    According to the documentation, the file is invalid, or the reader is broken. Some readers treat other numbers as
    true, and others compare bytes.

    Fix: set the value again: `true` or `false`, or a list such as `[true, false]` for an array.
    """
    data = np.frombuffer(facts.header.buf, np.uint8)
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.BOOL)
    invalid = numbers[data[facts.key_values.value[numbers]] > 1].tolist()
    yield from several(
        invalid, lambda i: _value(facts, i, f"is a bool of {data[facts.key_values.value[i]]}, expected 0 or 1")
    )
    yield from _several_arrays(facts, ValueType.BOOL, _invalid_bools, "neither 0 nor 1")


def _invalid_bools(facts: Facts, elements: IntArray, counts: IntArray) -> IntArray:
    data = np.frombuffer(facts.header.buf, np.uint8)
    if len(elements) == 1:  # it may be large
        return np.flatnonzero(data[elements[0] : elements[0] + counts[0]] > 1)
    positions = elements.repeat(counts) + np.arange(counts.sum()) - (counts.cumsum() - counts).repeat(counts)
    return np.flatnonzero(data[positions] > 1)


@rule("nested-array", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[SET_TYPED, UNSET])
def nested_array(facts: Facts) -> Iterator[Place]:
    """An array has arrays as elements.

    The format allows this, to any depth. ggml has never supported it.

    Fix: set the value to a flat array, or remove the key.
    """
    invalid = facts.arrays.parent[facts.arrays.element_type == ValueType.ARRAY].tolist()
    return several(invalid, lambda i: _value(facts, i, "is an array of arrays, which llama.cpp does not read"))


@rule("empty-array", NOTE, STRUCTURE, fixes=[UNSET])
def empty_array(facts: Facts) -> Iterator[Place]:
    """An array has no elements.

    It is valid, but gguf-py can't write it, and loses its element type. Most readers treat it like a missing key.

    Fix: remove the key.
    """
    invalid = facts.arrays.parent[facts.arrays.num_elements == 0].tolist()
    return several(invalid, lambda i: _value(facts, i, "is an empty array"))


def _value(facts: Facts, number: int, message: str) -> Place:
    return facts.key_value_place(number, "value", f"the value of {quoted(facts.header.keys[number])} {message}")


def _several_arrays(facts: Facts, type: ValueType, find: Find, fault: str) -> Iterator[Place]:
    """Yield a place for each array with invalid elements; the last represents all others, like that of `several`."""
    arrays = facts.arrays_of(type)
    listed: list[Place] = []
    others = 0
    for first, last in _chunks(arrays.num_elements):
        counts = arrays.num_elements[first:last]
        before = counts.cumsum() - counts
        invalid = find(facts, arrays.elements[first:last], counts)
        owners = np.searchsorted(before, invalid, "right") - 1
        starts = np.flatnonzero(np.diff(owners, prepend=-1))  # the first invalid element of each array
        totals = np.diff(starts, append=len(owners))
        new = starts[: LISTED + 1 - len(listed)].tolist()
        for start, total in zip(new, totals.tolist(), strict=False):
            owner = owners.item(start)
            element = invalid.item(start) - before.item(owner)
            listed.append(_elements(facts, arrays.at(first + owner), element, total, fault))
        others += int(totals[len(new) :].sum())
    if others:
        listed[-1] = listed[-1]._replace(total=listed[-1].total + others)
    yield from listed


def _chunks(counts: IntArray) -> Iterator[tuple[int, int]]:
    """Yield the first and the last of arrays that have at most `CHUNK` elements together; a larger one is alone."""
    ends = counts.cumsum()
    first = 0
    while first < len(counts):
        done = ends.item(first - 1) if first else 0
        last = max(first + 1, int(np.searchsorted(ends, done + CHUNK, "right")))
        yield first, last
        first = last


def _elements(facts: Facts, array: ArrayAt, first: int, count: int, fault: str) -> Place:
    which = f"element {first}" if count == 1 else f"{count:,} elements, the first is {first},"
    return facts.elements_place(array, first, count, f"{which} of {quoted(facts.header.keys[array.number])}: {fault}")
