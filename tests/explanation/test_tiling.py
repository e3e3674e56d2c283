"""Every byte belongs to a field, broken files are explained up to the error, and what is not shown is not read."""

from pathlib import Path
from typing import Any

import pytest
from attacks.test_odd_files import one_of_each
from hypothesis import given, settings
from support import strategies
from support.gguf_bytes import FORMS, Array, Form, Model, array, file, header, key_value, string, tensor, u8

import kaitai_gguf
from explanation.fields import models, of_every_kind, one, shown, tiles
from kaitai_gguf import Field, explain
from kaitai_gguf.schema import Reader

# All bytes


@models
@pytest.mark.parametrize("elements", [0, 3, None])
def test_fields_follow_each_other(path: Path, elements: int | None) -> None:
    fields = tiles(path.read_bytes(), elements=elements)
    assert len({field.path for field in fields}) == len(fields)


@settings(deadline=None)
@given(strategies.models())
def test_fields_of_any_model_follow_each_other(model: Model) -> None:
    tiles(model.build())
    tiles(model.build() + b"more", elements=None)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("elements", [0, 1, None])
def test_each_kind_of_field_cut_off(form: Form, elements: int | None) -> None:
    data = one_of_each(form)
    for size in range(len(data)):
        tiles(data[:size], elements=elements)
    data = of_every_kind(form)
    for size in range(0, len(data), 151):
        tiles(data[:size], elements=elements)


@settings(max_examples=100, deadline=None)
@given(strategies.broken())
def test_broken_models(data: bytes) -> None:
    tiles(data, elements=1)


# Bytes after the header


def after_header(data: bytes) -> list[Field]:
    end = kaitai_gguf.open(data).header_nbytes
    return [field for field in tiles(data) if field.start >= end]


def test_padding_gaps_and_trailing_bytes() -> None:
    infos = [tensor((4,), offset=160, name=b"b"), tensor((2,), offset=64, name=b"a"), tensor((0,), name=b"none")]
    data = file(tensors=infos, data=bytes(64) + b"AAAAAAAA" + bytes(24) + bytes(64) + b"B" * 16 + b"tail" * 5)
    assert [(field.path, field.end - field.start, field.type) for field in after_header(data)] == [
        ("/padding", -len(header(tensors=infos)) % 32, "padding"),
        ("/tensors/2/data", 0, "F32"),
        ("/tensors/2/gap", 64, "gap"),
        ("/tensors/1/data", 8, "F32"),
        ("/tensors/1/gap", 88, "gap"),
        ("/tensors/0/data", 16, "F32"),
        ("/trailing", 20, "trailing"),
    ]
    data = file(tensors=[tensor((2,)), tensor((2,), offset=32, name=b"u")], data=bytes(31) + b"\1" + bytes(8 + 24))
    meanings = {field.path: field.meaning for field in after_header(data) if field.type == "padding"}
    assert meanings == {"/padding": "zeros", "/tensors/0/padding": "not all zeros", "/tensors/1/padding": "zeros"}


@pytest.mark.parametrize("size", [0, 1, 17, 100])
def test_data_that_is_missing(size: int) -> None:
    start = len(file(tensors=[tensor((32, 3), 2)]))
    data = file(tensors=[tensor((32, 3), 2)], data=bytes(range(100)))[: start + size]
    (last,) = (field for field in after_header(data) if field.type == "Q4_0")
    existing = min(size, 54)
    assert last.end - last.start == existing
    assert last.meaning == "3 × 32" + (f", {54 - existing} of 54 bytes are missing" if existing < 54 else "")
    blocks = {field.path.split("/")[4] for field in explain(data, path="/tensors/0/data") if field.path != last.path}
    assert blocks == {str(number) for number in range(existing // 18)}


def test_types_that_are_not_known() -> None:
    infos = [tensor((9,), 77, 0, b"new"), tensor((8,), 24, 64, b"known"), tensor((8,), 99, 64, b"same")]
    fields = [field for field in after_header(file(tensors=infos, data=bytes(96))) if field.type != "padding"]
    assert [(field.value, field.end - field.start) for field in fields] == [("new", 64), ("known", 8), ("same", 24)]
    assert [field.type for field in fields] == ["type 77", "I8", "type 99"]
    assert fields[0].meaning == "9, of unknown size"
    tiles(file(tensors=[tensor((64,), 24, name=b"a"), tensor((8,), 99, 32, b"b")], data=bytes(64)))  # in another


# Elements that are left out


@pytest.mark.parametrize("options", [{}, {"at": 300_000}, {"path": "/metadata/0/value/elements/49999"}])
@pytest.mark.parametrize("is_cut", [False, True])
def test_what_is_not_shown_is_not_read(options: dict[str, Any], is_cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    data = header([key_value(9, array(8, 50_000, string(b"word") * 50_000)), key_value(0, b"\7", b"l")])
    numbers: list[int] = []
    spans = Reader.string_spans
    monkeypatch.setattr(
        Reader, "string_spans", lambda self, starts: (numbers.append(len(starts)), spans(self, starts))[1]
    )
    fields, _ = shown(data[: -8 if is_cut else None], **options)
    assert 0 < len(fields) < 25
    assert sum(numbers) < 5
    if not options:
        (rest,) = (field for field in fields if "more" in field.meaning)
        assert (rest.path, rest.type) == ("/metadata/0/value/elements/3:50000", "string[49997]")
        assert rest.meaning == "49,997 more"


def test_of_a_broken_array_the_broken_element_is_shown() -> None:
    data = header([key_value(9, array(8, 80, string(b"word") * 70 + u8(9999) + b"wo"))])
    fields, error = shown(data, elements=2)
    assert error is not None
    assert error.path == "/metadata/0/value/elements/70/data"
    paths = [field.path.removeprefix("/metadata/0/value/elements/") for field in fields[-6:]]
    assert paths == ["0/len_data", "0/data", "1/len_data", "1/data", "2:70", "70/len_data"]
    assert fields[-1].value == 9999


def nested(levels: int) -> bytes:
    """A number in so many arrays, each but the last with another array after the next."""
    value = Array("uint8", [7])
    for _ in range(levels - 1):
        value = Array("array", [value, Array("string", ["x"])])
    return Model([("deep", "array", value)]).build()


def test_arrays_in_eight_others_are_single_fields() -> None:
    data = nested(128)
    fields = tiles(data, elements=None)
    ninth = f"/metadata/0/value{8 * '/elements/0'}"
    folded = {field.path: field.type for field in fields if not field.meaning and field.type.endswith("]")}
    assert folded == {ninth: "array[2]", f"{ninth[:-1]}1": "string[1]"}
    assert not any(field.path.startswith(f"{ninth}/") for field in fields)
    inside = list(explain(data, path=ninth, elements=None))
    assert (inside[0].start, inside[0].path) == (one(data, f"{ninth}/element_type").start, f"{ninth}/element_type")
    chain = list(explain(data, data.index(b"\7", 40)))
    assert (len(chain), chain[-1].value) == (2 + 2 * 128 + 1, 7)


def test_of_a_broken_array_that_is_deep_in_others_the_way_to_the_error_is_shown() -> None:
    data = nested(128)
    number = data.index(b"\7", 40)
    for size in range(number - 1500, len(data) - 40, 101):
        fields, error = tiles(data[:size], elements=None), shown(data[:size])[1]
        assert error is not None
        for field in fields:
            assert field.path.count("/elements/") <= 8 or error.path.startswith(field.path.rpartition("/")[0])
    _, error = shown(data[:number], elements=None)
    assert error is not None
    assert error.path.count("/elements") == 127


def test_paths_do_not_make_a_list_many_times_as_long_as_the_file() -> None:
    value = Array("array", [Array("uint8", [])] * 20_000)
    for _ in range(100):
        value = Array("array", [value])
    data = Model([("deep", "array", value)]).build()
    for broken in (data, data[:-40]):
        assert sum(len(field.path) for field in tiles(broken, elements=None)) < len(data)


def test_more_elements_than_are_read_together() -> None:
    values: dict[str, list[Any]] = {"string": [f"text {i}" for i in range(10_000)], "uint16": list(range(10_000))}
    data = Model([(type, "array", Array(type, items)) for type, items in values.items()]).build()
    fields = {field.path: field for field in tiles(data, elements=None)}
    for number, (items, end) in enumerate(zip(values.values(), ("/data", ""), strict=True)):
        paths = [f"/metadata/{number}/value/elements/{index}{end}" for index in range(10_000)]
        assert [fields[path].value for path in paths] == items
        for path in (paths[0], paths[4095], paths[4096], paths[9999]):
            assert one(data, path) == fields[path]
