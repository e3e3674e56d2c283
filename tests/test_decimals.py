"""float32 as decimals: numpy is the oracle."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from kaitai_gguf.decimals import all_shortest, shortest

EDGES = [0, 1, 0.1, 1e-4, 1e-5, 9.9999e-5, 123456789, 1e15, 1e16, 3.4e38, 1e-45, 1.1754944e-38, np.nan, np.inf]
POWERS = np.concatenate([np.ldexp(np.float32(1), np.arange(-149, 128)), 10.0 ** np.arange(-45, 39)])
WHOLE = np.concatenate([np.arange(100_000), np.arange((1 << 24) - 50_000, (1 << 24) + 50_000)])


def same(values: np.ndarray[Any, np.dtype[np.float32]]) -> None:
    expected = [float(str(value)) for value in values]
    assert list(map(repr, all_shortest(values))) == list(map(repr, expected))


@given(arrays(np.uint32, st.integers(0, 40)))
def test_any_bits(bits: np.ndarray[Any, np.dtype[np.uint32]]) -> None:
    same(bits.view(np.float32))


@pytest.mark.filterwarnings("error")
def test_many_bits() -> None:
    same(np.random.default_rng(0).integers(0, 1 << 32, 300_000, dtype=np.uint32).view(np.float32))


def decimals(digits: int) -> np.ndarray[Any, Any]:
    rng = np.random.default_rng(digits)
    exponents = rng.integers(-45, 38, 20_000) - digits + 1
    return np.array([float(f"{m}e{e}") for m, e in zip(rng.integers(1, 10**digits, 20_000), exponents, strict=True)])


@pytest.mark.parametrize("numbers", [*map(decimals, range(1, 10)), POWERS, -POWERS, WHOLE, WHOLE / 2, WHOLE / 1024])
def test_numbers_and_their_neighbors(numbers: np.ndarray[Any, Any]) -> None:
    values = numbers.astype(np.float32)
    same(np.concatenate([values, *(np.nextafter(values, np.float32(to)) for to in (0, np.inf))]))


@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_byte_orders_and_edges(dtype: str) -> None:
    same(np.array([*EDGES, *(-value for value in EDGES)], dtype))
    assert all_shortest(np.array([], dtype)) == []


def test_one_number() -> None:
    assert [shortest(np.float32(value)) for value in (0.1, 1 / 3, 1e-45)] == [0.1, 0.33333334, 1e-45]
