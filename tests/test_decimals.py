"""float32 as decimals."""

from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, strategies as st

from kaitai_gguf.decimals import shortest


@given(st.floats(width=32, allow_nan=False))
def test_the_decimal_reads_back_as_the_same_number_and_has_at_most_nine_digits(value: float) -> None:
    decimal = shortest(np.float32(value))
    assert np.float32(decimal) == np.float32(value)
    assert np.isinf(value) or len(Decimal(repr(decimal)).normalize().as_tuple().digits) <= 9


@pytest.mark.parametrize("value", [0.1, 0.33333334, 1e-45, 3.4028235e38, 16777216.0, -0.0])
def test_known_numbers(value: float) -> None:
    assert repr(shortest(np.float32(value))) == repr(value)
