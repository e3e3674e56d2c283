"""The fixed tables that the IQ and FP4 types index: data of the format, kept in `codebooks.npz` beside this file.

| array | contents |
|---|---|
| `iq2xxs_grid`, `iq2xs_grid`, `iq2s_grid` | 256, 512, 1024 rows of 8 magnitudes (uint8), each row packed in a uint64 |
| `iq3xxs_grid`, `iq3s_grid` | 256, 512 rows of 4 magnitudes (uint8), each packed in a uint32 |
| `iq1s_grid` | 2048 rows of 8 numbers from -1, 0, 1 (int8), each packed in a uint64 |
| `ksigns_iq2xs` | the 128 bytes of eight signs that have an even number of minuses (set bit: minus) |
| `kvalues_iq4nl`, `kvalues_fp4` | the values of the 16 codes of a nibble (int8); those of FP4 doubled, to be integers |

The first element of a row is in the lowest byte. Everything is loaded on first use and kept.
"""

from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
from numpy.typing import NDArray


@cache
def _arrays() -> dict[str, NDArray[Any]]:
    with files(__package__).joinpath("codebooks.npz").open("rb") as file, np.load(file) as stored:
        return {name: stored[name] for name in stored.files}


def rows(name: str) -> NDArray[np.int8]:
    """Return a grid: (rows, elements of a row)."""
    numbers = _arrays()[name]
    packed = numbers.astype(numbers.dtype.newbyteorder("<"), copy=False)
    return packed.view(np.int8).reshape(len(packed), -1)


def values(name: str) -> NDArray[np.int8]:
    """Return the 16 values of a nibble."""
    return rows(name)[:, 0]


def signs_of_7_bits() -> NDArray[np.uint8]:
    """Return, for each code of seven bits, eight signs as a byte: the eighth makes the number of minuses even."""
    return rows("ksigns_iq2xs")[:, 0].view(np.uint8)


@cache
def e8m0() -> NDArray[np.float32]:
    """Return half of the scale that each byte of MXFP4 encodes: 2^(byte - 128)."""
    return np.ldexp(np.float64(1), np.arange(256) - 128).astype(np.float32)


@cache
def ue4m3() -> NDArray[np.float32]:
    """Return half of the scale that each byte of NVFP4 encodes.

    The format is e4m3 without its sign bit: exponent e in bits 3-6, mantissa m in bits 0-2, value
    2^(e - 7) × (1 + m / 8), or m / 512 for e = 0. The byte 0x7F is 0, not NaN.
    """
    byte = np.arange(256)
    exponent, mantissa = byte >> 3 & 15, byte & 7
    scales = np.where(exponent == 0, np.ldexp(mantissa, -10), np.ldexp(8 + mantissa, exponent - 11))
    scales[0x7F] = 0
    return np.asarray(scales, np.float32)
