"""`kaitai-gguf completion`: what the tab key completes."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.commands import COMMAND, ENVIRONMENT, fails, output
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import Save
from kaitai_gguf.cli import main

LINES = {
    "met": ["metadata"],
    "tensor FILE out": ["output_norm.weight", "output.weight"],
    "tensors FILE --so": ["--sort"],
    "tensors FILE --sort si": ["size"],
    "copy FILE --tensors blk.0.ffn_g": ["blk.0.ffn_gate.weight"],
    "rename-tensor FILE blk.0.ffn_g": ["blk.0.ffn_gate.weight"],
    "metadata FILE llama.b": ["llama.block_count"],
    "unset FILE general.name general.a": ["general.architecture"],
    "rename-key FILE llama.b": ["llama.block_count"],
    "new tiny.gguf --arch gemma": ["gemma", "gemma2", "gemma3"],
    "set FILE llama.block": ["llama.block_count=", "llama.block_size="],
    "set FILE general.name = llama.b": [],
    "set FILE general.name = x llama.block_c": ["llama.block_count="],
    "set missing.gguf general.na": ["general.name="],
    "tensor missing.gguf b": [],
    "model.gguf b": [],
}
"""The words on a line, as bash splits them, and what may follow."""


def completed(*words: str) -> list[str]:
    line = {"COMP_WORDS": "\n".join(["kaitai-gguf", *words]), "COMP_CWORD": str(len(words))}
    environment = line | {"_KAITAI_GGUF_COMPLETE": "bash_complete"}
    lines = CliRunner().invoke(main, prog_name="kaitai-gguf", env=environment).output.split("\n")
    return [each.removeprefix("plain,") for each in lines if each]


@pytest.mark.parametrize("line", LINES)
def test_what_is_completed(line: str, sample: Path) -> None:
    assert completed(*line.replace("FILE", str(sample)).split()) == LINES[line]


def test_a_name_that_would_run_a_command_is_not_completed(save: Save) -> None:
    names = ["a$(id)", "a;id", "a`id`", "a b", "a\nb", "a*", "a'", "a.weight"]
    path = save(Model([], [TensorSpec(name, (8,), 24, 32 * i) for i, name in enumerate(names)], bytes(256)))
    assert completed("tensor", str(path), "") == ["a.weight"]


@pytest.mark.skipif(shutil.which("bash") is None or os.name == "nt", reason="needs bash")
def test_the_script_for_bash(sample: Path, tmp_path: Path) -> None:
    program = tmp_path / "kaitai-gguf"
    program.write_text(f'#!/bin/sh\nexec {COMMAND[0]} -m kaitai_gguf "$@"\n')
    program.chmod(0o755)
    code = """
eval "$(kaitai-gguf completion bash)"
compopt() { echo "$@"; }
COMP_WORDS=(kaitai-gguf set "$1" general.na) COMP_CWORD=3
_kaitai_gguf_completion kaitai-gguf
echo "${COMPREPLY[@]}"
"""
    environment = ENVIRONMENT | {"PATH": f"{tmp_path}{os.pathsep}{os.environ['PATH']}"}
    command = ["bash", "-c", code, "bash", str(sample)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60)
    assert done.stdout == "-o nospace\ngeneral.name=\n"


@pytest.mark.parametrize(("shell", "word"), [("zsh", "#compdef kaitai-gguf"), ("fish", "complete --no-files")])
def test_scripts_for_other_shells(shell: str, word: str) -> None:
    assert word in output("completion", shell)
    fails("is not one of 'bash', 'zsh', 'fish'", "completion", "csh")
