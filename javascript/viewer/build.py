"""Build the viewer's page from src/, or check that the committed page is up to date.

python javascript/viewer/build.py [--check]

Python writes src/tables.js and the package's keys.js, so that the names of tensors, keys, file types and blocks have
one table; esbuild bundles the scripts and the styles into one HTML file.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from kaitai_gguf_schema.types import BLOCKS, REMOVED_TYPES, GGMLType

from kaitai_gguf.llama_cpp import FILE_TYPE, facts, file_type_name, file_types
from kaitai_gguf.tensor_names import SUFFIXES, tensor_role

VIEWER = Path(__file__).parent
TABLES = VIEWER / "src" / "tables.js"
MEMORY = VIEWER / "src" / "memory.js"
KEYS = VIEWER.parent / "keys.js"
PAGE = VIEWER.parents[1] / "src" / "kaitai_gguf" / "cli" / "viewer.html"


GENERATED = "// This is a generated file! `make viewer` writes it from the tables of the Python package."


def keys() -> str:
    """Return keys.js of the package: keys that have the same types, description and values share a line."""
    groups: dict[str, list[str]] = {}
    for key, (types, _, description) in facts()["keys"].items():
        values = list(map(int, facts()["file_types"])) if key == FILE_TYPE else facts()["values"].get(key)
        groups.setdefault(json.dumps([types, description, *([values] if values else [])]), []).append(key)
    doc = "By keys, with [arch] for the architecture and {id} for a number or a name: types, the preferred one first."
    lines = [f"  {json.dumps(' '.join(names))}: {group}," for group, names in groups.items()]
    type = "Record<string, [types: string, description: string, values?: (string | number)[]]>"
    return "\n".join([GENERATED, "", f"/** {doc} @type {{{type}}} */", "export const KEYS = {", *lines, "};", ""])


def tables() -> str:
    """Return src/tables.js."""
    lines = [GENERATED, ""]
    for name, (type, doc, table) in {
        "ROLES": (
            "Record<string, Record<string, string>>",
            "By kind and meaning: names of tensors, with N for the number.",
            _roles(),
        ),
        "SUFFIXES": ("string[]", "What may follow a known name.", sorted(SUFFIXES)),
        "FILE_TYPES": (
            "Record<string, (string | null)[]>",
            "By number: name, and most weights' type.",
            _file_types(),
        ),
        "REMOVED_TYPES": ("Record<string, string>", "By number: the name that ggml had for it.", REMOVED_TYPES),
        "MEMORY": (
            "Record<string, any>",
            "By architectures: what llama.cpp keeps for a context, and which hyperparameters it reads for that.",
            _memory(),
        ),
        "BLOCKS": (
            "Record<string, any>",
            "By type: elements, bytes, and fields: name, format and count.",
            _blocks(),
        ),
    }.items():
        lines += [f"/** {doc} @type {{{type}}} */", f"export const {name} = {_literal(table)};", ""]
    return "\n".join(lines)


def _literal(table: Any) -> str:
    """Return JSON with a line for each item of an object."""
    if not isinstance(table, dict):
        return json.dumps(table)
    items = [f"  {json.dumps(str(key))}: {json.dumps(value)}," for key, value in table.items()]
    return "\n".join(["{", *items, "}"])


def _roles() -> dict[str, dict[str, str]]:
    roles: dict[str, dict[str, list[str]]] = {}
    for name in facts()["tensors"]:
        role = tensor_role(re.sub(r"\bN\b", "0", name))
        assert role.is_known, name
        roles.setdefault(role.kind, {}).setdefault(role.description, []).append(name)
    return {kind: {words: " ".join(names) for words, names in known.items()} for kind, known in roles.items()}


def _memory() -> dict[str, dict[str, Any]]:
    keys = set(re.findall(r'"([a-z_.]+)"', MEMORY.read_text("utf-8")))
    shown = set(re.findall(r"known\.(\w+)", MEMORY.read_text("utf-8")))
    groups: dict[str, list[str]] = {}
    for name, every in facts()["memory"].items():
        known = {fact: value for fact, value in every.items() if fact in shown}
        read = keys & {*facts()["architectures"][name]["keys"]}
        if "swa" not in known and known.get("cache") != "compressed":
            read.discard("attention.sliding_window")
        if known.get("indexer") != "moe":
            read.discard("leading_dense_block_count")
        if "ple.layers" not in read:
            read.discard("hyper_connection.count")
        if known.get("cache") == "none":
            read = set()
        groups.setdefault(json.dumps(known | ({"keys": sorted(read)} if read else {})), []).append(name)
    return {" ".join(names): json.loads(known) for known, names in groups.items()}


def _file_types() -> dict[int, list[str | None]]:
    return {number: [file_type_name(number), type] for number, (_, type) in file_types().items()}


def _blocks() -> dict[str, list[Any]]:
    return {
        GGMLType(id).name: [block.num_elements, block.size, [list(field) for field in block.fields]]
        for id, block in BLOCKS.items()
    }


def build(out: Path) -> None:
    """Write the page. The bundled scripts import src/tables.js from the disk, so it must be up to date."""
    installed, lock = VIEWER / "node_modules" / ".package-lock.json", VIEWER / "package-lock.json"
    if not installed.exists() or installed.stat().st_mtime < lock.stat().st_mtime:
        subprocess.run(["npm", "ci", "--silent", "--no-audit", "--no-fund", "--prefix", str(VIEWER)], check=True)
    subprocess.run(["node", str(VIEWER / "build.js"), str(out)], check=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true", help="write nothing; fail if the page is not up to date")
    check = parser.parse_args().check
    if shutil.which("npm") is None:
        required = not check or os.environ.get("CI") == "true"
        print(f"{'error' if required else 'skipped'}: npm is not installed, and building the viewer needs it")
        return 1 if required else 0
    if not check:
        TABLES.write_text(tables(), "utf-8")
        KEYS.write_text(keys(), "utf-8")
        build(PAGE)
        return 0
    written = {TABLES: tables(), KEYS: keys()}
    stale = [path for path, text in written.items() if not path.exists() or path.read_text("utf-8") != text]
    with tempfile.TemporaryDirectory() as scratch:
        page = Path(scratch) / PAGE.name
        build(page)
        stale += [] if PAGE.exists() and PAGE.read_bytes() == page.read_bytes() else [PAGE]
    for path in stale:
        print(f"{path.relative_to(VIEWER.parents[1])} is out of date: run `make viewer`, and commit the result")
    if not stale:
        print("the viewer's page is up to date")
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
