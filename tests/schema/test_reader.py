"""The index, and items read at its positions, compared with the eager generated parser."""

import gc
import weakref
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support import eager, strategies
from support.gguf_bytes import Array, Model, TensorSpec
from support.scanners import each_scanner, each_scanner_alone

from kaitai_gguf.errors import FormatError
from kaitai_gguf.reading.arrays import NestedArray, StringArray, read_value
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema import ValueType
from kaitai_gguf.schema.scanner import Scanner
from kaitai_gguf.text import encode

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))


def as_eager(value: Any) -> Any:
    """Return a value in the form that `eager.parse` returns."""
    if isinstance(value, str):
        return encode(value)
    if isinstance(value, int | float):
        return int(value) if isinstance(value, bool) else value
    if isinstance(value, StringArray):
        return "string", [value.raw(i) for i in range(len(value))]
    if isinstance(value, NestedArray):
        return "array", [as_eager(item) for item in value]
    return ValueType[value.dtype.name.upper()].name.lower(), value.tobytes()


def rows(table: tuple[Any, ...]) -> Iterator[tuple[Any, ...]]:
    return zip(*(column.tolist() for column in table), strict=True)


def lazily(data: bytes, scanner: Scanner) -> dict[str, Any]:
    """Read a header with a Header, and return it in the form that `eager.parse` returns."""
    reader = Header(data, scanner)
    metadata = []
    for _, start, end, value_type, value, _ in rows(reader.key_values):
        type = ValueType(value_type)
        metadata.append((data[start:end], type.name.lower(), as_eager(read_value(reader, type, value))))
    tensors = [
        (data[start:end], tuple(dims[:num_dims]), type_id, offset)
        for _, start, end, num_dims, dims, type_id, offset in rows(reader.tensor_infos)
    ]
    return {
        "version": reader.version,
        "is_be": reader.byte_order == "big",
        "metadata": metadata,
        "tensors": tensors,
        "end": reader.end,
    }


@each_scanner_alone
@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_models_read_as_by_the_generated_parser(path: Path, scanner: Scanner) -> None:
    data = path.read_bytes()
    assert repr(lazily(data, scanner)) == repr(eager.parse(data))  # repr: NaN is not equal to itself


@each_scanner_alone
@settings(max_examples=150)
@given(data=st.one_of(strategies.broken(), strategies.models().map(Model.build)))
def test_valid_and_broken_models_read_as_by_the_generated_parser(data: bytes, scanner: Scanner) -> None:
    try:
        expected = eager.parse(data)
    except eager.Refused:
        with pytest.raises(FormatError) as caught:
            Header(data, scanner)
        assert 0 <= caught.value.offset <= len(data)
        assert caught.value.path.startswith("/")
    else:
        assert repr(lazily(data, scanner)) == repr(expected)


def nested(levels: int) -> bytes:
    value = Array("uint8", [])
    for _ in range(levels - 1):
        value = Array("array", [value])
    return Model([("deep", "array", value)]).build()


def test_arrays_nest_to_the_limit_of_the_schema() -> None:
    with pytest.raises(FormatError, match="nested more than 128 levels deep") as caught:
        Header(nested(129))
    assert caught.value.path == "/metadata/0/value" + "/elements/0" * 128
    reader = Header(nested(128))
    value = read_value(reader, ValueType.ARRAY, int(reader.key_values.value[0]))
    for _ in range(127):
        assert isinstance(value, NestedArray)
        value = value[0]
    assert isinstance(value, np.ndarray)


# A file that changes after it was opened


CHANGED = [
    ("key_values", 0, (1 << 40).to_bytes(8, "little"), "/key_value/len_data"),
    ("key_values", 0, (1 << 29).to_bytes(8, "little"), "/key_value/data"),
    ("key_values", 0, b"\xff" * 8, "/key_value/len_data"),
    ("key_values", 9, (13).to_bytes(4, "little"), "/key_value/value_type"),
    ("tensor_infos", 0, (1 << 20).to_bytes(8, "little"), "/tensor_info/data"),
    ("tensor_infos", 9, (5).to_bytes(4, "little"), "/tensor_info/num_dims"),
    ("tensor_infos", 9, b"\xff" * 4, "/tensor_info/num_dims"),
    ("string_spans", 13, b"\xf8" + b"\xff" * 7, "/gguf_string/len_data"),
    ("string_spans", 13, (1 << 29).to_bytes(8, "little"), "/gguf_string/data"),
]


@each_scanner
@pytest.mark.parametrize(("table", "field", "written", "path"), CHANGED)
def test_a_table_of_bytes_that_changed_is_refused(
    table: str, field: int, written: bytes, path: str, scanner: Scanner
) -> None:
    data = bytearray(Model([("k", "string", "v")] * 3, [TensorSpec("t", (1,), 0, 0)] * 3, bytes(4)).build())
    reader = Header(data, scanner)
    values = reader.key_values.value if table == "string_spans" else None
    position = int((reader.tensors if table == "tensor_infos" else reader.metadata)[1]) + field
    data[position : position + len(written)] = written
    with pytest.raises(FormatError, match="was changed while it was open") as caught:
        reader.string_spans(values) if values is not None else getattr(reader, table)
    assert caught.value.path == path


@each_scanner
def test_one_item_of_bytes_that_changed_is_refused(scanner: Scanner) -> None:
    data = bytearray(Model([("k", "array", Array("string", ["v"])), ("s", "string", "v")]).build())
    reader = Header(data, scanner)
    array, string = (int(value) for value in reader.key_values.value)
    data[array : array + 4] = (13).to_bytes(4, "little")
    data[string : string + 8] = (1 << 20).to_bytes(8, "little")
    for read in (
        lambda: reader.array(array),
        lambda: reader.string_span(string),
        lambda: reader.string_span(len(data) - 4),
    ):
        with pytest.raises(FormatError, match="was changed while it was open"):
            read()


@each_scanner
def test_elements_of_many_arrays_are_located_together(scanner: Scanner) -> None:
    texts = [Array("string", ["x" * (number % 7)] * number) for number in range(1, 60)]
    flat = [Array("array", [Array("uint16", [1] * (number % 5))] * number) for number in range(1, 60)]
    deep = [Array("array", [Array("array", [each]), Array("bool", [1]), each]) for each in texts]
    for arrays, type in ((texts, ValueType.STRING), ([*flat, *deep], ValueType.ARRAY)):
        data = Model([(f"k.{number}", "array", array) for number, array in enumerate(arrays)]).build()
        reader = Header(data, scanner)
        infos = reader.arrays(reader.key_values.value)
        elements, counts = (np.array([each[field] for each in infos]) for field in (2, 1))
        expected = [reader.items(info)[0].tolist() for info in infos]
        for most in (1, 2, 17, 100):
            found = reader.element_starts(type, elements, np.minimum(counts, most))
            assert found.tolist() == [start for starts in expected for start in starts[:most]]


@each_scanner_alone
@pytest.mark.parametrize("left", [100_000, 400_000])
def test_a_header_that_is_cut_off_does_not_keep_its_buffer(scanner: Scanner, left: int) -> None:
    """A remote header is read in several attempts, and each has more of it."""
    data = Model([("tokenizer.ggml.tokens", "array", Array("string", [f"token {i}" for i in range(30_000)]))]).build()
    buf = np.frombuffer(data[:left], np.uint8)
    buffer = weakref.ref(buf)
    gc.disable()
    try:
        with suppress(FormatError):
            Header(memoryview(buf), scanner, nbytes=len(data))
        del buf
        assert buffer() is None
    finally:
        gc.enable()
