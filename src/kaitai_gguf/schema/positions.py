"""Positions of fields: read with the generated classes that record them, even if reading fails halfway.

These classes create several objects for each string. So they only read single items, from a stream that ends where the
item does; for them this is a truncated file.
"""

from collections.abc import Iterator
from contextlib import suppress
from typing import Any, NamedTuple

from kaitai_gguf_schema.positions.gguf import Gguf
from kaitai_gguf_schema.positions.notes import TYPES, FieldNote
from kaitaistruct import KaitaiStream, KaitaiStruct, KaitaiStructError

from kaitai_gguf.schema.parsing import BufferIO
from kaitai_gguf.schema.scanner import Buffer

__all__ = ["Place", "Positions", "note"]


class Place(NamedTuple):
    """A field and its bytes in the file. It has the same name as in the index."""

    name: str
    start: int
    end: int
    type: str
    """The name of the type in the schema: `u4`, `bytes`, `gguf_string`; `dim[2]` for a repeated field."""
    value: Any
    """A number, an enum member, or bytes; None for a field with `parts`."""
    original_name: str
    """The name in ggml; "" if it is the same, or if ggml has none."""
    doc: str
    parts: "tuple[Place, ...]" = ()


class Positions:
    """The positions of the fields in a buffer."""

    def __init__(self, buf: Buffer) -> None:
        self._view = memoryview(buf)
        # Streams are closed after use: generated objects refer to each other, and would keep the buffer alive.
        with self._stream(len(self._view)) as stream:
            self._root = Gguf(stream)
            with suppress(KaitaiStructError):
                _ = self._root.is_be, self._root.version  # nothing else of the root is used

    def read(self, type: str, start: int, end: int) -> tuple[Place, ...]:
        """Return the fields of the item at `start`, as far as they end before `end`.

        `type` is the name of a class that does not use its parent. If a field with parts is incomplete, it ends with
        its last complete part.
        """
        return tuple(_fields(self._item(type, start, end)))

    def starts(self, type: str, start: int, end: int) -> dict[str, int]:
        """Return the starts of the fields of the item at `start`, up to the field that starts at `end`."""
        return {name: span["start"] for name, span in self._item(type, start, end)._debug.items()}

    def _item(self, type: str, start: int, end: int) -> Any:
        with self._stream(end) as stream:
            stream.seek(start)
            item = (Gguf if type == "Gguf" else getattr(Gguf, type))(stream, None, self._root)
            with suppress(KaitaiStructError):  # the stream ends, or the file is broken
                item._read()
        return item

    def _stream(self, end: int) -> KaitaiStream:
        return KaitaiStream(BufferIO(self._view[:end]))


def note(type: str, field: str) -> FieldNote:
    """Return the documentation of a field; `type` is the name of its class."""
    return TYPES[type].fields[field]


def _fields(item: Any) -> Iterator[Place]:
    notes = TYPES[type(item).__name__].fields
    for name in item.SEQ_FIELDS:
        if name in item._debug:  # missing if its condition is false, or if an earlier field failed
            yield from _place(name, getattr(item, name, None), item._debug[name], notes[name])


def _place(name: str, value: Any, span: dict[str, Any], note: FieldNote) -> Iterator[Place]:
    """Yield the field, unless nothing of it could be read."""
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
