"""float32 as decimals: numpy is the oracle."""

from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra.numpy import arrays

from kaitai_gguf.decimals import all_shortest, shortest

Floats = np.ndarray[Any, np.dtype[np.float32]]

EDGES = [0, 1, 0.1, 1e-4, 1e-5, 9.9999e-5, 123456789, 1e15, 1e16, 3.4e38, 1e-45, 1.1754944e-38, np.nan, np.inf]


def same(values: Floats) -> None:
    expected = [float(str(value)) for value in values]
    assert list(map(repr, all_shortest(values))) == list(map(repr, expected))


@given(arrays(np.uint32, st.integers(0, 40)))
def test_any_bits(bits: np.ndarray[Any, np.dtype[np.uint32]]) -> None:
    same(bits.view(np.float32))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", range(3))
def test_many_bits(seed: int) -> None:
    same(np.random.default_rng(seed).integers(0, 1 << 32, 100_000, dtype=np.uint32).view(np.float32))


@pytest.mark.parametrize("digits", range(1, 10))
def test_decimals_of_so_many_digits(digits: int) -> None:
    """The hard ones are those close to such a decimal: the neighbors of the float32 that is nearest to it."""
    rng = np.random.default_rng(digits)
    exponents = rng.integers(-45, 38, 20_000) - digits + 1
    nearest = np.array([float(f"{m}e{e}") for m, e in zip(rng.integers(1, 10**digits, 20_000), exponents, strict=True)])
    values = nearest.astype(np.float32)
    same(np.concatenate([values, np.nextafter(values, np.float32(0)), np.nextafter(values, np.float32(np.inf))]))


def test_powers() -> None:
    """Of two and of ten, and what is next to them."""
    powers = np.concatenate([np.ldexp(np.float32(1), np.arange(-149, 128)), 10.0 ** np.arange(-45, 39)])
    values = powers.astype(np.float32)
    same(np.concatenate([values, -values, *(np.nextafter(values, np.float32(to)) for to in (0, np.inf))]))


def test_halves_and_integers() -> None:
    whole = np.concatenate([np.arange(100_000), np.arange((1 << 24) - 50_000, (1 << 24) + 50_000)])
    same(whole.astype(np.float32))
    same((whole / 2).astype(np.float32))
    same((whole / 1024).astype(np.float32))


@pytest.mark.parametrize("dtype", ["<f4", ">f4"])
def test_byte_orders_and_edges(dtype: str) -> None:
    same(np.array([*EDGES, *(-value for value in EDGES)], dtype))
    assert all_shortest(np.array([], dtype)) == []


def test_one_number() -> None:
    assert [shortest(np.float32(value)) for value in (0.1, 1 / 3, 1e-45)] == [0.1, 0.33333334, 1e-45]
