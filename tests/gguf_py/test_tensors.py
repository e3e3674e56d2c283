"""Tensors of types that gguf-py does not have."""

from collections.abc import Callable
from pathlib import Path

import gguf
import numpy as np
import pytest
from support.gguf_bytes import Model, file, tensor

import kaitai_gguf
from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf import GGMLType
from kaitai_gguf.gguf_py import GGMLQuantizationType, GGUFReader, ReaderTensor, UnknownTensorType

Made = Callable[[Model | bytes], Path]


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


@pytest.mark.parametrize(("number", "name"), [(77, "type 77"), (4, "Q4_2")])
def test_a_type_that_is_not_known(made: Made, number: int, name: str) -> None:
    (ours,) = GGUFReader(made(file([], [tensor((32, 2), number)], bytes(64)))).tensors
    assert type(ours.tensor_type) is UnknownTensorType
    assert (ours.tensor_type, ours.tensor_type.value, ours.tensor_type.name) == (number, number, name)
    assert (ours.shape.tolist(), ours.n_elements, ours.n_bytes, ours.data.size) == ([32, 2], 64, 0, 0)


def test_bfloat16_is_bytes() -> None:
    chosen = [each for each in GGUFReader(EXAMPLE).tensors if each.tensor_type == GGMLQuantizationType.BF16]
    assert chosen
    for each in chosen:
        assert (each.data.dtype, each.data.shape[-1]) == (np.uint8, 2 * int(each.shape[0]))


def test_a_bfloat16_scalar(made: Made) -> None:
    path = made(file([], [tensor((), 30)], bytes(64)))
    with pytest.raises(IndexError):
        gguf.GGUFReader(path)
    (ours,) = GGUFReader(path).tensors
    assert (ours.shape.tolist(), ours.n_elements, ours.n_bytes, ours.data.shape) == ([], 1, 2, (2,))


def test_a_tensor_is_a_named_tuple() -> None:
    reader = GGUFReader(EXAMPLE)
    name, tensor_type, shape, *_, field = reader.get_tensor(0)
    assert (name, tensor_type, shape.dtype) == (field.name, reader.tensors[0].tensor_type, np.uint64)
    assert ReaderTensor._fields == gguf.ReaderTensor._fields


def test_data_is_the_same_array_each_time() -> None:
    (first, *_) = GGUFReader(EXAMPLE).tensors
    shape = first.data.shape
    first.data.resize(first.data.size)
    assert first.data.ndim == 1
    first.data.resize(shape)
    assert first.data.flush() is None
