"""Copies and pickles of models and their parts contain the path, never the bytes."""

import copy
import multiprocessing
import os
import pickle
import pickletools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kaitai_gguf
from kaitai_gguf import ClosedError, FileError, GGUFFile, Tensor
from kaitai_gguf.reading.handle import source_of

SAMPLE = Path(__file__).parents[2] / "examples/sample.gguf"
COPIES = [copy.copy, copy.deepcopy, lambda each: pickle.loads(pickle.dumps(each))]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(SAMPLE.read_bytes())
    return path


def total(tensor: Tensor) -> float:
    return float(tensor.dequantize().sum())


def keys(model: GGUFFile) -> list[str]:
    return list(model.metadata)


def parts(model: GGUFFile) -> list[Any]:
    return [model, model.tensors, model.metadata, model.tensors["output.weight"]]


@pytest.mark.parametrize("copied", COPIES, ids=["copy", "deepcopy", "pickle"])
@pytest.mark.parametrize("mmap", [True, False])
def test_a_copy_is_the_file_opened_again(path: Path, copied: Callable[[Any], Any], mmap: bool) -> None:
    with kaitai_gguf.open(path, mmap=mmap) as model:
        again: GGUFFile = copied(model)
        expected = total(model.tensors["output.weight"])
        assert model.metadata.to_dict() == again.metadata.to_dict()
        assert isinstance(source_of(again).buffer, bytes) is not mmap
    with again:
        assert total(again.tensors["output.weight"]) == expected
    assert again.closed


def test_tensors_of_a_file_share_one_map(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        copies = [copied(tensor) for copied in COPIES[1:] for tensor in model.tensors.values()]
        tensors, metadata = copy.deepcopy(model.tensors), copy.deepcopy(model.metadata)
        expected = {name: total(tensor) for name, tensor in model.tensors.items()}
    assert {tensor.name: total(tensor) for tensor in copies} == expected
    assert len({id(each._handle) for each in (*copies, tensors, metadata)}) == 1
    assert list(tensors) == list(expected)


def test_only_the_absolute_path_is_pickled(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(path.parent)
    with kaitai_gguf.open(path.name) as model:
        pickled = [pickle.dumps(each) for each in parts(model)]
    for data in pickled:
        assert len(data) < 1000
        assert str(path) in [argument for _, argument, _ in pickletools.genops(data)]


def test_shards_and_processes(tmp_path: Path) -> None:
    with kaitai_gguf.open(SAMPLE) as sample:
        kaitai_gguf.split(sample, tmp_path / "s", max_tensors=5)
    with kaitai_gguf.open(tmp_path / "s-00002-of-00003.gguf") as model:
        expected = [total(each) for each in model.tensors.values()]
        again = pickle.loads(pickle.dumps(model))
        assert [total(each) for each in again.tensors.values()] == expected
        assert list(pickle.loads(pickle.dumps(model.tensors))) == list(model.tensors)
        for method in ("fork", "spawn"):
            with multiprocessing.get_context(method).Pool(2) as pool:
                assert pool.map(total, model.tensors.values()) == expected
                assert pool.map(keys, [model]) == [keys(model)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda path: path.write_bytes(path.read_bytes() + b"\0"), "has changed since the model"),
        (lambda path: os.utime(path, ns=(0, 0)), "has changed since the model"),
        (Path.unlink, "no such file"),
    ],
)
def test_a_file_that_changed(path: Path, change: Callable[[Path], object], message: str) -> None:
    with kaitai_gguf.open(path) as model:
        pickled = [pickle.dumps(each) for each in (model, model.tensors["output.weight"])]
    change(path)
    for data in pickled:
        with pytest.raises(FileError, match=message):
            pickle.loads(data)


def test_models_that_have_no_path_or_are_closed(path: Path) -> None:
    with path.open("rb") as file:
        for each in (*parts(kaitai_gguf.open(path.read_bytes())), kaitai_gguf.open(file)):
            with pytest.raises(TypeError, match="opened from bytes or a file object can't be copied or pickled"):
                pickle.dumps(each)
    with kaitai_gguf.open(path) as model:
        closed, tokens = parts(model), model.metadata["tokenizer.ggml.tokens"]
    for each in closed:
        with pytest.raises(ClosedError):
            pickle.dumps(each)
    with pytest.raises(TypeError, match=r"tolist\(\) returns a list"):
        pickle.dumps(tokens)
