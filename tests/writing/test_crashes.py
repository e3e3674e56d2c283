"""A full disk, a kill or an interrupt while files are changed leaves the old ones or the new ones.

For a set of shards, it may also leave a set without its first shard, which is refused.
"""

import itertools
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.faults import fails_at, forks, full_disk, interrupt, killed_at

import kaitai_gguf
from kaitai_gguf import FileError, FileMissingError, MissingShardError, ShardError, edit
from kaitai_gguf.reading import opening
from kaitai_gguf.sources.locks import WriterLock
from writing.build import small

Attempt = Callable[[int, Callable[[], object]], bool]
"""Runs an action with a fault at its n-th step, and returns whether it got that far."""


def names_in(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


# One file


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(small().build() + bytes(100_000))  # enough that the system copies it
    return path


def edit_in_place(path: Path) -> None:
    with edit(path) as editor:
        editor.metadata["general.name"] = "another"


def edit_as_a_new_file(path: Path) -> None:
    with edit(path) as editor:
        editor.metadata["general.name"] = "long" * 30


def edit_tensors(path: Path) -> None:
    with edit(path) as editor:
        editor.tensors["a"] = np.ones(4, np.int8)  # changes only data, not the header
        editor.tensors.rename("b", "c")
        editor.tensors["b"] = np.ones((2, 32)), "Q8_0"


def convert(path: Path) -> None:
    kaitai_gguf.convert(path, path, version=2, alignment=64, overwrite=True)


@pytest.fixture(params=[edit_in_place, edit_as_a_new_file, edit_tensors, convert])
def change(request: pytest.FixtureRequest, path: Path) -> Callable[[], None]:
    return lambda: request.param(path)


def contents(path: Path) -> tuple[Any, ...]:
    with kaitai_gguf.open(path) as model:
        tensors = [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()]
        return model.version, dict(model.metadata), tensors


def attempts(path: Path, change: Callable[[], None], attempt: Attempt) -> Iterator[tuple[int, tuple[Any, ...], bool]]:
    """Yield the number of each step with a fault, the contents after it, and whether they are the new ones."""
    old, before = path.read_bytes(), contents(path)
    change()
    after = contents(path)
    assert before != after
    for number in itertools.count(1):
        path.write_bytes(old)
        if not attempt(number, change):
            assert number > 8
            assert contents(path) == after
            return
        result = contents(path)
        assert result in (before, after)
        yield number, result, result == after


@forks
def test_a_kill_at_any_step(path: Path, change: Callable[[], None]) -> None:
    seen = set()
    for number, result, is_new in attempts(path, change, killed_at):
        seen.add(is_new)
        with edit(path) as editor:
            editor.commit()
        assert contents(path) == result
        assert all(name == path.name or name.startswith(".") for name in names_in(path.parent))
        with edit(path) as editor:  # removes what the killed one left
            editor.metadata["another"] = "key" * number
        assert names_in(path.parent) == [path.name]
    assert seen == {False, True}


@pytest.mark.parametrize("fault", [full_disk, interrupt])
def test_an_error_at_any_step(path: Path, change: Callable[[], None], fault: Callable[[], None]) -> None:
    """The change is undone, unless the file has its new name already."""
    for _ in attempts(path, change, lambda number, change: fails_at(number, fault, change)):
        for kind in ("lock", "journal"):
            path.with_name(f".model.gguf.kaitai-gguf-{kind}").unlink(missing_ok=True)  # if removing it was the step
        assert names_in(path.parent) == [path.name]


COMMAND = """
import os, sys
from support.faults import at_step
from kaitai_gguf.__main__ import main
number, signal, *sys.argv[1:] = [int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]]
with at_step(number, lambda: os.kill(os.getpid(), signal)):
    main()
"""


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
@pytest.mark.parametrize("value", ["z", "long" * 30], ids=["in place", "as a new file"])
def test_a_command_that_is_interrupted_removes_its_files(path: Path, value: str, number: int) -> None:
    before = path.read_bytes()
    arguments = ["5", str(int(number)), "set", str(path), f"general.name={value}", "--in-place"]
    environment = os.environ | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", COMMAND, *arguments]
    result = subprocess.run(command, env=environment, capture_output=True, check=False)
    assert result.returncode == 128 + number, result.stderr
    assert path.read_bytes() == before
    assert names_in(path.parent) == [path.name]


# A set of shards

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


def full_disk_at(number: int, action: Callable[[], object]) -> bool:
    return fails_at(number, full_disk, action)


@pytest.mark.parametrize("attempt", [pytest.param(killed_at, marks=forks), full_disk_at])
def test_a_set_is_old_or_new_or_lacks_its_first_shard(folder: Path, attempt: Attempt) -> None:
    seen = []
    for number in itertools.count(1, 2):
        split(folder, "old")
        if not attempt(number, lambda: split(folder, "new")):
            break
        seen.append(opened(folder))
        if attempt is full_disk_at and seen[-1] is not None:
            assert set(names_in(folder)) - set(NAMES) <= {f".{NAMES[0]}.kaitai-gguf-lock"}
        if number % 8 == 1:  # the next writer removes what the fault left
            split(folder, "new")
            assert (opened(folder), names_in(folder)) == (NEW, NAMES)
    results = [result for result, _ in itertools.groupby(seen)]
    assert results == [OLD, None, NEW] or attempt is full_disk_at
    assert all(result in results for result in (OLD, None, NEW))


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
