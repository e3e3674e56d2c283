"""Shards that replace others of the same names: all are old, all are new, or the first is missing."""

import itertools
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
    assert results[0] == seen_by_others(folder)
    return results[0]


def seen_by_others(folder: Path) -> list[float] | None:
    """Return what a program reads that begins with the first shard and compares nothing; None if one is missing."""
    if not all((folder / name).exists() for name in NAMES):
        return None
    return [value for name in NAMES for value in values_in(kaitai_gguf.open((folder / name).read_bytes()))]


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@forks
def test_a_kill_at_any_step(folder: Path) -> None:
    seen = []
    for number in itertools.count(1, 2):
        split(folder, "old")
        if not killed_at(number, lambda: split(folder, "new")):
            break
        seen.append(opened(folder))
        if number % 8 == 1:  # the next writer removes what the killed one left
            split(folder, "new")
            assert (opened(folder), names_in(folder)) == (NEW, NAMES)
    assert [result for result, _ in itertools.groupby(seen)] == [OLD, None, NEW]


def test_an_error_at_any_step(folder: Path) -> None:
    """Either the old set stays, or none is left once the first shard is removed."""
    seen = []
    for number in itertools.count(1, 2):
        split(folder, "old")
        if not fails_at(number, full_disk, lambda: split(folder, "new")):
            break
        seen.append(opened(folder))
        assert seen[-1] is None or set(names_in(folder)) - set(NAMES) <= {".m-00001-of-00003.gguf.kaitai-gguf-lock"}
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


def test_another_number_of_shards(folder: Path) -> None:
    """These have other names, so the old set stays."""
    split(folder, "new", max_tensors=3)
    assert opened(folder) == OLD
    with kaitai_gguf.open(folder / "m-00002-of-00002.gguf") as model:
        assert values_in(model) == NEW


def test_shards_do_not_replace_their_own_model(folder: Path) -> None:
    """A kill in between would lose the model."""
    with pytest.raises(ShardError, match=r"is a file that the model is read from: choose another"):
        kaitai_gguf.split(folder / NAMES[1], folder / "m", max_tensors=2, overwrite=True)
    assert (opened(folder), names_in(folder)) == (OLD, NAMES)


def test_symbolic_links_are_replaced(folder: Path) -> None:
    """They may have been planted, or lead to files that other models share, as in the cache of Hugging Face."""
    for name in NAMES:
        path = folder / name
        path.rename(folder.with_name(name))
        path.symlink_to(folder.with_name(name))
    split(folder, "new")
    assert opened(folder) == NEW
    assert not any((folder / name).is_symlink() for name in NAMES)
    assert [
        value for name in NAMES for value in values_in(kaitai_gguf.open(folder.with_name(name), shards=False))
    ] == OLD


def test_two_programs_that_write_one_set(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(WriterLock.__init__, "__defaults__", (0.02,))
    with WriterLock(folder / NAMES[2]), pytest.raises(FileError, match="is being written by another program"):
        split(folder, "new")
    assert opened(folder) == OLD
