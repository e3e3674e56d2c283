"""Helpers for the tests of `kaitai-gguf export`."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support import commands
from support.commands import run
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import ROOT, Save

F32, F16, Q4_0, Q8_0, I8, I32, I64, F64, BF16, UNKNOWN = 0, 1, 2, 8, 24, 26, 27, 28, 30, 99
MODELS = [ROOT / "examples" / "sample.gguf", *sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))]
models = pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
FORMATS = ["npy", "npz", "safetensors", "raw"]


def fails(words: str, *arguments: object) -> None:
    commands.fails(words, "export", *arguments)


def export(*arguments: object) -> None:
    """Run `export`, which must succeed. Output on stderr is allowed."""
    result = run("export", *arguments)
    assert result.exit_code == 0, result.stderr


def same(one: Any, other: Any) -> bool:
    """Return whether two arrays are equal bit for bit, NaN included. Byte order is ignored."""
    one, other = (each.astype(each.dtype.newbyteorder("<")) for each in map(np.asarray, (one, other)))
    return bool(one.dtype == other.dtype and one.shape == other.shape and one.tobytes() == other.tobytes())


def little(tensor: kaitai_gguf.Tensor) -> np.ndarray[Any, np.dtype[Any]]:
    """Return `data` as it would be in a little-endian file."""
    if tensor.data.dtype != np.uint8:
        return tensor.data.astype(tensor.data.dtype.newbyteorder("<"))
    blocks = tensor.blocks
    return np.frombuffer(blocks.astype(blocks.dtype.newbyteorder("<")).tobytes(), np.uint8).reshape(tensor.data.shape)


def one_tensor(save: Save, name: str | bytes = "x", type_id: int = F32, **options: Any) -> Path:
    return save(Model([], [TensorSpec(name, (32,), type_id, 0)], bytes(range(1, 129)), **options))
