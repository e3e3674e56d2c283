"""The types whose 4-bit codes stand for 16 unevenly spaced values, v, of a codebook.

| type | block | element |
|---|---|---|
| IQ4_NL | 32 | d × v |
| IQ4_XS | 256 | (d × (sc - 32)) × v, sc in 6 bits for each 32 elements |
| MXFP4 | 32 | 2^(e - 127) × v / 2, one scale for the block |
| NVFP4 | 64 | ue4m3(d) × v / 2, one scale for each 16 elements |

The codebook is `kvalues_iq4nl`, or `kvalues_fp4`, which holds the e2m1 numbers doubled. Nibbles are in groups of 16
bytes, those of NVFP4 in groups of 8, see `scaling.Packed`. The scales of the last two come from tables of 256 entries
that hold the half already.

ue4m3 is e4m3 of which the sign bit is not looked at: exponent e in bits 3-6, mantissa m in bits 0-2, value
2^(e - 7) × (1 + m / 8), or m / 512 for e = 0. The byte 0x7F is 0, not NaN.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import rows
from kaitai_gguf.dequantize.scaling import Packed, Scales, scale_rows
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, little_endian_bytes

__all__ = ["iq4_nl", "iq4_xs", "mxfp4", "nvfp4"]


def _half_ue4m3() -> NDArray[np.float32]:
    byte = np.arange(256)
    exponent, mantissa = byte >> 3 & 15, byte & 7
    scales = np.where(exponent == 0, np.ldexp(mantissa, -10), np.ldexp(8 + mantissa, exponent - 11))
    scales[0x7F] = 0
    return np.asarray(scales, np.float32)


_HALF_E8M0 = np.ldexp(np.float64(1), np.arange(256) - 128).astype(np.float32)
_HALF_UE4M3 = _half_ue4m3()


def iq4_nl(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale_rows(rows("kvalues_iq4nl"), (Packed(blocks["qs"], 4, 16),), Scales(blocks["d"]), out, scratch)


def iq4_xs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """Sub-block i has the 4 low bits of sc in a nibble of scales_l[i / 2] (low nibble for even i), the 2 high ones in
    bits 2 i and 2 i + 1 of scales_h.
    """
    high = little_endian_bytes(blocks["scales_h"][:, None], scratch, "scales_h")
    scales = Scales(blocks["d"], (Packed(blocks["scales_l"], 4), Packed(high, 2)), plus=-32)
    scale_rows(rows("kvalues_iq4nl"), (Packed(blocks["qs"], 4, 16),), scales, out, scratch)


def mxfp4(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scales = Scales(_HALF_E8M0, (Packed(blocks["e"].view(np.uint8)[:, None]),))
    scale_rows(rows("kvalues_fp4"), (Packed(blocks["qs"], 4, 16),), scales, out, scratch)


def nvfp4(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scales = Scales(_HALF_UE4M3, (Packed(blocks["d"].view(np.uint8)),))
    scale_rows(rows("kvalues_fp4"), (Packed(blocks["qs"], 4, 8),), scales, out, scratch)
