"""The codebooks equal ggml's, and the tables that are derived from them are consistent."""

import numpy as np
import pytest

from dequantize.oracles import GOLDEN
from kaitai_gguf.dequantize import codebooks

STORED = np.load(GOLDEN / "CODEBOOKS.npz")


@pytest.mark.parametrize(
    "name",
    ["iq2xxs_grid", "iq2xs_grid", "iq2s_grid", "iq3xxs_grid", "iq3s_grid", "iq1s_grid", "kvalues_iq4nl", "kvalues_fp4"],
)
def test_are_those_of_ggml(name: str) -> None:
    np.testing.assert_array_equal(codebooks.rows(name).reshape(-1).view(STORED[name].dtype), STORED[name])


def test_signs_of_seven_bits() -> None:
    np.testing.assert_array_equal(codebooks.signs_of_7_bits(), STORED["ksigns64"])
    minuses = [bin(int(code)).count("1") for code in STORED["ksigns_iq2xs"]]
    assert all(count % 2 == 0 for count in minuses)


def test_signs_of_a_byte() -> None:
    for code in (0, 1, 0x80, 0xA5, 0xFF):
        expected = [255 * (code >> bit & 1) for bit in range(8)]
        assert codebooks.SIGNS[code : code + 1].view(np.uint8).tolist() == expected
