"""`quantize`: check the arguments and run the type's kernel on one chunk of blocks after the other."""

from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.arguments import check_byte_order
from kaitai_gguf.dequantize.arrays import check_threads
from kaitai_gguf.errors import GGUFError
from kaitai_gguf.layout_rules import row_blocks
from kaitai_gguf.quantize.k_quants import BY_ROW, K_QUANTS, importance_of, mean_square
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.threads import map_threads, usable_processors
from kaitai_gguf.types import MASKED, ByteOrder, GGMLType, block_dtype, block_size, ggml_type, is_masked

# Elements to quantize at a time. A search reads each of them a few hundred times: its arrays should fit into a cache.
# Threads wait for each other between two operations of numpy, which should take longer than that.
_CHUNK = 1 << 17
_CHUNK_OF_THREADS = 1 << 18

_WORTH_A_THREAD = 1 << 18  # default number of threads: one for each so many elements


class Importance(NamedTuple):
    """The importance of columns, of shape (matrices, columns), and how many rows of the array each matrix has."""

    rows: NDArray[np.float32]
    rows_of_matrix: int


def quantize(
    array: NDArray[Any], type: GGMLType | str | int, imatrix: Any, threads: int | None, byte_order: ByteOrder
) -> NDArray[np.uint8]:
    """Do what the package's `quantize` documents."""
    type = ggml_type(type)
    message = unsupported(type)
    if message:
        raise GGUFError(message)
    _check_array(array, type)
    check_byte_order(byte_order)
    threads = check_threads(threads)
    importance = None if imatrix is None else importance_for(imatrix, array.shape)
    columns, size = array.shape[-1], block_size(type)
    numbers = array.view(np.ndarray).reshape(array.size // size, size)
    blocks = np.empty(len(numbers), block_dtype(type, byte_order))
    fill(blocks, numbers, type, columns=columns, importance=importance, threads=threads)
    return blocks.view(np.uint8).reshape(*array.shape[:-1], columns // size * blocks.dtype.itemsize)


def unsupported(type: GGMLType) -> str | None:
    """Return why numbers can't be quantized to a type, as a message; None if they can."""
    if type in KERNELS:
        return None
    names = ", ".join(map(str, KERNELS))
    return f"can't quantize to {type}, only to {names}; llama.cpp's llama-quantize supports the other types"


def fill(
    blocks: NDArray[Any],
    numbers: NDArray[Any],
    type: GGMLType,
    *,
    columns: int,
    first: int = 0,
    importance: Importance | None = None,
    threads: int | None = None,
) -> None:
    """Quantize floats of shape (blocks, elements of a block) into structured blocks.

    columns     the elements in a row. With an importance matrix, there must be whole rows.
    first       the number of the first block in its array.
    importance  the importance matrix of that array.

    Raises `GGUFError` for a number that is not finite.
    """
    if type not in BY_ROW and type not in K_QUANTS:
        importance = None
    size = block_size(type)
    if threads is None:
        threads = max(1, min(usable_processors(), numbers.size // _WORTH_A_THREAD))
    chunk_size = _CHUNK if threads == 1 else _CHUNK_OF_THREADS
    # The weights of Q4_0 to Q5_1 depend on the whole row.
    step = chunk_size // size if importance is None else max(1, chunk_size // columns) * (columns // size)
    starts = range(0, len(numbers), max(1, step))

    def work(start: int) -> None:
        part = slice(start, start + step)
        with np.errstate(all="ignore"):
            chunk = numbers[part].astype(np.float32, order="C", copy=False)
            _check_finite(chunk, first + start, columns)
            if importance is None:
                KERNELS[type](chunk, blocks[part])
            else:
                _fill_weighted(blocks[part], chunk, type, first + start, columns, importance)

    map_threads(work, starts, threads)


def _fill_weighted(  # noqa: PLR0917
    blocks: NDArray[Any], chunk: NDArray[np.float32], type: GGMLType, first: int, columns: int, importance: Importance
) -> None:
    """Quantize whole rows with an importance matrix."""
    size = chunk.shape[1]
    rows = first * size // columns + np.arange(chunk.size // columns)
    weights = importance.rows[rows // importance.rows_of_matrix].reshape(-1, size)
    if type in K_QUANTS:
        K_QUANTS[type](chunk, blocks, weights)
    else:
        squares = np.repeat(mean_square(chunk.reshape(-1, columns)), columns // size)
        BY_ROW[type](chunk, blocks, importance_of(chunk, weights, squares))


def importance_for(imatrix: Any, shape: tuple[int, ...]) -> Importance:
    """Return an importance matrix for an array of this shape. Raises `GGUFError` or TypeError if it does not fit."""
    given = np.asarray(imatrix)
    expected = {shape[-1:], (*shape[:-2], *shape[-1:])}
    if given.dtype.kind not in "fiu":
        raise TypeError(f"imatrix must be an array of numbers, not of {given.dtype}")
    if given.shape not in expected:
        shapes = " or ".join(map(str, sorted(expected, key=len)))
        raise GGUFError(f"imatrix has shape {given.shape}, expected {shapes} for an array of shape {shape}")
    wrong = ~((given >= 0) & np.isfinite(given))
    if wrong.any():
        place = tuple(map(int, np.argwhere(wrong)[0]))
        raise GGUFError(f"imatrix has {given[place]} at {place}: weights must be finite and not negative")
    rows = np.ascontiguousarray(given, np.float32).reshape(-1, max(1, shape[-1]))
    return Importance(rows, max(1, prod(shape[:-1]) // max(1, len(rows))))


def _check_array(array: NDArray[Any], type: GGMLType) -> None:
    if not isinstance(array, np.ndarray):
        raise TypeError(f"array must be a numpy array, not {array.__class__.__name__}")
    if is_masked(array):
        raise TypeError(f"array {MASKED}")
    if not np.issubdtype(array.dtype, np.floating) and array.dtype.name != "bfloat16":
        raise TypeError(f"array must be of floats, not {array.dtype}")
    if array.ndim == 0:
        raise GGUFError("array must have at least one axis: the row")
    message = row_blocks(array.shape[::-1], type)
    if message:
        raise GGUFError(message)


def _check_finite(chunk: NDArray[np.float32], start: int, columns: int) -> None:
    """Raise `GGUFError` for a number that is not finite. `start` and `columns` are as for `fill`."""
    wrong = ~np.isfinite(chunk)
    if wrong.any():
        block, index = np.argwhere(wrong)[0]
        row, column = divmod((start + int(block)) * chunk.shape[1] + int(index), columns)
        raise GGUFError(f"{chunk[block, index]} at row {row}, column {column}: only finite numbers can be quantized")
