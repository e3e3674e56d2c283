"""The work of `dequantize`: an array in pieces, filled by the kernel of its type on one or more threads."""

import os
from collections import deque
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kaitai_gguf.dequantize.arrays import (
    Rows,
    as_array,
    as_blocks,
    check_dtype,
    check_out,
    check_rows,
    check_threads,
)
from kaitai_gguf.dequantize.plain import WIDE
from kaitai_gguf.dequantize.registry import kernel_of
from kaitai_gguf.dequantize.scratch import Kernel, Scratch
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, ggml_type

__all__ = ["dequantize"]

# Elements of a piece: large enough that numpy's work, during which other threads run, outweighs Python's; small enough
# that a thread needs no more than about 2 MB.
_PIECE = 1 << 19

# Unless the caller says otherwise: elements that are worth a thread of their own, and how many threads there are at
# most, which bounds the memory that they take together.
_WORTH_A_THREAD = 1 << 20
_MOST_THREADS = 4

_Piece = tuple[slice, slice]
"""Slices of rows and of blocks."""


class _Job(NamedTuple):
    """What all threads know: blocks (rows, blocks per row) → out (rows, blocks per row, block size)."""

    kernel: Kernel
    native: np.dtype[Any]  # what the kernel writes; `out` may differ
    blocks: NDArray[np.void]
    indices: NDArray[np.intp] | None
    out: NDArray[Any]


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
    """What the package's `dequantize` says."""
    type = ggml_type(type)
    dtype = check_dtype(dtype)
    threads = check_threads(threads)
    raw = as_array(raw)
    found = as_blocks(raw, type, byte_order)
    per_row, size = found.shape[-1], block_size(type)
    shape = (*found.shape[:-1], per_row * size) if raw.ndim else ()
    blocks = found.reshape(-1, per_row) if found.size else found.reshape(int(np.prod(found.shape[:-1])), per_row)
    indices = None
    if rows is not None:
        chosen: Rows = check_rows(rows, len(blocks))
        if isinstance(chosen, slice):
            blocks = blocks[chosen]
        else:
            indices = chosen
        shape = (len(blocks) if indices is None else len(indices), per_row * size)
    result = np.empty(shape, dtype) if out is None else out
    target = check_out(result, shape)
    if result.size:
        native = np.dtype(np.float64 if type in WIDE and result.dtype == np.float64 else np.float32)
        _run(_Job(kernel_of(type), native, blocks, indices, target.reshape(-1, per_row, size)), threads)
    return result


def _run(job: _Job, threads: int | None) -> None:
    pieces = list(_pieces(job))
    if threads is None:
        threads = min(os.cpu_count() or 1, _MOST_THREADS, job.out.size // _WORTH_A_THREAD)
    threads = max(1, min(threads, len(pieces)))
    # Neighbouring pieces go to the same thread: two threads that are first to write to a page both clear it.
    bounds = [len(pieces) * i // threads for i in range(threads + 1)]
    shares = [deque(pieces[start:end]) for start, end in pairwise(bounds)]
    if threads == 1:
        _work(job, shares)
        return
    with ThreadPoolExecutor(threads - 1) as pool:
        futures = [pool.submit(_work, job, shares[i:] + shares[:i]) for i in range(1, threads)]
        _work(job, shares)
        for future in futures:
            future.result()


def _pieces(job: _Job) -> Iterator[_Piece]:
    """As many whole rows as make a piece, or parts of one row."""
    count, per_row, size = job.out.shape
    # What is converted needs a buffer of its own besides those of the kernel.
    in_piece = max(1, (_PIECE if job.out.dtype == job.native else _PIECE // 2) // size)
    row_step, block_step = max(1, in_piece // per_row), min(in_piece, per_row)
    for row in range(0, count, row_step):
        for block in range(0, per_row, block_step):
            yield slice(row, row + row_step), slice(block, block + block_step)


def _take(shares: list[deque[_Piece]]) -> Iterator[_Piece]:
    """All of the first share from its start, then what is left of the others, from their ends."""
    own, *others = shares
    with suppress(IndexError):
        while True:
            yield own.popleft()
    for other in others:
        with suppress(IndexError):
            while True:
                yield other.pop()


def _work(job: _Job, shares: list[deque[_Piece]]) -> None:
    """Do the first share, and help with the others; each thread has another one first."""
    scratch = Scratch()
    size = job.out.shape[2]
    # Blocks of random bytes, and conversions to float16, overflow: that is no news to the caller.
    with np.errstate(all="ignore"):
        for rows, columns in _take(shares):
            chosen = rows if job.indices is None else job.indices[rows]
            blocks = job.blocks[chosen, columns].reshape(-1)
            target = job.out[rows, columns]
            if target.dtype == job.native and target.flags.c_contiguous and target.flags.aligned:
                job.kernel(blocks, target.reshape(-1, size), scratch)
            else:
                numbers = scratch.array("result", (len(blocks), size), job.native)
                job.kernel(blocks, numbers, scratch)
                np.copyto(target, numbers.reshape(target.shape), casting="unsafe")
