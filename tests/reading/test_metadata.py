"""Values and entries of the metadata."""

import io
import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support import strategies
from support.gguf_bytes import CODES, Array, Model

import kaitai_gguf
from kaitai_gguf import KeyNotFound, NestedArray, StringArray, ValueType, ValueTypeError


def metadata_of(*key_values: tuple[Any, str, Any], **options: Any) -> kaitai_gguf.Metadata:
    return kaitai_gguf.open(Model(list(key_values), **options).build()).metadata


def expected(type: str, value: Any) -> Any:
    """Return the value in the form that `tolist()` returns."""
    if type == "array":
        return [expected(value.type, item) for item in value.items]
    if isinstance(value, bytes):
        return value.decode("utf-8", "surrogateescape")
    return bool(value) if type == "bool" else value


@given(strategies.models())
def test_values_are_those_that_were_written(model: Model) -> None:
    metadata, again = (kaitai_gguf.open(model.build()).metadata for _ in range(2))
    assert list(metadata) == [key for key, _, _ in model.metadata]
    for key, type, value in model.metadata:
        opened = metadata[str(key)]
        plain = opened.tolist() if isinstance(opened, np.ndarray | StringArray | NestedArray) else opened
        # repr distinguishes 1 from True, and NaNs are equal
        assert repr(plain) == repr(metadata.to_dict()[str(key)]) == repr(expected(type, value))
        assert metadata.entry(str(key)).value_type.name.lower() == type
    assert (metadata == again) is (metadata == metadata.to_dict()) is True
    assert (metadata != again) is False


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("type", CODES)
def test_arrays_of_numbers_are_read_only_views(type: str, byte_order: str) -> None:
    data = Model([("k", "array", Array(type, [1, 0, 1]))], byte_order=byte_order).build()
    array = kaitai_gguf.open(data).metadata["k"]
    assert isinstance(array, np.ndarray)
    assert array.dtype == np.dtype(type).newbyteorder(">" if byte_order == "big" else "<")
    assert not array.flags.writeable
    assert np.shares_memory(array, np.frombuffer(data, np.uint8))


def test_an_entry_says_where_things_are() -> None:
    data = Model([("a", "uint8", 1), ("k", "array", Array("int16", [1, 2, 3]))]).build()
    entry = kaitai_gguf.open(data).metadata.entry("k")
    start = 24 + 8 + 1 + 4 + 1
    end = start + 8 + 1 + 4 + 12 + 6
    assert entry == kaitai_gguf.Entry("k", ValueType.ARRAY, ValueType.INT16, 3, (start, end), (end - 6, end))


def test_a_key_has_one_spelling() -> None:
    metadata = metadata_of(("é", "array", Array("string", ["a"])), (b"k\xff", "string", b"a\xff\xfe"))
    assert list(metadata) == ["é", "k\udcff"]
    assert metadata["é"] is metadata["\udcc3\udca9"]  # the same object each time
    assert metadata.entry("\udcc3\udca9").key == "é"
    assert "\udcc3\udca9" in metadata
    assert (metadata["k\udcff"], metadata.raw("k\udcff")) == ("a\udcff\udcfe", b"a\xff\xfe")  # without the length
    with pytest.raises(KeyNotFound, match=r"no key 'general\.name'"):
        metadata["general.name"]
    assert metadata.get("general.name") is None


def test_numbers_and_representations_are_those_of_python() -> None:
    metadata = metadata_of(("a", "bool", 2), ("b", "float32", 0.1), *((name, "uint8", 1) for name in "cd"))
    assert (metadata["a"], metadata["b"], type(metadata["b"])) == (True, float(np.float32(0.1)), float)
    assert repr(metadata) == "<Metadata of 4 keys: 'a', 'b', 'c', …>"
    assert metadata._ipython_key_completions_() == ["a", "b", "c", "d"]


TYPED: list[tuple[str, tuple[str, str, Any], Any]] = [
    ("get_str", ("text", "string", b"word"), "word"),
    ("get_int", ("integer", "uint16", 7), 7),
    ("get_float", ("float", "float32", 1.5), 1.5),
    ("get_bool", ("bool", "bool", 1), True),
    ("get_array", ("numbers", "array", Array("uint8", [1, 2])), [1, 2]),
    ("get_strings", ("strings", "array", Array("string", [b"a", b"b"])), ["a", "b"]),
    ("get_array", ("nested", "array", Array("array", [Array("uint8", [1])])), None),
]


@pytest.mark.parametrize(("method", "row", "value"), TYPED[:-1])
def test_typed_access(method: str, row: tuple[str, str, Any], value: Any) -> None:
    metadata = metadata_of(*(row for _, row, _ in TYPED))
    get, own = getattr(metadata, method), {row[0]}
    assert list(get(row[0])) == value if isinstance(value, list) else get(row[0]) == value
    assert type(get(row[0])) is type(metadata[row[0]])
    if method == "get_float":
        assert (get("integer"), type(get("integer"))) == (7.0, float)
        own.add("integer")
    assert (get("missing", None), get("missing", "other")) == (None, "other")
    with pytest.raises(KeyNotFound, match="missing"):
        get("missing")
    for key in set(metadata) - own:
        type_name = "array of" if key in ("numbers", "strings", "nested") else ""
        with pytest.raises(ValueTypeError, match=f"key '{key}' is not an? .*: its type is {type_name}") as caught:
            get(key, None)
        assert isinstance(caught.value, TypeError)


NAN = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)
UNEQUAL: list[tuple[tuple[str, Any], tuple[str, Any]]] = [
    (("uint8", 1), ("string", "1")),
    (("float32", NAN[0]), ("float32", NAN[1])),
    (("array", Array("float32", list(NAN))), ("array", Array("float32", [NAN[0], NAN[0]]))),
    (("array", Array("int32", [1, 2])), ("int32", 1)),
    (("array", Array("int32", [1])), ("array", Array("string", ["1"]))),
    (("array", Array("array", [Array("int32", [1])])), ("array", Array("array", [Array("string", ["a"])]))),
    (("array", Array("array", [Array("int32", [1])])), ("array", Array("int32", [1]))),
]


@pytest.mark.parametrize(("one", "other"), UNEQUAL)
def test_values_that_differ(one: tuple[str, Any], other: tuple[str, Any]) -> None:
    mappings = [metadata_of(("k", *value)) for value in (one, other)]
    for first, second in (mappings, mappings[::-1]):
        assert (first == second, first == metadata_of(("x", *one))) == (False, False)
        with kaitai_gguf.Writer(io.BytesIO()) as writer:
            writer.metadata.update(first)
            assert (writer.metadata == first, writer.metadata == second) == (True, False)


def test_numbers_are_equal_whatever_their_types() -> None:
    one = metadata_of(("a", "uint8", 1), ("b", "array", Array("float32", [1.0, math.inf])))
    other = metadata_of(("b", "array", Array("float64", [1.0, math.inf])), ("a", "float32", 1.0), byte_order="big")
    assert one == other == {"a": True, "b": [1, math.inf]}
    assert one != ["a", "b"]
    with pytest.raises(TypeError):
        hash(one)
