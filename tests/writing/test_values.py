"""Converting Python values to GGUF values."""

import io
import re
from enum import IntEnum
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest

from kaitai_gguf import Typed, ValueType, WriteError, Writer
from kaitai_gguf.schema.writing import ArrayItem, Scalar
from kaitai_gguf.standard_keys import KeyType, standard_types
from kaitai_gguf.writing.values import encoded, retyped


class Choice(IntEnum):
    ONE = 1


def kind(value: Any, **known: Any) -> str:
    """Return the type that a value gets. For arrays, the length is in brackets."""
    item = encoded(value, "little", **known)
    return _kind(item)


def _kind(item: Scalar | ArrayItem) -> str:
    if isinstance(item, Scalar):
        return item.type.name.lower()
    if item.element_type is ValueType.ARRAY:
        return f"[{' '.join(_kind(each) for each in item.elements)}]"
    return f"{item.element_type.name.lower()}[{item.num_elements}]"


# Types given by values


@pytest.mark.parametrize("type", [type for type in ValueType if type not in (ValueType.STRING, ValueType.ARRAY)])
def test_numpy_chooses_the_type(type: ValueType) -> None:
    name = type.name.lower()
    assert kind(np.dtype(name).type(1)) == name
    assert kind(np.array(1, name)) == name
    assert kind(np.array([1, 0], name)) == f"{name}[2]"
    assert kind([np.dtype(name).type(1)]) == f"{name}[1]"
    assert kind(np.ones((2, 1), name)) == f"[{name}[1] {name}[1]]"


@pytest.mark.parametrize("type", [type for type in ValueType if type not in (ValueType.STRING, ValueType.ARRAY)])
def test_typed_chooses_the_type(type: ValueType) -> None:
    name = type.name.lower()
    value = True if type is ValueType.BOOL else 1
    assert kind(Typed(value, type)) == name
    assert kind(Typed([value, value], type)) == f"{name}[2]"
    assert kind(Typed([], type)) == f"{name}[0]"
    assert kind(Typed([[value], []], type)) == f"[{name}[1] {name}[0]]"


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (True, "bool"),
        ("text", "string"),
        (b"\xff", "string"),
        (bytearray(b"x"), "string"),
        (np.str_("x"), "string"),
        (0, "uint32"),
        (Choice.ONE, "uint32"),
        (2**32 - 1, "uint32"),
        (-1, "int32"),
        (-(2**31), "int32"),
        (2**32, "uint64"),
        (2**64 - 1, "uint64"),
        (-(2**31) - 1, "int64"),
        (-(2**63), "int64"),
        (0.5, "float32"),
        ([True, False], "bool[2]"),
        (["a", b"\xff"], "string[2]"),
        ([1, 2**32 - 1], "uint32[2]"),
        ([1, -1], "int32[2]"),
        ((1, 2**40), "uint64[2]"),
        ([-1, 2**40], "int64[2]"),
        ([1, 0.5], "float32[2]"),
        ([[1], [-1], ["a"]], "[uint32[1] int32[1] string[1]]"),
        (np.array(["a", "b"]), "string[2]"),
        (np.zeros((0, 3), np.int8), "[]"),
        (Typed("x", ValueType.STRING), "string"),
        (Typed([], ValueType.STRING), "string[0]"),
        (Typed([], ValueType.ARRAY), "[]"),
        (Typed([[1], ["x"]], ValueType.ARRAY), "[uint32[1] string[1]]"),
        ([Typed([], ValueType.INT8), Typed(["x"], ValueType.STRING)], "[int8[0] string[1]]"),
    ],
)
def test_values_without_a_type(value: Any, type: str) -> None:
    assert kind(value) == type


# Types given by keys


@pytest.mark.parametrize(
    ("value", "known", "type"),
    [
        (1, KeyType(ValueType.UINT16), "uint16"),
        (10000, KeyType(ValueType.FLOAT32), "float32"),
        (0.5, KeyType(ValueType.FLOAT64), "float64"),
        ([], KeyType(ValueType.ARRAY, ValueType.STRING), "string[0]"),
        ([1, 2], KeyType(ValueType.ARRAY, ValueType.INT32), "int32[2]"),
        ([1, 2], KeyType(ValueType.ARRAY, ValueType.FLOAT32), "float32[2]"),
        (4096.0, KeyType(ValueType.UINT32), "uint32"),
        (np.float32(4096), KeyType(ValueType.UINT32), "uint32"),
        ([1.0, 2], KeyType(ValueType.ARRAY, ValueType.INT32), "int32[2]"),
        (np.array([1.0, 2.0]), KeyType(ValueType.ARRAY, ValueType.INT32), "int32[2]"),
        # Numpy's default types
        (np.int64(1), KeyType(ValueType.UINT32), "uint32"),
        (np.array([1, 2]), KeyType(ValueType.ARRAY, ValueType.INT32), "int32[2]"),
        (np.array([0.5]), KeyType(ValueType.ARRAY, ValueType.FLOAT32), "float32[1]"),
    ],
)
def test_the_type_that_a_key_is_documented_to_have(value: Any, known: KeyType, type: str) -> None:
    assert kind(value, standard=[known]) == type
    assert kind(value, kept=known, standard=[known]) == type
    assert kind(Typed("x", "string"), kept=known, standard=[known]) == "string"


PER_LAYER = standard_types("x.feed_forward_length", "x")


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (1, "uint32"),
        (2**32, "uint64"),
        (np.uint64(1), "uint64"),
        ([1, 2], "int32[2]"),
        ([2**31], "uint32[1]"),
        (np.array([1], np.uint32), "uint32[1]"),
        (np.array([1], np.uint16), "int32[1]"),
    ],
)
def test_the_first_documented_type_that_holds_the_value(value: Any, type: str) -> None:
    assert kind(value, standard=PER_LAYER) == type


@pytest.mark.parametrize(
    ("value", "key", "message"),
    [
        ("x", "split.no", "'x' is a string, but the documented type is uint16"),
        (0.5, "split.no", "0.5 is a float, but the documented type is uint16"),
        (np.float64(0.5), "split.no", "is a float, but"),
        (float("inf"), "split.no", "inf is a float"),
        (float("nan"), "split.no", "nan is a float"),
        (True, "x.context_length", "True is a bool, but the documented type is uint32 or uint64"),
        (1, "x.attention.causal", "1 is an integer, but the documented type is bool"),
        (1.0, "general.version", "1.0 is a float, but the documented type is string"),
        ("x", "general.tags", "'x' is a string, but the documented type is array of string"),
        (["x"], "general.version", "the value is an array of strings, but the documented type is string"),
        ([1], "tokenizer.ggml.tokens", "the value is an array of integers, but"),
        ([[1]], "tokenizer.ggml.token_type", "the value is an array of arrays, but"),
        ([0.5], "tokenizer.ggml.token_type", "the value is an array of floats, but"),
        ([], "split.no", "the value is an array, but"),
        (np.array([True]), "tokenizer.ggml.scores", "the value is an array of bools, but"),
    ],
)
def test_a_documented_key_refuses_values_of_another_kind(value: Any, key: str, message: str) -> None:
    with pytest.raises(WriteError, match=rf"{re.escape(message)}.*; Typed\(…\) changes the type"):
        encoded(value, "little", standard=standard_types(key, "x"))


@pytest.mark.parametrize(
    ("value", "known"),
    [
        ("x", KeyType(ValueType.UINT16)),
        (0.5, KeyType(ValueType.UINT16)),
        (True, KeyType(ValueType.UINT32)),
        (1, KeyType(ValueType.BOOL)),
        (1, KeyType(ValueType.STRING)),
        (70000, KeyType(ValueType.UINT16)),
        ([1], KeyType(ValueType.UINT16)),
        (1, KeyType(ValueType.ARRAY, ValueType.UINT16)),
        (["x"], KeyType(ValueType.ARRAY, ValueType.UINT16)),
        ([1], KeyType(ValueType.ARRAY, ValueType.STRING)),
        ([1], KeyType(ValueType.ARRAY, ValueType.ARRAY)),
    ],
)
def test_a_kept_type_is_not_left(value: Any, known: KeyType) -> None:
    with pytest.raises(WriteError):
        encoded(value, "little", kept=known)


# Refusals


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "an empty array has no element type"),
        ([[]], "an empty array has no element type"),
        (2**64, "does not fit in 64 bits"),
        ([-1, 2**63], "no integer type holds both -1 and 9223372036854775808"),
        (1e39, "1e+39 is too large for float32"),
        (-1e39, "too large for float32"),
        ([0.0, 1e39], "1e+39 is too large for float32"),
        (Typed(10**400, ValueType.FLOAT64), "too large for float64"),
        (Typed(256, ValueType.UINT8), "256 does not fit uint8, whose range is 0 to 255"),
        (Typed([0, -129], ValueType.INT8), "-129 does not fit int8, whose range is -128 to 127"),
        (Typed(np.array([300]), ValueType.UINT8), "300 does not fit uint8"),
        (Typed(1, ValueType.BOOL), "1 can't be bool"),
        (Typed(True, ValueType.UINT8), "True can't be uint8"),
        (Typed(0.5, ValueType.UINT8), "0.5 can't be uint8"),
        (Typed(1, ValueType.STRING), "1 can't be a string"),
        (Typed(b"x", ValueType.FLOAT32), "can't be float32"),
        (Typed(1, ValueType.ARRAY), "1 is not an array"),
        (Typed([1], ValueType.ARRAY), "the element 1 is not an array, expected only arrays"),
        (["a", 1], "one type, not int and str"),
        ([True, 1], "one type, not bool and int"),
        ([np.uint8(1), 1], "one type, not int and uint8"),
        ([[1], 2], "one type, not int and list"),
        ("\ud800", "unpaired surrogate"),
        (["\udfff"], "unpaired surrogate"),
    ],
)
def test_refusals(value: Any, message: str) -> None:
    with pytest.raises(WriteError, match=message.replace("+", r"\+")):
        encoded(value, "little")


@pytest.mark.parametrize("value", [None, {}, 1j, object(), np.float16(1), np.ones(2, ml_dtypes.bfloat16), [None], [{}]])
def test_what_the_format_has_no_type_for(value: Any) -> None:
    with pytest.raises(TypeError):
        encoded(value, "little")


def test_a_list_in_itself() -> None:
    value: list[Any] = []
    value.append(value)
    with pytest.raises(WriteError, match="more than 128 deep"):
        encoded(value, "little")


def test_numbers_are_in_the_byte_order_of_the_file() -> None:
    assert encoded(float("inf"), "little") == Scalar(ValueType.FLOAT32, b"\0\0\x80\x7f")
    assert encoded(Typed([float("-inf")], ValueType.FLOAT32), "big").elements == b"\xff\x80\0\0"
    for value in (Typed([1], ValueType.UINT16), np.array([1], "<u2"), np.array([1], ">u2")):
        assert encoded(value, "little").elements == b"\1\0"
        assert encoded(value, "big").elements == b"\0\1"


@pytest.mark.parametrize(
    "type", ["uint8", "UINT8", 0, np.int64(0), gguf.GGUFValueType.UINT8, ValueType.UINT8], ids=repr
)
def test_names_and_numbers_of_types(type: Any) -> None:
    assert Typed(1, type) == Typed(1, ValueType.UINT8)
    assert isinstance(Typed(1, type).type, ValueType)
    metadata = Writer(io.BytesIO()).metadata
    metadata["x"] = 1
    metadata.retype("x", type)
    assert metadata.type("x").value_type is ValueType.UINT8


@pytest.mark.parametrize("type", ["uint7", 13, None, True, 1.0], ids=repr)
def test_what_is_not_a_type(type: Any) -> None:
    with pytest.raises(TypeError, match="expected a ValueType"):
        Typed(1, type)


# Changing the type of a value


@pytest.mark.parametrize(
    ("value", "type", "expected"),
    [
        (1, ValueType.BOOL, True),
        (False, ValueType.UINT8, 0),
        (2.0, ValueType.INT32, 2),
        (2.5, ValueType.INT32, 2.5),
        (float("inf"), ValueType.INT32, float("inf")),
        ("x", ValueType.INT32, "x"),
        (np.array([0, 1], np.uint8), ValueType.BOOL, [False, True]),
        ([[1.0], [2]], ValueType.UINT8, [[1], [2]]),
    ],
)
def test_retyped(value: Any, type: ValueType, expected: Any) -> None:
    assert repr(retyped(value, type)) == repr(expected)


MASKED = np.ma.array([1.0, 2.0], mask=[0, 1])


@pytest.mark.parametrize(
    "value",
    [
        MASKED,
        np.ma.array([1, 2]),
        np.ma.array([[1, 2]], mask=[[0, 1]]),
        np.ma.masked,
        [MASKED],
        [[1.0], MASKED],
        [1.0, np.ma.masked],
        [[[1.0, np.ma.masked]]],
        np.array([None, MASKED], object)[1:],
        Typed(MASKED, ValueType.FLOAT32),
        Typed([MASKED], ValueType.FLOAT32),
        Typed([1.0, np.ma.masked], ValueType.FLOAT32),
        Typed(np.ma.masked, ValueType.FLOAT32),
        [Typed(MASKED, ValueType.FLOAT32)],
    ],
    ids=lambda value: " ".join(repr(value).split()),
)
def test_masked_arrays_are_refused(value: Any) -> None:
    """Their fill value, 1e20 or 999999, would be a wrong number."""
    is_nested = isinstance(value, list) and isinstance(value[0], list | Typed)
    for kept in (None, KeyType(ValueType.ARRAY, ValueType.ARRAY if is_nested else ValueType.FLOAT32)):
        with pytest.raises(WriteError, match=r"is a masked array: array.filled\(value\)"):
            encoded(value, "little", kept=kept)
        with pytest.raises(WriteError, match="is a masked array"):
            encoded(value, "little", standard=() if kept is None else (kept,))
    if not isinstance(value, Typed | list):
        with pytest.raises(WriteError, match="is a masked array"):
            retyped(value, ValueType.INT8)
