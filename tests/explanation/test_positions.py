"""The fields that the official compiler's classes record agree with explain() and with the skip compiler's index."""

import re
from collections.abc import Iterator
from enum import IntEnum
from io import BytesIO
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from hypothesis import given, settings
from kaitai_gguf_schema.positions.gguf import Gguf
from kaitaistruct import KaitaiStream, KaitaiStruct
from support import strategies
from support.gguf_bytes import FORMS, Form, Model

from explanation.fields import models, of_every_kind
from kaitai_gguf import Field, FormatError, explain
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ValueType
from kaitai_gguf.text import encode

INDEXED = re.compile(r"/(version|num_tensors|num_metadata|metadata/\d+/\w+|tensors/\d+/\w+)")
"""The paths of the fields that the index knows without reading them."""

FIRST = {"/magic", "/version", "/num_tensors", "/num_metadata", "/metadata", "/tensors"}


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


Innermost = dict[str, tuple[int, int, bytes | str]]
"""Start, end and content by path: bytes, or a number as text."""


def explained(data: bytes, places: dict[str, Recorded]) -> Innermost:
    """Return the innermost fields of the header. The numbers of an array are one field, as in the classes."""
    found: Innermost = {}
    for field in explain(data, elements=None):
        array = field.path.rpartition("/")[0]
        if array in places and isinstance(places[array].value, bytes):
            start, _, before = found.get(array, (field.start, 0, b""))
            assert isinstance(before, bytes)
            found[array] = start, field.end, before + field.head
        elif field.depth or field.path in FIRST:  # else it comes after the header
            found[field.path] = field.start, field.end, content(field)
    return found


def content(field: Field) -> bytes | str:
    if field.value is None or isinstance(field.value, str):
        return encode(field.value or "")
    return repr(field.value)


def innermost(places: dict[str, Recorded]) -> Innermost:
    return {
        path: (place.start, place.end, value if isinstance(value, bytes) else repr(value))
        for path, place in places.items()
        if (value := b"" if place.start == place.end else place.value) is not None
    }


def rows(table: Any) -> Iterator[tuple[int, ...]]:
    return zip(*(column.tolist() for column in table), strict=True)


def agree(data: bytes) -> None:
    """Assert that all fields, and all positions in the index, equal those in the generated classes."""
    places = recorded(data)
    assert explained(data, places) == innermost(places)
    header = Header(data)
    for path in filter(INDEXED.fullmatch, places):
        assert header.position(path) == places[path].start
    for number, (position, key_start, key_end, value_type, value, end) in enumerate(rows(header.key_values)):
        path = f"/metadata/{number}"
        assert places[path][:2] == (position, end)
        assert places[f"{path}/key/data"][:2] == (key_start, key_end)
        assert (places[f"{path}/value_type"].value, places[f"{path}/value"].start) == (value_type, value)
        if value_type == ValueType.STRING:
            assert places[f"{path}/value/data"][:2] == header.string_span(value)
        if value_type == ValueType.ARRAY:
            agree_on_array(header, value, places, f"{path}/value")
    infos = header.tensor_infos
    for number, span in enumerate(zip(infos.name_start, infos.name_end, strict=True)):
        assert places[f"/tensors/{number}/name/data"][:2] == span
        assert places[f"/tensors/{number}/ofs_data"].value == infos.offset[number]
    assert max(place.end for place in places.values()) == header.end


def agree_on_array(header: Header, position: int, places: dict[str, Recorded], path: str) -> None:
    info = header.array(position)
    elements = places[f"{path}/elements"]
    assert (places[path].start, elements.start) == (position, info.elements)
    assert places[f"{path}/element_type"].value == info.element_type
    assert places[f"{path}/num_elements"].value == info.num_elements
    if info.element_type in (ValueType.STRING, ValueType.ARRAY):
        starts, ends = header.items(info)
        assert [places[part][:2] for part in elements.parts] == list(rows((starts, ends)))
        for part, start in zip(elements.parts, starts.tolist(), strict=True):
            if info.element_type is ValueType.ARRAY:
                agree_on_array(header, start, places, part)


def errors_agree(data: bytes) -> None:
    """Assert that a file truncated within a field is refused at the start of that field in the generated classes."""
    places = recorded(data)
    for path, place in places.items():
        if place.value is not None and place.end > place.start:
            with pytest.raises(FormatError) as caught:
                Header(data[: place.end - 1])
            # The error may be at the enclosing field: the size of a list is checked first, and `dims` is one field.
            assert f"{path}/".startswith(f"{caught.value.path}/")
            assert caught.value.offset == places[caught.value.path].start


@models
def test_positions_agree(path: Path) -> None:
    agree(path.read_bytes())


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_positions_of_all_kinds_of_values_agree(form: Form) -> None:
    agree(of_every_kind(form))


@settings(max_examples=50, deadline=None)
@given(strategies.models())
def test_positions_of_fields_and_errors_in_any_model_agree(model: Model) -> None:
    agree(model.build())
    errors_agree(model.build())
