"""The work of `dequantize`: the kernel of a type fills an array, chunk by chunk, on one or more threads."""

from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

from kaitai_gguf.dequantize import compiled, four_bit, iq_grids, k_quants, legacy, low_bit, plain
from kaitai_gguf.dequantize.arrays import as_array, as_blocks, check_dtype, check_out, check_rows, check_threads, empty
from kaitai_gguf.dequantize.scratch import Kernel, Scratch
from kaitai_gguf.errors import GGUFError, UnknownTypeError
from kaitai_gguf.threads import together, usable_processors
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, ggml_type

__all__ = ["KERNELS", "dequantize"]

# Most elements of a chunk. With numpy: large enough that its work, during which other threads run, outweighs Python's;
# small enough that a thread needs no more than about 2 MB; twice as many on several threads, which then wait for the
# GIL less often. Compiled kernels need little memory, unless rows at indices are copied for them.
_CHUNK = 1 << 19
_COMPILED_CHUNK = 1 << 24
_COPIED_CHUNK = 1 << 22

# Fewest elements of a chunk, if there are so many, on more than one thread.
_SMALL_CHUNK = 1 << 18

# Default number of threads: one for each so many elements, up to a limit that bounds the memory of all threads.
_WORTH_A_THREAD = 1 << 20
_MOST_THREADS = 4

KERNELS: dict[GGMLType, Kernel] = {
    **dict.fromkeys((GGMLType.F32, GGMLType.F64), plain.number),
    **dict.fromkeys((GGMLType.I8, GGMLType.I16, GGMLType.I32, GGMLType.I64), plain.number),
    GGMLType.F16: plain.f16,
    GGMLType.BF16: plain.bf16,
    GGMLType.Q4_0: legacy.q4_0,
    GGMLType.Q4_1: legacy.q4_1,
    GGMLType.Q5_0: legacy.q5_0,
    GGMLType.Q5_1: legacy.q5_1,
    **dict.fromkeys((GGMLType.Q8_0, GGMLType.Q8_1, GGMLType.Q8_K), legacy.q8),
    GGMLType.Q2_K: k_quants.q2_k,
    GGMLType.Q3_K: k_quants.q3_k,
    GGMLType.Q4_K: k_quants.q4_k,
    GGMLType.Q5_K: k_quants.q5_k,
    GGMLType.Q6_K: k_quants.q6_k,
    GGMLType.IQ1_S: iq_grids.iq1_s,
    GGMLType.IQ1_M: iq_grids.iq1_m,
    GGMLType.IQ2_XXS: iq_grids.iq2_xxs,
    GGMLType.IQ2_XS: iq_grids.iq2_xs,
    GGMLType.IQ2_S: iq_grids.iq2_s,
    GGMLType.IQ3_XXS: iq_grids.iq3_xxs,
    GGMLType.IQ3_S: iq_grids.iq3_s,
    GGMLType.IQ4_NL: four_bit.iq4_nl,
    GGMLType.IQ4_XS: four_bit.iq4_xs,
    GGMLType.TQ1_0: low_bit.tq1_0,
    GGMLType.TQ2_0: low_bit.tq2_0,
    GGMLType.MXFP4: four_bit.mxfp4,
    GGMLType.NVFP4: four_bit.nvfp4,
    GGMLType.Q1_0: low_bit.q1_0,
    GGMLType.Q2_0: low_bit.q2_0,
}

_Chunk = tuple[slice, slice]  # of rows, and of blocks


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
    """See `dequantize` of the package."""
    type = ggml_type(type)
    if type not in KERNELS:
        raise UnknownTypeError(f"can't dequantize {type.name}: its blocks are known, what they stand for is not")
    dtype = check_dtype(dtype)
    threads = check_threads(threads)
    raw = as_array(raw)
    found = as_blocks(raw, type, byte_order)
    per_row, size = found.shape[-1], block_size(type)
    shape = (*found.shape[:-1], per_row * size) if raw.ndim else ()
    blocks = found.reshape(-1, per_row) if found.size else found.reshape(int(np.prod(found.shape[:-1])), per_row)
    indices = None
    if rows is not None:
        chosen = check_rows(rows, len(blocks))
        if isinstance(chosen, slice):
            blocks = blocks[chosen]
        else:
            indices = chosen
        shape = (len(blocks) if indices is None else len(indices), per_row * size)
    result = empty(shape, dtype) if out is None else out
    target = check_out(result, shape)
    if out is not None and np.may_share_memory(out, raw):
        raise GGUFError("out shares memory with raw")
    if result.size:
        native = np.dtype(np.float64 if type in plain.WIDE and result.dtype == np.float64 else np.float32)
        if indices is None and blocks.flags.c_contiguous and target.flags.c_contiguous:
            blocks, per_row = blocks.reshape(-1, 1), 1  # each block is a row: any number of them is a chunk
        _run(_Job(KERNELS[type], native, blocks, indices, target.reshape(-1, per_row, size)), threads)
    return result


def _run(job: _Job, threads: int | None) -> None:
    if threads is None:
        threads = max(1, min(usable_processors(), _MOST_THREADS, job.out.size // _WORTH_A_THREAD))
    rows = len(job.out)
    threads = min(threads, rows, max(1, job.out.size // _SMALL_CHUNK))
    most = _most_elements(job, threads)
    least = most if threads == 1 else min(most, _SMALL_CHUNK)
    # Neighbouring chunks go to the same thread: two threads that are first to write to a page both clear it.
    bounds = [rows * number // threads for number in range(threads + 1)]
    shares = [deque(_chunks(job, start, end, most, least)) for start, end in pairwise(bounds)]
    together(lambda number: _work(job, shares[number:] + shares[:number]), threads)


def _most_elements(job: _Job, threads: int) -> int:
    """The most elements that a chunk may have."""
    if job.out.dtype != job.native:  # what is converted needs a buffer of its own besides those of the kernel
        return _CHUNK // 2
    if not compiled.KERNELS:
        return _CHUNK if threads == 1 else 2 * _CHUNK
    return _COMPILED_CHUNK if job.indices is None else _COPIED_CHUNK


def _chunks(job: _Job, row: int, end: int, most: int, least: int) -> Iterator[_Chunk]:
    """Whole rows, or parts of one row, of `most` elements down to `least`: no thread waits long for the last chunk."""
    _, per_row, size = job.out.shape
    most_blocks, in_row = max(1, most // size), per_row * size
    while row < end:
        rows = max(1, least // in_row, min(most // in_row, (end - row) * 3 // 4))
        for block in range(0, per_row, most_blocks):
            yield slice(row, min(row + rows, end)), slice(block, block + most_blocks)
        row += rows


def _take(shares: list[deque[_Chunk]]) -> Iterator[_Chunk]:
    """All of the first share from its start, then what is left of the others, from their ends."""
    own, *others = shares
    with suppress(IndexError):
        while True:
            yield own.popleft()
    for other in others:
        with suppress(IndexError):
            while True:
                yield other.pop()


def _work(job: _Job, shares: list[deque[_Chunk]]) -> None:
    """Do the first share, and help with the others; each thread has another one first."""
    scratch = Scratch()
    size = job.out.shape[2]
    # Blocks of random bytes, and conversions to float16, overflow: the caller need not be warned.
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
