"""The data of tensors a piece at a time, in as much memory as a piece takes, however large the file is.

What a process has touched of a file that is mapped counts as its memory until the system needs it for something else.
Each piece is given back to the system when the next one is asked for; it stays in the system's cache.
"""

import mmap
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from kaitai_gguf.tensors import Tensor
from kaitai_gguf.types import type_size

if TYPE_CHECKING:  # numpy.typing takes longer to import than all of this package
    from numpy.typing import NDArray

__all__ = ["PIECE", "buffer_pieces", "tensor_pieces"]

PIECE = 1 << 20  # bytes: less costs more calls to the system, and more is no longer in the cache when it is written

_AROUND = 1 << 21  # bytes: Linux maps the neighbours of a page that is asked for, a huge page of them at most


def tensor_pieces(tensor: Tensor, nbytes: int = PIECE) -> "Iterator[NDArray[np.uint8]]":
    """The data of a tensor in file order, as views of at most `nbytes` bytes, but at least one block.

    Each piece holds whole blocks. Raises as `tensor.data` does.
    """
    raw = tensor.data.reshape(-1).view(np.uint8)
    assert tensor.type is not None  # or there were no data
    size = type_size(tensor.type)
    return buffer_pieces(raw, max(nbytes // size, 1) * size)


def buffer_pieces(raw: "NDArray[np.uint8]", nbytes: int = PIECE) -> "Iterator[NDArray[np.uint8]]":
    """The bytes of an array in views of `nbytes`, the last one of what is left."""
    base = _map_of(raw)
    for start in range(0, len(raw), nbytes):
        piece = raw[start : start + nbytes]
        if base is not None:
            # All of it is mapped now, since a system call that comes upon a page that isn't starts over there: writing
            # takes 1.6 times as long then, more than the system itself takes to copy what is not aligned.
            piece[:: mmap.PAGESIZE].max()
        yield piece
        if base is not None:
            _give_back(base, piece)


def _map_of(array: "NDArray[Any]") -> mmap.mmap | None:
    """The memory map that an array is a view of."""
    base: Any = array
    while isinstance(base, np.ndarray):
        base = base.base
    if isinstance(base, memoryview):
        base = base.obj
    return base if isinstance(base, mmap.mmap) and hasattr(base, "madvise") else None


def _give_back(base: mmap.mmap, piece: "NDArray[np.uint8]") -> None:
    """A neighbour's bytes on the pages at both ends are read again when somebody wants them."""
    position = piece.ctypes.data - np.frombuffer(base, np.uint8, 1).ctypes.data
    first = max(position - _AROUND, 0)
    first -= first % mmap.PAGESIZE
    base.madvise(mmap.MADV_DONTNEED, first, position + len(piece) - first)
