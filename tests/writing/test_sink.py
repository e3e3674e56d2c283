"""A sink writes all bytes, or raises an error that names the target: unbuffered files, full disks, holes, copies."""

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
from kaitai_gguf.writing.sink import Sink, transfer
from writing.build import Nowhere

PAGE = 4096


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


class Stuck(io.RawIOBase):
    """Writes nothing, and returns a given result."""

    def __init__(self, result: int | None, name: object) -> None:
        self.result = result
        self.name = name

    def write(self, _: Any) -> Any:
        return self.result


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


@pytest.mark.parametrize(
    ("result", "message", "number"),
    [
        (0, "accepted 0 of ", errno.EIO),
        (-1, "accepted -1 of ", errno.EIO),
        (1 << 40, f"accepted {1 << 40} of ", errno.EIO),
        (None, "is non-blocking, and accepted 0 of ", errno.EAGAIN),
    ],
)
def test_a_file_that_takes_nothing(result: int | None, message: str, number: int) -> None:
    for name, shown in ((None, "the file object"), (7, "file descriptor 7"), (b"x", "x")):
        with pytest.raises(FileError, match=f"^{shown}: {message}") as caught:
            write(Stuck(result, name), {"x": 1}, {})
        assert caught.value.errno == number


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
        target: Any = path if kind == "path" else path.open("wb", 0 if kind == "raw" else 1 << 20)
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
    path, nbytes = tmp_path / "file", (1 << 26) + 5
    with path.open("wb") as file:
        sink = Sink(file, path)
        for text in (b"before", b"after"):
            sink.write(text)
            sink.write_zeros(nbytes)
    assert sink.nbytes == path.stat().st_size == 11 + 2 * nbytes
    assert getattr(path.stat(), "st_blocks", 0) * 512 < nbytes
    assert path.read_bytes() == b"before" + bytes(nbytes) + b"after" + bytes(nbytes)


@pytest.mark.parametrize("mode", ["r+b", "ab", "wb"])
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
    expected = {"r+b": before[:10] + written + before[10 + len(written) :], "ab": before + written, "wb": written}
    assert path.read_bytes() == expected[mode]


def test_zeros_take_little_memory() -> None:
    file = Nowhere()
    tracemalloc.start()
    Sink(file, Path("nowhere")).write_zeros(1 << 28)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert file.nbytes == 1 << 28
    assert peak < 8 << 20


# Copies from file to file: the system's copy_file_range works, refuses, copies nothing, or copies a few bytes at a time


@pytest.fixture(params=["whole", "EXDEV", "nothing", "short"])
def system(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    replace_system(request.param, monkeypatch)


def replace_system(system: str, monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Replace the system's call. Return the positions for which it is made."""
    calls: list[tuple[int, int]] = []
    real = getattr(os, "copy_file_range", None)

    def copy(source: int, target: int, nbytes: int, start: int, position: int) -> int:
        calls.append((start, position))
        if system.startswith("E") or real is None:
            raise OSError(getattr(errno, system, errno.ENOSYS), "refused")
        if system == "nothing":
            return 0
        return real(source, target, min(nbytes, 300_000) if system == "short" else nbytes, start, position)

    monkeypatch.setattr(os, "copy_file_range", copy, raising=False)
    return calls


def transferred(path: Path, start: int, end: int, head: bytes = b"", mode: str = "wb") -> bytes:
    done: list[int] = []
    target = path.with_name("target")
    target.unlink(missing_ok=True)
    with path.open("rb", buffering=0) as source, target.open(mode) as file:
        file.write(head)
        transfer(source, start, end, file, done.append)  # type: ignore[arg-type]
        file.write(b"end")
    assert sum(done) == end - start
    return target.read_bytes()


@pytest.mark.usefixtures("system")
def test_a_part_of_a_file(tmp_path: Path) -> None:
    path, data = tmp_path / "source", os.urandom(1 << 20)
    path.write_bytes(data)
    for start, end in ((0, len(data)), (7, 7), (len(data) - 1, len(data)), (PAGE + 4, 1 << 20)):
        for head, mode in ((b"", "wb"), (b"head", "ab"), (bytes(PAGE), "wb")):
            assert transferred(path, start, end, head, mode) == head + data[start:end] + b"end"


@pytest.mark.usefixtures("system")
def test_holes_stay_holes(tmp_path: Path) -> None:
    path = tmp_path / "source"
    with path.open("wb") as file:
        file.seek(1 << 20)
        file.write(b"x" * PAGE)
        file.truncate(1 << 22)
    assert transferred(path, PAGE, 1 << 22) == path.read_bytes()[PAGE:] + b"end"
    assert (tmp_path / "target").stat().st_blocks * 512 < 1 << 20


@pytest.mark.skipif(not hasattr(os, "copy_file_range"), reason="the system has no copy_file_range")
def test_the_system_copies_where_pages_align(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The system copies from the start of a block on, because only whole blocks can be shared. A refusal is final."""
    path, data = tmp_path / "source", os.urandom(1 << 20)
    path.write_bytes(data)
    for system, head, expected in (
        ("whole", 100, [(100, 100), (1 << 16, 1 << 16)]),
        ("whole", 132, []),
        ("EXDEV", 100, [(100, 100)]),
        ("nothing", 100, [(100, 100)]),
    ):
        with monkeypatch.context() as patch:
            calls = replace_system(system, patch)
            assert transferred(path, 100, 1 << 20, bytes(head)) == bytes(head) + data[100:] + b"end"
        assert calls == expected


@pytest.mark.usefixtures("system")
def test_a_source_that_is_too_short(tmp_path: Path) -> None:
    path = tmp_path / "source"
    path.write_bytes(b"short")
    for end in (10, 100_000):
        with pytest.raises(OSError, match="has become shorter"):
            transferred(path, 0, end, b"head")


@pytest.mark.parametrize("function", ["copy_file_range", "write"])
def test_other_errors_are_errors(function: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    (tmp_path / "source").write_bytes(b"data")
    monkeypatch.setattr(os, function, full, raising=False)
    with pytest.raises(OSError, match="No space left"):
        transferred(tmp_path / "source", 0, 4, b"" if function == "copy_file_range" else b"head")
