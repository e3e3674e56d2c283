"""The data of tensors to write: what is accepted for each tensor, and its bytes."""

import sys
from collections.abc import Iterable, Iterator
from functools import lru_cache
from math import prod
from typing import Any, NamedTuple, TypeGuard

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.byteswapping import byteswap
from kaitai_gguf.errors import GGUFError, WriteError
from kaitai_gguf.quantize.run import fill, importance_for, unsupported
from kaitai_gguf.reading.chunks import CHUNK, array_chunks, tensor_chunks
from kaitai_gguf.reading.tensor import Tensor, place_of
from kaitai_gguf.types import (
    MASKED,
    ByteOrder,
    GGMLType,
    as_native,
    block_dtype,
    block_size,
    is_masked,
    is_quantized,
    plain_dtype,
    type_size,
)
from kaitai_gguf.writing.plan import Declared, declared, known_type

LARGE = 1 << 24  # bytes that are written at a time from memory: few calls, but enough for a progress bar

_ELEMENTS = 1 << 20  # numbers that are converted at a time: a multiple of every block size

_FLOATS = ("float16", "float32", "float64", "bfloat16")  # what can be converted; each is also a target, besides blocks


class _Arrays(NamedTuple):
    """What arrays of a dtype are for a tensor type: elements, rows of blocks, or floats to convert or quantize."""

    byte_order: ByteOrder | None = None
    """The byte order of the numbers; None for that of the file."""
    num_items: int = 1
    """How many items of the array are a block, if it has blocks."""
    num_elements: int = 1
    """How many elements of the tensor they are."""
    is_converted: bool = False


@lru_cache(256)
def _kind_of(type: GGMLType, dtype: np.dtype[Any]) -> _Arrays | str:
    """Return what arrays of a dtype are for a tensor type, or a message if they can't be its data."""
    is_raw = is_quantized(type)
    if is_raw and dtype == np.uint8:
        return _Arrays(None, type_size(type), block_size(type))
    own = plain_dtype if dtype.names is None and not is_raw else block_dtype
    orders: tuple[ByteOrder, ...] = ("little", "big")
    for byte_order in orders:
        if dtype == own(type, byte_order):
            return _Arrays(byte_order, 1, 1 if dtype.names is None else block_size(type))
    if dtype.name not in _FLOATS or not (is_raw or plain_dtype(type).name in _FLOATS):
        expected = "floats or rows of blocks as uint8" if is_raw else plain_dtype(type).name
        return f"expected {expected} for {type}, not {dtype}"
    return (unsupported(type) if is_raw else None) or _Arrays(is_converted=True)


def _kind(name: str, type: GGMLType, dtype: np.dtype[Any]) -> _Arrays:
    kind = _kind_of(type, dtype)
    if isinstance(kind, str):
        raise WriteError(f"tensor {name!r}: {kind}")
    return kind


def described(name: str, given: Any) -> tuple[Declared, Any]:
    """Return the tensor for a `Tensor`, an array, or a pair of one of these and a type, and its data.

    Raises `WriteError` or TypeError if it can't be one, and the errors of `place_of`.
    """
    array, type = given if isinstance(given, tuple) and len(given) == 2 else (given, None)
    if isinstance(array, Tensor):
        _ = place_of(array)  # or its data is missing, or of a type that is not known
        assert array.type is not None
        return declared(name, array.shape, array.type if type is None else known_type(name, type)), array
    _refuse_masked(array, name)
    if not isinstance(array, np.ndarray | np.generic):
        raise TypeError(
            f"tensor {name!r}: expected an array, a Tensor, or a pair of one of these and a type, not {array!r:.60}"
        )
    known = known_type(name, array.dtype if type is None else type)
    kind = _kind(name, known, array.dtype)
    if array.shape and array.shape[-1] % kind.num_items:
        message = f"{array.shape[-1]} bytes of a row are not a multiple of the {known} block size, {kind.num_items}"
        raise WriteError(f"tensor {name!r}: {message}")
    return declared(name, _rescaled(array.shape, kind.num_items, kind.num_elements), known), array


def _rescaled(shape: tuple[int, ...], num_before: int, num_after: int) -> tuple[int, ...]:
    """Return a shape for rows whose items are counted in another unit."""
    return (*shape[:-1], shape[-1] // num_before * num_after) if shape else shape


def data_chunks(tensor: Declared, data: Any, byte_order: ByteOrder) -> Iterable[Any]:
    """Return the bytes of a tensor, from any kind of data, in the byte order of the file.

    Raises `WriteError` or TypeError for data that does not fit the tensor: for files and iterables when the bytes are
    read, otherwise at once.
    """
    if isinstance(data, Tensor):
        if data.shape != tensor.shape:
            given = f"{data.type_name} {data.shape}"
            raise WriteError(f"tensor {tensor.name!r} is {tensor.type} {tensor.shape}, and was given {given}")
        if data.type is not tensor.type:
            return converted(tensor, data, byte_order)
        chunks = tensor_chunks(data)
        return chunks if data.byte_order == byte_order else (byteswap(chunk, tensor.type) for chunk in chunks)
    _refuse_masked(data, tensor.name)
    if isinstance(data, np.ndarray | np.generic):
        kind = _kind(tensor.name, tensor.type, data.dtype)
        expected = _rescaled(tensor.shape, kind.num_elements, kind.num_items)
        if data.shape != expected:
            raise WriteError(f"tensor {tensor.name!r}: the array has shape {data.shape}, expected {expected}")
        return _bytes_of(tensor, kind, np.asarray(data), byte_order, 0)
    if hasattr(data, "read"):
        return _counted(tensor, _file_chunks(tensor, data))
    try:
        view = memoryview(data)
    except TypeError:
        if isinstance(data, str) or not isinstance(data, Iterable):
            raise TypeError(f"tensor {tensor.name!r}: {type(data).__name__} is not data") from None
        return _counted(tensor, _given_chunks(tensor, data, byte_order))
    if view.nbytes != tensor.nbytes:
        raise WriteError(f"tensor {tensor.name!r}: {view.nbytes} bytes were given, expected {tensor.nbytes}")
    return array_chunks(np.frombuffer(view if view.c_contiguous else view.tobytes(), np.uint8), LARGE)


def is_stored_alike(data: Any, tensor: Declared, byte_order: ByteOrder) -> TypeGuard[Tensor]:
    """Whether data is a `Tensor` whose bytes are the same in a file of this byte order."""
    return isinstance(data, Tensor) and data.byte_order == byte_order and data.type is tensor.type


def converted(
    tensor: Declared, data: Tensor, byte_order: ByteOrder, imatrix: Any = None, threads: int | None = None
) -> Iterator[NDArray[np.uint8]]:
    """Return the bytes of a tensor for a `Tensor` of the same shape and another type, a few megabytes at a time.

    imatrix, threads  as for `quantize`.

    Raises `WriteError` at once if a type can't be converted, or the importance matrix does not fit.
    """
    check_conversion(data, tensor.type, tensor.name)
    try:
        importance = None if imatrix is None else importance_for(imatrix, tensor.shape)
    except GGUFError as error:
        raise WriteError(f"tensor {tensor.name!r}: {error}") from None

    def chunks() -> Iterator[NDArray[np.uint8]]:
        *outer, columns = tensor.shape or (1,)
        dtype = np.float64 if data.type is GGMLType.F64 else np.float32
        step = max(1, _ELEMENTS // max(1, columns))
        for row in range(0, prod(outer), step):
            part = data.dequantize(dtype, threads=threads, rows=slice(row, row + step)).reshape(-1)
            yield _encoded(tensor, part, byte_order, row * columns, importance=importance, threads=threads)

    return chunks()


def check_conversion(tensor: Tensor, type: GGMLType, name: str) -> None:
    """Raise `WriteError`, which has the name, if a tensor can't become one of another type."""
    assert tensor.type is not None
    dtype = np.dtype(np.float32 if is_quantized(tensor.type) else plain_dtype(tensor.type))
    if dtype.name not in _FLOATS:
        raise WriteError(f"tensor {name!r}: {tensor.type} is not converted to {type}: only floats are")
    _kind(name, type, dtype)


def _counted(tensor: Declared, chunks: Iterator[Any]) -> Iterator[Any]:
    """Yield the same chunks, which must have as many bytes as the tensor."""
    nbytes = 0
    for chunk in chunks:
        nbytes += len(chunk)
        if nbytes > tensor.nbytes:
            raise WriteError(f"tensor {tensor.name!r}: more data was given than its {tensor.nbytes} bytes")
        yield chunk
    if nbytes != tensor.nbytes:
        raise WriteError(f"tensor {tensor.name!r}: the data ends after {nbytes} of {tensor.nbytes} bytes")


def _file_chunks(tensor: Declared, file: Any) -> Iterator[Any]:
    left = tensor.nbytes
    while left > 0 and (chunk := file.read(min(left, CHUNK))):
        if isinstance(chunk, str):
            raise TypeError(f"tensor {tensor.name!r}: expected a binary file, not a text file")
        left -= len(chunk)
        yield chunk


def _given_chunks(tensor: Declared, chunks: Iterable[Any], byte_order: ByteOrder) -> Iterator[Any]:
    count = 0  # of numbers
    for chunk in chunks:
        _refuse_masked(chunk, tensor.name)
        if isinstance(chunk, np.ndarray | np.generic):
            kind = _kind(tensor.name, tensor.type, chunk.dtype)
            if kind.is_converted and chunk.size % block_size(tensor.type):
                message = f"a chunk of {chunk.size} numbers is not a multiple of the {tensor.type} block size"
                raise WriteError(f"tensor {tensor.name!r}: {message}")
            yield from _bytes_of(tensor, kind, np.asarray(chunk), byte_order, count)
            count += chunk.size
            continue
        try:
            yield memoryview(chunk).cast("B")
        except TypeError:
            raise TypeError(f"tensor {tensor.name!r}: {type(chunk).__name__} is not data") from None


def _bytes_of(tensor: Declared, kind: _Arrays, array: NDArray[Any], byte_order: ByteOrder, start: int) -> Iterator[Any]:
    """Yield the bytes in a byte order, a few megabytes at a time. `start` numbers of the tensor come before."""
    is_swapped = kind.byte_order not in (byte_order, None)
    size = type_size(tensor.type)
    for part in _contiguous(array):
        flat = part.reshape(-1)
        if kind.is_converted:
            for first in range(0, len(flat), _ELEMENTS):
                yield _encoded(tensor, as_native(flat[first : first + _ELEMENTS]), byte_order, start + first)
            start += len(flat)
            continue
        for chunk in array_chunks(flat.view(np.uint8), (CHUNK if is_swapped else LARGE) // size * size):
            yield byteswap(chunk, tensor.type) if is_swapped else chunk


def _contiguous(array: NDArray[Any]) -> Iterator[NDArray[Any]]:
    """Yield contiguous parts of an array, in order: the array itself, or copies of a few megabytes."""
    if array.flags.c_contiguous:
        if array.nbytes:
            yield array
        return
    step = max(CHUNK * len(array) // max(array.nbytes, 1), 1)
    for start in range(0, len(array), step):
        part = array[start : start + step]
        if part.nbytes > CHUNK and part.ndim > 1:
            yield from _contiguous(part[0])
        else:
            yield np.ascontiguousarray(part)


def _encoded(
    tensor: Declared, numbers: NDArray[Any], byte_order: ByteOrder, start: int, **options: Any
) -> NDArray[np.uint8]:
    """Return the bytes of numbers that are quantized or rounded to the type of a tensor.

    start    how many numbers of the tensor come before.
    options  `importance` and `threads`, as for `fill`.
    """
    try:
        if is_quantized(tensor.type):
            return _quantized(tensor, numbers, byte_order, start, options)
        return _rounded(tensor, numbers, byte_order, start)
    except GGUFError as error:
        raise WriteError(f"tensor {tensor.name!r} as {tensor.type}: {error}") from None


def _quantized(
    tensor: Declared, numbers: NDArray[Any], byte_order: ByteOrder, start: int, options: dict[str, Any]
) -> NDArray[np.uint8]:
    size = block_size(tensor.type)
    blocks = np.empty(len(numbers) // size, block_dtype(tensor.type, byte_order))
    fill(blocks, numbers.reshape(-1, size), tensor.type, columns=tensor.shape[-1], first=start // size, **options)
    for field in {"d", "dmin", "m"}.intersection(blocks.dtype.names or ()):
        too_large = ~np.isfinite(blocks[field])
        if too_large.any():
            place = _place(tensor, start + int(too_large.argmax()) * size)
            message = f"the block at {place} has numbers that are too large: its {field}, a half, would be infinite"
            raise WriteError(message)
    return blocks.view(np.uint8)


def _rounded(tensor: Declared, numbers: NDArray[Any], byte_order: ByteOrder, start: int) -> NDArray[np.uint8]:
    with np.errstate(all="ignore"):
        rounded = numbers.astype(plain_dtype(tensor.type, sys.byteorder))
        too_large = np.isinf(rounded) & np.isfinite(numbers)
    if too_large.any():
        first = int(too_large.argmax())
        raise WriteError(f"{numbers[first]} at {_place(tensor, start + first)} is too large")
    raw = rounded.view(np.uint8)
    return raw if byte_order == sys.byteorder else byteswap(raw, tensor.type)


def _place(tensor: Declared, number: int) -> str:
    """Return row and column of an element, for a message."""
    row, column = divmod(number, tensor.shape[-1] if tensor.shape else 1)
    return f"row {row}, column {column}"


def _refuse_masked(data: Any, name: str) -> None:
    if is_masked(data):
        raise WriteError(f"tensor {name!r} {MASKED}")
