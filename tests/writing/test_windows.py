"""Simulated Windows, which refuses to replace, rename or remove files that are open or mapped."""

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.open_files import needs_maps, uses

import kaitai_gguf
from kaitai_gguf import FileError, edit
from kaitai_gguf.sources import windows_os as system

pytestmark = needs_maps


@pytest.fixture(autouse=True)
def windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(system, "_IS_WINDOWS", True)
    for name in ("replace", "rename", "unlink", "remove", "link"):
        monkeypatch.setattr(os, name, refusing(getattr(os, name), may_replace=name == "replace"))
    monkeypatch.delattr(os, "chown")


def refusing(function: Any, may_replace: bool) -> Any:
    def call(*paths: Any, **options: Any) -> None:
        for path in paths:
            if uses(os.path.realpath(path)):
                raise PermissionError(13, "The process cannot access the file because it is being used", str(path))
        if len(paths) == 2 and os.path.lexists(paths[1]) and not may_replace:
            raise FileExistsError(17, "Cannot create a file when that file already exists", str(paths[1]))
        function(*paths, **options)

    return call


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, {"general.name": "one"}, {f"t{i}": np.full(64, i, np.float32) for i in range(4)})
    return path


def name_in(path: Path) -> object:
    with kaitai_gguf.open(path) as model:
        return model.metadata["general.name"]


@pytest.mark.parametrize("name", ["two", "long" * 100], ids=["in place", "as a new file"])
def test_edits(path: Path, name: str) -> None:
    with edit(path) as editor:
        editor.metadata["general.name"] = name
        assert editor.tensors["t1"].data[0] == 1
        editor.commit()
        editor.metadata["general.name"] = name + "!"
    assert name_in(path) == name + "!"
    assert list(path.parent.iterdir()) == [path]


def test_a_model_that_is_converted_in_its_place(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.convert(model, path, byte_order="big", overwrite=True)
    with kaitai_gguf.open(path) as model:
        assert (model.byte_order, model.tensors["t3"].data[0]) == ("big", 3)


def test_files_that_are_open_are_not_replaced(path: Path) -> None:
    before = path.read_bytes()
    with kaitai_gguf.open(path), pytest.raises(FileError, match="can't be replaced while it is open in this program"):
        kaitai_gguf.write(path, {}, {})
    with edit(path) as editor:
        view = editor.tensors["t1"].data
        editor.metadata["general.name"] = "long" * 100
        with pytest.raises(PermissionError, match="can't be replaced while it is open in this program or another"):
            editor.commit()
    assert view[0] == 1
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_sets_of_shards(path: Path, tmp_path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        for count in (2, 2, 1):
            shards = kaitai_gguf.split(model, tmp_path / "part", max_tensors=count, overwrite=True)
    with kaitai_gguf.open(shards[0]) as model:
        kaitai_gguf.merge(model, tmp_path / "merged.gguf")
    assert name_in(tmp_path / "merged.gguf") == "one"
    assert not [each for each in tmp_path.iterdir() if each.name.startswith(".")]
