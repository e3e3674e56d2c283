"""Files that are read by ranges through other programs' code: what fsspec knows, and file objects that aren't local."""

import errno
import threading
from collections.abc import Callable
from typing import Any

from kaitai_gguf.errors import FileAccessError, FileError, FileMissingError, MissingPackageError
from kaitai_gguf.sources.urls import scheme_of, without_secrets

__all__ = ["FileObjectRanges", "FsspecRanges"]

_VERSIONS = ("VersionId", "version_id", "generation", "ETag", "etag", "md5Hash", "content_md5", "mtime", "LastModified")
"""What file systems call that which changes with a file, in the order of how much it says."""


class _Counted:
    """A file that is read by a function, under a lock or not, and what was read."""

    def __init__(self, name: str, nbytes: int, version: str | None, first: int) -> None:
        self.name = name
        self.nbytes = nbytes
        self.version = version
        self.num_requests = self.num_bytes = 0
        self._counting = threading.Lock()
        self.start = self.read(0, min(first, nbytes)) if nbytes else b""

    def _read(self, start: int, end: int) -> Any:
        raise NotImplementedError

    def read(self, start: int, end: int) -> bytes:
        """Return exactly the bytes from one position to another. Raises `FileError`."""
        with self._counting:
            self.num_requests += 1
        data = _called(self.name, lambda: self._read(start, end))
        if not isinstance(data, bytes):
            raise TypeError(f"{self.name}: expected a file object that reads bytes, not {type(data).__name__}")
        with self._counting:
            self.num_bytes += len(data)
        if len(data) != end - start:
            words = f"{len(data)} bytes were read where {end - start} were asked for: the file may have been replaced"
            raise FileError(errno.EIO, words, self.name)
        return data

    def close(self) -> None:
        """There is nothing to let go of."""


class FsspecRanges(_Counted):
    """A file of any file system that fsspec knows. Safe for threads."""

    def __init__(self, url: str, first: int, **options: Any) -> None:
        """Read the first bytes, at most `first` of them: `start` has them.

        `options` are those of the file system (`storage_options`). Raises `FileError`, ValueError for a scheme that
        fsspec doesn't know, `MissingPackageError` if the file system's package is not installed.
        """
        name = without_secrets(url)
        self._files, self._path = _file_system(url, name, options)
        info = _called(name, lambda: self._files.info(self._path))
        if info.get("type") == "directory":
            raise FileError(errno.EISDIR, "is a directory, not a GGUF file", name)
        if info.get("size") is None:
            raise FileError(errno.EIO, "the file system does not tell the size of the file", name)
        versions = (str(info[key]) for key in _VERSIONS if info.get(key))
        self._condition = _condition(self._files, info)
        super().__init__(name, int(info["size"]), next(versions, None), first)

    def _read(self, start: int, end: int) -> Any:
        return self._files.cat_file(self._path, start=start, end=end, **self._condition)


class FileObjectRanges(_Counted):
    """A seekable binary file object, read where it is and left where it was. Threads take turns."""

    def __init__(self, file: Any, first: int) -> None:
        self._file = file
        self._turn = threading.Lock()
        name = getattr(file, "full_name", None) or getattr(file, "name", None)
        name = without_secrets(name) if isinstance(name, str) else "the file object"
        super().__init__(name, _called(name, self._size), None, first)

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
                while isinstance(data, bytes) and 0 < len(data) < end - start:
                    more = self._file.read(end - start - len(data))
                    if not more:
                        break
                    data += more
            finally:
                self._file.seek(position)
        return data


def _file_system(url: str, name: str, options: dict[str, Any]) -> tuple[Any, str]:
    try:
        from fsspec.core import url_to_fs  # type: ignore[import-untyped]
    except ImportError:
        words = f"{scheme_of(url)} URLs need the package fsspec and the file system's own package, such as s3fs for s3"
        raise MissingPackageError(words) from None
    try:
        files, path = _called(name, lambda: url_to_fs(url, **options))
    except ImportError as error:
        raise MissingPackageError(f"{name}: {error}") from None
    return files, path


def _condition(files: Any, info: dict[str, Any]) -> dict[str, Any]:
    """What makes a file system read the file that was found, and no later one, where it can do that."""
    version = info.get("VersionId")
    return {"version_id": version} if version and getattr(files, "version_aware", False) else {}


def _called(name: str, function: Callable[[], Any]) -> Any:
    """What a function of somebody else's gives; its errors become `FileError`."""
    try:
        return function()
    except FileNotFoundError:
        raise FileMissingError(errno.ENOENT, "no such file", name) from None
    except PermissionError as error:
        raise FileAccessError(errno.EACCES, f"the file may not be read: {error}", name) from None
    except (ImportError, TypeError):
        raise
    except Exception as error:  # there are as many kinds as file systems
        words = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
        raise FileError(getattr(error, "errno", None) or errno.EIO, words, name) from None
