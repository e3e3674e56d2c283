"""Tensors that are added, replaced, deleted and renamed: the resulting file, and refusals."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import (
    Editor,
    GGMLType,
    MissingDataError,
    ShardError,
    TensorNotFound,
    Typed,
    UnknownTypeError,
    WriteError,
    Writer,
    edit,
    write,
)
from kaitai_gguf.writing import editor as editing
from writing.build import written

MODELS = Path(__file__).parents[1] / "data" / "models"
FLOATS = np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    write(path, {"x": Typed(1, "uint16"), "y": "text"}, {"a": np.arange(5, dtype=np.int8), "b": FLOATS, "c": FLOATS.T})
    return path


def shown(path: Path) -> list[tuple[str, GGMLType | None, tuple[int, ...]]]:
    with kaitai_gguf.open(path) as model:
        return [(tensor.name, tensor.type, tensor.shape) for tensor in model.tensors.values()]


# What is written


def test_new_data_under_the_same_header(path: Path) -> None:
    before = path.read_bytes()
    with edit(path) as editor:
        header = editor.header
        editor.tensors["a"] = np.arange(5, 10, dtype=np.int8)
        assert editor.header == header
        assert not editor.fits
    assert path.read_bytes() == before.replace(bytes(range(5)), bytes(range(5, 10)))


OPERATIONS = st.lists(
    st.one_of(
        st.tuples(
            st.just("set"),
            st.sampled_from("abcd"),
            st.sampled_from(["I8", "F32", "F16", "Q8_0", "other"]),
            st.integers(0, 3),
        ),
        st.tuples(st.just("delete"), st.sampled_from("abcd")),
        st.tuples(st.just("rename"), st.sampled_from("abcd"), st.sampled_from("abcd")),
        st.tuples(st.just("metadata"), st.sampled_from("xyz"), st.integers(0, 200)),
        st.tuples(st.just("remove"), st.sampled_from("xyz")),
        st.tuples(st.just("rename key"), st.sampled_from("xyz"), st.sampled_from("xyz")),
        st.tuples(st.just("commit")),
        st.tuples(st.just("discard")),
    ),
    max_size=12,
)


@given(OPERATIONS, st.sampled_from(["little", "big"]), st.sampled_from([1, 3]), st.sampled_from([32, 64]))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=100)
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
    committed = metadata, tensors
    with edit(path) as editor:
        for kind, *arguments in operations:
            if kind == "commit":
                editor.commit()
                committed = metadata, tensors
            elif kind == "discard":
                editor.discard()
                metadata, tensors = committed
            else:
                metadata, tensors = change(editor, metadata, tensors, kind, *arguments, other=other)
            assert (list(editor.metadata), list(editor.tensors)) == (list(metadata), list(tensors))
    assert path.read_bytes() == written(metadata, tensors, **options)
    assert list(tmp_path.iterdir()) == [path]


def change(
    editor: Editor, metadata: dict[str, Any], tensors: dict[str, Any], kind: str, *arguments: Any, other: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Apply a change to the editor, and return the metadata and tensors expected afterwards."""
    name, *rest = arguments
    match kind:
        case "set":
            type, seed = rest
            floats = np.random.default_rng(seed).standard_normal((2, 32)).astype(np.float32)
            tensor = other if type == "other" else floats.astype(np.int8) if type == "I8" else (floats, type)
            editor.tensors[name] = tensor
            return metadata, {**tensors, name: tensor}
        case "metadata":
            editor.metadata[name] = rest[0]
            kept = metadata[name].type if name in metadata else "uint32"
            return {**metadata, name: Typed(rest[0], kept)}, tensors
        case "delete":
            return metadata, without(tensors, name, editor.tensors, TensorNotFound)
        case "remove":
            return without(metadata, name, editor.metadata, KeyError), tensors
        case "rename":
            return metadata, renamed(tensors, name, rest[0], editor.tensors)
        case _:
            return renamed(metadata, name, rest[0], editor.metadata), tensors


def without(items: dict[str, Any], name: str, edited: Any, error: type[Exception]) -> dict[str, Any]:
    if name not in items:
        with pytest.raises(error, match=name):
            del edited[name]
        return items
    del edited[name]
    return {key: value for key, value in items.items() if key != name}


def renamed(items: dict[str, Any], old: str, new: str, edited: Any) -> dict[str, Any]:
    if old not in items:
        with pytest.raises(KeyError, match=old):
            edited.rename(old, new)
    elif new in items and new != old:
        with pytest.raises(WriteError, match="already"):
            edited.rename(old, new)
    else:
        edited.rename(old, new)
        return {new if key == old else key: value for key, value in items.items()}
    return items


def test_new_data_after_a_commit_to_another_file(path: Path, tmp_path: Path) -> None:
    with edit(path) as editor:
        editor.tensors["a"] = np.zeros(5, np.int8)
        editor.commit(tmp_path / "output.gguf")
        editor.tensors["a"] = np.ones(5, np.int8)
    assert kaitai_gguf.open(path).tensors["a"].data.tolist() == [1] * 5
    assert kaitai_gguf.open(tmp_path / "output.gguf").tensors["a"].data.tolist() == [0] * 5


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


# Refusals


@pytest.mark.parametrize(
    ("tensor", "error", "words"),
    [
        ([1.0], TypeError, "tensor 't': expected an array, a Tensor, or a pair"),
        (np.ones(3, np.uint8), TypeError, "tensor 't': ggml has no uint8 tensors; for blocks, give their type"),
        ((FLOATS, "Q4_K"), WriteError, "tensor 't': can't quantize to Q4_K"),
        ((FLOATS[:, :33], "Q8_0"), WriteError, "tensor 't': row length 33 is not a multiple"),
    ],
)
def test_what_is_not_a_tensor_is_refused_at_once(path: Path, tensor: Any, error: type[Exception], words: str) -> None:
    with edit(path) as editor:
        with pytest.raises(error, match=words):
            editor.tensors["t"] = tensor
        with pytest.raises(TypeError, match="the name of a tensor must be a str"):
            editor.tensors[3] = FLOATS  # type: ignore[index]
        with pytest.raises(WriteError, match="must not be empty"):
            editor.tensors[""] = FLOATS
        with pytest.raises(TensorNotFound, match="'t'"):
            del editor.tensors["t"]
        assert list(editor.tensors) == ["a", "b", "c"]


def test_tensors_that_can_not_be_moved(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    whole = Model([], [TensorSpec("a", (8,), 24, 0), TensorSpec("u", (8,), 77, 32)], bytes(64)).build()
    path.write_bytes(whole)
    with edit(path) as editor:
        del editor.tensors["a"]
        with pytest.raises(UnknownTypeError, match="tensor 'u': its type 77 is unknown"):
            editor.commit()
    path.write_bytes(Model([], [TensorSpec("a", (8,), 24, 0), TensorSpec("b", (8,), 24, 32)], bytes(33)).build())
    with edit(path) as editor:
        editor.tensors["c"] = FLOATS
        with pytest.raises(MissingDataError, match="tensor 'b'"):
            editor.commit()
        del editor.tensors["b"]
    assert [name for name, *_ in shown(path)] == ["a", "c"]


def test_what_was_written_is_read_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = path.read_bytes()
    write_tensor = Writer.write_tensor

    def wrong(self: Writer, name: str, data: Any) -> None:
        write_tensor(self, name, np.zeros((2, 64), np.float32) if name == "new" else data)

    monkeypatch.setattr(editing.Writer, "write_tensor", wrong)
    with edit(path) as editor:
        editor.tensors["new"] = np.ones((2, 64), np.float32)
        with pytest.raises(WriteError, match="tensor 'new' was not written correctly"):
            editor.commit()
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]


def test_shards(tmp_path: Path) -> None:
    with kaitai_gguf.open(MODELS / "split-source.gguf") as model:
        paths = [Path(each) for each in kaitai_gguf.split(model, tmp_path / "model", max_tensors=5)]
        name = list(model.tensors)[7]
        zeros = np.zeros(model.tensors[name].shape, np.float32)
    with edit(paths[1]) as editor:
        editor.tensors[name] = zeros
    assert not np.asarray(kaitai_gguf.open(paths[0]).tensors[name]).any()
    with edit(paths[1]) as editor:
        del editor.tensors[name]
        with pytest.raises(ShardError, match="could not be opened with this change"):
            editor.commit()
    assert name in kaitai_gguf.open(paths[0]).tensors


# As a mapping


def test_what_is_set_is_what_is_got(path: Path) -> None:
    with edit(path) as editor:
        pair = FLOATS, "Q8_0"
        editor.tensors["new"] = pair
        assert editor.tensors["new"] is pair
        assert editor.tensors["a"].shape == (5,)
        editor.tensors["moved"] = editor.tensors.pop("b")
        assert list(editor.tensors) == ["a", "c", "new", "moved"]
        editor.tensors.update({"a": FLOATS})
        assert editor.tensors["a"] is FLOATS
        editor.tensors.clear()
        assert (list(editor.tensors), editor.tensors.is_rearranged) == ([], True)
        editor.discard()
        assert list(editor.tensors) == ["a", "b", "c"]
    assert len(shown(path)) == 3


# Representations


def test_an_editor_shows_what_changed(path: Path) -> None:
    with edit(path) as editor:
        assert repr(editor) == f"<Editor {str(path)!r} v3, 2 keys, 3 tensors>"
        editor.metadata["z"] = 1
        del editor.metadata["y"]
        editor.tensors["a"] = editor.tensors["new"] = FLOATS
        editor.tensors.rename("b", "e")
        del editor.tensors["c"]
        assert repr(editor.metadata) == "<2 keys: 'x', 'z'; 1 set; 1 removed>"
        assert repr(editor.tensors) == "<3 tensors: 'a', 'e', 'new'; 1 added; 1 replaced; 1 removed; 1 renamed>"
        changes = "2 keys (1 set, 1 removed), 3 tensors (1 added, 1 replaced, 1 removed, 1 renamed)"
        assert repr(editor) == f"<Editor {str(path)!r} v3, {changes}>"
        editor.commit()
        assert repr(editor) == f"<Editor {str(path)!r} v3, 2 keys, 3 tensors>"
    assert repr(editor) == f"<Editor {str(path)!r}, closed>"
    assert repr(editor.metadata) == "<2 keys: 'x', 'z'>"
    assert repr(editor.tensors) == "<3 tensors: 'a', 'e', 'new'>"


def test_a_writer_shows_how_far_it_is(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    with Writer(path) as writer:
        writer.metadata["x"] = 1
        writer.add_tensor("a", (2,), "I8")
        writer.add_tensor("b", (2,), "I8")
        assert repr(writer) == f"<Writer {str(path)!r} v3, 1 keys, 2 tensors>"
        assert repr(writer.metadata) == "<1 keys: 'x'>"
        writer.write_tensor("a", b"ab")
        assert repr(writer) == f"<Writer {str(path)!r} v3, 1 keys, 2 tensors, 1 written>"
        writer.write_tensor("b", b"ab")
    assert repr(writer) == f"<Writer {str(path)!r} v3, 1 keys, 2 tensors, 2 written, closed>"
    assert repr(Writer(io.BytesIO())) == "<Writer to a file object v3, 0 keys, 0 tensors>"
