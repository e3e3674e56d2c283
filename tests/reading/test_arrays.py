"""Lazy sequences: arrays of strings and nested arrays."""

import operator
from collections.abc import Sequence
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
    return kaitai_gguf.open(Model([("k", "array", value)], **options).build()).metadata["k"]


@pytest.fixture(params=[(1, "little"), (3, "little"), (3, "big")], ids=str)
def strings(request: pytest.FixtureRequest) -> StringArray:
    version, byte_order = request.param
    array = array_of(Array("string", WORDS), version=version, byte_order=byte_order)
    assert isinstance(array, StringArray)
    return array


def test_strings_are_a_sequence(strings: StringArray) -> None:
    assert isinstance(strings, Sequence)
    assert len(strings) == len(TEXT)
    assert [strings[i] for i in range(-6, 6)] == TEXT + TEXT
    assert list(strings) == strings.tolist() == TEXT
    assert strings == TEXT
    assert strings != TEXT[:-1]
    assert strings.index("zwei") == 2
    assert "四" in strings
    assert strings[operator.index(np.int64(2))] == "zwei"


@pytest.mark.parametrize("odd", ["\0", "a\0b", b"\xff", b"\xc3", "é", ""])
def test_many_strings_and_an_odd_one(odd: str | bytes) -> None:
    words: list[str | bytes] = [f"t{number}" for number in range(40_000)]
    words[20_000:20_000] = [odd, b"\xa9"]  # b"\xc3\xa9" would be one character
    array = array_of(Array("string", words))
    expected = [word if isinstance(word, str) else word.decode("utf-8", "surrogateescape") for word in words]
    assert array.tolist() == expected
    assert list(array[19_999::-7]) == expected[19_999::-7]
    assert array[20_000] == expected[20_000]


@given(st.slices(6))
def test_a_slice_is_a_sequence_of_the_same_kind(chosen: slice) -> None:
    strings = array_of(Array("string", WORDS))
    part = strings[chosen]
    assert isinstance(part, StringArray)
    assert [part[i] for i in range(len(part))] == part.tolist() == TEXT[chosen]
    assert len(part) == len(TEXT[chosen])


@pytest.mark.parametrize("index", [6, -7, 1 << 70])
def test_an_index_out_of_range(strings: StringArray, index: int) -> None:
    with pytest.raises(IndexError, match="for an array of 6 items"):
        strings[index]


def test_the_bytes_of_a_string(strings: StringArray) -> None:
    assert strings.raw(5) == b"\xff\xfe"


def test_the_bytes_of_all() -> None:
    data = Model([("k", "array", Array("string", ["a", "bc"]))])
    array = kaitai_gguf.open(data.build()).metadata["k"]
    assert isinstance(array, StringArray)
    stored = b"\x01" + bytes(7) + b"a\x02" + bytes(7) + b"bc"
    assert array.tobytes() == stored
    assert array[1:].tobytes() == stored[9:]


@given(st.permutations(range(6)))
def test_items_in_any_order(order: list[int]) -> None:
    strings, nested = array_of(Array("string", WORDS)), array_of(Array("array", [Array("string", [w]) for w in WORDS]))
    assert [strings[i] for i in order] == [nested[i][0] for i in order] == [TEXT[i] for i in order]
    assert strings.tolist() == TEXT


def test_only_the_items_before_the_one_that_is_asked_for_are_searched() -> None:
    array = array_of(Array("string", [str(i) for i in range(1000)]))
    known = []
    for index in (None, 0, 100, -1):
        assert len(array) == 1000
        assert index is None or array[index] == str(index % 1000)
        known.append(len(array._known[0]))
    assert known == [0, 2, 202, 1000]


def test_long_arrays_iterate_in_chunks() -> None:
    words = [str(i) for i in range(10_000)]
    assert list(array_of(Array("string", words))) == words


def test_empty_arrays() -> None:
    assert array_of(Array("string", [])).tolist() == []
    assert array_of(Array("array", [])).tolist() == []
    assert array_of(Array("float64", [])).tolist() == []


def test_nested_arrays_have_types_of_their_own() -> None:
    value = Array(
        "array",
        [Array("int8", [1, -1]), Array("string", ["a"]), Array("array", [Array("bool", [1])]), Array("float32", [])],
    )
    array = array_of(value)
    assert isinstance(array, NestedArray)
    assert array.tolist() == [[1, -1], ["a"], [[True]], []]
    assert isinstance(array[1], StringArray)
    assert array[0].dtype == np.int8
    assert array[::-1].tolist() == [[], [[True]], ["a"], [1, -1]]
    assert array == [[1, -1], ["a"], [[True]], []]


def test_nested_bytes_include_types_and_counts() -> None:
    array = array_of(Array("array", [Array("uint8", [7, 8])]))
    assert array.tobytes() == bytes(4) + b"\x02" + bytes(7) + b"\x07\x08"


def test_a_sequence_outlives_its_file() -> None:
    with kaitai_gguf.open(Model([("k", "array", Array("string", WORDS))]).build()) as model:
        array = model.metadata["k"]
    assert list(array) == TEXT  # type: ignore[arg-type]


def test_a_sequence_says_what_it_is() -> None:
    assert repr(array_of(Array("string", ["a", "b", "c", "d"]))) == "<StringArray of 4: ['a', 'b', 'c', …]>"


@pytest.mark.parametrize("other", [np.array(TEXT), TEXT, tuple(TEXT)], ids=lambda each: type(each).__name__)
def test_equality_is_a_bool(other: Any, strings: StringArray) -> None:
    nested = array_of(Array("array", [Array("int32", [1, 2]), Array("int32", [3, 4])]))
    rows = np.array([[1, 2], [3, 4]])
    for array, same in ((strings, other), (nested, rows), (nested, rows.tolist())):
        assert (array == same) is (same == array) is True
        assert (array != same) is (same != array) is False
    for different in (other[:-1], np.arange(6), np.array(5), "zero"):
        assert (strings == different) is (different == strings) is False
