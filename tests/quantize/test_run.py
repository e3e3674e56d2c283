"""`quantize`: shapes, dtypes, byte order, and refusals."""

from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st
from numpy.typing import NDArray

from kaitai_gguf import byteswap
from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.errors import GGUFError
from kaitai_gguf.quantize import quantize, run
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import GGMLType, block_size, type_size

Q4_0, Q8_0, F32 = GGMLType.Q4_0, GGMLType.Q8_0, GGMLType.F32

ONES = np.ones(256, np.float32)


def normal(*shape: int) -> NDArray[np.float32]:
    return np.random.default_rng(0).standard_normal(shape).astype(np.float32)


@pytest.mark.parametrize("type", KERNELS, ids=lambda type: type.name)
def test_chunks_and_byte_order(type: GGMLType, monkeypatch: pytest.MonkeyPatch) -> None:
    numbers = normal(7, 768)
    numbers.flags.writeable = False
    expected = quantize(numbers, type)
    monkeypatch.setattr(run, "_CHUNK", 1024)
    monkeypatch.setattr(run, "_CHUNK_OF_THREADS", 1024)
    np.testing.assert_array_equal(quantize(numbers, type), expected)
    np.testing.assert_array_equal(quantize(numbers, type, byte_order="big"), byteswap(expected, type))


@given(shape=st.lists(st.integers(0, 4), min_size=1, max_size=4), type=st.sampled_from(list(KERNELS)))
def test_each_row_of_elements_is_a_row_of_blocks(shape: list[int], type: GGMLType) -> None:
    *outer, per_row = shape
    numbers = np.ones((*outer, per_row * block_size(type)), np.float32)
    result = quantize(numbers, type)
    assert result.shape == (*outer, per_row * type_size(type))
    assert result.dtype == np.uint8
    np.testing.assert_allclose(dequantize(result, type), numbers, rtol=0.04)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("type", [F32, GGMLType.F16, Q8_0])
def test_other_floats_and_layouts(type: GGMLType) -> None:
    """All floats are converted to float32 before the kernel, so three types suffice."""
    numbers = normal(64, 64)
    others = [numbers.astype(dtype) for dtype in (np.float16, np.float64, ml_dtypes.bfloat16, ">f4")]
    for other in (*others, numbers.T, numbers[:, ::-1], numbers.view(np.matrix)):
        expected = quantize(np.array(other, np.float32, order="C"), type)
        np.testing.assert_array_equal(quantize(other, type), expected)


@pytest.mark.parametrize("type", [Q4_0, GGMLType.Q4_K, Q8_0])
def test_each_matrix_has_its_own_importance(type: GGMLType, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(run, "_CHUNK", 1024)
    monkeypatch.setattr(run, "_CHUNK_OF_THREADS", 1024)
    numbers, imatrix = normal(2, 3, 512), np.abs(normal(2, 512)) * np.linspace(0, 9, 512)
    expected = [quantize(matrix, type, imatrix=row) for matrix, row in zip(numbers, imatrix, strict=True)]
    np.testing.assert_array_equal(quantize(numbers, type, imatrix=imatrix, threads=3), expected)
    assert np.array_equal(expected, quantize(numbers, type)) == (type is Q8_0)


class TestRefusals:
    @pytest.mark.parametrize("number", [np.inf, -np.inf, np.nan])
    def test_names_the_place_of_what_is_not_finite(self, number: float, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(run, "_CHUNK", 64)
        numbers = np.ones((2, 3, 64), np.float32)
        numbers[1, 2, 41] = number
        for type in (Q4_0, F32, GGMLType.F16):
            with pytest.raises(GGUFError, match=f"{number} at row 5, column 41: only finite numbers"):
                quantize(numbers, type)

    @pytest.mark.parametrize(
        ("error", "message", "array", "type"),
        [
            (GGUFError, "inf at row 0, column 1", np.array([1, 1e39]), F32),
            (GGUFError, "row length 33 is not a multiple of the Q4_0 block size 32", ONES[:33], Q4_0),
            (GGUFError, "array must have at least one axis", np.array(1.0), F32),
            (GGUFError, "can't quantize to IQ4_XS, only to F32, F16, BF16, Q4_0", ONES, GGMLType.IQ4_XS),
            (GGUFError, "type 99 is unknown to this version", ONES, 99),
            (TypeError, "array must be a numpy array, not list", [1.0], F32),
            (TypeError, "array must be of floats, not int64", ONES.astype(np.int64), Q4_0),
            (TypeError, "expected a GGMLType, or the name or number of one, not None", ONES, None),
            (TypeError, r"array is a masked array: array.filled\(value\)", np.ma.zeros((1, 32), np.float32), Q8_0),
        ],
    )
    def test_arguments(self, error: type[Exception], message: str, array: Any, type: Any) -> None:
        with pytest.raises(error, match=message):
            quantize(array, type)

    @pytest.mark.parametrize(
        ("error", "message", "imatrix"),
        [
            (
                GGUFError,
                r"imatrix has shape \(3,\), expected \(64,\) or \(2, 64\) for an array of shape \(2, 3, 64\)",
                [1] * 3,
            ),
            (GGUFError, r"imatrix has nan at \(1,\): weights must be finite and not negative", [0, np.nan] * 32),
            (GGUFError, r"imatrix has -1 at \(0,\)", [-1] * 64),
            (TypeError, "imatrix must be an array of numbers, not of <U1", ["x"] * 64),
        ],
    )
    def test_importance(self, error: type[Exception], message: str, imatrix: Any) -> None:
        with pytest.raises(error, match=message):
            quantize(np.ones((2, 3, 64)), Q4_0, imatrix=imatrix)

    def test_byte_order(self) -> None:
        with pytest.raises(ValueError, match="byte_order must be 'little' or 'big', not 'middle'"):
            quantize(ONES, Q4_0, byte_order="middle")  # type: ignore[arg-type]
