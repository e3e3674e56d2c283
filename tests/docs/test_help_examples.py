"""Every example in `--help` works. The reference of the commands shows them, too."""

import re
import shutil
from pathlib import Path

import pytest
from docs.run_blocks import check_arguments, perform
from support.pages import ROOT

from kaitai_gguf.cli import COMMANDS, main

GIVEN = [
    "kaitai-gguf split model.gguf --max-tensors 5 --output model",
    "kaitai-gguf hash model.gguf --output model.json",
    "kaitai-gguf metadata model.gguf tokenizer.chat_template --output chat.jinja",
]


def examples(name: str) -> list[str]:
    command = main.get_command(None, name)  # type: ignore[arg-type]
    assert command is not None
    return re.findall(r"^ *(kaitai-gguf .*)$", command.help or "", re.MULTILINE)


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with the files that the examples name."""
    folder = tmp_path / "given"
    folder.mkdir()
    for name in ("model.gguf", "other.gguf"):
        shutil.copy(ROOT / "examples" / "sample.gguf", folder / name)
    (folder / "models.txt").write_text("model.gguf\n")
    (folder / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    monkeypatch.chdir(folder)
    for command in GIVEN:
        perform(command, "given")
    return folder


@pytest.mark.parametrize("name", COMMANDS)
def test_examples(name: str, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = examples(name)
    assert found
    for number, example in enumerate(found):
        check_arguments(example.partition(" | ")[0].split(), example)
        here = tmp_path / str(number)
        shutil.copytree(given, here)
        monkeypatch.chdir(here)
        perform(example.partition(" | ")[0], "--help")
