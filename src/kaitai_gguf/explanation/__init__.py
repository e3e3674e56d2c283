"""What each byte of a file is: the field of the schema, the tensor and block, or nothing at all.

| module | what is in it |
|---|---|
| `tree` | `Field`, and trees of them that are made as they are looked at |
| `header` | the header, by the classes generated from the schema that know where their fields are |
| `data` | what follows it: padding, tensors, blocks, gaps |
"""

from collections.abc import Iterator

from kaitai_gguf.arguments import integer
from kaitai_gguf.errors import FieldNotFound, FormatError, TruncatedError
from kaitai_gguf.explanation.tree import Field, Node, around, at_path, leaves
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.sources import OneSource, Source, opened

__all__ = ["ELEMENTS", "Field", "explain"]

ELEMENTS = 3
"""How many elements of an array are shown unless told otherwise."""


def explain(
    source: OneSource | GGUFFile,
    at: int | None = None,
    path: str | None = None,
    *,
    elements: int | None = ELEMENTS,
    mmap: bool = True,
) -> Iterator[Field]:
    """Yield what is in a file, byte by byte and in file order: fields that follow each other without a gap.

    With `at`, yield the fields that hold the byte at a position instead: from the outermost to the innermost. With
    `path`, which is as in `FormatError.path`, yield what is in one field. Of arrays, and of the data of the tensor that
    was asked for, `elements` elements or blocks are given one by one (None: all), and the rest as one field.

    A broken file is explained up to the byte where it breaks; then the `FormatError` of `open()` is raised, also if
    what was asked for comes later. Raises `FieldNotFound` if no such byte or field exists, and what `open()`
    raises if the source can't be read. `source` and `mmap` are as for `open()`; a shard is explained alone. `source`
    can also be a model that is open, of which the first file is explained if it is in several.
    """
    if at is not None and path is not None:
        raise ValueError("a position or a path expected, not both")
    at = None if at is None else integer(at, "at")
    elements = None if elements is None else integer(elements, "elements")
    if at is not None and at < 0:
        raise ValueError(f"a position from 0 on expected, not {at}")
    if elements is not None and elements < 0:
        raise ValueError(f"a number of elements from 0 on expected, not {elements}")
    if isinstance(source, GGUFFile):
        return _explained((source.source, source.shards[0], None), at, path, elements)
    return _explained(opened(source, mmap, _attempt), at, path, elements)


_Opened = tuple[Source, GGUFFile | None, FormatError | None]


def _explained(opened: _Opened, at: int | None, path: str | None, elements: int | None) -> Iterator[Field]:
    # The generated classes take a while to import, and a file is opened without them.
    from kaitai_gguf.explanation.data import data_nodes
    from kaitai_gguf.explanation.header import Header

    source, model, error = opened
    nodes = Header(source.buffer, error).nodes() + (data_nodes(source, model) if model else [])
    root = Node(Field(start=0, end=error.offset if error else source.nbytes, path="", type="file"), nodes)
    if at is not None:
        if at >= source.nbytes:
            raise FieldNotFound(f"there is no byte {at:#x}: the file ends at {source.nbytes:#x}{_missing(model, at)}")
        if error is not None and at >= error.offset:
            raise error
        yield from around(root, at)
        return
    try:
        node = at_path(root, path or "")
    except FieldNotFound:
        if error is not None:  # it may come later
            raise error from None
        raise
    if node is not root or root.children:  # else it breaks with its first byte
        yield from leaves(node, elements)
    if error is not None and f"{error.path}/".startswith(f"{node.field.path}/"):
        raise error


def _attempt(source: Source) -> _Opened:
    try:
        return source, read(source), None
    except FormatError as error:
        if isinstance(error, TruncatedError) and len(source.buffer) < source.nbytes:
            raise  # more of the file will be read
        return source, None, error


def _missing(model: GGUFFile | None, at: int) -> str:
    """What should be at a position after the end of the file, in words that go on with a sentence."""
    for tensor in model.tensors.values() if model else ():
        if tensor.position <= at < tensor.position + (tensor.nbytes or 0):
            return f", and the data of tensor {tensor.name!r}, which should be there, is missing"
    return ""
