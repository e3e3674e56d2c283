"""explain(): every byte has a field, a broken file is shown up to where it breaks, two sources of positions agree."""

import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attacks.test_mutation import FILES, HEADERS, mutants
from attacks.test_truncation import one_of_each
from hypothesis import HealthCheck, given, settings
from kaitai_gguf_schema.positions.gguf import Gguf
from support import strategies
from support.gguf_bytes import FORMS, Array, Model, array, file, header, key_value, string, tensor, u8

import kaitai_gguf
from kaitai_gguf import Field, FieldNotFound, FormatError, explain
from kaitai_gguf.schema import Reader, ValueType
from kaitai_gguf.schema.positions import Place, Positions

MODELS = sorted((Path(__file__).parent / "data" / "models").glob("*.gguf"))
SMALL = ["v1", "nested-arrays"]
models = pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)


def shown(data: bytes, **options: Any) -> tuple[list[Field], FormatError | None]:
    """The fields, and the error after them."""
    fields: list[Field] = []
    try:
        fields.extend(field for field in iterate(fields, data, **options))
    except FormatError as error:
        return fields, error
    return fields, None


def iterate(fields: list[Field], data: bytes, **options: Any) -> Iterator[Field]:
    for field in explain(data, **options):
        fields.append(field)
    yield from ()


def opened(data: bytes) -> FormatError | None:
    try:
        kaitai_gguf.open(data)
    except FormatError as error:
        return error
    return None


def tiles(data: bytes, **options: Any) -> list[Field]:
    """Asserts that the fields follow each other from the first byte to the last, or to that which breaks."""
    fields, error = shown(data, **options)
    expected = opened(data)
    assert (error and (type(error), error.offset, error.path, str(error))) == (
        expected and (type(expected), expected.offset, expected.path, str(expected))
    )
    position = 0
    for field in fields:
        assert field.start == position <= field.end
        assert field.head == data[field.start : min(field.end, field.start + 16)]
        position = field.end
    assert position == (error.offset if error else len(data))
    return fields


def one(data: bytes, path: str) -> Field:
    (field,) = explain(data, path=path)
    return field


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


@pytest.mark.parametrize(("name", "elements"), [("v1", 3), ("nested-arrays", 0)])
def test_cut_off_after_every_byte(name: str, elements: int) -> None:
    for size in range(len(FILES[name])):
        tiles(FILES[name][:size], elements=elements)


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("elements", [0, 1, None])
def test_each_kind_of_field_cut_off(form: Any, elements: int | None) -> None:
    data = one_of_each(form)
    for size in range(len(data)):
        tiles(data[:size], elements=elements)


@settings(max_examples=150, derandomize=True, deadline=None, suppress_health_check=list(HealthCheck))
@given(mutants())
def test_changed_files(data: bytes) -> None:
    tiles(data)


@settings(max_examples=100, deadline=None)
@given(strategies.broken())
def test_broken_models(data: bytes) -> None:
    tiles(data, elements=1)


def test_every_byte_of_a_header_set_to_255() -> None:
    data = bytearray(FILES["empty-arrays"])
    for at in range(len(HEADERS["empty-arrays"])):
        kept, data[at] = data[at], 255
        tiles(bytes(data))
        data[at] = kept


# Two sources of positions: the classes of the official compiler, and what the skip compiler derives


def flat(places: tuple[Place, ...], path: str = "") -> Iterator[tuple[str, Place]]:
    for place in places:
        own = path if place.name == "body" else f"{path}/{place.name}"
        yield own, place
        yield from flat(place.parts, own)


def rows(table: Any) -> Iterator[tuple[int, ...]]:
    return zip(*(column.tolist() for column in table), strict=True)


def agree(data: bytes) -> None:
    """Asserts that all positions that the derived code gives are those of the generated classes."""
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
    for number, position in enumerate(infos.position.tolist()):
        path = f"/tensors/{number}"
        name = places[f"{path}/name/data"]
        assert (name.start, name.end) == (infos.name_start[number], infos.name_end[number])
        assert places[f"{path}/ofs_data"].value == infos.offset[number]
        for field in ("name", "num_dims", "dims", "type_id", "ofs_data"):
            assert places[f"{path}/{field}"].start == reader.field_position("tensor_info", position, field)
    assert max(place.end for place in places.values()) == reader.end


def agree_on_array(reader: Reader, position: int, places: dict[str, Place], path: str) -> None:
    info = reader.array(position)
    elements = places[f"{path}/elements"]
    assert (places[path].start, elements.start) == (position, info.elements)
    assert places[f"{path}/element_type"].value == info.element_type
    assert places[f"{path}/num_elements"].value == info.num_elements
    if info.element_type not in (ValueType.STRING, ValueType.ARRAY):
        return
    is_text = info.element_type is ValueType.STRING
    starts, ends = reader.string_items(info) if is_text else reader.array_items(info)
    assert [(part.start, part.end) for part in elements.parts] == list(rows((starts, ends)))
    for number, start in enumerate(starts.tolist()):
        if not is_text:
            agree_on_array(reader, start, places, f"{path}/elements/{number}")


def errors_agree(data: bytes) -> None:
    """Asserts that a file that ends in a field is refused where the generated classes say that the field starts."""
    places = dict(flat(Positions(data).read("Gguf", 0, len(data))))
    for path, place in places.items():
        if not place.parts and place.end > place.start:
            with pytest.raises(FormatError) as caught:
                Reader(data[: place.end - 1])
            # Lists want room for their items before the first is read, and all of `dims` is one to the derived walk.
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


# One byte


@pytest.mark.parametrize("name", SMALL)
def test_each_byte_is_in_its_field(name: str) -> None:
    data = FILES[name]
    fields = [field for field in explain(data, elements=None) if field.end > field.start]
    for field in fields:
        for at in {field.start, field.end - 1}:
            outer, *_ = chain = list(explain(data, at))
            inner = chain[-1]
            assert outer.depth == 0
            for around, inside in itertools.pairwise(chain):
                assert around.start <= inside.start <= at < inside.end <= around.end
                assert inside.path.startswith(around.path)
                assert inside.depth == around.depth + 1
            if not field.path.endswith("/data") or field.type == "bytes":  # the data of a tensor has more inside
                assert inner == field


def test_the_structures_around_a_byte() -> None:
    data = header([key_value(9, array(8, 2, string(b"one") + string(b"two")), b"words")])
    found = list(explain(data, data.index(b"two")))
    assert [(field.path, field.type, field.value) for field in found] == [
        ("/metadata", "key_value[1]", None),
        ("/metadata/0", "key_value", "words"),
        ("/metadata/0/value", "string[2]", None),
        ("/metadata/0/value/elements", "string[2]", None),
        ("/metadata/0/value/elements/1", "gguf_string", "two"),
        ("/metadata/0/value/elements/1/data", "bytes", "two"),
    ]


@pytest.mark.parametrize("path", [path for path in MODELS if path.stem.startswith("tiny")], ids=lambda path: path.stem)
def test_bytes_of_tensor_data(path: Path) -> None:
    """Which tensor, which block, which field of it and which elements: as numpy finds them."""
    data = path.read_bytes()
    for name, one in kaitai_gguf.open(data).tensors.items():
        number = one.nbytes // 2
        found = list(explain(data, one.position + number))
        blocks = one.blocks.reshape(-1)
        block, offset = divmod(number, blocks.itemsize)
        assert (found[0].value, found[0].type) == (name, one.type_name)
        assert found[1].path == f"{found[0].path}/{block}"
        assert found[1].start == one.position + block * blocks.itemsize
        if len(blocks.dtype.names) > 1:
            field = found[2].path.rpartition("/")[2]
            dtype, start = blocks.dtype.fields[field][:2]
            assert start <= offset < start + dtype.itemsize
            assert (found[2].start, found[2].end) == (found[1].start + start, found[1].start + start + dtype.itemsize)
            index = (offset - start) // dtype.base.itemsize
            assert repr(found[-1].value) == repr(blocks[field].reshape(len(blocks), -1)[block, index].item())
        numbers = np.arange(one.n_elements).reshape(one.shape)
        chosen = eval(f"numbers{found[1].meaning.partition(' ')[2]}", {"numbers": numbers})
        size = one.n_elements // len(blocks)
        assert np.ravel(chosen).tolist() == list(range(block * size, (block + 1) * size))


# One path


@pytest.mark.parametrize("name", SMALL)
def test_each_path_leads_back(name: str) -> None:
    for field in explain(FILES[name], elements=None):
        if not field.path.endswith("/data") or field.type == "bytes":
            assert one(FILES[name], field.path) == field


def test_a_path_is_that_of_an_error() -> None:
    data = file([key_value(4, FORMS["v3"].u4(24), b"general.alignment")])
    error = opened(data)
    assert error is not None
    valid = data.replace(FORMS["v3"].u4(24), FORMS["v3"].u4(32))
    assert (one(valid, error.path).start, one(valid, error.path).value) == (error.offset, 32)


def test_a_structure_is_shown_with_all_its_fields() -> None:
    fields = list(explain(FILES["v1"], path="/tensors/0"))
    assert [field.path.removeprefix("/tensors/0/") for field in fields] == [
        "name/len_data", "name/data", "num_dims", "dims/0", "dims/1", "type_id", "ofs_data",
    ]  # fmt: skip
    assert [field.value for field in fields] == [17, "token_embd.weight", 2, 5, 3, 0, 0]
    assert fields[5].meaning == "F32"


def test_blocks_of_a_tensor() -> None:
    data = file(tensors=[tensor((64,), 2)], data=bytes(range(36)))
    fields = list(explain(data, path="/tensors/0/data", elements=1))
    assert [(field.path.removeprefix("/tensors/0/data/"), field.type) for field in fields] == [
        ("0/d", "float16"), ("0/qs", "uint8[16]"), ("1:2", "Q4_0 block[1]"),
    ]  # fmt: skip
    assert [field.value for field in explain(data, path="/tensors/0/data/1/qs", elements=2)] == [20, 21, None]
    assert one(data, "/tensors/0/data/1/qs/15").value == 35


@pytest.mark.parametrize(
    ("path", "says"),
    [
        ("/nonsense", "'/nonsense': the file has magic, version, num_tensors, num_metadata, metadata, tensors"),
        ("metadata/1/value", "'/metadata/1/value': /metadata has 1 part, from 0"),
        ("/metadata/x", "/metadata has 1 part"),
        ("/metadata/-1", "/metadata has 1 part"),
        ("/metadata/" + "9" * 5000, "/metadata has 1 part"),
        ("/metadata/0/", None),
        ("/metadata/0/type", "/metadata/0 has key, value_type, value"),
        ("/metadata/0/value/elements/2", "/metadata/0/value/elements has 2 parts, from 0"),
        ("/metadata/0/value/elements/0/1", "/metadata/0/value/elements/0 has no parts"),
        ("/tensors/0/data/1", "/tensors/0/data has 1 part"),
        ("/tensors/0/data/0/m", "/tensors/0/data/0 has d, qs"),
    ],
)
def test_what_there_is_instead_of_a_path(path: str, says: str | None) -> None:
    data = file([key_value(9, array(0, 2, b"ab"))], [tensor((32,), 2)], bytes(18))
    if says is None:
        assert list(explain(data, path=path))
        return
    with pytest.raises(FieldNotFound) as caught:
        list(explain(data, path=path))
    assert says in str(caught.value)


# What isn't a field of the header


def after_header(data: bytes) -> list[Field]:
    return [field for field in tiles(data) if field.start >= kaitai_gguf.open(data).header_nbytes]


def test_padding_gaps_and_what_is_left_over() -> None:
    infos = [tensor((4,), offset=160, name=b"b"), tensor((2,), offset=64, name=b"a")]
    data = file(tensors=infos, data=bytes(64) + b"AAAAAAAA" + bytes(24) + bytes(64) + b"B" * 16 + b"tail" * 5)
    assert [(field.path, field.end - field.start, field.type) for field in after_header(data)] == [
        ("/padding", -len(header(tensors=infos)) % 32, "padding"),
        ("/gap", 64, "gap"),
        ("/tensors/1/data", 8, "F32"),
        ("/tensors/1/gap", 88, "gap"),
        ("/tensors/0/data", 16, "F32"),
        ("/trailing", 20, "trailing"),
    ]


def test_padding_says_whether_it_is_zero() -> None:
    infos = [tensor((2,)), tensor((2,), offset=32, name=b"u")]
    data = file(tensors=infos, data=bytes(31) + b"\1" + bytes(8 + 24))
    found = {field.path: field.meaning for field in after_header(data) if field.type == "padding"}
    assert found == {"/padding": "zeros", "/tensors/0/padding": "not all zeros", "/tensors/1/padding": "zeros"}


@pytest.mark.parametrize("size", [0, 1, 17, 100])
def test_data_that_is_missing(size: int) -> None:
    data = file(tensors=[tensor((32, 3), 2)], data=bytes(range(100)))[: len(file(tensors=[tensor((32, 3), 2)])) + size]
    *_, last = fields = [field for field in after_header(data) if field.type == "Q4_0"]
    assert len(fields) == 1
    there = min(size, 54)
    assert last.end - last.start == there
    assert last.meaning == "3 × 32" + (f", {54 - there} of 54 bytes are missing" if there < 54 else "")
    blocks = {field.path.split("/")[4] for field in explain(data, path="/tensors/0/data") if field.path != last.path}
    assert blocks == {str(number) for number in range(there // 18)}


def test_a_header_alone() -> None:
    assert after_header(header(tensors=[tensor((4,))]))[0].meaning == "4, 16 of 16 bytes are missing"


def test_a_type_that_is_not_known() -> None:
    infos = [tensor((9,), 77, 0, b"new"), tensor((8,), 24, 64, b"known"), tensor((8,), 99, 64, b"same")]
    fields = [field for field in after_header(file(tensors=infos, data=bytes(96))) if field.type != "padding"]
    assert [(field.value, field.end - field.start) for field in fields] == [("new", 64), ("known", 8), ("same", 24)]
    assert [field.type for field in fields] == ["type 77", "I8", "type 99"]
    assert fields[0].meaning == "9, of unknown size"


def test_an_unknown_type_in_the_midst_of_another_tensor() -> None:
    tiles(file(tensors=[tensor((64,), 24, name=b"a"), tensor((8,), 99, 32, b"b")], data=bytes(64)))


def test_empty_tensors() -> None:
    infos = [tensor((0,), name=b"none"), tensor((8,), 24, name=b"some"), tensor((0, 4), 24, 0, b"nothing")]
    fields = after_header(file(tensors=infos, data=bytes(8)))
    assert sorted(field.value for field in fields if field.type != "padding") == ["none", "nothing", "some"]


# What is left out


def count_objects(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    made: list[Any] = []
    original = Gguf.GgufString.__init__
    monkeypatch.setattr(Gguf.GgufString, "__init__", lambda *args: (made.append(1), original(*args))[1])
    return made


MANY = 50_000


def many_strings() -> bytes:
    return header([key_value(9, array(8, MANY, string(b"word") * MANY)), key_value(0, b"\7", b"l")])


@pytest.mark.parametrize(
    "options", [{}, {"at": 300_000}, {"path": "/metadata/0/value/elements/49999"}, {"path": "/metadata/1"}]
)
@pytest.mark.parametrize("is_cut", [False, True])
def test_what_is_not_shown_is_not_read(options: dict[str, Any], is_cut: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    data = many_strings()
    kaitai_gguf.open(data)
    made = count_objects(monkeypatch)
    shown(data[: -8 if is_cut else None], **options)
    assert 0 < len(made) < 12


def test_long_arrays_are_shown_in_part() -> None:
    fields = tiles(many_strings())
    (rest,) = (field for field in fields if "more" in field.meaning)
    assert (rest.path, rest.type, rest.meaning) == (
        "/metadata/0/value/elements/3:50000",
        "string[49997]",
        "49,997 more",
    )
    assert len(fields) < 25


def test_of_a_broken_array_the_broken_element_is_shown() -> None:
    data = header([key_value(9, array(8, 80, string(b"word") * 70 + u8(9999) + b"wo"))])
    fields, error = shown(data, elements=2)
    assert error is not None
    assert error.path == "/metadata/0/value/elements/70/data"
    assert [field.path.removeprefix("/metadata/0/value/elements/") for field in fields[-6:]] == [
        "0/len_data", "0/data", "1/len_data", "1/data", "2:70", "70/len_data",
    ]  # fmt: skip
    assert fields[-1].value == 9999


def test_levels_of_arrays() -> None:
    value = Array("uint8", [7])
    for _ in range(127):
        value = Array("array", [value, Array("string", ["x"])])
    data = Model([("deep", "array", value)]).build()
    assert next(field for field in tiles(data, elements=None) if field.type == "uint8").value == 7
    assert len(list(explain(data, data.index(b"\7", 40)))) > 128


# What fields say


def test_values() -> None:
    model = Model(
        [
            ("u", "uint64", 2**64 - 1),
            ("i", "int8", -5),
            ("f", "float32", 0.5),
            ("b", "bool", 1),
            ("s", "string", b"a\xff"),
            ("a", "array", Array("float64", [0.25])),
            ("o", "array", Array("bool", [1, 0])),
            ("e", "array", Array("string", [])),
        ],
        byte_order="big",
    )
    values = {field.path: field.value for field in explain(model.build()) if "/value" in field.path}
    expected = {
        "/metadata/0/value": 2**64 - 1, "/metadata/1/value": -5, "/metadata/2/value": 0.5, "/metadata/3/value": 1,
        "/metadata/4/value/data": "a\udcff", "/metadata/5/value/elements/0": 0.25, "/metadata/6/value/elements/0": True,
    }  # fmt: skip
    assert {path: values[path] for path in expected} == expected
    empty = one(model.build(), "/metadata/7/value/elements")
    assert (empty.type, empty.meaning, empty.start) == ("string[0]", "empty", empty.end)


def test_types_are_named() -> None:
    meanings = {field.path: field.meaning for field in explain(FILES["nested-arrays"])}
    assert meanings["/metadata/0/value_type"] == "string"
    assert meanings["/metadata/1/value/elements/0/element_type"] == "int32"
    assert one(header(tensors=[tensor(type_id=4)]), "/tensors/0/type_id").meaning == "Q4_2"
    assert one(header(tensors=[tensor(type_id=77)]), "/tensors/0/type_id").meaning == "type 77"


@pytest.mark.parametrize("version", [1, 2])
def test_numbers_have_the_width_of_their_version(version: int) -> None:
    fields = {
        field.path: field.type for field in explain(FORMS[f"v{version}"].file(tensors=[FORMS[f"v{version}"].tensor()]))
    }
    width = "u4" if version == 1 else "u8"
    assert {fields[path] for path in ("/num_tensors", "/tensors/0/name/len_data", "/tensors/0/dims/0")} == {width}
    assert fields["/tensors/0/ofs_data"] == "u8"


def test_what_the_schema_says_of_fields() -> None:
    fields = {field.path: field for field in explain(FILES["v1"])}
    assert fields["/num_metadata"].original_name == "metadata_kv_count"
    assert fields["/tensors/0/num_dims"].original_name == "n_dimensions"
    assert fields["/version"].doc.startswith("Version 1 has 32-bit lengths")
    assert "count of bytes" in fields["/metadata/0/key/len_data"].doc
    (elements,) = (
        field for field in explain(FILES["nested-arrays"], 0x6C) if field.path == "/metadata/1/value/elements"
    )
    assert elements.original_name == "array"


# Sources and arguments


def test_a_path_is_opened(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(FILES["v1"])
    assert list(explain(path)) == list(explain(path, mmap=False)) == list(explain(FILES["v1"]))


def test_a_shard_is_explained_alone() -> None:
    (path,) = (path for path in MODELS if path.stem == "split5-00002-of-00003")
    *_, last = explain(path)
    assert last.end == path.stat().st_size


def test_errors_of_opening_come_at_once(tmp_path: Path) -> None:
    with pytest.raises(kaitai_gguf.FileMissingError):
        explain(tmp_path / "none")
    with pytest.raises(TypeError, match="expected"):
        explain(3)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"at": 1, "path": "/"}, {"at": -1}, {"elements": -1}])
def test_wrong_arguments(options: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="expected"):
        explain(b"", **options)


def test_a_byte_that_is_not_there() -> None:
    with pytest.raises(FieldNotFound, match="no byte 0x18: the file ends at 0x18"):
        list(explain(header(), 24))


def test_a_byte_that_should_be_there() -> None:
    data = file(tensors=[tensor((4,))])
    with pytest.raises(FieldNotFound, match="the data of tensor 't', which should be there, is missing"):
        list(explain(data, len(data) + 15))
    with pytest.raises(FieldNotFound, match=r"ends at 0x\w+$"):
        list(explain(data, len(data) + 16))


def test_what_comes_after_the_break_is_not_known() -> None:
    data = header([key_value(0, b"\7"), key_value(13, b"\7"), key_value(0, b"\7")])
    error = opened(data)
    assert error is not None
    for options in ({"at": error.offset}, {"path": "/metadata/2"}, {"path": "/tensors"}, {"path": "/metadata/1"}):
        with pytest.raises(FormatError) as caught:
            list(explain(data, **options))
        assert (caught.value.offset, caught.value.path) == (error.offset, error.path)
    assert list(explain(data, error.offset - 1))[-1].path == "/metadata/1/key/data"
    assert one(data, "/metadata/0/value").value == 7


def test_many_elements_are_not_read_one_by_one(monkeypatch: pytest.MonkeyPatch) -> None:
    """The generated classes make several objects of each string: they are asked for the first of an array alone."""
    texts = [f"text {number}" for number in range(10_000)]
    data = Model([("k", "array", Array("string", texts)), ("n", "array", Array("uint16", list(range(10_000))))]).build()
    asked = 0
    read = Positions.read

    def counted(self: Positions, type: str, start: int, end: int) -> tuple[Place, ...]:
        nonlocal asked
        asked += 1
        return read(self, type, start, end)

    monkeypatch.setattr(Positions, "read", counted)
    fields = {field.path: field for field in tiles(data, elements=None)}
    assert 0 < asked < 20
    assert [fields[f"/metadata/0/value/elements/{number}/data"].value for number in range(10_000)] == texts
    assert [fields[f"/metadata/1/value/elements/{number}"].value for number in range(10_000)] == list(range(10_000))
    for number in (0, 4095, 4096, 9999):  # which the generated classes read when only they are asked for
        text = f"/metadata/0/value/elements/{number}"
        for path in (f"{text}/len_data", f"{text}/data", f"/metadata/1/value/elements/{number}"):
            assert one(data, path) == fields[path]
