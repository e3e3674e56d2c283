"""Fields with their places: read by the generated classes that remember them, and keep what they have when they fail.

They make several objects of each string. So they are given single items only, and a stream that ends where
what is wanted does: to them that is a file that was cut off.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from kaitai_gguf_schema.positions.gguf import Gguf
from kaitai_gguf_schema.positions.notes import TYPES, FieldNote
from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError

from kaitai_gguf.schema.items import _BufferIO
from kaitai_gguf.schema.scanner import Buffer

__all__ = ["Place", "Positions", "note"]


class Place(NamedTuple):
    """A field, and the bytes of the file that it is. It goes by the name that the index gives it."""

    name: str
    start: int
    end: int
    type: str
    """The schema's name of it, e.g. `u4`, `bytes` or `gguf_string`; `dim[2]` if it is repeated."""
    value: Any
    """A number, a member of an enum, or bytes; None if it is made of `parts`."""
    original_name: str
    """What ggml calls it; "" if that is the same or nothing."""
    doc: str
    parts: "tuple[Place, ...]" = ()


class Positions:
    """What the generated classes say of one buffer."""

    def __init__(self, buf: Buffer) -> None:
        self._view = memoryview(buf)
        # Streams are closed after use: generated objects refer to each other, and would keep the buffer alive.
        with self._stream(len(self._view)) as stream:
            self._root = Gguf(stream)
            with suppress(KaitaiStructError):
                _ = self._root.is_be, self._root.version  # more is not asked of a root

    def read(self, type: str, start: int, end: int) -> tuple[Place, ...]:
        """The fields of the item that starts at a position, as far as they end before another.

        The type is the name of a class that asks its parent for nothing. What is made of parts ends where the
        last part that is there does.
        """
        return tuple(_fields(self._item(type, start, end)))

    def starts(self, type: str, start: int, end: int) -> dict[str, int]:
        """Where the fields of the item at a position start, up to the one that starts at another."""
        return {name: span["start"] for name, span in self._item(type, start, end)._debug.items()}

    def _item(self, type: str, start: int, end: int) -> Any:
        with self._stream(end) as stream:
            stream.seek(start)
            item = (Gguf if type == "Gguf" else getattr(Gguf, type))(stream, None, self._root)
            with suppress(KaitaiStructError):  # the stream ends, or the file is broken
                item._read()
        return item

    def _stream(self, end: int) -> KaitaiStream:
        return KaitaiStream(_BufferIO(self._view[:end]))


def note(type: str, field: str) -> FieldNote:
    """What the schema says of a field of the type that has this class."""
    return TYPES[type].fields[field]


def _fields(item: Any) -> Iterator[Place]:
    notes = TYPES[type(item).__name__].fields
    for name in item.SEQ_FIELDS:
        if name in item._debug:  # it is not where its condition is false, or an earlier one failed
            yield from _place(name, getattr(item, name, None), item._debug[name], notes[name])


def _place(name: str, value: Any, span: dict[str, Any], note: FieldNote) -> Iterator[Place]:
    """The field, unless nothing of it could be read."""
    parts: tuple[Place, ...] = ()
    if isinstance(value, KaitaiStruct):
        own = TYPES[type(value).__name__]
        note = FieldNote(own.id, note.orig_id or own.orig_id, note.doc or own.doc)
        parts, value = tuple(_fields(value)), None
        if own.is_alone:
            yield from (each._replace(name=name, original_name=note.orig_id, doc=note.doc) for each in parts)
            return
    elif isinstance(value, list):
        parts = tuple(_items(value, span["arr"], note))
        note, value = note._replace(type=f"{note.type}[{len(value)}]"), None
    if parts or "end" in span:
        end = span["end"] if "end" in span else parts[-1].end
        yield Place(name, span["start"], end, note.type, value, note.orig_id, note.doc, parts)


def _items(values: list[Any], spans: list[dict[str, Any]], note: FieldNote) -> Iterator[Place]:
    for number, (value, span) in enumerate(zip(values, spans, strict=True)):
        yield from _place(str(number), value, span, FieldNote(note.type, "", note.doc))
