"""What every kernel works with: buffers that are used again, and the operations that all block formats share.

A kernel has the shape `kernel(blocks, out, scratch)`: `blocks` is a 1-D structured array of n blocks in either byte
order, `out` a C-contiguous float32 array (n, block_size) that it fills, `scratch` lends it memory.

numpy is fast on long runs and slow on many short ones. So the functions here copy the packed bytes of a block as one
element (`V16`, `V32`, ...), unpack eight bytes at a time as one uint64, and only the last step, the multiplication by
the scale, goes through the elements sub-block by sub-block. `unpack` and `scale` also exist in C.
"""

from collections.abc import Callable, Iterator
from functools import cache
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from kaitai_gguf.dequantize import compiled

__all__ = [
    "PART", "Blocks", "Kernel", "Scratch", "as_one", "gather", "look_up", "or_into", "parts", "scale", "times_d",
    "to_float", "unpack",
]  # fmt: skip

PART = 1 << 17
"""How many float32 are worked on at a time."""

_LOOK_UPS = 1 << 15

Blocks = NDArray[np.void]
"""n blocks of one type: a 1-D array whose dtype is `types.block_dtype(type, byte_order)`."""


class Scratch:
    """Named buffers that live as long as one thread works on one array: a kernel allocates nothing per piece."""

    def __init__(self) -> None:
        self._buffers: dict[tuple[str, tuple[int, ...]], NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """The buffer of this name and shape, with whatever it held before; a name belongs to one dtype in a kernel."""
        buffer = self._buffers.get((name, shape))
        if buffer is None:
            buffer = self._buffers[name, shape] = np.empty(shape, dtype)
        return buffer


Kernel = Callable[[Blocks, NDArray[np.float32], Scratch], None]


@cache
def as_one(size: int) -> np.dtype[np.void]:
    """The dtype of `size` bytes that are copied as one element."""
    return np.dtype((np.void, size))


def gather(field: NDArray[Any], scratch: Scratch, name: str) -> NDArray[Any]:
    """The items of a field (n, k), side by side and in little-endian order: numbers wider than a byte are swapped."""
    if field.dtype.itemsize > 1:
        packed = scratch.array(name, field.shape, field.dtype.newbyteorder("<"))
        np.copyto(packed, field)
    else:
        packed = scratch.array(name, field.shape, field.dtype)
        whole = as_one(field.shape[1])
        np.copyto(packed.view(whole), field.view(whole))
    return packed


def to_float(field: NDArray[Any], scratch: Scratch, name: str = "d") -> NDArray[np.float32]:
    """A field of halves, one or a row of them per block, as float32."""
    numbers = scratch.array(name, field.shape, np.float32)
    np.copyto(numbers, field)
    return numbers


def unpack(
    field: NDArray[Any], bits: int, group: int, scratch: Scratch, *, at: int = 0, name: str = "q"
) -> NDArray[np.uint8]:
    """Unpack `bits`-bit numbers (1, 2 or 4) from bytes (n, k) into bytes (n, k × 8 / bits).

    ggml interleaves them by groups: `group` bytes hold, in their lowest bits, the first `group` numbers, in the next
    bits the `group` numbers after those, and so on. `at` is the bit of the result at which the numbers are to start,
    so that high bits can be or-ed to low ones without another shift. k must be a multiple of `group`, n × k of 8.
    """
    n, k = field.shape
    planes = 8 // bits
    packed = gather(field, scratch, f"{name} packed")
    unpacked = scratch.array(name, (n * k // group, planes * group), np.uint8)
    if compiled.KERNELS:
        compiled.KERNELS.unpack(packed, bits, group, at, unpacked)
        return unpacked.reshape(n, k * planes)
    words = packed.reshape(-1).view(np.uint64)
    shifted = scratch.array(f"{name} shifted", words.shape, np.uint64)
    whole = as_one(group)
    source, target = shifted.view(whole), unpacked.view(whole)
    for plane in range(planes):
        # Bits that cross into a neighbouring byte are cleared by the mask below.
        shift = plane * bits - at
        (np.right_shift if shift >= 0 else np.left_shift)(words, abs(shift), out=shifted)
        np.copyto(target[:, plane], source)
    every_byte = unpacked.reshape(-1).view(np.uint64)
    np.bitwise_and(every_byte, (((1 << bits) - 1) << at) * 0x0101_0101_0101_0101, out=every_byte)
    return unpacked.reshape(n, k * planes)


def or_into(q: NDArray[np.uint8], more: NDArray[np.uint8 | np.uint64]) -> None:
    words = q.view(np.uint64)
    np.bitwise_or(words, more.view(np.uint64), out=words)


def look_up(table: NDArray[Any], codes: NDArray[Any], scratch: Scratch, name: str = "numbers") -> NDArray[Any]:
    """The entries of `table` (1-D, of any itemsize) at `codes` (contiguous, of any shape and unsigned type)."""
    found = scratch.array(name, codes.shape, table.dtype)
    source, target = codes.reshape(-1), found.reshape(-1)
    for part in parts(source.size, _LOOK_UPS):
        # take() would make an intp index itself, but in memory that it allocates each time.
        index = scratch.array("index", source[part].shape, np.intp)
        np.copyto(index, source[part])
        np.take(table, index, out=target[part], mode="clip")
    return found


def times_d(
    scales: NDArray[np.uint8 | np.int8], d: NDArray[np.float16], name: str, scratch: Scratch
) -> NDArray[np.float32]:
    """The integers of the sub-blocks (n, sub-blocks) × the half of their block (n), as float32."""
    products = scratch.array(f"{name} × scales", scales.shape, np.float32)
    np.copyto(products, scales)
    np.multiply(products, to_float(d, scratch, name)[:, None], out=products)
    return products


def scale(
    numbers: NDArray[np.int8 | np.uint8],
    scales: NDArray[np.float32],
    out: NDArray[np.float32],
    shifts: NDArray[np.float32] | None = None,
) -> None:
    """Fill `out` (n, elements) with numbers (n, elements) × scales (n, s) + shifts (n, s).

    There is one scale, and one shift, for each run of elements / s elements. Numbers are from -128 to 127. The product
    is rounded to float32 before the sum. numpy's work goes in parts of `out` that stay in the cache of a core from the
    first step to the last.
    """
    if compiled.KERNELS:
        compiled.KERNELS.scale(numbers, scales, shifts, out)
        return
    run = out.size // scales.size
    numbers, target, scales = numbers.reshape(-1, run), out.reshape(-1, run), scales.reshape(-1, 1)
    for part in parts(len(target), PART // run):
        piece = target[part]
        np.copyto(piece, numbers[part])
        np.multiply(piece, scales[part], out=piece)
        if shifts is not None:
            np.add(piece, shifts.reshape(-1, 1)[part], out=piece)


def parts(length: int, step: int) -> Iterator[slice]:
    """The slices of at most `step` items that make up `length` items."""
    return (slice(start, start + step) for start in range(0, length, step))
