"""The input of the rules: a header, whether or not `open()` accepts the file, and what several rules ask about it."""

import os
import re
from collections.abc import Iterable, Iterator
from functools import cached_property, partial
from itertools import chain

import numpy as np

from kaitai_gguf import layout_rules
from kaitai_gguf.layout_rules import Breach
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.header import Header
from kaitai_gguf.rules.lists import Lists
from kaitai_gguf.rules.rule import Place
from kaitai_gguf.schema import BLOCKS, ArrayInfo, IntArray, ValueType
from kaitai_gguf.sources import Source, opened
from kaitai_gguf.sources.urls import absolute_path
from kaitai_gguf.text import quoted

ARCHITECTURE = "general.architecture"

CHUNK = 1 << 16  # strings decoded together

_MAX = (1 << 64) - 1


class Facts:
    """One file whose header can be read to its end. Raises `FormatError` if it can't.

    `name` is the name of the file without its folder, `path` is the path that was given. Both are None for a file that
    is not on this machine. `shards` are the shards of models that were read before, by absolute path.
    """

    def __init__(self, source: Source, path: str | None = None, shards: "dict[str, Facts] | None" = None) -> None:
        self.source = source
        self.header = Header(source.buffer, nbytes=source.nbytes)
        self.key_values, self.tensors = self.header.key_values, self.header.tensor_infos
        is_here = source.ranges is None
        self.name = os.path.basename(source.name) if source.name is not None and is_here else None
        self.path = path if is_here else None
        self.shards = {} if shards is None else shards

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

    @cached_property
    def lists(self) -> Lists:
        """All values, those in nested arrays included."""
        return Lists.of(self.header, self.key_values)

    @property
    def architecture(self) -> str | None:
        return self.header.text(ARCHITECTURE)

    def has(self, key: str) -> bool:
        return self.header.key_value(key) is not None

    def array(self, key: str) -> ArrayInfo | None:
        """Return the array that is the value of a key; None if it is missing or not an array."""
        item = self.header.key_value(key)
        return None if item is None else self.header.array_of(item)

    def strings(self, key: str) -> Iterator[str]:
        """Yield the elements of an array of strings; none of any other value."""
        array = self.array(key)
        if array is not None and array.element_type is ValueType.STRING and array.num_elements:
            span = np.array([[array.elements], [array.num_elements]])
            starts = self.header.element_starts(ValueType.STRING, *span)
            yield from chain.from_iterable(text_chunks(self.header, starts))

    def dims(self, number: int) -> list[int]:
        dims: list[int] = self.tensors.dims[number, : self.tensors.num_dims[number]].tolist()
        return dims

    @cached_property
    def offsets(self) -> list[int]:
        """The offset of each tensor, from the start of the tensor data."""
        offsets: list[int] = self.tensors.offset.tolist()
        return offsets

    @cached_property
    def sizes(self) -> list[int | None]:
        """The size of each tensor in bytes, however large; None if its type is unknown or a row is not whole blocks."""
        sizes: list[int | None] = layout_rules.sizes(self.tensors).tolist()
        for row, *_ in layout_rules.overflows(self.tensors):
            sizes[row] = layout_rules.count_nbytes(self.dims(row), int(self.tensors.type_id[row]))
        unknown = np.flatnonzero(~np.isin(self.tensors.type_id, list(BLOCKS))).tolist()
        for row in (*unknown, *(breach.row for breach in layout_rules.partial_rows(self.tensors))):
            sizes[row] = None
        return sizes

    @cached_property
    def expected(self) -> list[int | None]:
        """Where ggml expects each tensor, and what would follow the last; None after one whose size is not known."""
        alignment, ends = self.header.alignment or 1, zip(self.offsets, self.sizes, strict=True)
        return [0, *(None if size is None else layout_rules.align(offset + size, alignment) for offset, size in ends)]

    @cached_property
    def breaches(self) -> dict[str, list[Breach]]:
        """The tensors at impossible offsets, by the id of the rule."""
        nbytes = np.array([min(size or 0, _MAX) for size in self.sizes], np.uint64)
        return {
            "offset-range": list(layout_rules.out_of_range(self.tensors, nbytes, self.header.data_offset)),
            "offset-alignment": list(layout_rules.misaligned(self.tensors, self.header.alignment or 1)),
            "overlap": list(layout_rules.overlaps(self.tensors.offset, nbytes, self.header.names.__getitem__)),
        }

    @cached_property
    def misplaced(self) -> set[int]:
        """The tensors at impossible offsets, which other rules do not report again."""
        return {breach.row for breaches in self.breaches.values() for breach in breaches}

    def value_place(self, key: str, message: str, field: str = "value") -> Place:
        """Return a place at the value of an existing key, or at another field of its key-value."""
        item = self.header.key_value(key)
        assert item is not None
        return Place(f"/metadata/{item.number}/{field}", message)

    def missing_key(self, message: str, total: int = 1) -> Place:
        """Return a place for missing keys: the start of the key-values."""
        start = self.key_values.position[0] if len(self.key_values.position) else self.header.end
        return Place("/metadata", message, int(start), total)

    def tensor_place(self, number: int, field: str, message: str) -> Place:
        """Return a place at a field of a tensor info: "name", "num_dims", "dims", "type_id" or "ofs_data"."""
        return Place(f"/tensors/{number}/{field}", f"tensor {quoted(self.header.names[number])}: {message}")


_NOT_UTF8 = re.compile("[\udc80-\udcff]")  # bytes that are not UTF-8 are decoded as lone surrogates


def not_utf8(texts: list[str]) -> list[int]:
    """Return the indices of texts that are not UTF-8."""
    is_invalid = _NOT_UTF8.search
    return [index for index, text in enumerate(texts) if not text.isascii() and is_invalid(text)]


def text_chunks(header: Header, positions: IntArray) -> Iterator[list[str]]:
    """Yield the strings at the positions, many at a time: the texts of millions would take gigabytes."""
    for first in range(0, len(positions), CHUNK):
        yield header.texts(*header.string_spans(positions[first : first + CHUNK]))


def duplicates(texts: Iterable[str], *, of_empty: bool = True) -> IntArray:
    """Return the indices of texts that occur earlier, too; those of empty texts only with `of_empty`.

    Their hashes are compared, which have 64 bits: millions of texts would take gigabytes.
    """
    hashes = np.fromiter(map(hash, texts), np.int64)
    order = hashes.argsort(kind="stable")
    hashes = hashes[order]
    is_repeated = hashes[1:] == hashes[:-1]
    if not of_empty:
        is_repeated &= hashes[1:] != hash("")
    del hashes
    repeated: IntArray = order[1:][is_repeated]
    repeated.sort()
    return repeated
