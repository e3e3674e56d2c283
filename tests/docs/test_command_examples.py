"""Every command of docs/tour.md and every example in `--help` works."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from docs.run_blocks import check_arguments, perform
from support.commands import SERVERS, run
from support.pages import ROOT, text_of

from kaitai_gguf.cli import COMMANDS, main

TOUR = re.findall(r"^\| `kaitai-gguf (.*?)` \|", text_of("tour.md"), re.MULTILINE)
GIVEN = [
    "kaitai-gguf split model.gguf --max-tensors 5 --output model",
    "kaitai-gguf hash model.gguf --output model.json",
    "kaitai-gguf metadata model.gguf tokenizer.chat_template --output chat.jinja",
]


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with equal models: model.gguf, other.gguf, and sample.gguf in the folder `models`."""
    folder = tmp_path / "given"
    (folder / "models").mkdir(parents=True)
    for name in ("model.gguf", "other.gguf", "models/sample.gguf"):
        shutil.copy(ROOT / "examples" / "sample.gguf", folder / name)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("line", [line for line in TOUR if line.split()[0] not in SERVERS])
def test_commands_of_the_tour(line: str, given: Path) -> None:
    result = run(*shlex.split(line))
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_help(name: str, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (given / "models.txt").write_text("model.gguf\n")
    (given / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    for command in GIVEN:
        perform(command, "given")
    lines = re.findall(r"^ *(kaitai-gguf .*)$", main.get_command(None, name).help, re.MULTILINE)  # type: ignore
    assert lines
    for number, line in enumerate(lines):
        example = line.partition(" | ")[0]
        check_arguments(example.split(), line)
        monkeypatch.chdir(shutil.copytree(given, tmp_path / str(number)))
        perform(example, "--help")
