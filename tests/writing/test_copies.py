"""Tensor data copied from file to file: what is moved and compared, and what happens if the source changes."""

import gzip
import io
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec
from support.open_files import needs_maps, uses

import kaitai_gguf
from kaitai_gguf import FileError, GGUFFile, WriteError, convert, edit, write
from kaitai_gguf.writing import sink as sinks
from kaitai_gguf.writing.read_back import check_copies
from kaitai_gguf.writing.sink import Sink

NBYTES = 1 << 18
DATA = np.random.default_rng(0).integers(0, 256, 3 * NBYTES, np.uint8).tobytes()
TENSORS = [TensorSpec(name, (NBYTES,), 24, number * NBYTES) for number, name in enumerate("abc")]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Write a model with three tensors that are large enough to be copied by the system."""
    path = tmp_path / "model.gguf"
    path.write_bytes(Model([("general.name", "string", "m")], TENSORS, DATA).build())
    return path


@pytest.fixture
def moved(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the ranges that were copied from file to file."""
    ranges: list[tuple[int, int]] = []
    transfer = sinks.transfer

    def spy(source: Any, start: int, end: int, *rest: Any) -> None:
        transfer(source, start, end, *rest)
        ranges.append((start, end))

    monkeypatch.setattr(sinks, "transfer", spy)
    return ranges


def contents(path: Path) -> dict[str, bytes]:
    with kaitai_gguf.open(path) as model:
        return {name: tensor.data.tobytes() for name, tensor in model.tensors.items()}


def change(path: Path, position: int, data: bytes) -> None:
    with path.open("r+b") as file:
        file.seek(position, os.SEEK_END)
        file.write(data)
    os.utime(path, ns=(0, 0))


# What is copied from file to file


def rearranged(model: GGUFFile, target: Path) -> None:
    with edit(str(model.name)) as editor:
        editor.tensors["new"] = np.zeros(3, np.float32)
        editor.commit(target)


@pytest.mark.parametrize(
    ("run", "count"),
    [
        (convert, 1),
        (lambda model, target: convert(model, target, version=2), 1),
        (lambda model, target: convert(model, target, alignment=64), 3),
        (lambda model, target: convert(model, target, tensors=["c", "a"]), 2),
        (lambda model, target: write(target, {}, model.tensors), 1),
        (lambda model, target: write(target, {}, dict(model.tensors)), 3),
        (rearranged, 3),
    ],
)
@needs_maps
def test_unchanged_data_is_moved(
    run: Callable[[GGUFFile, Path], object], count: int, path: Path, tmp_path: Path, moved: list[tuple[int, int]]
) -> None:
    target = tmp_path / "new.gguf"
    with kaitai_gguf.open(path) as model:
        before = uses(path)
        run(model, target)
        assert uses(path) == before
    assert len(moved) == count
    expected, result = contents(path), contents(target)
    names = ["c", "a"] if count == 2 else ["a", "b", "c"]
    assert [name for name in result if result[name] == expected.get(name)] == names


def test_what_is_not_moved(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """Byte-swapped data, data in memory, and data for a target that is not a plain file."""
    convert(path, tmp_path / "big.gguf", byte_order="big", tensors=["a"])
    with kaitai_gguf.open(path.read_bytes()) as model:
        convert(model, tmp_path / "bytes.gguf")
    with kaitai_gguf.open(path, mmap=False) as model:
        convert(model, tmp_path / "read.gguf")
    with kaitai_gguf.open(path) as model, gzip.open(tmp_path / "x.gz", "wb") as compressed:
        for target in (io.BytesIO(), compressed):
            write(target, model.metadata, model.tensors)
    assert moved == []
    assert (tmp_path / "bytes.gguf").read_bytes() == (tmp_path / "read.gguf").read_bytes() == path.read_bytes()
    assert gzip.decompress((tmp_path / "x.gz").read_bytes()) == path.read_bytes()


@pytest.mark.parametrize("buffering", [0, -1])
def test_what_follows_in_a_file_stays(buffering: int, path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    target, whole = tmp_path / "target", path.read_bytes()
    target.write_bytes(b"x" * (len(whole) + 3))
    with kaitai_gguf.open(path) as model, target.open("r+b", buffering=buffering) as file:
        write(file, model.metadata, model.tensors)
        assert moved == []
        assert file.read() == b"xxx"
        write(file, model.metadata, model.tensors)
    assert target.read_bytes() == whole + b"xxx" + whole
    assert len(moved) == 1


# Sources that change


def test_a_source_that_was_replaced(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """The data comes from the file that was opened, whatever is at its path now."""
    original = path.read_bytes()
    for replace in (lambda: path.write_bytes(b"other"), lambda: os.mkfifo(path), lambda: None):
        path.write_bytes(original)
        with kaitai_gguf.open(path) as model:
            path.unlink()
            replace()
            convert(model, tmp_path / "new.gguf", overwrite=True)
        path.unlink(missing_ok=True)
        assert (tmp_path / "new.gguf").read_bytes() == original
    assert moved == []


@pytest.mark.parametrize("verify", [False, True])
@pytest.mark.parametrize("is_now", [True, False])
def test_a_source_that_becomes_shorter(is_now: bool, verify: bool, path: Path, tmp_path: Path) -> None:
    """A truncated source raises an error. Reading its memory map would kill the process."""
    target = tmp_path / "new.gguf"
    with kaitai_gguf.open(path) as model:
        if is_now:
            os.truncate(path, 5000)
        with pytest.raises(FileError, match="became shorter while it was open") as caught:
            convert(model, target, version=2, verify=verify, progress=lambda _: os.truncate(path, 5000))
    assert caught.value.filename == str(path)
    assert not target.exists()


def test_a_source_that_changes_where_it_was_copied(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """A change of data that was already copied is refused, because the copy would be a mixture."""

    def progress(_: int) -> None:
        if len(moved) == 1:
            change(path, -3 * NBYTES, bytes(100))

    with kaitai_gguf.open(path) as model, pytest.raises(WriteError, match="tensor 'a' was not written correctly"):
        convert(model, tmp_path / "new.gguf", tensors=["a", "b", "c"], progress=progress)
    assert list(tmp_path.iterdir()) == [path]
    assert len(moved) == 2


# What is compared


def test_a_commit_that_wrote_other_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original, transfer = path.read_bytes(), sinks.transfer

    def wrong(source: Any, start: int, end: int, target: Any, progress: Any) -> None:
        transfer(source, start, end, target, progress)
        target.seek(-NBYTES - 1, os.SEEK_END)
        target.write(bytes([DATA[-NBYTES - 1] ^ 1]))
        target.seek(0, os.SEEK_END)

    monkeypatch.setattr(sinks, "transfer", wrong)
    with edit(path) as editor:
        editor.metadata["general.name"] = "long" * 100
        with pytest.raises(WriteError, match="tensor 'b' was not written correctly"):
            editor.commit(verify=True)
    assert path.read_bytes() == original


def test_the_size_is_compared(path: Path) -> None:
    sink = Sink(io.BytesIO())
    with kaitai_gguf.open(path) as model, pytest.raises(WriteError, match=r"was written has \d+ bytes, expected 0"):
        check_copies([sink], [model], verify=False)
