"""The positions in the official compiler's classes agree with those in the skip compiler's index."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from attacks.test_mutation import FILES
from hypothesis import given, settings
from support import strategies
from support.gguf_bytes import Model

from explanation.fields import SMALL, models
from kaitai_gguf import FormatError
from kaitai_gguf.schema import Reader, ValueType, array_spans, header_spans, tensor_info_spans
from kaitai_gguf.schema.positions import Place, Positions
from kaitai_gguf.sources import Span


def flat(places: tuple[Place, ...], path: str = "") -> Iterator[tuple[str, Place]]:
    for place in places:
        own = path if place.name == "body" else f"{path}/{place.name}"
        yield own, place
        yield from flat(place.parts, own)


def rows(table: Any) -> Iterator[tuple[int, ...]]:
    return zip(*(column.tolist() for column in table), strict=True)


def agree(data: bytes) -> None:
    """Assert that all positions in the index equal those in the generated classes."""
    reader = Reader(data)
    places = dict(flat(Positions(data).read("Gguf", 0, len(data))))
    key_values, infos = reader.key_values(), reader.tensor_infos()
    for number, (position, key_start, key_end, value_type, value, end) in enumerate(rows(key_values)):
        path = f"/metadata/{number}"
        assert (places[path].start, places[path].end) == (position, end)
        assert (places[f"{path}/key/data"].start, places[f"{path}/key/data"].end) == (key_start, key_end)
        assert (places[f"{path}/value"].start, places[f"{path}/value_type"].value) == (value, value_type)
        for field in ("key", "value_type", "value"):
            assert places[f"{path}/{field}"].start == reader.field_position("key_value", position, field)
        if value_type == ValueType.STRING:
            span = (places[f"{path}/value/data"].start, places[f"{path}/value/data"].end)
            assert span == reader.string_span(value)
        if value_type == ValueType.ARRAY:
            agree_on_array(reader, value, places, f"{path}/value")
    counts = ("/version", "/num_tensors", "/num_metadata")
    assert [Span(places[path].start, places[path].end) for path in counts] == [*header_spans(reader)]
    for number, position in enumerate(infos.position.tolist()):
        path = f"/tensors/{number}"
        name = places[f"{path}/name/data"]
        assert (name.start, name.end) == (infos.name_start[number], infos.name_end[number])
        assert places[f"{path}/ofs_data"].value == infos.offset[number]
        for field in ("name", "num_dims", "dims", "type_id", "ofs_data"):
            assert places[f"{path}/{field}"].start == reader.field_position("tensor_info", position, field)
        spans = tensor_info_spans(name.end, places[path].end)
        for field, span in zip(("num_dims", "dims", "type_id", "ofs_data"), spans, strict=True):
            place = places[f"{path}/{field}"]
            assert (place.start, place.end) == span
    assert max(place.end for place in places.values()) == reader.end


def agree_on_array(reader: Reader, position: int, places: dict[str, Place], path: str) -> None:
    info = reader.array(position)
    elements = places[f"{path}/elements"]
    assert (places[path].start, elements.start) == (position, info.elements)
    start = [places[f"{path}/{field}"] for field in ("element_type", "num_elements")]
    assert [Span(place.start, place.end) for place in start] == [*array_spans(position, info)]
    assert places[f"{path}/element_type"].value == info.element_type
    assert places[f"{path}/num_elements"].value == info.num_elements
    if info.element_type not in (ValueType.STRING, ValueType.ARRAY):
        return
    starts, ends = reader.items(info)
    assert [(part.start, part.end) for part in elements.parts] == list(rows((starts, ends)))
    for number, start in enumerate(starts.tolist()):
        if info.element_type is ValueType.ARRAY:
            agree_on_array(reader, start, places, f"{path}/elements/{number}")


def errors_agree(data: bytes) -> None:
    """Assert that a file truncated within a field is refused at the start of that field in the generated classes."""
    places = dict(flat(Positions(data).read("Gguf", 0, len(data))))
    for path, place in places.items():
        if not place.parts and place.end > place.start:
            with pytest.raises(FormatError) as caught:
                Reader(data[: place.end - 1])
            # The error may be at the enclosing field: the size of a list is checked first, and `dims` is one field.
            assert f"{path}/".startswith(f"{caught.value.path}/")
            assert caught.value.offset == places[caught.value.path].start


@models
def test_positions_agree(path: Path) -> None:
    agree(path.read_bytes())


@given(strategies.models())
def test_positions_of_any_model_agree(model: Model) -> None:
    agree(model.build())


@pytest.mark.parametrize("name", SMALL)
def test_positions_of_errors_agree(name: str) -> None:
    errors_agree(FILES[name])


@settings(max_examples=30, deadline=None)
@given(strategies.models())
def test_positions_of_errors_in_any_model_agree(model: Model) -> None:
    errors_agree(model.build())
