"""Ownership of the bytes, and which pages are released."""

import mmap
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.sources import Source
from kaitai_gguf.sources.journal_recovery import journal_head, journal_of

SIZE = 8 << 20


def test_chunks_make_the_whole() -> None:
    data = bytes(range(256)) * 5
    chunks = list(Source(data).chunks(3, 1001, 100))
    assert b"".join(map(bytes, chunks)) == data[3:1001]
    assert [len(chunk) for chunk in chunks] == [100] * 9 + [98]
    assert not any(chunk.flags.writeable for chunk in chunks)
    assert not list(Source(data).chunks(7, 7, 100))
    assert Source(data).is_current()


USES: dict[str, Callable[[kaitai_gguf.GGUFFile, Path], object]] = {
    "digest": lambda model, _: kaitai_gguf.digest(model),
    "diff": lambda model, _: kaitai_gguf.diff(model, model, values=True),
    "write": lambda model, target: kaitai_gguf.write(target, model.metadata, model.tensors),
    "write arrays": lambda model, target: kaitai_gguf.write(target, {}, {"t": model.tensors["t"].data}),
    "check": lambda model, _: kaitai_gguf.check(model.buffer, deep=True),
    "convert": lambda model, target: kaitai_gguf.convert(model, target, byte_order="big"),
}


def private_map(path: Path, data: bytes) -> mmap.mmap:
    """Return a map of zeros in a file, with other bytes in memory only. They would be lost if pages were released."""
    path.write_bytes(bytes(len(data)))
    with path.open("r+b") as file:
        result = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_COPY)
    result[:] = data
    return result


@pytest.mark.parametrize("use", USES.values(), ids=USES)
def test_a_callers_map_is_left_alone(tmp_path: Path, use: Callable[[kaitai_gguf.GGUFFile, Path], object]) -> None:
    content = Model(tensors=[TensorSpec("t", (SIZE,), 24, 0)], data=b"\1" * SIZE).build()
    with kaitai_gguf.open(memoryview(private_map(tmp_path / "a.gguf", content))) as model:
        use(model, tmp_path / "b.gguf")
        assert model.buffer == content


def test_the_header_of_an_interrupted_change_stays(tmp_path: Path) -> None:
    """The header comes from the journal, because the file has a half-written one. It must survive releasing pages."""
    path = tmp_path / "model.gguf"
    kaitai_gguf.write(path, {"x": "before"}, {"t": np.ones(SIZE, np.int8)})
    old, before = path.read_bytes(), kaitai_gguf.digest(path)
    journal_of(path).write_bytes(journal_head(len(old), old[:64]) + old[:64])
    path.write_bytes(b"GGU~" + bytes(60) + old[64:])
    with kaitai_gguf.open(path) as model:
        assert kaitai_gguf.digest(model) == before
        assert model.buffer == old
        assert model.metadata["x"] == "before"


OPENERS: dict[str, Callable[[BinaryIO], kaitai_gguf.GGUFFile]] = {
    "path": lambda file: kaitai_gguf.open(file.name),
    "file": kaitai_gguf.open,
    "map": lambda file: kaitai_gguf.open(memoryview(mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ))),
    "edit": lambda file: kaitai_gguf.edit(file.name).model,
}


@pytest.mark.parametrize("opener", OPENERS)
def test_own_maps_are_given_back(tmp_path: Path, opener: str) -> None:
    path = tmp_path / "model.gguf"
    header = Model(tensors=[TensorSpec("t", (64 << 20,), 24, 0)]).build()
    with path.open("wb") as file:
        file.write(header)
        file.truncate(len(header) + (64 << 20))
    with path.open("rb") as file:
        before = resident()
        model = OPENERS[opener](file)
        kaitai_gguf.digest(model, threads=1)
        grown = resident() - before
    assert (grown < 16 << 20) == (opener != "map")


def resident() -> int:
    """Return the resident bytes of mapped files in this process."""
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("the system does not report resident memory")
    line = next(line for line in status.read_text().splitlines() if line.startswith("RssFile"))
    return int(line.split()[1]) << 10
