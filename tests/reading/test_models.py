"""Files that other programs wrote, compared with their known contents and with gguf-py's reader.

KAITAI_GGUF_MODELS can name a directory with more models to compare with gguf-py.
"""

import hashlib
import json
import os
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import NestedArray, StringArray, ValueType

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
EXAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"
MORE = sorted(Path(os.environ["KAITAI_GGUF_MODELS"]).glob("*.gguf")) if "KAITAI_GGUF_MODELS" in os.environ else []

# gguf-py 0.19 does not read version 1, flattens nested arrays, refuses empty ones, and lacks Q2_0 and ggml's Q8_1
UNREADABLE_BY_GGUF_PY = {"v1", "nested-arrays", "empty-arrays", "tiny-newquants"}
READABLE_BY_GGUF_PY = [path for path in [*MODELS, EXAMPLE, *MORE] if path.stem not in UNREADABLE_BY_GGUF_PY]


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_everything_is_as_the_writer_says(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    with kaitai_gguf.open(path, shards=False) as model:
        for fact in ("version", "byte_order", "alignment", "data_offset"):
            assert getattr(model, fact) == expected[fact]
        assert list(model.metadata) == [row["key"] for row in expected["kv"]]
        for row in expected["kv"]:
            entry = model.metadata.entry(row["key"])
            assert entry.value_type.name == row["type"]
            assert (entry.element_type.name if entry.element_type is not None else None) == row.get("elem_type")
            assert entry.count == row.get("count")
            assert described(model.metadata[row["key"]]) == row["value"]
        assert list(model.tensors) == [row["name"] for row in expected["tensors"]]
        for row in expected["tensors"]:
            tensor = model.tensors[row["name"]]
            assert [list(tensor.dims), tensor.type_name, tensor.type_id] == [row["dims"], row["type"], row["type_id"]]
            assert [tensor.offset, tensor.nbytes] == [row["offset"], row["nbytes"]]
            assert hashlib.sha256(tensor.data.tobytes()).hexdigest() == row["sha256"]
            assert tensor.blocks.tobytes() == tensor.data.tobytes()


def described(value: Any) -> Any:
    """Return a value in the form of the *.expected.json files: repr for floats, hashes for long arrays."""
    if isinstance(value, float):
        return repr(value)
    if not isinstance(value, np.ndarray | StringArray | NestedArray):
        return value
    if len(value) > 64:
        return {"count": len(value), "sha256": hashlib.sha256(value.tobytes()).hexdigest()}
    if not isinstance(value, NestedArray):
        return [described(item) for item in value.tolist()]
    rows = []
    for item in value:
        type = item.element_type if not isinstance(item, np.ndarray) else ValueType[item.dtype.name.upper()]
        rows.append({"elem_type": type.name, "elem_type_id": type.value, "count": len(item), "value": described(item)})
    return rows


@pytest.mark.parametrize("path", READABLE_BY_GGUF_PY, ids=lambda path: path.stem)
def test_gguf_py_reads_the_same(path: Path) -> None:
    theirs = gguf.GGUFReader(path)
    with kaitai_gguf.open(path, shards=False) as ours:
        assert ours.data_offset == theirs.data_offset or not len(ours.tensors)
        assert list(ours.metadata) == [key for key in theirs.fields if not key.startswith("GGUF.")]
        for key, value in ours.metadata.items():
            found = theirs.fields[key].contents()
            assert repr(plain(value)) == repr(found), key
        assert list(ours.tensors) == [tensor.name for tensor in theirs.tensors]
        for tensor in theirs.tensors:
            mine = ours.tensors[tensor.name]
            assert (mine.type_id, list(mine.dims)) == (tensor.tensor_type, tensor.shape.tolist())
            assert mine.position == tensor.data_offset
            assert mine.data.tobytes() == tensor.data.tobytes()


def plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | StringArray | NestedArray) else value
