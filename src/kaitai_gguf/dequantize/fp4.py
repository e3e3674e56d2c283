"""The types of 4-bit floats (e2m1): a block is a run of nibbles and a small float as scale.

| type | block | element |
|---|---|---|
| MXFP4 | 32 | 2^(e - 127) × v / 2, one scale for the block |
| NVFP4 | 64 | ue4m3(d) × v / 2, one scale for each 16 elements |

v is twice the e2m1 number of a nibble, from the codebook `kvalues_fp4`. Nibbles are in groups of 16 bytes (MXFP4) or
8 bytes (NVFP4), see `scratch.unpack`. The scales come from tables of 256 entries that hold the half already.

ue4m3 is e4m3 of which the sign bit is not looked at: exponent e in bits 3-6, mantissa m in bits 0-2, value
2^(e - 7) × (1 + m / 8), or m / 512 for e = 0. The byte 0x7F is 0, not NaN.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import nibble_pairs
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up, scale, unpack

__all__ = ["look_up_nibbles", "mxfp4", "nvfp4"]


def _half_ue4m3() -> NDArray[np.float32]:
    byte = np.arange(256)
    exponent, mantissa = byte >> 3 & 15, byte & 7
    scales = np.where(exponent == 0, np.ldexp(mantissa, -10), np.ldexp(8 + mantissa, exponent - 11))
    scales[0x7F] = 0
    return np.asarray(scales, np.float32)


_HALF_E8M0 = np.ldexp(np.float64(1), np.arange(256) - 128).astype(np.float32)
_HALF_UE4M3 = _half_ue4m3()


def mxfp4(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = 2^(e - 127) × v / 2"""
    numbers = look_up_nibbles("kvalues_fp4", blocks["qs"], 16, scratch)
    scale(numbers, _look_up_scales(_HALF_E8M0, blocks["e"][:, None], scratch), out)


def nvfp4(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = ue4m3(d) × v / 2"""
    numbers = look_up_nibbles("kvalues_fp4", blocks["qs"], 8, scratch)
    scale(numbers, _look_up_scales(_HALF_UE4M3, blocks["d"], scratch), out)


def look_up_nibbles(codebook: str, field: NDArray[np.uint8], group: int, scratch: Scratch) -> NDArray[np.int8]:
    """What a codebook of 16 numbers has for each nibble of a field; `group` is that of `unpack`."""
    pairs = unpack(field, 4, group, scratch).view(np.uint16)
    return look_up(nibble_pairs(codebook), pairs, scratch).view(np.int8)


def _look_up_scales(table: NDArray[np.float32], field: NDArray[Any], scratch: Scratch) -> NDArray[np.float32]:
    return look_up(table, gather(field.view(np.uint8), scratch, "packed scales"), scratch, "scales")
