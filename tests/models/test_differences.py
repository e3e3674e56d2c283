"""Differences between two models."""

import math
import struct
from dataclasses import astuple
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.gguf_bytes import Array, Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import Differences, GGMLType, MissingDataError, byteswap, diff

MODELS = Path(__file__).parents[1] / "data" / "models"
F32, F16, Q8_0, I8, UNKNOWN = 0, 1, 8, 24, 77
OTHER_NAN = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0]


def between(one: Model, other: Model, **options: Any) -> Differences:
    return diff(kaitai_gguf.open(one.build()), kaitai_gguf.open(other.build()), **options)


def with_value(type: str, value: Any, **options: Any) -> Model:
    return Model([("k", type, value)], **options)


def with_tensor(data: bytes = bytes(128), **options: Any) -> Model:
    facts = {"name": "t", "dims": (32,), "type_id": F32, "offset": 0} | options
    return Model(tensors=[TensorSpec(**facts)], data=bytes(facts["offset"]) + data)


@given(models())
def test_a_model_is_the_same_as_itself(model: Model) -> None:
    result = between(model, model, values=True)
    assert not result
    assert (result.facts, result.keys, result.tensors) == ({}, (), ())


def test_quantized_data_in_the_other_byte_order() -> None:
    blocks = np.random.default_rng(0).integers(0, 256, 34 * 8, np.uint8)
    little = with_tensor(blocks.tobytes(), dims=(256,), type_id=Q8_0)
    big = with_tensor(byteswap(blocks, Q8_0).tobytes(), dims=(256,), type_id=Q8_0)
    big.byte_order = "big"
    assert not between(little, big)
    big.data = bytes([big.data[0] ^ 1]) + big.data[1:]
    assert between(little, big).tensors[0].changes == ("data",)


def test_keys_and_tensors_that_were_removed_and_added() -> None:
    one = Model([("a", "uint8", 1), ("b", "uint8", 1)], with_tensor(name="a").tensors, bytes(128))
    other = Model([("c", "uint8", 1), ("a", "uint8", 1)], with_tensor(name="b").tensors, bytes(128))
    result = between(one, other)
    keys = [(each.key, each.before is None, each.after is None) for each in result.keys]
    assert keys == [("b", False, True), ("c", True, False)]
    tensors = [(each.name, each.before is None, each.changes) for each in result.tensors]
    assert tensors == [("a", False, ()), ("b", True, ())]


# Keys


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("uint8", 1), ("uint8", 2)),
        (("uint32", 1), ("int32", 1)),
        (("string", ""), ("string", "b")),
        (("bool", 0), ("bool", 1)),
        (("float32", 0.0), ("float32", -0.0)),
        (("float64", math.nan), ("float64", OTHER_NAN)),
        (("array", Array("int8", [])), ("array", Array("uint8", []))),
    ],
)
def test_a_type_or_a_value_that_changed(one: tuple[str, Any], other: tuple[str, Any]) -> None:
    (change,) = between(with_value(*one), with_value(*other)).keys
    assert (change.key, change.elements) == ("k", None)
    assert change.before is not None
    assert change.after is not None
    assert not between(with_value(*one), with_value(*one, byte_order="big"))


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("type", ["int32", "string"])
@pytest.mark.parametrize(
    ("changed", "count", "first"),
    [([0, 1, 2, 77, 4, 5, 6, 78, 8, 79, 80, 11], 5, [3, 7, 9]), ([0, 1, 2, 77, 4, 5, 6, 78, 8], 3, [3, 7])],
)
def test_elements_are_counted_and_the_first_shown(
    changed: list[Any], count: int, first: list[int], type: str, byte_order: str
) -> None:
    before: list[Any] = list(range(10))
    if type == "string":
        before, changed = [str(each) for each in before], [str(each) for each in changed]
    one = with_value("array", Array(type, before))
    (change,) = between(one, with_value("array", Array(type, changed), byte_order=byte_order)).keys
    assert change.elements is not None
    assert (change.elements.count, change.elements.lengths) == (count, (10, len(changed)))
    assert change.elements.first == tuple((i, before[i], changed[i]) for i in first)


def test_nested_arrays() -> None:
    def nested(*items: Array) -> Model:
        return with_value("array", Array("array", list(items)))

    items = [Array("int8", [1, 2]), Array("string", ["a"]), Array("array", [Array("float32", [math.nan])])]
    assert not between(nested(*items), nested(*items))
    assert not between(nested(*items), Model(nested(*items).metadata, byte_order="big"))
    for place, item in [
        (0, Array("int8", [1, 3])),
        (0, Array("uint8", [1, 2])),
        (1, Array("string", ["b"])),
        (2, Array("array", [Array("float32", [1.0])])),
        (2, Array("array", [])),
    ]:
        (change,) = between(nested(*items), nested(*items[:place], item, *items[place + 1 :])).keys
        assert change.elements is not None
        assert (change.elements.count, change.elements.first[0][0]) == (1, place)


# Tensors


@pytest.mark.parametrize(
    ("options", "changes"),
    [
        ({"type_id": F16}, ("type",)),
        ({"dims": (16, 2)}, ("dims",)),
        ({"offset": 64}, ("offset",)),
        ({"data": bytes(127) + b"\1"}, ("data",)),
        ({"data": bytes(127) + b"\1", "offset": 32}, ("offset", "data")),
        ({"type_id": F16, "dims": (16,), "offset": 32}, ("type", "dims", "offset")),
    ],
)
def test_a_tensor_that_changed(options: dict[str, Any], changes: tuple[str, ...]) -> None:
    (change,) = between(with_tensor(), with_tensor(**options), values="data" not in options).tensors
    assert (change.name, change.changes) == ("t", changes)
    assert (change.errors is None) == (changes != ("type",))  # other shapes have none


def test_data_that_is_not_compared() -> None:
    assert not between(with_tensor(), with_tensor(b""), data=False)
    with pytest.raises(MissingDataError, match="'t'"):
        between(with_tensor(), with_tensor(b""))
    result = between(with_tensor(type_id=UNKNOWN), with_tensor(b"\1" * 128, type_id=UNKNOWN))
    assert (bool(result), result.not_compared) == (False, ("t",))


def test_large_tensors_are_compared_to_their_ends() -> None:
    size = (1 << 21) + 5
    one, other = (with_tensor(bytes(size - 1) + last, dims=(size,), type_id=I8) for last in (b"\0", b"\1"))
    (change,) = between(one, other, values=True).tensors
    assert change.errors is not None
    assert (change.errors.differing, change.errors.max_abs) == (1, 1)


# Values


@pytest.mark.parametrize(
    ("before", "after", "errors"),
    [
        ([3, 4, 0], [3, 5, -0.5], (2, 0, 1.0, math.sqrt(1.25) / 5)),
        ([math.nan, math.inf, 1, 1, math.inf], [math.nan, -math.inf, math.nan, 3, math.inf], (3, 2, 2.0, 2.0)),
        ([0], [1], (1, 0, 1.0, math.inf)),
    ],
    ids=["finite", "not finite", "from zero"],
)
def test_errors_of_numbers(before: list[float], after: list[float], errors: tuple[float, ...]) -> None:
    one, other = (with_tensor(np.array(row + [0] * (32 - len(row)), "<f4").tobytes()) for row in (before, after))
    (change,) = between(one, other, values=True).tensors
    assert change.errors is not None
    assert astuple(change.errors) == pytest.approx(errors)


def test_types_of_other_blocks() -> None:
    """The errors between F32 and Q8_0 equal those computed with `dequantize`."""
    numbers = np.random.default_rng(0).normal(size=(6, 256)).astype("<f4")
    blocks = kaitai_gguf.quantize(numbers, GGMLType.Q8_0)
    one = with_tensor(numbers.tobytes(), dims=(256, 6))
    other = with_tensor(blocks.tobytes(), dims=(256, 6), type_id=Q8_0)
    (change,) = between(one, other, values=True).tensors
    off = kaitai_gguf.dequantize(blocks, GGMLType.Q8_0).astype(np.float64) - numbers
    assert change.changes == ("type",)
    assert change.errors is not None
    assert change.errors.max_abs == np.abs(off).max()
    assert change.errors.relative == pytest.approx(np.linalg.norm(off) / np.linalg.norm(numbers.astype(np.float64)))
