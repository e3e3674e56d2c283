"""Edits that would break what other programs rely on are refused. Errors name a file the way the caller did."""

import errno
import itertools
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, ShardError, WriteError, convert, edit, merge, split, write
from kaitai_gguf.writing import guards, sink

MODELS = Path(__file__).parents[1] / "data" / "models"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


@pytest.fixture
def shards() -> list[Path]:
    """Return relative paths of a set of shards."""
    Path("sub").mkdir()
    names = [f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]
    return [Path(shutil.copy(MODELS / f"split5{name[1:]}", Path("sub", name))) for name in names]


# Shards


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
    first, second = (str(path) for path in shards[:2])
    with kaitai_gguf.open(second, shards=False) as other:
        name = next(iter(other.tensors))
    with edit(first) as editor:
        editor.tensors.rename(next(iter(editor.tensors)), name)
        editor.metadata["x.new"] = "x" * growth
        with pytest.raises(ShardError, match=f"could not be opened with this change: .* has a tensor '{name}'"):
            editor.commit()
    with edit(second) as editor:
        editor.metadata["x.new"] = "x" * growth
        with pytest.raises(ShardError) as caught:
            editor.commit()
        editor.commit("sub/other.gguf")  # another file may have anything
    assert str(caught.value) == f"{second!r} is not the first shard: the metadata of the model is in {first!r}"
    with edit(shards[2]) as editor:
        del editor.tensors[next(iter(editor.tensors))]
        with pytest.raises(ShardError, match="could not be opened with this change"):
            editor.commit()
    for function, target in itertools.product((convert, merge), map(str, shards)):
        with pytest.raises(ShardError, match=f"^{target!r} is one of the 3 shards that the model is read from: write"):
            function(first, target, overwrite=True)
    message = f"{second!r} is not a shard of the same model as {first!r}"
    with kaitai_gguf.open(first, shards=False) as model, pytest.raises(ShardError, match=message):
        convert(model, first, version=2, overwrite=True)
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


# Names and paths


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
def test_files_that_are_named_by_their_hash(folder: Path, name: str, value: str, is_refused: bool) -> None:
    blob, link = folder / "blobs" / name, folder / "link.gguf"
    blob.parent.mkdir()
    write(blob, {"general.name": "a"}, {})
    link.symlink_to(blob)
    before = blob.read_bytes()
    with edit(link) as editor:
        editor.metadata["general.name"] = value
        if is_refused:
            with pytest.raises(WriteError, match=f"{name}' is named by the hash of its bytes"):
                editor.commit()
            editor.commit("other.gguf")
            assert blob.read_bytes() == before
        editor.commit(overwrite=is_refused)
    with kaitai_gguf.open(blob) as model:
        assert model.metadata["general.name"] == value


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: convert("model.gguf", "model.gguf"), "model.gguf: already exists"),
        (lambda: convert("model.gguf", Path("sub/../model.gguf")), "sub/../model.gguf: already exists"),
        (lambda: split("model.gguf", "x", max_tensors=100), "x-00001-of-00001.gguf: already exists"),
        (lambda: write("model.gguf", {}, {}, overwrite=False), "model.gguf: already exists"),
        (lambda: edit("model.gguf").commit("model.gguf"), "model.gguf: already exists"),
        (lambda: edit("missing.gguf"), "missing.gguf: "),
        (lambda: write("no/x", {}, {}), "no: no such folder"),
        (lambda: write(Path.cwd() / "no" / "x", {}, {}), "/.*/no: no such folder"),
        (lambda: kaitai_gguf.open(""), "the path is empty"),
        (lambda: edit(""), "the path is empty"),
        (lambda: write("", {}, {}), "the path is empty"),
        (lambda: split("model.gguf", "", max_tensors=5), "the prefix for .* is empty"),
        (lambda: split("model.gguf", ".", max_tensors=5), r"\.: is a folder"),
        (lambda: edit("model.gguf/"), "model.gguf/: ends with a slash"),
        (lambda: write("new/", {}, {}), "new/: ends with a slash"),
        (lambda: write("a\0b", {}, {}), r"a\\0b: is not a path"),
        (lambda: write("\ud800", {}, {}), ".*is not a path"),
        (lambda: kaitai_gguf.open("model.gguf/"), ".*Not a directory"),
        (
            lambda: edit("https://u:secret@x/m.gguf?key=secret"),
            "https://x/m.gguf: can't be written to: write to a path",
        ),
        (lambda: kaitai_gguf.Writer("https://x/m.gguf?key=secret"), "https://x/m.gguf: can't be written to: write to"),
    ],
)
def test_functions_name_a_file_as_it_was_given(call: Callable[[], object], message: str) -> None:
    Path("x-00001-of-00001.gguf").write_text("mine")
    Path("sub").mkdir()
    with pytest.raises(FileError, match=f"^{message}"):
        call()
    assert sorted(os.listdir()) == ["model.gguf", "sub", "x-00001-of-00001.gguf"]


def test_writers_and_editors_name_a_file_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = kaitai_gguf.Writer("./new", overwrite=False)
    assert repr(writer) == "<Writer './new' v3, 0 keys, 0 tensors>"
    Path("new").write_bytes(b"theirs")
    with pytest.raises(FileError, match=r"^\./new: already exists"):
        writer.close()
    with edit("./model.gguf") as editor:
        assert repr(editor).startswith("<Editor './model.gguf' v3")
    with pytest.raises(kaitai_gguf.ClosedError, match=r"^\./model\.gguf: the editor is closed"):
        _ = editor.model

    def fail(file: object, data: bytes) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    for number in (0, 1):  # writing the header fails, or writing the data does
        writer = kaitai_gguf.Writer("./new")
        for name in "ab":
            writer.add_tensor(name, (32,), "int8")
        for name in "ab"[:number]:
            writer.write_tensor(name, bytes(32))
        with monkeypatch.context() as patch:
            patch.setattr(sink, "write_all", fail)
            with pytest.raises(FileError, match=r"^\./new: No space"):
                writer.write_tensor("ab"[number], bytes(32))
