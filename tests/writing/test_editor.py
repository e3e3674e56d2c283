"""Editing files: what is written, what stays unchanged, and refusals."""

import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import (
    ClosedError,
    Editor,
    FileError,
    MissingDataError,
    Typed,
    UnknownTypeError,
    WriteError,
    edit,
    write,
)
from writing.build import small, written

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
FLOATS = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)

one_folder = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    path.write_bytes(small(padding=30).build())
    return path


def data_of(path: Path) -> bytes:
    with kaitai_gguf.open(path, shards=False) as model:
        return bytes(model.buffer[model.data_offset :])


def name_in(path: Path) -> object:
    with kaitai_gguf.open(path, mmap=False) as model:
        return model.metadata["general.name"]


# What is written


@pytest.mark.parametrize("original", MODELS, ids=lambda path: path.stem)
def test_without_a_change_it_is_the_same_file(original: Path, tmp_path: Path) -> None:
    path, output = tmp_path / "model.gguf", tmp_path / "output.gguf"
    path.write_bytes(original.read_bytes())
    before = path.stat()
    with edit(path) as editor:
        assert editor.header == original.read_bytes()[: editor.model.header_nbytes]
        editor.commit(output)
        editor.commit()
    assert path.read_bytes() == output.read_bytes() == original.read_bytes()
    assert path.stat().st_mtime_ns == before.st_mtime_ns


@pytest.mark.parametrize(("name", "fits"), [("another", True), ("", False), ("long" * 20, False)])
def test_only_a_change_that_fits_is_made_in_place(path: Path, name: str, fits: bool) -> None:
    before, data = path.stat(), data_of(path)
    with edit(path) as editor:
        editor.metadata["general.name"] = name
        assert editor.fits == fits
    assert (path.stat().st_ino == before.st_ino) == fits
    assert (name_in(path), data_of(path), path.stat().st_mode) == (name, data, before.st_mode)


tensor_names, keys = st.sampled_from("abcd"), st.sampled_from("xyz")
OPERATIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("set"), tensor_names, st.sampled_from(["I8", "F32", "F16", "Q8_0", "other"]), st.integers(0, 3)
        ),
        st.tuples(st.just("delete"), tensor_names),
        st.tuples(st.just("rename"), tensor_names, tensor_names),
        st.tuples(st.just("set key"), keys, st.integers(0, 200)),
        st.tuples(st.just("delete key"), keys),
        st.tuples(st.just("rename key"), keys, keys),
        st.tuples(st.just("commit")),
        st.tuples(st.just("discard")),
    ),
    max_size=12,
)


@given(OPERATIONS, st.sampled_from(["little", "big"]), st.sampled_from([1, 3]), st.sampled_from([32, 64]))
@settings(one_folder, max_examples=100)
def test_any_changes(tmp_path: Path, operations: list[Any], byte_order: Any, version: int, alignment: int) -> None:
    """The edited file equals the one that `write` makes from the same key-values and tensors."""
    path, options = tmp_path / "model.gguf", {"byte_order": byte_order, "version": version}
    other = kaitai_gguf.open(written({}, {"t": (FLOATS, "Q4_0")})).tensors["t"]
    metadata: dict[str, Any] = {
        "general.alignment": np.uint32(alignment),
        "general.quantization_version": np.uint32(2),
        "x": Typed(1, "uint8"),
        "y": Typed(2, "int64"),
    }
    tensors: dict[str, Any] = {"a": np.arange(5, dtype=np.int8), "b": FLOATS, "c": (FLOATS, "Q4_0")}
    write(path, metadata, tensors, **options)
    committed = dict(metadata), dict(tensors)
    with edit(path) as editor:
        for kind, *arguments in operations:
            if kind == "commit":
                editor.commit()
                committed = dict(metadata), dict(tensors)
            elif kind == "discard":
                editor.discard()
                metadata, tensors = map(dict, committed)
            elif kind == "set":
                name, type, seed = arguments
                floats = np.random.default_rng(seed).standard_normal((2, 32)).astype(np.float32)
                tensors[name] = other if type == "other" else floats.astype(np.int8) if type == "I8" else (floats, type)
                editor.tensors[name] = tensors[name]
            elif kind == "set key":
                key, value = arguments
                editor.metadata[key] = value
                metadata[key] = Typed(value, metadata[key].type if key in metadata else "uint32")
            elif kind.endswith("key"):
                change(metadata, editor.metadata, *arguments)
            else:
                change(tensors, editor.tensors, *arguments)
            assert (list(editor.metadata), list(editor.tensors)) == (list(metadata), list(tensors))
    assert path.read_bytes() == written(metadata, tensors, **options)
    assert list(tmp_path.iterdir()) == [path]


def change(expected: dict[str, Any], edited: Any, old: str, new: str | None = None) -> None:
    """Delete or rename an item, of the editor and of what is expected."""
    is_taken = new in expected and new != old
    if old not in expected or is_taken:
        with pytest.raises((KeyError, WriteError), match=new if is_taken and old in expected else old):
            edited.__delitem__(old) if new is None else edited.rename(old, new)
        return
    items = list(expected.items())
    expected.clear()
    if new is None:
        del edited[old]
        expected.update(item for item in items if item[0] != old)
    else:
        edited.rename(old, new)
        expected.update((new if name == old else name, item) for name, item in items)


def test_another_file(path: Path, tmp_path: Path) -> None:
    output = tmp_path / "output.gguf"
    before, data = path.read_bytes(), data_of(path)
    done: list[int] = []
    with edit(path) as editor:
        editor.metadata["general.name"] = "another"
        editor.commit(output, progress=done.append)
        assert (name_in(output), data_of(output), sum(done)) == ("another", data, len(data))
        with pytest.raises(FileError, match="already exists"):
            editor.commit(output)
        editor.tensors["b"] = np.zeros(5, np.int8)
        editor.commit(output, overwrite=True)
        assert path.read_bytes() == before
        editor.tensors["b"] = np.ones(5, np.int8)
    for file, number in ((path, 1), (output, 0)):
        with kaitai_gguf.open(file) as model:
            assert model.tensors["b"].data.tolist() == [number] * 5


def test_gaps_are_dropped(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    data = b"a" * 8 + b"gap!" * 30 + b"b" * 8
    path.write_bytes(Model([], [TensorSpec("a", (8,), 24, 0), TensorSpec("b", (8,), 24, 128)], data).build())
    with edit(path) as editor:
        editor.tensors.rename("a", "c")
        editor.commit()
        assert b"gap!" in path.read_bytes()
        editor.tensors["d"] = editor.tensors["c"]
    assert path.read_bytes() == written(
        {}, {name: np.frombuffer(text * 8, np.int8) for name, text in (("c", b"a"), ("b", b"b"), ("d", b"a"))}
    )


def test_the_alignment_may_change_if_tensors_fit_it(path: Path) -> None:
    data = data_of(path)
    with edit(path) as editor:
        editor.metadata["general.alignment"] = 16
        editor.commit()
        assert (editor.model.alignment, editor.model.tensors["b"].offset) == (16, 32)
    assert data_of(path) == data
    for alignment, message in ((64, "tensor 'b': offset 32 is not a multiple of"), (48, "expected a power of two")):
        with pytest.raises(WriteError, match=message), edit(path) as editor:
            editor.metadata["general.alignment"] = alignment


# Leaving the `with` block


@pytest.mark.parametrize(
    ("action", "is_committed"),
    [
        (lambda _: None, True),
        (Editor.discard, False),
        (Editor.close, False),
        (lambda editor: editor.commit(editor.model.name), False),  # it already exists; this is not tried again
        (lambda _: 1 / 0, False),
    ],
)
def test_leaving_the_block_commits(path: Path, action: Callable[[Editor], None], is_committed: bool) -> None:
    """Not if the changes were dropped, or if an exception leaves the block."""
    before = path.read_bytes()
    with suppress(FileError, ZeroDivisionError), edit(path) as editor:
        editor.metadata["general.name"] = "another"
        assert path.read_bytes() == before
        action(editor)
    assert name_in(path) == ("another" if is_committed else "one")
    assert (path.read_bytes() == before) != is_committed
    with pytest.raises(ClosedError, match=f"^{re.escape(str(path))}: the (file|editor) is closed$"):
        editor.commit()


# Refusals


def test_tensors_that_can_not_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    for type_id, nbytes, error, message in (
        (77, 64, UnknownTypeError, "tensor 'b': its type 77 is unknown"),
        (24, 33, MissingDataError, "tensor 'b'"),
    ):
        tensors = [TensorSpec("a", (8,), 24, 0), TensorSpec("b", (8,), type_id, 32)]
        path.write_bytes(Model([], tensors, bytes(nbytes)).build())
        with edit(path) as editor:
            editor.tensors["c"] = FLOATS
            with pytest.raises(error, match=message):
                editor.commit()
            del editor.tensors["b"]
        assert [*kaitai_gguf.open(path).tensors] == ["a", "c"]


def test_what_was_written_is_read_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before, write_tensor = path.read_bytes(), kaitai_gguf.Writer.write_tensor

    def wrong(self: kaitai_gguf.Writer, name: str, data: Any) -> None:
        write_tensor(self, name, np.zeros((2, 64), np.float32) if name == "new" else data)

    monkeypatch.setattr(kaitai_gguf.Writer, "write_tensor", wrong)
    with edit(path) as editor:
        editor.tensors["new"] = np.ones((2, 64), np.float32)
        with pytest.raises(WriteError, match="tensor 'new' was not written correctly"):
            editor.commit()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_an_editor_shows_what_changed(path: Path) -> None:
    write(path, {"x": 1, "y": "text"}, {"a": FLOATS, "b": FLOATS, "c": FLOATS})
    with edit(path) as editor:
        assert repr(editor) == f"<Editor {str(path)!r} v3, 2 keys, 3 tensors>"
        editor.metadata["z"] = 1
        del editor.metadata["y"]
        editor.tensors["a"] = editor.tensors["new"] = FLOATS
        assert editor.tensors["new"] is FLOATS
        editor.tensors.rename("b", "e")
        del editor.tensors["c"]
        assert repr(editor.metadata) == "<2 keys: 'x', 'z'; 1 set; 1 removed>"
        assert repr(editor.tensors) == "<3 tensors: 'a', 'e', 'new'; 1 added; 1 replaced; 1 removed; 1 renamed>"
        changes = "2 keys (1 set, 1 removed), 3 tensors (1 added, 1 replaced, 1 removed, 1 renamed)"
        assert repr(editor) == f"<Editor {str(path)!r} v3, {changes}>"
        editor.tensors["moved"] = editor.tensors.pop("a")
        editor.commit()
        assert repr(editor) == f"<Editor {str(path)!r} v3, 2 keys, 3 tensors>"
    assert repr(editor) == f"<Editor {str(path)!r}, closed>"
    assert (repr(editor.metadata), repr(editor.tensors)) == ("<2 keys: 'x', 'z'>", "<3 tensors: 'e', 'new', 'moved'>")


# The version of the blocks


@pytest.mark.parametrize(
    ("types", "change", "is_added"),
    [
        ([8, 24], lambda editor: editor.metadata.__setitem__("x", "b"), True),
        ([8, 24], lambda editor: editor.tensors.rename("t1", "t2"), True),
        ([8, 24], lambda editor: editor.tensors.__setitem__("t1", np.ones(32, np.int8)), True),
        ([8, 24], lambda editor: editor.tensors.__delitem__("t1"), True),
        ([24], lambda editor: editor.tensors.__setitem__("t0", (np.ones((1, 32), np.float32), "Q4_0")), True),
        ([24], lambda editor: editor.metadata.__setitem__("x", "b"), False),
        ([8], lambda editor: editor.metadata.__setitem__("x", "a" * 100), False),
    ],
)
def test_an_edit_adds_the_quantization_version(
    tmp_path: Path, types: list[int], change: Callable[[Any], None], is_added: bool
) -> None:
    """Not without a change or without quantized tensors."""
    path, output = tmp_path / "model.gguf", tmp_path / "output.gguf"
    tensors = [TensorSpec(f"t{number}", (32,), type, 128 * number) for number, type in enumerate(types)]
    path.write_bytes(Model([("x", "string", "a" * 100)], tensors, bytes(128 * len(types))).build())
    with edit(path) as editor:
        change(editor)
        header = editor.header
        editor.commit(output)
        editor.commit()
    assert path.read_bytes() == output.read_bytes()
    with kaitai_gguf.open(output) as model:
        assert list(model.metadata) == ["x", "general.quantization_version"][: 1 + is_added]
        assert (model.metadata.get("general.quantization_version", 2), model.buffer[: len(header)]) == (2, header)
