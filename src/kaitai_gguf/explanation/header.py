"""The header as nodes. The nodes of a broken header end before the field that is wrong."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kaitai_gguf.errors import FormatError
from kaitai_gguf.explanation.tree import HEAD, Field, Node, Run, head, numbers
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ArrayInfo, ValueType
from kaitai_gguf.schema.fields import NEWEST, Fields, Place
from kaitai_gguf.sources import Source
from kaitai_gguf.text import decode
from kaitai_gguf.types import type_name, value_dtype

LEVELS = 8
"""How many levels of arrays in arrays a list of fields has: paths at the 128th may have 1,400 characters."""

_VALUE_DEPTH = 2  # the depth of the value of a key-value


class HeaderNodes:
    """The nodes of one header. `error` is why the file can't be opened, or None."""

    def __init__(self, source: Source, header: Header, error: FormatError | None) -> None:
        self._source = source
        self._header = header
        self._broken = error.path if error else None
        self._end = error.offset if error else header.end
        version = NEWEST if self._broken in ("/magic", "/version") else header.version
        self._fields = Fields(header.buf, version, header.byte_order)

    def nodes(self) -> list[Node]:
        places = [inner for place in self._fields.read("gguf", 0, self._end) for inner in place.parts or (place,)]
        nodes = [self._node(place, "", self._end, 0) for place in places]
        tensors = [*self._begun(self._header.tensors), self._end]
        if self._broken is None or self._broken.startswith(("/metadata/", "/tensors")):
            nodes.append(self._list("metadata", [*self._begun(self._header.metadata), tensors[0]]))
        if self._broken is None or self._broken.startswith("/tensors/"):
            nodes.append(self._list("tensors", tensors))
        return nodes

    def _begun(self, starts: Any) -> list[int]:
        """Return where the items start that begin before the end. The last may be incomplete, but not empty."""
        begun: list[int] = starts[: np.searchsorted(starts, self._end)].tolist()
        return begun

    def _list(self, name: str, bounds: list[int]) -> Node:
        """Return the key-values or the tensor infos."""
        (about,) = (field for field in self._fields.types["gguf_body"] if field.name == name)
        assert about.item is not None
        type, count = about.item.type, len(bounds) - 1

        def node(number: int) -> Node:
            return self._item(type, bounds[number], bounds[number + 1], f"/{name}/{number}", 1)

        run = Run(
            source=self._source, path=f"/{name}", depth=1, type=type, bounds=bounds, num_whole=count, node=node,
            is_list=True,
        )  # fmt: skip
        field = self._field(
            bounds[0], bounds[-1], f"/{name}", f"{type}[{count}]",
            meaning="" if count else "empty", original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return Node(field, run)

    def _item(self, type: str, start: int, end: int, path: str, depth: int) -> Node:
        """Return a key-value, a tensor info or a string; `end` is its own, or where the file breaks."""
        parts = [self._node(place, path, end, depth + 1) for place in self._fields.read(type, start, end)]
        return Node(self._field(start, end, path, type, value=_text(parts), depth=depth), parts)

    def _node(self, place: Place, path: str, end: int, depth: int, number: int | None = None) -> Node:
        """Return the node of a field in an item that ends at `end`. `number` is that of a repeated field."""
        about, value, meaning = place.field, place.value, ""
        path = f"{path}/{about.name if number is None else number}"
        if about.type == "gguf_array":
            return self._array(place.start, end, place.parts, path, depth)
        parts, type = [], about.type
        if about.item is not None:
            parts = [self._node(part, path, end, depth + 1, each) for each, part in enumerate(place.parts)]
            type += f"[{len(parts)}]"
        elif place.parts:
            parts = [self._node(part, path, end, depth + 1) for part in place.parts]
            value = _text(parts)
        elif type == "bytes":
            value = decode(self._header.buf[place.start : place.end])
        elif about.enum:
            meaning = str(ValueType(value))
        elif about.name == "type_id":
            meaning = type_name(value)
        field = self._field(
            place.start, place.end, path, type, value=value, meaning=meaning, depth=depth,
            original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return Node(field, parts)

    def _array(self, start: int, end: int, places: tuple[Place, ...], path: str, depth: int) -> Node:
        """Return an array that ends at `end`, or is broken there; `places` are its fields before the elements."""
        parts = [self._node(place, path, end, depth + 1) for place in places]
        type = "gguf_array"
        if len(places) == 2:
            element_type, num_elements = places
            info = ArrayInfo(ValueType(element_type.value), num_elements.value, num_elements.end)
            parts += self._elements(info, end, f"{path}/elements", depth + 1)
            type = f"{info.element_type}[{info.num_elements}]"
        field = self._field(start, end, path, type, depth=depth)
        level = (depth - _VALUE_DEPTH) // 2
        is_folded = level > 0 and level % LEVELS == 0
        return Node(field, parts, is_folded, is_broken=self._tail(path) is not None)

    def _elements(self, info: ArrayInfo, end: int, path: str, depth: int) -> list[Node]:
        """Return the elements as one node; an empty list if they can't be read."""
        tail = self._tail(path)
        dtype = value_dtype(info.element_type, self._header.byte_order)
        if tail is not None and (dtype or not tail):
            return []  # the count is larger than the file has room for
        if dtype:
            run = numbers(self._source, info.elements, dtype, info.num_elements, path=path, depth=depth + 1)
        else:
            run = self._items(info, end, path, depth + 1, None if tail is None else int(tail.split("/")[0]))
        about = self._fields.types["gguf_array"][-1]
        field = self._field(
            info.elements, end, path, f"{info.element_type}[{info.num_elements}]",
            meaning="" if len(run) else "empty", depth=depth, original_name=about.orig_id, doc=about.doc,
        )  # fmt: skip
        return [Node(field, run)]

    def _items(self, info: ArrayInfo, end: int, path: str, depth: int, num_whole: int | None) -> Run:
        """Return strings or arrays in an array; `num_whole` is how many are complete, or None if all are."""
        count = info.num_elements if num_whole is None else num_whole
        if num_whole is None and count == 1:
            bounds = np.array([info.elements, end])  # finding the end of each of 128 nested arrays takes long
        else:
            bounds = np.append(info.elements, self._header.items(info, count)[1])
        if bounds[-1] < end:
            bounds = np.append(bounds, end)
        is_text = info.element_type is ValueType.STRING

        def node(number: int) -> Node:
            start, stop, own = int(bounds[number]), int(bounds[number + 1]), f"{path}/{number}"
            if is_text:
                return self._item("gguf_string", start, stop, own, depth)
            return self._array(start, stop, self._fields.read("gguf_array", start, stop), own, depth)

        def fields(rows: range) -> Iterator[Field]:
            return self._strings(bounds[rows.start : rows.stop], rows, path, depth + 1)

        return Run(
            source=self._source, path=path, depth=depth, type=str(info.element_type), bounds=bounds, num_whole=count,
            node=node, fields=fields if is_text else None,
        )  # fmt: skip

    def _strings(self, starts: Any, rows: range, path: str, depth: int) -> Iterator[Field]:
        """Yield the fields of whole strings, which are read together: generally there are many."""
        length, data = self._fields.types["gguf_string"]
        begins, ends = self._header.string_spans(starts)
        spans = zip(starts.tolist(), begins.tolist(), ends.tolist(), strict=True)
        buf = self._header.buf
        for row, (start, begin, end), text in zip(rows, spans, self._header.texts(begins, ends), strict=True):
            yield Field(
                start=start, end=begin, path=f"{path}/{row}/{length.name}", type=length.type, value=end - begin,
                depth=depth, original_name=length.orig_id, doc=length.doc, head=bytes(buf[start:begin]),
            )  # fmt: skip
            yield Field(
                start=begin, end=end, path=f"{path}/{row}/{data.name}", type=data.type, value=text,
                depth=depth, original_name=data.orig_id, doc=data.doc, head=bytes(buf[begin : min(end, begin + HEAD)]),
            )  # fmt: skip

    def _field(self, start: int, end: int, path: str, type: str, **more: Any) -> Field:
        return Field(start=start, end=end, path=path, type=type, head=head(self._source, start, end), **more)

    def _tail(self, path: str) -> str | None:
        """Return the path of the error relative to a path: "" if they are equal, None if the error is elsewhere."""
        if self._broken is None or not f"{self._broken}/".startswith(f"{path}/"):
            return None
        return self._broken[len(path) + 1 :]


def _text(parts: list[Node]) -> str | None:
    """Return the first text of the parts: that of a string, the key of a key-value, the name of a tensor info."""
    return next((part.field.value for part in parts if isinstance(part.field.value, str)), None)
