"""Files that change while they are being opened, and file objects of all kinds."""

import bz2
import errno
import gzip
import io
import lzma
import os
import tempfile
import threading
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

MODELS = Path(__file__).parents[1] / "data" / "models"


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


def test_a_change_is_waited_for(path: Path) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        timer = threading.Timer(0.05, fcntl.flock, [file, fcntl.LOCK_UN])
        timer.start()
        with kaitai_gguf.open(path) as model:
            assert model.metadata["general.name"] == "before"
        timer.join()


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


def test_a_view_keeps_the_lock(path: Path, impatient: None) -> None:
    with kaitai_gguf.open(path) as model:
        data = model.tensors["t"].data
    with pytest.raises(FileError, match="is open"):
        rename(path)
    del data
    rename(path)


@pytest.mark.parametrize("options", [{"mmap": False}, {"mmap": True}])
def test_a_file_that_was_read_is_not_locked(path: Path, impatient: None, options: dict[str, bool]) -> None:
    with kaitai_gguf.open(path, **options) as model:
        assert model.metadata["general.name"] == "before"
        if not options["mmap"]:
            rename(path)
    rename(path, "third!")


def test_a_lock_of_the_callers_file_object_is_theirs(path: Path) -> None:
    with path.open("rb") as file, path.open("rb") as other:
        fcntl.flock(file, fcntl.LOCK_EX)
        kaitai_gguf.open(file).close()
        with pytest.raises(BlockingIOError):
            fcntl.flock(other, fcntl.LOCK_SH | fcntl.LOCK_NB)


# Without


def test_a_file_that_changes_while_it_is_read_is_read_again(
    path: Path, no_locks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    seen = []

    def use(source: Any) -> kaitai_gguf.GGUFFile:
        if len(seen) < 3:
            rename(path, f"name {len(seen)}")
        model = read(source)
        seen.append(model.metadata["general.name"])
        return model

    model = opening.opened(path, False, use)
    assert (len(seen), model.metadata["general.name"]) == (4, "name 2")


def test_an_error_of_a_file_that_changed_is_not_the_files(path: Path, no_locks: None) -> None:
    seen = []

    def use(source: Any) -> str:
        seen.append(source)
        if len(seen) == 1:
            rename(path)
            raise TypeError("half a header")
        return "read"

    assert opening.opened(path, True, use) == "read"


def test_an_error_of_a_file_that_stays_is(path: Path, no_locks: None) -> None:
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


@pytest.mark.parametrize("package", [gzip, bz2, lzma])
def test_compressed_file_objects_are_read(path: Path, tmp_path: Path, package: Any) -> None:
    with package.open(tmp_path / "packed", "wb") as file:
        file.write(path.read_bytes())
    with package.open(tmp_path / "packed") as file:
        file.read(7)
        with kaitai_gguf.open(file) as model:
            assert model.buffer == path.read_bytes()
        assert file.tell() == 7


@pytest.mark.parametrize(
    "opener",
    [
        lambda path: path.open("rb"),
        lambda path: path.open("rb", buffering=0),
        lambda path: path.open("r+b"),
        lambda path: io.BytesIO(path.read_bytes()),
        lambda path: io.BufferedReader(io.BytesIO(path.read_bytes())),  # type: ignore[arg-type]
    ],
)
def test_file_objects(path: Path, opener: Callable[[Path], Any]) -> None:
    with opener(path) as file:
        file.read(5)
        with kaitai_gguf.open(file) as model:
            assert model.metadata["general.name"] == "before"
        assert file.tell() == 5


def test_a_temporary_file() -> None:
    with tempfile.NamedTemporaryFile() as file:
        file.write((MODELS / "v2.gguf").read_bytes())
        with kaitai_gguf.open(file) as model:  # type: ignore[arg-type]
            assert model.version == 2


def test_a_damaged_archive(tmp_path: Path, path: Path) -> None:
    (tmp_path / "packed").write_bytes(gzip.compress(path.read_bytes())[:-20])
    with gzip.open(tmp_path / "packed") as file, pytest.raises(FileError, match="can't be read from its start"):
        kaitai_gguf.open(file)  # type: ignore[arg-type]
