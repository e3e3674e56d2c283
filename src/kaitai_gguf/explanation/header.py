"""The header as nodes, broken or not: nothing from the field on that it is refused for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from enum import IntEnum

import numpy as np

from kaitai_gguf.errors import FormatError
from kaitai_gguf.explanation.tree import CHUNK, Field, LongRun, Node, Numbers, Run, field_of, rest_of
from kaitai_gguf.schema import ArrayInfo, Buffer, IntArray, Reader, ValueType
from kaitai_gguf.schema.positions import Place, Positions, note
from kaitai_gguf.text import decode
from kaitai_gguf.types import ByteOrder, type_name, value_dtype

__all__ = ["Header"]


class Header:
    """The nodes of one header; `error` is what the file is refused for, if it is."""

    def __init__(self, buf: Buffer, error: FormatError | None) -> None:
        self._buf = buf
        self._broken = error.path if error else None
        self._reader = Reader(buf, partial=True)
        self._positions = Positions(buf)
        self._byte_order: ByteOrder = "big" if self._reader.is_big_endian else "little"
        self._end = error.offset if error else self._reader.end

    def nodes(self) -> list[Node]:
        metadata, tensors = self._begun("metadata", self._reader.metadata), self._begun("tensors", self._reader.tensors)
        first = [*metadata, *tensors, self._end][0]
        body = [inner for place in self._positions.read("Gguf", 0, first) for inner in place.parts or (place,)]
        nodes = [self._node(place, "", 0) for place in body if place.name not in ("metadata", "tensors")]
        if self._broken is None or self._broken.startswith(("/metadata/", "/tensors")):
            nodes.append(self._list("metadata", Items(metadata, [*tensors, self._end][0], self._key_value)))
        if self._broken is None or self._broken.startswith("/tensors/"):
            nodes.append(self._list("tensors", Items(tensors, self._end, self._tensor_info)))
        return nodes

    def _begun(self, kind: str, starts: IntArray) -> list[int]:
        """The items that there is something of before the end: the last may break with its first field."""
        tail = self._tail(f"/{kind}")
        if tail:
            starts = starts[: int(tail.split("/")[0]) + 1]
        elif kind == "tensors" and self._tail("/metadata") is not None:
            starts = starts[:0]
        found: list[int] = starts.tolist()
        return found[:-1] if found[-1:] == [self._end] else found

    def _list(self, name: str, items: Items) -> Node:
        about = note("GgufBody", name)
        start = [*items.starts, items.end][0]
        type = f"{about.type}[{len(items)}]"
        field = field_of(
            self._buf, start, items.end, f"/{name}", type,
            meaning="" if len(items) else "empty", original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return Node(field, items)

    def _key_value(self, number: int, start: int, end: int) -> Node:
        path = f"/metadata/{number}"
        array = self._array_of(number) if self._comes_to(path, "value") else None
        nodes = [self._node(place, path, 2) for place in self._positions.read("KeyValue", start, array or end)]
        if array is not None:
            nodes += self._array(array, end, f"{path}/value", 2)
        return Node(field_of(self._buf, start, end, path, "key_value", value=_own_text(nodes), depth=1), nodes)

    def _array_of(self, number: int) -> int | None:
        """Where the array of a key-value starts, if its value is one."""
        table = self._reader.key_values(number, number + 1)
        return int(table.value[0]) if table.value_type[0] == ValueType.ARRAY else None

    def _tensor_info(self, number: int, start: int, end: int) -> Node:
        path = f"/tensors/{number}"
        nodes = [self._node(place, path, 2) for place in self._positions.read("TensorInfo", start, end)]
        return Node(field_of(self._buf, start, end, path, "tensor_info", value=_own_text(nodes), depth=1), nodes)

    def _array(self, start: int, end: int, path: str, depth: int) -> list[Node]:
        """The array, unless nothing of it can be read."""
        info = self._reader.array(start) if self._comes_to(path, "elements") else None
        places = self._positions.read("GgufArray", start, info.elements if info else end)
        nodes = [self._node(place, path, depth + 1) for place in places if place.name != "elements"]
        type = "gguf_array"
        if info is not None:
            nodes += self._elements(info, end, f"{path}/elements", depth + 1)
            type = _array_type(info)
        return [Node(field_of(self._buf, start, end, path, type, depth=depth), nodes)] if nodes else []

    def _elements(self, info: ArrayInfo, end: int, path: str, depth: int) -> list[Node]:
        tail = self._tail(path)
        dtype = value_dtype(info.element_type, self._byte_order)
        children: Run
        if tail is not None and (dtype or not tail):
            return []  # more elements than there are bytes for
        if dtype:
            children = Numbers(self._buf, info.elements, dtype, info.num_elements, path=path, depth=depth + 1)
        else:
            known = info.num_elements if tail is None else int(tail.split("/")[0])
            is_text = info.element_type is ValueType.STRING
            children = (Strings if is_text else Elements)(
                self._buf, self._reader, info, known=known, end=end, path=path, depth=depth + 1,
                make=self._string if is_text else self._inner_array, may_break=tail is not None,
            )  # fmt: skip
        about = note("GgufArray", "elements")
        field = field_of(
            self._buf, info.elements, end, path, _array_type(info),
            meaning="" if len(children) else "empty", depth=depth, original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return [Node(field, children)]

    def _string(self, path: str, depth: int, start: int, end: int) -> Node:
        nodes = [self._node(place, path, depth + 1) for place in self._positions.read("GgufString", start, end)]
        return Node(field_of(self._buf, start, end, path, "gguf_string", value=_text(nodes), depth=depth), nodes)

    def _inner_array(self, path: str, depth: int, start: int, end: int) -> Node:
        (node,) = self._array(start, end, path, depth)
        return node

    def _node(self, place: Place, path: str, depth: int) -> Node:
        path = f"{path}/{place.name}"
        children = [self._node(part, path, depth + 1) for part in place.parts]
        value, meaning = place.value, ""
        match place.value:
            case IntEnum() as member:
                value, meaning = member.value, member.name
            case bytes() as raw:
                value = decode(raw)
            case None if place.type == "gguf_string":
                value = _text(children)
            case int() as type_id if place.name == "type_id":
                meaning = type_name(type_id)
        field = field_of(
            self._buf, place.start, place.end, path, place.type,
            value=value, meaning=meaning, depth=depth, original_name=place.original_name, doc=place.doc,
        )  # fmt: skip
        return Node(field, children)

    def _tail(self, path: str) -> str | None:
        """What is below a path in that of the error: "" if they are the same, None if that is elsewhere."""
        if self._broken is None or not f"{self._broken}/".startswith(f"{path}/"):
            return None
        return self._broken[len(path) + 1 :]

    def _comes_to(self, path: str, field: str) -> bool:
        """Whether nothing is wrong before a field of what has this path."""
        return self._tail(path) is None or self._tail(f"{path}/{field}") is not None


class Items(Run):
    """Key-values or tensor infos."""

    def __init__(self, starts: list[int], end: int, make: Callable[[int, int, int], Node]) -> None:
        self.starts, self.end, self._make = starts, end, make

    def __len__(self) -> int:
        return len(self.starts)

    def node(self, number: int) -> Node:
        end = self.starts[number + 1] if number + 1 < len(self.starts) else self.end
        return self._make(number, self.starts[number], end)

    def number_at(self, position: int) -> int | None:
        if not self.starts or not self.starts[0] <= position < self.end:
            return None
        return bisect_right(self.starts, position) - 1


class Elements(LongRun):
    """The elements of an array of strings or arrays: those that are `known` to be whole, and a broken one, maybe."""

    def __init__(
        self,
        buf: Buffer,
        reader: Reader,
        info: ArrayInfo,
        *,
        known: int,
        end: int,
        path: str,
        depth: int,
        make: Callable[[str, int, int, int], Node],
        may_break: bool,
    ) -> None:
        self._buf, self._reader, self._info = buf, reader, info
        self._known, self._end, self._make = known, end, make
        self._path, self._depth = path, depth
        self._starts: IntArray = np.array([info.elements])
        self._last = known if may_break else known - 1  # the last that may have to be found
        self.is_broken = may_break and self._start(known) < end

    def __len__(self) -> int:
        return self._known + self.is_broken

    def node(self, number: int) -> Node:
        start = self._start(number)
        end = self._start(number + 1) if number + 1 < len(self) else self._end
        return self._make(f"{self._path}/{number}", self._depth, start, end)

    def number_at(self, position: int) -> int | None:
        if not len(self) or not self._info.elements <= position < self._end:
            return None
        self._start(len(self) - 1)
        return int(self._starts[: len(self)].searchsorted(position, "right")) - 1

    def rest(self, number: int) -> Field:
        end = self._start(self._known) if self.is_broken else self._end
        type = self._info.element_type.name.lower()
        return rest_of(
            self._buf, self._start(number), end, self._path, type, first=number, last=self._known, depth=self._depth
        )

    def _start(self, number: int) -> int:
        """Where an element starts. More and more of them are found at a time, as those before are passed again."""
        if number >= len(self._starts):
            count = min(max(2 * number, 16), self._last)
            self._starts = self._found(count)
        return int(self._starts[number])

    def _found(self, count: int) -> IntArray:
        """Where the first `count` elements start, and where the last of them ends. Makes no object for each."""
        is_text = self._info.element_type is ValueType.STRING
        items = self._reader.string_items if is_text else self._reader.array_items
        starts, ends = items(self._info._replace(num_elements=count))
        return np.append(starts, ends[-1:])


class Strings(Elements):
    """Elements that are strings. The generated classes read the first of many, and say how all are made."""

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Field]:
        if first == last:
            return
        length, data = (node.field for node in self.node(first).children)
        length_name, data_name = (field.path.rpartition("/")[2] for field in (length, data))
        alike = {"depth": length.depth, "original_name": length.original_name, "doc": length.doc}
        data_alike = {"depth": data.depth, "original_name": data.original_name, "doc": data.doc}
        self._start(last - 1)
        for chunk in range(first, last, CHUNK):
            starts = self._starts[chunk : min(chunk + CHUNK, last)]
            spans = (positions.tolist() for positions in (starts, *self._reader.string_spans(starts)))
            for number, (start, begin, end) in enumerate(zip(*spans, strict=True), chunk):
                path, size = f"{self._path}/{number}/{length_name}", end - begin
                yield field_of(self._buf, start, begin, path, length.type, value=size, **alike)
                path, text = f"{self._path}/{number}/{data_name}", decode(self._buf[begin:end])
                yield field_of(self._buf, begin, end, path, data.type, value=text, **data_alike)


def _array_type(info: ArrayInfo) -> str:
    return f"{info.element_type.name.lower()}[{info.num_elements}]"


def _text(string: list[Node]) -> str | None:
    """The text of a string, unless it breaks before that."""
    value = string[1].field.value if len(string) > 1 else None
    assert value is None or isinstance(value, str)
    return value


def _own_text(item: list[Node]) -> str | None:
    """The key or name of an item, which comes first."""
    value = item[0].field.value if item else None
    assert value is None or isinstance(value, str)
    return value
