"""The fields of a header as the official compiler's classes record them."""

from collections.abc import Iterator
from enum import IntEnum
from io import BytesIO
from typing import Any, NamedTuple

from kaitai_gguf_schema.positions.gguf import Gguf
from kaitaistruct import KaitaiStream, KaitaiStruct


class Recorded(NamedTuple):
    start: int
    end: int
    value: Any  # None for a structure or a list
    parts: tuple[str, ...] = ()  # the paths of the items of a list


def recorded(data: bytes) -> dict[str, Recorded]:
    """Return the fields by their paths."""
    root = Gguf(KaitaiStream(BytesIO(data)))
    root._read()
    return dict(_fields(root, ""))


def _fields(item: Any, path: str) -> Iterator[tuple[str, Recorded]]:
    for name in item.SEQ_FIELDS:
        if name in item._debug and name != "header_end":
            is_alone = set(item.SEQ_FIELDS) in ({"value"}, {"value_u4", "value_u8"}, {"items"}, {"data"})
            yield from _field(getattr(item, name), item._debug[name], path if is_alone else f"{path}/{name}")


def _field(value: Any, span: dict[str, Any], path: str) -> Iterator[tuple[str, Recorded]]:
    path = path.removeprefix("/body")
    if isinstance(value, list):
        parts = tuple(f"{path}/{number}" for number in range(len(value)))
        yield path, Recorded(span["start"], span["end"], None, parts)
        for own, item, each in zip(parts, value, span["arr"], strict=True):
            yield from _field(item, each, own)
    elif isinstance(value, KaitaiStruct):
        yield path, Recorded(span["start"], span["end"], None)
        yield from _fields(value, path)  # a field that is alone replaces its structure
    else:  # enums are compared as numbers
        yield path, Recorded(span["start"], span["end"], int(value) if isinstance(value, IntEnum) else value)
