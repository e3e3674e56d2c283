"""Tensor types, compared with ggml's own list (tests/data/golden/TYPES.json)."""

import json
from pathlib import Path

import gguf
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


def test_types_that_are_removed_or_unknown_have_names() -> None:
    removed = {row["id"]: row["name"] for row in GGML["removed"]}
    assert {id: types.type_name(id) for id in removed} == removed != {}
    assert set(removed).isdisjoint(GGMLType)
    assert types.type_name(GGML["GGML_TYPE_COUNT"]) == f"type {GGML['GGML_TYPE_COUNT']}"


def test_the_fields_of_a_block() -> None:
    dtype = types.block_dtype(GGMLType.Q4_K, "big")
    assert dtype.names == ("d", "dmin", "scales", "qs")
    assert dtype["d"] == np.dtype(">f2")
    assert dtype["qs"].shape == (128,)
    assert types.block_dtype(GGMLType.MXFP4)["e"] == ml_dtypes.float8_e8m0fnu


def test_numpy_types() -> None:
    assert types.plain_dtype(GGMLType.BF16) == ml_dtypes.bfloat16
    assert types.plain_dtype(GGMLType.F16) == np.float16
    assert types.plain_dtype(GGMLType.I64, "big") == np.dtype(">i8")
    assert types.value_dtype(ValueType.STRING) is types.value_dtype(ValueType.ARRAY) is None
    for type in set(ValueType) - {ValueType.STRING, ValueType.ARRAY}:
        dtype = types.value_dtype(type, "big")
        assert dtype.name == type.name.lower()
        assert dtype.itemsize == 1 or dtype.byteorder == ">"


def test_types_by_name_and_number() -> None:
    for type in GGMLType:
        number = gguf.GGMLQuantizationType.__members__.get(type.name, type.value)
        for given in (type, type.name, type.name.lower(), type.value, np.int64(type.value), number, f"{type}"):
            assert types.ggml_type(given) is type
    for type in ValueType:
        for given in (type, type.name, str(type), type.value, gguf.GGUFValueType[type.name]):
            assert types.value_type(given) is type


@pytest.mark.parametrize("wrong", [None, 13, -1, True, 1.0, "int7", [], int])
def test_what_is_no_value_type(wrong: object) -> None:
    with pytest.raises(TypeError, match=r"expected a ValueType, or the name or number of one \(uint8, int8, .*, not "):
        types.value_type(wrong)


def test_types_are_printed_by_name() -> None:
    assert f"{GGMLType.Q4_0}|{GGMLType.Q4_0:>6}|{ValueType.UINT8}" == "Q4_0|  Q4_0|uint8"
    assert json.dumps([GGMLType.Q4_0, ValueType.INT8]) == "[2, 1]"
