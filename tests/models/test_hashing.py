"""Hashes of tensors and files."""

import hashlib
import json
import sys
from pathlib import Path

import pytest
import xxhash
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import MissingDataError, MissingPackageError, UnknownTypeError, digest

MODELS = Path(__file__).parents[1] / "data" / "models"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


@pytest.mark.parametrize("path", [path for path in MODELS.glob("*.gguf") if path not in SPLIT], ids=lambda p: p.stem)
def test_sha256_is_what_the_writer_recorded(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    result = digest(path)
    assert list(result.tensors.items()) == [(row["name"], row["sha256"]) for row in expected["tensors"]]
    assert result.files == (hashlib.sha256(path.read_bytes()).hexdigest(),)


@pytest.mark.parametrize("threads", [None, 1, 5])
def test_xxh3_has_64_bits_whatever_the_number_of_threads(threads: int | None) -> None:
    with kaitai_gguf.open(MODELS / "many-tensors.gguf") as model:
        told: list[int] = []
        result = digest(model, "xxh3", threads=threads, progress=told.append)
        assert result.files == (xxhash.xxh3_64_hexdigest(model.buffer),)
        tensors = model.tensors.items()
        assert list(result.tensors.items()) == [(name, xxhash.xxh3_64_hexdigest(each.data)) for name, each in tensors]
        assert sum(told) == model.nbytes + sum(tensor.nbytes or 0 for _, tensor in tensors)


def test_each_shard_has_a_hash() -> None:
    result = digest(SPLIT[2])
    assert result.files == tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in SPLIT)
    assert result.tensors == digest(MODELS / "split-source.gguf").tensors


def test_data_that_is_not_available() -> None:
    for type_id, error in ((77, UnknownTypeError), (0, MissingDataError)):
        model = kaitai_gguf.open(Model(tensors=[TensorSpec("it", (32,), type_id, 0)]).build())
        with pytest.raises(error, match="tensor 'it'"):
            digest(model)
        assert digest(model, tensors=False).tensors == {}


def test_algorithms_that_are_not_available(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xxhash", None)
    with pytest.raises(MissingPackageError, match=r"pip install .kaitai-gguf\[hash\]."):
        digest(MODELS / "v1.gguf", "xxh3")
    with pytest.raises(ValueError, match="algorithm must be one of sha256, xxh3, not 'md5'"):
        digest(MODELS / "v1.gguf", "md5")
    assert digest(MODELS / "v1.gguf").algorithm == "sha256"
