"""Opening paths, bytes and file objects; closing, and what stays valid afterwards."""

import io
import os
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import (
    ClosedError,
    FileAccessError,
    FileError,
    FileIsDirectoryError,
    FileMissingError,
    FormatError,
    TruncatedError,
)
from kaitai_gguf.reading.opening import model_of

MODEL = Model([("general.name", "string", "m")], [TensorSpec("t", (3,), 0, 0)], np.arange(3, dtype="<f4").tobytes())


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(MODEL.build())
    return file


def check(model: kaitai_gguf.GGUFFile) -> None:
    assert model.metadata["general.name"] == "m"
    assert model.tensors["t"].data.tolist() == [0, 1, 2]


@pytest.mark.parametrize("mmap", [True, False])
def test_paths(path: Path, mmap: bool) -> None:
    for source in (path, str(path)):
        with kaitai_gguf.open(source, mmap=mmap) as model:
            check(model)
            assert model.name == str(path)
            assert model.nbytes == path.stat().st_size


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint16)])
def test_objects_with_bytes(kind: Any) -> None:
    data = MODEL.build()
    check(kaitai_gguf.open(kind(data + b"\0" * (len(data) % 2))))


def test_views_of_a_bytearray_are_read_only() -> None:
    model = kaitai_gguf.open(bytearray(MODEL.build()))
    assert not model.tensors["t"].data.flags.writeable


def test_file_objects_are_read_from_their_start_and_left_where_they_were(path: Path) -> None:
    with path.open("rb") as file:
        file.seek(5)
        check(kaitai_gguf.open(file))
        assert file.tell() == 5
    memory = io.BytesIO(MODEL.build())
    memory.seek(7)
    check(kaitai_gguf.open(memory))
    assert memory.tell() == 7


def test_facts_of_the_file() -> None:
    model = kaitai_gguf.open(Model([("general.alignment", "uint32", 64)], version=2, alignment=64).build())
    assert (model.version, model.byte_order, model.alignment) == (2, "little", 64)
    assert model.data_offset == 64
    assert model.header_nbytes == 24 + 8 + 17 + 4 + 4


def test_big_endian() -> None:
    model = kaitai_gguf.open(Model(byte_order="big").build())
    assert (model.version, model.byte_order, model.data_offset) == (3, "big", 32)


def test_views_outlive_the_file(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        data, blocks = model.tensors["t"].data, model.tensors["t"].blocks
    path.unlink()
    assert data.tolist() == [0, 1, 2]
    assert blocks["value"].tolist() == [0, 1, 2]


def test_an_error_names_the_file_that_was_closed(path: Path) -> None:
    model = kaitai_gguf.open(path)
    tensor = model.tensors["t"]
    model.close()
    for access in (model.__enter__, lambda: model.source, lambda: tensor.data):
        with pytest.raises(ClosedError) as caught:
            access()
        assert str(caught.value) == f"{path}: the file is closed"
    with kaitai_gguf.open(path.read_bytes()) as unnamed:
        pass
    with pytest.raises(ClosedError, match=r"^the file is closed$"):
        _ = unnamed.tensors


def test_a_closed_file_says_so(path: Path) -> None:
    model = kaitai_gguf.open(path)
    metadata, tensors, tensor = model.metadata, model.tensors, model.tensors["t"]
    assert metadata["general.name"]
    model.close()
    model.close()
    assert model.closed
    for access in (
        lambda: model.metadata,
        lambda: model.tensors,
        lambda: metadata["general.name"],
        lambda: metadata.entry("general.name"),
        lambda: list(metadata),
        lambda: tensors["t"],
        lambda: list(tensors),
        lambda: tensor.data,
        model.__enter__,
    ):
        with pytest.raises(ClosedError, match="the file is closed"):
            access()
    assert tensor.shape == (3,)


def test_no_file_stays_open(path: Path) -> None:
    before = len(os.listdir("/proc/self/fd")) if os.path.isdir("/proc/self/fd") else None
    model = kaitai_gguf.open(path)
    model.close()
    del model
    if before is not None:
        assert len(os.listdir("/proc/self/fd")) == before


def test_a_missing_file(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError, match="no such file") as caught:
        kaitai_gguf.open(tmp_path / "none.gguf")
    assert caught.value.filename == str(tmp_path / "none.gguf")


def test_a_directory(tmp_path: Path) -> None:
    with pytest.raises(FileIsDirectoryError, match="is a directory"):
        kaitai_gguf.open(tmp_path)


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


OPENERS: list[Callable[[Any], object]] = [
    kaitai_gguf.open,
    lambda path: kaitai_gguf.open([path]),
    kaitai_gguf.check,
    lambda path: list(kaitai_gguf.explain(path)),
    kaitai_gguf.edit,
]


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("path", ["a\0b", "a\0b*", "a\0b-00001-of-00003.gguf", "a\ud800b"], ids=ascii)
def test_a_path_that_no_file_can_have(path: str, opener: Callable[[Any], object]) -> None:
    with pytest.raises(FileError, match=r"null|surrogates not allowed"):
        opener(path)


@dataclass
class PathOf:
    """A path-like object, as other libraries define them."""

    path: str | bytes

    def __fspath__(self) -> str | bytes:
        return self.path


@pytest.mark.parametrize("opener", OPENERS)
@pytest.mark.parametrize("name", ["model.gguf", "model-00001-of-00001.gguf", "\udcff.gguf"], ids=ascii)
def test_a_path_of_bytes(name: str, opener: Callable[[Any], object], tmp_path: Path) -> None:
    path = str(tmp_path / name)
    Path(path).write_bytes(Model().build())
    for given in (PathOf(path), PathOf(os.fsencode(path))):
        assert opener(given) is not None
    assert kaitai_gguf.open(PathOf(os.fsencode(path))).name == path


@pytest.mark.parametrize("mmap", [True, False])
def test_an_empty_file(tmp_path: Path, mmap: bool) -> None:
    empty = tmp_path / "empty.gguf"
    empty.touch()
    with pytest.raises(TruncatedError, match="the file is empty"):
        kaitai_gguf.open(empty, mmap=mmap)


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


@pytest.mark.parametrize(
    ("type", "value", "message"),
    [
        ("uint64", 32, "is of type uint64, expected uint32"),
        ("uint32", 0, "is 0, expected a power of two"),
        ("uint32", 24, "is 24, expected a power of two"),
        ("array", Array("uint32", [32]), "is of type array"),
    ],
)
def test_alignments_that_are_refused(type: str, value: Any, message: str) -> None:
    data = Model([("a", "uint8", 1), ("general.alignment", type, value)]).build()
    with pytest.raises(FormatError, match=message) as caught:
        kaitai_gguf.open(data)
    field = data.index(b"general.alignment") + 17
    is_value = type == "uint32"
    assert caught.value.offset == field + 4 * is_value
    assert caught.value.path == f"/metadata/1/{'value' if is_value else 'value_type'}"


@pytest.mark.parametrize("alignment", [1, 4, 8, 64, 4096])
def test_alignments_that_are_taken(alignment: int) -> None:
    model = Model(
        [("general.alignment", "uint32", alignment)], [TensorSpec("t", (3,), 24, 0)], b"abc", 3, "little", alignment
    )
    opened = kaitai_gguf.open(model.build())
    assert opened.alignment == alignment
    assert opened.tensors["t"].data.tobytes() == b"abc"


def test_a_file_says_what_it_is(path: Path) -> None:
    model = kaitai_gguf.open(path)
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, 1 keys, 1 tensors>"
    model.close()
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, closed>"


@pytest.mark.parametrize("name", ["v1", "tiny-be", "nested-arrays", "split5-00001-of-00003"])
def test_the_object_of_the_official_compiler(name: str) -> None:
    models = Path(__file__).parents[1] / "data" / "models"
    with kaitai_gguf.open(models / f"{name}.gguf") as model:
        body = model.kaitai().body
        assert [key_value.key.data.decode() for key_value in body.metadata] == list(model.metadata)
        first = model.shards[0]
        assert [info.name.data.decode() for info in body.tensors] == list(first.tensors)
        assert body.version == model.version


def test_a_model_of_anything(path: Path) -> None:
    for source in (path, str(path), MODEL.build(), io.BytesIO(MODEL.build())):
        with model_of(source) as model:
            check(model)
        assert model.closed
    with kaitai_gguf.open(path) as model:
        with model_of(model) as same:
            assert same is model
        assert not model.closed
