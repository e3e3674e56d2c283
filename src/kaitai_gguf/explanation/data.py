"""The bytes after the header as nodes: padding, tensor data down to the fields of blocks, gaps, trailing bytes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kaitai_gguf.explanation.tree import (
    Column,
    Columns,
    Field,
    Node,
    Numbers,
    Paths,
    SameSize,
    chunks,
    field_of,
    fields_of,
    heads,
    part_of,
)
from kaitai_gguf.layout_rules import align
from kaitai_gguf.reading.chunks import first_nonzero
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.reading.tensors import FileTensors
from kaitai_gguf.schema import BLOCKS, IntArray
from kaitai_gguf.sources import Source
from kaitai_gguf.types import as_native, block_dtype, block_size, is_quantized, type_name, type_size

_ANY = Field(start=0, end=0, path="", type="")


def data_nodes(source: Source, model: GGUFFile) -> list[Node]:
    """Return nodes that cover every byte after the header exactly once, in file order."""
    tensors, nodes = list(model.tensors.values()), []
    for field in fields_of(data_columns(source, model)):
        children: Blocks | tuple[()] = ()
        if field.path.endswith("/data"):
            tensor = tensors[int(field.path.split("/")[2])]
            children = () if tensor.nbytes is None else Blocks(source, tensor, field.end, field.path)
        nodes.append(Node(field, children))
    return nodes


def data_columns(source: Source, model: GGUFFile) -> Iterator[Columns]:
    """Yield the fields of `data_nodes` as columns."""
    assert isinstance(model.tensors, FileTensors)
    (table, sizes), size, alignment = model.tensors.table(), model.nbytes, model.alignment
    begin = min(model.data_offset, size)
    if model.header_nbytes < begin:
        yield Columns((_between(source, [(model.header_nbytes, begin, "")], alignment),))
    rows = np.argsort(table.offset, kind="stable")
    positions = model.data_offset + table.offset[rows].astype(np.int64)
    is_known = np.isin(table.type_id[rows], list(BLOCKS))
    # Data of unknown size is taken to reach to the next tensor, and may overlap the one before.
    nbytes = np.where(is_known, sizes[rows].astype(np.int64), np.append(positions[1:], size) - positions)
    bounds = np.minimum(np.maximum.accumulate(np.append(begin, positions + nbytes)), size)
    starts, ends = np.minimum(np.maximum(positions, bounds[:-1]), size), bounds[1:]
    missing = np.where(is_known, nbytes - (ends - starts), -1)
    type_names = {type_id: type_name(type_id) for type_id in np.unique(table.type_id).tolist()}
    for numbers in chunks(0, len(rows)):
        some = slice(numbers.start, numbers.stop)
        own, spans = rows[some], (starts[some], ends[some])
        names = model.metadata.reader.texts(table.name_start[own], table.name_end[own])
        meanings = _meanings(table.dims[own], table.num_dims[own], nbytes[some], missing[some])
        types = [type_names[type_id] for type_id in table.type_id[own].tolist()]
        data = Column(_ANY, *spans, Paths("/tensors/", own, "/data"), names, heads(source, *spans), meanings, types)
        apart = np.flatnonzero(bounds[some] < spans[0])  # there are bytes before the data of these
        if not len(apart):
            yield Columns((data,))
            continue
        after = [f"/tensors/{rows[number - 1]}" if number else "" for number in (apart + numbers.start).tolist()]
        others = zip(bounds[some][apart].tolist(), spans[0][apart].tolist(), after, strict=True)
        order = np.argsort(np.append(2 * np.arange(len(own)) + 1, 2 * apart))
        yield Columns((data, _between(source, others, alignment)), order)
    if bounds[-1] < size:
        last = int(bounds[-1]), size, f"/tensors/{rows[-1]}" if len(rows) else ""
        yield Columns((_between(source, [last], alignment, is_last=True),))


def _meanings(dims: IntArray, num_dims: IntArray, nbytes: IntArray, missing: IntArray) -> list[str]:
    """Return the shapes of tensors, and how much of their data is missing; -1 stands for unknown."""
    shapes = np.empty(len(dims), object)
    for count in np.unique(num_dims).tolist():
        some = np.flatnonzero(num_dims == count)
        axes = [map(str, dims[some, axis].tolist()) for axis in reversed(range(count))]
        shapes[some] = list(map(" × ".join, zip(*axes, strict=True))) if axes else "scalar"
    return [
        f"{shape}, {lacking:,} of {needed:,} bytes are missing" if lacking > 0
        else f"{shape}, of unknown size" if lacking
        else shape
        for shape, needed, lacking in zip(shapes.tolist(), nbytes.tolist(), missing.tolist(), strict=True)
    ]  # fmt: skip


def _between(source: Source, spans: Iterable[tuple[int, int, str]], alignment: int, *, is_last: bool = False) -> Column:
    """Return bytes that belong to no tensor: padding if they end by the next multiple of the alignment.

    spans    starts, ends, and the paths of the tensors before them.
    is_last  whether no tensor follows.
    """
    rows = []
    for start, end, owner in spans:
        if end <= align(start, alignment):
            meaning = "zeros" if first_nonzero(source, start, end) is None else "not all zeros"
            rows.append((start, end, f"{owner}/padding", meaning, "padding"))
        else:
            path, type = ("/trailing", "trailing") if is_last else (f"{owner}/gap", "gap")
            rows.append((start, end, path, f"{end - start:,} bytes that belong to no tensor", type))
    starts, ends, paths, meanings, types = zip(*rows, strict=True)
    bounds = np.array(starts), np.array(ends)
    return Column(_ANY, *bounds, paths, [None] * len(rows), heads(source, *bounds), meanings, types)


class Blocks(SameSize):
    """The blocks of a tensor that are in the file; the elements if its type is not quantized."""

    def __init__(self, source: Source, tensor: Tensor, end: int, path: str) -> None:
        assert tensor.type is not None
        self._tensor = tensor
        self._is_quantized = is_quantized(tensor.type)
        self._num_elements = block_size(tensor.type)
        self._shape = tensor.shape
        start, size = tensor.position, type_size(tensor.type)
        type = f"{tensor.type_name} block" if self._is_quantized else tensor.type_name
        count = max(0, end - start) // size
        super().__init__(buf=source, path=path, depth=1, type=type, num_whole=count, start=start, size=size)

    @cached_property
    def _dtype(self) -> np.dtype[Any]:
        assert self._tensor.type is not None
        return block_dtype(self._tensor.type, self._tensor.byte_order)

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        for numbers in chunks(first, last):
            yield Columns(tuple(self._column(name, numbers) for name in self._dtype.names or ()))

    def _column(self, name: str, numbers: range) -> Column:
        """Return one field of the blocks with these numbers."""
        assert self._dtype.fields is not None
        dtype, offset = self._dtype.fields[name][:2]
        first, last = self.start_of(numbers.start), self.start_of(numbers.stop)
        starts = np.arange(first, last, self.size) + offset
        spans = starts, starts + dtype.itemsize
        values: Sequence[Any] | IntArray = [None] * len(numbers)
        if dtype.subdtype is None:
            blocks = np.frombuffer(part_of(self.buf, first, last), self._dtype)
            values = as_native(blocks[name])
        paths = Paths(f"{self.path}/", np.arange(numbers.start, numbers.stop), f"/{name}" if self._is_quantized else "")
        like = Field(start=0, end=0, path="", type=_field_type(dtype), depth=2 if self._is_quantized else 1)
        meanings = None if self._is_quantized else self._indices(numbers)
        return Column(like, *spans, paths, values, heads(self.buf, *spans), meanings)

    def node(self, number: int) -> Node:
        start, path = self.start_of(number), f"{self.path}/{number}"
        (meaning,) = self._indices(range(number, number + 1))
        fields = [self._field(name, start, path) for name in self._dtype.names or ()]
        if not self._is_quantized:
            (only,) = (node.field for node in fields)
            return Node(replace(only, path=path, meaning=meaning, depth=1))
        return Node(field_of(self.buf, start, start + self.size, path, self.type, meaning=meaning, depth=1), fields)

    def _field(self, name: str, block: int, path: str) -> Node:
        """Return one field of the block that starts at position `block`."""
        assert self._dtype.fields is not None
        dtype, offset = self._dtype.fields[name][:2]
        start, path = block + offset, f"{path}/{name}"
        if dtype.subdtype is None:
            raw = part_of(self.buf, start, start + dtype.itemsize)
            value = as_native(np.frombuffer(raw, dtype)).item()
            return Node(field_of(self.buf, start, start + dtype.itemsize, path, dtype.name, value=value, depth=2))
        item, (count,) = dtype.subdtype
        field = field_of(self.buf, start, start + dtype.itemsize, path, _field_type(dtype), depth=2)
        return Node(field, Numbers(self.buf, start, item, count, path=path, depth=3), is_folded=True)

    def _indices(self, numbers: range) -> list[str]:
        """Return which elements of the tensor blocks hold, as numpy indices."""
        *outer, row = self._shape or (1,)
        places, columns = np.divmod(np.arange(numbers.start, numbers.stop) * self._num_elements, row)
        axes: list[Iterable[str]] = [
            map(str, axis.tolist()) for axis in (np.unravel_index(places, outer) if outer else ())
        ]
        if self._is_quantized:
            axes.append(f"{column}:{column + self._num_elements}" for column in columns.tolist())
            return [f"elements [{index}]" for index in map(", ".join, zip(*axes, strict=True))]
        axes.append(map(str, columns.tolist()))
        return [f"element [{index}]" for index in map(", ".join, zip(*axes, strict=True))]


def _field_type(dtype: np.dtype[Any]) -> str:
    if dtype.subdtype is None:
        return dtype.name
    item, (count,) = dtype.subdtype
    return f"{item.name}[{count}]"
