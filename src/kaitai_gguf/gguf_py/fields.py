"""Fields and tensors in gguf-py's form. A field is a key-value or a tensor info, as a list of parts."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import MissingDataError
from kaitai_gguf.gguf_py.enums import GGUFValueType, tensor_type
from kaitai_gguf.gguf_py.errors import InvalidKeyError
from kaitai_gguf.gguf_py.parts import File, Indices, NestedIndices, Parts, Place
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, ValueType
from kaitai_gguf.text import quoted
from kaitai_gguf.types import ByteOrder, GGMLType, block_size, is_quantized, plain_dtype, type_size

_TYPES = {int(each): GGUFValueType(each) for each in ValueType}
_TENSOR_TYPES = {type.value: type for type in GGMLType}


class ReaderField(NamedTuple):
    """A key-value or a tensor info. A named tuple, as in gguf-py."""

    offset: int
    """Where the field starts, in bytes from the start of the file."""
    name: str
    """The key or the tensor name; `GGUF.version`, `GGUF.tensor_count` or `GGUF.kv_count` for the first three fields."""
    parts: Sequence[NDArray[Any]] = []
    """Views of the file, as a lazy sequence. A key-value consists of the key's length, the key, the type and the parts
    of the value: for a string its length and bytes, for an array its element type, count and the parts of its elements.
    """
    data: Sequence[int] = [-1]
    """The indices of the parts with the value: one, or one for each element of an array (a lazy sequence)."""
    types: list[Any] = []  # noqa: RUF012 - as in gguf-py, and nothing appends to it
    """The type of the value, followed by the element type if it is an array with elements. Empty for a tensor info."""

    def contents(self, index_or_slice: int | slice = slice(None)) -> Any:
        """Return the value as a Python object; None for a tensor info.

        `index_or_slice` selects elements of an array. Raises UnicodeDecodeError for a string that is not UTF-8,
        IndexError for an element that doesn't exist.
        """
        if not self.types:
            return None
        is_text = self.types[-1] == GGUFValueType.STRING
        if self.types[0] != GGUFValueType.ARRAY:
            return _value(self.parts[-1], is_text)
        chosen = self.data[index_or_slice]
        if isinstance(chosen, int):
            return _value(self.parts[chosen], is_text)
        parts: Iterator[Any] = map(self.parts.__getitem__, chosen)
        if is_text:
            return [str(part, "utf-8") for part in parts]
        return [value for part in parts for value in part.tolist()]


def _value(part: Any, is_text: bool) -> Any:
    return str(part, "utf-8") if is_text else part.tolist()[0]


def metadata_fields(file: File) -> "OrderedDict[str, ReaderField]":
    """Return the version, the counts and all key-values, by name, in file order."""
    fields = OrderedDict((field.name, field) for field in _counts(file))
    header = file.header
    table, names = header.key_values, header.keys
    is_array = table.value_type == ValueType.ARRAY
    arrays = iter(header.arrays(table.value[is_array]))
    rows = zip(*(column.tolist() for column in table), strict=True)
    for name, (position, key_start, key_end, value_type, value, end) in zip(names, rows, strict=True):
        if name in fields:  # keys are unique, so it is one of the first three
            message = f"key {name!r} is reserved for a field that every file has"
            raise InvalidKeyError(message, offset=position, path=f"/metadata/{len(fields) - 3}/key")
        first = [*file.text(position, key_start, key_end), file.number(key_end, value)]
        if value_type == ValueType.ARRAY:
            info = next(arrays)
            first += file.array_start(value, info)
            parts, types = Parts(file, first, info), [_TYPES[type] for type in _array_types(header, info)]
            before, step = (len(first) + 1, 2) if info.element_type is ValueType.STRING else (len(first), 1)
            is_nested = info.element_type is ValueType.ARRAY
            data = NestedIndices(parts) if is_nested else Indices(range(before, len(parts), step))
            fields[name] = ReaderField(position, name, parts, data, types)
            continue
        if value_type == ValueType.STRING:
            text_start = value + (key_start - position)  # all lengths in a file have the same width
            first += file.text(value, text_start, end)
        else:
            first.append(Place(file.dtype(ValueType(value_type)), value, end))
        fields[name] = ReaderField(position, name, Parts(file, first), [len(first) - 1], [_TYPES[value_type]])
    return fields


def _counts(file: File) -> Iterator[ReaderField]:
    """Yield the fields before the first key-value."""
    _, body = file.fields.read("gguf", 0, file.header.end)
    for name, place in zip(("GGUF.version", "GGUF.tensor_count", "GGUF.kv_count"), body.parts, strict=True):
        number = file.number(place.start, place.end)
        type = ValueType.UINT32 if number.dtype.itemsize == 4 else ValueType.UINT64
        yield ReaderField(place.start, name, Parts(file, [number]), [0], [_TYPES[type]])


def _array_types(header: Header, info: ArrayInfo) -> Iterator[ValueType]:
    """Yield the type of an array, of its first element, of that element's first element, and so on."""
    yield ValueType.ARRAY
    while info.num_elements:
        yield info.element_type
        if info.element_type is not ValueType.ARRAY:
            return
        info = header.array(info.elements)


def tensor_fields(file: File) -> list[ReaderField]:
    """Return all tensor infos in file order.

    Their parts are the name's length, the name, the number of dims, the dims, the type and the offset.
    """
    header = file.header
    if not len(header.tensors):
        return []
    table, names = header.tensor_infos, header.names
    ends = np.append(table.position[1:], header.end)
    spans = file.fields.spans("tensor_info", table.name_end, ends, after="name")
    columns = [table.position, table.name_start, table.name_end]
    columns += [each for name in ("num_dims", "dims", "type_id", "ofs_data") for each in spans[name]]
    rows = zip(*(column.tolist() for column in columns), strict=True)
    return [
        ReaderField(row[0], name, Parts(file, _tensor_places(file, *row)), [1, 3, 4, 5])
        for name, row in zip(names, rows, strict=True)
    ]


def _tensor_places(file: File, position: int, name_start: int, name_end: int, *rest: int) -> list[Place]:
    length, name = file.text(position, name_start, name_end)
    num_dims, dims, type_id, offset = zip(rest[::2], rest[1::2], strict=True)
    number = file.number
    return [length, name, number(*num_dims), Place(length.dtype, *dims), number(*type_id), number(*offset)]


class ReaderTensor(NamedTuple):
    """A tensor. A named tuple, as in gguf-py."""

    name: str
    tensor_type: Any
    """A member of `GGMLQuantizationType`; an `UnknownTensorType`, which is an int, for an unknown type."""
    shape: NDArray[np.uint64]
    """The dims in ggml order: `shape[0]` is the row length. `data.shape` is in numpy's order."""
    n_elements: int
    n_bytes: int
    """The size of the data in bytes; 0 if the type is unknown."""
    data_offset: int
    """Where the data starts, in bytes from the start of the file."""
    data: NDArray[Any]
    """A view of the file: elements for F16, F32, F64 and integers; rows of bytes as uint8 for all other types."""
    field: ReaderField


def tensor_of(file: NDArray[np.uint8], byte_order: ByteOrder, start: int, field: ReaderField) -> ReaderTensor:
    """Return the tensor that a tensor info describes. `start` is where the data of all tensors starts, in bytes.

    Raises `MissingDataError` if the file ends before the tensor's data does.
    """
    dims, type_id, offset = field.parts[3], int(field.parts[4][0]), int(field.parts[5][0])
    type, shape = _TENSOR_TYPES.get(type_id), tuple(dims.tolist()[::-1])
    n_bytes = 0 if type is None else prod(shape) // block_size(type) * type_size(type)
    raw = file[start + offset : start + offset + n_bytes]
    if len(raw) < n_bytes:
        message = f"expected {n_bytes} bytes at {start + offset:#x}, but the file has {len(raw)} there"
        raise MissingDataError(f"tensor {quoted(field.name)}: its data is cut off: {message}")
    return ReaderTensor(
        field.name,
        tensor_type(type_id),
        dims if dims.itemsize == 8 else dims.astype(np.uint64),  # version 1 has dims of 32 bits
        prod(shape),
        n_bytes,
        start + offset,
        raw if type is None else _shaped(raw, type, shape, byte_order),
        field,
    )


def _shaped(raw: NDArray[np.uint8], type: GGMLType, shape: tuple[int, ...], byte_order: ByteOrder) -> NDArray[Any]:
    if is_quantized(type) or type is GGMLType.BF16:
        *outer, row = shape or (1,)
        return raw.reshape(*outer, row // block_size(type) * type_size(type))
    dtype = np.dtype(plain_dtype(type, byte_order).str)  # normalizes the machine's own byte order to "=", as in gguf-py
    return raw.view(dtype).reshape(shape)
