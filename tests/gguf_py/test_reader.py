"""`GGUFReader` compared with gguf-py's, attribute by attribute, and the files that it refuses."""

import copy
import gc
import os
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from hypothesis import given
from support.gguf_bytes import (
    F32,
    I8,
    STRING,
    UINT32,
    V3,
    Array,
    Model,
    TensorSpec,
    file,
    key_value,
    string,
    tensor,
    u4,
)
from support.strategies import models

import kaitai_gguf
from gguf_py.compare import assert_same, outcome
from gguf_py.files import EXAMPLE, MODELS, MORE, READABLE
from kaitai_gguf import FileError, FormatError, GGUFError, MissingDataError
from kaitai_gguf.gguf_py import GGUFReader, InvalidKeyError, TruncatedHeaderError
from kaitai_gguf.sources import locks

Made = Callable[[Model | bytes], Path]


CASES = [(path, mode) for path in READABLE for mode in ("r", "c", "r+")] + [(path, "r") for path in MORE]


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


def test_all_kinds_of_values(made: Made) -> None:
    model = Model(
        [
            ("text", "string", "naïve"),
            ("empty", "string", ""),
            ("not UTF-8", "string", b"\xff\xfe"),
            ("number", "float64", float("nan")),
            ("yes", "bool", 1),
            ("numbers", "array", Array("uint16", [1, 2, 3])),
            ("none", "array", Array("int32", [])),
            ("texts", "array", Array("string", ["a", "", "ü", b"\xff"])),
            ("no texts", "array", Array("string", [])),
            ("bools", "array", Array("bool", [1, 0])),
            ("nested", "array", Array("array", [Array("int8", [1]), Array("string", ["x", "y"]), Array("array", [])])),
            ("deep", "array", Array("array", [Array("array", [Array("uint8", [7, 8])]), Array("array", [])])),
        ],
        [
            TensorSpec("scalar", (), F32, 0),
            TensorSpec("nothing", (4, 0), F32, 32),
            TensorSpec("cube", (2, 1, 3), I8, 32),
        ],
        bytes(range(64)),
    )
    for order in ("little", "big"):
        model.byte_order = order
        path = made(model)
        assert assert_same(gguf.GGUFReader(path), GGUFReader(path)) == 3 + 12 + 3


def test_paths_of_every_kind(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(EXAMPLE.parent)
    for path in (EXAMPLE, str(EXAMPLE), EXAMPLE.name, Path(EXAMPLE.name)):
        theirs, ours = gguf.GGUFReader(path), GGUFReader(path)
        assert (ours.data.filename, ours.data.mode, ours.data.offset) == (theirs.data.filename, "r", 0)
        assert type(ours.data.filename) is type(theirs.data.filename)


def test_a_shard_is_a_file_of_its_own() -> None:
    assert len(GGUFReader(MODELS / "split5-00002-of-00003.gguf").tensors) == 5


def test_wrong_arguments() -> None:
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
    assert isinstance(ours.value, ValueError)
    assert path.read_bytes() == data


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_a_file_that_is_refused_is_not_locked(data: bytes, mode: Any, made: Made) -> None:
    path = made(data)
    with pytest.raises(GGUFError) as kept:
        GGUFReader(path, mode)
    with path.open("r+b") as opened:
        locks.lock(opened.fileno(), exclusive=True, wait=0)
    assert kept.traceback


def test_a_text_that_is_cut_off_is_refused(made: Made) -> None:
    path = made(V3.header([key_value(STRING, string(b"x" * 40))])[:60])
    assert gguf.GGUFReader(path).fields["k"].contents() == "x" * 15
    with pytest.raises(TruncatedHeaderError):
        GGUFReader(path)


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


def test_paths_that_can_not_be_opened(tmp_path: Path) -> None:
    for path in (tmp_path / "missing", tmp_path, "", "a\0b"):
        with pytest.raises(FileError):
            GGUFReader(path)
    for path in (tmp_path / "missing", tmp_path, ""):
        assert outcome(gguf.GGUFReader, path) in [each.__name__ for each in _raised_by(path).__mro__]


def _raised_by(path: Path | str) -> type[Exception]:
    with pytest.raises(OSError) as caught:
        GGUFReader(path)
    return caught.type


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can write to all files")
def test_a_file_that_may_not_be_written(made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    path.chmod(0o400)
    with pytest.raises(PermissionError, match="no permission to write the file"):
        GGUFReader(path, "r+")


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


def test_what_was_taken_stays_valid() -> None:
    reader = GGUFReader(EXAMPLE)
    tensor, part = reader.tensors[0], reader.fields["general.architecture"].parts[1]
    expected = tensor.data.tobytes()
    del reader
    assert tensor.data.tobytes() == expected
    assert tensor.field.parts[1].tobytes() == tensor.name.encode()
    assert part.tobytes() == b"general.architecture"


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


def test_data_can_be_flushed_and_deleted() -> None:
    reader = GGUFReader(EXAMPLE)
    reader.data.flush()
    del reader.data
    assert not hasattr(reader, "data")
    assert len(reader.tensors) > 10


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


def test_a_subclass_that_reads_headers_only(made: Made) -> None:
    path = made(REFUSED["data cut off"])
    reader = Header(path)
    assert reader.header == (reader.data_offset, ["t"])
    assert reader.tensors == []


class Chosen(GGUFReader):
    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        super()._build_tensors(start_offs, fields[:2])


def test_a_subclass_that_leaves_tensors_out() -> None:
    assert Chosen(EXAMPLE).tensors[1].data.tobytes() == GGUFReader(EXAMPLE).tensors[1].data.tobytes()
    assert len(Chosen(EXAMPLE).tensors) == 2


class Eager(GGUFReader):
    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        super()._build_tensors(start_offs, fields)


def test_a_subclass_that_builds_tensors_without_their_data(made: Made) -> None:
    with pytest.raises(
        MissingDataError, match="tensor 't': its data is cut off: expected 256 bytes at 0x40, but the file has 32 there"
    ):
        Eager(made(REFUSED["data cut off"]))


def test_the_file_is_that_of_the_library() -> None:
    with kaitai_gguf.open(EXAMPLE) as model:
        reader = GGUFReader(EXAMPLE)
        assert {each.name: each.data_offset for each in reader.tensors} == {
            name: each.position for name, each in model.tensors.items()
        }
        assert np.array_equal(reader.data, model.buffer)


def test_format_errors_are_the_library_s(made: Made) -> None:
    overlapping = file([], [tensor((8,)), tensor((8,), name=b"u")], bytes(64))
    path = made(overlapping)
    assert len(gguf.GGUFReader(path).tensors) == 2
    with pytest.raises(FormatError, match="overlaps"):
        GGUFReader(path)
