"""Editing files: what is written, what stays unchanged, and refusals."""

import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.gguf_bytes import Model, TensorSpec
from support.strategies import models, names

import kaitai_gguf
from kaitai_gguf import ClosedError, FileError, Typed, ValueType, ValueTypeError, WriteError, edit
from writing.build import small

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(small().build())
    return path


def data_of(path: Path) -> bytes:
    with kaitai_gguf.open(path, shards=False) as model:
        return bytes(model.buffer[model.data_offset :])


# What is written


@pytest.mark.parametrize("path_", MODELS, ids=lambda path: path.stem)
def test_without_a_change_it_is_the_same_file(path_: Path, tmp_path: Path) -> None:
    path, output = tmp_path / "model.gguf", tmp_path / "output.gguf"
    path.write_bytes(path_.read_bytes())
    before = path.stat()
    with edit(path) as editor:
        assert editor.header == path_.read_bytes()[: editor.model.header_nbytes]
        editor.commit(output)
        editor.commit()
    assert path.read_bytes() == output.read_bytes() == path_.read_bytes()
    assert path.stat().st_mtime_ns == before.st_mtime_ns


def test_a_change_that_fits_leaves_all_else_where_it_is(path: Path) -> None:
    inode, data = path.stat().st_ino, data_of(path)
    with edit(path) as editor:
        editor.metadata["general.name"] = "another"
        assert editor.fits
        editor.commit()
    assert path.stat().st_ino == inode
    assert data_of(path) == data
    assert kaitai_gguf.open(path).metadata["general.name"] == "another"


@pytest.mark.parametrize("name", ["", "long" * 20])
def test_a_change_that_does_not_fit_makes_a_new_file(path: Path, name: str) -> None:
    path.write_bytes(small(padding=30).build())
    inode, data = path.stat().st_ino, data_of(path)
    path.chmod(0o640)
    with edit(path) as editor:
        editor.metadata["general.name"] = name
        assert not editor.fits
        editor.commit()
    assert path.stat().st_ino != inode
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert data_of(path) == data
    assert list(path.parent.iterdir()) == [path]
    with kaitai_gguf.open(path) as model:
        assert model.metadata["general.name"] == name


@given(models(), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=60)
def test_any_change(tmp_path: Path, model: Model, draw: st.DataObject) -> None:
    """The edited file equals one built from the changed model."""
    path = tmp_path / "model.gguf"
    before, is_padded = model.build(), len(model.build()) > len(model.header())
    path.write_bytes(before)
    with edit(path) as editor:
        rows = [row for row in model.metadata if row[0] == "general.alignment" or draw.draw(st.booleans())]
        for row in model.metadata:
            if row not in rows:
                del editor.metadata[str(row[0])]
        for key in draw.draw(st.lists(names, unique=True, max_size=3)):
            if key not in editor.metadata:
                editor.metadata[key] = Typed("new", ValueType.STRING)
                rows.append((key, "string", "new"))
        for number, spec in enumerate(model.tensors):
            name = f"{spec.name}.{number}"
            if draw.draw(st.booleans()) and name not in editor.tensors:
                editor.tensors.rename(str(spec.name), name)
                spec.name = name
        editor.commit()
    expected = Model(rows, model.tensors, model.data, model.version, model.byte_order, model.alignment)
    header, found = expected.header(), path.read_bytes()
    padded = header + bytes(-len(header) % model.alignment)
    if is_padded:
        assert found == expected.build()
    else:  # a file without padding gets padding only if that keeps its size
        assert found == (padded if len(padded) == len(before) else header)


def test_another_file(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "output.gguf"
    before = path.read_bytes()
    done: list[int] = []
    with edit(path) as editor:
        editor.metadata["general.name"] = "another"
        editor.commit(output, progress=done.append)
        with pytest.raises(FileError, match="already exists"):
            editor.commit(output)
        editor.metadata["general.name"] = "third"
        editor.commit(output, overwrite=True)
    assert path.read_bytes() == before
    assert sum(done) == len(data_of(path))
    assert kaitai_gguf.open(output).metadata["general.name"] == "third"
    assert data_of(output) == data_of(path)


# Leaving the `with` block


def rename(path: Path, name: str = "another") -> kaitai_gguf.Editor:
    editor = edit(path)
    editor.metadata["general.name"] = name
    return editor


def name_in(path: Path) -> object:
    with kaitai_gguf.open(path, mmap=False) as model:
        return model.metadata["general.name"]


def test_leaving_the_block_commits(path: Path) -> None:
    with rename(path) as editor:
        assert name_in(path) == "one"
    assert name_in(path) == "another"
    with pytest.raises(ClosedError, match=f"^{re.escape(str(path))}: the file is closed$"):
        editor.commit()


def test_an_exception_drops_the_changes(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), rename(path):
        _ = 1 / 0
    assert path.read_bytes() == before


@pytest.mark.parametrize("drop", ["discard", "close"])
def test_changes_that_are_dropped(path: Path, drop: str) -> None:
    before = path.read_bytes()
    with rename(path) as editor:
        getattr(editor, drop)()
    assert path.read_bytes() == before


def test_a_commit_that_failed_is_not_tried_again(path: Path, tmp_path: Path) -> None:
    (tmp_path / "output.gguf").write_bytes(b"mine")
    with rename(path) as editor, pytest.raises(FileError, match="already exists"):
        editor.commit(tmp_path / "output.gguf")
    assert name_in(path) == "one"


def test_a_header_that_can_not_be_is_an_error_when_the_block_ends(path: Path) -> None:
    before = path.read_bytes()
    with pytest.raises(WriteError, match="expected a power of two"), edit(path) as editor:
        editor.metadata["general.alignment"] = 48
    assert path.read_bytes() == before


def test_the_alignment_may_change_if_tensors_fit_it(path: Path) -> None:
    data = data_of(path)
    with edit(path) as editor:
        editor.metadata["general.alignment"] = 16
        editor.commit()
    with kaitai_gguf.open(path) as model:
        assert (model.alignment, model.tensors["b"].offset) == (16, 32)
    assert data_of(path) == data
    with edit(path) as editor:
        editor.metadata["general.alignment"] = 64
        with pytest.raises(WriteError, match="tensor 'b': offset 32 is not a multiple of the alignment 64"):
            editor.commit()


# Failures


@pytest.mark.parametrize(
    "change", [lambda path: path.write_bytes(path.read_bytes() + b"x"), lambda path: path.unlink()]
)
def test_a_file_that_somebody_else_changed(path: Path, change: Callable[[Path], Any]) -> None:
    with edit(path) as editor:
        editor.metadata["general.name"] = "another"
        change(path)
        with pytest.raises(FileError, match="was changed by another program since it was opened"):
            editor.commit()


def test_a_tensor_is_found_in_any_spelling(tmp_path: Path) -> None:
    path, spelling = tmp_path / "model.gguf", "é".encode().decode("ascii", "surrogateescape")
    kaitai_gguf.write(path, {}, {"é": np.ones(2, np.int8)})
    with kaitai_gguf.edit(path) as editor:
        assert spelling in editor.tensors
        assert editor.tensors[spelling].data.tolist() == [1, 1]
        editor.tensors.rename(spelling, "e")
        editor.tensors.rename("e", spelling)
        assert list(editor.tensors) == ["é"]
        editor.tensors.rename(spelling, "b")
        editor.commit()
    assert list(kaitai_gguf.open(path).tensors) == ["b"]


def test_typed_access_while_values_change(path: Path) -> None:
    with edit(path) as editor:
        metadata = editor.metadata
        assert metadata.get_str("general.name") == "one"
        metadata["x.count"] = np.uint16(7)
        metadata["x.words"] = ["a", "b"]
        metadata["x.numbers"] = Typed([1, 2], "int8")
        assert (metadata.get_int("x.count"), type(metadata.get_int("x.count"))) == (7, int)
        assert metadata.get_strings("x.words") == ["a", "b"]
        assert metadata.get_array("x.numbers").dtype == np.int8
        assert metadata.get_int("x.missing", None) is None
        with pytest.raises(ValueTypeError, match=r"key 'x\.words' is not an integer: its type is array of string"):
            metadata.get_int("x.words")
        editor.discard()


# The version of the blocks


def lacking(path: Path, *types: int) -> Path:
    """Write a file without `general.quantization_version` that has tensors of these types, 32 elements each."""
    tensors = [TensorSpec(f"t{number}", (32,), type, 128 * number) for number, type in enumerate(types)]
    path.write_bytes(Model([("x", "string", "a" * 100)], tensors, bytes(128 * len(types))).build())
    return path


@pytest.mark.parametrize("in_place", [True, False])
@pytest.mark.parametrize(
    "change",
    [
        lambda editor: editor.metadata.__setitem__("x", "b"),
        lambda editor: editor.tensors.rename("t1", "t2"),
        lambda editor: editor.tensors.__setitem__("t1", np.ones(32, np.int8)),
        lambda editor: editor.tensors.__delitem__("t1"),
    ],
    ids=["key", "name", "data", "deletion"],
)
def test_an_edit_adds_the_quantization_version(tmp_path: Path, change: Callable[[Any], None], in_place: bool) -> None:
    path = lacking(tmp_path / "model.gguf", 8, 24)
    output = path if in_place else tmp_path / "output.gguf"
    with edit(path) as editor:
        change(editor)
        header = editor.header
        editor.commit(None if in_place else output)
    with kaitai_gguf.open(output) as model:
        assert list(model.metadata) == ["x", "general.quantization_version"]
        assert (model.metadata["general.quantization_version"], model.buffer[: len(header)]) == (2, header)


def test_without_a_change_the_quantization_version_is_not_added(tmp_path: Path) -> None:
    path = lacking(tmp_path / "model.gguf", 8)
    before = path.read_bytes()
    with edit(path) as editor:
        editor.metadata["x"] = "a" * 100
        assert editor.header == before[: editor.model.header_nbytes]
        editor.commit()
        editor.commit(tmp_path / "output.gguf")
        editor.metadata["x"] = "b"
        editor.discard()
    assert path.read_bytes() == (tmp_path / "output.gguf").read_bytes() == before


def test_a_quantized_tensor_brings_the_quantization_version(tmp_path: Path) -> None:
    path = lacking(tmp_path / "model.gguf", 24)
    with edit(path) as editor:
        editor.metadata["x"] = ""
        editor.commit()
        assert "general.quantization_version" not in editor.metadata
        editor.tensors["t0"] = np.ones((1, 32), np.float32), "Q4_0"
        editor.commit()
        assert editor.metadata["general.quantization_version"] == 2
