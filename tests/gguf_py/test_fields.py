"""Fields of files that gguf-py refuses, and unpacking of fields."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
from support.gguf_bytes import F32, Array, Model, TensorSpec

from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf.gguf_py import GGUFReader, GGUFValueType, ReaderField

Made = Callable[[Model | bytes], Path]


def test_version_1_has_parts_of_32_bits(made: Made) -> None:
    metadata = [("k", "string", "text"), ("a", "array", Array("string", ["x", "yz"])), ("n", "uint16", 7)]
    model = Model(metadata, [TensorSpec("t", (2, 3), F32, 0)], bytes(24), version=1)
    path = made(model)
    with pytest.raises(ValueError, match="version 1"):
        gguf.GGUFReader(path)
    ours = GGUFReader(path)
    model.version = 2
    theirs = gguf.GGUFReader(made(model))
    assert {name: field.contents() for name, field in ours.fields.items() if name != "GGUF.version"} == {
        name: field.contents() for name, field in theirs.fields.items() if name != "GGUF.version"
    }
    for name, field in ours.fields.items():
        assert [part.tolist() for part in field.parts][1:] == [part.tolist() for part in theirs.fields[name].parts][1:]
        assert field.data == theirs.fields[name].data
    assert [part.dtype.name for part in ours.fields["k"].parts] == ["uint32", "uint8", "uint32", "uint32", "uint8"]
    assert ours.fields["GGUF.kv_count"].types == [GGUFValueType.UINT32]
    (tensor,) = ours.tensors
    assert [part.dtype.name for part in tensor.field.parts] == ["uint32", "uint8", *["uint32"] * 3, "uint64"]
    assert (tensor.shape.dtype, tensor.shape.tolist(), tensor.data.shape) == (np.uint64, [2, 3], (3, 2))


def test_version_1_of_another_writer() -> None:
    reader = GGUFReader(MODELS / "v1.gguf")
    assert reader.fields["GGUF.version"].contents() == 1
    assert reader.fields["GGUF.kv_count"].contents() == len(reader.fields) - 3


def test_a_key_that_is_not_utf_8(made: Made) -> None:
    path = made(Model([(b"k\xff", "uint8", 3)]))
    with pytest.raises(UnicodeDecodeError):
        gguf.GGUFReader(path)
    field = GGUFReader(path).fields["k\udcff"]
    assert (field.contents(), field.parts[1].tobytes()) == (3, b"k\xff")


def test_a_text_that_is_not_utf_8(made: Made) -> None:
    path = made(Model([("k", "string", b"\xff"), ("a", "array", Array("string", ["x", b"\xff"]))]))
    fields = GGUFReader(path).fields
    assert fields["a"].contents(0) == "x"
    for key in ("k", "a"):
        with pytest.raises(UnicodeDecodeError):
            fields[key].contents()


def test_nested_arrays_are_flattened(made: Made) -> None:
    rows = Array("array", [Array("int32", [1, 2]), Array("int32", [3])])
    field = GGUFReader(made(Model([("k", "array", rows)]))).fields["k"]
    assert field.types == [GGUFValueType.ARRAY, GGUFValueType.ARRAY, GGUFValueType.INT32]
    assert (field.contents(), field.contents(-1), len(field.parts)) == ([1, 2, 3], 3, 12)


def test_a_field_is_a_named_tuple() -> None:
    field = GGUFReader(EXAMPLE).fields["general.architecture"]
    offset, name, parts, data, types = field
    assert (offset, name, len(parts), data, types) == (24, "general.architecture", 5, [4], [GGUFValueType.STRING])
    assert field._fields == gguf.ReaderField._fields == ReaderField._fields
    assert ReaderField._field_defaults == gguf.ReaderField._field_defaults


def test_fields_are_an_ordered_dict_of_one_s_own() -> None:
    reader = GGUFReader(EXAMPLE)
    assert type(reader.fields) is OrderedDict
    assert list(reader.fields)[:3] == ["GGUF.version", "GGUF.tensor_count", "GGUF.kv_count"]
    assert reader.get_field("missing") is None
    reader.fields.clear()
    assert len(reader.tensors) > 10
