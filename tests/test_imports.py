"""The rooms of the package: each imports only from below, and only one knows the generated code."""

import ast
import subprocess
import sys
from pathlib import Path

SOURCE = Path(__file__).parents[1] / "src" / "kaitai_gguf"

# The rooms from the bottom up, and what each may import of the others.
ROOMS: dict[str, set[str]] = {
    "version": set(),
    "errors": set(),
    "identify": set(),
    "hidden": set(),
    "signals": set(),
    "windows": set(),
    "locks": {"errors", "hidden", "signals", "windows"},
    "sources": {"errors", "identify", "hidden", "locks"},
    "schema": {"errors", "identify", "sources"},
    "text": {"errors", "schema"},
    "types": {"schema", "errors"},
    "layout_rules": {"types", "text", "errors", "schema"},
    "threads": set(),
    "endian": {"types", "errors"},
    "arrays": {"schema", "text", "types"},
    "metadata": {"schema", "errors", "arrays", "text"},
    "dequantize": {"types", "errors"},
    "quantize": {"types", "errors", "layout_rules"},
    "tensors": {"types", "layout_rules", "errors", "schema", "sources", "text", "dequantize"},
    "pieces": {"tensors", "types"},
    "shards": {"metadata", "tensors", "arrays", "text", "types", "sources", "errors"},
    "file": {"sources", "locks", "shards", "metadata", "tensors", "layout_rules", "errors", "schema", "types"},
    "standard_keys": {"types"},
    "rules": {
        "sources",
        "shards",
        "pieces",
        "dequantize",
        "standard_keys",
        "arrays",
        "types",
        "layout_rules",
        "text",
        "errors",
        "schema",
    },
    "explanation": {"file", "sources", "tensors", "text", "errors", "schema", "types"},
    "hashing": {"file", "pieces", "threads", "errors"},
    "differences": {
        "file",
        "pieces",
        "threads",
        "endian",
        "dequantize",
        "arrays",
        "metadata",
        "tensors",
        "schema",
        "types",
    },
    "atomic": {"errors", "locks", "signals", "sources", "windows"},
    "sink": {"atomic", "errors"},
    "transfer": set(),
    "values": {"standard_keys", "arrays", "text", "schema", "types", "errors"},
    "writable": {"values", "standard_keys", "metadata", "text", "schema", "types", "layout_rules", "errors"},
    "tensor_data": {"layout_rules", "text", "pieces", "tensors", "endian", "schema", "types", "errors"},
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
        "layout_rules",
        "text",
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
        "layout_rules",
        "text",
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
        "layout_rules",
        "types",
        "errors",
    },
    "splitting": {"conversion", "writer", "atomic", "file", "shards", "tensors", "layout_rules", "errors"},
}
PUBLIC = {"__init__", "__main__", "cli"}
GENERATED = {"kaitai_gguf_schema", "kaitaistruct"}
COMPILED = {"schema": {"_scanner"}, "dequantize": {"_moves"}}
FOR_COMMANDS = {"click", "rich", "yaml", "gguf"}  # the last two are for nobody


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


def top_level(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)}


def test_the_table_has_every_room() -> None:
    assert set(ROOMS) == {room for room, _ in modules()} - PUBLIC


def test_imports_point_downward() -> None:
    upward = []
    for room, path in modules():
        if room not in PUBLIC:
            allowed = ROOMS[room] | COMPILED.get(room, set()) | {room}
            own = {name.split(".")[1] for name in imports(path) if name.startswith("kaitai_gguf.")}
            upward += [f"{path.relative_to(SOURCE)} imports {name}" for name in sorted(own - allowed)]
    assert upward == []


def test_only_schema_knows_generated_code() -> None:
    users = {(room, name) for room, path in modules() for name in top_level(path) & GENERATED}
    assert users == {("schema", name) for name in GENERATED}


def test_the_library_does_without_what_the_commands_need() -> None:
    users = {(room, name) for room, path in modules() for name in top_level(path) & FOR_COMMANDS}
    assert users == {("cli", "click"), ("cli", "rich")}


def test_commands_use_the_public_api() -> None:
    allowed = {f"kaitai_gguf.{name}" for name in (*public_names(), "atomic", "guards", "metadata", "pieces", "text")}
    own = {name for room, path in modules() if room == "cli" for name in imports(path) if "kaitai_gguf." in name}
    assert {name for name in own - allowed if not name.startswith("kaitai_gguf.cli")} == set()
    assert "kaitai_gguf.cli.output" in own


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
