"""IQ4_NL and IQ4_XS: 4-bit codes into the 16 unevenly spaced values of the codebook `kvalues_iq4nl`.

| type | block | element |
|---|---|---|
| IQ4_NL | 32 | d × v |
| IQ4_XS | 256 | (d × (sc - 32)) × v, sc in 6 bits for each 32 elements |

Nibbles are in groups of 16 bytes, see `scratch.unpack`. Sub-block i of IQ4_XS has the 4 low bits of sc in a nibble of
scales_l[i / 2] (low nibble for even i), the 2 high ones in bits 2 i and 2 i + 1 of scales_h.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.fp4 import look_up_nibbles
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, scale, to_float

__all__ = ["iq4_nl", "iq4_xs"]


def iq4_nl(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = d × v"""
    numbers = look_up_nibbles("kvalues_iq4nl", blocks["qs"], 16, scratch)
    scale(numbers, to_float(blocks["d"], scratch), out)


def iq4_xs(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """y = (d × (sc - 32)) × v"""
    numbers = look_up_nibbles("kvalues_iq4nl", blocks["qs"], 16, scratch)
    packed = blocks["scales_l"][:, :, None] >> np.array([0, 4], np.uint8) & 0x0F
    high = blocks["scales_h"].astype(np.uint16)[:, None] >> np.arange(0, 16, 2, dtype=np.uint16) & 3
    scales = (packed.reshape(-1, 8) | high << 4).astype(np.float32)
    np.subtract(scales, 32, out=scales)
    np.multiply(scales, to_float(blocks["d"], scratch)[:, None], out=scales)
    scale(numbers, scales, out)
