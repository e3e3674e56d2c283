"""docs/tour.md: each command in the table works, and no command is missing."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from support.commands import SERVERS, run

from kaitai_gguf.cli import COMMANDS

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "tour.md").read_text("utf-8")
LINES = re.findall(r"^\| `kaitai-gguf (.*?)` \|", PAGE, re.MULTILINE)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with two equal models, and another copy in the folder `models`."""
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "other.gguf")
    (tmp_path / "models").mkdir()
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "models")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.parametrize("line", [line for line in LINES if line.split()[0] not in SERVERS])
def test_a_command(line: str) -> None:
    command, *words = shlex.split(line)
    result = run(command, *words)
    assert result.exit_code == 0, result.stderr


def test_every_command_is_named() -> None:
    assert set(COMMANDS) == {line.split()[0] for line in LINES} | set(re.findall(r"`([a-z-]+)`", PAGE)) & set(COMMANDS)
