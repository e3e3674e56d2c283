"""Fields and tensors of files that gguf-py refuses, and unpacking of both."""

from collections import OrderedDict
from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
from support.gguf_bytes import F32, Array, Model, TensorSpec, file, tensor

import kaitai_gguf
from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf import GGMLType
from kaitai_gguf.gguf_py import GGUFReader, GGUFValueType, ReaderField, ReaderTensor, UnknownTensorType

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
    (only,) = ours.tensors
    assert [part.dtype.name for part in only.field.parts] == ["uint32", "uint8", *["uint32"] * 3, "uint64"]
    assert (only.shape.dtype, only.shape.tolist(), only.data.shape) == (np.uint64, [2, 3], (3, 2))


def test_keys_and_texts_that_are_not_utf_8(made: Made) -> None:
    path = made(Model([(b"k\xff", "uint8", 3)]))
    with pytest.raises(UnicodeDecodeError):
        gguf.GGUFReader(path)
    field = GGUFReader(path).fields["k\udcff"]
    assert (field.contents(), field.parts[1].tobytes()) == (3, b"k\xff")
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


def test_fields_are_named_tuples_in_an_ordered_dict() -> None:
    reader = GGUFReader(EXAMPLE)
    offset, name, parts, data, types = reader.fields["general.architecture"]
    assert (offset, name, len(parts), data, types) == (24, "general.architecture", 5, [4], [GGUFValueType.STRING])
    assert ReaderField._fields == gguf.ReaderField._fields
    assert ReaderField._field_defaults == gguf.ReaderField._field_defaults
    assert type(reader.fields) is OrderedDict
    assert list(reader.fields)[:3] == ["GGUF.version", "GGUF.tensor_count", "GGUF.kv_count"]
    assert reader.get_field("missing") is None
    reader.fields.clear()
    assert len(reader.tensors) > 10


def test_a_type_that_gguf_py_lacks() -> None:
    path = MODELS / "tiny-newquants.gguf"
    tensors = {each.name: each for each in GGUFReader(path).tensors}
    with kaitai_gguf.open(path) as model:
        assert list(tensors) == list(model.tensors)
        lacking = [each for each in model.tensors.values() if each.type is GGMLType.Q2_0]
        assert lacking
        for each in lacking:
            ours = tensors[each.name]
            assert (ours.tensor_type, ours.tensor_type.name) == (42, "Q2_0")
            assert (ours.n_bytes, ours.data_offset, ours.data.dtype) == (each.nbytes, each.position, np.uint8)
            assert np.array_equal(ours.data, each.data)


@pytest.mark.parametrize(
    ("number", "name", "dims", "n_bytes"), [(77, "type 77", (32, 2), 0), (4, "Q4_2", (32, 2), 0), (30, "BF16", (), 2)]
)
def test_tensors_that_gguf_py_refuses(made: Made, number: int, name: str, dims: tuple[int, ...], n_bytes: int) -> None:
    path = made(file([], [tensor(dims, number)], bytes(64)))
    with pytest.raises((ValueError, IndexError)):
        gguf.GGUFReader(path)
    (ours,) = GGUFReader(path).tensors
    assert isinstance(ours.tensor_type, UnknownTensorType) == (n_bytes == 0)
    assert (ours.tensor_type, ours.tensor_type.value, ours.tensor_type.name) == (number, number, name)
    assert (ours.shape.tolist(), ours.n_bytes, ours.data.size) == ([*dims], n_bytes, n_bytes)


def test_a_tensor_is_a_named_tuple_whose_data_is_one_array() -> None:
    reader = GGUFReader(EXAMPLE)
    reader.tensors[0].data.resize(reader.tensors[0].data.size)
    assert reader.tensors[0].data.ndim == 1
    name, tensor_type, shape, *_, field = reader.get_tensor(0)
    assert (name, tensor_type, shape.dtype) == (field.name, reader.tensors[0].tensor_type, np.uint64)
    assert ReaderTensor._fields == gguf.ReaderTensor._fields
