"""docs/writing.md: every block of code and every command, from the first to the last."""

import re
import shlex
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import kaitai_gguf
from kaitai_gguf.cli import main

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "writing.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w*)\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)


def test_all_of_it_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    (tmp_path / "template.jinja").write_text("{{ messages[0] }}")
    monkeypatch.chdir(tmp_path)
    names: dict[str, Any] = {}
    for language, code in BLOCKS:
        if language == "python":
            exec(compile(code, "docs/writing.md", "exec"), names)
            continue
        for line in code.splitlines():
            program, *words = shlex.split(line)
            assert program == "kaitai-gguf"
            result = CliRunner().invoke(main, words)
            assert (result.exit_code, result.stderr) == (0, ""), line
            assert result.stdout, line
    with kaitai_gguf.open("new.gguf") as model:
        types = {key: model.metadata.entry(key) for key in model.metadata}
        shown = [(e.element_type if e.element_type is not None else e.value_type).name for e in types.values()]
        assert shown == ["STRING", "UINT32", "UINT8", "INT8", "INT32", "STRING", "STRING"]
        found = {name: (str(tensor.type), tensor.shape) for name, tensor in model.tensors.items()}
        assert found == {
            "token_embd.weight": ("F32", (8, 256)),
            "output.weight": ("Q8_0", (8, 256)),
            "rope_freqs.weight": ("F32", (16,)),
            "lm_head.weight": ("F32", (8, 256)),
        }
        assert np.allclose(model.tensors["lm_head.weight"], 1)
        assert not model.tensors["output.weight"].dequantize().any()
    with kaitai_gguf.open("streamed.gguf") as model:
        assert np.allclose(model.tensors["e"].dequantize(), 1, atol=1e-2)
    with kaitai_gguf.open("model.gguf") as model:
        assert model.metadata["tokenizer.chat_template"] == "{{ messages[0] }}"
        assert "output.weight" in model.tensors


def test_each_name_is_there() -> None:
    named = set(re.findall(r"`?kaitai_gguf\.(\w+)\(", TEXT))
    assert len(named) > 2
    assert named <= set(kaitai_gguf.__all__)
