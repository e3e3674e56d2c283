"""`GGUFReader` compared with gguf-py's, attribute by attribute, and the files that it refuses."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import pytest
from hypothesis import given
from support.gguf_bytes import (
    STRING,
    UINT32,
    V3,
    Model,
    file,
    key_value,
    string,
    tensor,
    u4,
)
from support.strategies import models

from gguf_py.compare import assert_same
from gguf_py.files import EXAMPLE, MORE, READABLE
from kaitai_gguf import FileError, FormatError, GGUFError, MissingDataError
from kaitai_gguf.gguf_py import GGUFReader, InvalidKeyError, TruncatedHeaderError
from kaitai_gguf.sources import locks

Made = Callable[[Model | bytes], Path]


CASES = [(path, "r") for path in (*READABLE, *MORE)] + [(EXAMPLE, "c"), (EXAMPLE, "r+")]


@pytest.mark.parametrize(("path", "mode"), CASES, ids=lambda each: getattr(each, "stem", each))
def test_every_attribute_is_that_of_gguf_py(path: Path, mode: Any, made: Made) -> None:
    copy = made(path.read_bytes())
    assert assert_same(gguf.GGUFReader(copy, mode), GGUFReader(copy, mode)) >= 5


@given(model=models())
def test_every_attribute_of_any_model(model: Model, tmp_path_factory: pytest.TempPathFactory) -> None:
    path = tmp_path_factory.mktemp("model") / "model.gguf"
    path.write_bytes(model.build())
    ours = GGUFReader(path)
    if model.version == 1:
        assert ours.fields["GGUF.version"].contents() == 1
        assert len(ours.tensors) == len(model.tensors)
        return
    assert assert_same(gguf.GGUFReader(path), ours) == 3 + len(model.metadata) + len(model.tensors)


def test_paths(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    for path in (EXAMPLE, str(EXAMPLE), EXAMPLE.name, Path(EXAMPLE.name)):
        theirs, ours = gguf.GGUFReader(path), GGUFReader(path)
        assert (ours.data.filename, ours.data.mode, ours.data.offset) == (theirs.data.filename, "r", 0)
        assert type(ours.data.filename) is type(theirs.data.filename)
    for path, error in ((tmp_path / "missing", FileNotFoundError), (tmp_path, IsADirectoryError), ("a\0b", FileError)):
        with pytest.raises(error) as caught:
            GGUFReader(path)
        assert isinstance(caught.value, FileError)
    with pytest.raises(ValueError, match="mode must be one of 'r', 'r\\+', 'c', not 'w'"):
        GGUFReader(EXAMPLE, "w")  # type: ignore[arg-type]
    with EXAMPLE.open("rb") as opened, pytest.raises(TypeError, match="expected a path, not BufferedReader"):
        GGUFReader(opened)  # type: ignore[arg-type]


REFUSED = {
    "empty": b"",
    "other magic": b"GGML" + bytes(60),
    "version 4": b"GGUF" + u4(4) + bytes(16),
    "cut off in the counts": V3.header()[:20],
    "cut off in a key": file([key_value(UINT32, u4(1), b"general.x")])[:30],
    "cut off in a value": V3.header([key_value(UINT32, u4(1))])[:-2],
    "cut off before the tensor infos": V3.header([], [], num_tensors=3),
    "unknown value type": V3.header([key_value(77, u4(1))]),
    "duplicated key": file([key_value(UINT32, u4(1)), key_value(UINT32, u4(1))]),
    "the key of a count": file([key_value(UINT32, u4(1), b"GGUF.version")]),
    "duplicated tensor": file([], [tensor((1,)), tensor((1,), offset=32)], bytes(64)),
    "alignment that is not a power of two": file([key_value(UINT32, u4(24), b"general.alignment")]),
    "alignment of another type": file([key_value(STRING, string(b"x"), b"general.alignment")]),
    "data cut off": file([], [tensor((64,))], bytes(32)),
}


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_what_gguf_py_raises_is_what_callers_catch(data: bytes, mode: Any, made: Made) -> None:
    with pytest.raises((ValueError, KeyError, IndexError)) as theirs:
        gguf.GGUFReader(made(data), mode)
    path = made(data)
    with pytest.raises(theirs.type) as ours:
        GGUFReader(path, mode)
    assert isinstance(ours.value, GGUFError)
    assert path.read_bytes() == data
    with path.open("r+b") as opened:  # no lock is left, although the traceback is
        locks.lock(opened.fileno(), exclusive=True, wait=0)


def test_errors_say_where(made: Made) -> None:
    with pytest.raises(InvalidKeyError, match=r"^the key 'k' is duplicated \(at byte 0x29\)$") as duplicate:
        GGUFReader(made(REFUSED["duplicated key"]))
    assert (duplicate.value.offset, duplicate.value.path) == (41, "/metadata/1/key")
    with pytest.raises(InvalidKeyError, match=r"'GGUF\.version' is reserved") as count:
        GGUFReader(made(REFUSED["the key of a count"]))
    assert (count.value.offset, count.value.path) == (24, "/metadata/0/key")
    with pytest.raises(TruncatedHeaderError) as cut:
        GGUFReader(made(REFUSED["cut off in a key"]))
    assert (cut.value.offset, cut.value.needed) == (24, 36)
    again = pickle.loads(pickle.dumps(cut.value))
    assert (type(again), str(again), again.needed) == (TruncatedHeaderError, str(cut.value), 36)
    with pytest.raises(MissingDataError, match="tensor 't'"):
        GGUFReader(made(REFUSED["data cut off"]))


def test_a_file_is_closed_with_its_reader() -> None:
    gc.disable()
    try:
        reader = GGUFReader(EXAMPLE)
        closed = weakref.ref(reader.data._mmap)
        assert reader.tensors
        assert reader.fields["general.architecture"].contents()
        del reader
        assert closed() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda reader: pickle.loads(pickle.dumps(reader))])
def test_a_copy_is_that_of_gguf_py_and_has_no_lock(copied: Callable[[Any], Any], made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    theirs, ours = copied(gguf.GGUFReader(path)), copied(GGUFReader(path))
    GGUFReader(path, "r+").data[:] = 0
    assert assert_same(theirs, ours) > 20


def test_the_map_can_be_closed_at_any_time() -> None:
    reader = GGUFReader(EXAMPLE)
    tensor = reader.tensors[0]
    expected = tensor.data.tobytes()
    reader.fields.clear()
    reader.tensors.clear()
    reader.data._mmap.close()
    reader.data._mmap.close()
    assert tensor.data.tobytes() == expected


def test_ten_thousand_tensors(made: Made) -> None:
    infos = [tensor((32,), offset=128 * i, name=b"blk.%d.x" % i) for i in range(10_000)]
    reader = GGUFReader(made(file([], infos, bytes(128 * 10_000))))
    assert "tensors" not in vars(reader)
    assert [each.name for each in reader.tensors] == [f"blk.{i}.x" for i in range(10_000)]
    assert reader.tensors[-1].data.nbytes == 128


class Header(GGUFReader):
    """Reads only the header, the way some programs subclass gguf-py's reader."""

    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        self.header = start_offs, [field.name for field in fields]
        self.tensors = []


class Chosen(GGUFReader):
    """Reads the first two tensors."""

    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        super()._build_tensors(start_offs, fields[:2])


def test_subclasses_may_build_the_tensors(made: Made) -> None:
    path = made(REFUSED["data cut off"])
    reader = Header(path)
    assert (reader.header, reader.tensors) == ((reader.data_offset, ["t"]), [])
    message = "tensor 't': its data is cut off: expected 256 bytes at 0x40, but the file has 32 there"
    with pytest.raises(MissingDataError, match=message):
        Chosen(path)
    assert [each.name for each in Chosen(EXAMPLE).tensors] == [each.name for each in GGUFReader(EXAMPLE).tensors[:2]]


def test_files_that_only_gguf_py_reads(made: Made) -> None:
    cut = made(V3.header([key_value(STRING, string(b"x" * 40))])[:60])
    assert gguf.GGUFReader(cut).fields["k"].contents() == "x" * 15
    with pytest.raises(TruncatedHeaderError):
        GGUFReader(cut)
    overlapping = file([], [tensor((8,)), tensor((8,), name=b"u")], bytes(64))
    path = made(overlapping)
    assert len(gguf.GGUFReader(path).tensors) == 2
    with pytest.raises(FormatError, match="overlaps"):
        GGUFReader(path)
