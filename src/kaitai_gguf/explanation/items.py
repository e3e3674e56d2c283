"""The fields of many key-values, tensor infos and arrays at once, as columns.

The generated classes take 0.2 ms for an item. So they read only one item of each kind, for the types, names and
documentation of its fields; the positions and values of all items come from the index.
"""

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import Any

import numpy as np

from kaitai_gguf.explanation.tree import Column, Columns, Field, Node, Paths, fields_of, heads, leaves, listed
from kaitai_gguf.schema import Buffer, IntArray, Reader, ValueType
from kaitai_gguf.schema.positions import note
from kaitai_gguf.types import ByteOrder, type_name, value_dtype

VALUE_DEPTH = 2  # of the values of key-values
LEVELS = 8
"""How many levels of arrays in arrays a list of fields has: paths at the 128th may have 1,400 characters."""

TOGETHER = 1 << 18  # bytes of items to read together: fewer take more steps in deep arrays, more don't fit the cache

Spans = tuple[IntArray, IntArray]  # where each of some fields or items starts and ends
Values = Sequence[Any] | IntArray
_Texts = tuple[list[str] | None, list[str] | None]  # meanings and types
_Part = tuple[Field, Spans, Paths, Values, _Texts]

_NAMES = [str(type) for type in ValueType]  # by value type


def together(bounds: Sequence[int] | IntArray, first: int, last: int) -> Iterator[range]:
    """Yield the numbers of consecutive items that have few bytes together; an item that has more is alone.

    bounds  where each item starts, and where the last one ends.
    """
    while first < last:
        stop = bisect_right(bounds, int(bounds[first]) + TOGETHER, first, last + 1) - 1
        stop = max(stop, first + 1)
        yield range(first, stop)
        first = stop


def is_folded(depth: int) -> bool:
    """Return whether lists show arrays at a depth as single fields, unless they begin with one."""
    level = (depth - VALUE_DEPTH) // 2
    return level > 0 and level % LEVELS == 0


def array_type(element_type: int, count: int) -> str:
    """Return the type of an array as a field: `uint8[3]`."""
    return f"{_NAMES[element_type]}[{count}]"


class Items:
    """The items of one header."""

    def __init__(self, buf: Buffer, reader: Reader, byte_order: ByteOrder, parts: Callable[..., list[Node]]) -> None:
        """`parts` reads one item with the generated classes."""
        self.buf = buf
        self.reader = reader
        self.byte_order: ByteOrder = byte_order
        self._parts = parts
        self._known: dict[tuple[str, int, int], dict[str, Field]] = {}

    def like(self, type: str, kind: int, depth: int, start: int, end: int) -> dict[str, Field]:
        """Return the fields of an item by their paths in it. Only the first item of each kind is read."""
        key = type, kind, depth
        if key not in self._known:
            nodes = self._parts(type, start, end, path="", depth=depth)
            self._known[key] = {field.path: field for node in nodes for field in fields_of(leaves(node, None))}
        return self._known[key]

    def key_values(self, numbers: range, elements: int | None) -> Columns:
        """Return the fields of some key-values, with at most so many elements of each array."""
        batch = _Batch(self, elements)
        batch.add_key_values(numbers)
        return batch.columns()

    def tensor_infos(self, numbers: range, elements: int | None) -> Columns:
        """Return the fields of some tensor infos."""
        batch = _Batch(self, elements)
        batch.add_tensor_infos(numbers)
        return batch.columns()

    def arrays(self, paths: Paths, spans: Spans, depth: int, elements: int | None) -> Columns:
        """Return the fields of some arrays, with at most so many elements of each."""
        batch = _Batch(self, elements)
        batch.add_arrays(paths, spans, depth)
        return batch.columns()


class _Batch:
    """Columns for items that are read together."""

    def __init__(self, items: Items, elements: int | None) -> None:
        self._items = items
        self._reader = items.reader
        self._elements = elements
        self._parts: dict[tuple[Any, ...], list[_Part]] = {}

    def columns(self) -> Columns:
        columns = tuple(map(self._column, self._parts.values()))
        starts = np.concatenate([column.starts for column in columns])
        ends = np.concatenate([column.ends for column in columns])
        return Columns(columns, np.lexsort((ends, starts)))

    def _column(self, parts: list[_Part]) -> Column:
        """Return one column for the same field at all depths, where there may be few of it each."""
        likes, spans, paths, values, texts = zip(*parts, strict=True)
        starts, ends = (np.concatenate(each) for each in zip(*spans, strict=True))
        levels = [like.depth for like in likes]
        depths = np.array(levels).repeat([len(each) for each in paths]) if len(set(levels)) > 1 else None
        all_values = np.concatenate(values) if isinstance(values[0], np.ndarray) else list(chain(*values))
        meanings, types = (None if each[0] is None else list(chain(*each)) for each in zip(*texts, strict=True))
        first = heads(self._items.buf, starts, ends)
        return Column(likes[0], starts, ends, Paths.joined(paths), all_values, first, meanings, types, depths)

    def _add(self, like: Field, spans: Spans, paths: Paths, values: Values, texts: _Texts = (None, None)) -> None:
        key = (
            like.type, like.meaning, like.original_name, like.doc, paths.before, paths.after, paths.owners is None,
            *(each is None for each in texts), getattr(values, "dtype", None),
        )  # fmt: skip
        self._parts.setdefault(key, []).append((like, spans, paths, values, texts))

    def _add_strings(
        self, like: tuple[Field, Field], bounds: tuple[IntArray, IntArray, IntArray], paths: Paths
    ) -> None:
        """Add strings, by where their lengths start, and their bytes start and end."""
        starts, begins, ends = bounds
        length, data = like
        self._add(length, (starts, begins), paths.below("len_data"), ends - begins)
        self._add(data, (begins, ends), paths.below("data"), self._reader.texts(begins, ends))

    def _add_types(self, like: Field, spans: Spans, paths: Paths, types: IntArray) -> None:
        for type_id, rows in _kinds(types):
            own = replace(like, meaning=_NAMES[type_id])
            self._add(own, (spans[0][rows], spans[1][rows]), paths.of(rows), types[rows])

    def add_key_values(self, numbers: range) -> None:
        table = self._reader.key_values(numbers.start, numbers.stop)
        paths = Paths("/metadata/", np.arange(numbers.start, numbers.stop))
        is_first = True
        for type_id, rows in _kinds(table.value_type):
            row = rows[0]
            stop = table.value[row] if type_id == ValueType.ARRAY else table.end[row]
            like = self._items.like("KeyValue", type_id, 2, int(table.position[row]), int(stop))
            if is_first:  # all key-values begin with the same fields
                bounds = table.position, table.key_start, table.key_end
                self._add_strings(_text(like, "/key"), bounds, paths.below("key"))
                spans = table.key_end, table.value
                self._add_types(like["/value_type"], spans, paths.below("value_type"), table.value_type)
                is_first = False
            spans = table.value[rows], table.end[rows]
            self._add_values(like, ValueType(type_id), spans, paths.below("value", rows))

    def _add_values(self, like: dict[str, Field], type: ValueType, spans: Spans, paths: Paths) -> None:
        """Add the values of key-values with the same type."""
        starts, ends = spans
        if type is ValueType.ARRAY:
            self.add_arrays(paths, spans, VALUE_DEPTH)
        elif type is ValueType.STRING:
            begins, _ = self._reader.string_spans(starts)
            self._add_strings(_text(like, "/value"), (starts, begins, ends), paths)
        else:
            number = ValueType.UINT8 if type is ValueType.BOOL else type  # as the generated class has it
            self._add(like["/value"], spans, paths, self._numbers(number, starts))

    def add_tensor_infos(self, numbers: range) -> None:
        table = self._reader.tensor_infos(numbers.start, numbers.stop)
        paths = Paths("/tensors/", np.arange(numbers.start, numbers.stop))
        names = {type_id: type_name(type_id) for type_id in set(table.type_id.tolist())}
        for num_dims, rows in _kinds(table.num_dims):
            start, begin, end = table.position[rows], table.name_start[rows], table.name_end[rows]
            like = self._items.like("TensorInfo", num_dims, 2, int(start[0]), self._reader.end)
            self._add_strings(_text(like, "/name"), (start, begin, end), paths.below("name", rows))
            columns = {"/num_dims": table.num_dims, "/type_id": table.type_id, "/ofs_data": table.offset}
            columns |= {f"/dims/{axis}": table.dims[:, axis] for axis in range(num_dims)}
            for path in list(like)[2:]:  # after the name, all have fixed sizes
                start, end = end, end + (like[path].end - like[path].start)
                values: Values = columns[path][rows] if path in columns else [None] * len(rows)
                meanings = [names[value] for value in listed(values)] if path == "/type_id" else None
                self._add(like[path], (start, end), paths.below(path[1:], rows), values, (meanings, None))

    def add_arrays(self, paths: Paths, spans: Spans, depth: int) -> None:
        """Add arrays at a depth, and all in them."""
        starts, ends = spans
        types, counts, elements = self._reader.array_table(starts)
        if is_folded(depth):
            names = list(map(array_type, types.tolist(), counts.tolist()))
            whole = Field(start=0, end=0, path="", type="", depth=depth)
            self._add(whole, spans, paths, [None] * len(names), (None, names))
            return
        like = self._items.like("GgufArray", 0, depth + 1, int(starts[0]), int(elements[0]))
        type = like["/element_type"]
        end = starts + (type.end - type.start)
        self._add_types(type, (starts, end), paths.below("element_type"), types)
        self._add(like["/num_elements"], (end, elements), paths.below("num_elements"), counts)
        for type_id, rows in _kinds(types):
            empty, filled = rows[counts[rows] == 0], rows[counts[rows] > 0]
            if len(empty):
                about = note("GgufArray", "elements")
                field = Field(
                    start=0, end=0, path="", type=array_type(type_id, 0), meaning="empty", depth=depth + 1,
                    original_name=about.orig_id, doc=about.doc,
                )  # fmt: skip
                spans = elements[empty], ends[empty]
                self._add(field, spans, paths.below("elements", empty), [None] * len(empty))
            if len(filled):
                own, spans = paths.below("elements", filled), (elements[filled], ends[filled])
                self._add_elements(ValueType(type_id), own, spans, counts[filled], depth + 2)

    def _add_elements(self, type: ValueType, paths: Paths, spans: Spans, counts: IntArray, depth: int) -> None:
        """Add the elements of arrays that have elements of one type, each at least one."""
        starts, ends = spans
        shown = counts if self._elements is None else np.minimum(counts, self._elements)
        own = _numbered(paths, shown)
        like = Field(start=0, end=0, path="", type=str(type), depth=depth)
        dtype = value_dtype(type, self._items.byte_order)
        if dtype is not None:
            rests = starts + shown * dtype.itemsize
            first = starts.repeat(shown) + own.numbers * dtype.itemsize
            if own:
                self._add(like, (first, first + dtype.itemsize), own, self._numbers(type, first))
        else:
            located = np.minimum(counts, shown + 1)  # the first that is not shown, too
            bounds = self._reader.element_starts(type, starts, located)
            lasts = located.cumsum() - 1
            after = np.append(bounds[1:], 0)
            after[lasts] = ends
            is_rest = np.zeros(len(bounds), np.bool_)
            is_rest[lasts] = located > shown
            rests = bounds[lasts]
            first, last = bounds[~is_rest], after[~is_rest]
            if own and type is ValueType.ARRAY:
                self.add_arrays(own, (first, last), depth)
            elif own:
                text = self._items.like("GgufString", 0, depth + 1, int(first[0]), int(last[0]))
                begins, _ = self._reader.string_spans(first)
                self._add_strings(_text(text, ""), (first, begins, last), own)
        for count, rows in _kinds(np.where(counts > shown, counts, 0)):
            if count:
                missing = count - int(shown[rows[0]])
                field = replace(like, type=array_type(type, missing), meaning=f"{missing:,} more")
                rest = paths.below(f"{count - missing}:{count}", rows)
                self._add(field, (rests[rows], ends[rows]), rest, [None] * len(rows))

    def _numbers(self, type: ValueType, starts: IntArray) -> IntArray:
        """Return the numbers of a type that start at the positions."""
        dtype = value_dtype(type, self._items.byte_order)
        assert dtype is not None
        return self._reader.numbers_at(dtype, starts)


def _text(like: dict[str, Field], path: str) -> tuple[Field, Field]:
    """Return the fields of a string."""
    return like[f"{path}/len_data"], like[f"{path}/data"]


def _kinds(numbers: IntArray) -> Iterator[tuple[int, IntArray]]:
    """Yield each number and its rows."""
    if len(numbers) and (numbers == numbers[0]).all():
        yield int(numbers[0]), np.arange(len(numbers))
        return
    for number in np.unique(numbers).tolist():
        yield number, np.flatnonzero(numbers == number)


def _numbered(paths: Paths, counts: IntArray) -> Paths:
    """Return the paths of so many elements below each path."""
    owners = np.array(list(paths), np.object_).repeat(counts)
    return Paths("/", np.arange(len(owners)) - (counts.cumsum() - counts).repeat(counts), owners=owners)
