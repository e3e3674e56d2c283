"""Tensor data copied from file to file, and what happens if the source changes meanwhile."""

import errno
import gc
import gzip
import io
import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, GGUFFile, WriteError, convert, edit, split, write
from kaitai_gguf.writing import sink as sinks
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


# What is copied from file to file


def wrote(model: GGUFFile, target: Path) -> None:
    write(target, {}, dict(model.tensors))


def edited(model: GGUFFile, target: Path) -> None:
    assert model.name is not None
    with edit(model.name) as editor:
        editor.metadata["general.name"] = "long" * 100
        editor.commit(target)


def rearranged(model: GGUFFile, target: Path) -> None:
    assert model.name is not None
    with edit(model.name) as editor:
        editor.tensors["new"] = np.zeros(3, np.float32)
        editor.commit(target)


WAYS: list[tuple[Callable[[GGUFFile, Path], object], int]] = [
    (convert, 1),
    (lambda model, target: convert(model, target, version=2), 1),
    (lambda model, target: convert(model, target, alignment=64), 3),
    (lambda model, target: convert(model, target, tensors=["c", "a"]), 2),
    (lambda model, target: write(target, {}, model.tensors), 1),
    (wrote, 3),
    (edited, 1),
    (rearranged, 3),
]


@pytest.mark.parametrize(("run", "count"), WAYS)
def test_unchanged_data_is_moved(
    run: Callable[[GGUFFile, Path], object], count: int, path: Path, tmp_path: Path, moved: list[tuple[int, int]]
) -> None:
    target = tmp_path / "new.gguf"
    with kaitai_gguf.open(path) as model:
        run(model, target)
    assert len(moved) == count
    expected, found = contents(path), contents(target)
    names = ["c", "a"] if count == 2 else ["a", "b", "c"]
    assert [name for name in found if found[name] == expected.get(name)] == names


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
    target = tmp_path / "target"
    target.write_bytes(b"x" * (path.stat().st_size + 3))
    with kaitai_gguf.open(path) as model, target.open("r+b", buffering=buffering) as file:
        write(file, model.metadata, model.tensors)
        assert file.read() == b"xxx"
    assert target.read_bytes() == path.read_bytes() + b"xxx"
    assert moved == []
    with kaitai_gguf.open(path) as model, target.open("r+b", buffering=buffering) as file:
        file.seek(0, os.SEEK_END)
        write(file, model.metadata, model.tensors)
    assert target.read_bytes() == path.read_bytes() + b"xxx" + path.read_bytes()
    assert len(moved) == 1


# Sources that change


def test_a_source_that_was_replaced(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """The data comes from the file that was opened, whatever is at its path now."""
    original = path.read_bytes()
    for number, replace in enumerate((lambda: path.write_bytes(b"other"), lambda: os.mkfifo(path), lambda: None)):
        with kaitai_gguf.open(path) as model:
            path.unlink()
            replace()
            convert(model, tmp_path / f"{number}.gguf")
        path.unlink(missing_ok=True)
        path.write_bytes(original)
        assert (tmp_path / f"{number}.gguf").read_bytes() == original
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


def test_a_source_that_changes(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """The map shows the changed file, so the changed data is written and compared."""
    target = tmp_path / "new.gguf"

    def change(_: int) -> None:
        with path.open("r+b") as file:
            file.seek(-10, os.SEEK_END)
            file.write(b"0123456789")
        os.utime(path, ns=(0, 0))

    with kaitai_gguf.open(path) as model:
        convert(model, target, version=2, progress=change)
    assert len(moved) == 1
    assert contents(target) == contents(path)
    assert contents(target)["c"].endswith(b"0123456789")


def test_a_source_that_changes_where_it_was_copied(path: Path, tmp_path: Path, moved: list[tuple[int, int]]) -> None:
    """A change of data that was already copied is refused, because the copy would be a mixture."""

    def change(_: int) -> None:
        if len(moved) == 1:
            with path.open("r+b") as file:
                file.seek(-3 * NBYTES, os.SEEK_END)
                file.write(bytes(100))
            os.utime(path, ns=(0, 0))

    with kaitai_gguf.open(path) as model, pytest.raises(WriteError, match="tensor 'a' was not written correctly"):
        convert(model, tmp_path / "new.gguf", tensors=["a", "b", "c"], progress=change)
    assert list(tmp_path.iterdir()) == [path]
    assert len(moved) == 2


# Failures


@pytest.mark.parametrize(("run", "count"), WAYS)
def test_a_full_disk_leaves_nothing(
    run: Callable[[GGUFFile, Path], object], count: int, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last copy fails."""
    transfer, calls = sinks.transfer, itertools.count(1)

    def full(*arguments: Any) -> None:
        if next(calls) == count:
            raise OSError(errno.ENOSPC, "No space left on device")
        transfer(*arguments)

    monkeypatch.setattr(sinks, "transfer", full)
    target = tmp_path / "new.gguf"
    with kaitai_gguf.open(path) as model, pytest.raises(FileError, match="No space left") as caught:
        run(model, target)
    assert caught.value.filename == str(target)
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("error", [KeyboardInterrupt, WriteError])
def test_an_interrupt_leaves_nothing(error: type[BaseException], path: Path, tmp_path: Path) -> None:
    def interrupt(_: int) -> None:
        raise error

    for run in (convert, lambda model, target, progress: split(model, target, max_tensors=1, progress=progress)):
        with kaitai_gguf.open(path) as model, pytest.raises(error):
            run(model, tmp_path / "new.gguf", progress=interrupt)
        assert list(tmp_path.iterdir()) == [path]


def test_a_commit_that_wrote_other_bytes(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    original = path.read_bytes()
    transfer = sinks.transfer

    def wrong(source: Any, start: int, end: int, target: Any, progress: Any) -> None:
        transfer(source, start, end, target, progress)
        target.seek(-NBYTES - 1, os.SEEK_END)
        target.write(b"x" if DATA[-NBYTES - 1] != ord("x") else b"y")
        target.seek(0, os.SEEK_END)

    monkeypatch.setattr(sinks, "transfer", wrong)
    with edit(path) as editor:
        editor.metadata["general.name"] = "long" * 100
        with pytest.raises(WriteError, match="tensor 'b' was not written correctly"):
            editor.commit(verify=True)
    assert path.read_bytes() == original


def test_no_descriptor_is_left(path: Path, tmp_path: Path) -> None:
    if not Path("/proc/self/fd").exists():
        pytest.skip("no /proc/self/fd")
    gc.collect()  # what other tests left
    with kaitai_gguf.open(path) as model:
        before = os.listdir("/proc/self/fd")
        convert(model, tmp_path / "one.gguf", version=2)
        wrote(model, tmp_path / "two.gguf")
        writer = kaitai_gguf.Writer(tmp_path / "three.gguf")
        writer.copy_tensors(model.tensors)
        writer.abort()
        assert os.listdir("/proc/self/fd") == before


def test_the_disk_starts_while_more_is_written(
    path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, moved: list[tuple[int, int]]
) -> None:
    sizes = []

    def start(file: Any) -> None:
        sizes.append(os.fstat(file.fileno()).st_size)

    monkeypatch.setattr(sinks, "start_writing", start)
    monkeypatch.setattr(sinks, "STRIDE", NBYTES)
    with kaitai_gguf.open(path) as model:
        wrote(model, tmp_path / "new.gguf")
    assert len(moved) == len(sizes) == 3
    assert sizes == sorted(sizes)
    assert sizes[0] >= NBYTES


def test_a_sink_counts_what_it_writes(path: Path, tmp_path: Path) -> None:
    with kaitai_gguf.open(path) as model, (tmp_path / "x").open("wb") as file:
        sink = Sink(file)
        sink.write(b"head")
        sink.write_zeros(2 << 20)
        sink.copy(model.source, 100, model.nbytes, lambda _: None)
        sink.copy(model.source, 0, 10, lambda _: None)
        sink.copy(model.source, 10, 10, lambda _: None)
        file.flush()
        size = os.fstat(file.fileno()).st_size
        places = [(copy.start, copy.end, copy.position, copy.is_moved) for copy in sink.copies]
        sink.close()
    end = 4 + (2 << 20) + path.stat().st_size - 100
    assert sink.nbytes == size == end + 10
    assert places == [(100, path.stat().st_size, 4 + (2 << 20), True), (0, 10, end, False)]
