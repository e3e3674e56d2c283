"""Bytes copied from file to file."""

import errno
import os
import tempfile
from pathlib import Path
from typing import Any

import pytest

from kaitai_gguf.writing.transfer import transfer

PAGE = 4096
REFUSALS = [None, errno.EXDEV, errno.EINVAL, errno.ENOSYS, errno.EOPNOTSUPP, errno.EPERM, errno.ETXTBSY]

refusals = pytest.mark.parametrize(
    "refusal", REFUSALS, ids=lambda number: "none" if number is None else errno.errorcode[number]
)
needs_system_calls = pytest.mark.skipif(not hasattr(os, "copy_file_range"), reason="the system has no copy_file_range")


@pytest.fixture
def system(refusal: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Use the system's `copy_file_range`, or one that refuses."""
    if refusal is not None:

        def refuse(*_: Any) -> int:
            raise OSError(refusal, "refused")

        monkeypatch.setattr(os, "copy_file_range", refuse, raising=False)


def copied(tmp_path: Path, start: int, end: int, head: bytes = b"", mode: str = "wb") -> tuple[bytes, list[int]]:
    done: list[int] = []
    (tmp_path / "target").unlink(missing_ok=True)
    with (tmp_path / "source").open("rb", buffering=0) as source, (tmp_path / "target").open(mode) as target:
        target.write(head)
        transfer(source, start, end, target, done.append)  # type: ignore[arg-type]
        target.write(b"end")
    return (tmp_path / "target").read_bytes(), done


@refusals
@pytest.mark.usefixtures("system")
def test_a_part_of_a_file(tmp_path: Path) -> None:
    data = os.urandom(3 << 20)
    (tmp_path / "source").write_bytes(data)
    for start, end in ((0, len(data)), (5, 1 << 20), (7, 7), (len(data) - 1, len(data)), (PAGE + 4, 1 << 20)):
        for head in (b"", b"head", bytes(PAGE)):
            found, done = copied(tmp_path, start, end, head)
            assert found == head + data[start:end] + b"end"
            assert sum(done) == end - start


@refusals
@pytest.mark.usefixtures("system")
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
def test_the_system_copies_where_pages_align(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system copies from the start of a block on, because only whole blocks can be shared."""
    calls = []
    system = os.copy_file_range

    def spy(source: int, target: int, nbytes: int, start: int, position: int) -> int:
        calls.append((start, position))
        return system(source, target, nbytes, start, position)

    monkeypatch.setattr(os, "copy_file_range", spy)
    data = os.urandom(1 << 20)
    (tmp_path / "source").write_bytes(data)
    assert copied(tmp_path, 100, 1 << 20, bytes(100))[0] == bytes(100) + data[100:] + b"end"
    assert calls == [(100, 100), (1 << 16, 1 << 16)]
    calls.clear()
    assert copied(tmp_path, 100, 1 << 20, bytes(132))[0] == bytes(132) + data[100:] + b"end"
    assert calls == []


@needs_system_calls
def test_a_system_that_copies_less_than_it_should(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    system = os.copy_file_range
    calls = []

    def short(source: int, target: int, nbytes: int, start: int, position: int) -> int:
        calls.append(nbytes)
        return system(source, target, min(nbytes, 1000), start, position) if len(calls) < 5 else 0

    monkeypatch.setattr(os, "copy_file_range", short)
    data = os.urandom(100_000)
    (tmp_path / "source").write_bytes(data)
    found, done = copied(tmp_path, 0, 100_000)
    assert found == data + b"end"
    assert (len(calls), done[:4], sum(done)) == (5, [1000] * 4, 100_000)


def test_another_file_system(tmp_path: Path) -> None:
    shared = Path("/dev/shm")
    if not os.access(shared, os.W_OK) or shared.stat().st_dev == tmp_path.stat().st_dev:
        pytest.skip("/dev/shm is not a second, writable file system")
    data = os.urandom(1 << 20)
    with tempfile.TemporaryDirectory(dir=shared) as folder:
        for source, target in ((tmp_path, Path(folder)), (Path(folder), tmp_path), (Path(folder), Path(folder))):
            (source / "source").write_bytes(data)
            with (source / "source").open("rb", buffering=0) as file, (target / "target").open("wb") as other:
                transfer(file, 0, 1 << 20, other, lambda _: None)
            assert (target / "target").read_bytes() == data


def test_a_target_that_is_open_for_appending(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"x" * 10_000)
    assert copied(tmp_path, 0, 10_000, b"head", "ab")[0] == b"head" + b"x" * 10_000 + b"end"


@refusals
@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("end", [10, 100_000])
def test_a_file_that_is_too_short(end: int, tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"short")
    with pytest.raises(OSError, match="has become shorter"):
        copied(tmp_path, 0, end)


@refusals
@pytest.mark.usefixtures("system")
def test_a_file_that_becomes_shorter(tmp_path: Path) -> None:
    path = tmp_path / "source"
    path.write_bytes(os.urandom(1 << 20))
    with path.open("rb", buffering=0) as source, (tmp_path / "target").open("wb") as target:
        target.write(b"head")
        with pytest.raises(OSError, match="has become shorter"):
            transfer(source, 0, 1 << 20, target, lambda _: os.truncate(path, 5))


def test_other_errors_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "source").write_bytes(b"data")
    monkeypatch.setattr(os, "copy_file_range", full, raising=False)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        copied(tmp_path, 0, 4)
