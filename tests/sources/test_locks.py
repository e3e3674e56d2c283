"""Locks between programs, memory maps that hold them, and files that change while they are being opened."""

import ctypes
import errno
import mmap
import multiprocessing
import os
import struct
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.faults import child

import kaitai_gguf
from kaitai_gguf import FileAccessError, FileError
from kaitai_gguf.reading.file import read
from kaitai_gguf.sources import MapMode, Source, locks, open_map, opening, windows_os
from kaitai_gguf.sources.locks import WriterLock, lock, unlock
from kaitai_gguf.sources.sidecar_names import beside

fcntl = pytest.importorskip("fcntl")
FORK = multiprocessing.get_context("fork")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, {"general.name": "before", "x": ["text"] * 50}, {"t": np.arange(64, dtype=np.float32)})
    return path


@pytest.mark.parametrize("first", [False, True])
@pytest.mark.parametrize("second", [False, True])
def test_shared_and_exclusive(path: Path, first: bool, second: bool) -> None:
    with path.open("rb") as one, path.open("rb") as other:
        assert lock(one.fileno(), exclusive=first)
        if first or second:
            with pytest.raises(BlockingIOError):
                lock(other.fileno(), exclusive=second, wait=0.01)
            unlock(one.fileno())
        assert lock(other.fileno(), exclusive=second, wait=0)


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP])
def test_a_file_system_without_locks(path: Path, monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    monkeypatch.setattr(fcntl, "flock", failing(number))
    with path.open("rb") as file:
        assert not lock(file.fileno(), exclusive=True)
    with WriterLock(path), WriterLock(path, wait=0):
        pass
    assert list(path.parent.iterdir()) == [path]


def failing(number: int) -> Callable[..., None]:
    def fail(*_: object) -> None:
        raise OSError(number, os.strerror(number))

    return fail


# Writers


def test_one_writer_of_a_file_at_a_time(path: Path) -> None:
    with WriterLock(path) as held:
        assert held.path.exists()
        with pytest.raises(FileError, match="is being written by another program") as caught:
            WriterLock(path, wait=0.01).acquire()
        assert caught.value.filename == str(path)
        with WriterLock(path.with_name("other.gguf"), wait=0):
            pass
    with pytest.warns(ResourceWarning):  # an interrupt may arrive right before a `with` block begins
        WriterLock(path).acquire()
    assert held.path.exists()
    with WriterLock(path, wait=0):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_a_link_is_not_a_lock_file(path: Path) -> None:
    WriterLock(path).path.symlink_to("x")
    with pytest.raises(
        FileAccessError, match=r"the lock file of 'model\.gguf' can't be opened: .*; remove it if no program is"
    ) as caught:
        WriterLock(path).acquire()
    assert caught.value.filename == str(WriterLock(path).path)


@pytest.mark.parametrize(("mode", "status"), [(0o600, 7), (0o644, 0)], ids=["private", "readable"])
def test_the_lock_file_of_another_user(mode: int, status: int) -> None:
    """A private one can't be locked. A readable one can, also in a shared folder such as /tmp."""
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "model.gguf")
        os.chmod(name, 0o1777)
        held = WriterLock(path)
        held.path.touch()
        held.path.chmod(mode if os.geteuid() == 0 else mode & 0o044)  # without privileges, only the mode can refuse

        def run() -> None:
            if os.geteuid() == 0:
                os.setuid(65534)
            try:
                with WriterLock(path, wait=0.01), pytest.raises(FileError, match="is being written"):
                    WriterLock(path, wait=0).acquire()
            except FileAccessError as error:
                os._exit(7 if error.filename == str(held.path) else 1)

        assert child(run) == status


FAILURES: list[tuple[str, int, type[FileError], str]] = [
    ("os.open", errno.EACCES, FileAccessError, "no file can be created in its folder: Permission denied"),
    ("os.open", errno.ENOENT, FileError, "can't be opened: No such file"),
    ("fcntl.flock", errno.EBADF, FileAccessError, "remove it if no program is writing"),  # on NFS
    ("fcntl.flock", errno.EMFILE, FileError, "can't be opened: Too many open files"),
]


@pytest.mark.parametrize("failure", FAILURES, ids=lambda failure: errno.errorcode[failure[1]])
def test_a_lock_that_fails_is_an_error(
    path: Path, monkeypatch: pytest.MonkeyPatch, failure: tuple[str, int, type[FileError], str]
) -> None:
    """It does not mean that the file system has no locks."""
    function, number, kind, message = failure
    monkeypatch.setattr(function, failing(number))
    with pytest.raises(FileError, match=message) as caught:
        WriterLock(path, wait=0).acquire()
    assert type(caught.value) is kind
    assert caught.value.filename == str(path if number == errno.EACCES else WriterLock(path).path)
    if function == "fcntl.flock":
        with path.open("rb") as file:
            assert not lock(file.fileno(), exclusive=False)  # a reader notices changes without a lock


@pytest.mark.parametrize("worker", [FORK.Process, threading.Thread])
def test_several_writers_wait_for_each_other(path: Path, worker: Any) -> None:
    """The number in the file is wrong if two writers add to it at once."""

    def count() -> None:
        for _ in range(50):
            with WriterLock(path, wait=60):
                path.write_text(str(int(path.read_text()) + 1))

    path.write_text("0")
    workers = [worker(target=count) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert path.read_text() == "200"


def test_a_child_process_neither_keeps_nor_releases_the_lock(path: Path) -> None:
    held = WriterLock(path)
    held.acquire()
    assert child(held.release) == 0
    with pytest.raises(FileError):
        WriterLock(path, wait=0).acquire()
    done = FORK.Event()
    process = FORK.Process(target=done.wait)
    process.start()
    held.release()
    with WriterLock(path, wait=0):
        done.set()
    process.join()


# Names of lock files and journals


@pytest.mark.parametrize("name", ["m" * 255, "é" * 127, "m" * 232, "m" * 233, "m" * 234, "\udcff" * 255, "m.gguf"])
def test_any_file_can_have_hidden_files(tmp_path: Path, name: str) -> None:
    path = beside(tmp_path / name, "journal")
    path.write_bytes(b"")
    assert len(os.fsencode(path.name)) <= 255
    assert len(os.fsencode(name)) > 232 or path.name == f".{name}.kaitai-gguf-journal"


def test_long_names_are_told_apart() -> None:
    assert len({beside(Path("m" * 240 + str(number)), "lock") for number in range(100)}) == 100


# Maps that belong to callers


def is_free(path: Path, exclusive: bool = True) -> bool:
    """Return whether a file can be locked."""
    with path.open("rb") as file:
        try:
            return lock(file.fileno(), exclusive=exclusive, wait=0)
        except BlockingIOError:
            return False


def mapped(path: Path, mode: MapMode) -> mmap.mmap:
    source = open_map(path, mode, lambda source: source)
    assert source.own_map is None  # pages of own maps may be released, which would lose changes
    assert isinstance(source.buffer, mmap.mmap)
    return source.buffer


@pytest.mark.parametrize(("mode", "is_written", "may_be_read"), [("r+", True, False), ("c", False, True)])
def test_modes(path: Path, mode: MapMode, is_written: bool, may_be_read: bool) -> None:
    buffer = mapped(path, mode)
    buffer[5] = 255
    assert (path.read_bytes()[5] == 255) == is_written
    assert (is_free(path), is_free(path, exclusive=False)) == (False, may_be_read)
    buffer.close()
    assert is_free(path)


def test_a_map_has_the_lock_until_it_is_closed_or_gone(path: Path) -> None:
    buffer = mapped(path, "r")
    view = np.frombuffer(buffer, np.uint8)
    del buffer
    assert not is_free(path)
    del view
    assert is_free(path)
    buffer = mapped(path, "r+")
    view = np.frombuffer(buffer, np.uint8)
    buffer.close()
    assert (is_free(path), buffer.closed) == (True, False)
    view[3] = 77  # views stay valid
    assert path.read_bytes()[3] == 77
    with mapped(path, "c") as private:
        private[0] = 1
    assert (is_free(path), private.closed) == (True, True)
    private.close()


def test_an_error_lets_go_of_the_file(path: Path) -> None:
    def fail(source: Source) -> None:
        raise ValueError(len(source.buffer))

    with pytest.raises(ValueError, match=f"^{path.stat().st_size}$"):
        open_map(path, "r+", fail)
    assert is_free(path)


def test_what_can_not_be_mapped(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert open_map(tmp_path / "empty", "r+", lambda source: source.buffer) == b""
    for missing in (tmp_path, tmp_path / "none"):
        with pytest.raises(FileError):
            open_map(missing, "r+", lambda source: source)


# Models that change while they are being opened


@pytest.fixture
def without_locks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fcntl, "flock", failing(errno.EOPNOTSUPP))


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make waits for locks short."""
    monkeypatch.setattr(locks.lock, "__kwdefaults__", {"wait": 0.02})
    monkeypatch.setattr(locks, "WAIT", 0.02)


def rename(path: Path, name: str = "behind", **options: bool) -> None:
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["general.name"] = name
        editor.commit(**options)


@pytest.mark.parametrize("read", [kaitai_gguf.open, kaitai_gguf.check, lambda path: list(kaitai_gguf.explain(path))])
def test_a_file_that_is_being_changed(path: Path, impatient: None, read: Callable[[Path], Any]) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        with pytest.raises(FileError, match="is being changed by another program"):
            read(path)


def test_a_change_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        monkeypatch.setattr(time, "sleep", lambda _: fcntl.flock(file, fcntl.LOCK_UN))
        with kaitai_gguf.open(path) as model:
            assert model.metadata["general.name"] == "before"


def test_an_open_file_is_not_changed_in_place(path: Path, impatient: None) -> None:
    before = path.read_bytes()
    with path.open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)  # as a program does that has it open
        with pytest.raises(FileError, match="is open in another program"):
            rename(path)
        assert path.read_bytes() == before
        rename(path, rewrite=True)
        assert file.read() == before


def test_a_file_that_this_program_has_open_is_replaced(path: Path) -> None:
    before, inode = path.read_bytes(), path.stat().st_ino
    with kaitai_gguf.open(path) as model:
        rename(path)
        assert (model.metadata["general.name"], model.buffer) == ("before", before)
    assert path.stat().st_ino != inode
    with kaitai_gguf.open(path) as model:
        assert model.metadata["general.name"] == "behind"
        view = model.tensors["t"].data
    inode = path.stat().st_ino
    rename(path, "later!")  # the view keeps the file mapped
    assert path.stat().st_ino != inode
    del view
    inode = path.stat().st_ino
    with kaitai_gguf.open(path, mmap=False):
        rename(path, "behind")
    assert path.stat().st_ino == inode


def test_a_file_that_changes_while_it_is_read_is_read_again(path: Path, without_locks: None) -> None:
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


def test_a_file_that_never_rests(path: Path, without_locks: None, impatient: None) -> None:
    count = 0

    def use(source: Any) -> None:
        nonlocal count
        count += 1
        os.utime(path, ns=(count, count))

    with pytest.raises(FileError, match="is being changed by another program"):
        opening.opened(path, True, use)
    assert count >= 2


# Windows


def test_on_windows(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    refusal = 33  # ERROR_LOCK_VIOLATION

    def lock_file(handle: Any, flags: int, _: int, low: int, high: int, overlapped: Any) -> bool:
        *_, offset, offset_high, _ = struct.unpack_from("@PPIIP", overlapped._obj.raw)
        assert (offset | offset_high << 32, low | high << 32) == ((1 << 63) - 2, 1)  # beyond the end of any file
        assert flags & 1  # without waiting
        with suppress(BlockingIOError):
            fcntl.flock(handle.value, (fcntl.LOCK_EX if flags & 2 else fcntl.LOCK_SH) | fcntl.LOCK_NB)
            return True
        return False

    def unlock_file(handle: Any, *_: Any) -> None:
        fcntl.flock(handle.value, fcntl.LOCK_UN)

    kernel = types.SimpleNamespace(LockFileEx=lock_file, UnlockFileEx=unlock_file)
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(windows_os, "_kernel", lambda: kernel)
    monkeypatch.setattr(windows_os, "_IS_WINDOWS", True)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(get_osfhandle=lambda fd: fd))  # type: ignore[arg-type]
    monkeypatch.setattr(ctypes, "get_last_error", lambda: refusal, raising=False)
    with path.open("rb") as one, path.open("rb") as other:
        assert lock(one.fileno(), exclusive=False)
        assert lock(other.fileno(), exclusive=False, wait=0)
        with pytest.raises(BlockingIOError):
            lock(one.fileno(), exclusive=True, wait=0)
        unlock(other.fileno())
        unlock(one.fileno())
        assert lock(one.fileno(), exclusive=True, wait=0)
        with WriterLock(path), pytest.raises(FileError), WriterLock(path, wait=0):
            pass
        refusal = 50  # ERROR_NOT_SUPPORTED: the drive has no locks
        assert not lock(other.fileno(), exclusive=True, wait=0)
    assert list(path.parent.iterdir()) == [path]
