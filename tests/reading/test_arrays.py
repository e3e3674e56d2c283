"""Lazy sequences: arrays of strings and nested arrays."""

import operator
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Array, Model

import kaitai_gguf
from kaitai_gguf import NestedArray, StringArray

WORDS = ["zero", "", "zwei", "τρία", "四", b"\xff\xfe"]
TEXT = [word if isinstance(word, str) else word.decode("utf-8", "surrogateescape") for word in WORDS]


def array_of(value: Array, **options: Any) -> Any:
    with kaitai_gguf.open(Model([("k", "array", value)], **options).build()) as model:
        return model.metadata["k"]  # which outlives the file


@pytest.mark.parametrize(("version", "byte_order"), [(1, "little"), (3, "little"), (3, "big")])
def test_strings_are_a_sequence(version: int, byte_order: str) -> None:
    strings = array_of(Array("string", WORDS), version=version, byte_order=byte_order)
    assert len(strings) == len(TEXT)
    assert [strings[i] for i in range(-6, 6)] == TEXT + TEXT
    assert list(strings) == strings.tolist() == TEXT
    assert strings.index("zwei") == 2
    assert strings[operator.index(np.int64(2))] == "zwei"
    assert strings.raw(5) == b"\xff\xfe"
    for index in (6, -7, 1 << 70):
        with pytest.raises(IndexError, match=f"index {index} is out of range for an array of 6 items"):
            strings[index]


@pytest.mark.parametrize("odd", ["\0", "a\0b", b"\xff", b"\xc3", "é", ""])
def test_many_strings_and_an_odd_one(odd: str | bytes) -> None:
    """They are decoded together, many at a time."""
    words: list[str | bytes] = [f"t{number}" for number in range(40_000)]
    words[20_000:20_000] = [odd, b"\xa9"]  # b"\xc3\xa9" would be one character
    array = array_of(Array("string", words))
    expected = [word if isinstance(word, str) else word.decode("utf-8", "surrogateescape") for word in words]
    assert array.tolist() == list(array) == expected
    assert list(array[19_999::-7]) == expected[19_999::-7]
    assert array[20_000] == expected[20_000]


@given(st.slices(6), st.permutations(range(6)))
def test_slices_and_items_in_any_order(chosen: slice, order: list[int]) -> None:
    strings, nested = array_of(Array("string", WORDS)), array_of(Array("array", [Array("string", [w]) for w in WORDS]))
    assert [strings[i] for i in order] == [nested[i][0] for i in order] == [TEXT[i] for i in order]
    part = strings[chosen]
    assert isinstance(part, StringArray)
    assert [part[i] for i in range(len(part))] == part.tolist() == TEXT[chosen]


def test_nested_arrays_have_types_of_their_own() -> None:
    value = [Array("int8", [1, -1]), Array("string", ["a"]), Array("array", [Array("bool", [1])]), Array("float32", [])]
    array = array_of(Array("array", value))
    assert isinstance(array, NestedArray)
    assert array.tolist() == [[1, -1], ["a"], [[True]], []]
    assert isinstance(array[1], StringArray)
    assert array[0].dtype == np.int8
    assert array[::-1].tolist() == [[], [[True]], ["a"], [1, -1]]
    assert array[::3].tobytes() == b"\x01\0\0\0\x02" + bytes(7) + b"\x01\xff" + b"\x06" + bytes(11)


def test_repr_shows_some_items() -> None:
    assert repr(array_of(Array("string", ["a", "b", "c", "d"]))) == "<StringArray of 4: ['a', 'b', 'c', …]>"


@pytest.mark.parametrize("other", [np.array(TEXT), TEXT, tuple(TEXT)], ids=lambda each: type(each).__name__)
def test_equality_is_a_bool(other: Any) -> None:
    strings = array_of(Array("string", WORDS))
    nested = array_of(Array("array", [Array("int32", [1, 2]), Array("int32", [3, 4])]))
    rows = np.array([[1, 2], [3, 4]])
    for array, same in ((strings, other), (nested, rows), (nested, rows.tolist())):
        assert (array == same) is (same == array) is True
        assert (array != same) is (same != array) is False
    for different in (other[:-1], np.arange(6), np.array(5), "zero"):
        assert (strings == different) is (different == strings) is False
