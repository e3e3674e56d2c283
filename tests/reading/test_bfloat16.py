"""BF16 in both byte orders, in every function that returns its values or bytes.

`ml_dtypes.bfloat16` accepts a foreign byte order, but `tolist()` and other methods then return wrong values.
"""

import hashlib
import struct
import sys
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGMLType
from kaitai_gguf.reading.chunks import tensor_chunks

VALUES = [[1.0, -2.0, 0.5], [3.140625, 0.0, -1.0]]
WORDS = [0x3F80, 0xC000, 0x3F00, 0x4049, 0x0000, 0xBF80]
BF16 = GGMLType.BF16


def stored(byte_order: str, words: list[int] = WORDS) -> bytes:
    return struct.pack(f"{'<' if byte_order == 'little' else '>'}6H", *words)


def model_of(byte_order: str, words: list[int] = WORDS) -> kaitai_gguf.GGUFFile:
    tensors = [TensorSpec("t", (3, 2), BF16, 0), TensorSpec("one", (), BF16, 32), TensorSpec("none", (3, 0), BF16, 64)]
    data = stored(byte_order, words)
    return kaitai_gguf.open(Model([], tensors, data.ljust(32, b"\0") + data[:2], byte_order=byte_order).build())


@pytest.fixture(params=["little", "big"])
def model(request: pytest.FixtureRequest) -> kaitai_gguf.GGUFFile:
    return model_of(request.param)


@pytest.mark.parametrize(("name", "values"), [("t", VALUES), ("one", 1), ("none", [])])
def test_views_have_the_values(model: kaitai_gguf.GGUFFile, name: str, values: Any) -> None:
    tensor = model.tensors[name]
    data, blocks = tensor.data, tensor.blocks
    assert (data.dtype, data.dtype.isnative, data.shape) == (ml_dtypes.bfloat16, True, tensor.shape)
    assert data.tolist() == np.asarray(tensor, np.float32).tolist() == values
    assert tensor.dequantize().tolist() == values
    assert blocks["value"].reshape(tensor.shape).tolist() == values
    assert np.sort(data.reshape(-1)).tolist() == np.sort(np.array(values).reshape(-1)).tolist()
    assert not data.flags.writeable
    assert not blocks.flags.writeable


def test_only_what_is_not_native_is_copied(model: kaitai_gguf.GGUFFile) -> None:
    tensor, is_native = model.tensors["t"], model.byte_order == sys.byteorder
    for array in (tensor.data, tensor.blocks):
        assert np.shares_memory(array, np.frombuffer(model.buffer, np.uint8)) == is_native
    if is_native:
        assert np.shares_memory(np.array(tensor, copy=False), tensor.data)
    else:
        with pytest.raises(ValueError, match=r"tensor .t.: .*-endian BF16 is not available without a copy"):
            np.array(tensor, copy=False)


def test_bytes_stay_those_of_the_file(model: kaitai_gguf.GGUFFile) -> None:
    raw = stored(model.byte_order)
    for nbytes in (4, 1 << 20):
        assert b"".join(chunk.tobytes() for chunk in tensor_chunks(model.tensors["t"], nbytes)) == raw
    assert kaitai_gguf.digest(model).tensors["t"] == hashlib.sha256(raw).hexdigest()
    fields = list(kaitai_gguf.explain(model.buffer, path="/tensors/0/data", elements=None))
    assert [field.value for field in fields] == [*VALUES[0], *VALUES[1]]
    assert b"".join(field.head for field in fields) == raw


def test_compared_by_value(model: kaitai_gguf.GGUFFile) -> None:
    assert not kaitai_gguf.diff(model, model_of("big"), values=True)
    changed = model_of("big", [0x4000, *WORDS[1:]])  # 2.0
    difference, *_ = kaitai_gguf.diff(model, changed, values=True).tensors
    assert difference.errors is not None
    assert (difference.name, difference.errors.differing, difference.errors.max_abs) == ("t", 1, 1)


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (WORDS, None),
        ([0x807F, 0xC07F, 0, 0, 0, 0], None),  # would be infinite or NaN if byte-swapped
        ([0x3F80, 0x7F80, 0, 0, 0, 0], "1 of 6 elements has a value that is infinite, the first is element 1"),
    ],
)
def test_checked(byte_order: str, words: list[int], expected: str | None) -> None:
    findings = kaitai_gguf.check(model_of(byte_order, words).buffer, deep=True)
    messages = [finding.message for finding in findings if finding.rule == "value-finite"]
    assert len(messages) == bool(expected)
    assert (expected or "") in "".join(messages)
