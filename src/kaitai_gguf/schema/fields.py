"""Positions and values of the fields of single items, which the generated table of fields describes.

Lists of items and the elements of arrays are left to the index.
"""

from struct import Struct
from typing import Any, NamedTuple, TypeVar

from kaitai_gguf_schema.fields import TYPES, Field

from kaitai_gguf.schema.scanner import Buffer, ByteOrder, IntArray

NEWEST = max(TYPES)

Position = TypeVar("Position", int, IntArray)


class Place(NamedTuple):
    """A field and its bytes in the file."""

    field: Field
    start: int
    end: int
    value: Any = None
    """Of a number."""
    parts: "tuple[Place, ...]" = ()


class Fields:
    """The fields of a header."""

    def __init__(self, buf: Buffer, version: int, byte_order: ByteOrder) -> None:
        """The version makes no difference to the fields before it."""
        self._buf = buf
        self.types = TYPES[version]
        numbers = (Struct(f"{'>' if byte_order == 'big' else '<'}{code}") for code in "BbHhIiQqfd")
        self._numbers = {number.format[1:]: (number.unpack_from, number.size) for number in numbers}

    def read(self, type: str, start: int, end: int) -> tuple[Place, ...]:
        """Return the fields of the item at `start`, as far as they end before `end`.

        If a field with parts is incomplete, it ends with its last complete part. Stops at a list of items and at the
        elements of an array.
        """
        places: list[Place] = []
        known: dict[str, int] = {}
        for field in self.types[type]:
            chosen = field.cases[known[field.switch_on]] if field.cases else field
            place = self._place(chosen, start, end, known)
            if place is None:
                break
            places.append(place)
            start = place.end
        return tuple(places)

    def starts(self, type: str, start: int, end: int) -> dict[str, int]:
        """Return the starts of the fields of the item at `start`, up to the field that starts at `end`."""
        starts = [start, *(place.end for place in self.read(type, start, end))]
        return {field.name: each for field, each in zip(self.types[type], starts, strict=False)}

    def spans(
        self, type: str, start: Position, end: Position, *, after: str = ""
    ) -> dict[str, tuple[Position, Position]]:
        """Return where the fields of an item start and end, or those of many items, without reading them.

        `start` is where the item starts, or where the field `after` ends. One of the fields may vary in size.
        """
        names = [field.name for field in self.types[type]]
        fields = self.types[type][names.index(after) + 1 if after else 0 :]
        first = next((number for number, field in enumerate(fields) if not field.code), len(fields))
        spans = {}
        for field in fields[:first]:
            before, start = start, start + self._numbers[field.code][1]
            spans[field.name] = before, start
        for field in reversed(fields[first + 1 :]):
            behind, end = end, end - self._numbers[field.code][1]
            spans[field.name] = end, behind
        for field in fields[first : first + 1]:
            spans[field.name] = start, end
        return spans

    def _place(self, field: Field, start: int, end: int, known: dict[str, int]) -> Place | None:
        """Return the field at `start`, or None if nothing of it can be read. `known` are the numbers before it."""
        if field.code:
            unpack, size = self._numbers[field.code]
            if start + size > end:
                return None
            (value,) = unpack(self._buf, start)
            known[field.name] = value
            return Place(field, start, start + size, value)
        if field.type == "bytes":
            size = field.size if isinstance(field.size, int) else known[field.size]
            return Place(field, start, start + size) if start + size <= end else None
        if field.item is not None:
            return self._numbers_at(field, field.item, start, end, known[field.repeat]) if field.item.code else None
        parts = self.read(field.type, start, end) if field.type else ()
        return Place(field, start, parts[-1].end, None, parts) if parts else None

    def _numbers_at(self, field: Field, item: Field, start: int, end: int, count: int) -> Place | None:
        unpack, size = self._numbers[item.code]
        stop = start + count * size
        if stop > end:
            return None
        parts = (Place(item, at, at + size, unpack(self._buf, at)[0]) for at in range(start, stop, size))
        return Place(field, start, stop, None, tuple(parts))
