"""The fields that the official compiler's classes record agree with explain() and with the skip compiler's index."""

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
    reader = Header(data)
    key_values, infos = reader.key_values, reader.tensor_infos
    for number, (position, key_start, key_end, value_type, value, end) in enumerate(rows(key_values)):
        path = f"/metadata/{number}"
        assert places[path][:2] == (position, end)
        assert places[f"{path}/key/data"][:2] == (key_start, key_end)
        assert (places[f"{path}/value"].start, places[f"{path}/value_type"].value) == (value, value_type)
        for field in ("key", "value_type", "value"):
            assert places[f"{path}/{field}"].start == reader.position(f"{path}/{field}")
        if value_type == ValueType.STRING:
            assert places[f"{path}/value/data"][:2] == reader.string_span(value)
        if value_type == ValueType.ARRAY:
            agree_on_array(reader, value, places, f"{path}/value")
    for path in ("/version", "/num_tensors", "/num_metadata"):
        assert places[path].start == reader.position(path)
    for number in range(len(infos.position)):
        path = f"/tensors/{number}"
        assert places[f"{path}/name/data"][:2] == (infos.name_start[number], infos.name_end[number])
        assert places[f"{path}/ofs_data"].value == infos.offset[number]
        for field in ("name", "num_dims", "dims", "type_id", "ofs_data"):
            assert places[f"{path}/{field}"].start == reader.position(f"{path}/{field}")
        spans = reader.fields.spans("tensor_info", int(infos.name_end[number]), places[path].end, after="name")
        assert [*spans.values()] == [places[f"{path}/{field}"][:2] for field in spans]
        assert {*spans} == {"num_dims", "dims", "type_id", "ofs_data"}
    assert max(place.end for place in places.values()) == reader.end


def agree_on_array(reader: Header, position: int, places: dict[str, Recorded], path: str) -> None:
    info = reader.array(position)
    elements = places[f"{path}/elements"]
    assert (places[path].start, elements.start) == (position, info.elements)
    start = [places[f"{path}/{field}"] for field in ("element_type", "num_elements")]
    spans = reader.fields.spans("gguf_array", position, info.elements)
    assert [place[:2] for place in start] == [spans["element_type"], spans["num_elements"]]
    assert [place.value for place in start] == [info.element_type, info.num_elements]
    if info.element_type not in (ValueType.STRING, ValueType.ARRAY):
        return
    starts, ends = reader.items(info)
    assert [places[part][:2] for part in elements.parts] == list(rows((starts, ends)))
    for part, start_of_part in zip(elements.parts, starts.tolist(), strict=True):
        if info.element_type is ValueType.ARRAY:
            agree_on_array(reader, start_of_part, places, part)


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
