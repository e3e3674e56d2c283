"""Kills, errors and interrupts at any step of writing: right before the n-th call that changes a file."""

import io
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import pytest

from kaitai_gguf import FileError

FILE_CALLS = {"write", "flush", "truncate"}
OS_CALLS = {"copy_file_range", "fsync", "link", "mkdir", "rename", "replace", "sendfile", "unlink", "utime"}

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


def is_step(function: Any) -> bool:
    if isinstance(function.__self__, io.IOBase):
        return function.__name__ in FILE_CALLS
    return function.__name__ in OS_CALLS and function.__module__ == os.name


@contextmanager
def at_step(number: int, act: Callable[[], object]) -> Iterator[list[str]]:
    """Call `act` right before the n-th step of the block, once. Yield the names of the steps so far."""
    steps: list[str] = []

    def profile(frame: object, event: str, function: Any) -> None:
        if event == "c_call" and is_step(function):
            steps.append(function.__name__)
            if len(steps) == number:
                act()  # an exception is raised where the call is made

    sys.setprofile(profile)
    try:
        yield steps
    finally:
        sys.setprofile(None)


def full_disk() -> None:
    raise OSError(28, "No space left on device")


def interrupt() -> None:
    raise KeyboardInterrupt


def child(action: Callable[[], object]) -> int:
    """Run an action in a child process, and return its exit code; negative if a signal has killed it."""
    pid = os.fork()
    if not pid:
        try:
            action()
            os._exit(0)
        finally:
            os._exit(1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])


def killed_at(number: int, action: Callable[[], object]) -> bool:
    """Run an action in a process that is killed at its n-th step. Return whether it got that far."""

    def run() -> None:
        with at_step(number, lambda: os.kill(os.getpid(), signal.SIGKILL)):
            action()

    status = child(run)
    assert status in (0, -signal.SIGKILL)
    return status != 0


def fails_at(number: int, fault: Callable[[], object], action: Callable[[], object]) -> bool:
    """Run an action whose n-th step fails. Return whether it got that far. It may raise `FileError`."""
    with at_step(number, fault) as steps, suppress(FileError, KeyboardInterrupt):
        action()
    return len(steps) >= number
