"""Rules on values of any key."""

from collections.abc import Iterator
from itertools import groupby, islice
from operator import itemgetter

import numpy as np

from kaitai_gguf.rules.facts import Facts, not_utf8
from kaitai_gguf.rules.finding import ERROR, HEADER, NOTE, WARNING
from kaitai_gguf.rules.nested_arrays import ArrayAt
from kaitai_gguf.rules.references import GGUF_CPP, STRUCTURE
from kaitai_gguf.rules.rule import LISTED, SET, SET_TYPED, UNSET, Place, rule, several
from kaitai_gguf.schema import IntArray, ValueType
from kaitai_gguf.text import quoted

CHUNK = 1 << 16  # strings decoded at a time

Elements = tuple[ArrayAt, list[int]]  # some of the elements of an array


@rule("string-utf8", ERROR, STRUCTURE, fixes=[SET, UNSET])
def string_utf8(facts: Facts) -> Iterator[Place]:
    """A string, or an element of an array of strings, is not UTF-8.

    Some tokens are parts of characters; converters encode these in a special alphabet. Readers accept any bytes, and
    fail when the text is used or shown.

    Fix: set the value again (an array as JSON), or remove the key. An array of arrays can only be removed.
    """
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.STRING)
    positions = facts.key_values.value[numbers]
    invalid = numbers[not_utf8(facts.reader.texts(*facts.reader.string_spans(positions)))].tolist()
    yield from several(invalid, lambda i: _value(facts, i, "is not UTF-8"))
    yield from _several_arrays(facts, _invalid_strings(facts), "not UTF-8")


def _invalid_strings(facts: Facts) -> Iterator[Elements]:
    """The arrays of strings some of which are not UTF-8, and which. Small arrays are decoded together."""
    together: list[tuple[ArrayAt, IntArray]] = []
    count = 0
    for array in facts.arrays_of(ValueType.STRING):
        info = array.info
        starts = np.array([info.elements]) if info.num_elements == 1 else facts.reader.items(info)[0]
        together.append((array, starts))
        count += len(starts)
        if count >= CHUNK:
            yield from _invalid_among(facts, together)
            together, count = [], 0
    yield from _invalid_among(facts, together)


def _invalid_among(facts: Facts, arrays: list[tuple[ArrayAt, IntArray]]) -> Iterator[Elements]:
    if not arrays:
        return
    starts, ends = facts.reader.string_spans(np.concatenate([starts for _, starts in arrays]))
    invalid: list[int] = []
    for first in range(0, len(starts), CHUNK):
        texts = facts.reader.texts(starts[first : first + CHUNK], ends[first : first + CHUNK])
        invalid += [first + index for index in not_utf8(texts)]
    afters = np.cumsum([len(starts) for _, starts in arrays])
    owners = np.searchsorted(afters, invalid, side="right")
    for owner, indices in groupby(zip(owners.tolist(), invalid, strict=True), key=itemgetter(0)):
        array, own = arrays[owner]
        before = int(afters[owner]) - len(own)
        yield array, [index - before for _, index in indices]


@rule("bool-value", ERROR, STRUCTURE, fixes=[SET])
def bool_value(facts: Facts) -> Iterator[Place]:
    """A bool is neither 0 nor 1.

    According to the documentation, the file is invalid, or the reader is broken. Some readers treat other numbers as
    true, and others compare bytes.

    Fix: set the value again: `true` or `false`, or a list such as `[true, false]` for an array.
    """
    data = np.frombuffer(facts.buf, np.uint8)
    numbers = np.flatnonzero(facts.key_values.value_type == ValueType.BOOL)
    invalid = numbers[data[facts.key_values.value[numbers]] > 1].tolist()
    yield from several(
        invalid, lambda i: _value(facts, i, f"is a bool of {data[facts.key_values.value[i]]}, expected 0 or 1")
    )
    yield from _several_arrays(facts, _invalid_bools(facts), "neither 0 nor 1")


def _invalid_bools(facts: Facts) -> Iterator[Elements]:
    """The arrays of bools some of which are neither 0 nor 1, and which."""
    data = np.frombuffer(facts.buf, np.uint8)
    for array in facts.arrays_of(ValueType.BOOL):
        start = array.info.elements
        invalid = np.flatnonzero(data[start : start + array.info.num_elements] > 1).tolist()
        if invalid:
            yield array, invalid


@rule("nested-array", WARNING, GGUF_CPP, refused_by=HEADER, fixes=[SET_TYPED, UNSET])
def nested_array(facts: Facts) -> Iterator[Place]:
    """An array has arrays as elements.

    The format allows this, to any depth. ggml has never supported it.

    Fix: set the value to a flat array, or remove the key.
    """
    invalid = [array.number for array in facts.arrays.values() if array.info.element_type is ValueType.ARRAY]
    return several(invalid, lambda i: _value(facts, i, "is an array of arrays, which llama.cpp does not read"))


@rule("empty-array", NOTE, STRUCTURE, fixes=[UNSET])
def empty_array(facts: Facts) -> Iterator[Place]:
    """An array has no elements.

    It is valid, but gguf-py can't write it, and loses its element type. Most readers treat it like a missing key.

    Fix: remove the key.
    """
    invalid = [array.number for array in facts.arrays.values() if not array.info.num_elements]
    return several(invalid, lambda i: _value(facts, i, "is an empty array"))


def _value(facts: Facts, number: int, message: str) -> Place:
    return facts.key_value_place(number, "value", f"the value of {quoted(facts.keys[number])} {message}")


def _several_arrays(facts: Facts, found: Iterator[Elements], fault: str) -> Iterator[Place]:
    """Yield a place for each array; the last represents all that aren't listed, like that of `several`."""
    for array, invalid in islice(found, LISTED):
        yield _elements(facts, array, invalid, fault)
    for array, invalid in islice(found, 1):
        place = _elements(facts, array, invalid, fault)
        yield place._replace(total=place.total + sum(len(more) for _, more in found))


def _elements(facts: Facts, array: ArrayAt, invalid: list[int], fault: str) -> Place:
    which = f"element {invalid[0]}" if len(invalid) == 1 else f"{len(invalid):,} elements, the first is {invalid[0]},"
    return facts.elements_place(array, invalid, f"{which} of {quoted(facts.keys[array.number])}: {fault}")
