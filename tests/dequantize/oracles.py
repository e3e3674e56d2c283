"""Oracles: vectors made by ggml, gguf-py, and ggml's own library if it is installed."""

import ctypes
import importlib.util
import os
from functools import cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from numpy.typing import NDArray

from kaitai_gguf.types import GGMLType, block_size, type_size

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
TYPES = sorted(GGMLType[path.stem] for path in GOLDEN.glob("*.npz") if path.stem != "CODEBOOKS")
"""The types that there are vectors for."""

PLAIN = [GGMLType[name] for name in ("F32", "F16", "BF16", "F64", "I8", "I16", "I32", "I64")]


@cache
def golden(type: GGMLType) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Return eight rows of blocks, of 1024 elements each, and the values that ggml dequantizes from them."""
    with np.load(GOLDEN / f"{type.name}.npz") as stored:
        return stored["raw"], stored["expected"].astype(np.float32)


def assert_same(found: NDArray[Any], expected: NDArray[Any]) -> None:
    """Assert that two arrays are equal bit for bit, except that NaNs may have different bits."""
    assert found.dtype == expected.dtype
    assert found.shape == expected.shape
    nan = np.isnan(expected)
    np.testing.assert_array_equal(np.isnan(found), nan)
    words = np.dtype(f"u{expected.dtype.itemsize}")
    np.testing.assert_array_equal(found.view(words)[~nan], expected.view(words)[~nan])


def random_blocks(type: GGMLType, rows: int, per_row: int, seed: int = 0) -> NDArray[np.uint8]:
    """Return rows of random bytes, whose scales may be infinite or NaN."""
    return np.random.default_rng(seed).integers(0, 256, (rows, per_row * type_size(type)), dtype=np.uint8)


def gguf_py_type(type: GGMLType) -> gguf.GGMLQuantizationType | None:
    """Return gguf-py's member for a type, or None if gguf-py lacks it or has other sizes than ggml."""
    sizes = block_size(type), type_size(type)
    return next(
        (each for each in gguf.GGMLQuantizationType if each == type and gguf.GGML_QUANT_SIZES[each] == sizes), None
    )


@cache
def ggml() -> ctypes.CDLL:
    """Load ggml's library from KAITAI_GGUF_LIBGGML or llama-cpp-python. Skip the test if there is neither."""
    path = os.environ.get("KAITAI_GGUF_LIBGGML")
    if path is None:
        spec = importlib.util.find_spec("llama_cpp")
        folders = list(spec.submodule_search_locations or []) if spec else []
        found = [str(file) for folder in folders for file in Path(folder, "lib").glob("*ggml-base*")]
        path = next(iter(sorted(found)), None)
    if path is None:
        pytest.skip("needs libggml-base: install llama-cpp-python, or set KAITAI_GGUF_LIBGGML to its path")
    return ctypes.CDLL(path)
