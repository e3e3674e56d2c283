"""The fields of a file in gguf-py's form: key-values and tensor infos, each as a list of parts."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.gguf_py.enums import GGUFValueType
from kaitai_gguf.gguf_py.errors import InvalidKeyError
from kaitai_gguf.gguf_py.lazy_lists import Indices
from kaitai_gguf.gguf_py.parts import File, NestedIndices, NestedParts, NumberParts, Parts, Place, StringParts
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, ValueType

__all__ = ["ReaderField", "metadata_fields", "tensor_fields"]

_TYPES = {int(each): GGUFValueType(each) for each in ValueType}


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
        parts = map(self.parts.__getitem__, chosen)
        if is_text:
            return [_value(part, is_text) for part in parts]
        return [value for part in parts for value in part.tolist()]


def _value(part: NDArray[Any], is_text: bool) -> Any:
    return str(part.tobytes(), "utf-8") if is_text else part.tolist()[0]


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
            fields[name] = ReaderField(position, name, *_array(file, first, value, next(arrays)))
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


def _array(file: File, first: list[Place], value: int, info: ArrayInfo) -> tuple[Parts, Sequence[int], list[Any]]:
    """Return the parts, data and types of a key-value whose value is the array at a position.

    `first` has the places of the parts before the array.
    """
    first += file.array_start(value, info)
    count = info.num_elements
    types = [_TYPES[type] for type in _array_types(file.header, info)]
    if info.element_type is ValueType.ARRAY:
        parts = NestedParts(file, first, info)
        return parts, NestedIndices(parts), types
    if info.element_type is ValueType.STRING:
        texts = range(len(first) + 1, len(first) + 1 + 2 * count, 2)
        return StringParts(file, first, info), Indices(texts), types
    return NumberParts(file, first, info), Indices(range(len(first), len(first) + count)), types


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
