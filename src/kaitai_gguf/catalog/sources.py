"""List the files to scan: from folders, patterns, URLs, and lists of these."""

import errno
import glob
import os
import re
import stat
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from kaitai_gguf.errors import CatalogError, FileError
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.foreign_files import listed_files
from kaitai_gguf.sources.urls import absolute_path, is_url, local_path, scheme_of, shown

__all__ = ["Sources", "check_sources", "expanded", "shown_source", "source_of"]

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


def shown_source(source: str) -> str:
    """Return the name of a file in a catalog: its path, or its URL without parts that may hold credentials."""
    return shown(source)


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
    seen: set[int] = set()
    for item in _each(sources):
        for source in _files_of(item, storage_options or {}):
            # Keep hashes only: a million paths take a hundred megabytes.
            key = hash(source)
            if key not in seen:
                seen.add(key)
                yield source


def check_sources(sources: Sources) -> None:
    """Raise what `expanded` raises for lists and URLs that can't be read, before any file is listed.

    Iterators are not checked, since they can be read only once. The lines of lists are not checked either.
    """
    for path in () if isinstance(sources, Iterator) else _given(sources):
        if _is_list(path):
            with _list_errors(path[1:]):
                if not stat.S_ISFIFO(os.stat(path[1:]).st_mode):  # a pipe can be read only once, too
                    open(path[1:], "rb").close()
        elif is_url(path):
            _needs_listing(path)


def _each(sources: Sources) -> Iterator[str]:
    for path in _given(sources):
        if _is_list(path):
            yield from _lines(path[1:])
        else:
            yield path


def _given(sources: Sources) -> Iterator[str]:
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
        yield path


def _is_list(path: str) -> bool:
    return path.startswith("@") and not os.path.lexists(path)


def _lines(path: str) -> Iterator[str]:
    with _list_errors(path), open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
        for line in file:
            text = line.rstrip("\r\n")
            if text.strip():
                yield text


@contextmanager
def _list_errors(path: str) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        is_missing = isinstance(error, FileNotFoundError)
        reason = "no such file" if is_missing else getattr(error, "strerror", None) or str(error)
        raise FileError(getattr(error, "errno", None), f"the list can't be read: {reason}", path) from None


def _files_of(path_or_url: str, options: Mapping[str, Any]) -> Iterator[str]:
    if is_url(path_or_url):
        yield from _remote_files(path_or_url, options)
        return
    path = source_of(path_or_url)
    if os.path.isdir(path):
        yield from _below(path)
    elif _PATTERN.search(path) and not os.path.lexists(path):
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


def _remote_files(url: str, options: Mapping[str, Any]) -> Iterator[str]:
    if not _needs_listing(url):
        yield url
        return
    urls = listed_files(url, options)
    yield from (each for each in urls if not url.endswith("/") or each.lower().endswith(_SUFFIX))


def _needs_listing(url: str) -> bool:
    """Return whether a URL is a pattern or a folder. Raises `CatalogError` if its files can't be listed."""
    is_http = scheme_of(url) in ("http", "https")
    path = url.partition("?")[0] if is_http else url
    if not path.endswith("/") and not _PATTERN.search(path):
        return False
    if is_http or scheme_of(url) == "hf":
        raise CatalogError(f"{shown(url)}: the files of {scheme_of(url)} URLs can't be listed; list their URLs")
    return True
