"""`kaitai-gguf catalog`: a catalog from the shell."""

import shutil
from pathlib import Path

import pytest
from support.commands import fails, output, run, strict_json
from support.gguf_bytes import Model

from cli.conftest import files
from kaitai_gguf.catalog import table


@pytest.fixture
def models(sample: Path, tmp_path: Path) -> Path:
    folder = tmp_path / "models"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(sample, folder / "deep" / "sample.gguf")
    (folder / "empty.gguf").write_bytes(Model().build())
    return folder


def test_a_folder(models: Path, tmp_path: Path) -> None:
    words = ["catalog", models, "--output", tmp_path / "out"]
    assert output(*words) == "2 files, 452 KiB\n"
    sources = table(tmp_path / "out", "files").to_table()["source"].to_pylist()
    assert sources == [str(models / "empty.gguf"), str(models / "deep" / "sample.gguf")]
    assert output(*words) == "2 files, 452 KiB, 2 unchanged\n"
    assert output(*words, "--refresh", "--check", "--threads", "2") == "2 files, 452 KiB\n"
    assert table(tmp_path / "out", "findings").to_table().num_rows > 0
    (models / "broken.gguf").write_bytes(b"GGUF")
    result = run(*words)
    assert (result.exit_code, result.stdout) == (1, "3 files, 452 KiB, 2 unchanged, 1 error\n")


def test_a_list_and_json(models: Path, tmp_path: Path) -> None:
    sources = f"{models}/*.gguf\n{models}/deep\n"
    (tmp_path / "list.txt").write_text(sources)
    document = strict_json(output("catalog", f"@{tmp_path}/list.txt", "-o", tmp_path / "out", "--json"))
    nbytes = sum(path.stat().st_size for path in models.rglob("*.gguf"))
    assert document == {"files": 2, "nbytes": nbytes, "errors": 0, "reused": 0, "output": str(tmp_path / "out")}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ([], "specify --output DIR"),
        (["--output", "models"], "has other files, such as 'deep'"),
        (["--output", "out", "--scheduler", "nonsense://x"], "does not answer"),
        (["--output", "out", "--storage-option", "x"], "expected NAME=VALUE, not 'x'"),
        (["--output", "out", "--storage-option", "sas_token=x"], "secrets are read from the"),
    ],
)
def test_refusals(options: list[str], words: str, models: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(models.parent)
    fails(words, "catalog", models, *options)
    assert files(models.parent) == ["models"]
