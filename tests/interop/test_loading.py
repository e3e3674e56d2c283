"""transformers and diffusers, unmodified, load a GGUF model with either reader.

torch takes gigabytes, so `make test` does not run this folder; `make test-interop` installs torch and does.
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
from support.tools import missing


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    packages = ["torch", "transformers", "accelerate", "sentencepiece", "diffusers"]
    if absent := [name for name in packages if find_spec(name) is None]:
        missing(absent)
    folder = tmp_path_factory.mktemp("llama")
    small_llama.write(folder / "model.gguf")
    return folder


def loaded(package: str, folder: Path) -> tuple[Any, Any]:
    """Return what a package loads with gguf-py's reader, and with ours."""
    theirs, ours = (_loaded(package, folder, runner) for runner in ([], ["-m", "kaitai_gguf.gguf_py"]))
    assert (theirs.pop("reader"), ours.pop("reader")) == ("gguf.gguf_reader", "kaitai_gguf.gguf_py.reader")
    return theirs, ours


def _loaded(package: str, folder: Path, runner: list[str]) -> Any:
    command = [sys.executable, *runner, str(Path(__file__).with_name("load.py")), package, str(folder), "model.gguf"]
    offline = os.environ | {"HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false", "OMP_NUM_THREADS": "1"}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=offline, timeout=500)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def test_transformers_has_the_same_config_tokenizer_and_tensors(folder: Path) -> None:
    theirs, ours = loaded("transformers", folder)
    assert ours == theirs
    assert ours["config"]["hidden_size"] == small_llama.WIDTH
    assert len(ours["vocabulary"]) >= len(small_llama.TOKENS)
    assert ours["ids"][0] == 1
    assert len(ours["ids"]) > 5
    assert len(ours["checkpoint"]) == 3 + 9 * small_llama.LAYERS
    assert set(ours["checkpoint"]) <= set(ours["weights"])


def test_diffusers_has_the_same_tensors(folder: Path) -> None:
    theirs, ours = loaded("diffusers", folder)
    assert ours == theirs
    assert len(ours["tensors"]) == 3 + 9 * small_llama.LAYERS
    assert set(ours["kinds"].values()) == {"None", "8", "2", "30"}
