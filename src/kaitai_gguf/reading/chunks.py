"""Tensor data and padding in chunks: memory use is that of a single chunk, whatever the size of the file."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.sources import Source
from kaitai_gguf.types import type_size

CHUNK = 1 << 20  # bytes: less means more system calls, and more no longer fits in the cache
_FEW = 1 << 10  # bytes: numpy takes ten times as long to compare so few


def tensor_chunks(
    tensor: Tensor, nbytes: int = CHUNK, *, start: int = 0, end: int | None = None
) -> Iterator[NDArray[np.uint8]]:
    """Yield the data of a tensor in file order, in views of at most `nbytes` bytes, but at least one block.

    `start` and `end` are positions in the data, in bytes. If they are at block boundaries, each chunk holds whole
    blocks. Raises the same errors as `tensor.data`.
    """
    source, first, last = place_of(tensor)
    assert tensor.type is not None  # or place_of() would have raised
    size = type_size(tensor.type)
    return source.chunks(first + start, last if end is None else first + end, max(nbytes // size, 1) * size)


def stored_blocks(tensor: Tensor) -> NDArray[Any]:
    """Return the blocks of a tensor as they are in the file: always a one-dimensional view.

    Blocks of a type that isn't quantized have one field, `value`. Raises the same errors as `tensor.data`.
    """
    return tensor._view(as_blocks=True).reshape(-1)


def array_chunks(raw: NDArray[np.uint8], nbytes: int = CHUNK) -> Iterator[NDArray[np.uint8]]:
    """Yield the bytes of a caller's array in views of `nbytes` bytes; the last one may be smaller."""
    return (raw[start : start + nbytes] for start in range(0, len(raw), nbytes))


def first_nonzero(source: Source, start: int, end: int) -> int | None:
    """Return the position of the first byte from `start` to before `end` that isn't zero; None if all are zeros."""
    if start < end < start + _FEW:
        rest = bytes(source.read(start, end)).lstrip(b"\0")
        return end - len(rest) if rest else None
    for chunk in source.chunks(start, end, CHUNK):
        found = np.flatnonzero(chunk)
        if len(found):
            return start + int(found[0])
        start += len(chunk)
    return None
