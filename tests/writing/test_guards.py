"""Edits that would break what other programs rely on."""

import errno
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, ShardError, WriteError, edit
from kaitai_gguf.writing import guards

MODELS = Path(__file__).parents[1] / "data" / "models"


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    names = [f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]
    return [Path(shutil.copy(MODELS / f"split5{name[1:]}", tmp_path / name)) for name in names]


def test_edits_after_which_the_model_opens(shards: list[Path]) -> None:
    with edit(shards[0]) as editor:
        editor.metadata["general.name"] = "another"
    with edit(shards[1]) as editor:
        name = next(iter(editor.tensors))
        editor.tensors[name] = np.zeros(3, np.int8)
    with kaitai_gguf.open(shards[2]) as model:
        assert (model.metadata["general.name"], len(model.shards)) == ("another", 3)
        assert model.tensors[name].shape == (3,)
    path = shards[1].rename(shards[1].with_name("part.gguf"))  # its name says nothing about a set
    with edit(path) as editor:
        editor.metadata["x.new"] = 1
    with kaitai_gguf.open([shards[0], path, shards[2]]) as model:
        assert len(model.shards) == 3
    with edit(shards[0]) as editor:  # the set is broken, and may be repaired
        editor.metadata["split.count"] = 2
    assert kaitai_gguf.open(shards[0], shards=False).metadata["split.count"] == 2


@pytest.mark.parametrize("growth", [0, 1000], ids=["in place", "as a new file"])
def test_edits_after_which_the_model_does_not_open(shards: list[Path], growth: int) -> None:
    before = [path.read_bytes() for path in shards]
    with kaitai_gguf.open(shards[1], shards=False) as other:
        name = next(iter(other.tensors))
    with edit(shards[0]) as editor:
        editor.tensors.rename(next(iter(editor.tensors)), name)
        editor.metadata["x.new"] = "x" * growth
        with pytest.raises(ShardError, match=f"could not be opened with this change: .* has a tensor '{name}'"):
            editor.commit()
    with edit(shards[1]) as editor:
        editor.metadata["x.new"] = "x" * growth
        with pytest.raises(ShardError, match=r"the metadata of the model is in '.*m-00001-of-00003.gguf'"):
            editor.commit()
        editor.commit(shards[1].with_name("other.gguf"))  # another file may have anything
    with edit(shards[2]) as editor:
        del editor.tensors[next(iter(editor.tensors))]
        with pytest.raises(ShardError, match="could not be opened with this change"):
            editor.commit()
    assert [path.read_bytes() for path in shards] == before


def test_too_many_open_files(shards: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    """The other shards can't be opened, so it is unknown whether the model could be."""
    before = shards[0].read_bytes()

    def fail(path: Path, **_: Any) -> None:
        raise FileError(errno.EMFILE, "Too many open files", str(path))

    monkeypatch.setattr(guards, "open", fail)
    with edit(shards[0]) as editor:
        editor.metadata["general.name"] = "another"
        with pytest.raises(FileError, match=r"m-00002-of-00003\.gguf: Too many open files"):
            editor.commit()
    assert shards[0].read_bytes() == before


@pytest.mark.parametrize(
    ("name", "value", "is_refused"),
    [
        ("a" * 40, "b", True),
        ("0123456789abcdef" * 4, "long" * 100, True),
        ("sha256-" + "f" * 64, "b", True),
        ("a" * 39, "b", False),
        ("a" * 64 + ".gguf", "b", False),
    ],
)
def test_files_that_are_named_by_their_hash(tmp_path: Path, name: str, value: str, is_refused: bool) -> None:
    blob, link = tmp_path / "blobs" / name, tmp_path / "model.gguf"
    blob.parent.mkdir()
    kaitai_gguf.write(blob, {"general.name": "a"}, {})
    link.symlink_to(blob)
    before = blob.read_bytes()
    with edit(link) as editor:
        editor.metadata["general.name"] = value
        if is_refused:
            with pytest.raises(WriteError, match=f"{name}' is named by the hash of its bytes"):
                editor.commit()
            editor.commit(tmp_path / "other.gguf")
            assert blob.read_bytes() == before
        editor.commit(overwrite=is_refused)
    with kaitai_gguf.open(blob) as model:
        assert model.metadata["general.name"] == value
