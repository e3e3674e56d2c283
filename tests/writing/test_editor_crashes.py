"""A full disk, a kill or an interrupt during an edit leaves the old file or the new one."""

import errno
import os
import random
import signal
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, edit
from kaitai_gguf.sources import journal_recovery, locks, opening
from kaitai_gguf.writing import atomic, journal
from writing.build import small

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(small().build())
    return path


@forks
@pytest.mark.parametrize("room", [0, 100, 5000])
def test_a_disk_that_is_full(path: Path, room: int) -> None:
    """Simulate a full disk by limiting the size of files."""
    path.write_bytes(small().build() + bytes(20000))
    before = path.read_bytes()
    resource = pytest.importorskip("resource")

    def run() -> None:
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        resource.setrlimit(resource.RLIMIT_FSIZE, (room, room))
        with edit(path) as editor:
            editor.metadata["general.name"] = "long" * 30
            try:
                editor.commit()
            except FileError as error:
                os._exit(7 if error.errno == errno.EFBIG and error.filename == str(path) else 1)

    assert os.waitstatus_to_exitcode(child(run)) == 7
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def child(action: Callable[[], None]) -> int:
    """Run an action in a child process, and return its wait status."""
    pid = os.fork()
    if not pid:
        try:
            action()
            os._exit(0)
        except BaseException:
            os._exit(1)
    return os.waitpid(pid, 0)[1]


def killed_at(number: int, action: Callable[[], None]) -> bool:
    """Kill an action before its n-th call of a C function (all I/O is in C). Return whether it got that far."""

    def run() -> None:
        left = number

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal left
            if event == "c_call":
                left -= 1
                if not left:
                    os.kill(os.getpid(), signal.SIGKILL)

        sys.setprofile(count)
        action()
        sys.setprofile(None)

    status = child(run)
    assert os.WIFSIGNALED(status) or status == 0
    return os.WIFSIGNALED(status)


def contents(path: Path) -> tuple[Any, ...]:
    with kaitai_gguf.open(path) as model:
        return dict(model.metadata), [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()]


def change_header(editor: kaitai_gguf.Editor) -> None:
    editor.metadata["general.name"] = "another"


def change_size(editor: kaitai_gguf.Editor) -> None:
    editor.metadata["general.name"] = "long" * 30


def change_tensors(editor: kaitai_gguf.Editor) -> None:
    editor.tensors["a"] = np.ones(4, np.int8)  # changes only data, not the header
    editor.tensors.rename("b", "c")
    editor.tensors["b"] = np.ones((2, 32)), "Q8_0"


CHANGES = pytest.mark.parametrize(
    "do", [change_header, change_size, change_tensors], ids=["in place", "as a new file", "with other tensors"]
)


@forks
@CHANGES
def test_killed_at_any_call(path: Path, do: Callable[[kaitai_gguf.Editor], None]) -> None:
    old = path.read_bytes()
    before = contents(path)

    def change() -> None:
        with edit(path) as editor:
            do(editor)
            editor.commit()

    change()
    new, after = path.read_bytes(), contents(path)
    path.write_bytes(old)
    calls = count_of_calls(change)
    seen = set()
    for number in sorted({1 + calls * step // 25 for step in range(25)}):
        path.write_bytes(old)
        assert killed_at(number, change)
        found = contents(path)
        assert found in (before, after)
        seen.add(found == after)
        with edit(path) as editor:
            editor.commit()
        assert path.read_bytes() in (old, new)
        clean(path)
    assert seen == {False, True}


def count_of_calls(action: Callable[[], None]) -> int:
    """Return the number of calls of C functions."""
    calls = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal calls
        calls += event == "c_call"

    sys.setprofile(count)
    try:
        action()
    finally:
        sys.setprofile(None)
    return calls


def clean(path: Path) -> None:
    """Remove what a crash left beside a file, after asserting that it is only hidden files."""
    for other in path.parent.iterdir():
        if other != path:
            assert other.name.startswith(".")
            other.unlink()


# The modules that open and create hidden files.
HIDING = {Path(str(module.__file__)).name for module in (atomic, journal, journal_recovery, locks, opening)}


class InterruptionError(Exception):
    pass


def interrupted_at(number: int, action: Callable[[], None], signal_number: int, after: object = None) -> int:
    """Raise a signal at the n-th point where Python would handle it in these modules. Return the exit code.

    `after` limits the points to those right after calls of one C function.
    """

    handlers = [signal.getsignal(each) for each in signal.valid_signals()]

    def open_files() -> list[str]:
        folder = "/proc/self/fd"
        return sorted(os.listdir(folder)) if os.path.exists(folder) else []

    def run() -> None:
        left = number

        def count(frame: Any, event: str, argument: Any) -> None:
            nonlocal left
            if event in ("call", "c_return") and Path(frame.f_code.co_filename).name in HIDING:
                left -= after in (None, argument)
                if not left:
                    sys.setprofile(None)
                    signal.raise_signal(signal_number)

        before = open_files()
        sys.setprofile(count)
        try:
            action()
            status = 0 if left > 0 else 1
        except (KeyboardInterrupt, InterruptionError):
            status = 7 if [signal.getsignal(each) for each in signal.valid_signals()] == handlers else 1
        sys.setprofile(None)
        # Only here, the exception and its references to the interrupted frames are gone.
        os._exit(status if open_files() == before else 2)

    return os.waitstatus_to_exitcode(child(run))


@forks
@CHANGES
@pytest.mark.parametrize("signal_number", [signal.SIGINT, getattr(signal, "SIGALRM", signal.SIGINT)])
def test_interrupted_at_any_moment(path: Path, do: Callable[[kaitai_gguf.Editor], None], signal_number: int) -> None:
    """An interrupt, or the exception of another signal's handler, leaves nothing beside the file, and is not lost."""
    old, before = path.read_bytes(), contents(path)

    def fail(*_: object) -> None:
        raise InterruptionError

    def change() -> None:
        with edit(path) as editor:
            do(editor)

    child(change)
    after = contents(path)
    seen, number = set(), 1
    handler = signal.signal(signal_number, signal.default_int_handler if signal_number == signal.SIGINT else fail)
    while True:
        path.write_bytes(old)
        status = interrupted_at(number, change, signal_number)
        assert list(path.parent.iterdir()) == [path], number
        found = contents(path)
        assert found in (before, after)
        if not status:
            break
        assert status == 7, number
        seen.add(found == after)
        number += 7
    signal.signal(signal_number, handler)
    assert seen == {False, True}


@forks
@CHANGES
def test_interrupted_when_a_file_was_opened(path: Path, do: Callable[[kaitai_gguf.Editor], None]) -> None:
    """The descriptor is closed, even if nothing but a local variable has it."""
    old, number = path.read_bytes(), 1

    def change() -> None:
        with edit(path) as editor:
            do(editor)

    while (status := interrupted_at(number, change, signal.SIGINT, after=os.open)) == 7:
        path.write_bytes(old)
        number += 1
    assert (status, number > 3) == (0, True)


@forks
@pytest.mark.parametrize("grows", [False, True], ids=["in place", "as a new file"])
def test_killed_at_any_time(tmp_path: Path, grows: bool) -> None:
    path = tmp_path / "model.gguf"
    tokens = np.arange(1 << 18)  # 2 MiB, so that writing takes a moment
    kaitai_gguf.write(path, {"x": "a" * 40, "y": tokens}, {"t": np.zeros(1 << 18)})
    old, before = path.read_bytes(), contents_of(path)
    value = "b" * (80 if grows else 40)

    def change() -> None:
        with edit(path) as editor:
            editor.metadata["x"] = value
            editor.metadata["y"] = tokens[::-1]
            editor.commit()

    chance = random.Random(3)
    start = time.perf_counter()
    child(change)
    taken = time.perf_counter() - start
    after = contents_of(path)
    for _ in range(20):
        path.write_bytes(old)
        pid = os.fork()
        if not pid:
            change()
            os._exit(0)
        time.sleep(chance.uniform(0, taken))
        os.kill(pid, signal.SIGKILL)
        os.waitpid(pid, 0)
        assert contents_of(path) in (before, after)
        clean_but_journal(path)


def contents_of(path: Path) -> tuple[Any, ...]:
    with kaitai_gguf.open(path) as model:
        return model.metadata["x"], model.metadata["y"].tobytes(), model.tensors["t"].data.tobytes()


def clean_but_journal(path: Path) -> None:
    with edit(path) as editor:
        editor.commit()
    clean(path)
