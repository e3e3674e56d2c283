"""Rounding the way C does it."""

import math

import numpy as np
from hypothesis import given, strategies as st

from kaitai_gguf.quantize.kernels import inverse, round_half_away, truncate

numbers = st.floats(-1e6, 1e6, width=32)


@given(numbers)
def test_round_half_away(number: float) -> None:
    expected = math.copysign(math.floor(abs(number) + 0.5), number)  # exact in double precision
    assert round_half_away(np.array([number], np.float32))[0] == expected


def test_halves_and_their_neighbours() -> None:
    halves = np.array([0.5, 1.5, 2.5, -0.5, -2.5], np.float32)
    assert round_half_away(halves).tolist() == [1, 2, 3, -1, -3]
    assert round_half_away(np.nextafter(halves, np.float32(0))).tolist() == [0, 1, 2, 0, -2]


@given(numbers)
def test_truncate(number: float) -> None:
    assert truncate(np.array([number], np.float32))[0] == math.trunc(number)


def test_what_is_not_finite_is_zero() -> None:
    wrong = np.array([np.inf, -np.inf, np.nan], np.float32)
    assert truncate(wrong).tolist() == [0, 0, 0]
    assert round_half_away(wrong).tolist() == [0, 0, 0]


def test_inverse_of_zero_is_zero() -> None:
    assert inverse(np.array([0, -0.0, 4, -0.5], np.float32)).tolist() == [0, 0, 0.25, -2]
