"""The bytes after the header as nodes: padding, tensor data down to the fields of blocks, gaps, trailing bytes."""

from dataclasses import replace
from functools import cached_property
from typing import Any

import numpy as np

from kaitai_gguf.explanation.tree import Node, Numbers, SameSize, field_of, part_of
from kaitai_gguf.layout_rules import align
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.sources import Source
from kaitai_gguf.types import as_native, block_dtype, block_size, is_quantized, type_size

_FEW = 1 << 10  # bytes


def data_nodes(source: Source, model: GGUFFile) -> list[Node]:
    """Return nodes that cover every byte after the header exactly once, in file order."""
    size, alignment = model.nbytes, model.alignment
    tensors = sorted(enumerate(model.tensors.values()), key=lambda pair: pair[1].position)
    starts = [tensor.position for _, tensor in tensors]
    end = min(model.data_offset, size)
    nodes = _between(source, model.header_nbytes, end, alignment, "", otherwise="gap")
    owner = ""
    for (number, tensor), following in zip(tensors, [*starts[1:], size], strict=False):
        start = min(max(tensor.position, end), size)
        nodes += _between(source, end, start, alignment, owner, otherwise="gap")
        owner = f"/tensors/{number}"
        # The size of an unknown type is unknown too: the tensor is taken to reach to the next one, and may overlap
        # the one before.
        wanted = following if tensor.nbytes is None else tensor.position + tensor.nbytes
        end = min(max(wanted, start), size)
        nodes.append(_tensor(source, tensor, start, end, f"{owner}/data"))
    return nodes + _between(source, end, size, alignment, owner, otherwise="trailing")


def _between(source: Source, start: int, end: int, alignment: int, owner: str, *, otherwise: str) -> list[Node]:
    """Return the node of bytes that belong to no tensor: padding if they end by the next multiple of the alignment."""
    if start >= end:
        return []
    if end > align(start, alignment):
        path = "/trailing" if otherwise == "trailing" else f"{owner}/gap"
        meaning = f"{end - start:,} bytes that belong to no tensor"
        return [Node(field_of(source, start, end, path, otherwise, meaning=meaning))]
    padding = source.read(start, end)
    # Of few bytes, `strip` takes a tenth of the time that numpy takes.
    is_zero = not (np.frombuffer(padding, np.uint8).any() if end - start > _FEW else bytes(padding).strip(b"\0"))
    meaning = "zeros" if is_zero else "not all zeros"
    return [Node(field_of(source, start, end, f"{owner}/padding", "padding", meaning=meaning))]


def _tensor(source: Source, tensor: Tensor, start: int, end: int, path: str) -> Node:
    meaning = " × ".join(map(str, tensor.shape)) or "scalar"
    children: Blocks | tuple[()] = ()
    if tensor.nbytes is None:
        meaning += ", of unknown size"
    else:
        children = Blocks(source, tensor, end, path)
        missing = tensor.nbytes - (end - start)
        meaning += f", {missing:,} of {tensor.nbytes:,} bytes are missing" if missing else ""
    field = field_of(source, start, end, path, tensor.type_name, value=tensor.name, meaning=meaning)
    return Node(field, children, is_folded=True)


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
