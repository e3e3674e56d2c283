"""The data of tensors a piece at a time, in as much memory as a piece takes, however large the file is."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.types import type_size

__all__ = ["PIECE", "array_pieces", "stored_blocks", "tensor_pieces"]

PIECE = 1 << 20  # bytes: less costs more calls to the system, and more is no longer in the cache when it is written


def tensor_pieces(
    tensor: Tensor, nbytes: int = PIECE, *, start: int = 0, end: int | None = None
) -> Iterator[NDArray[np.uint8]]:
    """The data of a tensor in file order, as views of at most `nbytes` bytes, but at least one block.

    `start` and `end` are positions in the data, in bytes. Each piece holds whole blocks if these do. Raises as
    `tensor.data` does.
    """
    source, first, last = tensor.place()
    assert tensor.type is not None  # or it would have no place
    size = type_size(tensor.type)
    return source.chunks(first + start, last if end is None else first + end, max(nbytes // size, 1) * size)


def stored_blocks(tensor: Tensor) -> NDArray[Any]:
    """The blocks of a tensor as they are in the file: always a view, in one dimension. Raises as `tensor.data` does.

    Those of a type that isn't quantized have one field, `value`.
    """
    return tensor._blocks().reshape(-1)


def array_pieces(raw: NDArray[np.uint8], nbytes: int = PIECE) -> Iterator[NDArray[np.uint8]]:
    """The bytes of a caller's array in views of `nbytes`, the last one of what is left."""
    return (raw[start : start + nbytes] for start in range(0, len(raw), nbytes))
