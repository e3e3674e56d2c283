"""Tensor data and padding in chunks."""

from pathlib import Path

import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import MissingDataError, UnknownTypeError
from kaitai_gguf.reading.chunks import CHUNK, first_nonzero, tensor_chunks
from kaitai_gguf.sources import Source
from kaitai_gguf.types import type_size

MODELS = Path(__file__).parents[1] / "data" / "models"


@pytest.mark.parametrize("name", ["tiny-allquants", "tiny-be", "v2"])
@pytest.mark.parametrize("nbytes", [1, 100, 1 << 22])
def test_chunks_of_whole_blocks_make_the_data(name: str, nbytes: int) -> None:
    with kaitai_gguf.open(MODELS / f"{name}.gguf") as model:
        for tensor in model.tensors.values():
            assert tensor.type is not None
            block = type_size(tensor.type)
            chunks = [bytes(chunk) for chunk in tensor_chunks(tensor, nbytes)]
            assert b"".join(chunks) == model.buffer[tensor.position :][: tensor.nbytes]
            assert all(len(chunk) % block == 0 and len(chunk) <= max(nbytes, block) for chunk in chunks)


@pytest.mark.parametrize("size", [1, 1023, 1024, CHUNK + 1])
def test_the_first_byte_that_is_not_zero(size: int) -> None:
    start, end = 5, 5 + size
    assert first_nonzero(Source(b"\1" * start + bytes(size) + b"\1"), start, end) is None
    for place in {start, start + size // 2, end - 1}:
        data = bytearray(end + 1)
        data[place] = data[end - 1] = data[end] = 7
        assert first_nonzero(Source(bytes(data)), start, end) == place
    assert first_nonzero(Source(b"\1\1"), 1, 1) is None


def test_scalars_empty_tensors_and_refusals() -> None:
    specs = [TensorSpec("one", (), 0, 0), TensorSpec("empty", (0, 3), 0, 32), TensorSpec("new", (32,), 77, 32)]
    specs.append(TensorSpec("gone", (32,), 0, 64))
    tensors = kaitai_gguf.open(Model(tensors=specs, data=b"\0\0\x80?").build()).tensors
    assert [bytes(chunk) for chunk in tensor_chunks(tensors["one"])] == [b"\0\0\x80?"]
    assert list(tensor_chunks(tensors["empty"])) == []
    with pytest.raises(UnknownTypeError, match="'new'"):
        tensor_chunks(tensors["new"])
    with pytest.raises(MissingDataError, match="'gone'"):
        tensor_chunks(tensors["gone"])
