"""A sink writes all bytes, or raises an error that names the target: unbuffered files, full disks, holes."""

import errno
import io
import os
import signal
import sys
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import FileError, write
from kaitai_gguf.writing.sink import Sink

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"


class Short(io.RawIOBase):
    """Accepts a few bytes at a time."""

    def __init__(self, most: int) -> None:
        self.most = most
        self.data = b""

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        taken = bytes(data)[: self.most]
        self.data += taken
        return len(taken)


class Says(io.RawIOBase):
    """Writes nothing, and returns a given result."""

    def __init__(self, answer: Any) -> None:
        self.answer = answer

    def write(self, _: Any) -> Any:
        return self.answer


class Duck:
    """A file object that is not from `io`, and whose `write` returns None."""

    def __init__(self) -> None:
        self.data = b""

    def write(self, data: Any) -> None:
        self.data += data


# Short writes


@given(models(), st.integers(1, 7))
def test_a_short_writing_target_gets_the_bytes_of_any_other(model: Model, most: int) -> None:
    with kaitai_gguf.open(model.build()) as source:
        options: dict[str, Any] = {"version": source.version, "byte_order": source.byte_order}
        arrays = {name: tensor.data for name, tensor in source.tensors.items()}
        for tensors in (source.tensors, arrays):
            short, whole, duck = Short(most), io.BytesIO(), Duck()
            for file in (short, whole, duck):
                write(file, source.metadata, tensors, **options)  # type: ignore[arg-type]  # enough of a file
            assert short.data == whole.getvalue() == duck.data


@pytest.mark.parametrize("answer", [0, -1, 1 << 40])
def test_a_file_that_takes_nothing(answer: int) -> None:
    with pytest.raises(FileError, match=f"the file object: accepted {answer} of ") as caught:
        write(Says(answer), {"x": 1}, {})
    assert caught.value.errno == errno.EIO


def test_a_file_that_would_block() -> None:
    with pytest.raises(FileError, match="the file object: is non-blocking, and accepted 0 of ") as caught:
        write(Says(None), {"x": 1}, {})
    assert caught.value.errno == errno.EAGAIN


@pytest.mark.skipif(sys.platform == "win32", reason="pipes always block on Windows")
def test_a_pipe_that_would_block() -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with os.fdopen(ours, "rb"), os.fdopen(theirs, "wb", 0) as file, pytest.raises(FileError) as caught:
        write(file, {}, {"t": np.zeros(1 << 20, np.int8)})  # type: ignore[arg-type]  # which is raw
    assert caught.value.errno == errno.EAGAIN
    assert str(caught.value).startswith(f"file descriptor {theirs}: ")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
@pytest.mark.parametrize("kind", ["path", "raw", "buffered"])
@pytest.mark.parametrize("nbytes", [150_016, 1172])
def test_a_file_that_may_not_grow(nbytes: int, kind: str, tmp_path: Path) -> None:
    """The only write beyond the limit is a short one, and nothing comes after it."""
    import resource

    path = tmp_path / "model.gguf"
    limits, handler = resource.getrlimit(resource.RLIMIT_FSIZE), signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, limits[1]))
    try:
        target: Any = path if kind == "path" else path.open("wb", 0 if kind == "raw" else -1)
        with pytest.raises(FileError) as caught:
            write(target, {}, {f"t{n}": np.zeros(nbytes, np.int8) for n in range(150_016 // nbytes)})
        if kind != "path":
            with suppress(OSError):
                target.close()
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert (caught.value.errno, caught.value.filename) == (errno.EFBIG, str(path))
    assert path.exists() == (kind != "path")


# Zeros


def test_zeros_at_the_end_of_a_file_are_a_hole(tmp_path: Path) -> None:
    path = tmp_path / "file"
    nbytes = (1 << 26) + 5
    with path.open("wb") as file:
        sink = Sink(file, path)
        sink.write(b"before")
        sink.write_zeros(nbytes)
        sink.write(b"after")
        sink.write_zeros(nbytes)
    status = path.stat()
    assert status.st_size == 11 + 2 * nbytes
    if hasattr(status, "st_blocks"):
        assert status.st_blocks * 512 < nbytes
    with path.open("rb") as file:
        assert file.read(6) == b"before"
        assert not file.read(nbytes).strip(b"\0")
        assert file.read(5) == b"after"
        assert not file.read().strip(b"\0")


@pytest.mark.parametrize("mode", ["r+b", "ab", "wb", "w+b"])
@pytest.mark.parametrize("buffering", [0, -1])
def test_zeros_are_zeros_in_a_file_that_has_other_bytes(mode: str, buffering: int, tmp_path: Path) -> None:
    path = tmp_path / "file"
    before = b"x" * (5 << 20)
    path.write_bytes(before)
    with open(path, mode, buffering) as file:
        if mode == "r+b":
            file.seek(10)
        sink = Sink(file, path)
        sink.write(b"a")
        sink.write_zeros(3 << 20)
        sink.write(b"b")
    written = b"a" + bytes(3 << 20) + b"b"
    expected = {"r+b": before[:10] + written + before[10 + len(written) :], "ab": before + written}
    assert path.read_bytes() == expected.get(mode, written)


def test_zeros_take_little_memory() -> None:
    class Nowhere(io.RawIOBase):
        nbytes = 0

        def write(self, data: Any) -> int:
            self.nbytes += len(data)
            return len(data)

    file = Nowhere()
    tracemalloc.start()
    Sink(file, Path("nowhere")).write_zeros(1 << 28)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert file.nbytes == 1 << 28
    assert peak < 8 << 20
