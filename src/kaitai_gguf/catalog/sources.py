"""What a scan is given, one file after the other: folders, patterns, URLs, and lists of all these."""

import glob
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from kaitai_gguf.errors import CatalogError, FileError
from kaitai_gguf.sources import Path
from kaitai_gguf.sources.foreign_files import listed_files
from kaitai_gguf.sources.urls import is_url, local_path, scheme_of, shown

__all__ = ["Sources", "expanded", "shown_source", "source_of"]

Sources = Path | Iterable[Path]

_SUFFIX = ".gguf"
_PATTERN = re.compile(r"[*?\[]")
_ANY_FOLDERS = f"{os.sep}**"


def source_of(given: Any) -> str:
    """Return a URL as it is, and a path as an absolute one. Raises TypeError for anything else."""
    if not isinstance(given, str | os.PathLike):
        raise TypeError(f"expected a path or a URL, not {type(given).__name__}")
    path = os.fsdecode(given)
    return path if is_url(path) else os.path.abspath(local_path(path))


def shown_source(source: str) -> str:
    """Return what a catalog calls a file: its path, or its URL without what may hold credentials."""
    return shown(source)


def expanded(sources: Sources, storage_options: Mapping[str, Any] | None = None) -> Iterator[str]:
    """Yield the path or URL of each file once, in an order that depends on nothing but names.

    sources  any number of these, or one of them:
             a file, whatever it is called
             a folder: all files below it whose names end with .gguf; links to folders are not followed
             a pattern with *, ? or [...]; ** stands for any folders, but not for links to folders
             a URL of a file, or of a file system that fsspec can list: a pattern, or a folder that ends with /
             @FILE: a file with one of the above on each line

    A file that does not exist, and a folder that can't be listed, are yielded too, to become rows with an error. Raises
    `FileError` for a list or a remote folder that can't be read, TypeError for what is not a path.
    """
    seen: set[int] = set()
    for given in _each(sources):
        for source in _files_of(given, storage_options or {}):
            # Hashes, since a million paths take a hundred megabytes.
            key = hash(source)
            if key not in seen:
                seen.add(key)
                yield source


def _each(sources: Sources) -> Iterator[str]:
    given: Iterable[Any] = [sources] if isinstance(sources, str | os.PathLike) else sources
    if isinstance(given, bytes) or not isinstance(given, Iterable):
        raise TypeError(f"expected paths and URLs, not {type(sources).__name__}")
    for each in given:
        if not isinstance(each, str | os.PathLike):
            raise TypeError(f"expected paths and URLs, not {each!r:.60}")
        path = os.fsdecode(each)
        if path.startswith("@") and not os.path.lexists(path):
            yield from _lines(path[1:])
        else:
            yield path


def _lines(path: str) -> Iterator[str]:
    try:
        with open(path, encoding="utf-8-sig", errors="surrogateescape") as file:
            for line in file:
                text = line.rstrip("\r\n")
                if text.strip():
                    yield text
    except (OSError, ValueError) as error:
        words = f"the list can't be read: {getattr(error, 'strerror', None) or error}"
        raise FileError(getattr(error, "errno", None), words, path) from None


def _files_of(given: str, options: Mapping[str, Any]) -> Iterator[str]:
    if is_url(given):
        yield from _remote_files(given, options)
        return
    path = source_of(given)
    if os.path.isdir(path):
        yield from _below(path)
    elif _PATTERN.search(path) and not os.path.lexists(path):
        for found in sorted(_matching(path)) or [path]:
            yield from _below(found) if os.path.isdir(found) else [found]
    else:
        yield path


def _matching(pattern: str) -> set[str]:
    """Return the paths that match. In `glob`, ** follows links to folders, and may not end if these form loops."""
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
    path = url.partition("?")[0] if scheme_of(url) in ("http", "https") else url
    is_folder = path.endswith("/")
    if not is_folder and not _PATTERN.search(path):
        yield url
        return
    if scheme_of(url) in ("http", "https", "hf"):
        raise CatalogError(f"{shown(url)}: the files of {scheme_of(url)} URLs can't be listed; give the URL of each")
    found = listed_files(url, options)
    yield from (each for each in found if not is_folder or each.lower().endswith(_SUFFIX))
