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

__all__ = ["SIGNS", "rows", "signs_of_7_bits", "spread_bits"]


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    with files(__package__).joinpath("codebooks.npz").open("rb") as file, np.load(file) as stored:
        return {name: stored[name] for name in stored.files}


def rows(name: str) -> NDArray[np.int8]:
    """A table by its name: (rows, elements of a row)."""
    numbers = _arrays()[name]
    packed = numbers.astype(numbers.dtype.newbyteorder("<"), copy=False)
    return packed.view(np.int8).reshape(len(packed), -1)


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
