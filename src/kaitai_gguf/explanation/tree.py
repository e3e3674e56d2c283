"""A file as a lazy tree of fields, and three ways to query it: all fields, the fields at a position, or at a path."""

from __future__ import annotations

import re
from abc import abstractmethod
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, groupby, islice, repeat
from typing import Any, NamedTuple, TypeVar

import numpy as np

from kaitai_gguf.errors import FieldNotFound
from kaitai_gguf.schema import Buffer, IntArray
from kaitai_gguf.sources import Source

HEAD = 16  # bytes of a field in `Field.head`
CHUNK = 1 << 12  # children of one kind to read at a time
NUMBER = re.compile(r"0|[1-9][0-9]{0,18}")

Texts = np.ndarray[Any, np.dtype[np.object_]]

T = TypeVar("T")
K = TypeVar("K")


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
    """What the value stands for, or another remark."""
    depth: int = 0
    """How many fields contain this one."""
    original_name: str = ""
    """ggml's name for the field; "" if it is the same or ggml has none."""
    doc: str = ""
    """The schema's documentation of the field."""
    head: bytes = b""
    """The first 16 bytes. Empty for bytes of a remote file that have not been fetched."""


class Heads(NamedTuple):
    """The first bytes of fields."""

    data: np.ndarray[Any, np.dtype[np.uint8]]
    """A row of at most 16 bytes for each field. What follows the end of a shorter field means nothing."""
    sizes: IntArray
    """How many bytes of each row belong to the field; 0 for bytes of a remote file that have not been fetched."""

    def tolist(self) -> list[bytes]:
        rows, width = self.data.tobytes(), self.data.shape[1]
        starts = range(0, len(rows), width)
        return [rows[start : start + size] for start, size in zip(starts, self.sizes.tolist(), strict=True)]


class Paths(Sequence[str]):
    """Paths that differ by one number, and by those of the enclosing arrays."""

    def __init__(self, before: str, numbers: IntArray, after: str = "", owners: Texts | None = None) -> None:
        """`owners` are the paths of the enclosing arrays, one for each number. They come before `before`.

        Elements of an array share the text of its path, which may be much longer than the rest of their own.
        """
        self.before = before
        self.numbers = numbers
        self.after = after
        self.owners = owners

    @staticmethod
    def joined(parts: Sequence[Paths]) -> Paths:
        """Return the paths of all parts, which differ only in their numbers and owners."""
        numbers = np.concatenate([part.numbers for part in parts])
        owners = [part.owners for part in parts if part.owners is not None]
        return Paths(parts[0].before, numbers, parts[0].after, np.concatenate(owners) if owners else None)

    def of(self, rows: IntArray) -> Paths:
        """Return the paths in the given rows."""
        owners = None if self.owners is None else self.owners[rows]
        return Paths(self.before, self.numbers[rows], self.after, owners)

    def below(self, name: str, rows: IntArray | None = None) -> Paths:
        """Return the paths of the fields with this name in the items: those in the given rows, or all."""
        items = self if rows is None else self.of(rows)
        return Paths(items.before, items.numbers, f"{items.after}/{name}", items.owners)

    def __len__(self) -> int:
        return len(self.numbers)

    def __getitem__(self, index: Any) -> Any:
        return list(self)[index]

    def __iter__(self) -> Iterator[str]:
        if self.owners is None:
            return iter(self.tails())
        before, after = self.before, self.after
        pairs = zip(self.owners.tolist(), self.numbers.tolist(), strict=True)
        return iter([f"{owner}{before}{number}{after}" for owner, number in pairs])

    def tails(self) -> list[str]:
        """Return the paths without the owners."""
        before, after = self.before, self.after
        return [f"{before}{number}{after}" for number in self.numbers.tolist()]


class Column(NamedTuple):
    """The same field of several consecutive elements."""

    like: Field
    """A field whose type, meaning, depth, original name and doc all of them share, unless given for each."""
    starts: IntArray
    ends: IntArray
    paths: Sequence[str]
    values: Sequence[Any] | IntArray
    heads: Heads
    meanings: Sequence[str] | None = None
    """None if all have that of `like`; likewise the types and depths."""
    types: Sequence[str] | None = None
    depths: IntArray | None = None

    def fields(self) -> Iterator[Field]:
        like, count = self.like, len(self.starts)
        rows = zip(
            self.starts.tolist(), self.ends.tolist(), self.paths, listed(self.values), self.heads.tolist(),
            repeat(like.meaning, count) if self.meanings is None else self.meanings,
            repeat(like.type, count) if self.types is None else self.types,
            repeat(like.depth, count) if self.depths is None else self.depths.tolist(),
            strict=True,
        )  # fmt: skip
        for start, end, path, value, head, meaning, type, depth in rows:
            yield Field(
                start=start, end=end, path=path, type=type, value=value, meaning=meaning, depth=depth,
                original_name=like.original_name, doc=like.doc, head=head,
            )  # fmt: skip


class Columns(NamedTuple):
    """Columns of fields that are next to each other in the file."""

    columns: tuple[Column, ...]
    order: IntArray | None = None
    """The fields of all columns, numbered from the first column to the last, in file order. None if the fields are in
    file order row by row."""

    def in_order(self, results: Iterable[Iterable[T]]) -> Iterable[T]:
        """Return in file order what was made of the fields of each column."""
        if self.order is None:
            return chain.from_iterable(zip(*results, strict=True))
        return map(list(chain.from_iterable(results)).__getitem__, self.order.tolist())


class Node(NamedTuple):
    field: Field
    children: Sequence[Node] = ()
    is_folded: bool = False
    """Whether a list of an enclosing node's fields shows this node as a single field."""
    is_broken: bool = False
    """Whether the file breaks in this node. Then it is shown even if it is folded, with as little as possible."""

    @property
    def is_leaf(self) -> bool:
        """Whether a list of an enclosing node's fields shows nothing below this node."""
        return not self.children or (self.is_folded and not self.is_broken)


class Run(Sequence[Node]):
    """Many children of one kind, each created on demand."""

    @abstractmethod
    def node(self, number: int) -> Node: ...

    @abstractmethod
    def number_at(self, position: int) -> int | None:
        """Return which child contains the byte at a position; None if none does."""

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        """Yield the innermost fields of the children from `first` to before `last`."""
        for number in range(first, last):
            yield from leaves(self.node(number), elements, is_top=False)

    def __getitem__(self, index: Any) -> Any:
        return self.node(range(len(self))[index])


@dataclass(eq=False, repr=False, kw_only=True)
class LongRun(Run):
    """A run that may be shown with only its first children."""

    buf: Buffer | Source
    path: str
    """The path of the run."""
    depth: int
    """The depth of the children."""
    type: str
    """The type of one child."""
    num_whole: int
    """The number of complete children. An incomplete one may follow, where the file breaks."""

    @abstractmethod
    def start_of(self, number: int) -> int:
        """Return where a child starts; for the number after the last child, where the last one ends."""

    def rest(self, number: int) -> Field:
        """Return the complete children from a number on, as a single field."""
        count, path = self.num_whole - number, f"{self.path}/{number}:{self.num_whole}"
        start, end = self.start_of(number), self.start_of(self.num_whole)
        type, meaning = f"{self.type}[{count}]", f"{count:,} more"
        return field_of(self.buf, start, end, path, type, meaning=meaning, depth=self.depth)


@dataclass(eq=False, repr=False, kw_only=True)
class SameSize(LongRun):
    """Adjacent children of equal size."""

    start: int
    size: int

    def __len__(self) -> int:
        return self.num_whole

    def start_of(self, number: int) -> int:
        return self.start + number * self.size

    def number_at(self, position: int) -> int | None:
        number = (position - self.start) // self.size
        return number if 0 <= number < self.num_whole else None


class Numbers(SameSize):
    """Adjacent numbers of one dtype."""

    def __init__(
        self, buf: Buffer | Source, start: int, dtype: np.dtype[Any], count: int, *, path: str, depth: int
    ) -> None:
        super().__init__(
            buf=buf, path=path, depth=depth, type=dtype.name, num_whole=count, start=start, size=dtype.itemsize
        )
        self.dtype = dtype

    def node(self, number: int) -> Node:
        (field,) = fields_of(self.leaves(number, number + 1, None))
        return Node(field)

    def leaves(self, first: int, last: int, elements: int | None) -> Iterator[Columns]:
        like = Field(start=0, end=0, path="", type=self.type, depth=self.depth)
        for numbers in chunks(first, last):
            start, end = self.start_of(numbers.start), self.start_of(numbers.stop)
            starts = np.arange(start, end, self.size)
            ends = starts + self.size
            values = np.frombuffer(part_of(self.buf, start, end), self.dtype)
            paths = Paths(f"{self.path}/", np.arange(numbers.start, numbers.stop))
            yield Columns((Column(like, starts, ends, paths, values, heads(self.buf, starts, ends)),))


def part_of(buf: Buffer | Source, start: int, end: int) -> Buffer:
    """Return the bytes from `start` to before `end`."""
    if isinstance(buf, Source):
        part: Buffer = buf.read(start, end)
        return part
    return memoryview(buf)[start:end]


def chunks(first: int, last: int) -> Iterator[range]:
    """Yield the numbers of the children to read together."""
    return (range(start, min(start + CHUNK, last)) for start in range(first, last, CHUNK))


def _here(buf: Buffer | Source) -> Buffer:
    """Return the bytes that need not be requested."""
    return buf.buffer if isinstance(buf, Source) else buf


def heads(buf: Buffer | Source, starts: IntArray, ends: IntArray) -> Heads:
    """Return the first bytes of fields; none if reading them takes a request."""
    here = np.frombuffer(_here(buf), np.uint8)
    sizes = np.minimum(ends - starts, HEAD)
    sizes[starts + sizes > len(here)] = 0
    places = starts[:, None] + np.arange(sizes.max(initial=1))
    return Heads(here.take(places, mode="clip"), sizes)


def listed(values: Sequence[Any] | IntArray) -> Sequence[Any]:
    """Return values as Python objects."""
    return values.tolist() if isinstance(values, np.ndarray) else values


def field_of(buf: Buffer | Source, start: int, end: int, path: str, type: str, **more: Any) -> Field:
    """Return a field with its first bytes, unless reading them takes a request."""
    here, last = _here(buf), min(end, start + HEAD)
    head = bytes(here[start:last]) if last <= len(here) else b""
    return Field(start=start, end=end, path=path, type=type, head=head, **more)


def alone(field: Field) -> Columns:
    """Return columns that contain one field."""
    return Columns((_column_of([field]),))


def grouped(kinds: Iterable[K]) -> tuple[dict[K, list[int]], IntArray]:
    """Return the numbers of the rows of each kind, and `Columns.order` for columns of one kind each."""
    numbers: dict[K, list[int]] = {}
    for number, kind in enumerate(kinds):
        numbers.setdefault(kind, []).append(number)
    return numbers, np.argsort(list(chain.from_iterable(numbers.values())))


def _column_of(fields: list[Field]) -> Column:
    """Return a column of fields that differ only in what a column has for each."""
    starts, ends = (np.array(each) for each in zip(*((field.start, field.end) for field in fields), strict=True))
    rows = b"".join(field.head.ljust(HEAD, b"\0") for field in fields)
    first = Heads(np.frombuffer(rows, np.uint8).reshape(-1, HEAD), np.array([len(field.head) for field in fields]))
    paths, values, meanings = zip(*((field.path, field.value, field.meaning) for field in fields), strict=True)
    return Column(fields[0], starts, ends, paths, values, first, meanings)


def _columns_of(fields: list[Field]) -> Columns:
    """Return columns of fields of any kinds."""
    kinds, order = grouped((field.type, field.depth, field.original_name, field.doc) for field in fields)
    columns = (_column_of([fields[number] for number in numbers]) for numbers in kinds.values())
    return Columns(tuple(columns), order)


def fields_of(groups: Iterable[Columns]) -> Iterator[Field]:
    """Yield each field of the columns."""
    for group in groups:
        yield from group.in_order(column.fields() for column in group.columns)


def leaves(node: Node, elements: int | None, *, is_top: bool = True) -> Iterator[Columns]:
    """Yield the innermost fields of a node, or its own if it has none; at most `elements` children of a `LongRun`."""
    children = node.children
    if node.is_folded and not is_top:
        elements = 0
    if not children or (node.is_leaf and not is_top):
        yield alone(node.field)
    elif isinstance(children, LongRun):
        shown = children.num_whole if elements is None else min(elements, children.num_whole)
        yield from children.leaves(0, shown, elements)
        if shown < children.num_whole:
            yield alone(children.rest(shown))
        if children.num_whole < len(children):
            yield from leaves(children.node(children.num_whole), elements, is_top=False)
    elif isinstance(children, Run):
        yield from children.leaves(0, len(children), elements)
    else:
        for is_shown, group in groupby(children, lambda child: child.is_leaf):
            if is_shown:
                while some := list(islice(group, CHUNK)):
                    yield _columns_of([child.field for child in some])
            else:
                for child in group:
                    yield from leaves(child, elements, is_top=False)


def around(node: Node, position: int) -> Iterator[Field]:
    """Yield the fields below a node that contain a byte, the outermost first."""
    child = _holding(node.children, position)
    if child is not None:
        yield child.field
        yield from around(child, position)


def at_path(node: Node, path: str) -> Node:
    """Return the node at a path. Raises `FieldNotFound` if there is none; the message tells what exists instead."""
    path = "/" + path.strip("/")
    while path not in ("/", node.field.path):
        child = _towards(node, path)
        if child is None:
            raise FieldNotFound(f"no field {path!r}: {_offer(node)}")
        node = child
    return node


def _holding(children: Sequence[Node], position: int) -> Node | None:
    if isinstance(children, Run):
        number = children.number_at(position)
        return None if number is None else children.node(number)
    return next((child for child in children if child.field.start <= position < child.field.end), None)


def _towards(node: Node, path: str) -> Node | None:
    """Return the child at a path, or the child that contains it; None if there is neither."""
    if isinstance(node.children, Run):
        number = path.removeprefix(node.field.path + "/").split("/")[0]
        is_one = NUMBER.fullmatch(number) and int(number) < len(node.children)
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
