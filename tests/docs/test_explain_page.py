"""What docs/explain.md shows is what comes out."""

import re
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import output

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "explain.md").read_text()
EXAMPLES = re.findall(r"```\n\$ kaitai-gguf (.*)\n((?:.*\n)*?)```", TEXT)


def test_there_are_examples() -> None:
    assert len(EXAMPLES) == 2


@pytest.mark.parametrize(("command", "shown"), EXAMPLES, ids=[command for command, _ in EXAMPLES])
def test_lines_shown_are_lines_that_come_out(command: str, shown: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    found = [line.split() for line in output(*command.split()).splitlines()]
    lines = [line.split() for line in shown.splitlines() if line != "…"]
    assert len(lines) > 3
    places = [found.index(line) for line in lines]
    assert places == sorted(places)


def test_the_program_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    (program,) = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    done = subprocess.run([sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[1].endswith("/tensors/0/name/data bytes token_embd.weight")


@pytest.mark.parametrize("page", ["explain.md", "safety.md"])
def test_files_named_are_there(page: str) -> None:
    text = (ROOT / "docs" / page).read_text()
    named = [ROOT / name for name in re.findall(r"`((?:tests|docs|schema)/[\w./]+)`", text)]
    named += [ROOT / "docs" / name for name in re.findall(r"\]\((\.\./[\w./]+)\)", text)]
    assert named
    assert [path for path in named if not path.exists()] == []
