"""The fields of a file as gguf-py has them: key-values and tensor infos, each in its parts."""

from collections import OrderedDict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.gguf_py.enums import GGUFValueType
from kaitai_gguf.gguf_py.errors import InvalidKeyError
from kaitai_gguf.gguf_py.lazy_lists import Indices
from kaitai_gguf.gguf_py.parts import File, NestedIndices, NestedParts, NumberParts, Parts, Place, StringParts
from kaitai_gguf.schema import ArrayInfo, Reader, ValueType, header_spans, tensor_info_spans

__all__ = ["ReaderField", "metadata_fields", "tensor_fields"]

_TYPES = {int(each): GGUFValueType(each) for each in ValueType}


class ReaderField(NamedTuple):
    """A key-value or a tensor info: a named tuple, as in gguf-py."""

    offset: int
    """Where it starts, in bytes from the start of the file."""
    name: str
    """The key or the name of the tensor; `GGUF.version`, `GGUF.tensor_count` or `GGUF.kv_count`."""
    parts: Sequence[NDArray[Any]] = []
    """Views of the file: of a key-value the length of the key, the key, the type, and what the value is made of. A
    string has a length and bytes, an array an element type, a count and the parts of its elements. A lazy sequence.
    """
    data: Sequence[int] = [-1]
    """Which parts are the value: one, or each element of an array. A list, or for an array a lazy sequence."""
    types: list[Any] = []  # noqa: RUF012 - as in gguf-py, and nobody appends to it
    """The type of the value; for an array that is not empty also that of its elements. Empty for a tensor info."""

    def contents(self, index_or_slice: int | slice = slice(None)) -> Any:
        """Return the value as a Python object, or the elements of an array that are asked for; None for a tensor info.

        Raises UnicodeDecodeError for a string that is not UTF-8, IndexError for an element that doesn't exist.
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
    table = file.reader.key_values()
    names = file.reader.texts(table.key_start, table.key_end)
    is_array = table.value_type == ValueType.ARRAY
    arrays = iter(file.reader.arrays(table.value[is_array]))
    rows = zip(*(column.tolist() for column in table), strict=True)
    for name, (position, key_start, key_end, value_type, value, end) in zip(names, rows, strict=True):
        if name in fields:  # keys are unique: it is one of the first three
            message = f"the key {name!r} is also the name of a field that every file has"
            raise InvalidKeyError(message, offset=position, path=f"/metadata/{len(fields) - 3}/key")
        first = [*file.text(position, key_start, key_end), file.number(key_end, value)]
        if value_type == ValueType.ARRAY:
            fields[name] = ReaderField(position, name, *_array(file, first, value, next(arrays)))
            continue
        if value_type == ValueType.STRING:
            text_start = value + (key_start - position)  # a length is as long as that of the key
            first += file.text(value, text_start, end)
        else:
            first.append(Place(file.dtype(ValueType(value_type)), value, end))
        fields[name] = ReaderField(position, name, Parts(file, first), [len(first) - 1], [_TYPES[value_type]])
    return fields


def _counts(file: File) -> Iterator[ReaderField]:
    """The fields before the first key-value."""
    spans = header_spans(file.reader)
    for name, (start, end) in zip(("GGUF.version", "GGUF.tensor_count", "GGUF.kv_count"), spans, strict=True):
        type = ValueType.UINT32 if end - start == 4 else ValueType.UINT64
        yield ReaderField(start, name, Parts(file, [file.number(start, end)]), [0], [_TYPES[type]])


def _array(file: File, first: list[Place], value: int, info: ArrayInfo) -> tuple[Parts, Sequence[int], list[Any]]:
    """The parts, data and types of the array at a position; the first parts are those before it."""
    first += file.array_start(value, info)
    count = info.num_elements
    types = [_TYPES[type] for type in _array_types(file.reader, info)]
    if info.element_type is ValueType.ARRAY:
        parts = NestedParts(file, first, info)
        return parts, NestedIndices(parts), types
    if info.element_type is ValueType.STRING:
        texts = range(len(first) + 1, len(first) + 1 + 2 * count, 2)
        return StringParts(file, first, info), Indices(texts), types
    return NumberParts(file, first, info), Indices(range(len(first), len(first) + count)), types


def _array_types(reader: Reader, info: ArrayInfo) -> Iterator[ValueType]:
    """The types of an array, its first element, the first element of that, as long as there is one."""
    yield ValueType.ARRAY
    while info.num_elements:
        yield info.element_type
        if info.element_type is not ValueType.ARRAY:
            return
        info = reader.array(info.elements)


def tensor_fields(file: File) -> list[ReaderField]:
    """Return all tensor infos in file order.

    Their parts are the length and the bytes of the name, the number of dims, the dims, the type, and the offset.
    """
    reader = file.reader
    if not reader.num_tensors:
        return []
    table = reader.tensor_infos()
    names = reader.texts(table.name_start, table.name_end)
    ends = np.append(table.position[1:], reader.end)
    columns = (column.tolist() for column in (table.position, table.name_start, table.name_end, ends))
    spans = zip(*columns, strict=True)
    return [
        ReaderField(span[0], name, Parts(file, _tensor_places(file, *span)), [1, 3, 4, 5])
        for name, span in zip(names, spans, strict=True)
    ]


def _tensor_places(file: File, position: int, name_start: int, name_end: int, end: int) -> list[Place]:
    length, name = file.text(position, name_start, name_end)
    spans = tensor_info_spans(name_end, end)
    dims = Place(length.dtype, *spans.dims)
    return [length, name, file.number(*spans.num_dims), dims, file.number(*spans.type_id), file.number(*spans.offset)]
