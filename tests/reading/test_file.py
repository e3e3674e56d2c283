"""Opening paths, bytes and file objects; what can't be opened; facts of a file; closing; notebooks."""

import bz2
import gzip
import io
import lzma
import os
import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from html import unescape
from pathlib import Path
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import ClosedError, FileAccessError, FileError, GGUFFile, TruncatedError, Typed, ValueType
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.opening import model_of

MODEL = Model([("general.name", "string", "m")], [TensorSpec("t", (3,), 0, 0)], np.arange(3, dtype="<f4").tobytes())
DATA = MODEL.build() + bytes(4)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    file = tmp_path / "model.gguf"
    file.write_bytes(DATA)
    return file


def check(model: GGUFFile) -> None:
    assert model.metadata["general.name"] == "m"
    assert model.tensors["t"].data.tolist() == [0, 1, 2]
    assert model.buffer == DATA


# What can be opened


@dataclass
class PathOf:
    """A path-like object, as other libraries define them."""

    path: str | bytes

    def __fspath__(self) -> str | bytes:
        return self.path


@pytest.mark.parametrize("mmap", [True, False])
@pytest.mark.parametrize("kind", [Path, str, PathOf, lambda path: PathOf(os.fsencode(path))])
def test_paths(path: Path, mmap: bool, kind: Any) -> None:
    with kaitai_gguf.open(kind(str(path)), mmap=mmap) as model:
        check(model)
        assert (model.name, model.nbytes) == (str(path), path.stat().st_size)


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview, lambda data: np.frombuffer(data, np.uint16)])
def test_objects_with_bytes(kind: Any) -> None:
    model = kaitai_gguf.open(kind(DATA))
    check(model)
    data = model.tensors["t"].data
    assert not data.flags.writeable
    assert np.shares_memory(data, np.frombuffer(model.buffer, np.uint8))


def temporary(path: Path) -> Any:
    file = tempfile.NamedTemporaryFile()  # noqa: SIM115 - closed by the caller
    file.write(path.read_bytes())
    return file


FILE_OBJECTS: dict[str, Callable[[Path], Any]] = {
    "buffered": lambda path: path.open("rb"),
    "raw": lambda path: path.open("rb", buffering=0),
    "writable": lambda path: path.open("r+b"),
    "temporary": temporary,
    "memory": lambda path: io.BytesIO(path.read_bytes()),
    "buffer of memory": lambda path: io.BufferedReader(io.BytesIO(path.read_bytes())),  # type: ignore[arg-type]
    **{package.__name__: package.open for package in (gzip, bz2, lzma)},  # type: ignore[attr-defined]
}


@pytest.mark.parametrize("kind", FILE_OBJECTS)
def test_file_objects_are_read_from_their_start_and_left_where_they_were(path: Path, kind: str) -> None:
    package: Any = {"gzip": gzip, "bz2": bz2, "lzma": lzma}.get(kind)
    if package is not None:
        path.write_bytes(package.compress(DATA))
    with FILE_OBJECTS[kind](path) as file:
        file.seek(5)
        with kaitai_gguf.open(file) as model:
            check(model)
        assert file.tell() == 5


OPENERS: list[Callable[[Any], object]] = [
    kaitai_gguf.open,
    lambda path: kaitai_gguf.open([path]),
    kaitai_gguf.check,
    lambda path: list(kaitai_gguf.explain(path)),
    kaitai_gguf.edit,
]


@pytest.mark.parametrize("opener", OPENERS)
def test_a_path_that_is_odd(opener: Callable[[Any], object], tmp_path: Path) -> None:
    for name in ("model-00001-of-00001.gguf", "\udcff.gguf"):
        path = str(tmp_path / name)
        Path(path).write_bytes(Model().build())
        for given in (PathOf(path), PathOf(os.fsencode(path))):
            assert opener(given) is not None
    for path in ("a\0b", "a\0b*", "a\0b-00001-of-00003.gguf", "a\ud800b"):
        with pytest.raises(FileError, match=r"null|surrogates not allowed"):
            opener(path)


# What can't


def damaged(path: Path) -> Any:
    path.write_bytes(gzip.compress(DATA)[:-20])
    return gzip.open(path)


def pipe(_: Path) -> Any:
    read, write = os.pipe()
    os.close(write)
    return os.fdopen(read, "rb")


def fifo(path: Path) -> Path:
    if not hasattr(os, "mkfifo"):
        pytest.skip("the system has no named pipes")
    os.mkfifo(path.with_name("fifo"))
    return path.with_name("fifo")


def empty(path: Path) -> Path:
    path.write_bytes(b"")
    return path


REFUSED: list[tuple[Callable[[Path], Any], type[Exception], str]] = [
    (lambda path: path.with_name("none.gguf"), FileNotFoundError, r"/none\.gguf: no such file"),
    (lambda _: "", FileNotFoundError, "the path is empty"),
    (lambda path: path.parent, IsADirectoryError, "is a directory"),
    (fifo, OSError, "is not a regular file"),  # it is not waited for
    (lambda _: "/dev/null", OSError, "is not a regular file"),
    (damaged, FileError, "can't be read from its start"),
    (pipe, FileError, "can't be read from its start"),
    (lambda _: 5, TypeError, "expected a path, bytes or a binary file object, not int"),
    (lambda _: [b"model.gguf"], TypeError, "expected"),
    (lambda _: {"model.gguf"}, TypeError, "expected"),
    (lambda _: memoryview(b"GGUF" * 8)[::2], TypeError, "expected contiguous bytes"),
    (lambda _: io.StringIO("GGUF"), TypeError, "expected a file opened in binary mode, not a text file"),
    (lambda _: io.BytesIO(), TruncatedError, "the file is empty"),
    (empty, TruncatedError, "the file is empty"),
]


@pytest.mark.parametrize(("given", "kind", "message"), REFUSED)
def test_what_can_not_be_opened(path: Path, given: Callable[[Path], Any], kind: type[Exception], message: str) -> None:
    source = given(path)
    for options in ({}, {"mmap": False}) if isinstance(source, Path) else ({},):
        with pytest.raises(kind, match=message) as caught:
            kaitai_gguf.open(source, **options)
    assert isinstance(caught.value, FileError) or kind in (TypeError, TruncatedError)


def test_a_file_that_may_not_be_read(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("builtins.open", Mock(side_effect=PermissionError(13, "Permission denied")))
    with pytest.raises(FileAccessError, match="no permission to read the file"):
        kaitai_gguf.open(path)


# Facts of the file


@pytest.mark.parametrize("alignment", [1, 4, 8, 64, 4096])
def test_facts(alignment: int) -> None:
    metadata: Any = [("general.alignment", "uint32", alignment)]
    model = kaitai_gguf.open(Model(metadata, [TensorSpec("t", (3,), 24, 0)], b"abc", 2, "little", alignment).build())
    assert (model.version, model.byte_order, model.alignment) == (2, "little", alignment)
    assert model.header_nbytes == 24 + 8 + 17 + 4 + 4 + 8 + 1 + 4 + 8 + 4 + 8
    assert model.data_offset == -(-model.header_nbytes // alignment) * alignment
    assert model.tensors["t"].data.tobytes() == b"abc"
    big = kaitai_gguf.open(Model(byte_order="big").build())
    assert (big.version, big.byte_order, big.data_offset) == (3, "big", 32)


@pytest.mark.parametrize("name", ["v1", "tiny-be", "nested-arrays", "split5-00001-of-00003"])
def test_the_object_of_the_official_compiler(name: str) -> None:
    models = Path(__file__).parents[1] / "data" / "models"
    with kaitai_gguf.open(models / f"{name}.gguf") as model:
        body = model.kaitai().body
        assert [key_value.key.data.decode() for key_value in body.metadata] == list(model.metadata)
        assert [info.name.data.decode() for info in body.tensors] == list(model.shards[0].tensors)
        assert body.version == model.version


# Closing


def test_a_closed_file_is_named(path: Path) -> None:
    model = kaitai_gguf.open(path)
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, 1 keys, 1 tensors>"
    metadata, tensors, tensor = model.metadata, model.tensors, model.tensors["t"]
    model.close()
    model.close()
    assert model.closed
    with kaitai_gguf.open(DATA) as same, model_of(same) as given:
        assert given is same
    uses: list[Callable[[], object]] = [
        lambda: (model.metadata, model.tensors, source_of(model)),
        lambda: metadata["general.name"],
        lambda: metadata.entry("general.name"),
        lambda: list(metadata),
        lambda: tensors["t"],
        lambda: list(tensors),
        lambda: tensor.data,
        model.__enter__,
    ]
    for use in uses:
        with pytest.raises(ClosedError) as caught:
            use()
        assert str(caught.value) == f"{path}: the file is closed"
    assert tensor.shape == (3,)
    assert repr(model) == f"<GGUFFile {str(path)!r} v3, closed>"
    assert repr(metadata) == "<Metadata of 1 keys: closed>"
    with kaitai_gguf.open(DATA) as unnamed:
        pass
    with pytest.raises(ClosedError, match=r"^the file is closed$"):
        _ = unnamed.tensors


# In notebooks: the HTML escapes all text from a file

SAMPLE = Path(__file__).parents[2] / "examples/sample.gguf"
HOSTILE = "<script>alert(1)</script>&amp;"


def cells(html: str) -> list[str]:
    """Return the texts between the tags, of which only harmless ones are allowed."""
    tags = re.findall(r"<([a-z]+)", html)
    assert set(tags) <= {"table", "thead", "tbody", "tr", "th", "td", "details", "summary", "p"}
    assert html.count("</") == len(tags)
    return [unescape(text) for text in re.split("<[^>]*>", html) if text]


def test_a_model_in_a_notebook() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        texts = cells(model._repr_html_())
        assert [str(SAMPLE), f"{model.nbytes:,} bytes", "3, little-endian"] == [texts[1], texts[3], texts[5]]
        assert {*model.metadata, *model.tensors, "array of 264 string", "Q4_0"} <= set(texts)
        assert model.tensors["output.weight"]._repr_html_().count("<tr>") == 2
        assert " more</p>" not in model.metadata._repr_html_()
    assert "closed" in "".join(cells(model._repr_html_()))


def test_text_of_a_file_is_escaped_and_long_tables_end(tmp_path: Path) -> None:
    path = tmp_path / "x.gguf"
    metadata = {HOSTILE: HOSTILE, "a": [HOSTILE], "b": Typed([[]], ValueType.INT8), "c": b"\xff", "d\udcff": 1}
    kaitai_gguf.write(path, metadata, {})
    with kaitai_gguf.open(path) as model:
        html = model._repr_html_()
    assert cells(html).count(HOSTILE) == 2
    assert html.count("\ufffd") == 2  # bytes that are not UTF-8
    kaitai_gguf.write(path, {f"k{i}": i for i in range(1000)} | {"long": "x" * 1000, "many": list(range(1000))}, {})
    with kaitai_gguf.open(path) as model:
        html = model.metadata._repr_html_()
    assert (html.count("<tr>"), len(html) < 20_000) == (101, True)
    assert "and 902 more" in html
