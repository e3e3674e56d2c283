"""The input of the rules: a header as columns, one number per item, whether or not `open()` accepts the file."""

import os
import re
from collections.abc import Iterable
from functools import cached_property, partial

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.layout_rules import Breach
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules import nested_arrays
from kaitai_gguf.rules.nested_arrays import Arrays
from kaitai_gguf.rules.rule import Place
from kaitai_gguf.schema import BLOCKS, ArrayInfo, ValueType
from kaitai_gguf.sources import Source, opened
from kaitai_gguf.sources.urls import absolute_path
from kaitai_gguf.standard_values import is_later_shard
from kaitai_gguf.text import quoted

ARCHITECTURE = "general.architecture"

MAX = (1 << 64) - 1


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

    @cached_property
    def arrays(self) -> Arrays:
        """All arrays, nested ones included."""
        return nested_arrays.arrays(self.header, self.key_values)

    def array(self, key: str) -> ArrayInfo | None:
        """Return the array that is the value of a key; None if it is missing or not an array."""
        item = self.header.key_value(key)
        return None if item is None else self.header.array_of(item)

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
    def sizes(self) -> list[int | None]:
        """The size of each tensor in bytes, however large; None if its type is unknown or a row is not whole blocks."""
        sizes: list[int | None] = layout_rules.sizes(self.tensors).tolist()
        for row in map(int, layout_rules.overflowing(self.tensors)):
            sizes[row] = layout_rules.count_nbytes(self.dims(row), int(self.tensors.type_id[row]))
        unknown = np.flatnonzero(~np.isin(self.tensors.type_id, list(BLOCKS))).tolist()
        for row in (*unknown, *(breach.row for breach in layout_rules.partial_rows(self.tensors))):
            sizes[row] = None
        return sizes

    @cached_property
    def breaches(self) -> dict[str, list[Breach]]:
        """The tensors that break a rule of the layout, by the id of the rule."""
        nbytes = np.array([min(size or 0, MAX) for size in self.sizes], np.uint64)
        breaches: dict[str, Iterable[Breach]] = {
            "dims-overflow": layout_rules.overflows(self.tensors),
            "row-blocks": layout_rules.partial_rows(self.tensors),
            "offset-range": layout_rules.out_of_range(self.tensors, nbytes, self.header.data_offset),
            "offset-alignment": layout_rules.misaligned(self.tensors, self.header.alignment or 1),
            "overlap": layout_rules.overlaps(self.tensors.offset, nbytes, self.header.names.__getitem__),
        }
        return {rule: list(each) for rule, each in breaches.items()}

    @cached_property
    def out_of_range(self) -> set[int]:
        """The tensors whose data would be beyond the end of any file."""
        return {breach.row for breach in self.breaches["offset-range"]}

    @cached_property
    def misplaced(self) -> set[int]:
        """The tensors at impossible offsets, which other rules do not report again."""
        breaches = self.breaches["offset-alignment"] + self.breaches["overlap"]
        return {breach.row for breach in breaches} | self.out_of_range

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

    def element_place(self, path: str, array: ArrayInfo, index: int, message: str, count: int) -> Place:
        """Return a place at the first invalid element of the array at a path, which represents all `count` of them."""
        if array.element_type is ValueType.STRING:
            offset = int(self.header.items(array, index + 1)[0][index])
        else:
            offset = array.elements + index * np.dtype(array.element_type.name.lower()).itemsize
        return Place(offset, f"{path}/elements/{index}", message, count)

    def tensor_place(self, number: int, field: str, message: str) -> Place:
        """Return a place at a field of a tensor info: "name", "num_dims", "dims", "type_id" or "ofs_data"."""
        return self.place(f"/tensors/{number}/{field}", f"tensor {quoted(self.header.names[number])}: {message}")

    def missing_key(self, message: str) -> Place:
        """Return a place for a missing key: the start of the key-values."""
        start = self.key_values.position[0] if len(self.key_values.position) else self.header.end
        return Place(int(start), "/metadata", message)


_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8 are decoded as lone surrogates


def not_utf8(texts: list[str]) -> list[int]:
    """Return the indices of texts that are not UTF-8."""
    is_invalid = _NOT_UTF8.search
    return [index for index, text in enumerate(texts) if not text.isascii() and is_invalid(text)]


def duplicates(texts: list[str]) -> list[int]:
    """Return the indices of texts that occur earlier, too."""
    firsts = {text: index for index, text in reversed(list(enumerate(texts)))}
    return [index for index, text in enumerate(texts) if firsts[text] < index]
