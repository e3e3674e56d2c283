"""The layers of docs/architecture.md: each imports only from layers below it, and only one imports generated code."""

import ast
import re
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path
from types import ModuleType

import pytest

import kaitai_gguf

SOURCE = Path(__file__).parents[1] / "src" / "kaitai_gguf"
SAMPLE = Path(__file__).parents[1] / "examples" / "sample.gguf"

PAGE = Path(__file__).parents[1] / "docs" / "architecture.md"
# The packages and top-level modules in each row of the page, from the bottom up.
ROWS = [re.findall(r"`(\w+)/?`", row) for row in re.findall(r"^\| (`[^|]*) \|", PAGE.read_text("utf-8"), re.MULTILINE)]
PUBLIC = {"__init__", "__main__", "cli"}
GENERATED = {"kaitai_gguf_schema", "kaitaistruct"}
FOR_COMMANDS = {"click", "rich", "yaml"}  # nothing imports yaml


def modules() -> list[tuple[str, Path]]:
    return [(path.relative_to(SOURCE).parts[0].removesuffix(".py"), path) for path in sorted(SOURCE.rglob("*.py"))]


def imports(path: Path) -> set[str]:
    names = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: a relative import"
            names.add(node.module or "")
            if node.module == "kaitai_gguf":
                names |= {f"kaitai_gguf.{alias.name}" for alias in node.names}
    return names


def test_imports_point_downward() -> None:
    layers = [name for row in ROWS for name in row]
    assert sorted(layers) == sorted({layer for layer, _ in modules()} - PUBLIC | {"cli"})
    upward = []
    for number, row in enumerate(ROWS):
        above = {name for names in ROWS[number + 1 :] for name in names}
        for layer, path in modules():
            own = {name.split(".")[1] for name in imports(path) if name.startswith("kaitai_gguf.") and layer in row}
            upward += [f"{path.relative_to(SOURCE)} imports {name}" for name in own & above]
    assert upward == []


def test_no_modules_import_each_other_in_a_circle() -> None:
    names = {".".join(path.relative_to(SOURCE.parent).with_suffix("").parts): path for _, path in modules()}
    graph = {name: imports(path) & names.keys() for name, path in names.items()}
    assert sum(map(len, graph.values())) > 200
    TopologicalSorter(graph).prepare()  # raises an error that names the circle


def test_each_dependency_has_one_user() -> None:
    users = {(layer, name.split(".")[0]) for layer, path in modules() for name in imports(path)}
    assert {user for user in users if user[1] in GENERATED} == {("schema", name) for name in GENERATED}
    assert {user for user in users if user[1] in FOR_COMMANDS} == {("cli", "click"), ("cli", "rich")}
    assert {user for user in users if user[1] == "gguf"} == {("gguf_py", "gguf")}


def test_commands_use_the_public_api() -> None:
    internal = (
        "writing.atomic", "writing.guards", "reading.arrays", "reading.metadata", "reading.chunks",
        "reading.handle", "reading.info", "reading.shards", "rules", "llama_cpp", "models.mixes", "models.splitting",
        "models.tiny", "catalog", "catalog.tables", "arguments", "dequantize.compiled", "errors", "suggestions",
        "decimals", "text", "threads", "types", "sources", "sources.urls",
    )  # fmt: skip
    allowed = {f"kaitai_gguf.{name}" for name in (*kaitai_gguf.__all__, *internal)}
    own = {name for layer, path in modules() if layer == "cli" for name in imports(path) if "kaitai_gguf." in name}
    assert {name for name in own - allowed if not name.startswith("kaitai_gguf.cli")} == set()
    assert "kaitai_gguf.cli.output" in own


def test_all_is_what_there_is() -> None:
    public = set(kaitai_gguf.__all__)
    assert {"GGUFError", "Tensor", "Writer", "__version__", "check", "open", "scanner"} < public
    modules = {name for name, item in vars(kaitai_gguf).items() if isinstance(item, ModuleType)}
    assert modules & public <= {"dequantize", "memory", "quantize"}  # these are also functions
    assert all(hasattr(kaitai_gguf, name) for name in public)
    assert dir(kaitai_gguf) == sorted(public)


def test_what_is_imported_later_is_what_type_checkers_see() -> None:
    tree = ast.parse((SOURCE / "__init__.py").read_text())
    (seen,) = [node for node in tree.body if isinstance(node, ast.If)]
    homes = {
        alias.name: node.module.partition(".")[2]
        for node in seen.body
        if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }
    assert homes == kaitai_gguf._LATER


GENERATED_CODE = {"kaitaistruct", "kaitai_gguf_schema.gguf", "kaitai_gguf_schema.read_write"}
COMMAND = "from kaitai_gguf import cli; cli.main(sys.argv[1:], standalone_mode=False)"
SLOW = {"kaitai_gguf.schema.writing", "tempfile", "lzma", "rich", "ml_dtypes", "base64", "queue"}


@pytest.mark.parametrize(
    ("code", "arguments", "used", "unused"),
    [
        (
            "import kaitai_gguf",
            [],
            "kaitai_gguf.dequantize",
            {"numpy", "kaitai_gguf.writing.writer", "kaitai_gguf.rules", "kaitai_gguf.models.conversion"},
        ),
        (COMMAND, ["info", str(SAMPLE)], "kaitai_gguf.cli.commands.info", SLOW | GENERATED_CODE),
        (
            "import kaitai_gguf; kaitai_gguf.open(sys.argv[1])",
            [str(SAMPLE)],
            "kaitai_gguf_schema.types",
            {*GENERATED_CODE, "kaitai_gguf_schema.fields", "kaitai_gguf_schema.positions"},
        ),
    ],
    ids=["import", "info", "open"],
)
def test_nothing_is_imported_that_is_not_used(code: str, arguments: list[str], used: str, unused: set[str]) -> None:
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)", *arguments]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    imported = set(printed.splitlines()[-1].split())
    assert used in imported
    assert unused & imported == set()
