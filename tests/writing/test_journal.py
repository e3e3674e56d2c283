"""Headers changed in place: after any crash, the file has the old or the new header."""

import os
import random
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, NotGGUFError
from kaitai_gguf.sources.journal_recovery import forget, journal_head, journal_of, restored
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


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(OLD)
    return path


def change(path: Path) -> None:
    with path.open("r+b") as file:
        overwrite(path, file, OLD[:HEADER], NEW[:HEADER])


def whole(path: Path, **options: bool) -> bytes:
    """Open a file, assert that it is consistent, and return all of its bytes."""
    with kaitai_gguf.open(path, **options) as model:
        names = [*model.tensors, model.metadata["x"]]
        assert len({name.partition(".")[0] for name in map(str, names)}) == 1
        assert b"".join(tensor.data.tobytes() for tensor in model.tensors.values())
        return bytes(model.buffer)


def test_a_change(path: Path) -> None:
    change(path)
    assert path.read_bytes() == NEW
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
    change(path)
    states.append((path.read_bytes(), None))
    seen = set()
    chance = random.Random(5)
    for (before, kept), (after, next_kept) in zip([(OLD, None), *states], states, strict=False):
        for trial in range(40):
            share = trial / 39
            torn = [
                (after if chance.random() < share else before)[start : start + SECTOR]
                for start in range(0, len(OLD), SECTOR)
            ]
            path.write_bytes(b"".join(torn))
            forget(path)
            beside = chance.choice([kept, next_kept])
            if beside is not None:
                journal_of(path).write_bytes(beside)
            seen.add(whole(path))
    assert seen == {OLD, NEW}


@pytest.mark.parametrize("options", [{}, {"mmap": False}], ids=["mapped", "read"])
def test_an_interrupted_change_reads_as_if_it_had_not_begun(path: Path, options: dict[str, bool]) -> None:
    overwritten(path)
    before = path.read_bytes()
    assert before.startswith(b"GGU~")
    assert whole(path, **options) == OLD
    assert path.read_bytes() == before
    with kaitai_gguf.open(path, **options) as model:
        assert not model.tensors["before.1"].data.flags.writeable


def overwritten(path: Path) -> None:
    """Leave a half-changed file, with its journal."""
    kept: list[bytes] = []

    class File:
        def __getattr__(self, name: str) -> Callable[..., object]:
            if name == "seek":
                kept.append(journal_of(path).read_bytes())
            return getattr(file, name)  # type: ignore[no-any-return]

    with path.open("r+b") as file:
        overwrite(path, File(), OLD[:HEADER], NEW[:HEADER])  # type: ignore[arg-type]
    journal_of(path).write_bytes(kept[0])
    path.write_bytes(b"GGU~" + NEW[4 : HEADER // 2] + OLD[HEADER // 2 :])


def test_a_file_that_takes_the_place_of_a_half_changed_one_leaves_no_journal(path: Path) -> None:
    for replace in (
        lambda model: kaitai_gguf.write(path, model.metadata, model.tensors),
        lambda model: kaitai_gguf.convert(model, path, overwrite=True),
    ):
        overwritten(path)
        with kaitai_gguf.open(path) as model:
            replace(model)
        assert path.read_bytes() == OLD
        assert list(path.parent.iterdir()) == [path]


def test_a_file_that_does_not_take_the_place_of_a_half_changed_one_leaves_the_journal(path: Path) -> None:
    overwritten(path)
    with pytest.raises(FileError, match="already exists"):
        kaitai_gguf.write(path, {}, {}, overwrite=False)
    with pytest.raises(ZeroDivisionError), kaitai_gguf.Writer(path):
        _ = 1 / 0
    kaitai_gguf.write(path.with_name("another.gguf"), {}, {})
    assert whole(path) == OLD


def test_the_journal_is_removed_once_the_new_file_is_on_the_disk(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    overwritten(path)
    seen: list[tuple[bool, bool]] = []

    def note(folder: Path) -> None:
        seen.append((path.read_bytes().startswith(b"GGUF"), journal_of(path).exists()))

    monkeypatch.setattr(atomic, "sync_folder", note)
    kaitai_gguf.write(path, {}, {})
    assert seen == [(True, True)]
    assert not journal_of(path).exists()


def test_through_a_link(path: Path, tmp_path: Path) -> None:
    overwritten(path)
    link = tmp_path / "elsewhere"
    link.symlink_to(path)
    assert whole(link) == OLD


def test_pieces_of_an_interrupted_file(path: Path, tmp_path: Path) -> None:
    """Copying releases pages of the map, and the file on disk has a half-written header."""
    overwritten(path)
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.write(tmp_path / "copy", model.metadata, model.tensors)
        kaitai_gguf.write(tmp_path / "again", model.metadata, model.tensors)
    assert (tmp_path / "copy").read_bytes() == (tmp_path / "again").read_bytes() == OLD


def test_the_next_change_puts_it_right(path: Path) -> None:
    overwritten(path)
    with kaitai_gguf.edit(path) as editor:
        editor.commit()
    assert path.read_bytes() == OLD
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("growth", [0, 1000])
def test_the_next_change_may_be_one(path: Path, growth: int) -> None:
    overwritten(path)
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["x"] = "before" + "e" * growth
        editor.tensors.rename("before.1", "befare.1")
        assert editor.fits == (not growth)
        editor.commit()
    assert list(path.parent.iterdir()) == [path]
    with kaitai_gguf.open(path) as model:
        assert "befare.1" in model.tensors
        assert model.tensors["before.2"].data.tobytes() == DATA[64:72]


def spoil(position: int) -> Callable[[Path], None]:
    def spoil(path: Path) -> None:
        data = bytearray(path.read_bytes())
        data[position] ^= 1
        path.write_bytes(data)

    return spoil


@pytest.mark.parametrize(
    "damage",
    [Path.unlink, lambda path: path.write_bytes(b""), spoil(0), spoil(24), spoil(32), spoil(40), spoil(100), spoil(-1)],
)
def test_a_journal_that_is_not_it(path: Path, damage: Callable[[Path], None]) -> None:
    overwritten(path)
    damage(journal_of(path))
    with pytest.raises(NotGGUFError, match="last change was interrupted, and its journal is missing"):
        kaitai_gguf.open(path)


def test_a_journal_of_a_file_of_another_size(path: Path) -> None:
    overwritten(path)
    with path.open("ab") as file:
        file.write(b"x")
    with path.open("rb") as file:
        assert restored(str(path), file, None) is None


def test_a_journal_of_a_header_that_is_larger_than_the_file(path: Path) -> None:
    path.write_bytes(b"GGU~")
    old = OLD[:HEADER]
    with path.open("r+b") as file:
        journal_of(path).write_bytes(journal_head(4, old) + old)
        assert restored(str(path), file, None) is None


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_journal_that_is_no_file(path: Path) -> None:
    overwritten(path)
    journal_of(path).unlink()
    os.mkfifo(journal_of(path))
    with pytest.raises(NotGGUFError):
        kaitai_gguf.open(path)


def test_a_journal_beside_a_valid_file_is_not_looked_at(path: Path) -> None:
    overwritten(path)
    path.write_bytes(NEW)
    assert whole(path) == NEW


# Errors


class Failing:
    """A file whose writes fail from the n-th to the m-th."""

    def __init__(self, file: BinaryIO, first: int, last: int) -> None:
        self._file = file
        self._count = 0
        self._failing = range(first, last)

    def write(self, data: bytes) -> int:
        self._count += 1
        if self._count in self._failing:
            self._file.write(data[: len(data) // 2])
            raise OSError(28, "No space left on device")
        return self._file.write(data)

    def __getattr__(self, name: str) -> object:
        return getattr(self._file, name)


@pytest.mark.parametrize("number", [1, 2, 3])
def test_a_write_that_fails_is_undone(path: Path, number: int) -> None:
    with path.open("r+b") as file, pytest.raises(FileError, match="No space left"):
        overwrite(path, Failing(file, number, number + 1), OLD[:HEADER], NEW[:HEADER])  # type: ignore[arg-type]
    assert path.read_bytes() == OLD
    assert list(path.parent.iterdir()) == [path]


@pytest.mark.parametrize("number", [2, 3])
def test_when_nothing_can_be_written_any_more_the_journal_stays(path: Path, number: int) -> None:
    with path.open("r+b") as file, pytest.raises(FileError, match="No space left"):
        overwrite(path, Failing(file, number, 99), OLD[:HEADER], NEW[:HEADER])  # type: ignore[arg-type]
    assert whole(path) == OLD


def test_a_file_whose_time_only_its_owner_may_set(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A user who may write to the file but not set its time can edit it, and its time still increases."""
    utime = os.utime

    def refuse(descriptor: int, ns: tuple[int, int] | None = None) -> None:
        if ns is not None:
            raise PermissionError(1, "Operation not permitted")
        utime(descriptor)

    monkeypatch.setattr(os, "utime", refuse)
    monkeypatch.setattr(os, "supports_fd", {refuse})
    change(path)
    one = path.stat().st_mtime_ns
    with path.open("r+b") as file:
        overwrite(path, file, NEW[:HEADER], OLD[:HEADER])
    assert path.stat().st_mtime_ns > one
    assert path.read_bytes() == OLD
    assert list(path.parent.iterdir()) == [path]


def test_a_journal_that_can_not_be_written(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> int:
        raise PermissionError(13, "Permission denied")

    with path.open("r+b") as file:
        monkeypatch.setattr(os, "open", refuse)
        with pytest.raises(FileError, match="Permission denied"):
            overwrite(path, file, OLD[:HEADER], NEW[:HEADER])
    assert path.read_bytes() == OLD
