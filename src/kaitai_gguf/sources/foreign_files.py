"""Files on the file systems of fsspec, and the errors of other libraries."""

import errno
import os
import re
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, TypeVar
from urllib.parse import unquote

from kaitai_gguf.errors import FileAccessError, FileError, FileIsDirectoryError, FileMissingError, MissingPackageError
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.urls import SHORTEST_SECRET, authority_of, chain, check_url, scheme_of, without_secrets

_VERSIONS = (
    "VersionId", "version_id", "generation", "ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified",
    "last_modified", "updated", "created",
)  # fmt: skip
"""Names that file systems have for a file's version, the most specific first."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]+://[^\s'\"<>]+")

T = TypeVar("T")


class FsspecRanges(Ranges):
    """A file on any file system that fsspec supports.

    An S3 object is read on the condition that its ETag is unchanged. Other file systems have no conditional reads, so
    the size and the version of the file are queried and compared after each range except the first.
    """

    def __init__(self, url: str, first: int, **options: Any) -> None:
        """Read at most `first` bytes from the start of the file into `start`.

        `options` are passed to the file system (`storage_options`). Raises `FileError`, and `MissingPackageError` if
        the file system's package is not installed.
        """
        self._system = _System(url, options)
        self._object: Any = None  # an S3 object
        super().__init__(self._system.name)
        info = self._system.call(self._opened)
        if info.get("type") == "directory":
            raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", self.name)
        if info.get("size") is None:
            raise FileError(errno.EIO, "the file system does not report the size of the file", self.name)
        self.nbytes = int(info["size"])
        self.version = _version(info)
        self.address = url
        self.options = None if options or self.name != url else ()
        self.start = self.read(0, min(first, self.nbytes)) if self.nbytes else b""

    def _opened(self) -> dict[str, Any]:
        files, path = self._system.files, self._system.path
        files.invalidate_cache(path)  # a cached listing would hide a change
        if not hasattr(files, "call_s3"):
            return dict(files.info(path))
        self._object = files.open(path, cache_type="none")
        return dict(self._object.details)

    def _read(self, start: int, end: int) -> bytes:
        data = bytes(self._system.call(lambda: self._fetched(start, end)))
        self._count(1, len(data))
        return data

    def _fetched(self, start: int, end: int) -> Any:
        if self._object is not None:
            try:
                return self._object._fetch_range(start, end)  # unlike its `read`, for several threads
            except OSError as error:
                if error.errno != errno.EBUSY:  # that of s3fs.utils.FileExpired
                    raise
        else:
            data = self._system.files.cat_file(self._system.path, start=start, end=end)
            info = self._opened() if start else {}
            if not start or (info.get("size"), _version(info)) == (self.nbytes, self.version):
                return data
        raise FileError(errno.ESTALE, "the file was replaced while it was being read", self.name)


def listed_files(url: str, options: Mapping[str, Any]) -> list[str]:
    """Return the sorted URLs of all files below a folder, or of all that match a pattern.

    Raises `FileError`, and `MissingPackageError` if the file system's package is not installed.
    """
    check_url(url)
    system = _System(url, options)
    files, path = system.files, system.path
    find = files.glob if any(char in path for char in "*?[") else files.find
    paths = system.call(lambda: find(path))
    first, *others = chain(url)
    scheme, separator, rest = first.partition("://")
    host = authority_of(rest)
    # Paths of sftp, ftp and others begin after the host, those of s3 and others with the bucket.
    has_host = not (separator and host and path.startswith("/")) or f"{path}/".startswith(f"/{host}/")
    names = [str(files.unstrip_protocol(each)) if has_host else f"{scheme}://{host}{each}" for each in sorted(paths)]
    return ["::".join([name, *others]) if separator else name for name in names]


def url_pattern(url: str) -> re.Pattern[str]:
    """Return a pattern for the URLs of `listed_files`, for a URL without secrets."""
    from fsspec.utils import glob_translate  # type: ignore[import-untyped]  # fsspec is optional

    scheme, separator, path = url.partition("://")
    regex = re.escape(path.lstrip("/")) if url.endswith("/") else glob_translate(path.lstrip("/"))
    return re.compile(f"{re.escape(scheme + separator)}/*{regex}")


_turns: dict[str, threading.Lock] = {}
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_turns.clear)  # other threads may hold them


class _System:
    """The file system of a URL, and the path in it. Its errors become `FileError`.

    A server gets one request at a time, unless its file system is asynchronous. Others are not made for threads: sftp
    hangs, and ftp mixes up its answers. Several objects of fsspec may share one connection.
    """

    def __init__(self, url: str, options: Mapping[str, Any]) -> None:
        try:
            from fsspec.core import url_to_fs  # type: ignore[import-untyped]  # fsspec is optional
        except ImportError:
            package = f"{scheme_of(url)} URLs need the package fsspec and the file system's own package"
            message = f"{package}, such as s3fs for s3: pip install 'kaitai-gguf[remote]'"
            raise MissingPackageError(message) from None
        self.name = without_secrets(url)
        self.files: Any = None
        self._secrets = sorted(_secrets(url, options), key=len, reverse=True)
        scheme, _, rest = chain(url)[-1].partition("://")
        self._turn = _turns.setdefault(f"{scheme}://{authority_of(rest)}", threading.Lock())
        self.files, self.path = self.call(lambda: url_to_fs(url, **options))  # reads the list of an archive's files

    def call(self, function: Callable[[], T]) -> T:
        is_asynchronous = getattr(type(self.files), "async_impl", False)
        with nullcontext() if is_asynchronous else self._turn:
            return translated(self.name, function, self._secrets)


def _version(info: dict[str, Any]) -> str | None:
    return next((str(info[key]) for key in _VERSIONS if info.get(key)), None)


def _secrets(url: str, value: Any) -> Iterator[str]:
    """Yield the texts that no message may contain: string options, and the users and queries of URLs."""
    for each in chain(url):
        user, _, place = each.partition("://")[2].rpartition("@")
        query = place.partition("?")[2]
        yield from (part for part in (*re.split(r"[:/]", user), query, unquote(query)) if len(part) >= SHORTEST_SECRET)
    if isinstance(value, Mapping | list | tuple):
        for item in value.values() if isinstance(value, Mapping) else value:
            yield from _secrets("", item)
    elif isinstance(value, str | bytes) and len(value) >= SHORTEST_SECRET:
        text = value if isinstance(value, str) else value.decode("latin-1")
        if "://" not in text:  # the URL of a service helps to understand an error
            yield text


def translated(name: str, function: Callable[[], T], secrets: list[str] | tuple[()] = ()) -> T:
    """Call foreign code. Its errors become `FileError`, without the original as context: it may hold secrets."""
    try:
        return function()
    except FileError:
        raise
    except ImportError as error:
        raise MissingPackageError(f"{name}: {error}") from None
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
