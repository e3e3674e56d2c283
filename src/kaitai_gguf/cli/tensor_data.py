"""The data of a tensor in chunks, so that tensors of any size take the same few megabytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf import Tensor, dequantize
from kaitai_gguf.reading.chunks import CHUNK as MAPPED, stored_blocks, tensor_chunks
from kaitai_gguf.types import block_size, is_quantized

CHUNK = 1 << 18  # elements: 2 MiB of float64, and a few chunks are alive at a time


def blocks(tensor: Tensor) -> Iterator[NDArray[Any]]:
    """Yield views of the blocks in file order, ignoring rows, since a single row may be as large as a tensor."""
    assert tensor.type is not None
    dtype = stored_blocks(tensor).dtype
    step = max(1, CHUNK // block_size(tensor.type))
    for chunk in tensor_chunks(tensor, max(step * dtype.itemsize, MAPPED)):
        flat = chunk.view(dtype)
        yield from (flat[i : i + step] for i in range(0, len(flat), step))


def numbers(tensor: Tensor, chunk: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the values of a chunk as `tensor.dequantize(dtype)` computes them."""
    assert tensor.type is not None
    return dequantize(chunk, tensor.type, dtype=dtype, threads=1)


def exact(tensor: Tensor, chunk: NDArray[Any]) -> NDArray[Any]:
    """Return the values of a chunk in a type that represents them exactly: integers unchanged, others as floats."""
    assert tensor.type is not None
    plain = chunk.dtype[0]
    if not is_quantized(tensor.type) and (plain.kind == "i" or (plain.kind == "f" and plain.itemsize > 2)):
        return chunk.view(plain).astype(plain.newbyteorder("="), copy=False)
    return numbers(tensor, chunk, np.dtype(np.float32))
