"""Files read through fsspec, and file objects that are not local."""

import errno
import io
import pickle
import re
import subprocess
import sys
import threading
import zipfile
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import numpy as np
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractFileSystem
from support.remote_models import NAMES, NUMBERS, Foreign, far, small, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.sources.foreign_files import FsspecRanges
from kaitai_gguf.threads import map_threads

SECRET = "hunter2-Sesame"


class Recorded(AbstractFileSystem):  # type: ignore[misc]
    """An in-memory file system with versions that records all calls."""

    protocol = "recorded"
    cachable = False
    files: ClassVar[dict[str, bytes]] = {}
    info_of: ClassVar[dict[str, Any]] = {}
    calls: ClassVar[list[tuple[Any, ...]]] = []
    failures: ClassVar[list[Exception]] = []
    options: ClassVar[dict[str, Any]] = {}

    def __init__(self, **options: Any) -> None:
        super().__init__()
        type(self).options = options

    def info(self, path: str, **kwargs: Any) -> dict[str, Any]:
        self.calls.append(("info", path))
        if path not in self.files:
            raise FileNotFoundError(path)
        return {"name": path, "type": "file", "size": len(self.files[path])} | self.info_of

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        self.calls.append(("cat_file", start, end))
        if self.failures:
            raise self.failures.pop(0)
        return self.files[path][start:end]


class Meeting(Recorded):
    """A file system that notices when four threads read at once."""

    protocol = "meeting"
    barrier: ClassVar[threading.Barrier] = threading.Barrier(4)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        if start:
            with suppress(threading.BrokenBarrierError):
                self.barrier.wait()
                self.calls.append(("met",))
        return super().cat_file(path, start, end)


for each in (Recorded, Meeting):
    fsspec.register_implementation(each.protocol, each, clobber=True)


@pytest.fixture(autouse=True)
def _empty() -> None:
    for each in (Recorded.files, Recorded.info_of, Recorded.calls, Recorded.failures, MemoryFileSystem.store):
        each.clear()


def put(data: bytes, path: str = "m.gguf") -> str:
    MemoryFileSystem().pipe_file(f"/{path}", data)
    return f"memory://{path}"


# fsspec


def test_what_is_requested_from_a_file_system() -> None:
    data = Recorded.files["m.gguf"] = far()
    with kaitai_gguf.open("recorded://m.gguf") as model:
        assert Recorded.calls == [("info", "m.gguf"), ("cat_file", 0, 1 << 20)]
        tensor = model.tensors[NAMES[0]]
        assert (model.name, tensor.is_remote) == ("recorded://m.gguf", True)
        start = tensor.position
        assert tensor.data.tobytes() == data[start : start + 8192]
    assert Recorded.calls[2] == ("cat_file", start, start + 8192)


def test_options_are_passed_on_and_not_pickled() -> None:
    Recorded.files["m.gguf"] = small()
    with kaitai_gguf.open("recorded://m.gguf", storage_options={"key": "k", "anon": False}) as model:
        assert Recorded.options == {"key": "k", "anon": False}
        with pytest.raises(TypeError, match="storage_options can't be copied or pickled"):
            pickle.dumps(model)


def test_a_chain_of_file_systems() -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("inner/m.gguf", far())
    put(zipped.getvalue(), "models.zip")
    with kaitai_gguf.open("zip://inner/m.gguf::memory://models.zip") as model:
        np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])


@pytest.mark.parametrize("key", ["VersionId", "generation", "ETag", "mtime", "LastModified", "created", "size"])
def test_a_file_that_is_replaced(key: str) -> None:
    """If a file system has no conditional reads, size and version are checked after each range."""
    data = Recorded.files["m.gguf"] = far()
    Recorded.info_of[key] = len(data)
    with kaitai_gguf.open("recorded://m.gguf") as model:
        _ = model.tensors[NAMES[0]].data
        Recorded.info_of[key] += 1
        with pytest.raises(FileError, match="was replaced while") as caught:
            _ = model.tensors[NAMES[0]].data
        assert caught.value.errno == errno.ESTALE
        Recorded.files["m.gguf"] = data[: model.tensors[NAMES[0]].position + 5]
        with pytest.raises(FileError, match="replaced"):
            _ = model.tensors[NAMES[0]].data


@pytest.mark.parametrize("is_asynchronous", [False, True])
def test_requests_at_once(is_asynchronous: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Only an asynchronous file system may be called by several threads at once, even for different models."""
    monkeypatch.setattr(Meeting, "async_impl", is_asynchronous)
    monkeypatch.setattr(
        Meeting, "barrier", threading.Barrier(4, timeout=10 if is_asynchronous else 0.05), raising=False
    )
    Recorded.files["m.gguf"] = far()
    models = [kaitai_gguf.open("meeting://m.gguf") for _ in range(4)]
    for array in map_threads(lambda model: model.tensors[NAMES[0]].data, models, 4):
        np.testing.assert_array_equal(array, NUMBERS[0])
    assert Recorded.calls.count(("met",)) == (4 if is_asynchronous else 0)


@pytest.mark.parametrize(
    ("url", "kind", "words"),
    [
        ("memory://m.gguf", FileNotFoundError, r"memory://m\.gguf: no such file"),
        ("memory://folder", IsADirectoryError, "is a directory"),
        ("nosuch://bucket/m.gguf", OSError, "Protocol not known: nosuch"),
        ("recorded://m.gguf", OSError, "does not report the size"),
    ],
)
def test_what_is_not_a_file(url: str, kind: type[Exception], words: str) -> None:
    put(small(), "folder/m.gguf")
    Recorded.files["m.gguf"], Recorded.info_of["size"] = small(), None
    with pytest.raises(kind, match=words) as caught:
        kaitai_gguf.open(url)
    assert isinstance(caught.value, FileError)


ERRORS: list[tuple[Exception, type[Exception], str]] = [
    (PermissionError(f"denied to {SECRET}"), PermissionError, "no permission to read the file"),
    (FileNotFoundError(SECRET), FileNotFoundError, "no such file"),
    (IsADirectoryError(SECRET), IsADirectoryError, "is a directory"),
    (OSError(errno.ECONNRESET, f"reset {SECRET}"), OSError, "reset"),
    (RuntimeError(f"https://u:{SECRET}@host/m.gguf?key={SECRET} failed"), OSError, "RuntimeError: https://host/m.gguf"),
    (KeyError(SECRET), OSError, "KeyError"),
    (TypeError(), OSError, "TypeError$"),
]


@pytest.mark.parametrize(("error", "kind", "words"), ERRORS, ids=[type(row[0]).__name__ for row in ERRORS])
@pytest.mark.parametrize("from_url", [False, True])
def test_errors_of_a_file_system(error: Exception, kind: type[Exception], words: str, from_url: bool) -> None:
    path = f"user:{SECRET}@m.gguf?key={SECRET}" if from_url else "m.gguf"
    Recorded.files[path] = small()
    Recorded.failures.append(error)
    options = {} if from_url else {"client": {"secret_key": [SECRET]}}
    with pytest.raises(kind, match=words) as caught:
        FsspecRanges(f"recorded://{path}", 100, **options)
    assert isinstance(caught.value, FileError)
    assert caught.value.__cause__ is None
    assert caught.value.__context__ is None
    assert SECRET not in f"{caught.value!r} {vars(caught.value)}"


@pytest.mark.parametrize(
    ("package", "scheme", "words"),
    [
        ("fsspec", "s3", "the package fsspec"),
        ("s3fs", "s3", "s3fs"),
        ("paramiko", "sftp", "paramiko"),
        ("httpx", "https", r"models on web servers need the package httpx: pip install 'kaitai-gguf\[remote\]'"),
    ],
)
def test_without_a_package(package: str, scheme: str, words: str) -> None:
    code = f"import sys; sys.modules[{package!r}] = None; import kaitai_gguf; kaitai_gguf.open('{scheme}://a/b.gguf')"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert re.search(f"MissingPackageError: .*{words}", done.stderr.splitlines()[-1])


# File objects


def test_any_file_object() -> None:
    file: Any = Foreign(far(), f"https://user:{SECRET}@host/m.gguf?key={SECRET}")
    file.seek(7)
    with kaitai_gguf.open(file) as model:
        assert (model.name, file.tell()) == ("https://host/m.gguf", 7)
        assert model.tensors[NAMES[0]].is_remote
        for number, array in enumerate(map_threads(lambda job: model.tensors[NAMES[job % 3]].data, range(60), 6)):
            np.testing.assert_array_equal(array, NUMBERS[number % 3])  # threads take turns
        assert file.tell() == 7
        with pytest.raises(TypeError, match="bytes or a file object"):
            pickle.dumps(model)
        file._file.close()
        with pytest.raises(FileError, match="closed file"):
            _ = model.tensors[NAMES[2]].data
    assert SECRET not in repr(model)
    text: Any = Foreign(far(), convert=bytes.hex)
    with pytest.raises(TypeError, match="the file object: expected a file object that reads bytes, not str"):
        kaitai_gguf.open(text)


class Raw(io.BytesIO):
    """What a `BufferedReader` of another library reads from."""

    count = 0

    def readinto(self, buffer: Any) -> int:
        count = super().readinto(buffer)
        self.count += count
        return count


def test_a_buffer_around_a_file_object() -> None:
    raw = Raw(vocabulary(1000, data=20 << 20))
    with kaitai_gguf.open(io.BufferedReader(raw)) as model:
        assert len(model.metadata["tokenizer.ggml.tokens"]) == 1000
    assert raw.count < 2 << 20
    file = io.BufferedReader(io.BytesIO(far()))  # type: ignore[arg-type]
    file.detach()
    with pytest.raises(FileError, match="detached"):
        kaitai_gguf.open(file)


def test_local_file_objects_are_not_remote(tmp_path: Path) -> None:
    (tmp_path / "m.gguf").write_bytes(far())
    local = (tmp_path / "m.gguf").open("rb"), fsspec.open(str(tmp_path / "m.gguf"), "rb").open()
    in_memory = Raw(far()), io.BytesIO(far()), io.BufferedReader(io.BytesIO(far()))  # type: ignore[arg-type]
    given: Any
    for given in (*local, *in_memory):
        with kaitai_gguf.open(given) as model:
            assert not model.tensors[NAMES[0]].is_remote
            given.close()
            assert model.tensors[NAMES[0]].data.shape == (64, 32)
