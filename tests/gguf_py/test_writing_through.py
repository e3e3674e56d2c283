"""Writing to a file through parts and data, and opening it in the meantime."""

import gc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from support.faults import child, forks
from support.gguf_bytes import Model

import kaitai_gguf
from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf import FileError
from kaitai_gguf.gguf_py import GGUFReader
from kaitai_gguf.sources import locks
from kaitai_gguf.sources.identify import INTERRUPTED
from kaitai_gguf.sources.journal_recovery import journal_head, journal_of

Made = Callable[[Model | bytes], Path]
FILES = [EXAMPLE, *(MODELS / f"{name}.gguf" for name in ("tiny-be", "nested-arrays", "v2"))]


def change_everything(reader: Any) -> int:
    """Change each value and each tensor, and return their number."""
    for number, field in enumerate(reader.fields.values()):
        for index in field.data:
            part = field.parts[index]
            part[...] = part[::-1] if part.dtype == np.uint8 else part + part.dtype.type(number % 2 + 1)
    for tensor in reader.tensors:
        tensor.data[...] = tensor.data[::-1]
        tensor.field.parts[5][0] += 32
    return len(reader.fields) + len(reader.tensors)


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_the_file_is_changed_as_by_gguf_py(path: Path, made: Made) -> None:
    before = path.read_bytes()
    theirs, ours = made(before), made(before)
    counts = [change_everything(reader(each, "r+")) for reader, each in ((gguf.GGUFReader, theirs), (GGUFReader, ours))]
    assert counts[0] == counts[1] > 5
    assert ours.read_bytes() == theirs.read_bytes() != before


def test_a_private_copy_stays_private() -> None:
    before = EXAMPLE.read_bytes()
    reader = GGUFReader(EXAMPLE, "c")
    assert change_everything(reader) > 5
    reader.data.flush()
    assert reader.data.tobytes() != before == EXAMPLE.read_bytes()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks.lock, "__kwdefaults__", {"wait": 0.05})
    monkeypatch.setattr(locks, "WAIT", 0.05)


READERS: list[Callable[[Path], Any]] = [
    GGUFReader,
    lambda path: GGUFReader(path, "c"),
    lambda path: GGUFReader(path, "r+"),
    kaitai_gguf.open,
]


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("read", READERS)
def test_nobody_writes_while_somebody_reads_or_writes(read: Callable[[Path], Any], made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    reader: Any = read(path)
    with pytest.raises(FileError, match="is open in another program, or in this one"):
        GGUFReader(path, "r+")
    del reader
    gc.collect()
    writer = GGUFReader(path, "r+")
    part = writer.fields["GGUF.version"].parts[0]
    del writer
    with pytest.raises(FileError, match=r"is being changed by another program|is open in another program"):
        read(path)
    del part
    read(path)


@pytest.mark.usefixtures("impatient")
@pytest.mark.parametrize("mode", ["r", "r+", "c"])
def test_closing_the_map_releases_the_lock(mode: Any, made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    reader = GGUFReader(path, mode)
    tensor = reader.tensors[0]
    reader.data._mmap.close()
    reader.data._mmap.close()
    GGUFReader(path, "r+")
    assert tensor.data.tobytes() == GGUFReader(EXAMPLE).tensors[0].data.tobytes()


@pytest.mark.usefixtures("impatient")
@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_does_not_release_the_lock(made: Made) -> None:
    path = made(EXAMPLE.read_bytes())
    writer = GGUFReader(path, "r+")
    assert child(writer.data._mmap.close) == 0
    with pytest.raises(FileError):
        GGUFReader(path)


def test_a_change_that_was_interrupted(made: Made) -> None:
    """An edit in place writes the magic first and last, with the old header in a journal."""
    path = made(EXAMPLE.read_bytes())
    with kaitai_gguf.open(path) as model:
        old = bytes(model.buffer[: model.header_nbytes])
    journal_of(path).write_bytes(journal_head(path.stat().st_size, old) + old)
    with path.open("r+b") as opened:
        opened.write(INTERRUPTED + bytes(40))
    reader = GGUFReader(path)
    assert list(reader.fields) == list(GGUFReader(EXAMPLE).fields)
    reader.data.flush()
    reader.data._mmap.close()
    del reader
    for mode in ("r+", "c"):
        with pytest.raises(FileError, match=r"was interrupted: kaitai_gguf\.edit\(path\)\.commit\(\) restores it"):
            GGUFReader(path, mode)  # type: ignore[arg-type]
    kaitai_gguf.edit(path).commit()
    assert path.read_bytes() == EXAMPLE.read_bytes()
    GGUFReader(path, "r+")
