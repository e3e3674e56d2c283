"""Helpers for tests of writing: files in memory, a writer with tensors, and a small model to edit."""

import io
from pathlib import Path
from typing import Any

from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import Writer, write


class Nowhere(io.RawIOBase):
    """A file that counts what is written to it, and keeps nothing."""

    nbytes = 0

    def write(self, data: Any) -> int:
        self.nbytes += memoryview(data).nbytes
        return memoryview(data).nbytes


def written(*arguments: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    write(file, *arguments, **options)
    return file.getvalue()


def copied(model: kaitai_gguf.GGUFFile, **options: Any) -> bytes:
    same: dict[str, Any] = {"version": model.version, "byte_order": model.byte_order, "alignment": model.alignment}
    return written(model.metadata, model.tensors, **(same | options))


def original(path: Path) -> bytes:
    """Return the bytes of a file, with `general.quantization_version` if it must have the key and does not."""
    with kaitai_gguf.open(path, shards=False) as model:
        return copied(model) if path.stem in ("v1", "tiny-newquants") else path.read_bytes()


def declare(*tensors: tuple[Any, ...], **options: Any) -> Writer:
    writer = Writer(io.BytesIO(), **options)
    for tensor in tensors:
        writer.add_tensor(*tensor)
    return writer


def stored(shape: Any, type: Any, data: Any, **options: Any) -> kaitai_gguf.Tensor:
    """Write a tensor with a `Writer`, and return it as it is read."""
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.add_tensor("t", shape, type)
        writer.write_tensor("t", data)
    return kaitai_gguf.open(file.getvalue()).tensors["t"]


def small(name: str = "one", padding: int = 10) -> Model:
    tensors = [TensorSpec("a", (4,), 0, 0), TensorSpec("b", (8,), 24, 32)]
    rows = [("general.name", "string", name), ("x", "uint8", 1)]
    while -len(Model(rows, tensors).header()) % 32 != padding:
        rows[-1] = ("x" + str(rows[-1][0]), "uint8", 1)
    return Model(rows, tensors, bytes(range(40)) + bytes(24))
