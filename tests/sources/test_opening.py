"""Files that change while they are being opened, and file objects of all kinds."""

import bz2
import errno
import gzip
import io
import lzma
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, NotGGUFError
from kaitai_gguf.reading.file import read
from kaitai_gguf.sources import locks, opening

fcntl = pytest.importorskip("fcntl")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, {"general.name": "before", "x": ["text"] * 50}, {"t": np.arange(64, dtype=np.float32)})
    return path


@pytest.fixture
def no_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, "Operation not supported")

    monkeypatch.setattr(fcntl, "flock", refuse)


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waits for locks short."""
    monkeypatch.setattr(locks.lock, "__kwdefaults__", {"wait": 0.02})
    monkeypatch.setattr(locks, "WAIT", 0.02)


def rename(path: Path, name: str = "behind", **options: bool) -> None:
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["general.name"] = name
        editor.commit(**options)


# With locks


@pytest.mark.parametrize("read", [kaitai_gguf.open, kaitai_gguf.check, lambda path: list(kaitai_gguf.explain(path))])
def test_a_file_that_is_being_changed(path: Path, impatient: None, read: Callable[[Path], Any]) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(FileError, match="is being changed by another program"):
            read(path)


def test_a_change_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr(locks.time, "sleep", lambda _: fcntl.flock(file, fcntl.LOCK_UN))
        with kaitai_gguf.open(path) as model:
            assert model.metadata["general.name"] == "before"


def test_an_open_file_is_not_changed_in_place(path: Path, impatient: None) -> None:
    before = path.read_bytes()
    with kaitai_gguf.open(path) as model:
        with pytest.raises(FileError, match="is open in another program, or by open"):
            rename(path)
        assert path.read_bytes() == before
        rename(path, rewrite=True)
        assert model.metadata["general.name"] == "before"
        assert model.buffer == before
    with kaitai_gguf.open(path) as model:
        assert model.metadata["general.name"] == "behind"
        view = model.tensors["t"].data
    with pytest.raises(FileError, match="is open"):
        rename(path, "later")
    del view
    with kaitai_gguf.open(path, mmap=False):
        rename(path, "later")


def test_a_lock_of_the_callers_file_object_is_theirs(path: Path) -> None:
    with path.open("rb") as file, path.open("rb") as other:
        fcntl.flock(file, fcntl.LOCK_EX)
        kaitai_gguf.open(file).close()
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)


# Without


def test_a_file_that_changes_while_it_is_read_is_read_again(path: Path, no_locks: None) -> None:
    names = []

    def use(source: Any) -> kaitai_gguf.GGUFFile:
        if len(names) < 3:
            rename(path, f"name {len(names)}")
        model = read(source)
        names.append(model.metadata["general.name"])
        if len(names) == 1:
            raise TypeError("half a header")  # any error may be due to the change
        return model

    model = opening.opened(path, False, use)
    assert (len(names), model.metadata["general.name"]) == (4, "name 2")


def test_an_error_of_a_file_that_stays(path: Path, no_locks: None) -> None:
    path.write_bytes(b"nothing")
    with pytest.raises(NotGGUFError):
        kaitai_gguf.open(path)


def test_a_file_that_never_rests(path: Path, no_locks: None, impatient: None) -> None:
    count = 0

    def use(source: Any) -> None:
        nonlocal count
        count += 1
        os.utime(path, ns=(count, count))

    with pytest.raises(FileError, match="is being changed by another program"):
        opening.opened(path, True, use)
    assert count >= 2


def test_the_time_of_a_change_grows_with_each(path: Path) -> None:
    """Each edit gets a later time, even within one tick of the file system's clock, so that readers notice it."""
    times = []
    with kaitai_gguf.edit(path) as editor:
        for number in range(20):
            editor.metadata["general.name"] = f"{number:06}"
            editor.commit()
            times.append(path.stat().st_mtime_ns)
    assert times == sorted(set(times))


# File objects


OPENERS: dict[str, Callable[[Path], Any]] = {
    "buffered": lambda path: path.open("rb"),
    "raw": lambda path: path.open("rb", buffering=0),
    "writable": lambda path: path.open("r+b"),
    "memory": lambda path: io.BytesIO(path.read_bytes()),
    "buffer of memory": lambda path: io.BufferedReader(io.BytesIO(path.read_bytes())),  # type: ignore[arg-type]
    **{package.__name__: package.open for package in (gzip, bz2, lzma)},  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("kind", OPENERS)
def test_file_objects(path: Path, kind: str) -> None:
    data = path.read_bytes()
    package = {"gzip": gzip, "bz2": bz2, "lzma": lzma}.get(kind)
    if package is not None:
        path.write_bytes(package.compress(data))
    with OPENERS[kind](path) as file:
        file.read(5)
        with kaitai_gguf.open(file) as model:
            assert model.buffer == data
        assert file.tell() == 5


def test_a_temporary_file(path: Path) -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write(path.read_bytes())
        with kaitai_gguf.open(file) as model:  # type: ignore[arg-type]
            assert model.metadata["general.name"] == "before"


def test_a_damaged_archive(path: Path) -> None:
    path.write_bytes(gzip.compress(path.read_bytes())[:-20])
    with gzip.open(path) as file, pytest.raises(FileError, match="can't be read from its start"):
        kaitai_gguf.open(file)  # type: ignore[arg-type]


def test_what_is_not_bytes(path: Path) -> None:
    cases: list[tuple[Any, type[Exception], str]] = [
        (5, TypeError, "expected a path, bytes or a binary file object, not int"),
        (memoryview(b"GGUF" * 8)[::2], TypeError, "expected contiguous bytes"),
        (io.StringIO("GGUF"), TypeError, "opened in binary mode, not a text file"),
        ("", FileNotFoundError, "the path is empty"),
        (path.parent, IsADirectoryError, "is a directory"),
        ("/dev/null", OSError, "is not a regular file"),
    ]
    for given, kind, words in cases:
        with pytest.raises(kind, match=words):
            kaitai_gguf.open(given)
