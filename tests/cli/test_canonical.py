"""`kaitai-gguf dump`: canonical JSON. tests/conformance compares it with what other languages print."""

import hashlib
import struct
from pathlib import Path
from typing import Any

import pytest
from support.commands import output, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

from cli.conftest import Save


def dump(path: Path, *options: str) -> Any:
    document = strict_json(output("dump", path, "--json", *options))
    assert strict_json(output("dump", path, *options)) == document
    return document


@pytest.mark.parametrize("version", [1, 3])
def test_a_document(version: int, save: Save) -> None:
    rows: list[tuple[Any, ...]] = [
        ("general.architecture", "string", "llama"),
        ("general.alignment", "uint32", 64),
        ("x.nested", "array", Array("array", [Array("int32", [1, 2])])),
    ]
    specs = [TensorSpec("output.weight", (256, 3), 14, 0)]
    document = dump(save(Model(rows, specs, bytes(640), version, "little", alignment=64)))
    nested = {"element_type": "int32", "count": 2, "value": [1, 2]}
    assert list(document) == ["version", "byte_order", "alignment", "data_offset", "metadata", "tensors"]
    assert [document["version"], document["byte_order"], document["alignment"]] == [version, "little", 64]
    assert document["metadata"] == [
        {"key": "general.architecture", "type": "string", "value": "llama"},
        {"key": "general.alignment", "type": "uint32", "value": 64},
        {"key": "x.nested", "type": "array", "element_type": "array", "count": 1, "value": [nested]},
    ]
    tensor = {"name": "output.weight", "dims": [256, 3], "type": "Q6_K", "type_id": 14, "offset": 0, "nbytes": 630}
    assert document["tensors"] == [tensor]


@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_values_and_elements(byte_order: str, save: Save) -> None:
    cases: list[tuple[str, Any, str]] = [
        ("float32", -0.0, "-0.0"),
        ("float32", 1 / 3, "0.33333334"),
        ("float32", 1.401298464324817e-45, "1e-45"),
        ("float32", 7.038530691851209e-26, "7.038531e-26"),  # not the float32 that a rounded double would be
        ("float32", float("nan"), '"NaN"'),
        ("float64", 5e-324, "5e-324"),
        ("float64", float("-inf"), '"-Infinity"'),
        ("uint64", 2**64 - 1, "18446744073709551615"),
        ("bool", 255, "true"),
        ("string", b"\xe2\x82 \xff", '{"base64": "4oIg/w=="}'),
    ]
    rows = [(f"{number}", type, value) for number, (type, value, _) in enumerate(cases)]
    arrays = [(f"a{number}", "array", Array(type, [value])) for number, type, value in rows]
    empty = [(f"e{number}", "array", Array("array", [Array(type, [])])) for number, type, _ in rows]
    text = output("dump", save(Model(rows + arrays + empty, byte_order=byte_order)), "--json")
    for number, (type, _, shown) in enumerate(cases):
        element = f'"element_type": "{type}", "count"'
        assert f'{{"key": "{number}", "type": "{type}", "value": {shown}}}' in text
        assert f'{{"key": "a{number}", "type": "array", {element}: 1, "value": [{shown}]}}' in text
        nested = f'"element_type": "array", "count": 1, "value": [{{{element}: 0, "value": []}}]'
        assert f'{{"key": "e{number}", "type": "array", {nested}}}' in text


@pytest.mark.parametrize(
    ("type", "item", "form", "stored"),
    [
        ("uint8", 7, {}, b"\7"),
        ("string", "ab", {}, struct.pack("<Q", 2) + b"ab"),
        ("array", Array("int8", [1]), {}, struct.pack("<IQ", 1, 1) + b"\1"),
        ("uint16", 1, {"byte_order": "big"}, b"\0\1"),
        ("string", "ab", {"version": 1}, b"\2\0\0\0ab"),
    ],
    ids=str,
)
def test_more_than_64_elements_are_a_hash_of_the_file(
    type: str, item: Any, form: Any, stored: bytes, save: Save
) -> None:
    arrays = {count: Array(type, [item] * count) for count in (64, 65)}
    path = save(Model([("k", "array", Array("array", [arrays[64], arrays[65]])), ("l", "array", arrays[65])], **form))
    value = {"count": 65, "sha256": hashlib.sha256(stored * 65).hexdigest()}
    nested, long = dump(path)["metadata"]
    assert len(nested["value"][0]["value"]) == 64
    assert nested["value"][1]["value"] == long["value"] == value
    nested, long = dump(path, "--full")["metadata"]
    assert len(nested["value"][1]["value"]) == len(long["value"]) == 65


def test_tensors(save: Save) -> None:
    specs = [
        TensorSpec("\udcff", (5, 3), 4, 0),
        TensorSpec("unknown", (5, 3), 2**32 - 1, 0),
        TensorSpec("missing", (2**40,), 0, 2**40),
    ]
    rows = dump(save(Model([("k\udcff", "uint8", 1)], specs)))
    assert rows["metadata"][0]["key"] == {"base64": "a/8="}
    assert [(row["type"], row["type_id"], row["nbytes"]) for row in rows["tensors"]] == [
        (None, 4, None), (None, 2**32 - 1, None), ("F32", 0, 2**42),
    ]  # fmt: skip
    assert [row["name"] for row in rows["tensors"]] == [{"base64": "/w=="}, "unknown", "missing"]
    assert (rows["tensors"][2]["dims"], rows["tensors"][2]["offset"]) == ([2**40], 2**40)
