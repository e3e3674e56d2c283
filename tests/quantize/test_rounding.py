"""Rounding the way C does it."""

import math

import numpy as np
from hypothesis import given, strategies as st

from kaitai_gguf.quantize.kernels import inverse, round_half_away, truncate


@given(st.floats(-1e6, 1e6, width=32) | st.integers(-100, 100).map(lambda number: number / 2))
def test_round_half_away_and_truncate(number: float) -> None:
    for near in (np.float32(number), np.nextafter(np.float32(number), np.float32(0))):
        expected = math.copysign(math.floor(abs(float(near)) + 0.5), near)  # exact in double precision
        assert round_half_away(np.array([near]))[0] == expected
        assert truncate(np.array([near]))[0] == math.trunc(float(near))


def test_what_is_not_finite_and_the_inverse_of_zero_are_zero() -> None:
    wrong = np.array([np.inf, -np.inf, np.nan], np.float32)
    assert truncate(wrong).tolist() == [0, 0, 0]
    assert round_half_away(wrong).tolist() == [0, 0, 0]
    assert inverse(np.array([0, -0.0, 4, -0.5], np.float32)).tolist() == [0, 0, 0.25, -2]
