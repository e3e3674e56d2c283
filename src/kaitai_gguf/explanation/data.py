"""The bytes after the header as nodes: padding, tensor data down to the fields of blocks, gaps, trailing bytes."""

from collections.abc import Iterator
from dataclasses import replace
from functools import cached_property
from itertools import islice
from typing import Any

import numpy as np

from kaitai_gguf.explanation.tree import (
    CHUNK,
    Column,
    Columns,
    Field,
    Node,
    Numbers,
    SameSize,
    field_of,
    fields_of,
    heads,
    part_of,
)
from kaitai_gguf.layout_rules import align
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.reading.tensors import FileTensors
from kaitai_gguf.schema import BLOCKS, Buffer
from kaitai_gguf.sources import Source
from kaitai_gguf.types import as_native, block_dtype, block_size, is_quantized, type_name, type_size

_FEW = 1 << 10  # bytes

_Row = tuple[str, int, int, str, str | None, str]  # of a field: type, start, end, path, value, meaning


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
    rows = _rows(source, model)
    like = Field(start=0, end=0, path="", type="")
    while some := list(islice(rows, CHUNK)):
        types, starts, ends, paths, values, meanings = zip(*some, strict=True)
        spans = np.array(starts), np.array(ends)
        yield Columns((Column(like, *spans, paths, values, heads(source, *spans), meanings, types),))


def _rows(source: Source, model: GGUFFile) -> Iterator[_Row]:
    """Yield the fields. Objects of tensors would take much longer."""
    assert isinstance(model.tensors, FileTensors)
    (table, sizes), size, alignment = model.tensors.table(), model.nbytes, model.alignment
    first = min(model.data_offset, size)
    yield from _between(source, model.header_nbytes, first, alignment, "", otherwise="gap")
    order = np.argsort(table.offset, kind="stable")
    positions = model.data_offset + table.offset[order].astype(np.int64)
    # Data of unknown size is taken to reach to the next tensor, and may overlap the one before.
    to_next = np.append(positions[1:], size) - positions
    nbytes = np.where(np.isin(table.type_id, list(BLOCKS))[order], sizes[order].astype(np.int64), to_next)
    bounds = np.minimum(np.maximum.accumulate(np.append(first, positions + nbytes)), size)
    starts = np.minimum(np.maximum(positions, bounds[:-1]), size)
    names = model.metadata.reader.texts(table.name_start, table.name_end)
    type_names = {type_id: type_name(type_id) for type_id in np.unique(table.type_id).tolist()}
    infos = (column[order].tolist() for column in (table.type_id, table.num_dims, table.dims))
    columns = (column.tolist() for column in (order, nbytes, bounds[:-1], starts, bounds[1:]))
    end, owner = first, ""
    for number, needed, last, start, end, type_id, num_dims, dims in zip(*columns, *infos, strict=True):
        if start > last:
            yield from _between(source, last, start, alignment, owner, otherwise="gap")
        owner = f"/tensors/{number}"
        meaning = " × ".join(map(str, dims[:num_dims][::-1])) or "scalar"
        if type_id not in BLOCKS:
            meaning += ", of unknown size"
        elif end - start < needed:
            meaning += f", {needed - (end - start):,} of {needed:,} bytes are missing"
        yield type_names[type_id], start, end, f"{owner}/data", names[number], meaning
    yield from _between(source, end, size, alignment, owner, otherwise="trailing")


def _between(source: Source, start: int, end: int, alignment: int, owner: str, *, otherwise: str) -> Iterator[_Row]:
    """Yield the bytes that belong to no tensor: padding if they end by the next multiple of the alignment."""
    if start >= end:
        return
    if end > align(start, alignment):
        path = "/trailing" if otherwise == "trailing" else f"{owner}/gap"
        yield otherwise, start, end, path, None, f"{end - start:,} bytes that belong to no tensor"
    else:
        meaning = "zeros" if _is_zero(source.read(start, end)) else "not all zeros"
        yield "padding", start, end, f"{owner}/padding", None, meaning


def _is_zero(data: Buffer) -> bool:
    if len(data) > _FEW:
        return not np.frombuffer(data, np.uint8).any()
    return not bytes(data).strip(b"\0")  # of a few bytes, in a tenth of the time that numpy takes


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

    def node(self, number: int) -> Node:
        start, path, meaning = self.start_of(number), f"{self.path}/{number}", self._index(number)
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
        field = field_of(self.buf, start, start + dtype.itemsize, path, f"{item.name}[{count}]", depth=2)
        return Node(field, Numbers(self.buf, start, item, count, path=path, depth=3), is_folded=True)

    def _index(self, number: int) -> str:
        """Return which elements of the tensor a block holds, as a numpy index."""
        *outer, row = self._shape or (1,)
        place, column = divmod(number * self._num_elements, row)
        places = [str(int(index)) for index in np.unravel_index(place, outer)] if outer else []
        last = f"{column}:{column + self._num_elements}" if self._is_quantized else str(column)
        return f"element{'s' * self._is_quantized} [{', '.join([*places, last])}]"
