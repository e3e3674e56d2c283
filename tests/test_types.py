"""Types against the list that ggml itself gave (tests/data/golden/TYPES.json)."""

import json
from pathlib import Path

import ml_dtypes
import numpy as np
import pytest

from kaitai_gguf import types
from kaitai_gguf.types import GGMLType, ValueType

GGML = json.loads((Path(__file__).parent / "data" / "golden" / "TYPES.json").read_text())


def test_sizes_are_those_of_ggml() -> None:
    theirs = {
        row["id"]: (row["name"], row["block_size"], row["type_size"], row["is_quantized"]) for row in GGML["types"]
    }
    sizes = {type: (types.block_size(type), types.type_size(type)) for type in GGMLType}
    assert {type.value: (type.name, *sizes[type], types.is_quantized(type)) for type in GGMLType} == theirs
    for type, (_, size) in sizes.items():
        assert types.block_dtype(type).itemsize == types.block_dtype(type, "big").itemsize == size, type


def test_removed_types_are_named() -> None:
    removed = {row["id"]: row["name"] for row in GGML["removed"]}
    assert {id: types.type_name(id) for id in removed} == removed != {}
    assert set(removed).isdisjoint(GGMLType)


def test_unknown_types_are_numbered() -> None:
    assert types.type_name(GGML["GGML_TYPE_COUNT"]) == f"type {GGML['GGML_TYPE_COUNT']}"


def test_the_fields_of_a_block() -> None:
    dtype = types.block_dtype(GGMLType.Q4_K, "big")
    assert dtype.names == ("d", "dmin", "scales", "qs")
    assert dtype["d"] == np.dtype(">f2")
    assert dtype["qs"].shape == (128,)
    assert types.block_dtype(GGMLType.MXFP4)["e"] == ml_dtypes.float8_e8m0fnu


def test_plain_types_are_numpy_types() -> None:
    assert types.plain_dtype(GGMLType.BF16) == ml_dtypes.bfloat16
    assert types.plain_dtype(GGMLType.F16) == np.float16
    assert types.plain_dtype(GGMLType.I64, "big") == np.dtype(">i8")


@pytest.mark.parametrize("type", ValueType, ids=lambda type: type.name)
def test_value_types_are_numpy_types(type: ValueType) -> None:
    dtype = types.value_dtype(type, "big")
    if type in (ValueType.STRING, ValueType.ARRAY):
        assert dtype is None
    else:
        assert dtype is not None
        assert dtype.name == type.name.lower()
        assert dtype.itemsize == 1 or dtype.byteorder == ">"
