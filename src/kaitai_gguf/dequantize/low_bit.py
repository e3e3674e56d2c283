"""The types of one and two bits, and the ternary ones of BitNet and TriLM, with a half d for a block.

| type | block | element |
|---|---|---|
| Q1_0 | 128 | d if bit i % 8 of qs[i / 8] is set, else -d |
| Q2_0 | 64 | d × (q - 1), q in bits 2 (i % 4) and above of qs[i / 4] |
| TQ1_0 | 256 | d × (t - 1), t a digit in base 3: five to a byte |
| TQ2_0 | 256 | d × (t - 1), t in two bits, in groups of 32 bytes (see `scaling.Packed`) |

The bits of Q1_0 and Q2_0 are in the order of the elements, so that a table turns a byte into its factors at once.

A byte of TQ1_0 is ceil(v × 256 / 243), where v has five ternary digits. So the byte is the fraction v / 243 in 8 bits,
and its first digit is floor(byte × 3 / 256); a byte × 3, without what overflows, is the fraction of the remaining
digits. Element 32 k + i is digit k of qs[i], i < 32; element 160 + 16 k + i is digit k of qs[32 + i], i < 16;
element 240 + 4 k + i is digit k of qh[i], which has four.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.codebooks import spread_bits
from kaitai_gguf.dequantize.scaling import Packed, Scales, scale, scale_rows
from kaitai_gguf.dequantize.scratch import PART, Blocks, Scratch, as_one, gather, parts

__all__ = ["q1_0", "q2_0", "tq1_0", "tq2_0"]

_SIGNS = spread_bits(1, 0xFF).view(np.int8).reshape(256, 8)  # 1 and -1
_FACTORS = ((np.arange(256)[:, None] >> np.arange(0, 8, 2) & 3) - 1).astype(np.int8)


def q1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale_rows(_SIGNS, Packed(blocks["qs"]), Scales(blocks["d"]), out, scratch)


def q2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale_rows(_FACTORS, Packed(blocks["qs"]), Scales(blocks["d"]), out, scratch)


def tq1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    for part in parts(len(blocks), PART // 256):
        _tq1_0(blocks[part], out[part], scratch)


def _tq1_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    fractions = scratch.array("fractions", (len(blocks), 256), np.uint8)
    _spread_digits(gather(blocks["qs"][:, :32], scratch, "first"), 5, fractions[:, :160])
    _spread_digits(gather(blocks["qs"][:, 32:], scratch, "second"), 5, fractions[:, 160:240])
    _spread_digits(gather(blocks["qh"], scratch, "third"), 4, fractions[:, 240:])
    # floor(3 x / 256) is 1 from x = 86 on and 2 from x = 171 on.
    at_least_1 = scratch.array("at least 1", fractions.shape, np.bool_)
    at_least_2 = scratch.array("at least 2", fractions.shape, np.bool_)
    np.greater_equal(fractions, 86, out=at_least_1)
    np.greater_equal(fractions, 171, out=at_least_2)
    np.add(at_least_1.view(np.uint8), at_least_2.view(np.uint8), out=fractions)
    scale(Packed(fractions), Scales(blocks["d"]), out, scratch, minus=1)


def tq2_0(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    scale(Packed(blocks["qs"], 2, 32), Scales(blocks["d"]), out, scratch, minus=1)


def _spread_digits(packed: NDArray[np.uint8], digits: int, fractions: NDArray[np.uint8]) -> None:
    """Write to `fractions` (n, digits × k) the bytes (n, k), then times 3, times 9, and so on, modulo 256.

    The bytes are multiplied in place.
    """
    whole = as_one(packed.shape[1])
    source, target = packed.view(whole)[:, 0], fractions.view(whole)
    np.copyto(target[:, 0], source)
    for k in range(1, digits):
        np.multiply(packed, 3, out=packed)
        np.copyto(target[:, k], source)
