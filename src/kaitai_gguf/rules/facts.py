"""What rules look at: a header as columns, one number per item, whether or not `open()` accepts it."""

import os
from collections.abc import Iterable, Iterator
from functools import cached_property
from math import prod
from typing import Any, NamedTuple

import numpy as np

from kaitai_gguf.align import ALIGNMENT_KEY, DEFAULT_ALIGNMENT, LIMIT, align, check_alignment
from kaitai_gguf.arrays import decode, read_array
from kaitai_gguf.errors import FormatError
from kaitai_gguf.rules.rule import Place, quoted
from kaitai_gguf.schema import BLOCKS, ArrayInfo, Reader, ValueType
from kaitai_gguf.sources import Source

__all__ = ["ARCHITECTURE", "TOKENS", "ArrayAt", "Facts", "duplicates", "is_utf8", "not_utf8"]

ARCHITECTURE = "general.architecture"
TOKENS = "tokenizer.ggml.tokens"

EXACT = 1 << 62  # if a float estimate is less than this, int64 is exact


class ArrayAt(NamedTuple):
    """An array: the number of its key-value, its indices in the arrays around it, and the array itself."""

    number: int
    nested: tuple[int, ...]
    info: ArrayInfo

    def path(self, element: int | None = None) -> str:
        inner = self.nested if element is None else (*self.nested, element)
        return f"/metadata/{self.number}/value" + "".join(f"/elements/{each}" for each in inner)


class Facts:
    """One file whose header can be read to its end. Raises `FormatError` if it can't."""

    def __init__(self, source: Source, path: str | None = None) -> None:
        self.reader = Reader(source.buffer)
        self.source = source
        self.buf = source.buffer
        self.name = os.path.basename(source.name) if source.name is not None else None
        """The name of the file without its folder; None if it has none."""
        self.path = path
        """The path that was given; None for bytes and file objects."""
        self.nbytes = len(source.buffer)
        self.version = self.reader.version
        self.key_values = self.reader.key_values()
        self.tensors = self.reader.tensor_infos()

    @cached_property
    def keys(self) -> list[str]:
        return self.reader.texts(self.key_values.key_start, self.key_values.key_end)

    @cached_property
    def names(self) -> list[str]:
        """The names of the tensors."""
        return self.reader.texts(self.tensors.name_start, self.tensors.name_end)

    @cached_property
    def _numbers(self) -> dict[str, int]:
        return {key: number for number, key in reversed(list(enumerate(self.keys)))}

    def number(self, key: str) -> int | None:
        """Return the number of the key-value with this key, the first if it is duplicated."""
        return self._numbers.get(key)

    def value_type(self, number: int) -> ValueType:
        return ValueType(int(self.key_values.value_type[number]))

    def array(self, number: int) -> ArrayInfo | None:
        """Return the array of a key-value; None if its value is not an array."""
        if self.value_type(number) is not ValueType.ARRAY:
            return None
        return self.reader.array(int(self.key_values.value[number]))

    def get(self, key: str) -> Any:
        """Return the value of a key like `metadata[key]`; None if it is missing."""
        number = self.number(key)
        if number is None:
            return None
        info = self.array(number)
        if info:
            return read_array(self.reader, info)
        value = self.reader.scalar(int(self.key_values.position[number]))
        if isinstance(value, bytes):
            return decode(value)
        return bool(value) if self.value_type(number) is ValueType.BOOL else value

    def text(self, key: str) -> str | None:
        """Return the value of a key if it is a string."""
        value = self.get(key)
        return value if isinstance(value, str) else None

    def integer(self, key: str) -> int | None:
        """Return the value of a key if it is an integer."""
        value = self.get(key)
        return value if isinstance(value, int) and not isinstance(value, bool) else None

    @cached_property
    def string_and_bool_arrays(self) -> list[ArrayAt]:
        """The arrays whose elements can be invalid, nested ones included."""
        wanted = (ValueType.STRING, ValueType.BOOL)
        return [array for array in self._arrays() if array.info.num_elements and array.info.element_type in wanted]

    def _arrays(self) -> Iterator[ArrayAt]:
        for number in np.flatnonzero(self.key_values.value_type == ValueType.ARRAY).tolist():
            first = ArrayAt(number, (), self.reader.array(int(self.key_values.value[number])))
            levels: list[Iterator[ArrayAt]] = [iter([first])]
            while levels:
                array = next(levels[-1], None)
                if array is None:
                    levels.pop()
                    continue
                yield array
                if array.info.element_type is ValueType.ARRAY:
                    levels.append(self._elements(array))

    def _elements(self, array: ArrayAt) -> Iterator[ArrayAt]:
        """Of an array of arrays."""
        starts, _ = self.reader.array_items(array.info)
        for index, start in enumerate(starts.tolist()):
            yield ArrayAt(array.number, (*array.nested, index), self.reader.array(start))

    @cached_property
    def architecture(self) -> str | None:
        return self.text(ARCHITECTURE)

    @cached_property
    def is_later_shard(self) -> bool:
        """Whether most keys are in another file, the first shard."""
        return bool(self.integer("split.no"))

    @cached_property
    def alignment(self) -> int | None:
        """The alignment of tensors in bytes; None if it is invalid."""
        number = self.number(ALIGNMENT_KEY)
        if number is None:
            return DEFAULT_ALIGNMENT
        value = self.integer(ALIGNMENT_KEY)
        if self.value_type(number) is not ValueType.UINT32 or value is None:
            return None
        try:
            return check_alignment(value, offset=0, path="")
        except FormatError:
            return None

    @property
    def data_offset(self) -> int:
        """Where the tensor data starts; where the header ends if the alignment is invalid."""
        return align(self.reader.end, self.alignment or 1)

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each tensor, from the start of the tensor data."""
        offsets: list[int] = self.tensors.offset.tolist()
        return offsets

    def dims(self, number: int) -> list[int]:
        dims: list[int] = self.tensors.dims[number, : self.tensors.num_dims[number]].tolist()
        return dims

    @cached_property
    def sizes(self) -> list[int | None]:
        """The size of each tensor in bytes, however large; None if its type is unknown or a row is not whole blocks."""
        tensors, count = self.tensors, len(self.tensors.position)
        present = np.arange(tensors.dims.shape[1]) < tensors.num_dims[:, None]
        dims = np.where(present, tensors.dims, 1)
        rows = dims[:, 0].astype(np.uint64) if dims.shape[1] else np.ones(count, np.uint64)
        blocks, type_sizes = np.ones(count, np.uint64), np.zeros(count, np.uint64)
        for type_id in set(tensors.type_id.tolist()) & set(BLOCKS):
            has_type = tensors.type_id == type_id
            blocks[has_type], type_sizes[has_type] = BLOCKS[type_id].num_elements, BLOCKS[type_id].size
        is_sized = (type_sizes > 0) & (rows % blocks == 0)
        is_large = np.maximum(dims, 1).astype(np.float64).prod(axis=1) * type_sizes >= EXACT
        sizes = dims.prod(axis=1, dtype=np.uint64) // blocks * type_sizes
        exact: list[int | None] = sizes.tolist()
        for number in np.flatnonzero(is_large).tolist():
            exact[number] = int(prod(self.dims(number))) // int(blocks[number]) * int(type_sizes[number])
        for number in np.flatnonzero(~is_sized).tolist():
            exact[number] = None
        return exact

    @cached_property
    def beyond(self) -> list[int]:
        """The tensors whose data would be beyond the end of any file."""
        limit = LIMIT - self.data_offset
        return [
            number
            for number, (offset, size) in enumerate(zip(self.offsets, self.sizes, strict=True))
            if offset + (size or 0) >= limit
        ]

    @cached_property
    def overlaps(self) -> list[tuple[int, int]]:
        """Pairs of tensors: the data of the first begins inside the data of the second."""
        found = []
        last, end = -1, 0
        for number in sorted((i for i, size in enumerate(self.sizes) if size), key=self.offsets.__getitem__):
            if self.offsets[number] < end:
                found.append((number, last))
            if self.offsets[number] + (self.sizes[number] or 0) > end:
                last, end = number, self.offsets[number] + (self.sizes[number] or 0)
        return found

    @cached_property
    def misplaced(self) -> set[int]:
        """The tensors at impossible offsets: some rules report them, so that others need not."""
        misaligned = {number for number, offset in enumerate(self.offsets) if offset % (self.alignment or 1)}
        return misaligned | set(self.beyond) | {number for number, _ in self.overlaps}

    def key_value_place(self, number: int, field: str, message: str) -> Place:
        """A field of a key-value: "key", "value_type" or "value"."""
        position = int(self.key_values.position[number])
        offset = self.reader.field_position("key_value", position, field)
        return Place(offset, f"/metadata/{number}/{field}", message)

    def tensor_place(self, number: int, field: str, message: str) -> Place:
        """A field of a tensor info: "name", "num_dims", "dims", "type_id" or "ofs_data"."""
        position = int(self.tensors.position[number])
        offset = self.reader.field_position("tensor_info", position, field)
        return Place(offset, f"/tensors/{number}/{field}", f"tensor {quoted(self.names[number])}: {message}")

    def data_place(self, number: int, message: str) -> Place:
        """The data of a tensor."""
        return Place(self.data_offset + self.offsets[number], f"/tensors/{number}/data", message)

    def missing_key(self, message: str) -> Place:
        """A missing key: the place is where the key-values start."""
        start = self.key_values.position[0] if len(self.key_values.position) else self.reader.end
        return Place(int(start), "/metadata", message)


def is_utf8(text: str) -> bool:
    """Return whether the bytes were UTF-8: other bytes are decoded into lone surrogates."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def not_utf8(texts: list[str]) -> list[int]:
    """Return which of the texts are not UTF-8. The common case, none, is checked for all at once."""
    return [] if is_utf8("".join(texts)) else [index for index, text in enumerate(texts) if not is_utf8(text)]


def duplicates(texts: Iterable[str]) -> list[int]:
    """Return the indices of texts that occur earlier, too."""
    seen: set[str] = set()
    found = []
    for index, text in enumerate(texts):
        if text in seen:
            found.append(index)
        else:
            seen.add(text)
    return found
