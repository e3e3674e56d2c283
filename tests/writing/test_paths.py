"""Errors name a file the way the caller did."""

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

import kaitai_gguf
from kaitai_gguf import FileError, ShardError, convert, edit, merge, split, write
from kaitai_gguf.writing import sink

MODELS = Path(__file__).parents[1] / "data" / "models"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


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
        (lambda: convert("model.gguf", ""), "the path is empty"),
        (lambda: split("model.gguf", "", max_tensors=5), "the prefix for .* is empty"),
        (lambda: split("model.gguf", ".", max_tensors=5), r"\.: is a folder"),
        (lambda: edit("model.gguf/"), "model.gguf/: ends with a slash"),
        (lambda: write("new/", {}, {}), "new/: ends with a slash"),
        (lambda: convert("model.gguf", "new/"), "new/: ends with a slash"),
        (lambda: kaitai_gguf.open("model.gguf/"), ".*Not a directory"),
    ],
)
def test_functions_name_a_file_as_it_was_given(call: Callable[[], object], message: str) -> None:
    Path("x-00001-of-00001.gguf").write_text("mine")
    Path("sub").mkdir()
    with pytest.raises(FileError, match=f"^{message}"):
        call()
    assert sorted(os.listdir()) == ["model.gguf", "sub", "x-00001-of-00001.gguf"]


def test_a_writer_names_its_file_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = kaitai_gguf.Writer("./new", overwrite=False)
    assert repr(writer) == "<Writer './new' v3, 0 keys, 0 tensors>"
    Path("new").write_bytes(b"theirs")
    with pytest.raises(FileError, match=r"^\./new: already exists"):
        writer.close()

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


def test_an_editor_is_named_as_it_was_given() -> None:
    editor = edit("./model.gguf")
    assert repr(editor).startswith("<Editor './model.gguf' v3")
    editor.close()
    with pytest.raises(kaitai_gguf.ClosedError, match=r"^\./model\.gguf: the editor is closed"):
        _ = editor.model


def test_shards_are_named_as_they_were_given() -> None:
    Path("sub").mkdir()
    for path in MODELS.glob("split5-*"):
        shutil.copy(path, "sub")
    first, second = (f"sub/split5-0000{number}-of-00003.gguf" for number in (1, 2))
    with edit(second) as editor:
        editor.metadata["general.name"] = "x"
        with pytest.raises(ShardError) as caught:
            editor.commit()
    assert str(caught.value) == f"{second!r} is not the first shard: the metadata of the model is in {first!r}"
    with pytest.raises(ShardError, match=f"^{first!r} is one of the 3 shards"):
        merge(first, first, overwrite=True)
    message = f"{second!r} is not a shard of the same model as {first!r}"
    with kaitai_gguf.open(first, shards=False) as model, pytest.raises(ShardError, match=message):
        convert(model, first, version=2, overwrite=True)
