"""What follows the header as nodes: padding, the data of tensors down to the fields of their blocks, gaps, the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from kaitai_gguf.explanation.tree import LongRun, Node, Numbers, Run, field_of, rest_of
from kaitai_gguf.types import as_native, block_dtype, block_size, is_quantized

if TYPE_CHECKING:
    from kaitai_gguf.explanation.tree import Field
    from kaitai_gguf.reading.file import GGUFFile
    from kaitai_gguf.reading.tensor import Tensor
    from kaitai_gguf.schema import Buffer

__all__ = ["data_nodes"]


def data_nodes(buf: Buffer, model: GGUFFile) -> list[Node]:
    """All bytes after the header, in file order, each in one node alone."""
    size, alignment = model.nbytes, model.alignment
    tensors = sorted(enumerate(model.tensors.values()), key=lambda pair: pair[1].position)
    starts = [tensor.position for _, tensor in tensors]
    end = min(model.data_offset, size)
    nodes = _between(buf, model.header_nbytes, end, alignment, "", otherwise="gap")
    owner = ""
    for (number, tensor), following in zip(tensors, [*starts[1:], size], strict=False):
        start = min(max(tensor.position, end), size)
        nodes += _between(buf, end, start, alignment, owner, otherwise="gap")
        owner = f"/tensors/{number}"
        # Of a type that isn't known the size isn't either. Such a tensor may even be said to start inside of another.
        wanted = following if tensor.nbytes is None else tensor.position + tensor.nbytes
        end = min(max(wanted, start), size)
        nodes.append(_tensor(buf, tensor, start, end, f"{owner}/data"))
    return nodes + _between(buf, end, size, alignment, owner, otherwise="trailing")


def _between(buf: Buffer, start: int, end: int, alignment: int, owner: str, *, otherwise: str) -> list[Node]:
    """What is no tensor's: padding if it ends at or before the next multiple of the alignment."""
    if start >= end:
        return []
    if end > start + -start % alignment:
        path = "/trailing" if otherwise == "trailing" else f"{owner}/gap"
        return [
            Node(field_of(buf, start, end, path, otherwise, meaning=f"{end - start:,} bytes that belong to no tensor"))
        ]
    is_zero = not np.frombuffer(buf, np.uint8, end - start, start).any()
    meaning = "zeros" if is_zero else "not all zeros"
    return [Node(field_of(buf, start, end, f"{owner}/padding", "padding", meaning=meaning))]


def _tensor(buf: Buffer, tensor: Tensor, start: int, end: int, path: str) -> Node:
    meaning = " × ".join(map(str, tensor.shape)) or "scalar"
    children: Run | tuple[()] = ()
    if tensor.nbytes is None:
        meaning += ", of unknown size"
    else:
        children = Blocks(buf, tensor, end, path)
        missing = tensor.nbytes - (end - start)
        meaning += f", {missing:,} of {tensor.nbytes:,} bytes are missing" if missing else ""
    field = field_of(buf, start, end, path, tensor.type_name, value=tensor.name, meaning=meaning)
    return Node(field, children, is_folded=True)


class Blocks(LongRun):
    """The blocks of a tensor that are in the file; the elements of a type that has none."""

    def __init__(self, buf: Buffer, tensor: Tensor, end: int, path: str) -> None:
        assert tensor.type is not None
        self._buf, self._tensor, self._path = buf, tensor, path
        self._dtype = block_dtype(tensor.type, tensor.byte_order)
        self._block_size = block_size(tensor.type)
        self._is_quantized = is_quantized(tensor.type)
        self._start = tensor.position
        self._count = max(0, end - self._start) // self._dtype.itemsize

    def __len__(self) -> int:
        return self._count

    def node(self, number: int) -> Node:
        start = self._start + number * self._dtype.itemsize
        path = f"{self._path}/{number}"
        fields = [self._field(name, start, path) for name in self._dtype.names or ()]
        if not self._is_quantized:
            (only,) = (node.field for node in fields)
            return Node(
                field_of(
                    self._buf, start, only.end, path, only.type, value=only.value, meaning=self._index(number), depth=1
                )
            )
        end, type = start + self._dtype.itemsize, f"{self._tensor.type_name} block"
        return Node(field_of(self._buf, start, end, path, type, meaning=self._index(number), depth=1), fields)

    def number_at(self, position: int) -> int | None:
        number = (position - self._start) // self._dtype.itemsize
        return number if 0 <= number < self._count else None

    def rest(self, number: int) -> Field:
        size, what = self._dtype.itemsize, f"{self._tensor.type_name}{' block' * self._is_quantized}"
        start, end = self._start + number * size, self._start + self._count * size
        return rest_of(self._buf, start, end, self._path, what, first=number, last=self._count, depth=1)

    def _field(self, name: str, block: int, path: str) -> Node:
        """A field of the block that starts at a position."""
        assert self._dtype.fields is not None
        dtype, offset = self._dtype.fields[name][:2]
        start, path = block + offset, f"{path}/{name}"
        if dtype.subdtype is None:
            value = as_native(np.ndarray((), dtype, self._buf, start)).item()
            return Node(field_of(self._buf, start, start + dtype.itemsize, path, dtype.name, value=value, depth=2))
        item, (count,) = dtype.subdtype
        field = field_of(self._buf, start, start + dtype.itemsize, path, f"{item.name}[{count}]", depth=2)
        return Node(field, Numbers(self._buf, start, item, count, path=path, depth=3), is_folded=True)

    def _index(self, number: int) -> str:
        """Which elements of the tensor a block holds, as numpy would index them."""
        *outer, row = self._tensor.shape or (1,)
        place, column = divmod(number * self._block_size, row)
        places = [str(int(index)) for index in np.unravel_index(place, outer)] if outer else []
        last = f"{column}:{column + self._block_size}" if self._is_quantized else str(column)
        return (
            f"elements [{', '.join([*places, last])}]"
            if self._is_quantized
            else f"element [{', '.join([*places, last])}]"
        )
