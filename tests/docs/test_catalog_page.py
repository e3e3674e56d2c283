"""docs/catalog.md and docs/catalog-cluster.md: tables and numbers match the code, and every query works in DuckDB.

tests/integration tests the second page with a cluster.
"""

import ast
import re
import shutil
from pathlib import Path
from typing import Any

import dask
import distributed  # noqa: F401  # has the default of the setting
import pytest
from support.gguf_bytes import Model, TensorSpec
from support.pages import code_of, text_of

from kaitai_gguf.catalog import SCHEMA_VERSION, TABLES, lake, rows, runners, scan, scanning, table

PAGE, PYTHON = text_of("catalog.md"), code_of("catalog.md", "python")
QUESTIONS = dict(re.findall(r"^([A-Z][^\n]*\?)\n\n```sql\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))

Q4_K, Q8_0, REMOVED = 12, 8, 4


def model(name: str, type_id: int = Q4_K, template: str = "a", **metadata: str) -> bytes:
    texts = {"general.name": name, "general.size_label": "1B", "tokenizer.ggml.model": "gpt2"} | metadata
    texts |= {"general.architecture": "llama", "tokenizer.chat_template": template}
    tensors = [TensorSpec("token_embd.weight", (256, 3), type_id, 0), TensorSpec("output.weight", (256,), 0, 1024)]
    file_type = ("general.file_type", "uint32", 15)
    return Model([*((key, "string", text) for key, text in texts.items()), file_type], tensors, bytes(2048)).build()


@pytest.fixture
def models(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a catalog of the folder `models`."""
    models = tmp_path / "models"
    models.mkdir()
    (models / "a.gguf").write_bytes(model("A", **{"general.license": "mit"}))
    shutil.copy(models / "a.gguf", models / "copy.gguf")
    (models / "false.gguf").write_bytes(model("False", Q8_0, "b"))
    (models / "unknown.gguf").write_bytes(model("Unknown", REMOVED, **{"tokenizer.ggml.pre": "x"}))
    (models / "cut.gguf").write_bytes(model("Cut", **{"tokenizer.ggml.pre": "y"})[:-1500])
    (models / "page.gguf").write_bytes(b"<html>")
    scan(models, tmp_path / "catalog")
    monkeypatch.chdir(tmp_path)
    return models


TYPES = {
    "decimal": "decimal(20, 0)",
    "mix": "list of {type: string, n_tensors: int64, n_elements: int64, nbytes: int64}",
}


def test_the_tables_and_numbers_are_those_of_the_code() -> None:
    for name, columns in TABLES.items():
        (section,) = re.findall(rf"^### {name}: .*?\n\n(.*?)\n\n", PAGE, re.DOTALL | re.MULTILINE)
        rows_of_page = section.split("\n")[2:]
        assert rows_of_page == [f"| `{name}` | {TYPES.get(type, type)} | {text} |" for name, type, text in columns]
    for text in (
        f"Version {SCHEMA_VERSION} of the schema",
        f"{rows.MAX_HEADER_NBYTES >> 20} MiB",
        f"{rows.MAX_ITEMS:,} key-values",
        f"at most {scanning.COMMIT_FILES:,} at a time",
        f"more than {lake._SMALL_FILES} data files are smaller than {lake._SMALL >> 20} MiB",
    ):
        assert text in PAGE


def test_the_cluster_page() -> None:
    page = text_of("catalog-cluster.md")
    nodes = [node for code in code_of("catalog-cluster.md", "python") for node in ast.walk(ast.parse(code))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "scan"]
    names = {keyword.arg for call in calls for keyword in call.keywords}
    assert names == {"client", "storage_options"} <= set(scan.__kwdefaults__)
    assert f"{runners.REMOTE_AT_ONCE} remote files at once" in page
    assert f"A task has {scanning.TASK_FILES} files" in page
    assert dask.config.get("distributed.scheduler.allowed-failures") == 3
    (error,) = re.findall(r'with the error "(.*?)"', page, re.DOTALL)
    assert " ".join(error.split()) in Path(runners.__file__).read_text()


def test_the_examples(models: Path) -> None:
    (models / "q4_0.gguf").write_bytes(model("Q4_0", 2))
    names: dict[str, Any] = {}
    for code in PYTHON[:-1]:
        exec(compile(code, "docs/catalog.md", "exec"), names)
    assert (names["summary"].files, names["files"].count_rows(), names["rows"]["tensors"].num_rows) == (7, 7, 2)
    expected = [str(models / "q4_0.gguf")]
    assert names["in_duckdb"] == [tuple(expected)]
    assert names["in_polars"]["source"].to_list() == list(names["in_pandas"]) == expected
    assert names["catalog"].to_pyarrow_dataset().count_rows() == 7


def test_answers(models: Path) -> None:
    paths = {path.stem: str(path) for path in models.iterdir()}
    same = [paths[name] for name in ("a", "copy", "false")]
    found = {row["source"]: row for row in table("catalog", "files").to_table().to_pylist()}
    a, cut, page = (found[paths[name]] for name in ("a", "cut", "page"))
    nbytes = sum(row["nbytes"] for row in found.values() if row["error"] is None)
    shares = [("false", 816 / 1840), *((name, 432 / 1456) for name in ("a", "copy", "cut"))]
    expected: list[list[tuple[Any, ...]]] = [
        [("llama", "1B", 5, nbytes)],
        [(a["tokenizer_sha256"], 3, same)],
        [(paths["false"], "Q8_0"), (paths["unknown"], "Q4_2")],
        [(a["tokenizer_sha256"], 2)],
        [(paths[name], pytest.approx(share)) for name, share in shares],
        [(a["metadata_sha256"], a["tensors_sha256"], same[:2])],
        [("none", 3), ("mit", 2)],
        [(paths["unknown"], REMOVED, 1)],
        [(paths["cut"], None, None, cut["missing_nbytes"]), (paths["page"], "NotGGUFError", page["error"], None)],
        [("F32", 5 * 1024, 5), ("Q4_K", 3 * 432, 3), ("Q8_0", 816, 1), ("Q4_2", 0, 1)],
    ]
    names: dict[str, Any] = {}
    exec(PYTHON[-1], names)
    assert len(QUESTIONS) == 10
    for (question, query), answer in zip(QUESTIONS.items(), expected, strict=True):
        assert names["connection"].execute(query).fetchall() == answer, question
