"""`GGUFReader` compared with gguf-py's, attribute by attribute, and the files that it refuses."""

import copy
import gc
import pickle
import weakref
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import gguf
import pytest
from attacks.corpus import CASES
from hypothesis import given
from support.gguf_bytes import ARRAY, F32, FLOAT64, STRING, UINT32, V3, Model, file, key_value, string, tensor, u4, u8
from support.strategies import broken, models

import kaitai_gguf
from gguf_py.compare import assert_same
from gguf_py.files import EXAMPLE, MORE, READABLE
from kaitai_gguf import FileError, FormatError, GGUFError, MissingDataError
from kaitai_gguf.gguf_py import GGUFReader, InvalidKeyError, TruncatedHeaderError
from kaitai_gguf.sources import locks

Made = Callable[[Model | bytes], Path]
FILES = [(path, "r") for path in (*READABLE, *MORE)] + [(EXAMPLE, "c"), (EXAMPLE, "r+")]


@pytest.mark.parametrize(("path", "mode"), FILES, ids=lambda each: getattr(each, "stem", each))
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


@pytest.mark.parametrize(
    ("data", "phrase"),
    [
        (file([], [tensor((1,) * 8)]), r"exceeds GGML_MAX_DIMS \(4\) \(at byte"),
        (V3.header([key_value(ARRAY, u4(FLOAT64) + u8(1000) + bytes(2000))]), "requires at least 8000 bytes, and 2000"),
    ],
)
def test_errors_contain_what_the_tests_of_gguf_py_look_for(data: bytes, phrase: str, made: Made) -> None:
    with pytest.raises(ValueError, match=phrase) as error:
        GGUFReader(made(data))
    assert str(pickle.loads(pickle.dumps(error.value))) == str(error.value)


def test_a_file_is_closed_with_its_reader() -> None:
    gc.disable()
    try:
        reader: Any = GGUFReader(EXAMPLE)
        closed = weakref.ref(reader.data._mmap)
        assert reader.tensors
        assert reader.fields["general.architecture"].contents()
        del reader.data  # some programs do
        assert len(reader.tensors[0].data) > 0
        del reader
        assert closed() is None
    finally:
        gc.enable()


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda reader: pickle.loads(pickle.dumps(reader, 4))])
def test_a_copy_is_that_of_gguf_py_and_has_no_lock(copied: Callable[[Any], Any], made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    theirs, ours = copied(gguf.GGUFReader(path)), copied(GGUFReader(path))
    GGUFReader(path, "r+").data[:] = 0
    assert assert_same(theirs, ours) > 20


class Header(GGUFReader):
    """Reads only the header, the way some programs subclass gguf-py's reader."""

    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        self.header = start_offs, [field.name for field in fields]
        self.tensors = []


class Chosen(GGUFReader):
    """Reads the first two tensors."""

    def _build_tensors(self, start_offs: int, fields: Any) -> None:
        super()._build_tensors(start_offs, fields[:2])


def test_tensors_are_built_when_they_are_used_or_by_subclasses(made: Made) -> None:
    path = made(REFUSED["data cut off"])
    reader = Header(path)
    assert (reader.header, reader.tensors) == ((reader.data_offset, ["t"]), [])
    message = "tensor 't': its data is cut off: expected 256 bytes at 0x40, but the file has 32 there"
    with pytest.raises(MissingDataError, match=message):
        Chosen(path)
    whole = GGUFReader(EXAMPLE)
    assert "tensors" not in vars(whole)
    assert [each.name for each in Chosen(EXAMPLE).tensors] == [each.name for each in whole.tensors[:2]]


def test_files_that_only_gguf_py_reads(made: Made) -> None:
    cut = made(V3.header([key_value(STRING, string(b"x" * 40))])[:60])
    assert gguf.GGUFReader(cut).fields["k"].contents() == "x" * 15
    with pytest.raises(TruncatedHeaderError):
        GGUFReader(cut)
    path = made(file([], [tensor((8,)), tensor((8,), name=b"u")], bytes(64)))
    assert len(gguf.GGUFReader(path).tensors) == 2
    with pytest.raises(FormatError, match="overlaps"):
        GGUFReader(path)


# Hostile files

HUGE_AND_EMPTY = {
    f"{dims} of type {type_id}": file([], [tensor(dims, type_id)], bytes(64))
    for dims in ((0, 2**59), (2**59, 0), (2**20, 0, 2**20, 2**20))
    for type_id in (F32, 28, 77)
}


def use(reader: GGUFReader) -> None:
    """Read everything in a reader."""
    for field in [*reader.fields.values(), *(each.field for each in reader.tensors)]:
        for index in (slice(None), 0, -1):
            with suppress(UnicodeDecodeError, IndexError):  # as in gguf-py
                field.contents(index)
        assert len(field.parts) == len([*field.parts])
        assert all(0 <= index < len(field.parts) for index in field.data)
    for each in reader.tensors:
        assert each.data.nbytes == each.n_bytes


def verdicts(path: Path, data: bytes) -> list[Any]:
    """Return how our reader and the library refuse a file: byte, path and message; None for a valid header.

    The words of gguf-py in a message are replaced by those of the library.
    """
    path.write_bytes(data)
    results: list[Any] = []
    for action in (lambda: use(GGUFReader(path)), lambda: kaitai_gguf.open(path, shards=False)):
        try:
            action()
            results.append(None)
        except MissingDataError:
            results.append(None)
        except GGUFError as error:
            message = str(error).replace(" requires at least ", " needs ")
            message = message.replace("which exceeds GGML_MAX_DIMS (4)", "expected at most 4")
            results.append((getattr(error, "offset", None), getattr(error, "path", None), message))
    return results


def test_each_case_is_refused_where_the_library_refuses_it(tmp_path: Path) -> None:
    refusals = []
    for name, data in ({name: case.data for name, case in CASES.items()} | HUGE_AND_EMPTY).items():
        ours, expected = verdicts(tmp_path / "model.gguf", data)
        assert ours == expected, name
        assert name not in CASES or (ours is None) == CASES[name].opens, name
        refusals.append(ours)
    assert 10 < refusals.count(None) < len(refusals) - 10 > 90


@given(data=broken())
def test_any_broken_header(data: bytes, tmp_path_factory: pytest.TempPathFactory) -> None:
    ours, expected = verdicts(tmp_path_factory.mktemp("broken") / "model.gguf", data)
    assert ours == expected or "is also the name of a field" in ours[2]
