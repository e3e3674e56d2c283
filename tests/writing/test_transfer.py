"""Copying from file to file: by the system, or by reading and writing."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from kaitai_gguf.writing.transfer import transfer

PAGE = 4096

# The system's copy_file_range works, refuses, copies nothing, or copies a few bytes at a time.
systems = pytest.mark.parametrize("system", ["whole", "EXDEV", "nothing", "short"])
needs_system_calls = pytest.mark.skipif(not hasattr(os, "copy_file_range"), reason="the system has no copy_file_range")


@pytest.fixture
def calls(system: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Return the positions for which the system call was made."""
    made: list[tuple[int, int]] = []
    real = getattr(os, "copy_file_range", None)

    def copy(source: int, target: int, nbytes: int, start: int, position: int) -> int:
        made.append((start, position))
        if system.startswith("E") or real is None:
            raise OSError(getattr(errno, system, errno.ENOSYS), "refused")
        if system == "nothing":
            return 0
        return real(source, target, min(nbytes, 300_000) if system == "short" else nbytes, start, position)

    monkeypatch.setattr(os, "copy_file_range", copy, raising=False)
    return made


def copied(tmp_path: Path, start: int, end: int, head: bytes = b"", mode: str = "wb") -> tuple[bytes, list[int]]:
    done: list[int] = []
    (tmp_path / "target").unlink(missing_ok=True)
    with (tmp_path / "source").open("rb", buffering=0) as source, (tmp_path / "target").open(mode) as target:
        target.write(head)
        transfer(source, start, end, target, done.append)  # type: ignore[arg-type]
        target.write(b"end")
    return (tmp_path / "target").read_bytes(), done


@systems
@pytest.mark.usefixtures("calls")
def test_a_part_of_a_file(tmp_path: Path) -> None:
    data = os.urandom(1 << 20)
    (tmp_path / "source").write_bytes(data)
    for start, end in ((0, len(data)), (5, 1 << 19), (7, 7), (len(data) - 1, len(data)), (PAGE + 4, 1 << 20)):
        for head, mode in ((b"", "wb"), (b"head", "ab"), (bytes(PAGE), "wb")):
            found, done = copied(tmp_path, start, end, head, mode)
            assert found == head + data[start:end] + b"end"
            assert sum(done) == end - start


@systems
@pytest.mark.usefixtures("calls")
def test_holes(tmp_path: Path) -> None:
    with (tmp_path / "source").open("wb") as file:
        file.seek(1 << 20)
        file.write(b"x" * 4096)
        file.truncate(1 << 22)
    found, done = copied(tmp_path, 4096, 1 << 22)
    assert found == bytes((1 << 20) - 4096) + b"x" * 4096 + bytes((1 << 22) - (1 << 20) - 4096) + b"end"
    assert sum(done) == (1 << 22) - 4096
    assert (tmp_path / "target").stat().st_blocks * 512 < 1 << 20


@needs_system_calls
@pytest.mark.parametrize("system", ["whole"])
def test_the_system_copies_where_pages_align(tmp_path: Path, calls: list[tuple[int, int]]) -> None:
    """The system copies from the start of a block on, because only whole blocks can be shared."""
    data = os.urandom(1 << 20)
    (tmp_path / "source").write_bytes(data)
    assert copied(tmp_path, 100, 1 << 20, bytes(100))[0] == bytes(100) + data[100:] + b"end"
    assert calls == [(100, 100), (1 << 16, 1 << 16)]
    calls.clear()
    assert copied(tmp_path, 100, 1 << 20, bytes(132))[0] == bytes(132) + data[100:] + b"end"
    assert calls == []


@pytest.mark.parametrize("system", ["EXDEV", "nothing"])
def test_a_system_that_refuses_is_asked_once(tmp_path: Path, calls: list[tuple[int, int]]) -> None:
    (tmp_path / "source").write_bytes(bytes(3 << 20))
    copied(tmp_path, 0, 3 << 20)
    assert calls == [(0, 0)]


@systems
@pytest.mark.usefixtures("calls")
def test_a_file_that_is_too_short(tmp_path: Path) -> None:
    path = tmp_path / "source"
    path.write_bytes(b"short")
    for end in (10, 100_000):
        with pytest.raises(OSError, match="has become shorter"):
            copied(tmp_path, 0, end)
    path.write_bytes(os.urandom(1 << 20))
    with path.open("rb", buffering=0) as source, (tmp_path / "target").open("wb") as target:
        target.write(b"head")
        with pytest.raises(OSError, match="has become shorter"):
            transfer(source, 0, 1 << 20, target, lambda _: os.truncate(path, 5))


@pytest.mark.parametrize("function", ["copy_file_range", "write"])
def test_other_errors_are_errors(function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "source").write_bytes(b"data")
    monkeypatch.setattr(os, function, full, raising=False)
    with pytest.raises(OSError, match="No space left"):
        copied(tmp_path, 0, 4, b"" if function == "copy_file_range" else b"head")
