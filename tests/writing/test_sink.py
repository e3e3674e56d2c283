"""A sink writes all bytes, or raises an error that names the target: unbuffered files, full disks, holes."""

import errno
import gzip
import io
import os
import socket
import subprocess
import sys
import threading
import tracemalloc
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import FileError, GGMLType, Writer, write
from kaitai_gguf.writing.atomic import real_path
from kaitai_gguf.writing.sink import Sink, write_all

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"

needs_dev_full = pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full does not exist")


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


def refused(file: Any) -> FileError:
    """Write a megabyte to a file, close it, and return the error."""
    writer = Writer(file)
    writer.add_tensor("t", (1 << 20,), GGMLType.I8)
    with pytest.raises(FileError) as caught:
        writer.write_tensor("t", bytes(1 << 20))
    with suppress(OSError):
        file.close()
    return caught.value


# Short writes


@given(st.binary(max_size=100), st.integers(1, 9))
def test_all_of_it_is_written(data: bytes, most: int) -> None:
    file = Short(most)
    write_all(file, data)
    assert file.data == data


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


def test_a_path_and_an_unbuffered_file_get_the_same(tmp_path: Path) -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        write(tmp_path / "path", model.metadata, model.tensors)
        with (tmp_path / "raw").open("wb", buffering=0) as raw:
            write(raw, model.metadata, model.tensors)
    assert (tmp_path / "raw").read_bytes() == (tmp_path / "path").read_bytes() == SAMPLE.read_bytes()


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
@pytest.mark.parametrize("buffering", [0, -1])
def test_a_pipe_that_would_block(buffering: int) -> None:
    ours, theirs = os.pipe()
    os.set_blocking(theirs, False)
    with os.fdopen(ours, "rb"):
        caught = refused(os.fdopen(theirs, "wb", buffering))
    assert caught.errno == errno.EAGAIN
    assert str(caught).startswith(f"file descriptor {theirs}: ")


def test_a_socket_gets_all() -> None:
    ours, theirs = socket.socketpair()
    received: list[bytes] = []

    def receive() -> None:
        with ours:
            while chunk := ours.recv(1000):
                received.append(chunk)

    reader = threading.Thread(target=receive)
    reader.start()
    theirs.settimeout(30)
    with kaitai_gguf.open(SAMPLE) as model, theirs, theirs.makefile("wb", buffering=0) as file:
        write(file, model.metadata, model.tensors)  # type: ignore[arg-type]  # which is raw
    reader.join()
    assert b"".join(received) == SAMPLE.read_bytes()


@needs_dev_full
@pytest.mark.parametrize("buffering", [0, -1])
def test_a_device_that_is_full(buffering: int) -> None:
    caught = refused(open("/dev/full", "wb", buffering))  # noqa: SIM115 - it is closed there
    assert (caught.errno, caught.filename) == (errno.ENOSPC, "/dev/full")


LIMITED = """
import os, resource, sys
import numpy as np
import kaitai_gguf

kind, nbytes, folder = sys.argv[1], int(sys.argv[2]), sys.argv[3]
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
path = os.path.join(folder, "model.gguf")
target = {"path": lambda: path, "raw": lambda: open(path, "wb", 0), "buffered": lambda: open(path, "wb")}[kind]()
try:
    # More than the limit: the only write beyond it is a short one, and nothing comes after it.
    kaitai_gguf.write(target, {}, {f"t{n}": np.zeros(nbytes, np.int8) for n in range(150_016 // nbytes)})
except kaitai_gguf.FileError as error:
    assert error.filename == path, error
    print("refused", error.errno, sorted(os.listdir(folder)))
    os._exit(0)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
@pytest.mark.parametrize(("kind", "left"), [("path", []), ("raw", ["model.gguf"]), ("buffered", ["model.gguf"])])
@pytest.mark.parametrize("nbytes", [150_016, 1172])
def test_a_file_that_may_not_grow(nbytes: int, kind: str, left: list[str], tmp_path: Path) -> None:
    command = [sys.executable, "-u", "-c", LIMITED, kind, str(nbytes), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert done.stdout == f"refused {errno.EFBIG} {left}\n", done.stderr


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


def test_zeros_in_a_file_that_is_compressed(tmp_path: Path) -> None:
    path = tmp_path / "file.gz"
    with gzip.open(path, "wb") as file:
        Sink(file, path).write_zeros(3 << 20)
    assert gzip.decompress(path.read_bytes()) == bytes(3 << 20)


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


# Paths


@pytest.mark.parametrize(("path", "shown"), [("a\0b", r"a\0b"), ("a\ud800b", r"a\ud800b")], ids=ascii)
def test_what_is_not_a_path(path: str, shown: str) -> None:
    with pytest.raises(FileError, match="is not a path") as caught:
        real_path(path)
    assert caught.value.filename == shown
    str(caught.value).encode()
    for action in (lambda: Writer(path), lambda: write(Path(path), {}, {})):
        with pytest.raises(FileError, match="is not a path"):
            action()
