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

from cli.conftest import MODELS, Save

WORDS = {"NaN": float("nan"), "Infinity": float("inf"), "-Infinity": float("-inf")}


def dump(path: Path, *options: str) -> Any:
    return strict_json(output("dump", path, "--json", *options))


def entry(save: Save, type: str, value: Any, *options: str, **form: Any) -> Any:
    """Return the entry of one value in the dump."""
    (row,) = dump(save(Model([("k", type, value)], **form)), *options)["metadata"]
    assert (row.pop("key"), row.pop("type")) == ("k", type)
    return row


def comparable(value: Any, type: str) -> Any:
    """Return a value as in the *.expected.json files: types in upper case, and floats as the repr of a float64."""
    if type == "array":
        element_type, items = value["element_type"], value["value"]
        if isinstance(items, list):  # not a hash
            items = [comparable(item, element_type) for item in items]
        return {"elem_type": element_type.upper(), "count": value["count"], "value": items}
    if type in ("float32", "float64"):
        return repr(float(np.dtype(type).type(WORDS.get(value, value))))
    return value


def without_ids(value: Any) -> Any:
    if isinstance(value, list):
        return [without_ids(item) for item in value]
    if isinstance(value, dict):
        return {key: without_ids(item) for key, item in value.items() if key not in ("type_id", "elem_type_id")}
    return value


@pytest.mark.parametrize("path", sorted(MODELS.glob("*.gguf")), ids=lambda path: path.stem)
def test_a_dump_is_what_the_writer_wrote(path: Path) -> None:
    document, expected = dump(path), json.loads(path.with_suffix(".expected.json").read_text())
    metadata = []
    for row in document["metadata"]:
        value = comparable(row, "array") if row["type"] == "array" else {"value": comparable(row["value"], row["type"])}
        metadata.append({"key": row["key"], "type": row["type"].upper()} | value)
    assert metadata == without_ids(expected["kv"])
    names = list(document["tensors"][0]) if document["tensors"] else []
    assert document["tensors"] == [{name: row[name] for name in names} for row in expected["tensors"]]
    facts = {name: document[name] for name in ("version", "byte_order", "alignment", "data_offset")}
    assert facts.items() <= expected.items()


def test_keys_come_in_this_order(sample: Path) -> None:
    document = dump(sample)
    assert list(document) == ["version", "byte_order", "alignment", "data_offset", "metadata", "tensors"]
    by_type = {row["type"]: list(row) for row in document["metadata"]}
    assert by_type["uint32"] == ["key", "type", "value"]
    assert by_type["array"] == ["key", "type", "element_type", "count", "value"]
    assert list(document["tensors"][0]) == ["name", "dims", "type", "type_id", "offset", "nbytes"]


# Numbers and text


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (-0.0, "-0.0"),
        (1 / 3, "0.33333334"),
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
        ("float64", 5e-324, 5e-324),
        ("float64", float("nan"), "NaN"),
        ("float64", float("inf"), "Infinity"),
        ("uint64", 2**64 - 1, 2**64 - 1),
        ("int64", -(2**63), -(2**63)),
        ("int8", -128, -128),
        ("bool", 255, True),
        ("string", b"\xe2\x82 \xff", {"base64": base64.b64encode(b"\xe2\x82 \xff").decode()}),
    ],
)
def test_other_values_are_exact(type: str, value: Any, shown: Any, save: Save) -> None:
    assert entry(save, type, value) == {"value": shown}
    assert entry(save, "array", Array(type, [value]))["value"] == [shown]


def test_names_that_are_not_utf8_are_base64(save: Save) -> None:
    document = dump(save(Model([(b"\xff", "uint8", 1)], [TensorSpec(b"\xff", (1,), 24, 0)], bytes(1))))
    assert document["metadata"][0]["key"] == document["tensors"][0]["name"] == {"base64": "/w=="}


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
    array = Array(type, list(items))
    assert entry(save, "array", array) == row
    assert len(entry(save, "array", Array(type, list(items)[:64]))["value"]) == 64
    assert len(entry(save, "array", array, "--full")["value"]) == 65
    nested = Array("array", [array])
    assert entry(save, "array", nested)["value"] == [row]
    assert len(entry(save, "array", nested, "--full")["value"][0]["value"]) == 65


@pytest.mark.parametrize(
    ("type", "item", "form", "stored"),
    [("uint16", 1, {"byte_order": "big"}, b"\0\1"), ("string", "ab", {"version": 1}, b"\2\0\0\0ab")],
    ids=["big-endian", "version 1"],
)
def test_the_hash_is_of_the_bytes_of_the_file(type: str, item: Any, form: Any, stored: bytes, save: Save) -> None:
    row = entry(save, "array", Array(type, [item] * 65), **form)
    assert row["value"]["sha256"] == hashlib.sha256(stored * 65).hexdigest()


@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_an_empty_array_keeps_its_type(byte_order: str, save: Save) -> None:
    for type in [*LONG, "int64"]:
        empty = {"element_type": type, "count": 0, "value": []}
        nested = Array("array", [Array(type, [])])
        assert entry(save, "array", Array(type, []), byte_order=byte_order) == empty
        assert entry(save, "array", nested, byte_order=byte_order)["value"] == [empty]


# Tensors


@pytest.mark.parametrize(
    ("spec", "type", "nbytes"),
    [
        *((TensorSpec("t", (5, 3), type_id, 0), None, None) for type_id in (4, 2**32 - 1)),
        (TensorSpec("t", (256, 3), 14, 64), "Q6_K", 630),
        (TensorSpec("t", (2**40,), 0, 2**40), "F32", 2**42),  # missing data does not matter
    ],
    ids=str,
)
def test_a_tensor(spec: TensorSpec, type: str | None, nbytes: int | None, save: Save) -> None:
    row = {"name": "t", "dims": list(spec.dims), "type": type, "type_id": spec.type_id, "offset": spec.offset}
    assert dump(save(Model([], [spec])))["tensors"] == [row | {"nbytes": nbytes}]
