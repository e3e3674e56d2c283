"""Concurrent edits, and edits of unusual files: long names, links, owners, padding."""

import multiprocessing
import os
import stat
from collections.abc import Callable, Iterator
from multiprocessing.synchronize import Barrier
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.faults import forks

import kaitai_gguf
from kaitai_gguf import FileError, GGUFError, GGUFFile, WriteError, convert, edit, write
from kaitai_gguf.sources.journal_recovery import journal_of
from kaitai_gguf.sources.locks import WriterLock

VALUES = np.arange(4096, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    make(path)
    return path


def make(path: Path) -> None:
    write(path, {"a": "x" * 100, "b": "y" * 100}, {"t": VALUES, "u": VALUES[::-1].copy()})


def rename(path: Path, value: str = "z" * 100, **options: bool) -> None:
    with edit(path) as editor:
        editor.metadata["a"] = value
        editor.commit(**options)


def rename_to_longer(path: Path) -> None:
    rename(path, "long" * 200)


def value_in(path: Path, key: str = "a") -> object:
    with kaitai_gguf.open(path) as model:
        return model.metadata[key]


# Two at once

ROUNDS = 15


def editing(key: str, growth: int) -> Callable[[Path, int], None]:
    def change(path: Path, number: int) -> None:
        with edit(path) as editor:
            editor.metadata[key] = f"{key}{number}".ljust(100 + growth * (number + 1), "z")

    return change


def converting(**options: Any) -> Callable[[Path, int], None]:
    return lambda path, _: convert(path, path, overwrite=True, **options)


def work(
    path: Path, name: str, change: Callable[[Path, int], None], barriers: tuple[Barrier, Barrier], results: Any
) -> None:
    for number in range(ROUNDS):
        barriers[0].wait()
        try:
            change(path, number)
            results.put((name, True))
        except GGUFError:
            results.put((name, False))
        except BaseException as error:
            results.put((name, repr(error)))
        barriers[1].wait()


def raced(path: Path, **changes: Callable[[Path, int], None]) -> Iterator[tuple[int, dict[str, bool], GGUFFile]]:
    """Make changes in a process each. Yield for each round its number, which of them succeeded, and the model."""
    context = multiprocessing.get_context("fork")
    barriers, results = (context.Barrier(len(changes) + 1), context.Barrier(len(changes) + 1)), context.Queue()
    processes = [context.Process(target=work, args=(path, *each, barriers, results)) for each in changes.items()]
    for process in processes:
        process.start()
    for number in range(ROUNDS):
        make(path)
        barriers[0].wait()
        barriers[1].wait()
        told = dict(results.get() for _ in changes)
        assert any(told.values())
        with kaitai_gguf.open(path, mmap=False) as model:
            assert np.array_equal(model.tensors["t"].data, VALUES)
            assert np.array_equal(model.tensors["u"].data, VALUES[::-1])
            yield number, told, model
        assert list(path.parent.iterdir()) == [path]
    for process in processes:
        process.join()


RACES = {
    "grow and grow": {"a": editing("a", 50), "b": editing("b", 90)},
    "grow and in place": {"a": editing("a", 50), "b": editing("b", 0)},
    "in place": {"a": editing("a", 0), "b": editing("b", 0)},
    "two conversions": {
        "a": editing("a", 50),
        "version": converting(version=2),
        "byte order": converting(byte_order="big"),
    },
}


@forks
@pytest.mark.parametrize("race", RACES)
def test_each_of_several_changes_is_kept_or_told(path: Path, race: str) -> None:
    for number, told, model in raced(path, **RACES[race]):
        kept = {key: model.metadata[key].startswith(f"{key}{number}z") for key in "ab"}
        kept |= {"version": model.version == 2, "byte order": model.byte_order == "big"}
        assert told == {name: kept[name] for name in told}


@pytest.mark.parametrize("value", ["z" * 100, "long" * 200], ids=["in place", "as a new file"])
@pytest.mark.parametrize(
    "change", [rename, rename_to_longer, lambda path: path.write_bytes(path.read_bytes() + b"x"), Path.unlink]
)
def test_an_editor_that_was_overtaken(path: Path, change: Callable[[Path], object], value: str) -> None:
    with edit(path) as editor:
        editor.metadata["b"] = value
        change(path)
        after = path.exists() and path.read_bytes()
        with pytest.raises(FileError, match="was changed by another program since it was opened"):
            editor.commit()
        assert editor.metadata["a"] == "x" * 100  # the editor keeps what it has read
    assert (path.exists() and path.read_bytes()) == after


@pytest.mark.parametrize(
    "use",
    [
        rename,
        rename_to_longer,
        lambda path: write(path, {}, {}),
        lambda path: convert(path, path, overwrite=True, version=2),
    ],
    ids=["in place", "as a new file", "write", "convert"],
)
def test_nothing_is_written_without_the_lock(
    path: Path, use: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WriterLock.__init__, "__defaults__", (0.01,))
    before = path.read_bytes()
    with WriterLock(path), pytest.raises(FileError, match="is being written by another program"):
        use(path)
    assert (path.read_bytes(), list(path.parent.iterdir())) == (before, [path])
    use(path)


# Unusual files


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_journal_is_as_private_as_its_model(path: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(mode)
    modes, fsync = set(), os.fsync

    def look(file: int) -> None:
        if journal_of(path).exists():
            modes.add(stat.S_IMODE(journal_of(path).stat().st_mode))
        fsync(file)

    monkeypatch.setattr(os, "fsync", look)
    rename(path)
    assert modes == {mode} == {stat.S_IMODE(path.stat().st_mode)}


def test_a_path_that_is_relative(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with edit(path.name) as editor:
        editor.metadata["a"] = "long" * 200
        monkeypatch.chdir(tmp_path / "elsewhere")
    assert value_in(path) == "long" * 200


def test_padding_is_not_written_unasked(path: Path) -> None:
    """An edit could make 2 GiB of a file of 136 bytes with an alignment of 2 GiB."""
    write(path, {"general.alignment": np.uint32(1 << 31), "a": "x"}, {})
    before = path.read_bytes().ljust(136, b"\0")
    path.write_bytes(before)
    with edit(path) as editor:
        editor.metadata["a"] = "long"
        with pytest.raises(WriteError, match="bytes of padding to"):
            editor.commit()
        assert path.read_bytes() == before
        editor.commit(allow_padding=True)
    assert path.stat().st_size == 1 << 31
    assert path.stat().st_blocks * 512 < 1 << 20


@pytest.mark.skipif(not hasattr(os, "chown"), reason="no owners")
def test_a_file_that_replaces_another_has_its_owner(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    owners: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "chown", lambda file, user, group: owners.append((user, group)))
    before = path.stat()
    rename_to_longer(path)
    assert owners == [(before.st_uid, before.st_gid)]


@pytest.mark.parametrize("has_link", [False, True])
@pytest.mark.parametrize("options", [{}, {"rewrite": True}, {"overwrite": True}, {"output": "", "overwrite": True}])
def test_whether_a_file_is_changed_in_place(path: Path, options: dict[str, Any], has_link: bool) -> None:
    """The other hard link of a file may be a backup, which a crash would damage."""
    before, other = path.stat().st_ino, path.with_name("other.gguf")
    options = options | ({"output": path} if "output" in options else {})
    if has_link:
        os.link(path, other)
    with edit(path) as editor:
        editor.metadata["a"] = "z" * 100
        with pytest.raises(FileError, match="already exists"):
            editor.commit(path)
        editor.commit(**options)
    assert (path.stat().st_ino == before) == (options.keys() <= {"overwrite"} and not has_link)
    assert (value_in(path), value_in(other) if has_link else "x" * 100) == ("z" * 100, "x" * 100)
