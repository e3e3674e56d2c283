"""What each byte of a file means: a field of the schema, part of a tensor's block, padding, or nothing.

| module | contents |
|---|---|
| `tree` | `Field`, and lazy trees of fields |
| `header` | the fields of the header |
| `data` | the bytes after the header: padding, tensors, blocks, gaps |
"""

from collections.abc import Generator, Iterator

from kaitai_gguf.arguments import integer
from kaitai_gguf.errors import FieldNotFound, FormatError, TruncatedError
from kaitai_gguf.explanation.data import data_nodes
from kaitai_gguf.explanation.header import HeaderNodes
from kaitai_gguf.explanation.tree import Field, Node, around, at_path, leaves
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.header import Header
from kaitai_gguf.sources import OneSource, Source, opened

__all__ = ["ELEMENTS", "Field", "explain"]

ELEMENTS = 3
"""The default number of array elements to show one by one."""


def explain(
    source: OneSource | GGUFFile,
    at: int | None = None,
    path: str | None = None,
    *,
    elements: int | None = ELEMENTS,
    mmap: bool = True,
) -> Iterator[Field]:
    """Yield the fields of a file in file order. Together they cover every byte.

    source    as for `open()`, or an open model. If a model is in several files, only the given shard is explained,
              or the first one of an open model.
    at        a position in bytes: yield the fields that contain this byte instead, from the outermost to the innermost.
    path      a path as in `FormatError.path`, such as `/tensors/0/data`: yield only the fields below it.
    elements  how many elements of each array, and how many blocks of the tensor that `path` names, to yield one by one;
              the rest becomes one field. None yields all. An array that is nested in eight others is one field in any
              case, unless `path` is its path.
    mmap      as for `open()`.

    A broken file is explained up to the byte where it breaks, then the `FormatError` of `open()` is raised. It is also
    raised if `at` or `path` lies beyond that byte. Raises `FieldNotFound` if the file has no such byte or field, and
    the errors of `open()` if the source can't be read.
    """
    if at is not None and path is not None:
        raise ValueError("expected a position or a path, not both")
    at = None if at is None else integer(at, "at")
    elements = None if elements is None else integer(elements, "elements")
    if at is not None and at < 0:
        raise ValueError(f"expected a position of at least 0, not {at}")
    if elements is not None and elements < 0:
        raise ValueError(f"expected a number of elements of at least 0, not {elements}")
    if path is not None and not isinstance(path, str):
        raise TypeError(f"path must be a str, not {path!r:.60}")
    if isinstance(source, GGUFFile):
        model = source.shards[0]
        return _explained((source_of(source), model.header, model, None), at, path, elements)
    return _explained(opened(source, mmap, _attempt), at, path, elements)


_Opened = tuple[Source, Header, GGUFFile | None, FormatError | None]


def _explained(opened: _Opened, at: int | None, path: str | None, elements: int | None) -> Iterator[Field]:
    error = yield from _fields(opened, at, path, elements)
    if error is not None:
        try:
            raise error
        finally:
            del error, opened  # or this frame and the error keep each other, and the map of the file, alive


def _fields(
    opened: _Opened, at: int | None, path: str | None, elements: int | None
) -> Generator[Field, None, FormatError | None]:
    """Yield the fields, and return the error of the file if they come to it."""
    source, header, model, error = opened
    nodes = HeaderNodes(source, header, error).nodes()
    data = data_nodes(source, model) if model else iter(())
    if at is None and not (path or "").strip("/"):
        for node in nodes:
            yield from leaves(node, elements, is_top=False)
        yield from (node.field for node in data)
        return error
    whole = Field(start=0, end=error.offset if error else source.nbytes, path="", type="file")
    root = Node(whole, [*nodes, *data])
    if at is not None:
        if at >= source.nbytes:
            raise FieldNotFound(f"no byte at {at:#x}: the file ends at {source.nbytes:#x}{_missing(model, at)}")
        if error is not None and at >= error.offset:
            return error
        yield from around(root, at)
        return None
    try:
        node = at_path(root, path or "")
    except FieldNotFound:
        if error is not None:  # the field may lie beyond the error
            return error
        raise
    yield from leaves(node, elements)
    return error if error is not None and f"{error.path}/".startswith(f"{node.field.path}/") else None


def _attempt(source: Source) -> _Opened:
    header, error = Header.partial(source.buffer, nbytes=source.nbytes)
    if isinstance(error, TruncatedError) and len(source.buffer) < source.nbytes:
        try:
            raise error  # makes the source read on
        finally:
            del error
    if error is not None:
        return source, header, None, error
    try:
        return source, header, read(source, header), None
    except FormatError as refused:
        return source, header, None, refused.with_traceback(None)  # its frames refer to what is returned


def _missing(model: GGUFFile | None, at: int) -> str:
    """Return the end of a sentence about a position beyond the end of the file: the tensor that is missing there."""
    for tensor in model.tensors.values() if model else ():
        if tensor.position <= at < tensor.position + (tensor.nbytes or 0):
            return f", and the data of tensor {tensor.name!r}, which belongs there, is missing"
    return ""
