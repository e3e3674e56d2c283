"""`kaitai-gguf catalog`: a catalog from the shell."""

import os
from pathlib import Path

import pytest
from support.commands import fails, output, process, run, strict_json, terminal
from support.gguf_bytes import Model

from cli.conftest import Save
from kaitai_gguf.catalog import table


@pytest.fixture
def models(sample: Path, tmp_path: Path, save: Save) -> Path:
    folder = tmp_path / "models"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "sample.gguf").write_bytes(sample.read_bytes())
    (folder / "empty.gguf").write_bytes(Model().build())
    return folder


def test_a_folder(models: Path, tmp_path: Path) -> None:
    assert output("catalog", models, "--output", tmp_path / "out") == "2 files, 452 KiB\n"
    sources = table(tmp_path / "out", "files").to_table()["source"].to_pylist()
    assert sources == [str(models / "empty.gguf"), str(models / "deep" / "sample.gguf")]
    assert output("catalog", models, "--output", tmp_path / "out") == "2 files, 452 KiB, 2 unchanged\n"
    assert output("catalog", models, "--output", tmp_path / "out", "--refresh") == "2 files, 452 KiB\n"


def test_a_list_and_json(models: Path, tmp_path: Path) -> None:
    (tmp_path / "list.txt").write_text(f"{models}/*.gguf\n{models}/deep\n")
    document = strict_json(output("catalog", f"@{tmp_path}/list.txt", "-o", tmp_path / "out", "--json"))
    nbytes = sum(path.stat().st_size for path in models.rglob("*.gguf"))
    assert document == {"files": 2, "nbytes": nbytes, "errors": 0, "reused": 0, "output": str(tmp_path / "out")}


def test_findings(models: Path, tmp_path: Path) -> None:
    output("catalog", models, "--output", tmp_path / "out", "--check", "--threads", "2")
    rows = table(tmp_path / "out", "findings").to_table().to_pylist()
    found = strict_json(run("check", models / "empty.gguf", "--json").stdout)
    assert [row["rule"] for row in rows if row["file"] == str(models / "empty.gguf")] == [
        each["rule"] for each in found["files"][0]["findings"]
    ]


def test_a_file_with_an_error_says_no(models: Path, tmp_path: Path) -> None:
    (models / "broken.gguf").write_bytes(b"GGUF")
    result = run("catalog", models, "--output", tmp_path / "out")
    assert (result.exit_code, result.stdout) == (1, "3 files, 452 KiB, 1 error\n")


def test_what_fails(models: Path, tmp_path: Path) -> None:
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "file").touch()
    for arguments, words in [
        ([models], "specify --output DIR"),
        (["--output", tmp_path / "out"], "Missing argument"),
        ([models, "--output", "-"], "specify a file name"),
        ([models, "--output", tmp_path / "full"], "has other files, such as 'file'"),
        ([models, "--output", models / "empty.gguf"], "empty.gguf: can't be read: Not a directory"),
        (["@missing", "--output", tmp_path / "out"], "missing: the list can't be read: no such file\n"),
        ([models, "--output", tmp_path / "out", "--scheduler", "nonsense://x"], "does not answer"),
    ]:
        fails(words, "catalog", *arguments)
    assert not (tmp_path / "out").exists()


@pytest.mark.skipif(not os.path.exists("/dev/stdin"), reason="the system has no /dev/stdin")
def test_a_list_from_a_pipe(models: Path, tmp_path: Path) -> None:
    result = process("catalog", "@/dev/stdin", "-o", tmp_path / "out", input=f"{models}\n".encode())
    assert (result.returncode, result.stdout) == (0, b"2 files, 452 KiB\n")


def test_a_terminal_gets_the_same_line(models: Path, tmp_path: Path) -> None:
    status, text = terminal("catalog", models, "--output", tmp_path / "out")
    assert (status, text.splitlines()[-1].endswith("2 files, 452 KiB")) == (0, True)
