"""The rooms of the package: each imports only from below, and only one knows the generated code."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "kaitai_gguf"

# The rooms from the bottom up, and what each may import of the others.
ROOMS: dict[str, set[str]] = {
    "version": set(),
    "errors": set(),
    "identify": set(),
    "hidden": set(),
    "signals": set(),
    "windows": set(),
    "align": {"errors"},
    "locks": {"errors", "hidden", "signals", "windows"},
    "sources": {"errors", "identify", "hidden", "locks"},
    "schema": {"errors", "identify", "sources"},
    "types": {"schema"},
    "endian": {"types", "errors"},
    "arrays": {"schema", "errors", "types"},
    "metadata": {"schema", "errors", "arrays"},
    "dequantize": {"types", "errors"},
    "quantize": {"types", "errors", "dequantize"},
    "tensors": {"types", "align", "errors", "schema", "sources", "arrays", "dequantize"},
    "pieces": {"tensors", "types"},
    "shards": {"metadata", "tensors", "arrays", "types", "sources", "errors"},
    "file": {"sources", "locks", "shards", "metadata", "tensors", "align", "errors", "schema", "types"},
    "standard_keys": {"types"},
    "rules": {
        "sources",
        "shards",
        "pieces",
        "dequantize",
        "standard_keys",
        "arrays",
        "types",
        "align",
        "errors",
        "schema",
    },
    "explanation": {"file", "sources", "tensors", "arrays", "errors", "schema", "types"},
    "hashing": {"file", "pieces", "errors"},
    "differences": {"file", "pieces", "endian", "dequantize", "arrays", "metadata", "tensors", "schema", "types"},
    "atomic": {"errors", "locks", "signals", "sources", "windows"},
    "sink": {"atomic", "errors"},
    "transfer": set(),
    "values": {"standard_keys", "arrays", "schema", "types", "errors"},
    "writable": {"values", "standard_keys", "metadata", "arrays", "schema", "types", "align", "errors"},
    "tensor_data": {"align", "pieces", "tensors", "endian", "schema", "types", "errors"},
    "writer": {
        "tensor_data",
        "writable",
        "atomic",
        "sink",
        "pieces",
        "tensors",
        "endian",
        "schema",
        "types",
        "align",
        "errors",
    },
    "journal": {"atomic", "identify", "sources", "signals", "schema"},
    "guards": {"file", "shards", "sources", "errors"},
    "editor": {
        "windows",
        "guards",
        "locks",
        "sources",
        "file",
        "journal",
        "transfer",
        "writable",
        "atomic",
        "tensors",
        "schema",
        "align",
        "errors",
    },
    "conversion": {
        "tensors",
        "sources",
        "windows",
        "writer",
        "atomic",
        "transfer",
        "differences",
        "file",
        "shards",
        "align",
        "types",
        "errors",
    },
    "splitting": {"conversion", "writer", "atomic", "file", "shards", "tensors", "align", "errors"},
}
PUBLIC = {"__init__", "__main__", "cli"}
GENERATED = {"kaitai_gguf_schema", "kaitaistruct"}


def modules() -> list[tuple[str, Path]]:
    return [(path.relative_to(SOURCE).parts[0].removesuffix(".py"), path) for path in sorted(SOURCE.rglob("*.py"))]


def imports(path: Path) -> set[str]:
    found = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            found.add(node.module or "")
            if node.module == "kaitai_gguf":
                found |= {f"kaitai_gguf.{alias.name}" for alias in node.names}
    return found


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value).rpartition("kaitai_gguf/")[2])
def test_imports_point_downward(room: str, path: Path) -> None:
    if room in PUBLIC:
        return
    assert room in ROOMS, f"{room} is not in the table"
    own = {name.split(".")[1] for name in imports(path) if name.startswith("kaitai_gguf.")}
    if room == "schema":
        own -= {"_scanner"}  # what is compiled is generated
    if room == "dequantize":
        own -= {"_moves"}
    assert own <= ROOMS[room] | {room}


@pytest.mark.parametrize(("room", "path"), modules(), ids=lambda value: str(value).rpartition("kaitai_gguf/")[2])
def test_only_schema_knows_generated_code(room: str, path: Path) -> None:
    known = {name.split(".")[0] for name in imports(path)} & GENERATED
    assert not known or room == "schema"


@pytest.mark.parametrize("room", ["click", "rich", "yaml", "gguf"])
def test_the_library_does_without_what_the_commands_need(room: str) -> None:
    users = {name for name, path in modules() if room in {found.split(".")[0] for found in imports(path)}}
    assert users <= {"cli"}


@pytest.mark.parametrize("path", sorted((SOURCE / "cli").glob("*.py")), ids=lambda path: path.name)
def test_commands_use_the_public_api(path: Path) -> None:
    own = {name for name in imports(path) if name.startswith("kaitai_gguf.") and name[12:] not in public_names()}
    assert {name for name in own if not name.startswith("kaitai_gguf.cli")} <= {
        "kaitai_gguf.atomic",
        "kaitai_gguf.guards",
        "kaitai_gguf.metadata",
        "kaitai_gguf.pieces",
    }


def public_names() -> set[str]:
    import kaitai_gguf

    return set(kaitai_gguf.__all__)


def test_all_is_what_there_is() -> None:
    import kaitai_gguf

    modules = {name for name, _ in modules_of(kaitai_gguf)}
    public = {name for name in vars(kaitai_gguf) if not name.startswith("_")} | {"__version__"}
    assert set(kaitai_gguf.__all__) == public - modules | set(kaitai_gguf._LATER)
    assert all(hasattr(kaitai_gguf, name) for name in kaitai_gguf.__all__)
    assert dir(kaitai_gguf) == sorted(kaitai_gguf.__all__)


def test_what_is_imported_later_is_what_type_checkers_see() -> None:
    import kaitai_gguf

    tree = ast.parse((SOURCE / "__init__.py").read_text())
    (seen,) = [node for node in tree.body if isinstance(node, ast.If)]
    homes = {
        alias.name: node.module.partition(".")[2]
        for node in seen.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert homes == kaitai_gguf._LATER


def test_reading_imports_nothing_that_only_writing_needs() -> None:
    code = "import kaitai_gguf, sys; print(*sys.modules)"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    assert not {f"kaitai_gguf.{home}" for home in ("writer", "rules", "conversion")} & set(found)


def modules_of(package: object) -> list[tuple[str, object]]:
    import types

    return [(name, item) for name, item in vars(package).items() if isinstance(item, types.ModuleType)]
