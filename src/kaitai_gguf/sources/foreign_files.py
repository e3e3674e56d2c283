"""Range readers over other libraries: file systems of fsspec, and file objects that aren't local."""

import errno
import os
import re
import threading
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn
from urllib.parse import unquote

from kaitai_gguf.errors import FileAccessError, FileError, FileIsDirectoryError, FileMissingError, MissingPackageError
from kaitai_gguf.sources.ranges import Again
from kaitai_gguf.sources.urls import SHORTEST_SECRET, authority_of, chain, check_url, scheme_of, without_secrets

__all__ = ["FileObjectRanges", "FsspecRanges", "listed_files"]

_VERSIONS = (
    "VersionId", "version_id", "generation", "ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified",
    "last_modified", "updated", "created",
)  # fmt: skip
"""Names that file systems have for a file's version, the most specific first."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://[^\s'\"<>]+")
_READS = 3  # attempts to read a range of an S3 object, since a response may end early


class _Counted(ABC):
    """A file whose ranges `_read` reads, with counts of requests and bytes."""

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
        """Call foreign code. Its errors are raised as `FileError`."""
        return _called(self.name, function)

    @abstractmethod
    def _read(self, start: int, end: int) -> Any: ...

    def read(self, start: int, end: int) -> bytes:
        """Return exactly the bytes from `start` to before `end`. Raises `FileError`."""
        with self._counting:
            self.num_requests += 1
        data = self._called(lambda: self._read(start, end))
        if isinstance(data, str):
            raise TypeError(f"{self.name}: expected a file object that reads bytes, not {type(data).__name__}")
        with self._counting:
            self.num_bytes += len(data)
        if len(data) != end - start:
            message = f"{len(data)} bytes were read instead of {end - start}: the file may have been replaced"
            raise FileError(errno.EIO, message, self.name)
        return bytes(data)

    def close(self) -> None:  # noqa: B027 - the file is the caller's
        """Do nothing: there is nothing to release."""


class FsspecRanges(_Counted):
    """A file on any file system that fsspec supports. Safe for threads, which take turns unless it is asynchronous.

    An S3 object is read on the condition that its ETag is unchanged. Other file systems have no conditional reads, so
    the size and the version of the file are queried and compared after each range except the first.
    """

    def __init__(self, url: str, first: int, **options: Any) -> None:
        """Read at most `first` bytes from the start of the file into `start`.

        `options` are passed to the file system (`storage_options`). Raises `FileError`, and `MissingPackageError` if
        the file system's package is not installed.
        """
        name = without_secrets(url)
        limit = tuple((key, options.pop(key)) for key in ("max_header_nbytes",) if key in options)
        self._secrets = sorted(_secrets(url, options), key=len, reverse=True)
        self.name, self.address = name, url
        self._files, self._path = _file_system(url, options, self._secrets)
        self.again = None if options or name != url else Again(url, limit)
        info = self._called(self._info)
        if info.get("type") == "directory":
            raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", name)
        if info.get("size") is None:
            raise FileError(errno.EIO, "the file system does not report the size of the file", name)
        self.version = _version(info)
        self._etag = info.get("ETag") if hasattr(self._files, "call_s3") else None
        # Reading a specific version takes a separate permission, so callers have to ask for it.
        self._object_version = info.get("VersionId") if getattr(self._files, "version_aware", False) else None
        super().__init__(name, int(info["size"]), first)

    def _called(self, function: Callable[[], Any]) -> Any:
        with _turn(self.address or self.name, self._files):
            return _called(self.name, function, self._secrets)

    def _info(self) -> dict[str, Any]:
        self._files.invalidate_cache(self._path)  # a cached listing would hide a change
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
                if body is None or attempt == _READS - 1:  # s3fs itself repeats requests without a response
                    raise
            finally:
                if body is not None:
                    body.close()
        self._replaced()

    def _replaced(self) -> NoReturn:
        raise FileError(errno.ESTALE, "the file was replaced while it was being read", self.name)


class FileObjectRanges(_Counted):
    """A seekable binary file object. Its position is restored after each read. Threads take turns."""

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
    """Return the sorted URLs of all files below a folder, or of all that match a pattern.

    Raises `FileError`, and `MissingPackageError` if the file system's package is not installed.
    """
    check_url(url)
    secrets = sorted(_secrets(url, options), key=len, reverse=True)
    files, path = _file_system(url, options, secrets)
    is_pattern = any(char in path for char in "*?[")
    find = files.glob if is_pattern else files.find
    with _turn(url, files):
        paths = _called(without_secrets(url), lambda: find(path), secrets)
    first, *others = chain(url)
    scheme, separator, rest = first.partition("://")
    host = authority_of(rest)
    # Paths of sftp, ftp and others begin after the host, those of s3 and others with the bucket.
    has_host = not (separator and host and path.startswith("/")) or f"{path}/".startswith(f"/{host}/")
    names = [str(files.unstrip_protocol(each)) if has_host else f"{scheme}://{host}{each}" for each in sorted(paths)]
    return ["::".join([name, *others]) if separator else name for name in names]


_turns: dict[str, threading.Lock] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_turns.clear)  # other threads may hold them


def _turn(url: str, files: Any = None) -> AbstractContextManager[Any]:
    """Return a lock for all requests to a server, unless its file system is known to be asynchronous.

    Other file systems are not made for threads: sftp hangs, and ftp mixes up its answers. Several objects of fsspec may
    share one connection.
    """
    if getattr(type(files), "async_impl", False):
        return nullcontext()
    scheme, _, rest = chain(url)[-1].partition("://")
    return _turns.setdefault(f"{scheme}://{authority_of(rest)}", threading.Lock())


def _file_system(url: str, options: Mapping[str, Any], secrets: list[str]) -> tuple[Any, str]:
    """Return the file system of a URL, and the path in it."""
    name = without_secrets(url)
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        url_to_fs = None
    if url_to_fs is None:
        message = (
            f"{scheme_of(url)} URLs need the package fsspec and the file system's own package, such as s3fs for s3"
        )
        raise MissingPackageError(f"{message}: pip install fsspec")
    missing = None
    try:
        with _turn(url):  # opening an archive reads its list of files
            result: tuple[Any, str] = _called(name, lambda: url_to_fs(url, **options), secrets)
        return result
    except ImportError as error:
        missing = str(error)
    raise MissingPackageError(f"{name}: {missing}")


def _version(info: dict[str, Any]) -> str | None:
    return next((str(info[key]) for key in _VERSIONS if info.get(key)), None)


def _is_precondition(error: BaseException | None) -> bool:
    """Return whether S3 refused a range because the object has changed."""
    while error is not None:
        response = getattr(error, "response", None)
        if isinstance(response, dict) and response.get("Error", {}).get("Code") in ("PreconditionFailed", "412"):
            return True
        error = error.__cause__ or error.__context__
    return False


def _secrets(url: str, value: Any) -> Iterator[str]:
    """Yield the texts that no message may contain: string options, and the users and queries of URLs."""
    for each in chain(url):
        rest = each.partition("://")[2]
        user, _, place = rest.rpartition("@")
        yield from (part for part in re.split(r"[:/]", user) if len(part) >= SHORTEST_SECRET)
        query = place.partition("?")[2]
        if len(query) >= SHORTEST_SECRET:
            yield from (query, unquote(query))
    if isinstance(value, Mapping):
        for item in value.values():
            yield from _secrets("", item)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from _secrets("", item)
    elif isinstance(value, str | bytes) and len(value) >= SHORTEST_SECRET:
        text = value if isinstance(value, str) else value.decode("latin-1")
        if "://" not in text:  # the URL of a service helps to understand an error
            yield text


def _called(name: str, function: Callable[[], Any], secrets: list[str] | tuple[()] = ()) -> Any:
    """Call foreign code. Its errors become `FileError`, without the original as context: it may hold secrets."""
    try:
        return function()
    except (FileError, ImportError):
        raise
    except Exception as error:  # every file system has its own
        kind, number = type(error), getattr(error, "errno", None)
        message = _URL.sub(lambda match: without_secrets(match[0]), str(error))
    for secret in secrets:
        message = message.replace(secret, "…")
    if issubclass(kind, FileNotFoundError):
        raise FileMissingError(errno.ENOENT, "no such file", name)
    if issubclass(kind, IsADirectoryError):
        raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", name)
    if issubclass(kind, PermissionError):
        raise FileAccessError(errno.EACCES, f"no permission to read the file: {message}", name)
    message = f"{kind.__name__}: {message}" if message else kind.__name__
    raise FileError(number if isinstance(number, int) else errno.EIO, message, name)
