"""The plain types, one element per block: y = value, rounded to the nearest float32.

F32, F16 and BF16 are exact. F64, I32 and I64 can hold more than a float32 does.
"""

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize.scratch import Blocks, Scratch

__all__ = ["bf16", "f16", "number"]


def number(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """F32, F64, I8, I16, I32, I64: y = value."""
    np.copyto(out[:, 0], blocks["value"], casting="same_kind")


def bf16(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """BF16: y = the float32 whose upper 16 bits are the value."""
    bits = out.view(np.uint32)[:, 0]
    np.copyto(bits, _words(blocks, np.uint16))
    np.left_shift(bits, 16, out=bits)


def f16(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
    """F16: y = value.

    numpy converts halves one by one. Here the exponent and the mantissa move to their places in a float32, whose
    exponent then is too small by the difference of the two biases: a multiplication by 2^112 makes good for it, also
    for subnormal numbers. Infinities and NaN are the exception: they take numpy's way.
    """
    words = _words(blocks, np.int16)
    magnitudes = scratch.array("magnitudes", words.shape, np.uint16)
    np.left_shift(words.view(np.uint16), 1, out=magnitudes)
    if words.size and magnitudes.max() >= 0x7C00 << 1:
        np.copyto(out[:, 0], blocks["value"])
        return
    bits = out.view(np.int32)[:, 0]
    np.copyto(bits, words)
    np.left_shift(bits, 13, out=bits)
    # The int16 was extended by copies of its sign: keep one of them.
    np.bitwise_and(bits, ~0x7000_1FFF, out=bits)
    np.multiply(out, np.float32(2.0**112), out=out)


def _words(blocks: Blocks, dtype: type[np.int16 | np.uint16]) -> NDArray[np.int16 | np.uint16]:
    """The values as bits: 16-bit integers in native order."""
    value = blocks["value"]
    stored = np.dtype(dtype).newbyteorder(value.dtype.byteorder)
    return value.view(stored).astype(dtype, copy=False)
