"""What all kernels share: buffers that are used again, and operations on the fields of blocks.

A kernel has the shape `kernel(blocks, out, scratch)`: `blocks` is a 1-D structured array of n blocks in either byte
order, `out` a C-contiguous float32 array (n, block_size) that it fills, `scratch` lends it memory.

numpy is fast on long runs and slow on many short ones. So the functions here and in `scaling` copy the packed bytes of
a block as one element (`V16`, `V32`, ...), unpack eight bytes at a time as one uint64, and only the last step, the
multiplication by the scale, goes through the elements sub-block by sub-block.
"""

from collections.abc import Callable, Iterator
from functools import cache, wraps
from math import prod
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

__all__ = [
    "PART", "Blocks", "Kernel", "Scratch", "as_one", "gather", "in_parts", "look_up", "parts", "to_float",
]  # fmt: skip

PART = 1 << 17
"""How many float32 are worked on at a time."""

_LOOK_UPS = 1 << 15

Blocks = NDArray[np.void]
"""n blocks of one type: a 1-D array whose dtype is `types.block_dtype(type, byte_order)`."""


class Scratch:
    """Named buffers that a thread keeps for all chunks of an array: kernels need not allocate them for each chunk."""

    def __init__(self) -> None:
        self._buffers: dict[str, NDArray[Any]] = {}

    def array(self, name: str, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """The buffer of this name, with whatever it held before; a name belongs to one dtype in a kernel."""
        buffer, size = self._buffers.get(name), prod(shape)
        if buffer is None or buffer.size < size:
            buffer = self._buffers[name] = np.empty(size, dtype)
        return buffer[:size].reshape(shape)


Kernel = Callable[[Blocks, NDArray[np.float32], Scratch], None]


def in_parts(kernel: Kernel) -> Kernel:
    """Make a kernel that needs one or two bytes for each element work on at most 2^21 elements at a time."""

    @wraps(kernel)
    def run(blocks: Blocks, out: NDArray[np.float32], scratch: Scratch) -> None:
        for part in parts(len(blocks), (1 << 21) // out.shape[1]):
            kernel(blocks[part], out[part], scratch)

    return run


@cache
def as_one(size: int) -> np.dtype[np.void]:
    """The dtype of `size` bytes that are copied as one element."""
    return np.dtype((np.void, size))


def gather(field: NDArray[Any], scratch: Scratch, name: str) -> NDArray[Any]:
    """Return the items of a field (n, k), contiguous and little-endian: numbers wider than a byte may be swapped."""
    if field.dtype.itemsize > 1:
        packed = scratch.array(name, field.shape, field.dtype.newbyteorder("<"))
        np.copyto(packed, field)
    else:
        packed = scratch.array(name, field.shape, field.dtype)
        whole = as_one(field.shape[1])
        np.copyto(packed.view(whole), field.view(whole))
    return packed


def little_endian_bytes(field: NDArray[Any], scratch: Scratch, name: str) -> NDArray[np.uint8]:
    """The bytes (n, k × itemsize) of a field (n, k) of integers, as they are in a little-endian file."""
    is_little = field.dtype == field.dtype.newbyteorder("<")
    return (field if is_little else gather(field, scratch, name)).view(np.uint8)


def to_float(field: NDArray[Any], scratch: Scratch, name: str = "d") -> NDArray[np.float32]:
    """Return a float16 field, with one number or one row of numbers per block, as float32."""
    numbers = scratch.array(name, field.shape, np.float32)
    np.copyto(numbers, field)
    return numbers


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


def parts(length: int, step: int) -> Iterator[slice]:
    """The slices of at most `step` items that make up `length` items."""
    return (slice(start, start + step) for start in range(0, length, step))
