"""Edits that would break what other programs rely on."""

import errno
import shutil
from pathlib import Path
from typing import Any

import pytest

import kaitai_gguf
from kaitai_gguf import FileError, ShardError, WriteError, edit
from kaitai_gguf.writing import guards

MODELS = Path(__file__).parents[1] / "data" / "models"
NAMES = [f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]


@pytest.fixture
def shards(tmp_path: Path) -> list[Path]:
    for number, name in enumerate(NAMES, 1):
        shutil.copy(MODELS / f"split5-{number:05}-of-00003.gguf", tmp_path / name)
    return [tmp_path / name for name in NAMES]


# Shards


def test_metadata_belong_to_the_first_shard(shards: list[Path]) -> None:
    before = shards[1].read_bytes()
    with edit(shards[1]) as editor:
        editor.metadata["x.new"] = 1
        with pytest.raises(ShardError, match=r"the metadata of the model is in '.*m-00001-of-00003.gguf'"):
            editor.commit()
        editor.commit(shards[1].with_name("other.gguf"))  # another file may have anything
    assert shards[1].read_bytes() == before
    kaitai_gguf.open(shards[0]).close()


def test_metadata_of_the_first_shard(shards: list[Path]) -> None:
    with edit(shards[0]) as editor:
        editor.metadata["general.name"] = "another"
    with kaitai_gguf.open(shards[2]) as model:
        assert (model.metadata["general.name"], len(model.shards)) == ("another", 3)


@pytest.mark.parametrize("growth", [0, 1000], ids=["in place", "as a new file"])
def test_a_change_after_which_the_model_does_not_open(shards: list[Path], growth: int) -> None:
    with kaitai_gguf.open(shards[1], shards=False) as other:
        name = next(iter(other.tensors))
    with edit(shards[0]) as editor:
        editor.tensors.rename(next(iter(editor.tensors)), name)
        editor.metadata["x.new"] = "x" * growth
        with pytest.raises(ShardError, match=f"could not be opened with this change: .* has a tensor '{name}'"):
            editor.commit()
    kaitai_gguf.open(shards[0]).close()


def test_a_broken_set_may_be_repaired(shards: list[Path]) -> None:
    shards[2].unlink()
    with edit(shards[1]) as editor:
        editor.metadata["split.count"] = 2
    with kaitai_gguf.open(shards[1], shards=False) as model:
        assert model.metadata["split.count"] == 2


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


def test_a_shard_whose_name_says_nothing(shards: list[Path], tmp_path: Path) -> None:
    path = shards[1].rename(tmp_path / "part.gguf")
    with edit(path) as editor:
        editor.metadata["x.new"] = 1
    with kaitai_gguf.open([shards[0], path, shards[2]]) as model:
        assert len(model.shards) == 3


# Files that are named by their hash


@pytest.mark.parametrize(
    ("name", "value"), [("a" * 40, "b"), ("0123456789abcdef" * 4, "long" * 100), ("sha256-" + "f" * 64, "b")]
)
def test_blobs_of_a_cache(tmp_path: Path, name: str, value: str) -> None:
    blob, link = tmp_path / "blobs" / name, tmp_path / "model.gguf"
    blob.parent.mkdir()
    kaitai_gguf.write(blob, {"general.name": "a"}, {})
    link.symlink_to(blob)
    before = blob.read_bytes()
    with edit(link) as editor:
        editor.metadata["general.name"] = value
        with pytest.raises(WriteError, match=f"{name}' is named by the hash of its bytes"):
            editor.commit()
        editor.commit(tmp_path / "other.gguf")
        assert blob.read_bytes() == before
        editor.commit(overwrite=True)
    with kaitai_gguf.open(blob) as model:
        assert model.metadata["general.name"] == value


@pytest.mark.parametrize("name", ["a" * 39, "a" * 64 + ".gguf"])
def test_other_names(tmp_path: Path, name: str) -> None:
    kaitai_gguf.write(tmp_path / name, {"general.name": "a"}, {})
    with edit(tmp_path / name) as editor:
        editor.metadata["general.name"] = "b"
