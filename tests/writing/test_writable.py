"""Writable metadata: a mapping that chooses and keeps types, and outlives the files that its values come from."""

import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Array, Model

import kaitai_gguf
from kaitai_gguf import KeyNotFound, Typed, ValueType, ValueTypeError, WritableMetadata, WriteError
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.types import KeyType


def empty(keeps_types: bool = False) -> WritableMetadata:
    return WritableMetadata(Serializer(3, "little"), keeps_types)


def opened(*rows: tuple[Any, ...]) -> kaitai_gguf.Metadata:
    return kaitai_gguf.open(Model(list(rows)).build()).metadata


def header(metadata: WritableMetadata) -> bytes:
    return b"".join(Serializer(3, "little").header(metadata.key_values(), []))


def reread(metadata: WritableMetadata) -> kaitai_gguf.Metadata:
    return kaitai_gguf.open(header(metadata)).metadata


def types(metadata: WritableMetadata) -> dict[str, str]:
    return {key: str(metadata.type(key)) for key in metadata}


def test_it_is_a_mapping() -> None:
    metadata = empty()
    metadata.update({"a": 1, "b": "x"}, c=[1, 2])
    metadata["b"] = Typed("y", ValueType.STRING)
    del metadata["a"]
    assert dict(metadata) == {"b": "y", "c": [1, 2]}
    assert ("b" in metadata, "a" in metadata, len(metadata)) == (True, False, 2)
    assert types(metadata) == {"b": "string", "c": "array of uint32"}
    for action in (lambda: metadata["a"], lambda: metadata.type("a"), lambda: metadata.__delitem__("a")):
        with pytest.raises(KeyNotFound, match="'a'"):
            action()
    assert (metadata.get("a"), metadata.get_str("b"), metadata.get_int("a", 5)) == (None, "y", 5)
    with pytest.raises(ValueTypeError, match="key 'c' is not an integer: its type is array of uint32"):
        metadata.get_int("c")
    assert reread(metadata)["c"].tolist() == [1, 2]


def test_hyperparameters_of_any_architecture() -> None:
    metadata = empty()
    metadata["llama.context_length"] = 4096.0
    with pytest.raises(WriteError, match=r"key 'x\.context_length': 'a' is a string, but the documented type is uint"):
        metadata["x.context_length"] = "a"
    metadata["general.architecture"] = "llama"
    metadata["x.context_length"] = Typed("a", ValueType.STRING)
    with pytest.raises(WriteError, match=r"key 'llama\.context_length': 0\.5 is a float"):
        metadata["llama.context_length"] = 0.5
    expected = {"llama.context_length": 4096, "general.architecture": "llama", "x.context_length": "a"}
    assert repr(dict(metadata)) == repr(dict(reread(metadata))) == repr(expected)


@pytest.mark.parametrize(
    ("key", "value", "error", "message"),
    [
        ("split.count", 65536, WriteError, r"^key 'split\.count': 65536 does not fit uint16"),
        ("x", None, TypeError, "^key 'x': None"),
        ("", 1, WriteError, "a key must not be empty"),
        ("\ud800", 1, WriteError, "a key"),
        (1, 1, TypeError, "a key"),
    ],
)
def test_errors_name_the_key(key: Any, value: Any, error: type[Exception], message: str) -> None:
    metadata = empty()
    with pytest.raises(error, match=message):
        metadata[key] = value
    assert not metadata


# Types


def test_types_are_kept_until_they_are_changed() -> None:
    metadata = empty(keeps_types=True)
    rows = ("general.file_type", "uint64", 1), ("x", "array", Array("uint8", [0, 1])), ("y", "float32", 2.0)
    metadata.update(opened(*rows))
    metadata["general.file_type"] = np.uint8(3)
    metadata["x"] = [1, 0]
    metadata["general.name"] = "x"
    assert [*types(metadata).values()] == ["uint64", "array of uint8", "float32", "string"]
    with pytest.raises(WriteError, match=r"key 'general\.file_type': 'x' is a string, but the type is uint64"):
        metadata["general.file_type"] = "x"
    metadata["general.file_type"] = Typed(3, "uint8")
    metadata.retype("x", ValueType.BOOL)
    metadata.retype("y", ValueType.INT8)
    with pytest.raises(WriteError, match="key 'y': 2 can't be bool"):
        metadata.retype("y", ValueType.BOOL)
    metadata["x"], metadata["y"] = [], 100
    assert [*types(metadata).values()] == ["uint8", "array of bool", "int8", "string"]
    assert metadata.expected_type("general.file_type") == KeyType(ValueType.UINT8)
    assert (metadata.expected_type("x.new"), str(metadata.expected_type("split.no"))) == (None, "uint16")


# Keys


def test_a_key_is_found_in_any_spelling() -> None:
    """A key that was decoded from a terminal or from bytes can contain surrogates."""
    metadata, spelling = empty(keeps_types=True), "é".encode().decode("ascii", "surrogateescape")
    assert spelling != "é"
    metadata["é"] = np.uint8(1)
    assert (spelling in metadata, metadata[spelling], metadata.get(spelling)) == (True, 1, 1)
    assert metadata.type(spelling) == metadata.expected_type(spelling) == KeyType(ValueType.UINT8)
    metadata.retype(spelling, ValueType.INT16)
    assert types(metadata) == {"é": "int16"}
    metadata.rename(spelling, f"x{spelling}")
    assert list(metadata) == ["xé"]
    metadata.rename(f"x{spelling}", spelling)
    metadata.copy(opened(("é", "uint8", 7)), spelling)
    assert dict(metadata) == {"é": 7}
    del metadata[spelling]
    assert not metadata


@pytest.mark.parametrize(
    ("key", "message"),
    [
        ("llama.contxt_length", "; did you mean 'llama.context_length'"),
        ("context_length", "; did you mean 'llama.context_length'?"),
        ("general.licence", "; did you mean 'general.license'"),
        ("mine.note", None),
        ("general.license", None),
    ],
)
def test_an_edited_file_warns_about_keys_that_look_misspelled(key: str, message: str | None) -> None:
    metadata, new = empty(keeps_types=True), empty()
    metadata.update(opened(("general.architecture", "string", "llama"), ("llama.vocab_sise", "uint8", 1)))
    new["general.architecture"] = "llama"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        metadata["llama.vocab_sise"] = 2
        new[key] = "x"
    for change in (metadata.__setitem__, lambda key, value: metadata.update({key: value}), metadata.setdefault):
        metadata.pop(key, None)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            change(key, "x")
        assert [(each.category, each.filename) for each in caught] == [(UserWarning, __file__)] * (message is not None)
        assert all(f"the key {key!r} is not documented{message}" in str(each.message) for each in caught)


# Values that change, and files that are closed


@pytest.mark.parametrize(
    "value", [[1, 2], np.array([1, 2]), [[1, 2]], [np.array([1, 2])], Typed([1, 2], ValueType.INT8)], ids=repr
)
def test_a_value_that_changes_after_it_was_set(value: Any) -> None:
    metadata = empty()
    metadata["x"] = value
    inner = value.value if isinstance(value, Typed) else value
    inner = inner[0] if isinstance(inner[0], list | np.ndarray) else inner
    inner[0] = 100
    assert np.array(metadata["x"]).ravel().tolist() == [1, 2]
    assert np.array([*reread(metadata)["x"]]).ravel().tolist() == [1, 2]


EVERY_KIND: list[tuple[Any, ...]] = [
    ("number", "int8", -1),
    ("real", "float64", 0.1),
    ("text", "string", b"a\xff"),
    ("numbers", "array", Array("uint16", [1, 258])),
    ("texts", "array", Array("string", ["x", b"\xff", ""])),
    ("nested", "array", Array("array", [Array("string", ["y"]), Array("int16", [3]), Array("array", [])])),
    ("flag", "bool", 1),
]


@pytest.mark.parametrize(("version", "byte_order"), [(3, "little"), (2, "little"), (1, "big"), (3, "big")])
def test_metadata_outlives_its_file(version: int, byte_order: str, tmp_path: Path) -> None:
    path, expected = tmp_path / "source.gguf", Model(EVERY_KIND).header()
    path.write_bytes(Model(EVERY_KIND, version=version, byte_order=byte_order).build())
    whole, single = empty(), empty(keeps_types=True)
    with kaitai_gguf.open(path) as model:
        whole.update(model.metadata)
        for key in model.metadata:
            single.copy(model.metadata, key)
        model.close(release=True)
    path.write_bytes(bytes(path.stat().st_size))
    for metadata in (whole, single):
        assert header(metadata) == expected
        assert (metadata["texts"].tolist(), metadata["nested"][1].tolist()) == (["x", "\udcff", ""], [3])
        for key in list(metadata):
            metadata.rename(key, f"{key}2")
        assert header(metadata) == Model([(f"{key}2", *row) for key, *row in EVERY_KIND]).header()


def test_metadata_outlives_its_editor(tmp_path: Path) -> None:
    path, other = tmp_path / "source.gguf", tmp_path / "other.gguf"
    path.write_bytes(Model(EVERY_KIND).build())
    other.write_bytes(Model([("number", "uint8", 7)], byte_order="big").build())
    metadata = empty()
    with kaitai_gguf.edit(other) as target:
        with kaitai_gguf.edit(path) as editor:
            editor.metadata["new"] = Typed(5, "int16")
            for each in (metadata, target.metadata):
                each.update(editor.metadata)
            editor.discard()
        path.unlink()
    assert header(metadata) == Model([*EVERY_KIND, ("new", "int16", 5)]).header()
    assert not kaitai_gguf.diff(other, header(metadata)).keys
