"""Bytes moved from file to file."""

import errno
import os
from pathlib import Path
from typing import Any

import pytest

from kaitai_gguf.writing.transfer import transfer

pytestmark = pytest.mark.parametrize("refusal", [None, errno.EXDEV, errno.ENOSYS, errno.EOPNOTSUPP])


@pytest.fixture(autouse=True)
def _system(refusal: int | None, monkeypatch: pytest.MonkeyPatch) -> None:
    """A system that moves bytes itself, or one that can't."""
    if refusal is not None:

        def refuse(*_: Any) -> int:
            raise OSError(refusal, "can't")

        monkeypatch.setattr(os, "copy_file_range", refuse, raising=False)


def moved(tmp_path: Path, start: int, end: int, head: bytes = b"") -> tuple[bytes, list[int]]:
    done: list[int] = []
    with (tmp_path / "source").open("rb") as source, (tmp_path / "target").open("wb") as target:
        target.write(head)
        transfer(source, start, end, target, done.append)
        target.write(b"end")
    return (tmp_path / "target").read_bytes(), done


def test_a_part_of_a_file(tmp_path: Path) -> None:
    data = os.urandom(3 << 20)
    (tmp_path / "source").write_bytes(data)
    for start, end in ((0, len(data)), (5, 1 << 20), (7, 7), (len(data) - 1, len(data))):
        found, done = moved(tmp_path, start, end, b"head")
        assert found == b"head" + data[start:end] + b"end"
        assert sum(done) == end - start


def test_holes(tmp_path: Path) -> None:
    with (tmp_path / "source").open("wb") as file:
        file.seek(1 << 20)
        file.write(b"x" * 4096)
        file.truncate(1 << 22)
    found, done = moved(tmp_path, 4096, 1 << 22)
    assert found == bytes((1 << 20) - 4096) + b"x" * 4096 + bytes((1 << 22) - (1 << 20) - 4096) + b"end"
    assert sum(done) == (1 << 22) - 4096
    assert (tmp_path / "target").stat().st_blocks * 512 < 1 << 20


def test_a_file_that_is_too_short(tmp_path: Path) -> None:
    (tmp_path / "source").write_bytes(b"short")
    with (
        (tmp_path / "source").open("rb") as source,
        (tmp_path / "target").open("wb") as target,
        pytest.raises(OSError, match="shorter"),
    ):
        transfer(source, 0, 10, target, lambda _: None)


def test_other_errors_are_errors(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "source").write_bytes(b"data")
    monkeypatch.setattr(os, "copy_file_range", full, raising=False)
    monkeypatch.setattr(os, "write", full)
    with pytest.raises(OSError, match="No space left"):
        moved(tmp_path, 0, 4)
