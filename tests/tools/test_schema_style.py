"""schema/*.ksy follow Kaitai Struct's style guide, as its format library requires."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import generate
import pytest
import yaml
from formats import compile_officially

# https://doc.kaitai.io/ksy_style_guide.html: the order of keys in each kind of mapping
META = "id title application file-extension xref tags license ks-version imports encoding endian bit-endian"
META_OF_TYPES = "encoding endian bit-endian"
SECTIONS = "meta doc doc-ref to-string params seq instances types enums"
ATTRIBUTE = "id size size-eos type enum terminator include consume eos-error pad-right encoding "
ATTRIBUTE += "process valid contents repeat repeat-expr repeat-until if doc doc-ref"
INSTANCE = f"io pos value {ATTRIBUTE}"

each_schema = pytest.mark.parametrize("schema", [generate.GGUF, generate.GGML_BLOCK], ids=lambda path: path.name)


def sections(spec: dict[str, Any], where: str, meta: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Yield the path of each mapping, the mapping, and its permitted keys in order."""
    yield where, spec, SECTIONS
    yield f"{where}/meta", spec.get("meta", {}), meta
    for number, attribute in enumerate(spec.get("seq", [])):
        yield f"{where}/seq/{number}", attribute, ATTRIBUTE
    for name, instance in spec.get("instances", {}).items():
        yield f"{where}/instances/{name}", instance, INSTANCE
    for name, inner in spec.get("types", {}).items():
        yield from sections(inner, f"{where}/types/{name}", META_OF_TYPES)


@each_schema
def test_keys_are_known_and_in_order(schema: Path) -> None:
    for where, spec, order in sections(yaml.safe_load(schema.read_text()), "", META):
        keys = [key for key in spec if not key.startswith("-")]
        assert keys == sorted(keys, key=order.split().index), where
        if "-orig-id" in spec and order is ATTRIBUTE:
            assert list(spec)[:2] == ["id", "-orig-id"], where


@each_schema
def test_meta(schema: Path) -> None:
    ksy = yaml.safe_load(schema.read_text())
    meta = ksy["meta"]
    assert (meta["id"], meta["license"], meta["ks-version"]) == (schema.stem, "CC0-1.0", "0.11")
    assert meta["title"]
    assert ksy["doc"]
    for key in ("xref", "tags"):
        assert list(meta.get(key, [])) == sorted(meta.get(key, []))
    for reference in ksy["doc-ref"]:  # a commit, whose contents do not change
        assert re.match(r"https://github\.com/[\w-]+/[\w-]+/blob/[0-9a-f]{8}/", reference)


@each_schema
def test_lines(schema: Path) -> None:
    text = schema.read_bytes().decode()
    assert re.search(r"\r|\t|\n\n\Z|[^\n]\Z", text) is None
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        assert len(line) <= 80, number
        assert line == line.rstrip(), number
        assert not line.startswith(("---", "%")), number
        assert not re.match(r" *-?[a-z-]+: [>\"]", line), number  # long texts are literal
        if line.lstrip().startswith("- ") and before.endswith(":"):  # lists are indented
            assert len(line) - len(line.lstrip()) == len(before) - len(before.lstrip().removeprefix("- ")) + 2, number
        before = line


@each_schema
def test_it_compiles_without_a_warning(schema: Path, tmp_path: Path) -> None:
    compile_officially([schema], tmp_path)  # warnings do not depend on the target
