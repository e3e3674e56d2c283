"""docs/catalog.md: its tables match the code, and every query works in DuckDB."""

import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.gguf_bytes import Model, TensorSpec
from support.pages import code_of, text_of

from kaitai_gguf.catalog import SCHEMA_VERSION, rows, scan, table
from kaitai_gguf.catalog.page import with_tables

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


def test_the_tables_and_numbers_are_those_of_the_code() -> None:
    assert with_tables(PAGE) == PAGE
    for text in (
        f"Version {SCHEMA_VERSION} of the schema",
        f"{rows.MAX_HEADER_NBYTES >> 20} MiB",
        f"{rows.MAX_ITEMS:,} key-values",
    ):
        assert text in PAGE


def test_the_examples(models: Path) -> None:
    writing, reading, _ = PYTHON
    names: dict[str, Any] = {}
    exec(compile(writing, "docs/catalog.md", "exec"), names)
    assert (names["summary"].files, names["files"].count_rows(), names["rows"]["tensors"].num_rows) == (6, 6, 2)
    exec(compile(reading, "docs/catalog.md", "exec"), names)
    assert sorted(names["in_duckdb"].fetchall(), key=str) == [("llama", 5), (None, 1)]
    assert len(names["in_pandas"]) == 6
    (line,) = re.findall(r'^duckdb -c "(.*)"$', PAGE, re.MULTILINE)
    query = line.replace("$(cat catalog/CURRENT)", Path("catalog/CURRENT").read_text().strip())
    assert sorted(duckdb.sql(query).fetchall(), key=str) == [("llama", 5), (None, 1)]


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
    exec(PYTHON[2], names)
    assert len(QUESTIONS) == 10
    for (question, query), answer in zip(QUESTIONS.items(), expected, strict=True):
        assert names["connection"].execute(query).fetchall() == answer, question
