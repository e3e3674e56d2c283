"""The plain types, one element per block: y = value, rounded to the nearest float32.

F32, F16, BF16, I8 and I16 are exact. F64, I32 and I64 can hold more than a float32 does.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import compiled
from kaitai_gguf.dequantize.scratch import PART, Blocks, Scratch, in_parts, parts
from kaitai_gguf.types import GGMLType

__all__ = ["WIDE", "bf16", "f16", "number"]

WIDE = frozenset({GGMLType.F64, GGMLType.I32, GGMLType.I64})
"""The types that can hold more than a float32: `number` fills a float64 array, too."""


def number(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """F32, F64, I8, I16, I32, I64: y = value."""
    np.copyto(out[:, 0], blocks["value"], casting="same_kind")


@in_parts
def bf16(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """BF16: y = the float32 whose upper 16 bits are the value."""
    words, bits = _words(blocks, np.uint16, scratch), out.view(np.uint32)[:, 0]
    if compiled.KERNELS:
        compiled.KERNELS.bf16(words, out)
        return
    for part in parts(len(words), PART):
        np.copyto(bits[part], words[part])
        np.left_shift(bits[part], 16, out=bits[part])


@in_parts
def f16(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """F16: y = value.

    numpy converts halves one by one. Here the exponent and the mantissa move to their places in a float32, whose
    exponent then is too small by the difference of the two biases: a multiplication by 2^112 makes good for it, also
    for subnormal numbers. Infinities and NaN, of the highest exponent, take numpy's way.
    """
    words, bits, numbers = _words(blocks, np.int16, scratch), out.view(np.int32)[:, 0], out[:, 0]
    if compiled.KERNELS:
        compiled.KERNELS.f16(words, out)
        return
    for part in parts(len(words), PART):
        # Positive numbers are the greatest as int16, negative ones as uint16: their sign is the top bit.
        if words[part].max() >= 0x7C00 or words[part].view(np.uint16).max() >= 0xFC00:
            np.copyto(numbers[part], blocks["value"][part])
            continue
        np.copyto(bits[part], words[part])
        np.left_shift(bits[part], 13, out=bits[part])
        # The int16 was extended by copies of its sign: keep one of them.
        np.bitwise_and(bits[part], ~0x7000_1FFF, out=bits[part])
        np.multiply(numbers[part], np.float32(2.0**112), out=numbers[part])


def _words(blocks: Blocks, dtype: type[np.int16 | np.uint16], scratch: Scratch) -> NDArray[np.int16 | np.uint16]:
    """The values as bits: 16-bit integers in native order, side by side."""
    value = blocks["value"]
    stored: NDArray[Any] = value.view(np.dtype(dtype).newbyteorder(value.dtype.byteorder))
    if stored.dtype.isnative and stored.flags.c_contiguous:
        return stored
    words = scratch.array("words", stored.shape, dtype)
    np.copyto(words, stored)
    return words
