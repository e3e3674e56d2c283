"""The header as nodes. The nodes of a broken header end before the field that is wrong."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import IntEnum
from functools import cached_property, partial

import numpy as np

from kaitai_gguf.errors import FormatError
from kaitai_gguf.explanation.items import VALUE_DEPTH, Items, Values, array_type, is_folded, together
from kaitai_gguf.explanation.tree import (
    Column,
    Columns,
    Field,
    LongRun,
    Node,
    Numbers,
    Paths,
    Run,
    chunks,
    field_of,
    heads,
    leaves,
)
from kaitai_gguf.schema import ArrayInfo, Buffer, IntArray, Reader, ValueType
from kaitai_gguf.schema.positions import Place, Positions, note
from kaitai_gguf.text import decode
from kaitai_gguf.types import ByteOrder, type_name, value_dtype

MakeNode = Callable[[int, int, int], Node]
ReadItems = Callable[[range, int | None], Columns]


class Header:
    """The nodes of one header. `error` is why the file can't be opened, or None."""

    def __init__(self, reader: Reader, error: FormatError | None) -> None:
        self._buf = buf = reader.buf
        self._broken = error.path if error else None
        self._reader = reader
        self._positions = Positions(buf)
        self._byte_order: ByteOrder = "big" if reader.is_big_endian else "little"
        self._end = error.offset if error else reader.end
        self._parts = partial(parts_of, buf, self._positions)
        self._items = Items(buf, reader, self._byte_order, self._parts)

    def nodes(self) -> list[Node]:
        tensors = [*self._begun("tensors", self._reader.tensors), self._end]
        metadata = [*self._begun("metadata", self._reader.metadata), tensors[0]]
        body = [inner for place in self._positions.read("Gguf", 0, metadata[0]) for inner in place.parts or (place,)]
        nodes = [node_of(self._buf, place, "", 0) for place in body if place.name not in ("metadata", "tensors")]
        if self._broken is None or self._broken.startswith(("/metadata/", "/tensors")):
            nodes.append(self._list("metadata", metadata, self._key_value, self._items.key_values))
        if self._broken is None or self._broken.startswith("/tensors/"):
            nodes.append(self._list("tensors", tensors, self._tensor_info, self._items.tensor_infos))
        return nodes

    def _begun(self, kind: str, starts: IntArray) -> list[int]:
        """Return where the items start that begin before the end. The last may be incomplete, but not empty."""
        tail = self._tail(f"/{kind}")
        if tail:
            starts = starts[: int(tail.split("/")[0]) + 1]
        elif kind == "tensors" and self._tail("/metadata") is not None:
            starts = starts[:0]
        positions: list[int] = starts.tolist()
        return positions[:-1] if positions[-1:] == [self._end] else positions

    def _list(self, name: str, bounds: list[int], make: MakeNode, read: ReadItems) -> Node:
        items = ItemRun(bounds, len(bounds) - 1 - (self._tail(f"/{name}") is not None), make, read)
        about = note("GgufBody", name)
        field = field_of(
            self._buf, items.bounds[0], items.bounds[-1], f"/{name}", f"{about.type}[{len(items)}]",
            meaning="" if len(items) else "empty", original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return Node(field, items)

    def _key_value(self, number: int, start: int, end: int) -> Node:
        path = f"/metadata/{number}"
        array = self._array_of(number) if self._comes_to(path, "value") else None
        nodes = self._parts("KeyValue", start, array or end, path=path, depth=2)
        if array is not None:
            nodes += self._array(array, end, f"{path}/value", VALUE_DEPTH)
        return Node(field_of(self._buf, start, end, path, "key_value", value=_text(nodes, 0), depth=1), nodes)

    def _array_of(self, number: int) -> int | None:
        """Return where the array of a key-value starts; None if the value is not an array."""
        table = self._reader.key_values(number, number + 1)
        return int(table.value[0]) if table.value_type[0] == ValueType.ARRAY else None

    def _tensor_info(self, number: int, start: int, end: int) -> Node:
        path = f"/tensors/{number}"
        nodes = self._parts("TensorInfo", start, end, path=path, depth=2)
        return Node(field_of(self._buf, start, end, path, "tensor_info", value=_text(nodes, 0), depth=1), nodes)

    def _array(self, start: int, end: int, path: str, depth: int) -> list[Node]:
        """Return the array as one node; an empty list if nothing of it can be read."""
        info = self._reader.array(start) if self._comes_to(path, "elements") else None
        nodes = self._parts("GgufArray", start, info.elements if info else end, path=path, depth=depth + 1)
        type = "gguf_array"
        if info is not None:
            nodes += self._elements(info, end, f"{path}/elements", depth + 1)
            type = array_type(info.element_type, info.num_elements)
        field = field_of(self._buf, start, end, path, type, depth=depth)
        return [Node(field, nodes, is_folded(depth), is_broken=self._tail(path) is not None)] if nodes else []

    def _elements(self, info: ArrayInfo, end: int, path: str, depth: int) -> list[Node]:
        tail = self._tail(path)
        dtype = value_dtype(info.element_type, self._byte_order)
        children: Run
        if tail is not None and (dtype or not tail):
            return []  # the count is larger than the file has room for
        if dtype:
            children = Numbers(self._buf, info.elements, dtype, info.num_elements, path=path, depth=depth + 1)
        else:
            is_text = info.element_type is ValueType.STRING
            children = (Strings if is_text else Arrays)(
                buf=self._buf, path=path, depth=depth + 1, type=str(info.element_type),
                num_whole=info.num_elements if tail is None else int(tail.split("/")[0]),
                items=self._items, info=info, end=end, make=self._string if is_text else self._inner_array,
            )  # fmt: skip
        about = note("GgufArray", "elements")
        field = field_of(
            self._buf, info.elements, end, path, array_type(info.element_type, info.num_elements),
            meaning="" if len(children) else "empty", depth=depth, original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return [Node(field, children)]

    def _string(self, path: str, depth: int, start: int, end: int) -> Node:
        nodes = self._parts("GgufString", start, end, path=path, depth=depth + 1)
        return Node(field_of(self._buf, start, end, path, "gguf_string", value=_text(nodes, 1), depth=depth), nodes)

    def _inner_array(self, path: str, depth: int, start: int, end: int) -> Node:
        (node,) = self._array(start, end, path, depth)
        return node

    def _tail(self, path: str) -> str | None:
        """Return the path of the error relative to a path: "" if they are equal, None if the error is elsewhere."""
        if self._broken is None or not f"{self._broken}/".startswith(f"{path}/"):
            return None
        return self._broken[len(path) + 1 :]

    def _comes_to(self, path: str, field: str) -> bool:
        """Return whether the item at a path can be read up to one of its fields."""
        return self._tail(path) is None or self._tail(f"{path}/{field}") is not None


def parts_of(
    buf: Buffer, positions: Positions, type: str, start: int, end: int, *, path: str, depth: int
) -> list[Node]:
    """Return the fields of a type, except the elements of an array."""
    return [node_of(buf, place, path, depth) for place in positions.read(type, start, end) if place.name != "elements"]


def node_of(buf: Buffer, place: Place, path: str, depth: int) -> Node:
    path = f"{path}/{place.name}"
    children = [node_of(buf, part, path, depth + 1) for part in place.parts]
    value, meaning = place.value, ""
    match place.value:
        case IntEnum() as member:
            value, meaning = member.value, member.name
        case bytes() as raw:
            value = decode(raw)
        case None if place.type == "gguf_string":
            value = _text(children, 1)
        case int() as type_id if place.name == "type_id":
            meaning = type_name(type_id)
    field = field_of(
        buf, place.start, place.end, path, place.type,
        value=value, meaning=meaning, depth=depth, original_name=place.original_name, doc=place.doc,
    )  # fmt: skip
    return Node(field, children)


@dataclass(eq=False, repr=False)
class ItemRun(Run):
    """Key-values or tensor infos."""

    bounds: list[int]
    """Where each item starts, and where the last one ends."""
    num_whole: int
    """The number of complete items. An incomplete one may follow, where the file breaks."""
    make: MakeNode
    read: ReadItems

    def __len__(self) -> int:
        return len(self.bounds) - 1

    def node(self, number: int) -> Node:
        return self.make(number, self.bounds[number], self.bounds[number + 1])

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        whole = min(last, self.num_whole)
        for numbers in together(self.bounds, first, whole):
            if len(numbers) > 1:
                yield self.read(numbers, elements)
            else:
                yield from leaves(self.node(numbers.start), elements, is_top=False)
        yield from super().leaves(max(first, whole), last, elements)

    def number_at(self, position: int) -> int | None:
        is_inside = self.bounds[0] <= position < self.bounds[-1]
        return bisect_right(self.bounds, position) - 1 if is_inside else None


@dataclass(eq=False, repr=False, kw_only=True)
class Elements(LongRun):
    """The elements of an array of strings or arrays."""

    items: Items
    info: ArrayInfo
    end: int
    make: Callable[[str, int, int, int], Node]

    @cached_property
    def bounds(self) -> IntArray:
        """Where each whole element starts, and where the last one ends, as one array instead of an object for each."""
        if self.num_whole == self.info.num_elements == 1:
            return np.array([self.info.elements, self.end])
        _, ends = self.items.reader.items(self.info._replace(num_elements=self.num_whole))
        return np.concatenate([[self.info.elements], ends])

    def __len__(self) -> int:
        return self.num_whole + int(self.bounds[-1] < self.end)

    def node(self, number: int) -> Node:
        return self.make(f"{self.path}/{number}", self.depth, self.start_of(number), self.start_of(number + 1))

    def number_at(self, position: int) -> int | None:
        is_inside = self.info.elements <= position < self.end
        return int(self.bounds.searchsorted(position, "right")) - 1 if is_inside else None

    def start_of(self, number: int) -> int:
        return int(self.bounds[number]) if number <= self.num_whole else self.end


@dataclass(eq=False, repr=False, kw_only=True)
class Arrays(Elements):
    """Elements that are arrays."""

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        for numbers in together(self.bounds, first, last):
            if len(numbers) > 1:
                owners = np.full(len(numbers), self.path, np.object_)
                paths = Paths("/", np.arange(numbers.start, numbers.stop), owners=owners)
                bounds = self.bounds[numbers.start : numbers.stop + 1]
                yield self.items.arrays(paths, (bounds[:-1], bounds[1:]), self.depth, elements)
            else:
                yield from leaves(self.node(numbers.start), elements, is_top=False)


@dataclass(eq=False, repr=False, kw_only=True)
class Strings(Elements):
    """Elements that are strings. The generated classes read only the first; the others have the same fields."""

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        if first == last:
            return
        length, data = (node.field for node in self.node(first).children)
        for numbers in chunks(first, last):
            starts = self.bounds[numbers.start : numbers.stop]
            begins, ends = self.items.reader.string_spans(starts)
            lengths = self._column(length, numbers, starts, begins, ends - begins)
            yield Columns((lengths, self._column(data, numbers, begins, ends, self.items.reader.texts(begins, ends))))

    def _column(self, like: Field, numbers: range, starts: IntArray, ends: IntArray, values: Values) -> Column:
        """Return one field of the strings with these numbers."""
        name = like.path.rpartition("/")[2]
        paths = Paths(f"{self.path}/", np.arange(numbers.start, numbers.stop), f"/{name}")
        return Column(like, starts, ends, paths, values, heads(self.buf, starts, ends))


def _text(parts: list[Node], number: int) -> str | None:
    """Return the text of one part of a string, key-value or tensor info; None if the file breaks before it."""
    value = parts[number].field.value if number < len(parts) else None
    assert value is None or isinstance(value, str)
    return value
