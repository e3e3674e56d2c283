"""The fixed tables that the IQ and FP4 types index: data of the format, kept in `codebooks.npz` beside this file.

| array | what it holds |
|---|---|
| `iq2xxs_grid`, `iq2xs_grid`, `iq2s_grid` | 256, 512, 1024 rows of 8 magnitudes (uint8), each row packed in a uint64 |
| `iq3xxs_grid`, `iq3s_grid` | 256, 512 rows of 4 magnitudes (uint8), each packed in a uint32 |
| `iq1s_grid` | 2048 rows of 8 numbers from -1, 0, 1 (int8), each packed in a uint64 |
| `ksigns_iq2xs` | the 128 bytes of eight signs that have an even number of minuses (set bit: minus) |
| `kvalues_iq4nl`, `kvalues_fp4` | what the 16 codes of a nibble stand for (int8); FP4's doubled, to be whole |

The first element of a row is in the lowest byte. Everything is loaded on first use and kept.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SIGNS", "grid", "nibble_pairs", "signs_of_7_bits", "spread_bits"]


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    with files(__package__).joinpath("codebooks.npz").open("rb") as file, np.load(file) as stored:
        return {name: stored[name] for name in stored.files}


def grid(name: str) -> NDArray[Any]:
    """A grid by its name, one unsigned number per row, little-endian."""
    numbers = _arrays()[name]
    return numbers.astype(numbers.dtype.newbyteorder("<"), copy=False)


def spread_bits(value: int, otherwise: int) -> NDArray[np.uint64]:
    """For each byte, its eight bits as eight bytes packed in a uint64: `value` where the bit is set."""
    bits = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little")
    return np.where(bits, np.uint8(value), np.uint8(otherwise)).view(np.uint64)[:, 0]


SIGNS = spread_bits(255, 0)
"""The signs in a byte, spread: 255 stands for minus."""


@cache
def signs_of_7_bits() -> NDArray[Any]:
    """The rows of `SIGNS` for signs stored in seven bits: the eighth makes the number of minuses even."""
    signs: NDArray[Any] = SIGNS[_arrays()["ksigns_iq2xs"]]
    return signs


@cache
def nibble_pairs(name: str) -> NDArray[np.uint16]:
    """What two nibbles stand for, indexed by two bytes that hold a nibble each and were read as one uint16.

    An entry is two int8 packed in a uint16: one look-up gives two elements.
    """
    codes = np.arange(0x0F0F + 1, dtype=np.uint16).view(np.uint8) & 0x0F
    pairs: NDArray[np.uint16] = grid(name)[codes].view(np.uint16)
    return pairs
