"""Plan a file before anything is written: its tensors, their offsets, the header and the padding."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike

from kaitai_gguf.arguments import are_ints, integer
from kaitai_gguf.errors import UnknownTypeError, WriteError
from kaitai_gguf.layout_rules import (
    align,
    check_padding,
    count_nbytes,
    dims_overflow,
    offset_alignment,
    offset_range,
    row_blocks,
)
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.header import misplaced_tensors
from kaitai_gguf.reading.tensor import place_of
from kaitai_gguf.reading.tensors import FileTensors
from kaitai_gguf.schema import BLOCKS, MAX_DIMS, Buffer
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.text import encode, quoted
from kaitai_gguf.types import GGMLType, ggml_type, is_quantized
from kaitai_gguf.writing.writable import WritableMetadata, required_keys

_PLAIN_TYPES = {BLOCKS[type].fields[0].dtype: type for type in GGMLType if not is_quantized(type)}


@dataclass(frozen=True, slots=True)
class Declared:
    """A tensor of a new file."""

    name: str
    shape: tuple[int, ...]
    type: GGMLType
    nbytes: int
    offset: int | None  # None: after the previous tensor


class Region:
    """The tensors of an open file, which keep their offsets and the bytes between and after them."""

    def __init__(self, tensors: FileTensors, names: Mapping[int, str]) -> None:
        """`names` has the tensors that get other names, by their number in the file."""
        self.tensors = tensors  # neither header nor source: they would keep the map alive when the file is closed
        self.names = names
        self.header_end = tensors.header.end
        self.nbytes = max(tensors.data_nbytes, source_of(tensors).nbytes - tensors.data_offset, 0)
        """The size of the data in bytes, with tensors that it should have included."""

    def keeps_padding(self, padding: int) -> bool:
        """Return whether there are as many bytes between header and data as in the open file."""
        return self.tensors.data_offset - self.header_end == padding

    def infos(self, serializer: Serializer) -> list[Buffer]:
        """Return the bytes of the tensor infos in the new file."""
        header = self.tensors.header
        is_alike = serializer.has_layout_of(header.version, header.byte_order)
        infos: list[Buffer] = [header.buf[start:end] for start, end in pairwise([*header.tensors.tolist(), header.end])]
        for number, tensor in enumerate(self.tensors.values() if self.names or not is_alike else ()):
            if tensor.byte_order != serializer.byte_order:
                _ = place_of(tensor)  # or its data is missing, or of a type that is not known
            if number in self.names or not is_alike:
                name = self.names.get(number, tensor.name)
                infos[number] = tensor_info(serializer, name, tensor.dims, tensor.type_id, tensor.offset)
        return infos


class Plan(NamedTuple):
    """What will be written before the data of the tensors, and where that will be."""

    header: list[Buffer]
    padding: int
    """The number of bytes between header and data."""
    offsets: list[int]
    """The offsets of the declared tensors."""
    required: dict[str, Any]
    """The key-values that the header has in addition to the metadata."""


def plan(
    serializer: Serializer,
    metadata: WritableMetadata,
    alignment: int,
    region: Region | None,
    tensors: Sequence[Declared],
    *,
    allow_padding: bool,
) -> Plan:
    """Plan a file with these key-values, the tensors of a region, and after them other tensors.

    Raises `WriteError` for offsets that no reader accepts or that are not in the order of the tensors, and for far more
    padding than anything else.
    """
    infos, types, end = [], {tensor.type.value for tensor in tensors}, 0
    if region is not None:
        infos, end = region.infos(serializer), region.nbytes
        types.update(region.tensors.header.tensor_infos.type_id.tolist())
    offsets = []
    for tensor in tensors:
        offset = align(end, alignment) if tensor.offset is None else tensor.offset
        message = offset_range(offset, tensor.nbytes, 0) or offset_alignment(offset, alignment)
        if offset < end:
            message = message or f"offset {offset} is before {end}, where the data of the previous tensor ends"
        if message:
            raise WriteError(f"tensor {quoted(tensor.name)}: {message}")
        infos.append(tensor_info(serializer, tensor.name, tensor.shape[::-1], tensor.type, offset))
        offsets.append(offset)
        end = offset + tensor.nbytes
    required = required_keys(metadata, types, alignment)
    header = serializer.header(metadata.key_values(required.items()), infos)
    nbytes = sum(map(len, header))
    padding = -nbytes % alignment
    if tensors and (message := offset_range(end, 0, nbytes + padding)):
        raise WriteError(f"tensor {quoted(tensors[-1].name)}: {message}")
    for message in () if region is None else misplaced_tensors(region.tensors.header, alignment, nbytes + padding):
        raise WriteError(message)
    stored = sum(tensor.nbytes for tensor in tensors) + (0 if region is None else region.nbytes)
    added = padding
    if tensors:
        added += align(end, alignment) - stored
    elif region is None or region.keeps_padding(padding) or source_of(region.tensors).nbytes == region.header_end:
        added = 0  # the padding exists already, or no data follows
    check_padding(added, nbytes + stored, alignment=alignment, allowed=allow_padding)
    return Plan(header, padding, offsets, required)


def tensor_info(serializer: Serializer, name: str, dims: Sequence[int], type_id: int, offset: int) -> bytes:
    """Return the bytes of a tensor info. Raises `WriteError`, which names the tensor, for dims that do not fit."""
    try:
        return serializer.tensor_info(encode(name), dims, type_id, offset)
    except WriteError as error:
        raise WriteError(f"tensor {name!r}: {error}") from None


def declared(name: str, shape: Iterable[int], type: GGMLType | DTypeLike | int, offset: int | None = None) -> Declared:
    """Return a tensor of a shape in numpy's order.

    Raises `WriteError` if GGUF can't have such a tensor, and TypeError if a size or the offset is not an integer.
    """
    if isinstance(shape, str | bytes) or not isinstance(shape, Iterable):
        raise TypeError(f"tensor {name!r}: the shape must be a sequence of integers, not {shape!r:.60}")
    sizes = tuple(shape)
    if not are_ints(sizes):
        sizes = tuple(integer(size, f"tensor {name!r}: a number in the shape") for size in sizes)
    known = type if isinstance(type, GGMLType) else known_type(name, type)
    nbytes, message = _measured(sizes, known)
    if offset is not None:
        offset = integer(offset, f"tensor {name!r}: the offset")
        message = message or (f"offset {offset} is negative" if offset < 0 else offset_range(offset, nbytes, 0))
    if message:
        raise WriteError(f"tensor {quoted(name)}: {message}")
    return Declared(name, sizes, known, nbytes, offset)


@lru_cache(256)  # the tensors of a model have few different shapes
def _measured(shape: tuple[int, ...], type: GGMLType) -> tuple[int, str | None]:
    """Return the size of a tensor in bytes, and what is wrong with its shape; None if nothing is."""
    dims = shape[::-1]
    if len(shape) > MAX_DIMS:
        return 0, f"it has {len(shape)} dims, expected at most {MAX_DIMS}"
    if any(size < 0 for size in shape):
        return 0, f"the shape {shape} has a negative number"
    return count_nbytes(dims, type), dims_overflow(dims, type) or row_blocks(dims, type)


def known_type(name: str, type: Any) -> GGMLType:
    """Return the type of a tensor, which may be given as a dtype. "I8" is ggml's int8, and "i8" is numpy's int64.

    Raises `UnknownTypeError`, or TypeError for a dtype that no type has.
    """
    try:
        return _type_of(type)
    except (UnknownTypeError, TypeError) as error:
        raise error.__class__(f"tensor {name!r}: {error}") from None


def _type_of(type: Any) -> GGMLType:
    if type is None:  # numpy reads it as float64
        raise TypeError("expected a GGMLType or a dtype, not None")
    if isinstance(type, int | np.integer) or (isinstance(type, str) and type in GGMLType.__members__):
        return ggml_type(type)
    try:
        # numpy knows bfloat16 only once ml_dtypes is imported
        dtype_name = type if isinstance(type, str) and type in _PLAIN_TYPES else _name_of(np.dtype(type))
    except (TypeError, ValueError):
        return ggml_type(type)
    if dtype_name in _PLAIN_TYPES:
        return _PLAIN_TYPES[dtype_name]
    if isinstance(type, str) and type.upper() in GGMLType.__members__:
        return ggml_type(type)
    is_blocks = dtype_name == "uint8" or dtype_name.startswith("void")
    hint = "for blocks, give their type, such as 'Q8_0'" if is_blocks else "convert it to a type that ggml has"
    raise TypeError(f"ggml has no {dtype_name} tensors; {hint}")


@lru_cache(64)
def _name_of(dtype: np.dtype[Any]) -> str:
    return dtype.name  # numpy computes it each time, which takes microseconds
