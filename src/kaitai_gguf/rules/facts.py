"""The input of the rules: a header as columns, one number per item, whether or not `open()` accepts the file."""

import os
import re
from collections.abc import Iterable
from functools import cached_property, partial
from typing import NamedTuple

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.layout_rules import Breach
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules import nested_arrays
from kaitai_gguf.rules.nested_arrays import ArrayAt
from kaitai_gguf.rules.rule import Place
from kaitai_gguf.schema import BLOCKS, IntArray, ValueType
from kaitai_gguf.sources import Source, opened
from kaitai_gguf.sources.urls import absolute_path
from kaitai_gguf.standard_keys import KeyType, standard_types
from kaitai_gguf.standard_values import is_later_shard
from kaitai_gguf.text import quoted
from kaitai_gguf.types import value_dtype

ARCHITECTURE = "general.architecture"

MAX = (1 << 64) - 1


class Typed(NamedTuple):
    """A standard key."""

    number: int
    key: str
    types: tuple[KeyType, ...]
    """The types that its value may have."""
    actual: KeyType
    """The type that its value has."""


class Facts:
    """One file whose header can be read to its end. Raises `FormatError` if it can't."""

    def __init__(self, source: Source, path: str | None = None, shards: dict[str, "Facts"] | None = None) -> None:
        self.header = Header(source.buffer, nbytes=source.nbytes)
        self.source = source
        is_here = source.ranges is None
        self.name = os.path.basename(source.name) if source.name is not None and is_here else None
        """The name of the file without its folder; None if it has none, or the file is not on this machine."""
        self.path = path if is_here else None
        """The path that was given; None for bytes, file objects and files that are not on this machine."""
        self.shards = {} if shards is None else shards
        """The shards of models that were read before, by absolute path."""
        self.nbytes = source.nbytes
        self.key_values = self.header.key_values
        self.tensors = self.header.tensor_infos

    def shard(self, path: str) -> "Facts":
        """Return the facts of another shard of the model, or this one. Each is read once. Raises as `opened` does."""
        place = absolute_path(path)
        if place not in self.shards:
            is_own = self.path is not None and absolute_path(self.path) == place
            self.shards[place] = self if is_own else opened(path, True, partial(Facts, path=path, shards=self.shards))
        return self.shards[place]

    @cached_property
    def file(self) -> GGUFFile:
        """The file as `open()` returns it. Raises `FormatError` if it refuses the file."""
        return read(self.source, self.header)

    def number(self, key: str) -> int | None:
        """Return the number of the key-value with this key, the first if it is duplicated."""
        item = self.header.key_value(key)
        return None if item is None else item.number

    def value_type(self, number: int) -> ValueType:
        return ValueType(int(self.key_values.value_type[number]))

    def integers(self, numbers: list[int]) -> list[int | None]:
        """Return the values of key-values; None for those that are not integers."""
        values: list[int | None] = [None] * len(numbers)
        types, positions = self.key_values.value_type[numbers], self.key_values.value[numbers]
        for type in map(ValueType, np.unique(types).tolist()):
            dtype = value_dtype(type, self.header.byte_order)
            if dtype is not None and dtype.kind in "iu":
                rows = np.flatnonzero(types == type)
                for row, value in zip(
                    rows.tolist(), self.header.numbers_at(dtype, positions[rows]).tolist(), strict=True
                ):
                    values[row] = value
        return values

    @cached_property
    def arrays(self) -> nested_arrays.Level:
        """The arrays that are values; `parent` is the number of the key-value."""
        numbers = np.flatnonzero(self.key_values.value_type == ValueType.ARRAY)
        return nested_arrays.values(self.header, numbers, self.key_values.value[numbers])

    def array(self, key: str) -> ArrayAt | None:
        """Return the array that is the value of a key; None if it is missing or not an array."""
        item = self.header.key_value(key)
        info = None if item is None else self.header.array_of(item)
        return None if item is None or info is None else ArrayAt(item.number, (), info)

    @cached_property
    def _levels(self) -> list[nested_arrays.Level]:
        return nested_arrays.levels(self.header, self.arrays)

    def arrays_of(self, type: ValueType) -> nested_arrays.Arrays:
        """The arrays, nested ones included, that have elements of a type."""
        return nested_arrays.arrays_of(self._levels, type)

    @cached_property
    def other_types(self) -> list[Typed]:
        """The standard keys whose values don't have the type that llama.cpp reads."""
        element_types = np.full(len(self.header.keys), -1)
        element_types[self.arrays.parent] = self.arrays.element_type
        actual = {
            pair: KeyType(ValueType(pair[0]), None if pair[1] < 0 else ValueType(pair[1]))
            for pair in set(zip(self.key_values.value_type.tolist(), element_types.tolist(), strict=True))
        }
        pairs = zip(self.key_values.value_type.tolist(), element_types.tolist(), strict=True)
        found = []
        for number, (key, pair) in enumerate(zip(self.header.keys, pairs, strict=True)):
            types = standard_types(key, self.architecture)
            if types and types[0] != actual[pair]:
                found.append(Typed(number, key, types, actual[pair]))
        return found

    @cached_property
    def architecture(self) -> str | None:
        return self.header.text(ARCHITECTURE)

    @cached_property
    def is_later_shard(self) -> bool:
        """Whether most keys are in another file, the first shard."""
        return is_later_shard(self.header.get)

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each tensor, from the start of the tensor data."""
        offsets: list[int] = self.tensors.offset.tolist()
        return offsets

    def dims(self, number: int) -> list[int]:
        dims: list[int] = self.tensors.dims[number, : self.tensors.num_dims[number]].tolist()
        return dims

    @cached_property
    def overflowing(self) -> list[int]:
        """The tensors whose elements or bytes don't fit in 63 bits."""
        rows: list[int] = layout_rules.overflowing(self.tensors).tolist()
        return rows

    @cached_property
    def sizes(self) -> list[int | None]:
        """The size of each tensor in bytes, however large; None if its type is unknown or a row is not whole blocks."""
        sizes: list[int | None] = layout_rules.sizes(self.tensors).tolist()
        rows = self.overflowing
        columns = (self.tensors.dims[rows], self.tensors.num_dims[rows], self.tensors.type_id[rows])
        for row, dims, count, type_id in zip(rows, *(column.tolist() for column in columns), strict=True):
            sizes[row] = layout_rules.count_nbytes(dims[:count], type_id)
        unknown = np.flatnonzero(~np.isin(self.tensors.type_id, list(BLOCKS))).tolist()
        for row in (*unknown, *(breach.row for breach in layout_rules.partial_rows(self.tensors))):
            sizes[row] = None
        return sizes

    @cached_property
    def _nbytes(self) -> IntArray:
        return np.array([min(size or 0, MAX) for size in self.sizes], np.uint64)

    @cached_property
    def out_of_range(self) -> list[int]:
        """The tensors whose data would be beyond the end of any file."""
        rows: list[int] = layout_rules.beyond_range(self.tensors, self._nbytes, self.header.data_offset).tolist()
        return rows

    @cached_property
    def breaches(self) -> dict[str, list[Breach]]:
        """The tensors that break another rule of the layout, by the id of the rule."""
        breaches: dict[str, Iterable[Breach]] = {
            "row-blocks": layout_rules.partial_rows(self.tensors),
            "offset-alignment": layout_rules.misaligned(self.tensors, self.header.alignment or 1),
            "overlap": layout_rules.overlaps(self.tensors.offset, self._nbytes, self.header.names.__getitem__),
        }
        return {rule: list(found) for rule, found in breaches.items()}

    @cached_property
    def misplaced(self) -> set[int]:
        """The tensors at impossible offsets, which other rules do not report again."""
        breaches = self.breaches["offset-alignment"] + self.breaches["overlap"]
        return {breach.row for breach in breaches} | set(self.out_of_range)

    def place(self, path: str, message: str) -> Place:
        """Return a place at a field of the header."""
        return Place(self.header.position(path), path, message)

    def key_value_place(self, number: int, field: str, message: str) -> Place:
        """Return a place at a field of a key-value: "key", "value_type" or "value"."""
        return self.place(f"/metadata/{number}/{field}", message)

    def value_place(self, key: str, message: str) -> Place:
        """Return a place at the value of an existing key."""
        number = self.number(key)
        assert number is not None
        return self.key_value_place(number, "value", message)

    def elements_place(self, array: ArrayAt, first: int, count: int, message: str) -> Place:
        """Return a place at the first invalid element of an array, which represents all `count` of them."""
        info = array.info
        if info.element_type is ValueType.STRING:
            offset = int(self.header.items(info._replace(num_elements=first + 1))[0][first])
        else:
            offset = info.elements + first * np.dtype(info.element_type.name.lower()).itemsize
        path = "".join(f"/elements/{index}" for index in (*array.nested, first))
        return Place(offset, f"/metadata/{array.number}/value{path}", message, count)

    def tensor_place(self, number: int, field: str, message: str) -> Place:
        """Return a place at a field of a tensor info: "name", "num_dims", "dims", "type_id" or "ofs_data"."""
        return self.place(f"/tensors/{number}/{field}", f"tensor {quoted(self.header.names[number])}: {message}")

    def data_place(self, number: int, message: str) -> Place:
        """Return a place at the data of a tensor."""
        return Place(self.header.data_offset + self.offsets[number], f"/tensors/{number}/data", message)

    def missing_key(self, message: str) -> Place:
        """Return a place for a missing key: the start of the key-values."""
        start = self.key_values.position[0] if len(self.key_values.position) else self.header.end
        return Place(int(start), "/metadata", message)


_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8 are decoded as lone surrogates


def not_utf8(texts: list[str]) -> list[int]:
    """Return the indices of texts that are not UTF-8."""
    is_invalid = _NOT_UTF8.search
    return [index for index, text in enumerate(texts) if not text.isascii() and is_invalid(text)]


def duplicates(texts: Iterable[str]) -> list[int]:
    """Return the indices of texts that occur earlier, too."""
    texts = list(texts)
    firsts = _firsts(texts)
    return [index for index, text in enumerate(texts) if firsts[text] < index]


def _firsts(texts: list[str]) -> dict[str, int]:
    """The first index of each text."""
    return {text: index for index, text in reversed(list(enumerate(texts)))}
