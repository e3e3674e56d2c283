"""schema/*.ksy follow Kaitai Struct's style guide, as its format library requires."""

import itertools
import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import generate
import pytest
import yaml
from compiler import ToolMissing, compile_schema

SCHEMAS = [generate.GGUF, generate.GGML_BLOCK]

# https://doc.kaitai.io/ksy_style_guide.html: the order of keys in each kind of mapping
META = [
    "id", "title", "application", "file-extension", "xref", "tags", "license", "ks-version", "imports",
    "encoding", "endian", "bit-endian",
]  # fmt: skip
META_OF_TYPES = ["encoding", "endian", "bit-endian"]
SECTIONS = ["meta", "doc", "doc-ref", "to-string", "params", "seq", "instances", "types", "enums"]
ATTRIBUTE = [
    "id", "size", "size-eos", "type", "enum", "terminator", "include", "consume", "eos-error", "pad-right", "encoding",
    "process", "valid", "contents", "repeat", "repeat-expr", "repeat-until", "if", "doc", "doc-ref",
]  # fmt: skip
INSTANCE = ["io", "pos", "value", *ATTRIBUTE[1:]]

Found = tuple[str, dict[str, Any], list[str]]  # the path, the mapping, and its permitted keys in order


@pytest.fixture(params=SCHEMAS, ids=lambda path: path.name)
def schema(request: pytest.FixtureRequest) -> Path:
    path: Path = request.param
    return path


@pytest.fixture
def ksy(schema: Path) -> dict[str, Any]:
    loaded: dict[str, Any] = yaml.safe_load(schema.read_text())
    return loaded


def sections(spec: dict[str, Any], where: str, meta: list[str]) -> Iterator[Found]:
    yield where, spec, SECTIONS
    yield f"{where}/meta", spec.get("meta", {}), meta
    for number, attribute in enumerate(spec.get("seq", [])):
        yield f"{where}/seq/{number}", attribute, ATTRIBUTE
    for name, instance in spec.get("instances", {}).items():
        yield f"{where}/instances/{name}", instance, INSTANCE
    for name, inner in spec.get("types", {}).items():
        yield from sections(inner, f"{where}/types/{name}", META_OF_TYPES)


def test_keys_are_known_and_in_order(ksy: dict[str, Any]) -> None:
    for where, spec, order in sections(ksy, "", META):
        keys = [key for key in spec if not key.startswith("-")]
        assert keys == sorted(keys, key=order.index), where
        if "-orig-id" in spec and order is ATTRIBUTE:
            assert list(spec)[:2] == ["id", "-orig-id"], where


def test_meta(schema: Path, ksy: dict[str, Any]) -> None:
    meta = ksy["meta"]
    assert meta["id"] == schema.stem
    assert meta["license"] == "CC0-1.0"
    assert meta["ks-version"] == "0.11"
    assert meta["title"]
    assert ksy["doc"]
    for key in ("xref", "tags"):
        assert list(meta.get(key, [])) == sorted(meta.get(key, []))
    for reference in ksy["doc-ref"]:  # which stays what it is
        assert re.match(r"https://github\.com/[\w-]+/[\w-]+/blob/[0-9a-f]{8}/", reference)


def test_lines(schema: Path) -> None:
    data = schema.read_bytes()
    assert b"\r" not in data
    assert b"\t" not in data
    assert data.endswith(b"\n")
    assert not data.endswith(b"\n\n")
    for number, line in enumerate(data.decode().splitlines(), 1):
        assert len(line) <= 80, number
        assert line == line.rstrip(), number
        assert not line.startswith(("---", "%")), number
        assert not re.match(r" *-?[a-z-]+: [>\"]", line), number  # long texts are literal


def test_lists_are_indented(schema: Path) -> None:
    lines = schema.read_text().splitlines()
    for number, (before, line) in enumerate(itertools.pairwise(lines), 2):
        if line.lstrip().startswith("- ") and before.endswith(":"):
            assert len(line) - len(line.lstrip()) == len(before) - len(before.lstrip().removeprefix("- ")) + 2, number


def test_it_compiles_without_a_warning(schema: Path, tmp_path: Path) -> None:
    try:  # warnings do not depend on the target
        compile_schema([schema], tmp_path, ["python"])
    except ToolMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{missing} is not installed, and the official compiler needs it")
