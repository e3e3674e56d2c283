"""Converting Python values to GGUF values."""

import re
from enum import IntEnum
from typing import Any

import ml_dtypes
import numpy as np
import pytest

from kaitai_gguf import Typed, ValueType, WriteError
from kaitai_gguf.llama_cpp import standard_key
from kaitai_gguf.schema.writing import ArrayItem, Scalar
from kaitai_gguf.types import KeyType
from kaitai_gguf.writing.values import encoded, retyped

NUMBERS = [type for type in ValueType if type not in (ValueType.STRING, ValueType.ARRAY)]


class Choice(IntEnum):
    ONE = 1


def array_of(type: str) -> KeyType:
    return KeyType(ValueType.ARRAY, ValueType[type.upper()])


def scalar(type: str) -> KeyType:
    return KeyType(ValueType[type.upper()])


def standard_types(key: str) -> tuple[KeyType, ...]:
    known = standard_key(key)
    return () if known is None else known.types


ENDLESS: list[Any] = []
ENDLESS.append(ENDLESS)
PER_LAYER = standard_types("x.feed_forward_length")


def kind(value: Any, **known: Any) -> str:
    """Return the type that a value gets. For arrays, the length is in brackets."""
    return _kind(encoded(value, "little", **known))


def _kind(item: Scalar | ArrayItem) -> str:
    if isinstance(item, Scalar):
        return item.type.name.lower()
    if item.element_type is ValueType.ARRAY:
        return f"[{' '.join(_kind(each) for each in item.elements)}]"
    return f"{item.element_type.name.lower()}[{item.num_elements}]"


# The type of a value


@pytest.mark.parametrize("type", NUMBERS)
def test_numpy_or_typed_chooses_the_type(type: ValueType) -> None:
    name = type.name.lower()
    one = True if type is ValueType.BOOL else 1
    for value in (np.dtype(name).type(1), np.array(1, name), Typed(one, type)):
        assert kind(value) == name
    for value in (np.array([1, 0], name), [np.dtype(name).type(1)] * 2, Typed([one, one], type)):
        assert kind(value) == f"{name}[2]"
    assert kind(Typed([], type)) == f"{name}[0]"
    assert kind(np.ones((2, 1), name)) == f"[{name}[1] {name}[1]]"
    assert kind(Typed([[one], []], type)) == f"[{name}[1] {name}[0]]"


@pytest.mark.parametrize(
    ("value", "type"),
    [
        (True, "bool"),
        (b"\xff", "string"),
        (bytearray(b"x"), "string"),
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
        ([1, -1], "int32[2]"),
        ((1, 2**40), "uint64[2]"),
        ([-1, 2**40], "int64[2]"),
        ([1, 0.5], "float32[2]"),
        ([[1], [-1], ["a"]], "[uint32[1] int32[1] string[1]]"),
        (np.array(["a", "b"]), "string[2]"),
        (np.zeros((0, 3), np.int8), "[]"),
        (Typed([], ValueType.STRING), "string[0]"),
        (Typed([], ValueType.ARRAY), "[]"),
        (Typed([[1], ["x"]], ValueType.ARRAY), "[uint32[1] string[1]]"),
        ([Typed([], ValueType.INT8), Typed(["x"], ValueType.STRING)], "[int8[0] string[1]]"),
    ],
)
def test_values_without_a_type(value: Any, type: str) -> None:
    assert kind(value) == type


@pytest.mark.parametrize(
    ("value", "known", "type"),
    [
        (1, [scalar("uint16")], "uint16"),
        (0.5, [scalar("float64")], "float64"),
        (4096.0, [scalar("uint32")], "uint32"),
        (np.float32(4096), [scalar("uint32")], "uint32"),
        ([], [array_of("string")], "string[0]"),
        ([1, 2], [array_of("float32")], "float32[2]"),
        ([1.0, 2], [array_of("int32")], "int32[2]"),
        (np.array([1.0, 2.0]), [array_of("int32")], "int32[2]"),
        (1, PER_LAYER, "uint32"),
        (2**32, PER_LAYER, "uint64"),
        (np.uint64(1), PER_LAYER, "uint64"),
        ([1, 2], PER_LAYER, "int32[2]"),
        ([2**31], PER_LAYER, "uint32[1]"),
        (np.array([1], np.uint32), PER_LAYER, "uint32[1]"),
        (np.array([1], np.uint16), PER_LAYER, "int32[1]"),
    ],
)
def test_the_first_type_of_a_key_that_holds_the_value(value: Any, known: list[KeyType], type: str) -> None:
    assert kind(value, standard=known) == type
    assert kind(Typed("x", "string"), kept=known[0], standard=known) == "string"
    if len(known) == 1:
        assert kind(value, kept=known[0], standard=known) == type


def test_numbers_are_in_the_byte_order_of_the_file() -> None:
    assert encoded(float("inf"), "little") == Scalar(ValueType.FLOAT32, b"\0\0\x80\x7f")
    assert encoded(Typed([float("-inf")], ValueType.FLOAT32), "big").elements == b"\xff\x80\0\0"
    for value in (Typed([1], ValueType.UINT16), np.array([1], "<u2"), np.array([1], ">u2")):
        assert encoded(value, "little").elements == b"\1\0"
        assert encoded(value, "big").elements == b"\0\1"


# Refusals


@pytest.mark.parametrize(
    ("value", "key", "message"),
    [
        ("x", "split.no", "'x' is a string, but the documented type is uint16"),
        (0.5, "split.no", "0.5 is a float, but the documented type is uint16"),
        (float("inf"), "split.no", "inf is a float"),
        (float("nan"), "split.no", "nan is a float"),
        (True, "x.context_length", "True is a bool, but the documented type is uint32 or uint64"),
        (1, "x.attention.causal", "1 is an integer, but the documented type is bool"),
        (1.0, "general.version", "1.0 is a float, but the documented type is string"),
        ("x", "general.tags", "'x' is a string, but the documented type is array of string"),
        (["x"], "general.version", "the value is an array of strings, but the documented type is string"),
        ([[1]], "tokenizer.ggml.token_type", "the value is an array of arrays, but"),
        ([0.5], "tokenizer.ggml.token_type", "the value is an array of floats, but"),
        ([], "split.no", "the value is an array, but"),
        (np.array([True]), "tokenizer.ggml.scores", "the value is an array of bools, but"),
    ],
)
def test_a_key_refuses_values_of_another_kind(value: Any, key: str, message: str) -> None:
    standard = standard_types(key)
    with pytest.raises(WriteError, match=rf"{re.escape(message)}.*; Typed\(…\) changes the type"):
        encoded(value, "little", standard=standard)
    with pytest.raises(WriteError, match=rf"but the type is {standard[0]}; Typed"):
        encoded(value, "little", kept=standard[0], standard=standard)
    with pytest.raises(WriteError, match="70000 does not fit uint16"):
        encoded(70000, "little", kept=scalar("uint16"), standard=standard)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "an empty array has no element type"),
        ([[]], "an empty array has no element type"),
        (2**64, "does not fit in 64 bits"),
        ([-1, 2**63], "no integer type holds both -1 and 9223372036854775808"),
        (-1e39, "-1e+39 is too large for float32"),
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
        (["\udfff"], "unpaired surrogate"),
        (ENDLESS, "more than 128 deep"),
        *(
            (value, "GGUF cannot store")
            for value in (None, 1j, np.float16(1), np.ones(2, ml_dtypes.bfloat16), [None], [{}])
        ),
    ],
)
def test_values_that_no_type_holds(value: Any, message: str) -> None:
    with pytest.raises(TypeError if "GGUF cannot" in message else WriteError, match=re.escape(message)):
        encoded(value, "little")


MASKED = np.ma.array([1.0, 2.0], mask=[0, 1])


@pytest.mark.parametrize(
    "value",
    [
        MASKED,
        np.ma.masked,
        [[1.0], MASKED],
        [[[1.0, np.ma.masked]]],
        np.array([None, MASKED], object)[1:],
        Typed([MASKED], ValueType.FLOAT32),
        [Typed(MASKED, ValueType.FLOAT32)],
    ],
    ids=lambda value: " ".join(repr(value).split()),
)
def test_masked_arrays_are_refused(value: Any) -> None:
    """Their fill value, 1e20 or 999999, would be a wrong number."""
    is_nested = isinstance(value, list) and isinstance(value[0], list | Typed)
    known = array_of("array" if is_nested else "float32")
    for options in ({}, {"kept": known}, {"standard": (known,)}):
        with pytest.raises(WriteError, match=r"is a masked array: array.filled\(value\)"):
            encoded(value, "little", **options)
    if isinstance(value, np.ndarray):
        with pytest.raises(WriteError, match="is a masked array"):
            retyped(value, ValueType.INT8)


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
    assert {Typed(value, name).type for name in (type, type.name.lower(), int(type))} == {type}
