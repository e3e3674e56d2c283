"""Locks between programs."""

import ctypes
import errno
import multiprocessing
import os
import struct
import sys
import tempfile
import threading
import time
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from support.faults import child

from kaitai_gguf import FileAccessError, FileError
from kaitai_gguf.sources import locks, windows_os
from kaitai_gguf.sources.locks import WriterLock, lock, unlock

fcntl = pytest.importorskip("fcntl")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"x")
    return path


@pytest.mark.parametrize(
    ("first", "second", "is_granted"), [(False, False, True), (False, True, False), (True, False, False)]
)
def test_shared_and_exclusive(path: Path, first: bool, second: bool, is_granted: bool) -> None:
    with path.open("rb") as one, path.open("rb") as other:
        assert lock(one.fileno(), exclusive=first)
        if is_granted:
            assert lock(other.fileno(), exclusive=second, wait=0)
            return
        with pytest.raises(BlockingIOError):
            lock(other.fileno(), exclusive=second, wait=0.01)
        unlock(one.fileno())
        assert lock(other.fileno(), exclusive=second, wait=0)


def test_a_lock_is_waited_for(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("rb") as one, path.open("rb") as other:
        lock(one.fileno(), exclusive=True)
        monkeypatch.setattr(time, "sleep", lambda _: unlock(one.fileno()))
        assert lock(other.fileno(), exclusive=True, wait=30)


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
    with WriterLock(path, wait=0):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_a_lock_that_nobody_refers_to_is_released(path: Path) -> None:
    """An interrupt may arrive right before a `with` block begins."""
    with pytest.warns(ResourceWarning):
        WriterLock(path).acquire()
    assert list(path.parent.iterdir()) == [WriterLock(path).path, path]
    with WriterLock(path, wait=0):
        pass
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("make", [Path.mkdir, lambda path: path.symlink_to("x")], ids=["a folder", "a link"])
def test_what_is_not_a_lock_file_is_refused(path: Path, make: Callable[[Path], None]) -> None:
    make(WriterLock(path).path)
    with pytest.raises(FileAccessError, match=r"can't be opened: .*; remove it if no program is") as caught:
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


def test_a_folder_where_no_file_can_be_created(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "open", failing(errno.EACCES))
    with pytest.raises(FileAccessError, match="no file can be created in its folder: Permission denied") as caught:
        WriterLock(path).acquire()
    assert caught.value.filename == str(path)


@pytest.mark.parametrize(
    ("number", "kind"), [(errno.EBADF, FileAccessError), (errno.EMFILE, FileError)], ids=["NFS", "files"]
)
def test_a_lock_that_fails_is_an_error(
    path: Path, monkeypatch: pytest.MonkeyPatch, number: int, kind: type[Exception]
) -> None:
    """It does not mean that the file system has no locks. NFS can't lock files that are not open for writing."""
    monkeypatch.setattr(fcntl, "flock", failing(number))
    with pytest.raises(FileError, match=os.strerror(number)) as caught:
        WriterLock(path).acquire()
    assert type(caught.value) is kind
    with path.open("rb") as file:
        assert not lock(file.fileno(), exclusive=False)  # a reader notices changes without a lock


def test_a_missing_folder(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="can't be opened: No such file"):
        WriterLock(tmp_path / "missing" / "model.gguf", wait=0).acquire()


def counted(path: Path) -> None:
    """Add to the number in a file. The result is wrong if two writers do it at once."""
    for _ in range(50):
        with WriterLock(path, wait=60):
            path.write_text(str(int(path.read_text()) + 1))


@pytest.mark.parametrize("worker", [multiprocessing.get_context("fork").Process, threading.Thread])
def test_several_writers_wait_for_each_other(path: Path, worker: Any) -> None:
    path.write_text("0")
    workers = [worker(target=counted, args=(path,)) for _ in range(4)]
    for each in workers:
        each.start()
    for each in workers:
        each.join()
    assert path.read_text() == "200"


def test_a_child_process_neither_keeps_nor_releases_the_lock(path: Path) -> None:
    held = WriterLock(path)
    held.acquire()
    read, write = os.pipe()
    pid = os.fork()
    if not pid:
        os.close(write)
        os.read(read, 1)  # until the parent is done
        os._exit(0)

    assert child(held.release) == 0
    with pytest.raises(FileError):
        WriterLock(path, wait=0).acquire()
    held.release()
    with WriterLock(path, wait=0):
        pass
    os.close(write)
    os.close(read)
    os.waitpid(pid, 0)


# Windows


class Kernel:
    """Simulates the two locking functions of Windows, whose locks belong to handles."""

    def __init__(self) -> None:
        self.shared: set[int] = set()
        self.exclusive: set[int] = set()
        self.error = 0
        self.places: set[tuple[int, int, int]] = set()

    def LockFileEx(self, handle: Any, flags: int, *rest: Any) -> int:  # noqa: N802
        _, low, high, place = rest
        _, _, offset, offset_high, _ = struct.unpack_from("@PPIIP", place._obj.raw)
        self.places.add((offset | offset_high << 32, low | high << 32, flags & 1))
        others = (self.exclusive | self.shared) - {handle.value}
        if (self.exclusive - {handle.value}) or (flags & 2 and others):
            self.error = 33
            return 0
        (self.exclusive if flags & 2 else self.shared).add(handle.value)
        return 1

    def UnlockFileEx(self, handle: Any, reserved: int, low: int, high: int, place: Any) -> int:  # noqa: N802
        self.shared.discard(handle.value)
        self.exclusive.discard(handle.value)
        return 1


@pytest.fixture
def on_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[Kernel]:
    kernel = Kernel()
    monkeypatch.setattr(locks, "fcntl", None)
    monkeypatch.setattr(windows_os, "_kernel", lambda: kernel)
    monkeypatch.setattr(windows_os, "_IS_WINDOWS", True)
    monkeypatch.setitem(sys.modules, "msvcrt", types.SimpleNamespace(get_osfhandle=lambda fd: fd))  # type: ignore[arg-type]
    monkeypatch.setattr(ctypes, "get_last_error", lambda: kernel.error, raising=False)
    yield kernel
    assert kernel.places == {((1 << 63) - 2, 1, 1)}  # one byte beyond the end of any file, without blocking


def test_on_windows(path: Path, on_windows: Kernel) -> None:
    with path.open("rb") as one, path.open("rb") as other:
        assert lock(one.fileno(), exclusive=False)
        assert lock(other.fileno(), exclusive=False, wait=0)
        with pytest.raises(BlockingIOError):
            lock(one.fileno(), exclusive=True, wait=0)
        unlock(other.fileno())
        unlock(one.fileno())
        assert lock(one.fileno(), exclusive=True, wait=0)
        unlock(one.fileno())
    with WriterLock(path), pytest.raises(FileError), WriterLock(path, wait=0):
        pass
    assert list(path.parent.iterdir()) == [path]


def test_a_drive_without_locks_on_windows(path: Path, on_windows: Kernel, monkeypatch: pytest.MonkeyPatch) -> None:
    with path.open("rb") as one, path.open("rb") as other:
        lock(one.fileno(), exclusive=True)
        monkeypatch.setattr(ctypes, "get_last_error", lambda: 50, raising=False)  # ERROR_NOT_SUPPORTED
        assert not lock(other.fileno(), exclusive=True, wait=0)
