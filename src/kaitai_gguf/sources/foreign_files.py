"""Files that are read by ranges through other programs' code: what fsspec knows, and file objects that aren't local."""

import errno
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NoReturn
from urllib.parse import unquote

from kaitai_gguf.errors import FileAccessError, FileError, FileIsDirectoryError, FileMissingError, MissingPackageError
from kaitai_gguf.sources.ranges import Again
from kaitai_gguf.sources.urls import scheme_of, without_secrets

__all__ = ["FileObjectRanges", "FsspecRanges", "listed_files"]

_VERSIONS = (
    "VersionId", "version_id", "generation", "ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified",
    "last_modified", "updated", "created",
)  # fmt: skip
"""What file systems call that which changes with a file, in the order of how much it says."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://[^\s'\"<>]+")
_SHORTEST_SECRET = 4  # characters
_READS = 3  # of an object in S3, whose answer may end early


class _Counted(ABC):
    """A file that is read by a function, under a lock or not, and what was read."""

    address: str | None = None
    again: Again | None = None
    version: str | None = None

    def __init__(self, name: str, nbytes: int, first: int) -> None:
        self.name = name
        self.nbytes = nbytes
        self.num_requests = self.num_bytes = 0
        self._counting = threading.Lock()
        self.start = self.read(0, min(first, nbytes)) if nbytes else b""

    def _called(self, function: Callable[[], Any]) -> Any:
        """What a function of somebody else's gives. Raises `FileError`."""
        return _called(self.name, function)

    @abstractmethod
    def _read(self, start: int, end: int) -> Any: ...

    def read(self, start: int, end: int) -> bytes:
        """Return exactly the bytes from one position to another. Raises `FileError`."""
        with self._counting:
            self.num_requests += 1
        data = self._called(lambda: self._read(start, end))
        if isinstance(data, str):
            raise TypeError(f"{self.name}: expected a file object that reads bytes, not {type(data).__name__}")
        with self._counting:
            self.num_bytes += len(data)
        if len(data) != end - start:
            words = f"{len(data)} bytes were read where {end - start} were asked for: the file may have been replaced"
            raise FileError(errno.EIO, words, self.name)
        return bytes(data)

    def close(self) -> None:  # noqa: B027 - the file is somebody else's
        """There is nothing to let go of."""


class FsspecRanges(_Counted):
    """A file of any file system that fsspec knows. Safe for threads.

    What is in S3 is read on the condition that it still has its ETag. Other file systems have no such condition: after
    each range but the first they are asked whether the file still has its size and its version.
    """

    def __init__(self, url: str, first: int, **options: Any) -> None:
        """Read the first bytes, at most `first` of them: `start` has them.

        `options` are those of the file system (`storage_options`). Raises `FileError`, `MissingPackageError` if the
        package of the file system is not installed.
        """
        name = without_secrets(url)
        self._secrets = sorted(_secrets(url, options), key=len, reverse=True)
        self._files, self._path = _file_system(url, options, self._secrets)
        self.address = url
        self.again = None if options or name != url else Again(url)
        info = _called(name, self._info, self._secrets)
        if info.get("type") == "directory":
            raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", name)
        if info.get("size") is None:
            raise FileError(errno.EIO, "the file system does not tell the size of the file", name)
        self.version = _version(info)
        self._etag = info.get("ETag") if hasattr(self._files, "call_s3") else None
        # It takes a permission of its own to read a version, and so whoever wants that has to say so.
        self._object_version = info.get("VersionId") if getattr(self._files, "version_aware", False) else None
        super().__init__(name, int(info["size"]), first)

    def _called(self, function: Callable[[], Any]) -> Any:
        return _called(self.name, function, self._secrets)

    def _info(self) -> dict[str, Any]:
        self._files.invalidate_cache(self._path)  # a listing from before says what the file was then
        info: dict[str, Any] = self._files.info(self._path)
        return info

    def _read(self, start: int, end: int) -> Any:
        if self._etag:
            return self._read_s3(start, end)
        data = self._files.cat_file(self._path, start=start, end=end)
        if start:
            info = self._info()
            if (info.get("size"), _version(info)) != (self.nbytes, self.version):
                self._replaced()
        return data

    def _read_s3(self, start: int, end: int) -> bytes:
        from fsspec.asyn import sync  # type: ignore[import-untyped]

        bucket, key, version = self._files.split_path(self._path)
        request = {"Bucket": bucket, "Key": key, "Range": f"bytes={start}-{end - 1}", "IfMatch": self._etag}
        if version or self._object_version:
            request["VersionId"] = version or self._object_version
        for attempt in range(_READS):
            body = None
            try:
                body = self._files.call_s3("get_object", **request)["Body"]
                data: bytes = sync(self._files.loop, body.read)
                return data
            except Exception as error:
                if _is_precondition(error):
                    break
                if body is None or attempt == _READS - 1:  # s3fs itself repeats requests that get no answer
                    raise
            finally:
                if body is not None:
                    body.close()
        self._replaced()

    def _replaced(self) -> NoReturn:
        raise FileError(errno.ESTALE, "the file was replaced by another one while it was read", self.name)


class FileObjectRanges(_Counted):
    """A seekable binary file object, read where it is and left where it was. Threads take turns."""

    def __init__(self, file: Any, first: int) -> None:
        self._file = file
        self._turn = threading.Lock()
        name = getattr(file, "full_name", None) or getattr(file, "name", None)
        name = without_secrets(name) if isinstance(name, str) else "the file object"
        super().__init__(name, _called(name, self._size), first)

    def _size(self) -> int:
        position = self._file.tell()
        size = int(self._file.seek(0, 2))
        self._file.seek(position)
        return size

    def _read(self, start: int, end: int) -> Any:
        with self._turn:
            position = self._file.tell()
            try:
                self._file.seek(start)
                data = self._file.read(end - start)
                while not isinstance(data, str) and 0 < len(data) < end - start:
                    more = self._file.read(end - start - len(data))
                    if not more:
                        break
                    data += more
            finally:
                self._file.seek(position)
        return data


def listed_files(url: str, options: Mapping[str, Any]) -> list[str]:
    """Return the URLs of all files below a folder, or that a pattern matches, in the order of their names.

    Raises `FileError`, `MissingPackageError` if the package of the file system is not installed.
    """
    secrets = sorted(_secrets(url, options), key=len, reverse=True)
    files, path = _file_system(url, options, secrets)
    is_pattern = any(char in path for char in "*?[")
    find = files.glob if is_pattern else files.find
    found = _called(without_secrets(url), lambda: find(path), secrets)
    return [str(files.unstrip_protocol(each)) for each in sorted(found)]


def _file_system(url: str, options: Mapping[str, Any], secrets: list[str]) -> tuple[Any, str]:
    """The file system of a URL, and the path in it."""
    name = without_secrets(url)
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        url_to_fs = None
    if url_to_fs is None:
        words = f"{scheme_of(url)} URLs need the package fsspec and the file system's own package, such as s3fs for s3"
        raise MissingPackageError(f"{words}: pip install 'kaitai-gguf[remote]'")
    missing = None
    try:
        found: tuple[Any, str] = _called(name, lambda: url_to_fs(url, **options), secrets)
        return found
    except ImportError as error:
        missing = str(error)
    raise MissingPackageError(f"{name}: {missing}")


def _version(info: dict[str, Any]) -> str | None:
    return next((str(info[key]) for key in _VERSIONS if info.get(key)), None)


def _is_precondition(error: BaseException | None) -> bool:
    """Whether S3 refuses a range because the object is no longer the same."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, dict) and response.get("Error", {}).get("Code") in ("PreconditionFailed", "412"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _secrets(url: str, value: Any) -> Iterator[str]:
    """What no message may have in it: the texts among the options, and what a URL has of users and queries."""
    for each in url.split("::"):
        rest = each.partition("://")[2]
        user, _, place = rest.rpartition("@")
        yield from (part for part in re.split(r"[:/]", user) if len(part) >= _SHORTEST_SECRET)
        query = place.partition("?")[2]
        if len(query) >= _SHORTEST_SECRET:
            yield from (query, unquote(query))
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _secrets("", item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _secrets("", item)
    elif isinstance(value, str | bytes) and len(value) >= _SHORTEST_SECRET:
        text = value if isinstance(value, str) else value.decode("latin-1")
        if "://" not in text:  # the URL of a service is worth knowing
            yield text


def _called(name: str, function: Callable[[], Any], secrets: list[str] | tuple[()] = ()) -> Any:
    """What a function of somebody else's gives. Its errors become `FileError`, which does not refer to them."""
    try:
        return function()
    except (FileError, ImportError):
        raise
    except Exception as error:  # there are as many kinds as file systems
        kind, number = type(error), getattr(error, "errno", None)
        words = _URL.sub(lambda match: without_secrets(match[0]), str(error))
    for secret in secrets:
        words = words.replace(secret, "…")
    if issubclass(kind, FileNotFoundError):
        raise FileMissingError(errno.ENOENT, "no such file", name)
    if issubclass(kind, IsADirectoryError):
        raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", name)
    if issubclass(kind, PermissionError):
        raise FileAccessError(errno.EACCES, f"the file may not be read: {words}", name)
    words = f"{kind.__name__}: {words}" if words else kind.__name__
    raise FileError(number if isinstance(number, int) else errno.EIO, words, name)
