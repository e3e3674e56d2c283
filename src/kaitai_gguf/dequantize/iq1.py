"""IQ1_S and IQ1_M: rows of 8 from a grid of -1, 0 and 1, shifted by 1/8; 256 elements in a block.

| type | sub-block | element |
|---|---|---|
| IQ1_S | 32 | (d × (2 sc + 1)) × (v ± 1/8), sc in 3 bits |
| IQ1_M | 16 | (d × (2 sc + 1)) × (v ± 1/8), sc in 3 bits |

Row i of a block is that of `iq1s_grid` whose index has its 8 low bits in qs[i] and 3 more in qh; a fourth bit there
says whether 1/8 is added (0) or subtracted (1). The lookup tables hold the shift already: 4096 rows, by 12 bits.
"""

from functools import cache
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import grid
from kaitai_gguf.dequantize.scratch import Blocks, Scratch, gather, look_up, scale, to_float

__all__ = ["iq1_m", "iq1_s"]


def iq1_s(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A 16-bit number of qh, for 32 elements: 3 index bits for each of 4 rows, then sc, then the shift."""
    qh = gather(blocks["qh"], scratch, "qh")
    indices = scratch.array("indices", (len(blocks), 8, 4), np.uint16)
    np.copyto(indices.reshape(len(blocks), 32), gather(blocks["qs"], scratch, "qs"))
    shift = qh >> 15 << 11
    for i in range(4):
        np.bitwise_or(indices[..., i], (qh >> (3 * i) & 7) << 8 | shift, out=indices[..., i])
    _fill(indices, qh >> 12 & 7, to_float(blocks["d"], scratch), out, scratch)


def iq1_m(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """A nibble of qh belongs to a row: 3 index bits, then the shift.

    The 8 bytes of scales are four little-endian 16-bit numbers in files of either byte order. Each has four sc, the
    first in the lowest bits, and on top a nibble of d: the lowest nibble is in the first number.
    """
    qh = gather(blocks["qh"], scratch, "qh")
    indices = scratch.array("indices", (len(blocks), 16, 2), np.uint16)
    np.copyto(indices.reshape(len(blocks), 32), gather(blocks["qs"], scratch, "qs"))
    for i in range(2):
        high = (qh >> (4 * i) & 0x0F).astype(np.uint16) << 8
        np.bitwise_or(indices[..., i], high, out=indices[..., i])
    words = gather(blocks["scales"], scratch, "packed scales").view("<u2").astype(np.uint16)
    nibbles = words >> 12
    d = nibbles[:, 0] | nibbles[:, 1] << 4 | nibbles[:, 2] << 8 | nibbles[:, 3] << 12
    sc = words[:, :, None] >> np.arange(0, 12, 3, dtype=np.uint16) & 7
    _fill(indices, sc, to_float(d.view(np.float16), scratch), out, scratch)


@cache
def _shifted_grid() -> NDArray[np.uint64]:
    """8 × the grid + 1, then 8 × the grid - 1: rows of 8 int8, packed in a uint64."""
    eighths = 8 * grid("iq1s_grid").view(np.int8)
    return np.concatenate((eighths + 1, eighths - 1)).view(np.uint64)


def _fill(
    indices: NDArray[np.uint16],
    sc: NDArray[Any],
    d: NDArray[np.float32],
    out: NDArray[np.float32],
    scratch: Scratch,
) -> None:
    """out = (d / 8 × (2 sc + 1)) × the rows at `indices`: as exact as the formula, whose products need few bits."""
    n = len(d)
    scales = scratch.array("scales", (n, sc.size // n), np.float32)
    np.copyto(scales, sc.reshape(scales.shape))
    np.add(scales, 0.5, out=scales)
    np.multiply(scales, 0.25, out=scales)
    np.multiply(scales, d[:, None], out=scales)
    numbers = look_up(_shifted_grid(), indices, scratch)
    scale(numbers.view(np.int8), scales, out)
