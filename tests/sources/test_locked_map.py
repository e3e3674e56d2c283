"""Memory maps that belong to callers: modes, locks and closing."""

import mmap
from pathlib import Path

import numpy as np
import pytest

from kaitai_gguf import FileError
from kaitai_gguf.sources import Source, locks, open_map
from kaitai_gguf.sources.locked_map import LockedMap

fcntl = pytest.importorskip("fcntl")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(100)))
    return path


def is_free(path: Path) -> bool:
    """Return whether no process holds a lock on a file."""
    with path.open("rb") as file:
        try:
            locks.lock(file.fileno(), exclusive=True, wait=0)
        except BlockingIOError:
            return False
        return True


def mapped(path: Path, access: int) -> LockedMap:
    with path.open("r+b") as file:
        assert locks.lock(file.fileno(), exclusive=True)
        return LockedMap.of(file, access)


def test_a_map_has_the_lock_until_it_is_gone(path: Path) -> None:
    whole = mapped(path, mmap.ACCESS_READ)
    view = np.frombuffer(whole, np.uint8)
    del whole
    assert not is_free(path)
    del view
    assert is_free(path)


def test_closing_releases_the_lock_and_keeps_views_valid(path: Path) -> None:
    whole = mapped(path, mmap.ACCESS_WRITE)
    view = np.frombuffer(whole, np.uint8)
    whole.close()
    assert is_free(path)
    assert not whole.closed
    view[3] = 77
    assert path.read_bytes()[3] == 77
    with mapped(path, mmap.ACCESS_COPY) as copy:
        copy[0] = 1
    assert copy.closed
    assert is_free(path)
    copy.close()


@pytest.mark.parametrize(("mode", "written", "others"), [("r+", b"\xff", False), ("c", b"\x05", True)])
def test_modes(path: Path, mode: object, written: bytes, others: bool) -> None:
    def use(source: Source) -> Source:
        assert source.own_map is None  # pages of own maps may be released, which would lose changes
        source.buffer[5] = 255
        return source

    source = open_map(path, mode, use)  # type: ignore[arg-type]
    assert path.read_bytes()[5:6] == written
    assert not is_free(path)
    with path.open("rb") as file:
        if others:
            assert locks.lock(file.fileno(), exclusive=False, wait=0)
        else:
            with pytest.raises(BlockingIOError):
                locks.lock(file.fileno(), exclusive=False, wait=0)
    source.buffer.close()


def test_an_error_lets_go_of_the_file(path: Path) -> None:
    def fail(source: Source) -> None:
        raise ValueError(len(source.buffer))

    with pytest.raises(ValueError, match="100"):
        open_map(path, "r+", fail)
    assert is_free(path)


def test_what_can_not_be_mapped(tmp_path: Path) -> None:
    (tmp_path / "empty").touch()
    assert open_map(tmp_path / "empty", "r+", lambda source: source.buffer) == b""
    for missing in (tmp_path, tmp_path / "none"):
        with pytest.raises(FileError):
            open_map(missing, "r+", lambda source: source)
