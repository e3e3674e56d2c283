"""The bytes after the header: padding, tensor data down to the fields of blocks, gaps, trailing bytes."""

from collections.abc import Iterator
from functools import partial
from typing import Any

import numpy as np

from kaitai_gguf.explanation.tree import HEAD, Field, Node, Run, head, numbers
from kaitai_gguf.layout_rules import align
from kaitai_gguf.reading.chunks import first_nonzero
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.sources import Source
from kaitai_gguf.types import as_native, block_dtype, block_size, is_quantized, type_size


def data_nodes(source: Source, model: GGUFFile) -> Iterator[Node]:
    """Yield nodes that cover every byte after the header exactly once, in file order."""
    tensors, size = list(model.tensors.values()), model.nbytes
    order = sorted(range(len(tensors)), key=lambda number: tensors[number].position)
    begin = min(model.data_offset, size)
    yield from _between(source, model.header_nbytes, begin, "", model.alignment)
    end, owner = begin, ""
    for place, number in enumerate(order):
        tensor = tensors[number]
        start = min(max(tensor.position, end), size)
        yield from _between(source, end, start, owner, model.alignment)
        nbytes, owner = tensor.nbytes, f"/tensors/{number}"
        if nbytes is None:  # assume that it reaches to the next tensor; it may overlap the one before
            after = tensors[order[place + 1]].position if place + 1 < len(order) else size
            nbytes = after - tensor.position
        end = max(end, min(tensor.position + nbytes, size))
        yield _data(source, tensor, start, end, f"{owner}/data")
    yield from _between(source, end, size, owner, model.alignment, is_last=True)


def _data(source: Source, tensor: Tensor, start: int, end: int, path: str) -> Node:
    """Return the data of a tensor: the part of it that the file contains."""
    meaning = " × ".join(map(str, tensor.shape)) or "scalar"
    if tensor.nbytes is None:
        meaning += ", of unknown size"
    elif tensor.nbytes > end - start:
        meaning += f", {tensor.nbytes - (end - start):,} of {tensor.nbytes:,} bytes are missing"
    field = Field(
        start=start, end=end, path=path, type=tensor.type_name, value=tensor.name, meaning=meaning,
        head=head(source, start, end),
    )  # fmt: skip
    return Node(field, () if tensor.nbytes is None else _blocks(source, tensor, end, path))


def _between(
    source: Source, start: int, end: int, owner: str, alignment: int, *, is_last: bool = False
) -> Iterator[Node]:
    """Yield the bytes that belong to no tensor, if any: padding if they end by the next multiple of the alignment.

    owner    the path of the tensor before them.
    is_last  whether no tensor follows.
    """
    if start >= end:
        return
    if end <= align(start, alignment):
        path, type = f"{owner}/padding", "padding"
        meaning = "zeros" if first_nonzero(source, start, end) is None else "not all zeros"
    else:
        path, type = ("/trailing", "trailing") if is_last else (f"{owner}/gap", "gap")
        meaning = f"{end - start:,} bytes that belong to no tensor"
    first = head(source, start, end)
    yield Node(Field(start=start, end=end, path=path, type=type, meaning=meaning, head=first))


def _blocks(source: Source, tensor: Tensor, end: int, path: str) -> Run:
    """Return the blocks of a tensor that are in the file; the elements if its type is not quantized."""
    assert tensor.type is not None
    size, start = type_size(tensor.type), tensor.position
    count = max(0, end - start) // size
    fields: dict[str, Any] = dict(block_dtype(tensor.type, tensor.byte_order).fields or {})
    meanings = partial(_indices, tensor.shape, block_size(tensor.type))
    if not is_quantized(tensor.type):
        ((item, *_),) = fields.values()
        return numbers(source, start, item, count, path=path, depth=1, type=tensor.type_name, meanings=meanings)

    bounds = range(start, start + (count + 1) * size, size)
    type = f"{tensor.type_name} block"

    def parts(rows: range) -> Iterator[list[Node]]:
        first = bounds[rows.start]
        raw = memoryview(source.read(first, bounds[rows.stop]))
        for row in rows:
            nodes = []
            for name, (kind, offset, *_) in fields.items():
                at = bounds[row] + offset
                part = raw[at - first : at - first + kind.itemsize]
                nodes.append(_field(source, part, at, kind, f"{path}/{row}/{name}"))
            yield nodes

    def node(number: int) -> Node:
        row = range(number, number + 1)
        ((meaning,), (children,)) = meanings(row), parts(row)
        field = Field(
            start=bounds[number], end=bounds[number + 1], path=f"{path}/{number}", type=type, meaning=meaning, depth=1,
            head=head(source, bounds[number], bounds[number + 1]),
        )  # fmt: skip
        return Node(field, children)

    return Run(
        source=source, path=path, depth=1, type=type, bounds=bounds, num_whole=count, node=node,
        fields=lambda rows: (node.field for nodes in parts(rows) for node in nodes),
    )  # fmt: skip


def _field(source: Source, raw: memoryview, start: int, dtype: np.dtype[Any], path: str) -> Node:
    """Return one field of a block, given its bytes."""
    value, type, children = None, dtype.name, None
    if dtype.subdtype is None:
        value = as_native(np.frombuffer(raw, dtype)).item()
    else:
        item, (count,) = dtype.subdtype
        type, children = f"{item.name}[{count}]", numbers(source, start, item, count, path=path, depth=3)
    first, end = bytes(raw[:HEAD]), start + dtype.itemsize
    field = Field(start=start, end=end, path=path, type=type, value=value, depth=2, head=first)
    return Node(field, children or (), is_folded=True)


def _indices(shape: tuple[int, ...], num_elements: int, rows: range) -> list[str]:
    """Return which elements of a tensor its blocks hold, or its elements themselves, as numpy indices."""
    *outer, row = shape or (1,)
    places, columns = np.divmod(np.arange(rows.start, rows.stop) * num_elements, row)
    axes = [axis.tolist() for axis in (np.unravel_index(places, outer) if outer else ())]
    what, last = "element", columns.tolist()
    if num_elements > 1:
        what, last = "elements", [f"{column}:{column + num_elements}" for column in last]
    return [f"{what} [{', '.join(map(str, index))}]" for index in zip(*axes, last, strict=True)]
