"""`kaitai-gguf completion`: what the tab key completes."""

from pathlib import Path

import pytest
from click.testing import CliRunner
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
