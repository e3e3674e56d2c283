"""What every kernel works with: buffers that are used again, and the few moves that all block formats share.

A kernel has the shape `kernel(blocks, out, scratch)`: `blocks` is a 1-D structured array of n blocks in either byte
order, `out` a C-contiguous float32 array (n, block_size) that it fills, `scratch` lends it memory.

numpy is fast on long runs and slow on many short ones. So the moves here copy the packed bytes of a block as one
element (`V16`, `V32`, ...), unpack eight bytes at a time as one uint64, and only the last step, the multiplication by
the scale, goes through the elements sub-block by sub-block.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = ["Blocks", "Kernel", "Scratch", "gather", "scale", "to_float", "unpack"]

Blocks = NDArray[np.void]
"""n blocks of one type: a 1-D array whose dtype is `types.block_dtype(type, byte_order)`."""


class Scratch:
    """Named buffers that live as long as one thread works on one array: a kernel allocates nothing per piece."""

    def __init__(self) -> None:
        self._buffers: dict[str, NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """The buffer of this name, with whatever it held before; a name belongs to one dtype within a kernel."""
        buffer = self._buffers.get(name)
        if buffer is None or buffer.shape != shape:
            buffer = self._buffers[name] = np.empty(shape, dtype)
        return buffer


Kernel = Callable[[Blocks, NDArray[np.float32], Scratch], None]


def gather(field: NDArray[Any], scratch: Scratch, name: str) -> NDArray[Any]:
    """The items of a field (n, k), side by side and in little-endian order: numbers wider than a byte are swapped."""
    packed = scratch.array(name, field.shape, field.dtype.newbyteorder("<"))
    if field.dtype.itemsize == 1:
        whole = np.dtype((np.void, field.shape[1]))
        np.copyto(packed.view(whole), field.view(whole))
    else:
        np.copyto(packed, field)
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
    words = gather(field, scratch, f"{name} packed").reshape(-1).view(np.uint64)
    shifted = scratch.array(f"{name} shifted", words.shape, np.uint64)
    unpacked = scratch.array(name, (n * k // group, planes * group), np.uint8)
    whole = np.dtype((np.void, group))
    source, target = shifted.view(whole), unpacked.view(whole)
    for plane in range(planes):
        # Bits that cross into a neighbouring byte are cleared by the mask below.
        shift = plane * bits - at
        (np.right_shift if shift >= 0 else np.left_shift)(words, abs(shift), out=shifted)
        np.copyto(target[:, plane], source)
    every_byte = unpacked.reshape(-1).view(np.uint64)
    np.bitwise_and(every_byte, (((1 << bits) - 1) << at) * 0x0101_0101_0101_0101, out=every_byte)
    return unpacked.reshape(n, k * planes)


def scale(numbers: NDArray[Any], scales: NDArray[np.float32], out: NDArray[np.float32]) -> None:
    """Fill `out` (n, elements) with numbers (n, elements) × scales (n, s), one scale for each run of elements / s.

    `numbers` may be `out` itself.
    """
    if numbers is not out:
        np.copyto(out, numbers)
    runs = out.reshape(scales.size, -1)
    np.multiply(runs, scales.reshape(-1, 1), out=runs)
