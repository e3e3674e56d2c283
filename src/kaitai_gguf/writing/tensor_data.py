"""The data of tensors to write: what is accepted for each tensor, and its bytes."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache, reduce
from operator import add, ge, or_
from typing import Any, TypeGuard

import numpy as np
from numpy.typing import DTypeLike, NDArray

from kaitai_gguf.arguments import are_ints, integer
from kaitai_gguf.byteswapping import byteswap
from kaitai_gguf.errors import GGUFError, UnknownTypeError, WriteError
from kaitai_gguf.layout_rules import count_nbytes, dims_overflow, offset_alignment, offset_range, overlaps, row_blocks
from kaitai_gguf.reading.chunks import CHUNK, array_chunks, tensor_chunks
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.schema import BLOCKS, MAX_DIMS
from kaitai_gguf.text import quoted
from kaitai_gguf.types import (
    MASKED,
    ByteOrder,
    GGMLType,
    as_native,
    block_dtype,
    block_size,
    ggml_type,
    is_masked,
    is_quantized,
    plain_dtype,
    type_size,
)

__all__ = ["Declared", "check_places", "data_chunks", "declared", "described", "is_stored_alike"]

LARGE = 1 << 24  # bytes that are written at a time from memory: few calls, but enough for a progress bar

_ELEMENTS = 1 << 18  # numbers that are converted at a time: a multiple of every block size

_FLOATS = ("float16", "float32", "float64", "bfloat16")  # what can be converted; each is also a target, besides blocks
_PLAIN_TYPES = {BLOCKS[type].fields[0].dtype: type for type in GGMLType if not is_quantized(type)}


@dataclass(slots=True)
class Declared:
    """A tensor whose data has not been written yet."""

    name: str
    shape: tuple[int, ...]
    type: GGMLType
    nbytes: int
    offset: int | None  # None: after the previous tensor


def declared(name: str, shape: Iterable[int], type: GGMLType | DTypeLike | int, offset: int | None) -> Declared:
    """Return a tensor of a shape in numpy's order.

    Raises `WriteError` if GGUF can't have such a tensor, and TypeError if a size or the offset is not an integer.
    """
    if isinstance(shape, str | bytes) or not isinstance(shape, Iterable):
        raise TypeError(f"tensor {name!r}: the shape must be a sequence of integers, not {shape!r:.60}")
    sizes = tuple(shape)
    if not are_ints(sizes):
        sizes = tuple(integer(size, f"tensor {name!r}: a number in the shape") for size in sizes)
    known = type if isinstance(type, GGMLType) else _known_type(type, name)
    nbytes, message = _measured(sizes, known)
    if offset is not None:
        offset = integer(offset, f"tensor {name!r}: the offset")
        message = message or (f"offset {offset} is negative" if offset < 0 else offset_range(offset, nbytes, 0))
    if message:
        raise WriteError(f"tensor {quoted(name)}: {message}")
    return Declared(name, sizes, known, nbytes, offset)


def check_places(
    tensors: Sequence[Declared], offsets: Sequence[int], start: int, data_offset: int, alignment: int
) -> None:
    """Refuse offsets that no reader accepts, and those that are not in the order of the tensors.

    offsets  where the tensors will be, in bytes.
    start    the first free offset, in bytes.
    """
    nbytes = [tensor.nbytes for tensor in tensors]
    ends = list(map(add, offsets, nbytes))
    # All at once, since there may be a million: the alignment is a power of two.
    if offset_range(max(ends, default=0), 0, data_offset) or offset_alignment(reduce(or_, offsets, 0), alignment):
        for tensor, offset in zip(tensors, offsets, strict=True):
            message = offset_range(offset, tensor.nbytes, data_offset) or offset_alignment(offset, alignment)
            if message:
                raise WriteError(f"tensor {quoted(tensor.name)}: {message}")
    if all(map(ge, offsets, [start, *ends])):
        return
    sizes = np.array(nbytes, np.uint64)
    for breach in overlaps(np.array(offsets, np.uint64), sizes, lambda number: tensors[number].name):
        raise WriteError(f"tensor {quoted(tensors[breach.row].name)}: {breach.message}")
    for tensor, offset, end in zip(tensors, offsets, [start, *ends], strict=False):
        if offset < end:
            raise WriteError(
                f"tensor {quoted(tensor.name)}: offset {offset} is before {end}, where the last tensor ends"
            )


def described(name: str, tensor: Any) -> tuple[tuple[int, ...], GGMLType]:
    """Return the shape and type of a `Tensor`, an array, or a pair of an array and a type."""
    if isinstance(tensor, Tensor):
        _ = tensor.place()  # or its data is missing, or of a type that is not known
        assert tensor.type is not None
        return tensor.shape, tensor.type
    array, given = tensor if isinstance(tensor, tuple) and len(tensor) == 2 else (tensor, None)
    _refuse_masked(array, name)
    if not isinstance(array, np.ndarray | np.generic):
        raise TypeError(f"tensor {name!r}: expected an array, a Tensor, or a pair of array and type, not {array!r:.60}")
    shape: tuple[int, ...] = array.shape
    known = _known_type(array.dtype if given is None else given, name)
    kind = _kind(name, known, array.dtype)
    if not shape or kind in ("elements", "numbers"):
        return shape, known
    *outer, row = shape
    blocks, rest = divmod(row, 1 if kind == "blocks" else type_size(known))
    if rest:
        raise WriteError(
            f"tensor {name!r}: {row} bytes of a row are not a multiple of the {known} block size, {type_size(known)}"
        )
    return (*outer, blocks * block_size(known)), known


def data_chunks(tensor: Declared, data: Any, byte_order: ByteOrder) -> Iterable[Any]:
    """Return the bytes of a tensor, from any kind of data, in the byte order of the file.

    Raises `WriteError` or TypeError for data that does not fit the tensor: for files and iterables when the bytes are
    read, otherwise at once.
    """
    if isinstance(data, Tensor):
        return _tensor_chunks(tensor, data, byte_order)
    _refuse_masked(data, tensor.name)
    if isinstance(data, np.ndarray | np.generic):
        return _array_chunks(tensor, np.asarray(data), byte_order)
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
    if not view.c_contiguous:
        view = memoryview(view.tobytes())
    return array_chunks(np.frombuffer(view, np.uint8), LARGE) if view.nbytes else ()


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


def is_stored_alike(data: Any, byte_order: ByteOrder) -> TypeGuard[Tensor]:
    """Whether data is a `Tensor` whose bytes are the same in a file of this byte order."""
    return isinstance(data, Tensor) and data.byte_order == byte_order


def _tensor_chunks(tensor: Declared, data: Tensor, byte_order: ByteOrder) -> Iterator[Any]:
    if data.type is not tensor.type or data.shape != tensor.shape:
        given = f"{data.type_name} {data.shape}"
        raise WriteError(f"tensor {tensor.name!r} is {tensor.type} {tensor.shape}, and was given {given}")
    chunks = tensor_chunks(data)
    return chunks if is_stored_alike(data, byte_order) else (byteswap(chunk, tensor.type) for chunk in chunks)


def _array_chunks(tensor: Declared, array: NDArray[Any], byte_order: ByteOrder) -> Iterable[Any]:
    kind, expected = _kind(tensor.name, tensor.type, array.dtype), tensor.shape
    if kind in ("blocks", "bytes"):
        *outer, row = tensor.shape or (1,)
        expected = (*outer, row // block_size(tensor.type) * (1 if kind == "blocks" else type_size(tensor.type)))
    if array.shape != expected:
        raise WriteError(f"tensor {tensor.name!r}: the array has shape {array.shape}, expected {expected}")
    return (_converted if kind == "numbers" else _bytes_of)(tensor, array, byte_order)


def _kind(name: str, type: GGMLType, dtype: np.dtype[Any]) -> str:
    """Return what an array of a dtype consists of: "bytes", "blocks", "elements", or "numbers" to convert."""
    kind, message = _kind_or_message(type, dtype)
    if message:
        raise WriteError(f"tensor {name!r}: {message}")
    return kind


@lru_cache(256)
def _kind_or_message(type: GGMLType, dtype: np.dtype[Any]) -> tuple[str, str | None]:
    is_raw = is_quantized(type)
    if is_raw and dtype == np.uint8:
        return "bytes", None
    if _byte_order(type, dtype) is not None:
        return "elements" if dtype.names is None else "blocks", None
    if dtype.name in _FLOATS and (is_raw or plain_dtype(type).name in _FLOATS):
        return "numbers", _unsupported(type) if is_raw else None
    expected = "floats or rows of blocks as uint8" if is_raw else plain_dtype(type).name
    return "", f"expected {expected} for {type}, not {dtype}"


def _unsupported(type: GGMLType) -> str | None:
    from kaitai_gguf.quantize import run  # slow to import

    return run.unsupported(type)


@lru_cache(256)
def _byte_order(type: GGMLType, dtype: np.dtype[Any]) -> ByteOrder | None:
    """Return the byte order of the elements or blocks of an array; None if they are not those of the type."""
    own = plain_dtype if dtype.names is None and not is_quantized(type) else block_dtype
    if dtype == own(type, "little"):
        return "little"
    return "big" if dtype == own(type, "big") else None


def _bytes_of(tensor: Declared, array: NDArray[Any], byte_order: ByteOrder) -> Iterable[Any]:
    """Return the bytes of an array in the byte order of the file, a few megabytes at a time."""
    is_swapped = _byte_order(tensor.type, array.dtype) not in (byte_order, None)  # None: the bytes of blocks
    if is_swapped or array.nbytes > LARGE or not array.flags.c_contiguous:
        return _parts_of(tensor, array, is_swapped)
    return (array.reshape(-1).view(np.uint8),) if array.nbytes else ()


def _parts_of(tensor: Declared, array: NDArray[Any], is_swapped: bool) -> Iterator[Any]:
    size = type_size(tensor.type)
    for part in _contiguous(array):
        for chunk in array_chunks(part.reshape(-1).view(np.uint8), (CHUNK if is_swapped else LARGE) // size * size):
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


def _converted(tensor: Declared, array: NDArray[Any], byte_order: ByteOrder, start: int = 0) -> Iterator[Any]:
    """Yield floats as the bytes of another type, a few megabytes at a time. `start` elements come before them."""
    for part in _contiguous(array):
        flat = part.reshape(-1)
        for first in range(0, len(flat), _ELEMENTS):
            numbers = as_native(flat[first : first + _ELEMENTS])
            convert = _quantized if is_quantized(tensor.type) else _rounded
            yield convert(tensor, numbers, byte_order, start)
            start += len(numbers)


def _quantized(tensor: Declared, numbers: NDArray[Any], byte_order: ByteOrder, start: int) -> NDArray[np.uint8]:
    from kaitai_gguf.quantize import run

    size = block_size(tensor.type)
    blocks = np.empty(len(numbers) // size, block_dtype(tensor.type, byte_order))
    try:
        run.fill(blocks, numbers.reshape(-1, size), tensor.type, start // size, tensor.shape[-1])
    except GGUFError as error:
        raise WriteError(f"tensor {tensor.name!r} as {tensor.type}: {error}") from None
    for field in ("d", "m"):
        too_large = ~np.isfinite(blocks[field]) if field in (blocks.dtype.names or ()) else np.zeros(1, np.bool_)
        if too_large.any():
            place = _place(tensor, start + int(too_large.argmax()) * size)
            message = f"the block at {place} has numbers that are too large: its {field}, a half, would be infinite"
            raise WriteError(f"tensor {tensor.name!r} as {tensor.type}: {message}")
    return blocks.view(np.uint8)


def _rounded(tensor: Declared, numbers: NDArray[Any], byte_order: ByteOrder, start: int) -> NDArray[np.uint8]:
    with np.errstate(all="ignore"):
        rounded = numbers.astype(plain_dtype(tensor.type, sys.byteorder))
        too_large = np.isinf(rounded) & np.isfinite(numbers)
    if too_large.any():
        first = int(too_large.argmax())
        message = f"{numbers[first]} at {_place(tensor, start + first)} is too large"
        raise WriteError(f"tensor {tensor.name!r} as {tensor.type}: {message}")
    raw = rounded.view(np.uint8)
    return raw if byte_order == sys.byteorder else byteswap(raw, tensor.type)


def _place(tensor: Declared, number: int) -> str:
    """Return row and column of an element, for a message."""
    row, column = divmod(number, tensor.shape[-1] if tensor.shape else 1)
    return f"row {row}, column {column}"


def _file_chunks(tensor: Declared, file: Any) -> Iterator[Any]:
    left = tensor.nbytes
    while left > 0:
        chunk = file.read(min(left, CHUNK))
        if isinstance(chunk, str):
            raise TypeError(f"tensor {tensor.name!r}: expected a binary file, not a text file")
        if not chunk:
            return
        left -= len(chunk)
        yield chunk


def _given_chunks(tensor: Declared, chunks: Iterable[Any], byte_order: ByteOrder) -> Iterator[Any]:
    count = 0  # of numbers
    for chunk in chunks:
        _refuse_masked(chunk, tensor.name)
        if isinstance(chunk, np.ndarray | np.generic):
            if _kind(tensor.name, tensor.type, chunk.dtype) != "numbers":
                yield from _bytes_of(tensor, np.asarray(chunk), byte_order)
                continue
            if chunk.size % block_size(tensor.type):
                message = f"a chunk of {chunk.size} numbers is not a multiple of the {tensor.type} block size"
                raise WriteError(f"tensor {tensor.name!r}: {message}")
            yield from _converted(tensor, np.asarray(chunk), byte_order, count)
            count += chunk.size
            continue
        try:
            yield memoryview(chunk).cast("B")
        except TypeError:
            raise TypeError(f"tensor {tensor.name!r}: {type(chunk).__name__} is not data") from None


def _refuse_masked(data: Any, name: str) -> None:
    if is_masked(data):
        raise WriteError(f"tensor {name!r} {MASKED}")


def _known_type(type: Any, name: str) -> GGMLType:
    """Return a type that may be given as a dtype. "I8" is ggml's int8, and "i8" is numpy's int64."""
    if type is None:  # numpy reads it as float64
        raise TypeError(f"tensor {name!r}: expected a GGMLType or a dtype, not None")
    try:
        if isinstance(type, int | np.integer) or (isinstance(type, str) and _is_of_ggml(type)):
            return ggml_type(type)
    except (UnknownTypeError, TypeError) as error:
        raise error.__class__(f"tensor {name!r}: {error}") from None
    dtype_name = (
        type if type in _PLAIN_TYPES else _name_of(np.dtype(type))
    )  # numpy knows bfloat16 only once ml_dtypes is imported
    if dtype_name not in _PLAIN_TYPES:
        is_blocks = dtype_name == "uint8" or dtype_name.startswith("void")
        hint = "for blocks, give their type, such as 'Q8_0'" if is_blocks else "convert it to a type that ggml has"
        raise TypeError(f"tensor {name!r}: ggml has no {dtype_name} tensors; {hint}")
    return _PLAIN_TYPES[dtype_name]


@lru_cache(64)
def _name_of(dtype: np.dtype[Any]) -> str:
    return dtype.name  # numpy computes it each time, which takes microseconds


def _is_of_ggml(name: str) -> bool:
    """Whether a name is ggml's in upper case, or not a name by which numpy knows one of ggml's types."""
    if name in GGMLType.__members__:
        return True
    try:
        dtype_name = name if name in _PLAIN_TYPES else np.dtype(name).name
    except (TypeError, ValueError):
        return True
    return dtype_name not in _PLAIN_TYPES and name.upper() in GGMLType.__members__


@lru_cache(256)  # the tensors of a model have few different shapes
def _measured(shape: tuple[int, ...], type: GGMLType) -> tuple[int, str | None]:
    """Return the size of a tensor in bytes, and what is wrong with its shape; None if nothing is."""
    dims = shape[::-1]
    if len(shape) > MAX_DIMS:
        return 0, f"it has {len(shape)} dims, expected at most {MAX_DIMS}"
    if any(size < 0 for size in shape):
        return 0, f"the shape {shape} has a negative number"
    return count_nbytes(dims, type), dims_overflow(dims, type) or row_blocks(dims, type)
