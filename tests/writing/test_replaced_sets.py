"""Shards that replace others of the same names: all are old, all are new, or the first is missing."""

import itertools
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.faults import fails_at, forks, full_disk, killed_at

import kaitai_gguf
from kaitai_gguf import FileError, FileMissingError, MissingShardError, ShardError
from kaitai_gguf.reading import opening
from kaitai_gguf.sources.locks import WriterLock

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


def split(folder: Path, name: str) -> None:
    kaitai_gguf.split(folder.with_name(f"{name}.gguf"), folder / "m", max_tensors=2, overwrite=True)


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
    if all((folder / name).exists() for name in NAMES):  # other programs compare nothing
        seen = [value for name in NAMES for value in values_in(kaitai_gguf.open((folder / name).read_bytes()))]
        assert seen == results[0]
    return results[0]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def attempts(folder: Path, attempt: Callable[[int, Callable[[], None]], bool]) -> list[list[float] | None]:
    """Replace the set with a fault at every other step, and return what is there afterwards.

    `attempt` returns whether replacing got to this step.
    """
    seen = []
    for number in itertools.count(1, 2):
        split(folder, "old")
        if not attempt(number, lambda: split(folder, "new")):
            return seen
        seen.append(opened(folder))
        if number % 8 == 1:  # the next writer removes what the fault left
            split(folder, "new")
            assert (opened(folder), names_in(folder)) == (NEW, NAMES)
    raise AssertionError


@forks
def test_a_kill_at_any_step(folder: Path) -> None:
    assert [result for result, _ in itertools.groupby(attempts(folder, killed_at))] == [OLD, None, NEW]


def test_an_error_at_any_step(folder: Path) -> None:
    """Either the old set stays, or none is left once the first shard is removed."""

    def attempt(number: int, action: Callable[[], None]) -> bool:
        is_reached = fails_at(number, full_disk, action)
        is_kept = set(names_in(folder)) - set(NAMES) <= {".m-00001-of-00003.gguf.kaitai-gguf-lock"}
        assert is_kept or opened(folder) is None
        return is_reached

    seen = attempts(folder, attempt)
    assert all(result in seen for result in (OLD, None, NEW))


def test_a_set_that_is_replaced_while_it_is_opened(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is replaced after its first shard was opened, and before the second."""
    original, calls = opening.opened, []

    def opened_later(path: Any, *args: Any) -> Any:
        calls.append(path)
        if len(calls) == 2:
            split(folder, "new")
        return original(path, *args)

    monkeypatch.setattr(opening, "opened", opened_later)
    with kaitai_gguf.open(folder / NAMES[0]) as model:
        assert values_in(model) == NEW
    assert len(calls) >= 6


def test_sets_that_are_not_replaced(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kill while a model replaces itself would lose it, and another program may be writing a shard."""
    with pytest.raises(ShardError, match=r"is a file that the model is read from: choose another"):
        kaitai_gguf.split(folder / NAMES[1], folder / "m", max_tensors=2, overwrite=True)
    monkeypatch.setattr(WriterLock.__init__, "__defaults__", (0.02,))
    with WriterLock(folder / NAMES[2]), pytest.raises(FileError, match="is being written by another program"):
        split(folder, "new")
    assert (opened(folder), names_in(folder)) == (OLD, NAMES)


def test_symbolic_links_are_replaced(folder: Path) -> None:
    """They may have been planted, or lead to files that other models share, as in the cache of Hugging Face."""
    before = [(folder / name).read_bytes() for name in NAMES]
    for name in NAMES:
        (folder / name).rename(folder.with_name(name))
        (folder / name).symlink_to(folder.with_name(name))
    split(folder, "new")
    assert opened(folder) == NEW
    assert not any((folder / name).is_symlink() for name in NAMES)
    assert [folder.with_name(name).read_bytes() for name in NAMES] == before
