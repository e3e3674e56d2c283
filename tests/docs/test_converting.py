"""docs/converting.md: every command and every block of code works, in order."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

import kaitai_gguf
from kaitai_gguf.cli import COMMANDS, main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "converting.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
LINES = [line for language, code in BLOCKS if not language for line in code.splitlines()]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model, and with a folder for its parts."""
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    (tmp_path / "parts").mkdir()
    monkeypatch.chdir(tmp_path)
    return tmp_path


def perform(line: str) -> str:
    program, *words = shlex.split(line)
    assert program == "kaitai-gguf"
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, (line, result.stderr)
    return result.stdout


def test_all_of_it_works(here: Path) -> None:
    names: dict[str, Any] = {}
    for language, code in BLOCKS:
        if language == "python":
            exec(compile(code, "docs/converting.md", "exec"), names)
        else:
            for line in code.splitlines():
                perform(line)
    assert names
    original = (here / "model.gguf").read_bytes()
    for name in ("merged", "big", "copy"):
        assert (here / f"{name}.gguf").read_bytes() == original, name
    assert len(list((here / "parts").iterdir())) == 3


def test_each_command_is_shown() -> None:
    shown = {shlex.split(line)[1] for line in LINES}
    assert shown == {"split", "merge", "convert-endian", "convert", "copy", "diff", "hash"}
    assert shown <= set(COMMANDS)


def test_each_function_is_there() -> None:
    assert set(re.findall(r"`kaitai_gguf\.(\w+)\(", TEXT)) <= set(kaitai_gguf.__all__)
    assert "convert" in re.findall(r"`kaitai_gguf\.(\w+)\(", TEXT)
