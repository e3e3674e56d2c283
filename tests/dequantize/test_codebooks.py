"""The codebooks equal ggml's."""

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
    minuses = np.unpackbits(codebooks.signs_of_7_bits()[:, None], axis=1, bitorder="little")
    np.testing.assert_array_equal((minuses * np.uint8(255)).view(np.uint64)[:, 0], STORED["ksigns64"])
