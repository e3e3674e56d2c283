"""Hashes of tensors and files."""

import hashlib
import json
import sys
import threading
from pathlib import Path

import pytest
import xxhash
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import MissingDataError, MissingPackageError, UnknownTypeError, digest

MODELS = Path(__file__).parents[1] / "data" / "models"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


@pytest.mark.parametrize("path", [path for path in MODELS.glob("*.gguf") if path not in SPLIT], ids=lambda p: p.stem)
def test_sha256_is_what_the_writer_says(path: Path) -> None:
    expected = json.loads(path.with_suffix(".expected.json").read_text())
    with kaitai_gguf.open(path) as model:
        found = digest(model)
    assert found.tensors == {row["name"]: row["sha256"] for row in expected["tensors"]}
    assert found.files == (hashlib.sha256(path.read_bytes()).hexdigest(),)


def test_xxh3_is_that_of_64_bits() -> None:
    path = MODELS / "tiny-allquants.gguf"
    with kaitai_gguf.open(path) as model:
        found = digest(model, "xxh3")
        assert found.files == (xxhash.xxh3_64_hexdigest(path.read_bytes()),)
        for name, tensor in model.tensors.items():
            assert found.tensors[name] == xxhash.xxh3_64_hexdigest(tensor.data.tobytes())


def test_shards_have_a_hash_each() -> None:
    with kaitai_gguf.open(SPLIT[2]) as model, kaitai_gguf.open(MODELS / "split-source.gguf") as whole:
        found = digest(model)
        assert found.files == tuple(hashlib.sha256(path.read_bytes()).hexdigest() for path in SPLIT)
        assert found.tensors == digest(whole).tensors


@pytest.mark.parametrize(("algorithm", "threads"), [("sha256", 1), ("xxh3", 5)])
def test_threads_change_nothing(algorithm: str, threads: int) -> None:
    with kaitai_gguf.open(MODELS / "many-tensors.gguf") as model:
        found = digest(model, algorithm, threads=threads)
        assert found == digest(model, algorithm)
        assert list(found.tensors) == list(model.tensors)


def test_progress_is_told() -> None:
    told, lock = [0], threading.Lock()

    def advance(nbytes: int) -> None:
        with lock:
            told[0] += nbytes

    with kaitai_gguf.open(MODELS / "v2.gguf") as model:
        digest(model, progress=advance)
        assert told[0] == model.nbytes + sum(tensor.nbytes for tensor in model.tensors.values())


def test_tensors_that_cannot_be_had() -> None:
    for type_id, error in ((77, UnknownTypeError), (0, MissingDataError)):
        model = kaitai_gguf.open(Model(tensors=[TensorSpec("it", (32,), type_id, 0)]).build())
        with pytest.raises(error, match="tensor 'it'"):
            digest(model)
        assert digest(model, tensors=False).tensors == {}


def test_without_the_package(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "xxhash", None)
    with kaitai_gguf.open(MODELS / "v1.gguf") as model:
        with pytest.raises(MissingPackageError, match=r"pip install 'kaitai-gguf\[hash\]'"):
            digest(model, "xxh3")
        assert digest(model).algorithm == "sha256"


def test_another_algorithm() -> None:
    with (
        kaitai_gguf.open(MODELS / "v1.gguf") as model,
        pytest.raises(ValueError, match="algorithm must be one of sha256, xxh3, not 'md5'"),
    ):
        digest(model, "md5")
