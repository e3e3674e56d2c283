"""transformers loads a GGUF model without a change to its code, with either reader.

torch takes gigabytes: `make test-interop` installs it and runs this folder, `make test` does not.
"""

import json
import os
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import pytest
from interop import small_llama

PROGRAM = Path(__file__).parent / "load_with_transformers.py"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    for name in ("torch", "transformers", "accelerate", "sentencepiece"):
        if find_spec(name) is None:
            assert os.environ.get("CI") != "true", f"{name} is not installed"
            pytest.skip(f"{name} is not installed")
    folder = tmp_path_factory.mktemp("llama")
    small_llama.write(folder / "model.gguf")
    return folder


def loaded(folder: Path, *runner: str) -> Any:
    command = [sys.executable, *runner, str(PROGRAM), str(folder), "model.gguf"]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=offline, timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_config_tokenizer_and_tensors_are_the_same(folder: Path) -> None:
    theirs = loaded(folder)
    ours = loaded(folder, "-m", "kaitai_gguf.gguf_py")
    assert (theirs.pop("reader"), ours.pop("reader")) == ("gguf.gguf_reader", "kaitai_gguf.gguf_py.reader")
    assert ours == theirs
    assert ours["config"]["hidden_size"] == small_llama.WIDTH
    assert len(ours["vocabulary"]) >= len(small_llama.TOKENS)
    assert ours["ids"][0] == 1
    assert len(ours["ids"]) > 5
    assert len(ours["checkpoint"]) == 3 + 9 * small_llama.LAYERS
    assert set(ours["checkpoint"]) <= set(ours["weights"])
