"""docs/interop.md: every block of code does what it says, as far as the packages that it wants are there."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from kaitai_gguf.cli import main

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"^```(\w*)\n(.*?)^```$", (ROOT / "docs" / "interop.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)
START = next(code for language, code in BLOCKS if language == "python")
COMMANDS = [line for language, code in BLOCKS if not language for line in code.splitlines()]
EXAMPLES = [code for language, code in BLOCKS if language == "python" and code != START]


def packages(code: str) -> set[str]:
    return set(re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE))


def label(code: str) -> str:
    return code.strip().splitlines()[0]


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a model."""
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def perform(command: str) -> None:
    program, *words = shlex.split(command)
    assert program == "kaitai-gguf"
    result = CliRunner().invoke(main, words)
    assert result.exit_code == 0, result.stderr


def test_there_is_something_to_run() -> None:
    assert (len(EXAMPLES) >= 9, len(COMMANDS)) == (True, 4)
    assert {"torch", "jax", "safetensors"} <= set().union(*map(packages, EXAMPLES))


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.usefixtures("here")
def test_a_command(command: str) -> None:
    perform(command)


@pytest.mark.parametrize("code", EXAMPLES, ids=label)
def test_an_example(code: str, here: Path) -> None:
    for package in packages(code):
        pytest.importorskip(package)
    for command in COMMANDS:
        if any(name in code for name in re.findall(r"--output ([\w.]+)", command)):
            perform(command)
    names: dict[str, Any] = {}
    exec(compile(START, "docs/interop.md", "exec"), names)
    exec(compile(code, "docs/interop.md", "exec"), names)
    names["model"].close()
