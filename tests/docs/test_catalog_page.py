"""docs/catalog.md: its tables match the code, and every query works in DuckDB."""

import re
import shutil
from pathlib import Path
from typing import Any

import duckdb
import pytest
from support.gguf_bytes import Model, TensorSpec

from kaitai_gguf.catalog import SCHEMA_VERSION, rows, scan, table
from kaitai_gguf.catalog.page import with_tables

PAGE = (Path(__file__).parents[2] / "docs" / "catalog.md").read_text("utf-8")
PYTHON = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
QUESTIONS = dict(re.findall(r"^([A-Z][^\n]*\?)\n\n```sql\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE))

Q4_K, Q8_0, REMOVED = 12, 8, 4


def model(name: str, type_id: int = Q4_K, template: str = "a", **metadata: str) -> bytes:
    texts = {"general.name": name, "general.size_label": "1B", "tokenizer.ggml.model": "gpt2"} | metadata
    texts |= {"general.architecture": "llama", "tokenizer.chat_template": template}
    tensors = [TensorSpec("token_embd.weight", (256, 3), type_id, 0), TensorSpec("output.weight", (256,), 0, 1024)]
    file_type = ("general.file_type", "uint32", 15)
    return Model([*((key, "string", text) for key, text in texts.items()), file_type], tensors, bytes(2048)).build()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("catalog")
    models = folder / "models"
    models.mkdir()
    (models / "a.gguf").write_bytes(model("A", **{"general.license": "mit"}))
    shutil.copy(models / "a.gguf", models / "copy.gguf")
    (models / "false.gguf").write_bytes(model("False", Q8_0, "b"))
    (models / "unknown.gguf").write_bytes(model("Unknown", REMOVED, **{"tokenizer.ggml.pre": "x"}))
    (models / "cut.gguf").write_bytes(model("Cut", **{"tokenizer.ggml.pre": "y"})[:-1500])
    (models / "page.gguf").write_bytes(b"<html>")
    scan(models, folder / "catalog")
    return folder


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(folder)
    return folder / "models"


def answer(question: str) -> list[tuple[Any, ...]]:
    names: dict[str, Any] = {}
    exec(PYTHON[2], names)
    found: list[tuple[Any, ...]] = names["connection"].execute(QUESTIONS[question]).fetchall()
    return found


def test_there_are_ten_questions() -> None:
    assert (len(QUESTIONS), len(PYTHON)) == (10, 3)


def test_the_tables_are_those_of_the_code() -> None:
    assert with_tables(PAGE) == PAGE
    assert f"Version {SCHEMA_VERSION} of the schema" in PAGE


def test_the_numbers() -> None:
    assert f"{rows.MAX_HEADER_NBYTES >> 20} MiB" in PAGE
    assert f"{rows.MAX_ITEMS:,} key-values" in PAGE


@pytest.mark.parametrize("number", range(2))
def test_an_example_in_python(number: int, there: Path) -> None:
    names: dict[str, Any] = {}
    exec(compile(PYTHON[number], "docs/catalog.md", "exec"), names)
    if number == 0:
        assert (names["summary"].files, names["files"].count_rows(), names["rows"]["tensors"].num_rows) == (6, 6, 2)
    else:
        assert sorted(names["in_duckdb"].fetchall(), key=str) == [("llama", 5), (None, 1)]
        assert len(names["in_pandas"]) == 6


def test_the_line_for_a_shell(there: Path) -> None:
    (line,) = re.findall(r'^duckdb -c "(.*)"$', PAGE, re.MULTILINE)
    query = line.replace("$(cat catalog/CURRENT)", Path("catalog/CURRENT").read_text().strip())
    assert sorted(duckdb.sql(query).fetchall(), key=str) == [("llama", 5), (None, 1)]


def test_answers(there: Path) -> None:
    paths = {path.stem: str(path) for path in there.iterdir()}
    same = [paths[name] for name in ("a", "copy", "false")]
    rows = {row["source"]: row for row in table("catalog", "files").to_table().to_pylist()}
    a = rows[paths["a"]]
    nbytes = sum(row["nbytes"] for row in rows.values() if row["error"] is None)
    expected: list[list[tuple[Any, ...]]] = [
        [("llama", "1B", 5, nbytes)],
        [(a["tokenizer_sha256"], 3, same)],
        [(paths["false"], "Q8_0"), (paths["unknown"], "Q4_2")],
        [(a["tokenizer_sha256"], 2)],
        [],
        [(a["metadata_sha256"], a["tensors_sha256"], same[:2])],
        [("none", 3), ("mit", 2)],
        [(paths["unknown"], REMOVED, 1)],
        [
            (paths["cut"], None, None, rows[paths["cut"]]["missing_nbytes"]),
            (paths["page"], "NotGGUFError", rows[paths["page"]]["error"], None),
        ],
        [("F32", 5 * 1024, 5), ("Q4_K", 3 * 432, 3), ("Q8_0", 816, 1), ("Q4_2", 0, 1)],
    ]
    embedding = answer(list(QUESTIONS)[4])
    assert [(file, round(share, 6)) for file, share in embedding] == [
        (paths["false"], round(816 / 1840, 6)),
        *((paths[name], round(432 / 1456, 6)) for name in ("a", "copy", "cut")),
    ]
    expected[4] = embedding
    for question, rows_ in zip(QUESTIONS, expected, strict=True):
        assert answer(question) == rows_, question
