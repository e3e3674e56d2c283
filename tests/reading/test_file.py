"""Opening paths, bytes and file objects; closing, and what stays valid afterwards."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import (
    ClosedError,
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    GGUFFile,
    TruncatedError,
)
from kaitai_gguf.reading.opening import model_of

MODEL = Model([("general.name", "string", "m")], [TensorSpec("t", (3,), 0, 0)], np.arange(3, dtype="<f4").tobytes())
DATA = MODEL.build()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(DATA)
    return file


def check(model: GGUFFile) -> None:
    assert model.metadata["general.name"] == "m"
    assert model.tensors["t"].data.tolist() == [0, 1, 2]


# What can be opened


@pytest.mark.parametrize("mmap", [True, False])
def test_paths(path: Path, mmap: bool) -> None:
    for source in (path, str(path)):
        with kaitai_gguf.open(source, mmap=mmap) as model:
            check(model)
            assert (model.name, model.nbytes) == (str(path), path.stat().st_size)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint16)])
def test_objects_with_bytes(kind: Any) -> None:
    model = kaitai_gguf.open(kind(DATA + b"\0" * (len(DATA) % 2)))
    check(model)
    data = model.tensors["t"].data
    assert not data.flags.writeable
    assert np.shares_memory(data, np.frombuffer(model.buffer, np.uint8))


def test_file_objects_are_read_from_their_start_and_left_where_they_were(path: Path) -> None:
    with path.open("rb") as file:
        for each in (file, io.BytesIO(DATA)):
            each.seek(5)
            check(kaitai_gguf.open(each))
            assert each.tell() == 5


def test_a_model_of_anything(path: Path) -> None:
    for source in (path, DATA, io.BytesIO(DATA)):
        with model_of(source) as model:
            check(model)
        assert model.closed
    with kaitai_gguf.open(path) as model:
        with model_of(model) as same:
            assert same is model
        assert not model.closed


@dataclass
class PathOf:
    """A path-like object, as other libraries define them."""

    path: str | bytes

    def __fspath__(self) -> str | bytes:
        return self.path


OPENERS: list[Callable[[Any], object]] = [
    kaitai_gguf.open,
    lambda path: kaitai_gguf.open([path]),
    kaitai_gguf.check,
    lambda path: list(kaitai_gguf.explain(path)),
    kaitai_gguf.edit,
]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("name", ["model-00001-of-00001.gguf", "\udcff.gguf"], ids=ascii)
def test_a_path_of_bytes(name: str, opener: Callable[[Any], object], tmp_path: Path) -> None:
    path = str(tmp_path / name)
    Path(path).write_bytes(Model().build())
    for given in (PathOf(path), PathOf(os.fsencode(path))):
        assert opener(given) is not None
    assert kaitai_gguf.open(PathOf(os.fsencode(path))).name == path


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("path", ["a\0b", "a\0b*", "a\0b-00001-of-00003.gguf", "a\ud800b"], ids=ascii)
def test_a_path_that_no_file_can_have(path: str, opener: Callable[[Any], object]) -> None:
    with pytest.raises(FileError, match=r"null|surrogates not allowed"):
        opener(path)


# What can't


def test_paths_that_are_not_files(tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").touch()
    with pytest.raises(FileMissingError, match="no such file") as caught:
        kaitai_gguf.open(tmp_path / "none.gguf")
    assert caught.value.filename == str(tmp_path / "none.gguf")
    with pytest.raises(FileIsDirectoryError, match="is a directory"):
        kaitai_gguf.open(tmp_path)
    for mmap in (True, False):
        with pytest.raises(TruncatedError, match="the file is empty"):
            kaitai_gguf.open(tmp_path / "empty.gguf", mmap=mmap)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_fifo_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "fifo")
    with pytest.raises(FileError, match="not a regular file"):
        kaitai_gguf.open(tmp_path / "fifo")


def test_a_file_that_may_not_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr("builtins.open", refuse)
    with pytest.raises(FileAccessError, match="no permission to read the file"):
        kaitai_gguf.open(path)


@pytest.mark.parametrize(
    "source", [None, 3, {"model.gguf"}, [b"model.gguf"], io.StringIO("text"), memoryview(b"abcd")[::2]]
)
def test_other_objects_are_type_errors(source: Any) -> None:
    with pytest.raises(TypeError, match="expected"):
        kaitai_gguf.open(source)


def test_a_file_object_that_cannot_seek() -> None:
    read, write = os.pipe()
    os.close(write)
    with os.fdopen(read, "rb") as pipe, pytest.raises(FileError, match="can't be read from its start"):
        kaitai_gguf.open(pipe)


# Facts of the file


@pytest.mark.parametrize("alignment", [1, 4, 8, 64, 4096])
def test_facts(alignment: int) -> None:
    metadata: Any = [("general.alignment", "uint32", alignment)]
    model = kaitai_gguf.open(Model(metadata, [TensorSpec("t", (3,), 24, 0)], b"abc", 2, "little", alignment).build())
    assert (model.version, model.byte_order, model.alignment) == (2, "little", alignment)
    assert model.header_nbytes == 24 + 8 + 17 + 4 + 4 + 8 + 1 + 4 + 8 + 4 + 8
    assert model.data_offset == -(-model.header_nbytes // alignment) * alignment
    assert model.tensors["t"].data.tobytes() == b"abc"
    big = kaitai_gguf.open(Model(byte_order="big").build())
    assert (big.version, big.byte_order, big.data_offset) == (3, "big", 32)


@pytest.mark.parametrize("name", ["v1", "tiny-be", "nested-arrays", "split5-00001-of-00003"])
def test_the_object_of_the_official_compiler(name: str) -> None:
    models = Path(__file__).parents[1] / "data" / "models"
    with kaitai_gguf.open(models / f"{name}.gguf") as model:
        body = model.kaitai().body
        assert [key_value.key.data.decode() for key_value in body.metadata] == list(model.metadata)
        assert [info.name.data.decode() for info in body.tensors] == list(model.shards[0].tensors)
        assert body.version == model.version


# Closing


def test_a_closed_file_is_named(path: Path) -> None:
    model = kaitai_gguf.open(path)
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, 1 keys, 1 tensors>"
    metadata, tensors, tensor = model.metadata, model.tensors, model.tensors["t"]
    data = tensor.data
    assert metadata["general.name"]
    model.close()
    model.close()
    path.unlink()
    assert data.tolist() == [0, 1, 2], "views outlive the file"
    assert model.closed
    for access in (
        lambda: model.metadata,
        lambda: model.tensors,
        lambda: model.source,
        lambda: metadata["general.name"],
        lambda: metadata.entry("general.name"),
        lambda: list(metadata),
        lambda: tensors["t"],
        lambda: list(tensors),
        lambda: tensor.data,
        model.__enter__,
    ):
        with pytest.raises(ClosedError) as caught:
            access()
        assert str(caught.value) == f"{path}: the file is closed"
    assert tensor.shape == (3,)
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, closed>"
    assert repr(metadata) == "<Metadata of 1 keys: closed>"
    with kaitai_gguf.open(DATA) as unnamed:
        pass
    with pytest.raises(ClosedError, match=r"^the file is closed$"):
        _ = unnamed.tensors
