"""generate.py: writing generated/, and checking that it is up to date."""

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path

import generate
import pytest
from compiler import ToolMissing
from skip import Unsupported

Run = Callable[..., tuple[int, str]]
compile_package = cache(generate.compile_package)
FILES = {"index.py": "a = 1\nb = 2\n", "go/gguf.go": "package gguf\n", "types.json": "[]\n"}


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


def contents(directory: Path) -> dict[str, str]:
    return {str(path.relative_to(directory)): path.read_text() for path in directory.rglob("*") if path.is_file()}


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Write a generated/ that is up to date, and replace the compiler."""
    monkeypatch.setattr(generate, "compile_package", compile_package)
    monkeypatch.setattr(generate, "generate", lambda out: write(out, FILES))
    monkeypatch.setattr(generate, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(generate, "PACKAGE", write(tmp_path / "javascript", compile_package()))
    return write(tmp_path / "generated", FILES)


@pytest.fixture
def run(committed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run generate.py; return its exit code and output."""

    def call(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["generate.py", *arguments])
        code = generate.main()
        printed = capsys.readouterr()
        return code, printed.out + printed.err

    return call


def test_check_shows_what_changed_and_writes_nothing(committed: Path, run: Run) -> None:
    write(committed, {"go/__pycache__/x.pyc": ""})
    assert run("--check") == (0, "generated/ is up to date with the schema\n")
    write(committed, {"index.py": "a = 1\nb = 7\n", "old.lua": "return nil\n"})
    (committed / "types.json").unlink()
    path = generate.PACKAGE / "types.js"
    path.write_text(path.read_text().replace('"GGUF"', '"GGML"'))
    before = contents(committed.parent)
    code, output = run("--check")
    assert code == 1
    assert [line for line in output.splitlines() if not line.startswith("    ")] == [
        "generated/index.py is not up to date with the schema",
        "generated/old.lua is not up to date with the schema",
        "generated/types.json is not up to date with the schema",
        "javascript/types.js is not up to date with the schema",
        "run `make generate`, and commit the result",
    ]
    for line in ("-b = 7", "+b = 2", "-return nil", "+[]", '-export const MAGIC = "GGML";'):
        assert f"    {line}\n" in output
    assert contents(committed.parent) == before


def test_without_check_everything_is_written_anew(committed: Path, run: Run) -> None:
    write(committed, {"index.py": "stale", "old.lua": "stale"})
    (generate.PACKAGE / "gguf_index.js").unlink()
    (generate.PACKAGE / "index.js").write_text("by hand")
    before = {name: (committed / name).stat().st_mtime_ns for name in FILES}
    assert run() == (0, "")
    assert contents(committed) == FILES
    assert contents(generate.PACKAGE) == compile_package() | {"index.js": "by hand"}
    assert [name for name in FILES if (committed / name).stat().st_mtime_ns != before[name]] == ["index.py"]
    shutil.rmtree(committed)
    assert [run("--check")[0], run()[0], run("--check")[0]] == [1, 0, 0]


@pytest.mark.parametrize(
    ("error", "arguments", "ci", "code", "message"),
    [
        (ToolMissing("java"), [], "", 1, "error: java"),
        (ToolMissing("java"), ["--check"], "", 0, "skipped: java"),
        (ToolMissing("java"), ["--check"], "true", 1, "error: java"),
        (Unsupported("/types/t/seq/x: repeat: eos"), ["--check"], "", 1, "does not support /types/t/seq/x: repeat"),
    ],
)
def test_nothing_is_written_after_an_error(
    run: Run, monkeypatch: pytest.MonkeyPatch, committed: Path, *, error: Exception, arguments: list[str], ci: str,
    code: int, message: str,
) -> None:  # fmt: skip
    def fail(out: Path) -> None:
        write(out, {"half": "done"})
        raise error

    monkeypatch.setattr(generate, "generate", fail)
    monkeypatch.setenv("CI", ci)
    exit_code, output = run(*arguments)
    assert exit_code == code
    assert message in output
    assert contents(committed) == FILES


def test_committed_files_are_up_to_date(tmp_path: Path) -> None:
    """These are the files that can be generated without the official compiler."""
    generate.compile_own(tmp_path, tmp_path / "python" / "kaitai_gguf_schema")
    made = contents(tmp_path)
    assert len(made) > 10
    assert {name: (generate.GENERATED / name).read_text() for name in made} == made
    assert {name: (generate.PACKAGE / name).read_text() for name in compile_package()} == compile_package()
