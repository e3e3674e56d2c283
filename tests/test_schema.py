"""The index, and the items that are read at its positions, against the eager generated parser."""

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from kaitai_gguf_schema import index
from kaitai_gguf_schema.gguf import Gguf
from support import eager, strategies
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.arrays import NestedArray, StringArray, read_array
from kaitai_gguf.errors import FormatError, NotGGUFError, TruncatedError
from kaitai_gguf.schema import Reader, ValueType
from kaitai_gguf.schema.walk import Walk

MODELS = sorted((Path(__file__).parent / "data" / "models").glob("*.gguf"))


def as_eager(value: Any) -> Any:
    """A lazily read array in the form that `eager.parse` gives."""
    if isinstance(value, StringArray):
        return "string", [value.raw(i) for i in range(len(value))]
    if isinstance(value, NestedArray):
        return "array", [as_eager(item) for item in value]
    return ValueType[value.dtype.name.upper()].name.lower(), value.tobytes()


def rows(table: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.tolist() for column in table), strict=True)


def lazily(data: bytes) -> dict[str, Any]:
    """What a Reader finds, in the form that `eager.parse` gives."""
    reader = Reader(data)
    metadata = []
    for position, start, end, value_type, value, _ in rows(reader.key_values()):
        type = ValueType(value_type)
        read = as_eager(read_array(reader, reader.array(value))) if type is ValueType.ARRAY else reader.scalar(position)
        metadata.append((data[start:end], type.name.lower(), read))
    tensors = [
        (data[start:end], tuple(dims[:num_dims]), type_id, offset)
        for _, start, end, num_dims, dims, type_id, offset in rows(reader.tensor_infos())
    ]
    return {
        "version": reader.version,
        "is_be": reader.is_big_endian,
        "metadata": metadata,
        "tensors": tensors,
        "end": reader.end,
    }


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models_read_as_by_the_generated_parser(path: Path) -> None:
    data = path.read_bytes()
    assert repr(lazily(data)) == repr(eager.parse(data))


@given(strategies.models())
def test_valid_models_read_as_by_the_generated_parser(model: Model) -> None:
    data = model.build()
    found = eager.parse(data)
    assert repr(lazily(data)) == repr(found)  # repr: NaN is not equal to itself
    assert found["end"] == len(model.header())


@settings(max_examples=400)
@given(strategies.broken())
def test_broken_models_are_refused_as_by_the_generated_parser(data: bytes) -> None:
    try:
        expected = eager.parse(data)
    except eager.Refused:
        with pytest.raises(FormatError) as caught:
            Reader(data)
        assert 0 <= caught.value.offset <= len(data)
        assert caught.value.path.startswith("/")
    else:
        assert repr(lazily(data)) == repr(expected)


@settings(max_examples=200)
@given(strategies.broken())
def test_fast_and_checked_walk_agree(data: bytes) -> None:
    try:
        layout = index.layout(data)
    except index.Refused:
        return
    fast, checked = (_accepts(walk, data) for walk in (layout._index_gguf, lambda *a: layout.check_gguf(*a, 0)))
    assert fast == checked


def _accepts(walk: Any, data: bytes) -> bool:
    try:
        walk(data, 0)
    except (index.Refused, index.error, OverflowError):
        return False
    return True


def nested(levels: int) -> bytes:
    value = Array("uint8", [])
    for _ in range(levels - 1):
        value = Array("array", [value])
    return Model([("deep", "array", value)]).build()


def test_arrays_nest_to_the_limit_of_the_schema() -> None:
    reader = Reader(nested(128))
    value = read_array(reader, reader.array(int(reader.key_values().value[0])))
    for _ in range(127):
        assert isinstance(value, NestedArray)
        value = value[0]
    assert isinstance(value, np.ndarray)


@pytest.mark.parametrize("levels", [129, 300])
def test_deeper_arrays_are_refused(levels: int) -> None:
    with pytest.raises(FormatError, match="nested more than 128 levels deep") as caught:
        Reader(nested(levels))
    assert caught.value.path.startswith("/metadata/0/value/elements/0/elements/0")


def test_ten_thousand_levels_are_refused() -> None:
    header = Model([("deep", "array", Array("array", []))]).header()[:-8]
    level = (1).to_bytes(8, "little") + (9).to_bytes(4, "little")
    with pytest.raises(FormatError, match="128 levels"):
        Reader(header + level * 10_000)


@pytest.mark.parametrize(
    ("offset", "data", "path"),
    [
        (4, b"GGUF" + (7).to_bytes(4, "little") + bytes(16), "/version"),
        (8, b"GGUF" + (3).to_bytes(4, "little") + b"\xff" * 8 + bytes(8), "/num_tensors"),
        (24, b"GGUF" + (3).to_bytes(4, "little") + bytes(8) + (1 << 29).to_bytes(8, "little"), "/metadata"),
    ],
)
def test_errors_say_where(offset: int, data: bytes, path: str) -> None:
    with pytest.raises(FormatError) as caught:
        Reader(data)
    assert (caught.value.offset, caught.value.path) == (offset, path)
    assert f"{offset:#x}" in str(caught.value)


def test_an_error_deep_inside_names_the_element() -> None:
    data = bytearray(Model([("a", "uint8", 1), ("b", "array", Array("string", ["x", "yy", "zzz"]))]).build())
    position = data.index(b"\x03" + bytes(7) + b"zzz")
    data[position] = 200
    with pytest.raises(TruncatedError) as caught:
        Reader(bytes(data))
    assert caught.value.path == "/metadata/1/value/elements/2/data"
    assert caught.value.offset == position + 8


def test_a_string_over_the_limit_is_refused_where_its_length_is() -> None:
    data = Model([("k", "string", "v")]).build().replace(b"\x01" + bytes(7) + b"v", b"\x01\0\0\x40" + bytes(4) + b"v")
    with pytest.raises(FormatError, match="at most 1073741824") as caught:
        Reader(data)
    assert caught.value.path == "/metadata/0/value/len_data"


@pytest.mark.parametrize("length", range(24))
def test_short_files_are_truncated(length: int) -> None:
    with pytest.raises(TruncatedError):
        Reader(Model().build()[:length])


def test_other_formats_are_named() -> None:
    with pytest.raises(NotGGUFError, match="git-lfs pointer"):
        Reader(b"version https://git-lfs.github.com/spec/v1\n")


def test_the_position_of_a_field() -> None:
    model = Model([("ab", "uint32", 5)])
    reader = Reader(model.build())
    position = int(reader.key_values().position[0])
    assert reader.field_position("key_value", position, "value_type") == position + 8 + 2
    assert reader.field_position("key_value", position, "value") == position + 8 + 2 + 4


def test_single_items_are_read_by_the_generated_classes(monkeypatch: pytest.MonkeyPatch) -> None:
    reader = Reader(Model([("k", "uint16", 513)], byte_order="big").build())
    calls = []
    original = Gguf.KeyValue.__init__
    monkeypatch.setattr(Gguf.KeyValue, "__init__", lambda *a: (calls.append(1), original(*a))[1])
    assert reader.scalar(int(reader.key_values().position[0])) == 513
    assert calls


def test_the_compiled_scanner_is_in_use_unless_told_otherwise() -> None:
    wanted = os.environ.get("KAITAI_GGUF_SCANNER") or "compiled"
    if os.environ.get("CI") == "true":
        assert kaitai_gguf.scanner == wanted
    assert kaitai_gguf.scanner in ("compiled", "python")


@pytest.mark.parametrize(("wish", "says"), [("fast", "expected 'compiled' or 'python'")])
def test_a_scanner_that_is_not_known_is_an_error(wish: str, says: str) -> None:
    code = "import kaitai_gguf"
    environment = os.environ | {"KAITAI_GGUF_SCANNER": wish}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert says in done.stderr


# A file that changes after it was opened


CHANGED = [
    ("key_value", 0, (1 << 40).to_bytes(8, "little"), "/key_value/len_data"),
    ("key_value", 0, (1 << 29).to_bytes(8, "little"), "/key_value/data"),
    ("key_value", 0, b"\xff" * 8, "/key_value/len_data"),
    ("key_value", 9, (13).to_bytes(4, "little"), "/key_value/value_type"),
    ("tensor_info", 0, (1 << 20).to_bytes(8, "little"), "/tensor_info/data"),
    ("tensor_info", 9, (5).to_bytes(4, "little"), "/tensor_info/num_dims"),
    ("tensor_info", 9, b"\xff" * 4, "/tensor_info/num_dims"),
    ("gguf_string", 13, b"\xf8" + b"\xff" * 7, "/gguf_string/len_data"),
    ("gguf_string", 13, (1 << 29).to_bytes(8, "little"), "/gguf_string/data"),
]


@pytest.mark.parametrize(("type", "field", "written", "path"), CHANGED)
def test_a_table_of_bytes_that_changed_is_refused(type: str, field: int, written: bytes, path: str) -> None:
    data = bytearray(Model([("k", "string", "v")] * 3, [TensorSpec("t", (1,), 0, 0)] * 3, bytes(4)).build())
    reader = Reader(data)
    table = reader.tensor_infos() if type == "tensor_info" else reader.key_values()
    position = int(table.position[1]) + field
    data[position : position + len(written)] = written
    starts = table.position + 13 if type == "gguf_string" else table.position
    with pytest.raises(index.Refused) as caught:
        Walk(data).table(type, starts)
    assert caught.value.path == path
    assert "has changed since it was walked over" in caught.value.reason


def test_one_item_of_bytes_that_changed_is_refused() -> None:
    data = bytearray(Model([("k", "array", Array("string", ["v"])), ("s", "string", "v")]).build())
    reader = Reader(data)
    array, string = (int(value) for value in reader.key_values().value)
    walk = Walk(data)
    data[array : array + 4] = (13).to_bytes(4, "little")
    data[string : string + 8] = (1 << 20).to_bytes(8, "little")
    for type, position in (("gguf_array", array), ("gguf_string", string), ("gguf_string", len(data) - 4)):
        with pytest.raises(index.Refused, match="has changed"):
            walk.read(type, position)
    with pytest.raises(index.Refused, match="has changed"):
        walk.where("key_value", len(data))
