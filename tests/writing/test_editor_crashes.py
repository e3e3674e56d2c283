"""A full disk, a kill or an interrupt while a file is changed leaves the old file or the new one."""

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
from kaitai_gguf import edit
from writing.build import small


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


def write(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.write(path, {"x": 1}, {"new": model.tensors["b"]})


@pytest.fixture(params=[edit_in_place, edit_as_a_new_file, edit_tensors, convert, write])
def change(request: pytest.FixtureRequest, path: Path) -> Callable[[], None]:
    return lambda: request.param(path)


def contents(path: Path) -> tuple[Any, ...]:
    with kaitai_gguf.open(path) as model:
        tensors = [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()]
        return model.version, dict(model.metadata), tensors


def attempts(
    path: Path, change: Callable[[], None], attempt: Callable[[int], bool]
) -> Iterator[tuple[int, tuple[Any, ...], bool]]:
    """Attempt a change with a fault at each step. Yield the number of the step, the contents, and whether they are new.

    `attempt` returns whether the change got to this step.
    """
    old, before = path.read_bytes(), contents(path)
    change()
    after = contents(path)
    assert before != after
    for number in itertools.count(1):
        path.write_bytes(old)
        if not attempt(number):
            assert number > 8
            assert contents(path) == after
            return
        result = contents(path)
        assert result in (before, after)
        yield number, result, result == after


@forks
def test_a_kill_at_any_step(path: Path, change: Callable[[], None]) -> None:
    seen = set()
    for number, result, is_new in attempts(path, change, lambda number: killed_at(number, change)):
        seen.add(is_new)
        with edit(path) as editor:
            editor.commit()
        assert contents(path) == result
        assert all(other == path or other.name.startswith(".") for other in path.parent.iterdir())
        with edit(path) as editor:  # removes what the killed one left
            editor.metadata["another"] = "key" * number
        assert list(path.parent.iterdir()) == [path]
    assert seen == {False, True}


@pytest.mark.parametrize("fault", [full_disk, interrupt])
def test_an_error_at_any_step(path: Path, change: Callable[[], None], fault: Callable[[], None]) -> None:
    """The change is undone, unless the file has its new name already."""
    for _ in attempts(path, change, lambda number: fails_at(number, fault, change)):
        for kind in ("lock", "journal"):
            path.with_name(f".model.gguf.kaitai-gguf-{kind}").unlink(missing_ok=True)  # if removing it was the step
        assert list(path.parent.iterdir()) == [path]


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
    assert list(path.parent.iterdir()) == [path]
