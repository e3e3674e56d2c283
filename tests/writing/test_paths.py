"""Errors name a file the way the caller did."""

import errno
import os
import shutil
from pathlib import Path

import pytest

import kaitai_gguf
from kaitai_gguf.writing import sink

MODELS = Path(__file__).parents[1] / "data" / "models"
SHARD = MODELS / "split5-00001-of-00003.gguf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


def test_functions_name_a_file_as_it_was_given(folder: Path) -> None:
    Path("x-00001-of-00001.gguf").write_text("mine")
    Path("sub").mkdir()
    for call, name in (
        (lambda: kaitai_gguf.convert("model.gguf", "model.gguf"), "model.gguf"),
        (lambda: kaitai_gguf.convert("model.gguf", Path("sub/../model.gguf")), "sub/../model.gguf"),
        (lambda: kaitai_gguf.split("model.gguf", "x", max_tensors=100), "x-00001-of-00001.gguf"),
        (lambda: kaitai_gguf.write("model.gguf", {}, {}, overwrite=False), "model.gguf"),
        (lambda: kaitai_gguf.edit("model.gguf").commit("model.gguf"), "model.gguf"),
        (lambda: kaitai_gguf.edit("missing.gguf"), "missing.gguf"),
        (lambda: kaitai_gguf.write("no/x", {}, {}), "no"),
        (lambda: kaitai_gguf.write(folder / "no" / "x", {}, {}), str(folder / "no")),
    ):
        with pytest.raises(kaitai_gguf.FileError) as caught:
            call()
        assert caught.value.filename == name


def test_a_writer_names_its_file_as_it_was_given(monkeypatch: pytest.MonkeyPatch) -> None:
    writer = kaitai_gguf.Writer("./new", overwrite=False)
    assert repr(writer) == "<Writer './new' v3, 0 keys, 0 tensors>"
    Path("new").write_bytes(b"theirs")
    with pytest.raises(kaitai_gguf.FileError, match="already exists") as caught:
        writer.close()
    assert caught.value.filename == "./new"

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
            with pytest.raises(kaitai_gguf.FileError, match="No space") as caught:
                writer.write_tensor("ab"[number], bytes(32))
        assert caught.value.filename == "./new"


def test_an_editor_is_named_as_it_was_given() -> None:
    editor = kaitai_gguf.edit("./model.gguf")
    assert repr(editor).startswith("<Editor './model.gguf' v3")
    editor.close()
    with pytest.raises(kaitai_gguf.ClosedError, match=r"^\./model\.gguf: the editor is closed"):
        _ = editor.model


def test_shards_are_named_as_they_were_given() -> None:
    Path("sub").mkdir()
    for path in MODELS.glob("split5-*"):
        shutil.copy(path, "sub")
    first, second = f"sub/{SHARD.name}", "sub/split5-00002-of-00003.gguf"
    with kaitai_gguf.edit(second) as editor:
        editor.metadata["general.name"] = "x"
        with pytest.raises(kaitai_gguf.ShardError) as caught:
            editor.commit()
    assert str(caught.value) == f"{second!r} is not the first shard: the metadata of the model is in {first!r}"
    with pytest.raises(kaitai_gguf.ShardError, match=f"^{first!r} is one of the 3 shards"):
        kaitai_gguf.merge(first, first, overwrite=True)
    with (
        kaitai_gguf.open(first, shards=False) as model,
        pytest.raises(kaitai_gguf.ShardError, match=f"{second!r} is not a shard of the same model as {first!r}"),
    ):
        kaitai_gguf.convert(model, first, version=2, overwrite=True)


def test_functions_refuse_an_empty_path() -> None:
    for call in (
        lambda: kaitai_gguf.open(""),
        lambda: kaitai_gguf.edit(""),
        lambda: kaitai_gguf.write("", {}, {}),
        lambda: kaitai_gguf.convert("model.gguf", ""),
        lambda: kaitai_gguf.split("model.gguf", "", max_tensors=5),
        lambda: kaitai_gguf.split("model.gguf", ".", max_tensors=5),
    ):
        with pytest.raises(kaitai_gguf.FileError, match=r"^the (path|prefix for .*) is empty|^\.: is a folder"):
            call()
    assert os.listdir() == ["model.gguf"]


def test_functions_refuse_a_path_that_ends_with_a_slash() -> None:
    for call in (
        lambda: kaitai_gguf.edit("model.gguf/"),
        lambda: kaitai_gguf.write("new/", {}, {}),
        lambda: kaitai_gguf.convert("model.gguf", "new/"),
        lambda: kaitai_gguf.Writer("new/"),
    ):
        with pytest.raises(kaitai_gguf.FileError, match=r"^(model.gguf|new)/: ends with a slash"):
            call()
    with pytest.raises(kaitai_gguf.FileError, match="Not a directory"):
        kaitai_gguf.open("model.gguf/")
    assert os.listdir() == ["model.gguf"]
