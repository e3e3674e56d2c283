"""Files that other programs wrote, compared with their known contents. tests/gguf_py compares them with gguf-py."""

import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import NestedArray, StringArray, ValueType

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))


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
