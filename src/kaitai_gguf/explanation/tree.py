"""A file as a lazy tree of fields, and three ways to query it: all fields, the fields at a position, or at a path."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from kaitai_gguf.errors import FieldNotFound
from kaitai_gguf.schema import IntArray
from kaitai_gguf.sources import Source
from kaitai_gguf.types import as_native

HEAD = 16  # bytes of a field in `Field.head`
TOGETHER = 1 << 12  # numbers or strings that are read together
_NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """A range of bytes and its meaning, from position `start` to before `end`, in bytes from the start of the file."""

    start: int
    end: int
    path: str
    """As in `FormatError.path`: `/metadata/12/value/elements/3`. The data of a tensor is at `/tensors/0/data`."""
    type: str
    """The schema's type (`u4`, `bytes`, `gguf_string`), a value or tensor type (`float32`, `Q4_K`), or `padding`, `gap`
    or `trailing`. Several items have their number in brackets: `string[32000]`."""
    value: int | float | str | None = None
    """A number or a text (with `surrogateescape`). For a key-value the key, for a tensor the name."""
    meaning: str = ""
    """The meaning of the value, or another remark."""
    depth: int = 0
    """How many fields contain this one."""
    original_name: str = ""
    """ggml's name for the field; "" if it is the same or ggml has none."""
    doc: str = ""
    """The schema's documentation of the field."""
    head: bytes = b""
    """The first 16 bytes. Empty for bytes of a remote file that have not been fetched."""


class Node(NamedTuple):
    """A field and its parts."""

    field: Field
    children: Sequence[Node] | Run = ()
    is_folded: bool = False
    """Whether a list of an enclosing node's fields shows this node as a single field."""
    is_broken: bool = False
    """Whether the file breaks in this node. Then it is shown even if it is folded, with as little as possible."""


@dataclass(kw_only=True)
class Run:
    """Many parts of one kind, each read on demand."""

    source: Source
    path: str
    """The path of the run."""
    depth: int
    """The depth of the parts."""
    type: str
    """The type of one part."""
    bounds: Sequence[int] | IntArray
    """Where each part starts, and where the last one ends."""
    num_whole: int
    """The number of complete parts. An incomplete one may follow, where the file breaks."""
    node: Callable[[int], Node]
    """Returns the part with a number."""
    fields: Callable[[range], Iterator[Field]] | None = None
    """Yields the innermost fields of the parts with these numbers, faster than one part at a time."""
    is_list: bool = False
    """Whether all parts are shown, however few elements of arrays are."""

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def number_at(self, position: int) -> int | None:
        """Return which part contains the byte at a position; None if none does."""
        is_inside = self.bounds[0] <= position < self.bounds[-1]
        return bisect_right(self.bounds, position) - 1 if is_inside else None

    def leaves(self, elements: int | None) -> Iterator[Field]:
        """Yield the innermost fields of the first `elements` parts, the others as one field, and the incomplete one."""
        shown = self.num_whole if elements is None or self.is_list else min(elements, self.num_whole)
        if self.fields is not None:
            for first in range(0, shown, TOGETHER):
                yield from self.fields(range(first, min(first + TOGETHER, shown)))
        else:
            for number in range(shown):
                yield from leaves(self.node(number), elements, is_top=False)
        if shown < self.num_whole:
            yield self._rest(shown)
        if self.num_whole < len(self):
            yield from leaves(self.node(self.num_whole), elements, is_top=False)

    def _rest(self, number: int) -> Field:
        """Return the complete parts from a number on, as a single field."""
        start, end, count = int(self.bounds[number]), int(self.bounds[self.num_whole]), self.num_whole - number
        return Field(
            start=start, end=end, path=f"{self.path}/{number}:{self.num_whole}", type=f"{self.type}[{count}]",
            meaning=f"{count:,} more", depth=self.depth, head=head(self.source, start, end),
        )  # fmt: skip


def numbers(
    source: Source, start: int, dtype: np.dtype[Any], count: int, *, path: str, depth: int, type: str = "",
    meanings: Callable[[range], list[str]] | None = None,
) -> Run:  # fmt: skip
    """Return adjacent numbers as a run. `type` is their common name if it is not that of the dtype."""
    bounds = range(start, start + (count + 1) * dtype.itemsize, dtype.itemsize)

    def fields(rows: range) -> Iterator[Field]:
        first = bounds[rows.start]
        raw = source.read(first, bounds[rows.stop])
        heads = bytes(raw)
        notes = [""] * len(rows) if meanings is None else meanings(rows)
        for row, value, note in zip(rows, as_native(np.frombuffer(raw, dtype)).tolist(), notes, strict=True):
            own, end = bounds[row], bounds[row + 1]
            yield Field(
                start=own, end=end, path=f"{path}/{row}", type=dtype.name, value=value, meaning=note, depth=depth,
                head=heads[own - first : end - first],
            )  # fmt: skip

    def node(number: int) -> Node:
        (field,) = fields(range(number, number + 1))
        return Node(field)

    return Run(
        source=source, path=path, depth=depth, type=type or dtype.name, bounds=bounds, num_whole=count, node=node,
        fields=fields,
    )  # fmt: skip


def head(source: Source, start: int, end: int) -> bytes:
    """Return the first bytes of a field, unless reading them takes a request."""
    end = min(end, start + HEAD)
    return bytes(source.buffer[start:end]) if end <= len(source.buffer) else b""


def leaves(node: Node, elements: int | None, *, is_top: bool = True) -> Iterator[Field]:
    """Yield the innermost fields of a node, or its own if it has none; at most `elements` elements of each array."""
    if node.is_folded and not is_top:
        elements = 0
    if not node.children or (node.is_folded and not node.is_broken and not is_top):
        yield node.field
    elif isinstance(node.children, Run):
        yield from node.children.leaves(elements)
    else:
        for child in node.children:
            if child.children:
                yield from leaves(child, elements, is_top=False)
            else:
                yield child.field


def around(node: Node, position: int) -> Iterator[Field]:
    """Yield the fields below a node that contain a byte, the outermost first."""
    child: Node | None = node
    while child is not None:
        children: Sequence[Node] | Run = child.children
        if isinstance(children, Run):
            number = children.number_at(position)
            child = None if number is None else children.node(number)
        else:
            child = next((each for each in children if each.field.start <= position < each.field.end), None)
        if child is not None:
            yield child.field


def at_path(node: Node, path: str) -> Node:
    """Return the node at a path. Raises `FieldNotFound` if there is none; the message lists the fields that exist."""
    path = "/" + path.strip("/")
    while path not in ("/", node.field.path):
        child = _towards(node, path)
        if child is None:
            raise FieldNotFound(f"no field {path!r}: {_offer(node)}")
        node = child
    return node


def _towards(node: Node, path: str) -> Node | None:
    """Return the child at a path, or the child that contains it; None if there is neither."""
    if isinstance(node.children, Run):
        number = path.removeprefix(node.field.path + "/").split("/")[0]
        is_one = _NUMBER.fullmatch(number) and int(number) < len(node.children)
        return node.children.node(int(number)) if is_one else None
    below = [child for child in node.children if f"{path}/".startswith(f"{child.field.path}/")]
    return max(below, key=lambda child: len(child.field.path), default=None)


def _offer(node: Node) -> str:
    name = node.field.path or "the file"
    if not node.children:
        return f"{name} has no parts"
    if isinstance(node.children, Run):
        return f"{name} has {len(node.children):,} part{'s' * (len(node.children) != 1)}, numbered from 0"
    names = [child.field.path.removeprefix(node.field.path + "/") for child in node.children]
    return f"{name} has {', '.join(name for name in names if '/' not in name)}"
