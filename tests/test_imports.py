"""The layers of the package: each imports only from layers below it, and only one imports generated code."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "kaitai_gguf"
SAMPLE = Path(__file__).parents[1] / "examples" / "sample.gguf"

# Packages and top-level modules, from the bottom up.
LAYERS = [
    "version",
    "preloading",
    "errors",
    "arguments",
    "threads",
    "sources",
    "schema",
    "types",
    "text",
    "decimals",
    "tensor_role_table",
    "tensor_names",
    "layout_rules",
    "byteswapping",
    "dequantize",
    "quantize",
    "standard_keys",
    "standard_values",
    "type_mix",
    "suggestions",
    "reading",
    "writing",
    "models",
    "rules",
    "explanation",
    "gguf_py",
    "catalog",
]
# Modules within a package, from the bottom up.
WITHIN = {
    "sources": [
        "sidecar_names", "identify", "windows_os", "locks", "urls", "ranges",
        "client", "http", "foreign_files", "file_ranges", "source", "remote", "journal_recovery",
        "locked_map", "opening",
    ],
    "schema": ["scanner", "parsing", "fields", "reader", "names", "expected", "refusal", "writing"],
    "reading": [
        "notebook", "arrays", "header", "handle", "typed_access", "metadata", "tensor", "tensors", "chunks", "info",
        "file", "shards", "opening",
    ],
    "writing": [
        "paths", "transfer", "write_behind", "atomic", "sink", "items", "values", "writable", "plan", "tensor_data",
        "writer", "read_back", "editable", "journal", "guards", "editor",
    ],
    "models": ["differences", "hashing", "conversion", "splitting", "identities"],
    "rules": [
        "rule", "lists", "facts", "shards", "header", "metadata", "tensors", "tokenizer", "llama_cpp", "standard",
        "deep", "page",
    ],
    "catalog": ["tables", "sources", "columns", "rows", "lake", "runners", "scanning"],
    "gguf_py": ["enums", "errors", "parts", "fields", "reader", "__main__"],
}  # fmt: skip
PUBLIC = {"__init__", "__main__", "cli"}
GENERATED = {"kaitai_gguf_schema", "kaitaistruct"}
COMPILED = {"schema": {"_scanner"}, "dequantize": {"_kernels"}}
FOR_COMMANDS = {"click", "rich", "yaml"}  # nothing imports yaml


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


def test_every_package_has_a_layer() -> None:
    assert set(LAYERS) == {layer for layer, _ in modules()} - PUBLIC
    for package, names in WITHIN.items():
        assert set(names) == {path.stem for path in (SOURCE / package).glob("*.py")} - {"__init__"}


def test_imports_point_downward() -> None:
    upward = []
    for layer, path in modules():
        if layer not in PUBLIC:
            allowed = {*LAYERS[: LAYERS.index(layer) + 1], *COMPILED.get(layer, set())}
            own = {name.split(".")[1] for name in imports(path) if name.startswith("kaitai_gguf.")}
            upward += [f"{path.relative_to(SOURCE)} imports {name}" for name in sorted(own - allowed)]
    assert upward == []


def test_imports_point_downward_within_a_package() -> None:
    upward = []
    for package, names in WITHIN.items():
        for number, name in enumerate(names):
            above = {f"kaitai_gguf.{package}.{each}" for each in names[number:]}
            upward += [(package, name, each) for each in imports(SOURCE / package / f"{name}.py") & above]
    assert upward == []


def test_each_dependency_has_one_user() -> None:
    users = {(layer, name) for layer, path in modules() for name in top_level(path)}
    assert {user for user in users if user[1] in GENERATED} == {("schema", name) for name in GENERATED}
    assert {user for user in users if user[1] in FOR_COMMANDS} == {("cli", "click"), ("cli", "rich")}
    assert {user for user in users if user[1] == "gguf"} == {("gguf_py", "gguf")}


def test_commands_use_the_public_api() -> None:
    internal = (
        "writing.atomic", "writing.paths", "writing.guards", "reading.arrays", "reading.metadata", "reading.chunks",
        "reading.info", "reading.shards", "rules", "standard_keys", "standard_values", "models.splitting", "catalog",
        "catalog.tables", "arguments", "errors", "suggestions", "decimals", "text", "threads", "types", "sources",
        "sources.urls",
    )  # fmt: skip
    allowed = {f"kaitai_gguf.{name}" for name in (*public_names(), *internal)}
    own = {name for layer, path in modules() if layer == "cli" for name in imports(path) if "kaitai_gguf." in name}
    assert {name for name in own - allowed if not name.startswith("kaitai_gguf.cli")} == set()
    assert "kaitai_gguf.cli.output" in own


def public_names() -> set[str]:
    import kaitai_gguf

    return set(kaitai_gguf.__all__)


def test_all_is_what_there_is() -> None:
    import kaitai_gguf

    assert {"GGUFError", "Tensor", "Writer", "__version__", "check", "open", "scanner"} < set(kaitai_gguf.__all__)
    modules = {name for name, _ in modules_of(kaitai_gguf)} - {"dequantize", "quantize"}  # these are also functions
    assert modules & set(kaitai_gguf.__all__) == set()
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
        (COMMAND, ["--version"], "kaitai_gguf.cli.output", {"numpy"}),
        (COMMAND, ["info", str(SAMPLE)], "kaitai_gguf.cli.commands.info", SLOW | GENERATED_CODE),
        (
            "import kaitai_gguf; kaitai_gguf.open(sys.argv[1])",
            [str(SAMPLE)],
            "kaitai_gguf_schema.types",
            {*GENERATED_CODE, "kaitai_gguf_schema.fields", "kaitai_gguf_schema.positions"},
        ),
    ],
    ids=["import", "version", "info", "open"],
)
def test_nothing_is_imported_that_is_not_used(code: str, arguments: list[str], used: str, unused: set[str]) -> None:
    command = [sys.executable, "-c", f"import sys; {code}; print(*sys.modules)", *arguments]
    printed = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    found = set(printed.splitlines()[-1].split())
    assert used in found
    assert unused & found == set()


def modules_of(package: object) -> list[tuple[str, object]]:
    import types

    return [(name, item) for name, item in vars(package).items() if isinstance(item, types.ModuleType)]
