"""List the files to scan: from folders, patterns, URLs, and lists of these."""

import errno
import glob
import hashlib
import os
import re
import stat
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kaitai_gguf.catalog.tables import readable
from kaitai_gguf.errors import CatalogError, FileError
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.foreign_files import listed_files, url_pattern
from kaitai_gguf.sources.urls import absolute_path, is_url, local_path, scheme_of, shown

Sources = Path | Iterable[Path]

_SUFFIX = ".gguf"
_PATTERN = re.compile(r"[*?\[]")
_ANY_FOLDERS = f"{os.sep}**"


def source_of(path_or_url: Any) -> str:
    """Return a URL as it is, and a path as an absolute one. Raises TypeError for anything else."""
    if not isinstance(path_or_url, str | os.PathLike):
        raise TypeError(f"expected a path or a URL, not {type(path_or_url).__name__}")
    path = os.fsdecode(path_or_url)
    return path if is_url(path) else absolute_path(local_path(path))


def key_of(source: str, number: int = 0) -> str:
    """Return the key of the row of a file.

    `number` tells URLs apart that differ only in parts that a catalog leaves out, since they may hold credentials.
    """
    name = shown(source).encode("utf-8", "surrogateescape")
    return hashlib.sha256(b"%d\0%b" % (number, name)).hexdigest()[:32]


class Listing:
    """The files to scan: iterating yields the source and the key of each.

    Afterwards, `is_gone` tells which rows of an earlier scan belong to files that no longer exist.
    """

    def __init__(self, sources: Sources, storage_options: Mapping[str, Any] | None) -> None:
        """List nothing yet. Raises what `expanded` raises for lists and URLs."""
        self._given = list(_given(sources))
        for each in self._given:
            if is_url(each):
                _needs_listing(each)
        self._options = storage_options or {}
        self._folders: list[str] = []
        self._url_patterns: list[re.Pattern[str]] = []
        # Hashes only: a million keys take a hundred megabytes.
        self._keys: set[int] = set()
        self._urls: set[int] = set()
        self._num_urls: Counter[int] = Counter()  # by what is shown of them

    def __iter__(self) -> Iterator[tuple[str, str]]:
        for item in self._given:
            for source in self._files_of(item):
                key = self._url_key(source) if is_url(source) else key_of(source)
                if key is not None and hash(key) not in self._keys:
                    self._keys.add(hash(key))
                    yield source, key

    def _url_key(self, url: str) -> str | None:
        """Return the key of a URL; None if it was listed before."""
        if hash(url) in self._urls:
            return None
        self._urls.add(hash(url))
        name = hash(readable(shown(url)))
        self._num_urls[name] += 1
        return key_of(url, self._num_urls[name] - 1)

    def _files_of(self, item: str) -> Iterator[str]:
        if is_url(item):
            if not _needs_listing(item):
                return iter([item])
            self._url_patterns.append(url_pattern(readable(shown(item))))
            files = listed_files(item, self._options)
            return (each for each in files if not item.endswith("/") or each.lower().endswith(_SUFFIX))
        path = source_of(item)
        folder = os.path.dirname(_PATTERN.split(path)[0]) if _is_pattern(path) else path
        if os.path.isdir(folder):
            self._folders.append(os.path.join(folder, ""))
        return _local_files(path)

    def is_gone(self, key: str, name: str, raw_path: bytes | None) -> bool:
        """Return whether the file of a row was in one of the folders, and does not exist any more.

        `name` and `raw_path` are the columns `source` and `source_bytes` of the row. A file in a folder that can't be
        read, or that is a missing source itself, is not gone.
        """
        if hash(key) in self._keys:
            return False
        if is_url(name):
            has_another_key = hash(name) in self._num_urls
            return has_another_key or any(pattern.match(name) for pattern in self._url_patterns)
        path = name if raw_path is None else os.fsdecode(raw_path)
        if not os.path.join(path, "").startswith(tuple(self._folders)):
            return False
        try:
            return stat.S_ISDIR(os.lstat(path).st_mode)  # a folder that could not be read by an earlier scan
        except OSError as error:
            return error.errno in (errno.ENOENT, errno.ENOTDIR)


def expanded(sources: Sources, storage_options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Yield the path or URL of each file once, in an order that depends only on names.

    sources  any number of these, or one of them:
             a file, whatever its name
             a folder: all files below it whose names end with .gguf; links to folders are not followed
             a pattern with *, ? or [...]; ** stands for any folders, but not for links to folders
             a URL of a file, or of a file system that fsspec can list: a pattern, or a folder that ends with /
             @FILE: a file with one of the above on each line

    Files that do not exist and folders that can't be listed are yielded too, and become rows with an error. Raises
    `FileError` for a list or a remote folder that can't be read, TypeError for anything that is not a path.
    """
    return (source for source, _ in Listing(sources, storage_options))


def _given(sources: Sources) -> Iterator[str]:
    """Yield each path and URL; those of lists included. Raises `FileError` and TypeError."""
    given: Iterable[Any] = [sources] if isinstance(sources, str | os.PathLike) else sources
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise TypeError(f"expected paths and URLs, not {type(sources).__name__}")
    for each in given:
        if not isinstance(each, str | os.PathLike):
            raise TypeError(f"expected paths and URLs, not {each!r:.60}")
        path = os.fsdecode(each)
        try:
            os.fsencode(path)
        except UnicodeEncodeError as error:
            shown_path = path.encode("utf-8", "backslashreplace").decode()
            raise FileError(errno.EINVAL, f"is not a path: {error}", shown_path) from None
        yield from _lines(path[1:]) if path.startswith("@") and not os.path.lexists(path) else [path]


def _lines(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            yield from (line.rstrip("\r\n") for line in file if line.strip())
    except (OSError, ValueError) as error:
        is_missing = isinstance(error, FileNotFoundError)
        reason = "no such file" if is_missing else getattr(error, "strerror", None) or str(error)
        raise FileError(getattr(error, "errno", None), f"the list can't be read: {reason}", path) from None


def _is_pattern(path: str) -> bool:
    return bool(_PATTERN.search(path)) and not os.path.lexists(path)


def _local_files(path: str) -> Iterator[str]:
    if os.path.isdir(path):
        yield from _below(path)
    elif _is_pattern(path):
        for match in sorted(_matching(path)) or [path]:
            yield from _below(match) if os.path.isdir(match) else [match]
    else:
        yield path


def _matching(pattern: str) -> set[str]:
    """Return the paths that match. Unlike in `glob`, ** does not follow links to folders, which may form loops."""
    if pattern.endswith(_ANY_FOLDERS):
        return {path for path in _matching(pattern.removesuffix(_ANY_FOLDERS) or os.sep) if os.path.isdir(path)}
    head, any_folders, tail = pattern.partition(_ANY_FOLDERS + os.sep)
    if not any_folders:
        return set(glob.glob(pattern))
    matches: set[str] = set()
    for top in _matching(head or os.sep):
        for parent, folders, _ in os.walk(top):
            folders[:] = [name for name in folders if not name.startswith(".")]  # as `glob` does
            matches |= _matching(os.path.join(glob.escape(parent), tail))
    return matches


def _below(folder: str) -> Iterator[str]:
    unreadable: list[OSError] = []
    for parent, folders, names in os.walk(folder, onerror=unreadable.append):
        folders.sort()
        for name in sorted(names):
            if name.lower().endswith(_SUFFIX):
                yield os.path.join(parent, name)
    yield from (error.filename for error in unreadable)


def _needs_listing(url: str) -> bool:
    """Return whether a URL is a pattern or a folder. Raises `CatalogError` if its files can't be listed."""
    is_http = scheme_of(url) in ("http", "https")
    path = url.partition("?")[0] if is_http else url
    if not path.endswith("/") and not _PATTERN.search(path):
        return False
    if is_http or scheme_of(url) == "hf":
        raise CatalogError(f"{shown(url)}: the files of {scheme_of(url)} URLs can't be listed; list their URLs")
    return True
