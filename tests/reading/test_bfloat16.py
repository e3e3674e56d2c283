"""BF16 in both byte orders, in every function that returns its values or bytes.

`ml_dtypes.bfloat16` accepts a foreign byte order, but `tolist()` and other methods then return wrong values.
"""

import hashlib
import struct
import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.commands import run
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGMLType
from kaitai_gguf.reading.chunks import tensor_chunks

VALUES = [[1.0, -2.0, 0.5], [3.140625, 0.0, -1.0]]
FLAT = [*VALUES[0], *VALUES[1]]
WORDS = [0x3F80, 0xC000, 0x3F00, 0x4049, 0x0000, 0xBF80]
BF16 = 30

ORDERS = ["little", "big"]


def stored(byte_order: str) -> bytes:
    return struct.pack(f"{'<' if byte_order == 'little' else '>'}6H", *WORDS)


def model_of(byte_order: str, data: bytes) -> bytes:
    tensors = [TensorSpec("t", (3, 2), BF16, 0), TensorSpec("one", (), BF16, 32), TensorSpec("none", (3, 0), BF16, 64)]
    one = data[:2].ljust(32, b"\0")
    return Model([], tensors, data.ljust(32, b"\0") + one, byte_order=byte_order).build()


@pytest.fixture(params=ORDERS)
def byte_order(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def path(byte_order: str, tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(model_of(byte_order, stored(byte_order)))
    return path


@pytest.fixture
def tensor(path: Path) -> kaitai_gguf.Tensor:
    return kaitai_gguf.open(path).tensors["t"]


def test_data_and_blocks_have_the_values(tensor: kaitai_gguf.Tensor) -> None:
    data, blocks = tensor.data, tensor.blocks
    assert data.dtype == ml_dtypes.bfloat16
    assert data.dtype.isnative
    assert data.tolist() == blocks["value"].tolist() == np.asarray(tensor, np.float32).tolist() == VALUES
    assert np.sort(data.reshape(-1)).tolist() == sorted(FLAT)
    assert not data.flags.writeable
    assert not blocks.flags.writeable


@pytest.mark.parametrize(("name", "shape", "values"), [("one", (), [1]), ("none", (0, 3), [])])
def test_a_scalar_and_nothing(path: Path, name: str, shape: tuple[int, ...], values: list[float]) -> None:
    tensor = kaitai_gguf.open(path).tensors[name]
    assert (tensor.data.shape, tensor.data.reshape(-1).tolist()) == (shape, values)
    assert tensor.blocks["value"].reshape(-1).tolist() == values
    assert not tensor.data.flags.writeable
    assert not tensor.blocks.flags.writeable


def test_only_what_is_not_native_is_copied(tensor: kaitai_gguf.Tensor) -> None:
    with kaitai_gguf.open(model_of(tensor.byte_order, stored(tensor.byte_order))) as model:
        mine = model.tensors["t"]
        buffer = np.frombuffer(model.buffer, np.uint8)
        for array in (mine.data, mine.blocks):
            assert np.shares_memory(array, buffer) == (tensor.byte_order == sys.byteorder)
    if tensor.byte_order == sys.byteorder:
        assert np.shares_memory(np.array(tensor, copy=False), tensor.data)
    else:
        with pytest.raises(ValueError, match=r"tensor .t.: .*-endian BF16 is not available without a copy"):
            np.array(tensor, copy=False)


@pytest.mark.parametrize("dtype", [np.float32, np.float64, np.float16, ml_dtypes.bfloat16])
def test_dequantized(dtype: Any, tensor: kaitai_gguf.Tensor) -> None:
    rounded = np.array(VALUES, dtype).tolist()
    assert tensor.dequantize(dtype).tolist() == rounded
    assert tensor.dequantize(dtype, rows=[1]).tolist() == rounded[1:]
    raw = np.frombuffer(stored(tensor.byte_order), np.uint8).reshape(2, 6)
    order: Any = tensor.byte_order
    for given in (raw, tensor.data, tensor.blocks):
        assert kaitai_gguf.dequantize(given, GGMLType.BF16, dtype=dtype, byte_order=order).tolist() == rounded


def test_bytes_stay_those_of_the_file(path: Path, tensor: kaitai_gguf.Tensor) -> None:
    raw = stored(tensor.byte_order)
    assert b"".join(chunk.tobytes() for chunk in tensor_chunks(tensor)) == raw
    assert b"".join(chunk.tobytes() for chunk in tensor_chunks(tensor, 4)) == raw
    with kaitai_gguf.open(path) as model:
        assert kaitai_gguf.digest(model).tensors["t"] == hashlib.sha256(raw).hexdigest()


@pytest.mark.parametrize("other", ORDERS)
def test_written(other: Any, path: Path, tensor: kaitai_gguf.Tensor, tmp_path: Path) -> None:
    """Write a tensor, its data, its blocks, and computed values."""
    target = tmp_path / "written.gguf"
    for data in (tensor, tensor.data, tensor.blocks, np.array(VALUES, ml_dtypes.bfloat16)):
        given = (data, GGMLType.BF16) if isinstance(data, np.ndarray) and data.dtype.names else data
        kaitai_gguf.write(target, {}, {"t": given}, byte_order=other)
        with kaitai_gguf.open(target) as model:
            assert model.buffer[model.data_offset :][:12] == stored(other)
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.convert(model, target, byte_order=other, overwrite=True)
    with kaitai_gguf.open(target) as model, kaitai_gguf.open(path) as before:
        assert model.buffer[model.data_offset :][:12] == stored(other)
        assert not kaitai_gguf.diff(before, model)


def test_compared_by_value(tmp_path: Path) -> None:
    little, big = (kaitai_gguf.open(model_of(order, stored(order))) for order in ORDERS)
    assert not kaitai_gguf.diff(little, big, values=True)
    changed = bytearray(stored("big"))
    changed[:2] = b"\x40\x00"  # 2.0
    (found,) = kaitai_gguf.diff(little, kaitai_gguf.open(model_of("big", bytes(changed))), values=True).tensors[:1]
    assert found.name == "t"
    assert found.errors is not None
    assert (found.errors.differing, found.errors.max_abs) == (1, 1)


def test_swapped_and_quantized(byte_order: Any) -> None:
    swapped = kaitai_gguf.byteswap(np.frombuffer(stored(byte_order), np.uint8), GGMLType.BF16)
    assert swapped.tobytes() == stored("big" if byte_order == "little" else "little")
    quantized = kaitai_gguf.quantize(np.array(VALUES, np.float32), GGMLType.BF16, byte_order=byte_order)
    assert quantized.tobytes() == stored(byte_order)


def test_explained(path: Path) -> None:
    fields = list(kaitai_gguf.explain(path, path="/tensors/0/data", elements=None))
    assert [field.value for field in fields] == FLAT
    assert b"".join(field.head for field in fields) == stored(kaitai_gguf.open(path).byte_order)


def test_checked(byte_order: str) -> None:
    def found(words: list[int]) -> list[str]:
        data = struct.pack(f"{'<' if byte_order == 'little' else '>'}6H", *words)
        findings = kaitai_gguf.check(model_of(byte_order, data), deep=True)
        return [finding.message for finding in findings if finding.rule == "value-finite"]

    assert found(WORDS) == []
    assert found([0x807F] * 6) == []  # would be infinite or NaN if byte-swapped
    assert found([0xC07F] * 6) == []
    (infinite,) = found([0x3F80, 0x7F80, 0, 0, 0, 0])
    assert "1 of 6 elements has a value that is infinite, the first is element 1" in infinite
    assert "NaN" in found([0x3F80, 0, 0x7FC0, 0, 0, 0])[0]


def test_exported(path: Path, tmp_path: Path) -> None:
    raw, arrays, tensors = tmp_path / "t.bin", tmp_path / "t.npy", tmp_path / "t.safetensors"
    for target in (raw, arrays, tensors):
        run("export", path, "--to", target, "--tensors", "t")
    assert raw.read_bytes() == stored("little")
    assert np.load(arrays).tolist() == VALUES
    assert tensors.read_bytes().endswith(stored("little"))
