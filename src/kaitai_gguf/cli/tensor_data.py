"""The data of a tensor in chunks, so that tensors of any size take the same few megabytes."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf import Tensor, dequantize
from kaitai_gguf.reading.chunks import CHUNK as MAPPED, stored_blocks, tensor_chunks
from kaitai_gguf.types import block_size, is_quantized

CHUNK = 1 << 17  # elements: 1 MiB of float64, and a few chunks are alive at a time
SHARE = 1 << 24  # elements that one thread processes at a time

_TOGETHER = 1 << 18  # elements to dequantize into one buffer: larger calls save the kernels' setup cost


def shares(tensor: Tensor) -> list[slice]:
    """Return slices of the blocks, of about `SHARE` elements each."""
    assert tensor.type is not None
    count = stored_blocks(tensor).size
    step = max(1, SHARE // block_size(tensor.type))
    return [slice(start, min(start + step, count)) for start in range(0, count, step)]


def blocks(tensor: Tensor, share: slice | None = None, elements: int = CHUNK) -> Iterator[NDArray[Any]]:
    """Yield views of the blocks in file order, ignoring rows, since a single row may be as large as a tensor."""
    assert tensor.type is not None
    stored = stored_blocks(tensor)
    dtype = stored.dtype
    start, stop = (share.start, share.stop) if share else (0, stored.size)
    step = max(1, elements // block_size(tensor.type))
    nbytes = max(step, MAPPED // dtype.itemsize) * dtype.itemsize
    for chunk in tensor_chunks(tensor, nbytes, start=start * dtype.itemsize, end=stop * dtype.itemsize):
        flat = chunk.view(dtype)
        yield from (flat[i : i + step] for i in range(0, len(flat), step))


def numbers(tensor: Tensor, dtype: np.dtype[Any]) -> Iterator[NDArray[Any]]:
    """Yield the values as `tensor.dequantize(dtype)` computes them, in one-dimensional chunks."""
    assert tensor.type is not None
    for chunk in blocks(tensor):
        yield dequantize(chunk, tensor.type, dtype=dtype, threads=1)


def exact(tensor: Tensor, share: slice) -> Iterator[NDArray[Any]]:
    """Yield the values in a type that represents them exactly: integers unchanged, others as floats.

    Each array is valid only until the next one is requested.
    """
    assert tensor.type is not None
    plain = stored_blocks(tensor).dtype[0]
    if not is_quantized(tensor.type) and (plain.kind == "i" or (plain.kind == "f" and plain.itemsize > 2)):
        for chunk in blocks(tensor, share):
            yield chunk.view(plain).astype(plain.newbyteorder("="), copy=False)
        return
    buffer = np.empty(_TOGETHER, np.float32)
    for chunk in blocks(tensor, share, _TOGETHER):
        values = buffer[: chunk.size * block_size(tensor.type)]
        dequantize(chunk, tensor.type, out=values, threads=1)
        yield from (values[i : i + CHUNK] for i in range(0, len(values), CHUNK))
