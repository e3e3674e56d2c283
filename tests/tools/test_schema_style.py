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

pytestmark = pytest.mark.parametrize("schema", [generate.GGUF, generate.GGML_BLOCK], ids=lambda path: path.name)


def mappings(spec: dict[str, Any], meta: str) -> Iterator[tuple[dict[str, Any], str]]:
    """Yield each mapping, and its permitted keys in order."""
    yield spec, SECTIONS
    yield spec.get("meta", {}), meta
    yield from ((attribute, ATTRIBUTE) for attribute in spec.get("seq", []))
    yield from ((instance, f"io pos value {ATTRIBUTE}") for instance in spec.get("instances", {}).values())
    for inner in spec.get("types", {}).values():
        yield from mappings(inner, META_OF_TYPES)


def test_keys_are_known_and_in_order(schema: Path) -> None:
    for spec, order in mappings(yaml.safe_load(schema.read_text()), META):
        keys = [key for key in spec if not key.startswith("-")]
        assert keys == sorted(keys, key=order.split().index), spec
        if "-orig-id" in spec and order is ATTRIBUTE:
            assert list(spec)[:2] == ["id", "-orig-id"], spec


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


def test_lines(schema: Path) -> None:
    text = schema.read_bytes().decode()
    assert max(map(len, text.splitlines())) <= 80
    assert re.search(r"[\r\t]| \n|\n\n\Z|[^\n]\Z", text) is None
    assert re.search(r"^(---|%)", text, re.MULTILINE) is None
    assert re.search(r"^ *-?[a-z-]+: [>\"]", text, re.MULTILINE) is None  # long texts are literal
    for indent, dash, inner in re.findall(r"^( *)(- )?[\w-]+:\n( *)- ", text, re.MULTILINE):  # lists are indented
        assert len(inner) == len(indent + dash) + 2


def test_it_compiles_without_a_warning(schema: Path, tmp_path: Path) -> None:
    compile_officially([schema], tmp_path)  # warnings do not depend on the target
