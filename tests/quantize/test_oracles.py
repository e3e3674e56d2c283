"""Every type is quantized to the same bytes as in ggml."""

import ctypes
import sys
from collections.abc import Iterator
from pathlib import Path

import gguf.quants
import numpy as np
import pytest
from dequantize.oracles import assert_same, ggml, gguf_py_type, golden
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays
from numpy.typing import NDArray

from kaitai_gguf.dequantize import dequantize
from kaitai_gguf.quantize import quantize
from kaitai_gguf.quantize.k_quants import BY_ROW, K_QUANTS
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import GGMLType, block_size, type_size

IN_GGUF_PY = [type for type in KERNELS if type not in K_QUANTS and type.name not in ("F32", "Q1_0", "Q2_0", "NVFP4")]
WEIGHTED = [*BY_ROW, *K_QUANTS]
QUANTIZED = np.load(Path(__file__).parents[1] / "data" / "quantized.npz")
"""Three rows of float32 numbers and a row of importance, and the bytes that ggml quantizes from them."""
GREATEST = np.finfo(np.float32).max


def normal() -> Iterator[NDArray[np.float32]]:
    random = np.random.default_rng(0)
    for magnitude in (1e-6, 1e-2, 1, 100, 1e4):
        yield (random.standard_normal((16, 1024)) * magnitude).astype(np.float32)
    yield random.integers(-3, 4, (16, 1024)).astype(np.float32)
    yield (random.integers(-16, 17, (16, 1024)) / 2).astype(np.float32)
    yield np.zeros((1, 1024), np.float32)
    yield np.full((1, 1024), 0.1, np.float32)


def extreme() -> Iterator[NDArray[np.float32]]:
    """Yield numbers so small that 1 / d overflows or so large that d does, -0, and neighbors of powers of two."""
    random = np.random.default_rng(1)
    for magnitude in (1e-45, 1e-40, 3e-39, 1e-38, 1e-30, 1e20, 1e38):
        yield (random.standard_normal((16, 1024)) * magnitude).clip(-GREATEST, GREATEST).astype(np.float32)
    yield -np.zeros((1, 1024), np.float32)
    yield random.choice(np.array([0, -0.0, 1], np.float32), (16, 1024))
    yield (random.uniform(-1, 1, (4, 1024)) * GREATEST).astype(np.float32)
    for middle in (-5, 0, 5):  # constants, nearly; and numbers on both sides of the smallest scale that is not zero
        yield (middle + random.standard_normal((16, 1024)) * 1e-6).astype(np.float32)
    yield (random.standard_normal((16, 1024)) * 1e-15).astype(np.float32)
    yield np.repeat(random.standard_normal((16, 1)), 1024, axis=1).astype(np.float32)
    yield -np.abs(random.standard_normal((16, 1024))).astype(np.float32)
    sparse = random.standard_normal((16, 1024)) * np.where(random.random((16, 1024)) < 0.02, 1000, 0)
    yield (sparse * 10.0 ** random.integers(-20, 20, (16, 64)).repeat(16, axis=1)).astype(np.float32)
    bits = random.integers(0, 1 << 32, (64, 1024), dtype=np.uint32).view(np.float32)
    yield np.where(np.isfinite(bits), bits, 1)
    powers = np.resize(np.repeat(np.ldexp(np.float32(1), np.arange(-126, 128)), 32), (8, 1024))
    for distance in range(-12, 3):
        tops = (powers.view(np.int32) + distance).view(np.float32)
        yield tops * np.where(random.random(tops.shape) < 0.5, 1, random.uniform(-1, 1, tops.shape)).astype(np.float32)


def of_ggml(
    numbers: NDArray[np.float32], type: GGMLType, imatrix: NDArray[np.float32] | None = None
) -> NDArray[np.uint8]:
    rows, columns = numbers.shape
    blocks = np.zeros((rows, columns // block_size(type) * type_size(type)), np.uint8)
    function = ggml().ggml_quantize_chunk
    function.restype = ctypes.c_size_t
    int64, pointer = ctypes.c_int64, None if imatrix is None else imatrix.ctypes
    written = function(int(type), numbers.ctypes, blocks.ctypes, int64(0), int64(rows), int64(columns), pointer)
    assert written == blocks.size
    return blocks


@pytest.mark.parametrize("type", IN_GGUF_PY, ids=lambda type: type.name)
def test_as_gguf_py(type: GGMLType) -> None:
    known = gguf_py_type(type)
    assert known is not None
    for numbers in normal():
        with np.errstate(all="ignore"):
            expected = gguf.quants.quantize(numbers, known)
        # gguf-py writes in the byte order of the machine.
        found = quantize(numbers, type, byte_order=sys.byteorder)
        np.testing.assert_array_equal(found, expected.view(np.uint8))


@pytest.mark.parametrize("type", sorted(set(KERNELS) - {GGMLType.F32}), ids=lambda type: type.name)
@pytest.mark.parametrize("numbers", [normal, extreme], ids=["normal", "extreme"])
def test_as_ggml(type: GGMLType, numbers: object) -> None:
    assert callable(numbers)
    for array in numbers():
        np.testing.assert_array_equal(quantize(array, type), of_ggml(array, type))


@pytest.mark.parametrize("type", WEIGHTED, ids=lambda type: type.name)
@pytest.mark.parametrize("numbers", [normal, extreme], ids=["normal", "extreme"])
def test_with_importance_as_ggml(type: GGMLType, numbers: object) -> None:
    assert callable(numbers)
    imatrix = np.random.default_rng(2).gamma(1, 1, 1024).astype(np.float32)
    imatrix[::7] = 0
    for array in numbers():
        np.testing.assert_array_equal(quantize(array, type, imatrix=imatrix), of_ggml(array, type, imatrix))


@pytest.mark.parametrize("type", WEIGHTED, ids=lambda type: type.name)
@given(
    numbers=arrays(np.float32, (1, 256), elements=st.floats(width=32, allow_nan=False, allow_infinity=False)),
    imatrix=arrays(np.float32, 256, elements=st.floats(0, 1e6, width=32)) | st.none(),
)
def test_any_block_as_ggml(type: GGMLType, numbers: NDArray[np.float32], imatrix: NDArray[np.float32] | None) -> None:
    np.testing.assert_array_equal(quantize(numbers, type, imatrix=imatrix), of_ggml(numbers, type, imatrix))


@pytest.mark.parametrize("type", sorted(set(KERNELS) - {GGMLType.F32, GGMLType.F16, GGMLType.BF16}), ids=str)
def test_bytes_that_ggml_wrote(type: GGMLType) -> None:
    """As above, where ggml's library is missing."""
    numbers, imatrix = QUANTIZED["numbers"], QUANTIZED["imatrix"]
    np.testing.assert_array_equal(quantize(numbers, type), QUANTIZED[type.name])
    if type in WEIGHTED:
        np.testing.assert_array_equal(quantize(numbers, type, imatrix=imatrix), QUANTIZED[f"{type.name} imatrix"])


LOSSLESS = sorted(set(KERNELS) - {GGMLType.F32, GGMLType.Q1_0, GGMLType.NVFP4} - set(K_QUANTS))


@pytest.mark.parametrize("type", LOSSLESS, ids=lambda type: type.name)
def test_what_ggml_quantized_comes_back(type: GGMLType) -> None:
    """ggml quantized rows 0 to 3 of the golden vectors. Quantizing their values again does not change the values."""
    _, expected = golden(type)
    rows = expected[:4]
    assert_same(dequantize(quantize(rows, type), type) + 0, rows + 0)
