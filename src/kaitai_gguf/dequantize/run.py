"""The work of `dequantize`: chunk by chunk, on one or more threads, by a compiled kernel or the formula of the type."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kaitai_gguf.dequantize import compiled
from kaitai_gguf.dequantize.arrays import as_array, as_blocks, check_dtype, check_out, check_rows, check_threads, empty
from kaitai_gguf.dequantize.formulas import FORMULAS, Blocks
from kaitai_gguf.errors import GGUFError, UnknownTypeError
from kaitai_gguf.threads import map_threads, usable_processors
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, ggml_type

# The most elements of a chunk: fewer chunks are faster, but blocks that are swapped or not contiguous are copied, and
# formulas and conversions need memory for several arrays of as many elements.
_CHUNK = 1 << 24
_COPIED_CHUNK = 1 << 21
_SMALL_CHUNK = 1 << 17

# Default number of threads: one for each so many elements, up to a limit that bounds the memory of all threads.
_WORTH_A_THREAD = 1 << 20
_MOST_THREADS = 4


def dequantize(
    raw: NDArray[Any] | bytes | bytearray | memoryview,
    type: GGMLType | str | int,
    *,
    dtype: DTypeLike,
    out: NDArray[Any] | None,
    threads: int | None,
    rows: slice | ArrayLike | None,
    byte_order: ByteOrder,
) -> NDArray[Any]:
    """See `dequantize` of the package."""
    type = ggml_type(type)
    if type not in FORMULAS:
        raise UnknownTypeError(f"can't dequantize {type.name}: the fields of its blocks are known, but not its formula")
    dtype = check_dtype(dtype)
    threads = check_threads(threads)
    raw = as_array(raw)
    blocks = as_blocks(raw, type, byte_order)
    *outer, per_row = blocks.shape
    size = block_size(type)
    shape = (*outer, per_row * size) if raw.ndim else ()
    blocks = blocks.reshape(int(np.prod(outer)), per_row)
    indices = None
    if rows is not None:
        chosen = check_rows(rows, len(blocks))
        blocks, indices = (blocks[chosen], None) if isinstance(chosen, slice) else (blocks, chosen)
        shape = (len(blocks) if indices is None else len(indices), per_row * size)
    result = empty(shape, dtype) if out is None else out
    target = check_out(result, shape)
    if out is not None and np.may_share_memory(out, raw):
        raise GGUFError("out shares memory with raw")
    if result.size:
        if indices is None and blocks.flags.c_contiguous and target.flags.c_contiguous:
            blocks, per_row = blocks.reshape(-1, 1), 1  # each block is a row: any number of them is a chunk
        _run(type, blocks, indices, target.reshape(-1, per_row, size), threads)
    return result


def _run(
    type: GGMLType, blocks: NDArray[np.void], indices: NDArray[np.intp] | None, out: NDArray[Any], threads: int | None
) -> None:
    """Convert blocks (rows, blocks per row), or the rows at indices, to `out` (rows, blocks per row, block size)."""
    if threads is None:
        threads = max(1, min(usable_processors(), _MOST_THREADS, out.size // _WORTH_A_THREAD))
    most = _CHUNK if threads == 1 else max(_SMALL_CHUNK, min(_CHUNK, out.size // (2 * threads)))
    if not compiled.is_supported(type) or out.dtype != np.float32 or not out.flags.carray:
        most = _SMALL_CHUNK
    elif indices is not None or not blocks.flags.c_contiguous or not blocks.dtype.isnative:
        most = min(most, _COPIED_CHUNK)

    def work(chunk: tuple[slice, slice]) -> None:
        rows, columns = chunk
        chosen = rows if indices is None else indices[rows]
        # Blocks of random bytes, and conversions to float16, overflow: the caller need not be warned.
        with np.errstate(all="ignore"):
            _fill(type, blocks[chosen, columns].reshape(-1), out[chunk])

    map_threads(work, _chunks(out.shape, most), threads)


def _chunks(shape: tuple[int, ...], most: int) -> Iterator[tuple[slice, slice]]:
    """Yield slices of rows and of blocks in a row: whole rows, or parts of one row, of at most `most` elements."""
    n_rows, per_row, size = shape
    rows, columns = max(1, most // (per_row * size)), max(1, most // size)
    for row in range(0, n_rows, rows):
        for column in range(0, per_row, columns):
            yield slice(row, row + rows), slice(column, column + columns)


def _fill(type: GGMLType, blocks: Blocks, out: NDArray[Any]) -> None:
    """Fill `out`, which may have gaps, with the elements of blocks (1-D)."""
    if not compiled.is_supported(type):
        numbers = FORMULAS[type](blocks)
        if out.dtype != np.float64:  # integers and F64 are rounded to float32 first
            numbers = numbers.astype(np.float32, copy=False)
    elif out.dtype == np.float32 and out.flags.carray:
        compiled.fill(type, blocks, out)
        return
    else:
        numbers = np.empty(out.shape, np.float32)
        compiled.fill(type, blocks, numbers)
    np.copyto(out, numbers.reshape(out.shape), casting="unsafe")
