"""Headers changed in place: after any crash, the file has the old or the new header."""

import io
import os
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, NotGGUFError
from kaitai_gguf.sources.journal_recovery import forget, journal_head, journal_of
from kaitai_gguf.writing import atomic
from kaitai_gguf.writing.journal import overwrite

SECTOR = 512
DATA = bytes(range(256)) * 5


def model(name: str) -> bytes:
    """Build a file. Two files with different names differ in the names of all tensors, and in little else."""
    tensors = [TensorSpec(f"{name}.{number}", (8,), 24, 32 * number) for number in range(40)]
    return Model([("x", "string", name)], tensors, DATA).build()


OLD, NEW = model("before"), model("behind")
HEADER = len(OLD) - len(DATA)
JOURNAL = journal_head(len(OLD), OLD[:HEADER]) + OLD[:HEADER]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(OLD)
    return path


@pytest.fixture
def interrupted(path: Path) -> Path:
    """Return a half-changed file, with its journal."""
    journal_of(path).write_bytes(JOURNAL)
    path.write_bytes(b"GGU~" + NEW[4 : HEADER // 2] + OLD[HEADER // 2 :])
    return path


def whole(path: Path, **options: bool) -> bytes:
    """Open a file, assert that it is consistent, and return all of its bytes."""
    with kaitai_gguf.open(path, **options) as model:
        names = [*model.tensors, model.metadata["x"]]
        assert len({name.partition(".")[0] for name in map(str, names)}) == 1
        assert b"".join(tensor.data.tobytes() for tensor in model.tensors.values())
        return bytes(model.buffer)


@pytest.mark.parametrize("is_owner", [True, False])
def test_the_time_always_increases(path: Path, is_owner: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only the owner of a file may set any time; others who may write to it can only set the current time."""
    utime = os.utime

    def set_time(name: Path, ns: tuple[int, int] | None = None) -> None:
        if ns is None:
            utime(name)
        elif is_owner or name != path:
            utime(name, ns=ns)
        else:
            raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "utime", lambda name, ns=None, **_: set_time(name, ns))
    for old, new in ((OLD, NEW), (NEW, OLD)) * 3:
        before = path.stat().st_mtime_ns
        with path.open("r+b") as file:
            overwrite(path, file, old[:HEADER], new[:HEADER])
        assert path.read_bytes() == new
        assert path.stat().st_mtime_ns > before
    assert list(path.parent.iterdir()) == [path]


def test_any_part_of_a_write_may_be_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After a power failure, any sector that was not synced may be old or new."""
    states: list[tuple[bytes, bytes | None]] = []
    fsync = os.fsync

    def note(file: int) -> None:
        fsync(file)
        beside = journal_of(path)
        states.append((path.read_bytes(), beside.read_bytes() if beside.exists() else None))

    monkeypatch.setattr(os, "fsync", note)
    with path.open("r+b") as file:
        overwrite(path, file, OLD[:HEADER], NEW[:HEADER])
    states.append((path.read_bytes(), None))
    seen = set()
    chance = random.Random(5)
    for (before, kept), (after, next_kept) in zip([(OLD, None), *states], states, strict=False):
        for trial in range(40):
            torn = [
                (after if chance.random() < trial / 39 else before)[start : start + SECTOR]
                for start in range(0, len(OLD), SECTOR)
            ]
            path.write_bytes(b"".join(torn))
            forget(path)
            beside = chance.choice([kept, next_kept])
            if beside is not None:
                journal_of(path).write_bytes(beside)
            seen.add(whole(path))
    assert seen == {OLD, NEW}


class Full(io.FileIO):
    """A file on a disk that is full from the n-th write on. The failing write writes half of its bytes."""

    def __init__(self, path: Path, number: int) -> None:
        super().__init__(path, "r+")
        self._left = number

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._left -= 1
        if self._left > 0:
            return super().write(data)
        super().write(data[: len(data) // 2])
        raise OSError(28, "No space left on device")


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_disk_that_stays_full(path: Path, number: int) -> None:
    """The old header can't be restored in the file, so the journal stays."""
    with Full(path, number) as file, pytest.raises(FileError, match="No space left"):
        overwrite(path, file, OLD[:HEADER], NEW[:HEADER])  # type: ignore[arg-type]
    assert whole(path) == OLD


# Interrupted changes


@pytest.mark.parametrize("options", [{}, {"mmap": False}], ids=["mapped", "read"])
def test_an_interrupted_file_reads_as_the_old_one(interrupted: Path, options: dict[str, bool], tmp_path: Path) -> None:
    before = interrupted.read_bytes()
    (tmp_path / "link").symlink_to(interrupted)
    for path in (interrupted, tmp_path / "link"):
        assert whole(path, **options) == OLD
    with kaitai_gguf.open(interrupted, **options) as model:
        assert not model.tensors["before.1"].data.flags.writeable
        for name in ("copy", "again"):  # copying releases pages of the map
            kaitai_gguf.write(tmp_path / name, model.metadata, model.tensors)
            assert (tmp_path / name).read_bytes() == OLD
    assert interrupted.read_bytes() == before


@pytest.mark.parametrize(
    "replace",
    [
        lambda path: kaitai_gguf.write(path, (model := kaitai_gguf.open(path)).metadata, model.tensors),
        lambda path: kaitai_gguf.convert(path, path, overwrite=True),
        lambda path: kaitai_gguf.edit(path).commit(),
    ],
    ids=["write", "convert", "edit"],
)
def test_the_next_writer_repairs_the_file(interrupted: Path, replace: Callable[[Path], None]) -> None:
    replace(interrupted)
    assert interrupted.read_bytes() == OLD
    assert list(interrupted.parent.iterdir()) == [interrupted]


@pytest.mark.parametrize("growth", [0, 1000])
def test_the_next_edit_may_change_the_file(interrupted: Path, growth: int) -> None:
    with kaitai_gguf.edit(interrupted) as editor:
        editor.metadata["x"] = "before" + "e" * growth
        editor.tensors.rename("before.1", "befare.1")
        assert editor.fits == (not growth)
    assert list(interrupted.parent.iterdir()) == [interrupted]
    with kaitai_gguf.open(interrupted) as model:
        assert "befare.1" in model.tensors
        assert model.tensors["before.2"].data.tobytes() == DATA[64:72]


def test_the_journal_stays_until_the_file_is_replaced(interrupted: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(FileError, match="already exists"):
        kaitai_gguf.write(interrupted, {}, {}, overwrite=False)
    with pytest.raises(ZeroDivisionError), kaitai_gguf.Writer(interrupted):
        _ = 1 / 0
    kaitai_gguf.write(interrupted.with_name("another.gguf"), {}, {})
    assert whole(interrupted) == OLD
    seen: list[tuple[bool, bool]] = []

    def note(folder: Path) -> None:
        seen.append((interrupted.read_bytes().startswith(b"GGUF"), journal_of(interrupted).exists()))

    monkeypatch.setattr(atomic, "sync_folder", note)
    kaitai_gguf.write(interrupted, {}, {})
    assert seen == [(True, True)]
    assert not journal_of(interrupted).exists()


def test_the_journal_of_a_valid_file_is_ignored(interrupted: Path) -> None:
    interrupted.write_bytes(NEW)
    assert whole(interrupted) == NEW


def changed(position: int) -> Callable[[Path], object]:
    """Return what flips a bit of the journal."""
    journal = bytearray(JOURNAL)
    journal[position] ^= 1
    return lambda path: journal_of(path).write_bytes(journal)


def a_pipe(path: Path) -> None:
    journal_of(path).unlink()
    getattr(os, "mkfifo", Path.mkdir)(journal_of(path))


def of_a_file_that_is_shorter_than_the_header(path: Path) -> None:
    path.write_bytes(b"GGU~")
    journal_of(path).write_bytes(journal_head(4, OLD[:HEADER]) + OLD[:HEADER])


@pytest.mark.parametrize(
    "damage",
    [
        *map(changed, (0, 24, 32, 40, 100, -1)),
        lambda path: journal_of(path).write_bytes(b""),
        lambda path: journal_of(path).unlink(),
        a_pipe,
        lambda path: path.write_bytes(b"GGU~".ljust(len(OLD) + 1, b"\0")),
        of_a_file_that_is_shorter_than_the_header,
    ],
)
def test_a_journal_that_is_damaged_or_of_another_file(interrupted: Path, damage: Callable[[Path], object]) -> None:
    damage(interrupted)
    with pytest.raises(NotGGUFError, match="last change was interrupted, and its journal is missing"):
        kaitai_gguf.open(interrupted)
