"""Canonical JSON: `dump` of files that other programs wrote, and each rule by itself."""

import base64
import hashlib
import json
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import output, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

from cli.conftest import ROOT, Save

MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))
WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def dump(path: Path, *options: str) -> Any:
    return strict_json(output("dump", path, "--json", *options))


def entry(save: Save, type: str, value: Any, *options: str, **form: Any) -> Any:
    """Return the entry of one value in the dump."""
    (row,) = dump(save(Model([("k", type, value)], **form)), *options)["metadata"]
    assert (row.pop("key"), row.pop("type")) == ("k", type)
    return row


# The *.expected.json files: types are in upper case, floats are the repr of the value as float64


def expected_value(row: Any, type: str, value: Any) -> Any:
    """Convert a value of canonical JSON to the form in the *.expected.json files."""
    if isinstance(value, list) and row.get("element_type") == "array":
        return [expected_array(item) for item in value]
    if isinstance(value, list):
        return [expected_value({}, row["element_type"], item) for item in value]
    if type == "float32":
        return repr(float(np.float32(WORDS.get(value, value))))
    return repr(float(WORDS.get(value, value))) if type == "float64" else value


def expected_array(row: Any) -> Any:
    type = row["element_type"].upper()
    return {"elem_type": type, "count": row["count"], "value": expected_value(row, "array", row["value"])}


def without_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [without_ids(item) for item in value]
    if isinstance(value, dict):
        return {key: without_ids(item) for key, item in value.items() if key not in ("type_id", "elem_type_id")}
    return value


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)
def test_a_dump_is_what_the_writer_says(path: Path) -> None:
    document, expected = dump(path), json.loads(path.with_suffix(".expected.json").read_text())
    for fact in ("version", "byte_order", "alignment", "data_offset"):
        assert document.pop(fact) == expected[fact]
    metadata = []
    for row in document.pop("metadata"):
        start = {"key": row["key"], "type": row["type"].upper()}
        value = {"value": expected_value(row, row["type"], row["value"])}
        metadata.append(start | (expected_array(row) if row["type"] == "array" else value))
    assert metadata == without_ids(expected["kv"])
    tensors = [
        {key: row[key] for key in ("name", "dims", "type", "type_id", "offset", "nbytes")}
        for row in expected["tensors"]
    ]
    assert document.pop("tensors") == tensors
    assert document == {}


# The form


def test_keys_come_in_this_order(sample: Path) -> None:
    document = dump(sample)
    assert list(document) == ["version", "byte_order", "alignment", "data_offset", "metadata", "tensors"]
    by_type = {row["type"]: list(row) for row in document["metadata"]}
    assert by_type["uint32"] == ["key", "type", "value"]
    assert by_type["array"] == ["key", "type", "element_type", "count", "value"]
    assert list(document["tensors"][0]) == ["name", "dims", "type", "type_id", "offset", "nbytes"]


# Numbers


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (0.1, "0.1"),
        (-0.0, "-0.0"),
        (1 / 3, "0.33333334"),
        (3.4028234663852886e38, "3.4028235e+38"),
        (1.401298464324817e-45, "1e-45"),
        (7.038530691851209e-26, "7.038531e-26"),  # parsing as a double and then rounding gives another float32
        (float("nan"), '"NaN"'),
        (float("-inf"), '"-Infinity"'),
    ],
)
@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_float32_is_the_shortest_decimal(byte_order: str, value: float, text: str, save: Save) -> None:
    model = Model([("k", "float32", value), ("a", "array", Array("float32", [value]))], byte_order=byte_order)
    shown = output("dump", save(model), "--json")
    assert f'"type": "float32", "value": {text}}}' in shown
    assert f'"count": 1, "value": [{text}]}}' in shown


@pytest.mark.parametrize(
    ("type", "value", "shown"),
    [
        *(("float64", value, value) for value in (0.1, 1 / 3, 5e-324)),
        ("float64", float("nan"), "NaN"),
        ("float64", float("inf"), "Infinity"),
        *((type, value, value) for type, value in (("uint64", 2**64 - 1), ("uint32", 2**32 - 1), ("int8", -128))),
        *(("int64", value, value) for value in (-(2**63), 2**63 - 1)),
    ],
)
def test_other_numbers_are_exact(type: str, value: float, shown: Any, save: Save) -> None:
    assert entry(save, type, value) == {"value": shown}
    assert entry(save, "array", Array(type, [value]))["value"] == [shown]


def test_bools(save: Save) -> None:
    assert entry(save, "bool", 255)["value"] is True
    assert entry(save, "array", Array("bool", [0, 1, 2]))["value"] == [False, True, True]


# Text

NOT_UTF8 = b"\xe2\x82 \xff"


def test_text_that_is_not_utf8_is_base64(save: Save) -> None:
    coded = {"base64": base64.b64encode(NOT_UTF8).decode()}
    model = Model([(NOT_UTF8, "string", NOT_UTF8)], [TensorSpec(NOT_UTF8, (1,), 24, 0)], bytes(1))
    document = dump(save(model))
    assert document["metadata"] == [{"key": coded, "type": "string", "value": coded}]
    assert document["tensors"][0]["name"] == coded
    assert entry(save, "array", Array("string", [NOT_UTF8, "a"]))["value"] == [coded, "a"]


# Arrays

LONG = {
    "uint8": (range(65), bytes(range(65))),
    "float32": ([0.5] * 65, struct.pack("<f", 0.5) * 65),
    "bool": ([2] * 65, b"\x02" * 65),
    "string": (["ab"] * 65, (struct.pack("<Q", 2) + b"ab") * 65),
    "array": ([Array("int8", [1])] * 65, (struct.pack("<IQ", 1, 1) + b"\x01") * 65),
}


@pytest.mark.parametrize("type", LONG)
def test_more_than_64_elements_are_a_hash_of_the_file_unless_in_full(type: str, save: Save) -> None:
    items, stored = LONG[type]
    digest = hashlib.sha256(stored).hexdigest()
    row = {"element_type": type, "count": 65, "value": {"count": 65, "sha256": digest}}
    assert entry(save, "array", Array(type, list(items))) == row
    assert len(entry(save, "array", Array(type, list(items)[:64]))["value"]) == 64
    full = entry(save, "array", Array(type, list(items)), "--full")
    assert (full["count"], len(full["value"])) == (65, 65)


@pytest.mark.parametrize(
    ("type", "item", "form", "stored"),
    [("uint16", 1, {"byte_order": "big"}, b"\0\1"), ("string", "ab", {"version": 1}, b"\2\0\0\0ab")],
    ids=["big-endian", "version 1"],
)
def test_the_hash_is_of_the_bytes_of_the_file(type: str, item: Any, form: Any, stored: bytes, save: Save) -> None:
    row = entry(save, "array", Array(type, [item] * 65), **form)
    assert row["value"]["sha256"] == hashlib.sha256(stored * 65).hexdigest()


def test_inner_arrays_are_shortened_too(save: Save) -> None:
    value = Array("array", [Array("uint8", list(range(65)))])
    assert entry(save, "array", value)["value"][0]["value"]["count"] == 65
    assert entry(save, "array", value, "--full")["value"][0]["value"] == list(range(65))


@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_an_empty_array_keeps_its_type(byte_order: str, save: Save) -> None:
    for type in [*LONG, "int64"]:
        empty = {"element_type": type, "count": 0, "value": []}
        assert entry(save, "array", Array(type, []), byte_order=byte_order) == empty
        assert entry(save, "array", Array("array", [Array(type, [])]), byte_order=byte_order)["value"] == [empty]


# Tensors


@pytest.mark.parametrize(
    ("spec", "type", "nbytes"),
    [
        *((TensorSpec("t", (5, 3), type_id, 0), None, None) for type_id in (4, 33, 43, 2**32 - 1)),
        (TensorSpec("t", (256, 3), 14, 64), "Q6_K", 630),
        (TensorSpec("t", (), 0, 0), "F32", 4),
        (TensorSpec("t", (2**40,), 0, 2**40), "F32", 2**42),  # missing data does not matter
    ],
    ids=str,
)
def test_a_tensor(spec: TensorSpec, type: str | None, nbytes: int | None, save: Save) -> None:
    row = {"name": "t", "dims": list(spec.dims), "type": type, "type_id": spec.type_id, "offset": spec.offset}
    assert dump(save(Model([], [spec])))["tensors"] == [row | {"nbytes": nbytes}]
