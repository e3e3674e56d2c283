"""Errors name a file the way the caller did."""

import os
import shutil
from pathlib import Path

import pytest

import kaitai_gguf

MODELS = Path(__file__).parents[1] / "data" / "models"
SHARD = MODELS / "split5-00001-of-00003.gguf"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


def test_a_file_that_was_changed_is_named_as_it_was_given() -> None:
    path = Path("model.gguf")
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["general.name"] = "x"
        shutil.copy(SHARD, "new")
        Path("new").replace(path)
        with pytest.raises(kaitai_gguf.FileError) as caught:
            editor.commit()
    assert (caught.value.filename, caught.value.strerror) == (
        "model.gguf",
        "was changed by another program since it was opened",
    )


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
