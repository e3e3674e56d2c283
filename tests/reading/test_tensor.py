"""A tensor as a numpy array: attributes, and single rows."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGMLType, Tensor, UnknownTypeError

SHAPES = [(64,), (5, 64), (3, 2, 64), (2, 1, 3, 32)]
TYPES = [GGMLType.F32, GGMLType.BF16, GGMLType.I16, GGMLType.Q8_0, GGMLType.Q4_1]


def tensor(shape: tuple[int, ...], type: GGMLType, byte_order: str = "little") -> Tensor:
    spec = TensorSpec("t", shape[::-1], type, 0)
    numbers = np.random.default_rng(1).integers(0, 60, 8 * int(np.prod(shape)), np.uint8)  # too small for NaN
    return kaitai_gguf.open(Model([], [spec], numbers.tobytes(), byte_order=byte_order).build()).tensors["t"]


def same(one: Any, other: Any) -> bool:
    one, other = np.asarray(one), np.asarray(other)
    return one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes()


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.name)
def test_attributes_are_those_of_the_array(type: GGMLType, shape: tuple[int, ...], byte_order: str) -> None:
    one = tensor(shape, type, byte_order)
    array = np.asarray(one)
    assert (one.dtype, one.shape, one.ndim, one.size, len(one)) == (
        array.dtype, array.shape, array.ndim, array.size, len(array)
    )  # fmt: skip
    assert same(list(one), list(array))


@given(st.sampled_from(TYPES), st.sampled_from(SHAPES), st.sampled_from(["little", "big"]), st.data())
def test_rows_are_those_of_the_array(type: GGMLType, shape: tuple[int, ...], byte_order: str, data: Any) -> None:
    one = tensor(shape, type, byte_order)
    array = np.asarray(one)
    index = data.draw(st.integers(-len(one), len(one) - 1) | st.slices(len(one)))
    assert same(one[index], array[index])


@pytest.mark.parametrize("index", [slice(1, 2, -1), slice(2, 1), slice(5, 9), slice(2, 5, -2)])
@pytest.mark.parametrize("type", [GGMLType.F32, GGMLType.Q8_0], ids=lambda type: type.name)
def test_a_slice_of_nothing(type: GGMLType, index: slice) -> None:
    one = tensor((3, 2, 64), type)
    assert same(one[index], np.asarray(one)[index])
    assert one[index].shape == (0, 2, 64)


def test_a_row_reads_only_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    one = tensor((3, 2, 64), GGMLType.Q8_0)
    asked = []
    monkeypatch.setattr(Tensor, "dequantize", lambda self, *, rows: asked.append(rows) or np.zeros((2, 64)))
    _ = one[1], one[-1]
    assert asked == [slice(2, 4), slice(4, 6)]


@pytest.mark.parametrize("type", [GGMLType.F32, GGMLType.Q8_0], ids=lambda type: type.name)
def test_what_is_no_index(type: GGMLType) -> None:
    one = tensor((5, 64), type)
    for index in [5, -6]:
        with pytest.raises(IndexError, match=f"tensor 't': index {index} is out of range for a first axis of length 5"):
            one[index]
    for wrong in [(0, 0), ..., None, "a", 1.0, np.array([1, 2])]:
        with pytest.raises(
            TypeError, match=r"an integer or a slice of the first axis; for others, use np.asarray\(tensor\)"
        ):
            one[wrong]  # type: ignore[index]


def test_a_tensor_without_axes_has_no_length() -> None:
    one = tensor((), GGMLType.F32)
    assert (one.ndim, one.size, bool(one)) == (0, 1, True)
    for use in (len, list, lambda each: each[0], lambda each: each[:1]):
        with pytest.raises(TypeError, match="tensor 't' has no axes"):
            use(one)


def test_an_unknown_type_has_no_dtype() -> None:
    with pytest.raises(UnknownTypeError, match="type 4"):
        _ = tensor((2,), 4).dtype  # type: ignore[arg-type]
