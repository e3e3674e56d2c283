"""Files that change while they are being opened."""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError
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


def test_a_file_that_never_rests(path: Path, no_locks: None, impatient: None) -> None:
    count = 0

    def use(source: Any) -> None:
        nonlocal count
        count += 1
        os.utime(path, ns=(count, count))

    with pytest.raises(FileError, match="is being changed by another program"):
        opening.opened(path, True, use)
    assert count >= 2
