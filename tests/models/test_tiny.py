"""Tiny models: complete, valid, and accepted by llama.cpp."""

import io
import re
import tarfile
from pathlib import Path

import numpy as np
import pytest
from rules.oracles import LLAMA_CPP, llama_cpp_loads

import kaitai_gguf
from kaitai_gguf.models.tiny import ARCHITECTURES, tiny_model

HEADERS = Path(__file__).parents[1] / "data" / "llama-cpp-headers.tar.xz"


@pytest.fixture(scope="module")
def references() -> dict[str, dict[str, int]]:
    """Return the tensors of the models of llama.cpp's own test, by architecture: name → number of dims."""
    tensors: dict[str, dict[str, int]] = {}
    with tarfile.open(HEADERS) as archive:
        for member in filter(tarfile.TarInfo.isfile, archive):
            with kaitai_gguf.open(archive.extractfile(member).read()) as model:  # type: ignore[union-attr]
                own = tensors.setdefault(str(model.metadata["general.architecture"]), {})
                own |= {re.sub("[0-9]+", "N", name, count=1): len(each.dims) for name, each in model.tensors.items()}
    return tensors


@pytest.mark.parametrize("architecture", ARCHITECTURES)
def test_a_model_is_valid(architecture: str, references: dict[str, dict[str, int]]) -> None:
    file = io.BytesIO()
    kaitai_gguf.write(file, *tiny_model(architecture, 3))
    findings = kaitai_gguf.check(file.getbuffer())
    assert {str(each.severity) for each in findings} <= {"note"}, findings
    with kaitai_gguf.open(file.getbuffer()) as model:
        assert {kaitai_gguf.tensor_role(name).block for name in model.tensors} == {None, 0, 1, 2}
        assert all(np.isfinite(tensor.dequantize()).all() for tensor in model.tensors.values())
        dims = {re.sub("[0-9]+", "N", name, count=1): len(each.dims) for name, each in model.tensors.items()}
    assert dims.items() <= references[architecture].items()


def test_equal_seeds_give_equal_models() -> None:
    one, same, other = (tiny_model("llama", 1, seed)[1] for seed in (1, 1, 2))
    assert all(np.array_equal(one[name], same[name]) for name in one)
    assert not any(np.array_equal(one[name], other[name]) for name in one)


@pytest.mark.skipif(LLAMA_CPP is None, reason="needs llama-cpp-python")
def test_llama_cpp_loads_them(tmp_path: Path) -> None:
    paths = [tmp_path / f"{name}.gguf" for name in ARCHITECTURES]
    for path in paths:
        kaitai_gguf.write(path, *tiny_model(path.stem, 2))
    loads = dict(zip(ARCHITECTURES, llama_cpp_loads(paths), strict=True))
    assert [name for name, is_loaded in loads.items() if not is_loaded] == []
