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


def between(one: Model, other: Model, **options: Any) -> Differences:
    return diff(kaitai_gguf.open(one.build()), kaitai_gguf.open(other.build()), **options)


def with_value(type: str, value: Any, **options: Any) -> Model:
    return Model([("k", type, value)], **options)


def with_tensor(data: bytes = bytes(128), **options: Any) -> Model:
    facts = {"name": "t", "dims": (32,), "type_id": F32, "offset": 0} | options
    return Model(tensors=[TensorSpec(**facts)], data=bytes(facts["offset"]) + data)


@given(models())
def test_a_model_is_the_same_as_itself(model: Model) -> None:
    found = between(model, model, values=True)
    assert not found
    assert (found.facts, found.keys, found.tensors) == ({}, (), ())


def test_quantized_data_in_the_other_byte_order() -> None:
    blocks = np.random.default_rng(0).integers(0, 256, 34 * 8, np.uint8)
    little = with_tensor(blocks.tobytes(), dims=(256,), type_id=Q8_0)
    big = with_tensor(byteswap(blocks, Q8_0).tobytes(), dims=(256,), type_id=Q8_0)
    big.byte_order = "big"
    assert not between(little, big)
    big.data = bytes([big.data[0] ^ 1]) + big.data[1:]
    assert between(little, big).tensors[0].changes == ("data",)


def test_a_split_model_differs_in_the_keys_that_say_so() -> None:
    shards = kaitai_gguf.open(MODELS / "split5-00002-of-00003.gguf")
    found = diff(kaitai_gguf.open(MODELS / "split-source.gguf"), shards)
    assert [each.key for each in found.keys] == ["split.no", "split.tensors.count", "split.count"]
    assert found.tensors == ()


def test_keys_and_tensors_that_came_and_went() -> None:
    one = Model([("a", "uint8", 1), ("b", "uint8", 1)], with_tensor(name="a").tensors, bytes(128))
    other = Model([("c", "uint8", 1), ("a", "uint8", 1)], with_tensor(name="b").tensors, bytes(128))
    found = between(one, other)
    assert [(each.key, each.before is None, each.after is None) for each in found.keys] == [
        ("b", False, True),
        ("c", True, False),
    ]
    assert [(each.name, each.before is None, each.changes) for each in found.tensors] == [
        ("a", False, ()),
        ("b", True, ()),
    ]


# Keys


@pytest.mark.parametrize(
    ("type", "one", "other"),
    [
        ("uint8", 1, 2),
        ("string", "a", "b"),
        ("string", "", "b"),
        ("bool", 0, 1),
        ("float32", 0.0, -0.0),
        ("int64", -1, 1),
    ],
)
def test_a_value_that_changed(type: str, one: Any, other: Any) -> None:
    (found,) = between(with_value(type, one), with_value(type, other)).keys
    assert (found.key, found.elements) == ("k", None)
    assert found.before is not None


def test_a_type_that_changed() -> None:
    (difference,) = between(with_value("uint32", 1), with_value("int32", 1)).keys
    assert difference.before is not None
    assert difference.before.value_type.name == "UINT32"
    assert between(with_value("array", Array("int8", [1])), with_value("array", Array("uint8", [1]))).keys
    assert between(with_value("array", Array("int8", [])), with_value("array", Array("uint8", []))).keys


def test_nan_is_nan_by_its_bits() -> None:
    assert not between(with_value("float64", math.nan), with_value("float64", math.nan))
    array = Array("float32", [math.nan, 1.0])
    assert not between(with_value("array", array), with_value("array", array, byte_order="big"))
    other = struct.unpack("<d", struct.pack("<Q", 0x7FF8000000000001))[0]
    assert between(with_value("float64", math.nan), with_value("float64", other))


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize(
    ("type", "changed"),
    [("int32", [0, 1, 2, 77, 4, 5, 6, 78, 8, 79, 80, 11]), ("string", ["0", "1", "2", "x", "4", "5", "6", "yy", "8"])],
)
def test_elements_are_counted_and_the_first_shown(type: str, changed: list[Any], byte_order: str) -> None:
    before = [convert(type, number) for number in range(10)]
    one = with_value("array", Array(type, before))
    other = with_value("array", Array(type, changed), byte_order=byte_order)
    (found,) = between(one, other).keys
    assert found.elements is not None
    common = min(len(before), len(changed))
    places = [i for i in range(common) if before[i] != changed[i]]
    assert found.elements.count == len(places) + abs(len(before) - len(changed))
    assert found.elements.lengths == (10, len(changed))
    assert found.elements.first == tuple((i, before[i], changed[i]) for i in places[:3])


def convert(type: str, number: int) -> Any:
    return number if type == "int32" else str(number)


def test_nested_arrays() -> None:
    def nested(*items: Array) -> Model:
        return with_value("array", Array("array", list(items)))

    one = nested(Array("int8", [1, 2]), Array("string", ["a"]), Array("array", [Array("float32", [math.nan])]))
    assert not between(one, one)
    assert not between(one, Model(one.metadata, byte_order="big"))
    for other, place in (
        (nested(Array("int8", [1, 3]), *one.metadata[0][2].items[1:]), 0),
        (nested(Array("uint8", [1, 2]), *one.metadata[0][2].items[1:]), 0),
        (nested(one.metadata[0][2].items[0], Array("string", ["b"]), one.metadata[0][2].items[2]), 1),
        (nested(*one.metadata[0][2].items[:2], Array("array", [Array("float32", [1.0])])), 2),
        (nested(*one.metadata[0][2].items[:2], Array("array", [])), 2),
    ):
        (found,) = between(one, other).keys
        assert found.elements is not None
        assert [found.elements.count, found.elements.first[0][0]] == [1, place]


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
    (found,) = between(with_tensor(), with_tensor(**options)).tensors
    assert (found.name, found.changes, found.errors) == ("t", changes, None)


def test_data_that_is_not_looked_at() -> None:
    assert not between(with_tensor(), with_tensor(b"\1" * 128), data=False)
    assert not between(with_tensor(), with_tensor(b""), data=False)
    with pytest.raises(MissingDataError, match="'t'"):
        between(with_tensor(), with_tensor(b""))


def test_a_type_that_is_not_known_is_not_compared() -> None:
    found = between(with_tensor(type_id=UNKNOWN), with_tensor(b"\1" * 128, type_id=UNKNOWN))
    assert (bool(found), found.not_compared) == (False, ("t",))


def test_large_tensors_are_compared_to_their_ends() -> None:
    size = (1 << 21) + 5
    one, other = (
        with_tensor(bytes(size), dims=(size,), type_id=I8),
        with_tensor(bytes(size - 1) + b"\1", dims=(size,), type_id=I8),
    )
    (found,) = between(one, other, values=True).tensors
    assert found.errors is not None
    assert (found.errors.differing, found.errors.max_abs) == (1, 1)


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
    (found,) = between(one, other, values=True).tensors
    assert found.errors is not None
    assert astuple(found.errors) == pytest.approx(errors)


def test_types_of_other_blocks() -> None:
    """The errors between F32 and Q8_0 equal those computed with `dequantize`."""
    numbers = np.random.default_rng(0).normal(size=(6, 256)).astype("<f4")
    blocks = kaitai_gguf.quantize(numbers, GGMLType.Q8_0)
    one = with_tensor(numbers.tobytes(), dims=(256, 6))
    other = with_tensor(blocks.tobytes(), dims=(256, 6), type_id=Q8_0)
    (found,) = between(one, other, values=True).tensors
    off = kaitai_gguf.dequantize(blocks, GGMLType.Q8_0).astype(np.float64) - numbers
    assert found.changes == ("type",)
    assert found.errors is not None
    assert found.errors.max_abs == np.abs(off).max()
    assert found.errors.relative == pytest.approx(np.linalg.norm(off) / np.linalg.norm(numbers.astype(np.float64)))


def test_other_shapes_have_no_errors() -> None:
    (found,) = between(with_tensor(), with_tensor(dims=(8, 4)), values=True).tensors
    assert found.errors is None
