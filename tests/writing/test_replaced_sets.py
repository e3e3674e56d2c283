"""Shards that replace others of the same names: all are old, all are new, or the first is missing."""

import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, FileMissingError, MissingShardError, ShardError
from kaitai_gguf.reading import shards
from kaitai_gguf.sources import locks

NAMES = [f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]
OLD, NEW = [0.0, 1, 2, 3, 4, 5], [1000.0, 1001, 1002, 1003, 1004, 1005]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a set of three shards. A model to replace it is in `new.gguf` next to the folder."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name, values in (("old", OLD), ("new", NEW)):
        tensors = {f"t{i}": np.full(64, value, np.float32) for i, value in enumerate(values)}
        kaitai_gguf.write(tmp_path / f"{name}.gguf", {"general.name": "m"}, tensors)
    split(folder, "old")
    return folder


def split(folder: Path, name: str, **options: Any) -> None:
    options = {"max_tensors": 2, "overwrite": True} | options
    kaitai_gguf.split(folder.with_name(f"{name}.gguf"), folder / "m", **options)


def values_in(model: kaitai_gguf.GGUFFile) -> list[float]:
    return [float(tensor.data[0]) for tensor in model.tensors.values()]


def opened(folder: Path) -> list[float] | None:
    """Return the values of the model; None if a shard is missing, by whichever shard it is opened."""
    results = []
    for name in NAMES:
        try:
            with kaitai_gguf.open(folder / name) as model:
                results.append(values_in(model))
        except (MissingShardError, FileMissingError):
            results.append(None)
    assert results in ([OLD] * 3, [NEW] * 3, [None] * 3)
    assert (results[0] is None) == (seen_by_others(folder) is None)
    return results[0]


def seen_by_others(folder: Path) -> list[float] | None:
    """Return what a program reads that begins with the first shard and compares nothing; None if one is missing."""
    if not all((folder / name).exists() for name in NAMES):
        return None
    values = [values_in(kaitai_gguf.open((folder / name).read_bytes())) for name in NAMES]
    result = [value for each in values for value in each]
    assert result in (OLD, NEW)
    return result


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_what_a_program_opens_after_each_step(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    results = []

    def followed(original: Any) -> Any:
        def step(*args: Any) -> None:
            original(*args)
            results.append(opened(folder))

        return step

    for name in ("replace", "unlink", "link"):
        monkeypatch.setattr(os, name, followed(getattr(os, name)))
    split(folder, "new")
    monkeypatch.undo()
    changes = [result for i, result in enumerate(results) if i == 0 or result != results[i - 1]]
    assert changes == [None, NEW]
    assert len(results) > 6
    assert names_in(folder) == NAMES


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_kill_at_any_step(folder: Path) -> None:
    seen = []
    for number in range(1, 40):
        split(folder, "old")
        if not killed_at(number, folder):
            break
        seen.append(opened(folder))
        if number % 2:  # the next writer removes what the killed one left
            split(folder, "new")
            assert (opened(folder), names_in(folder)) == (NEW, NAMES)
    else:
        raise AssertionError("the split has more steps than this test tries")
    assert [result for i, result in enumerate(seen) if i == 0 or result != seen[i - 1]] == [OLD, None, NEW]


def killed_at(number: int, folder: Path) -> bool:
    """Run a split that is killed at its n-th call to rename, remove or link. Return whether it was killed."""
    pid = os.fork()
    if not pid:
        count = 0

        def audit(event: str, args: Any) -> None:
            nonlocal count
            if event in ("os.rename", "os.remove", "os.link"):
                count += 1
                if count == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(audit)
            split(folder, "new")
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or status == 0
    return os.WIFSIGNALED(status)


def test_a_rename_that_fails_restores_the_old_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    replace = os.replace
    for number in range(6):
        calls = iter(range(100))

        def refuse(source: Path, target: Path, calls: Any = calls, number: int = number) -> None:
            if next(calls) == number:
                raise OSError(5, "Input/output error")
            replace(source, target)

        monkeypatch.setattr(os, "replace", refuse)
        with pytest.raises(FileError, match="Input/output error"):
            split(folder, "new")
        assert (opened(folder), names_in(folder)) == (OLD, NAMES)
    monkeypatch.undo()
    split(folder, "new")
    assert opened(folder) == NEW


def test_a_set_that_is_replaced_while_it_is_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is replaced after its first shard was opened, and before the second."""
    original, calls = shards._open_shard, []

    def open_shard(path: str, open_one: Any) -> Any:
        if path.endswith(tuple(NAMES)):
            calls.append(path)
            if len(calls) == 1:
                split(folder, "new")
        return original(path, open_one)

    monkeypatch.setattr(shards, "_open_shard", open_shard)
    with kaitai_gguf.open(folder / NAMES[0]) as model:
        assert values_in(model) == NEW
    assert len(calls) == 4


def test_a_missing_shard(folder: Path) -> None:
    (folder / NAMES[0]).unlink()
    for name in NAMES[1:]:
        with pytest.raises(MissingShardError, match=r"1 is missing: .*m-00001-of-00003"):
            kaitai_gguf.open(folder / name)
    with pytest.raises(FileMissingError, match=r"m-00001-of-00003.gguf: no such file"):
        kaitai_gguf.open(folder / NAMES[0])


def test_another_number_of_shards(folder: Path) -> None:
    """These have other names, so the old set stays."""
    split(folder, "new", max_tensors=3)
    assert opened(folder) == OLD
    with kaitai_gguf.open(folder / "m-00002-of-00002.gguf") as model:
        assert values_in(model) == NEW


def test_shards_do_not_replace_the_model_that_they_are_made_from(folder: Path) -> None:
    """A kill in between would lose the model."""
    with pytest.raises(ShardError, match=r"is a file that the model is read from: choose another"):
        kaitai_gguf.split(folder / NAMES[1], folder / "m", max_tensors=2, overwrite=True)
    assert (opened(folder), names_in(folder)) == (OLD, NAMES)


def test_two_programs_that_write_one_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks.WriterLock.__init__, "__defaults__", (0.02,))
    with locks.WriterLock(folder / NAMES[2]), pytest.raises(FileError, match="is being written by another program"):
        split(folder, "new")
    assert opened(folder) == OLD
