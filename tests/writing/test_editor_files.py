"""Concurrent and interrupted edits, and edits of unusual files: long names, links, attributes."""

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
from kaitai_gguf import FileAccessError, FileError, GGUFError, GGUFFile, WriteError, edit
from kaitai_gguf.sources.journal_recovery import journal_head, journal_of
from kaitai_gguf.sources.locks import WriterLock

VALUES = np.arange(4096, dtype=np.float32)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    make(path)
    return path


def make(path: Path) -> None:
    kaitai_gguf.write(path, {"a": "x" * 100, "b": "y" * 100}, {"t": VALUES, "u": VALUES[::-1].copy()})


def rename(path: Path, value: str = "z" * 100, **options: bool) -> None:
    with edit(path) as editor:
        editor.metadata["a"] = value
        editor.commit(**options)


# Two at once


ROUNDS = 15


def repeated(name: str, change: Callable[[int], None], barriers: tuple[Barrier, Barrier], results: Any) -> None:
    for number in range(ROUNDS):
        barriers[0].wait()
        try:
            change(number)
            results.put((name, True))
        except GGUFError:
            results.put((name, False))
        except BaseException as error:
            results.put((name, repr(error)))
        barriers[1].wait()


def changed(path: Path, key: str, growth: int, barriers: tuple[Barrier, Barrier], results: Any) -> None:
    def change(number: int) -> None:
        with edit(path) as editor:
            editor.metadata[key] = f"{key}{number}".ljust(100 + growth * (number + 1), "z")

    repeated(key, change, barriers, results)


def converted(path: Path, name: str, options: dict[str, Any], barriers: tuple[Barrier, Barrier], results: Any) -> None:
    repeated(name, lambda _: kaitai_gguf.convert(path, path, overwrite=True, **options), barriers, results)


def raced(
    path: Path, *workers: tuple[Callable[..., None], Any, Any]
) -> Iterator[tuple[int, dict[str, bool], GGUFFile]]:
    """Start each worker with its two arguments. Yield for each round its number, what each was told, and the model."""
    context = multiprocessing.get_context("fork")
    barriers, results = (context.Barrier(len(workers) + 1), context.Barrier(len(workers) + 1)), context.Queue()
    processes = [
        context.Process(target=work, args=(path, *arguments, barriers, results)) for work, *arguments in workers
    ]
    for process in processes:
        process.start()
    for number in range(ROUNDS):
        make(path)
        barriers[0].wait()
        barriers[1].wait()
        told = dict(results.get() for _ in workers)
        assert any(told.values())
        with kaitai_gguf.open(path, mmap=False) as model:
            assert np.array_equal(model.tensors["t"].data, VALUES)
            assert np.array_equal(model.tensors["u"].data, VALUES[::-1])
            yield number, told, model
        assert list(path.parent.iterdir()) == [path]
    for process in processes:
        process.join()


@forks
@pytest.mark.parametrize("growths", [(50, 90), (50, 0), (0, 0)], ids=["grow and grow", "grow and in place", "in place"])
def test_of_two_editors_at_least_one_is_told(path: Path, growths: tuple[int, int]) -> None:
    for number, told, model in raced(path, *((changed, *each) for each in zip("ab", growths, strict=True))):
        assert told == {key: model.metadata[key].startswith(f"{key}{number}z") for key in "ab"}


@forks
def test_of_an_edit_and_two_conversions_each_is_kept_or_told(path: Path) -> None:
    conversions = [(converted, "version", {"version": 2}), (converted, "byte order", {"byte_order": "big"})]
    for number, told, model in raced(path, (changed, "a", 50), *conversions):
        is_edited = model.metadata["a"].startswith(f"a{number}z")
        assert told == {"a": is_edited, "version": model.version == 2, "byte order": model.byte_order == "big"}


@pytest.mark.parametrize("value", ["z" * 100, "long" * 200], ids=["in place", "as a new file"])
def test_an_editor_that_was_overtaken(path: Path, value: str) -> None:
    with edit(path) as editor:
        editor.metadata["b"] = value
        rename(path, value)
        with pytest.raises(FileError, match="was changed by another program since it was opened"):
            editor.commit()
        assert editor.metadata["a"] == "x" * 100  # the editor keeps what it has read
    with kaitai_gguf.open(path) as model:
        assert (model.metadata["a"], model.metadata["b"]) == (value, "y" * 100)


@pytest.mark.parametrize(
    "write",
    [
        rename,
        lambda path: rename(path, "long" * 200),
        lambda path: kaitai_gguf.write(path, {}, {}),
        lambda path: kaitai_gguf.convert(path, path, overwrite=True, version=2),
    ],
    ids=["in place", "as a new file", "write", "convert"],
)
def test_nothing_is_written_without_the_lock(path: Path, write: Callable[[Path], None]) -> None:
    before = path.read_bytes()
    WriterLock(path).path.mkdir()
    with pytest.raises(FileAccessError, match=r"the lock file of 'model\.gguf' can't be opened: Is"):
        write(path)
    assert path.read_bytes() == before
    assert sorted(path.parent.iterdir()) == [WriterLock(path).path, path]


# Interrupted files


def interrupted(path: Path) -> bytes:
    """Leave a file as a killed edit in place does. Return its bytes before the edit."""
    old = path.read_bytes()
    header = old[:300]
    journal_of(path).write_bytes(journal_head(len(old), header) + header)
    path.write_bytes(b"GGU~" + bytes(296) + old[300:])
    return old


# Unusual files


@pytest.mark.parametrize("length", [232, 255])
def test_a_long_name(tmp_path: Path, length: int) -> None:
    path = tmp_path / ("m" * (length - 5) + ".gguf")
    make(path)
    for value in ("z" * 100, "long" * 200):
        rename(path, value)
    interrupted(path)
    with kaitai_gguf.open(path) as model:
        assert model.metadata["a"] == "long" * 200
    rename(path, "a")
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize("mode", [0o600, 0o640])
def test_a_journal_is_as_private_as_its_model(path: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    path.chmod(mode)
    modes = []
    fsync = os.fsync

    def look(file: int) -> None:
        if journal_of(path).exists():
            modes.append(stat.S_IMODE(journal_of(path).stat().st_mode))
        fsync(file)

    monkeypatch.setattr(os, "fsync", look)
    rename(path)
    assert set(modes) == {mode}
    assert stat.S_IMODE(path.stat().st_mode) == mode


@pytest.mark.parametrize("value", ["z" * 100, "long" * 200])
def test_a_file_of_two_names(path: Path, value: str) -> None:
    """A file with two hard links is replaced, since the other name may be a backup, which a crash would damage."""
    other = path.with_name("other.gguf")
    os.link(path, other)
    rename(path, value)
    assert not other.samefile(path)
    with kaitai_gguf.open(other) as model:
        assert model.metadata["a"] == "x" * 100


def test_a_path_that_is_relative(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "elsewhere").mkdir()
    monkeypatch.chdir(tmp_path)
    with edit(path.name) as editor:
        editor.metadata["a"] = "long" * 200
        monkeypatch.chdir(tmp_path / "elsewhere")
    with kaitai_gguf.open(path) as model:
        assert model.metadata["a"] == "long" * 200


def bomb(path: Path) -> None:
    """Write a file of 136 bytes with an alignment of 2 GiB."""
    kaitai_gguf.write(path, {"general.alignment": np.uint32(1 << 31), "a": "x"}, {})
    with path.open("ab") as file:
        file.write(bytes(136 - path.stat().st_size))


def test_padding_is_not_written_unasked(path: Path) -> None:
    bomb(path)
    before = path.read_bytes()
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
    rename(path, "z" * 10_000)
    assert owners == [(before.st_uid, before.st_gid)]


def test_the_file_itself_as_output(path: Path) -> None:
    with edit(path) as editor:
        editor.metadata["a"] = "z" * 100
        with pytest.raises(FileError, match="already exists"):
            editor.commit(path)
        editor.commit(path, overwrite=True)
        editor.metadata["a"] = "y" * 100
        editor.commit(overwrite=True)
    with kaitai_gguf.open(path) as model:
        assert model.metadata["a"] == "y" * 100


@pytest.mark.parametrize("rewrite", [False, True])
def test_rewriting(path: Path, rewrite: bool) -> None:
    inode = path.stat().st_ino
    rename(path, rewrite=rewrite)
    assert (path.stat().st_ino == inode) == (not rewrite)


@pytest.mark.parametrize("use", [lambda path: kaitai_gguf.write(path, {}, {}), rename])
def test_who_writes_a_file_keeps_others_from_it(
    path: Path, use: Callable[[Path], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(WriterLock.__init__, "__defaults__", (0.01,))
    before = path.read_bytes()
    with WriterLock(path), pytest.raises(FileError, match="is being written by another program"):
        use(path)
    assert path.read_bytes() == before
    use(path)
