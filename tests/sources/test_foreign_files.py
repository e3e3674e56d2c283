"""Files read through fsspec, and file objects that are not local."""

import errno
import io
import pickle
import subprocess
import sys
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, ClassVar

import fsspec
import numpy as np
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.spec import AbstractBufferedFile, AbstractFileSystem
from support.fault_server import FaultServer
from support.remote_models import NAMES, NUMBERS, Foreign, far, small, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError, MissingPackageError
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
        self.options.update(options)

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


class OneAtATime(Recorded):
    """A file system that notices when a thread calls it while another one does."""

    protocol = "one"
    calling = threading.Lock()
    overlaps: ClassVar[list[str]] = []

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        if not self.calling.acquire(blocking=False):
            self.overlaps.append(threading.current_thread().name)
            return b""
        try:
            threading.Event().wait(0.002)  # another thread may run
            return super().cat_file(path, start, end)
        finally:
            self.calling.release()


class AtOnce(Recorded):
    """An asynchronous file system, which answers nothing until four threads are asking."""

    protocol = "atonce"
    async_impl = True
    together: ClassVar[threading.Barrier] = threading.Barrier(4)

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **kwargs: Any) -> bytes:
        if start:
            self.together.wait(10)
        return super().cat_file(path, start, end)


for each in (Recorded, OneAtATime, AtOnce):
    fsspec.register_implementation(each.protocol, each, clobber=True)


@pytest.fixture(autouse=True)
def _empty() -> Iterator[None]:
    for each in (
        Recorded.files, Recorded.info_of, Recorded.calls, Recorded.failures, Recorded.options, MemoryFileSystem.store,
    ):  # fmt: skip
        each.clear()
    yield
    MemoryFileSystem.store.clear()


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


def test_chains_of_file_systems(tmp_path: Path) -> None:
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("inner/m.gguf", far())
    put(zipped.getvalue(), "models.zip")
    put(far())
    options = {"simplecache": {"cache_storage": str(tmp_path)}}
    for url, given in (("zip://inner/m.gguf::memory://models.zip", None), ("simplecache::memory://m.gguf", options)):
        with kaitai_gguf.open(url, storage_options=given) as model:
            np.testing.assert_array_equal(model.tensors[NAMES[0]].data, NUMBERS[0])


def test_nothing_is_kept_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, server: FaultServer) -> None:
    for name in ("TMPDIR", "HOME", "XDG_CACHE_HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    monkeypatch.chdir(tmp_path)
    for url in (put(far()), server.put(far())):
        with kaitai_gguf.open(url) as model:
            assert len(model.fetch(NAMES)) == 6
    assert list(tmp_path.iterdir()) == []


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


def test_pickles() -> None:
    with kaitai_gguf.open(put(far("before"))) as model:
        pickled = pickle.dumps(model)
        tensor = pickle.loads(pickle.dumps(model.tensors[NAMES[1]]))
    np.testing.assert_array_equal(tensor.data, NUMBERS[1])
    put(far("after!"))
    with pytest.raises(FileError, match="changed since the model was pickled"):
        pickle.loads(pickled)


@pytest.mark.parametrize("scheme", ["one", "atonce"])
def test_requests_at_once(scheme: str) -> None:
    """Only an asynchronous file system may be called by several threads at once, even for different models."""
    Recorded.files["m.gguf"] = far()
    models = [kaitai_gguf.open(f"{scheme}://m.gguf") for _ in range(4)]
    Recorded.calls.clear()
    for array in map_threads(lambda model: model.tensors[NAMES[0]].data, models, 4):
        np.testing.assert_array_equal(array, NUMBERS[0])
    assert len([call for call in Recorded.calls if call[0] == "cat_file"]) == 4
    assert OneAtATime.overlaps == []


def test_what_is_not_a_file() -> None:
    put(small(), "folder/m.gguf")
    Recorded.files["m.gguf"] = small()
    Recorded.info_of["size"] = None
    cases: list[tuple[str, type[Exception], str]] = [
        ("memory://m.gguf", FileNotFoundError, r"memory://m\.gguf: no such file"),
        ("memory://folder", IsADirectoryError, "is a directory"),
        ("nosuch://bucket/m.gguf", OSError, "Protocol not known: nosuch"),
        ("recorded://m.gguf", OSError, "does not report the size"),
    ]
    for url, kind, words in cases:
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


def test_without_the_package() -> None:
    code = """if 1:
        import sys
        sys.modules[sys.argv[1]] = None
        import kaitai_gguf
        try:
            kaitai_gguf.open(sys.argv[2])
        except kaitai_gguf.MissingPackageError as error:
            print(error)
    """
    packages = {
        "fsspec": ("s3", "the package fsspec"),
        "s3fs": ("s3", "s3fs"),
        "paramiko": ("sftp", "paramiko"),
        "httpx": ("https", "models on web servers need the package httpx: pip install httpx\n"),
    }
    for package, (scheme, words) in packages.items():
        command = [sys.executable, "-c", code, package, f"{scheme}://bucket/model.gguf"]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert words in done.stdout
    assert issubclass(MissingPackageError, ImportError)


# File objects


class Buffered(AbstractBufferedFile):  # type: ignore[misc]
    """A buffered file object like those of s3fs."""

    def _fetch_range(self, start: int, end: int) -> bytes:
        data: bytes = self.fs.files[self.path][start:end]
        self.fs.calls.append(("fetch", start, end))
        return data


def test_file_objects_of_fsspec() -> None:
    Recorded.files["m.gguf"] = far()
    file = Buffered(Recorded(), "m.gguf", cache_type="none")
    file.seek(7)
    with kaitai_gguf.open(file) as model:
        assert model.tensors[NAMES[0]].is_remote
        np.testing.assert_array_equal(model.tensors[NAMES[2]].data, NUMBERS[2])
        assert file.tell() == 7
        position = model.tensors[NAMES[2]].position
        fetched = [call[1:] for call in Recorded.calls if call[0] == "fetch"]
        assert fetched == [(0, 1 << 20), (position, position + 8192)]
        file.close()
        with pytest.raises(FileError, match="closed file"):
            _ = model.tensors[NAMES[2]].data


def test_any_file_object() -> None:
    file: Any = Foreign(far(), f"https://user:{SECRET}@host/m.gguf?key={SECRET}")
    with kaitai_gguf.open(file) as model:
        assert model.name == "https://host/m.gguf"
        jobs = [number % 3 for number in range(60)]  # threads take turns
        for number, array in zip(
            jobs, map_threads(lambda number: model.tensors[NAMES[number]].data, jobs, 6), strict=True
        ):
            np.testing.assert_array_equal(array, NUMBERS[number])
        with pytest.raises(TypeError, match="bytes or a file object"):
            pickle.dumps(model)
    assert SECRET not in repr(model)
    text: Any = Foreign(far(), convert=bytes.hex)
    with pytest.raises(TypeError, match="the file object: expected a file object that reads bytes, not str"):
        kaitai_gguf.open(text)


class Raw(io.RawIOBase):
    """What a `BufferedReader` of another library reads from."""

    def __init__(self, data: bytes) -> None:
        self.inner, self.count = io.BytesIO(data), 0

    def seekable(self) -> bool:
        return True

    def readable(self) -> bool:
        return True

    def seek(self, position: int, whence: int = 0) -> int:
        return self.inner.seek(position, whence)

    def tell(self) -> int:
        return self.inner.tell()

    def readinto(self, buffer: Any) -> int:
        count = self.inner.readinto(buffer)
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
    class Named(io.BytesIO):
        """A subclass of `BytesIO` outside `io`, still in memory."""

    (tmp_path / "m.gguf").write_bytes(far())
    local = (tmp_path / "m.gguf").open("rb"), fsspec.open(str(tmp_path / "m.gguf"), "rb").open()
    in_memory = Named(far()), io.BytesIO(far()), io.BufferedReader(io.BytesIO(far()))  # type: ignore[arg-type]
    given: Any
    for given in (*local, *in_memory):
        with kaitai_gguf.open(given) as model:
            assert not model.tensors[NAMES[0]].is_remote
            given.close()
            assert model.tensors[NAMES[0]].data.shape == (64, 32)
