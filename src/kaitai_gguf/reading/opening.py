"""Open models: single files, shards by the path of one of them, by a pattern, or by a list of paths."""

import errno
import os
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from glob import glob, has_magic
from typing import Any

from kaitai_gguf.errors import FileError, FileMissingError, FormatError, MissingShardError, ShardError
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.reading.file import GGUFFile, read
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.reading.shards import combined, shown_path, siblings
from kaitai_gguf.sources import OneSource, Path, locks, opened
from kaitai_gguf.sources.urls import is_url, local_path
from kaitai_gguf.threads import map_threads

_AT_ONCE = 8  # remote files that are opened at once
_RETRY = 0.005  # seconds to wait before reopening shards that may have been replaced while they were opened

Openable = OneSource | list[Path] | tuple[Path, ...]
OpenOne = Callable[[OneSource], GGUFFile]


def open(
    source: Openable,
    *,
    mmap: bool = True,
    shards: bool = True,
    storage_options: Mapping[str, Any] | None = None,
) -> GGUFFile:
    """Open a GGUF file and return it as a `GGUFFile`.

    source           a path, a URL, a bytes-like object, or a binary file object. For a model in several files: the
                     path of any shard that is named the way llama.cpp names them (`model-00001-of-00003.gguf`), a
                     pattern that matches all shards (`model-*.gguf`), or a list of all paths, in any order.
    mmap             whether to map a local file into memory, rather than read all of it.
    shards           whether to open the whole model if the path is that of a shard; if False, only this file is opened.
    storage_options  options for the file system of a URL; for http, https and hf: `headers`, `token`, `timeout` in
                     seconds, and `retries`. For all remote files: `max_header_nbytes`, the most bytes that a header may
                     take, 128 MiB by default.

    This reads the header and checks it. Values and tensor data are read on demand.

    Local files: if another program truncates a mapped file, reading the missing part kills the process with SIGBUS;
    `mmap=False` avoids that. A file object is read from its start, whatever its position, and its position is restored.
    While a file is mapped, a shared lock keeps editors of this library from changing its header in place; they can
    still replace the file. If a file is being changed, `open` waits for up to two seconds. Without locks, that is on
    some file systems and for file objects, the header is read again if it changed during reading; if the file changes
    later, the result of reads is undefined.

    Remote files: a URL is `https://…`, `hf://owner/repository/path`, `s3://…` or any other that fsspec supports;
    `@revision` may follow the first two. Only the header is read, in as few requests as possible. The data of a tensor
    is fetched on each access, and nothing is stored on disk. If the file is replaced in the meantime, reading raises
    `FileError`. Seekable file objects of other packages, such as fsspec's, are read by ranges too, and must stay open.

    Raises `FormatError` if the bytes are not a valid GGUF file; `FileError`, which is also an `OSError`, if the file
    can't be opened; `ShardError` if a shard is missing or duplicated, belongs to another model, or has another byte
    order or version than the others; TypeError for anything else as `source`.
    """

    def open_one(one: OneSource) -> GGUFFile:
        return opened(one, mmap, read, storage_options)

    if isinstance(source, list | tuple):
        if not all(isinstance(path, str | os.PathLike) for path in source):
            raise TypeError("expected the paths of shards in a list")
        if not source:
            raise ValueError("expected at least one path")
        paths = [local_path(os.fsdecode(path)) for path in source]
        return _steady(paths, lambda: _open_shards(paths, open_one))
    if shards and isinstance(source, str | os.PathLike) and _may_be_several(os.fsdecode(source)):
        path = local_path(os.fsdecode(source))
        return _steady([path], lambda: _open_model(path, open_one))
    return open_one(source)


ModelOrSource = GGUFFile | Openable
"""An open model, or any source that `open()` takes."""


@contextmanager
def model_of(model_or_source: ModelOrSource) -> Iterator[GGUFFile]:
    """Yield an open model as it is; open anything else, and close it when the block ends."""
    if isinstance(model_or_source, GGUFFile):
        yield model_or_source
        return
    with open(model_or_source) as model:
        yield model


def _may_be_several(path: str) -> bool:
    """Return whether a path may be the path of a shard, or a pattern."""
    return "-of-" in path or has_magic(path)


def _steady(paths: list[str], open_it: Callable[[], GGUFFile]) -> GGUFFile:
    """Open a model, and open it again if its files were replaced by those of another model in the meantime."""
    if any(map(is_url, paths)):
        return open_it()
    deadline = time.monotonic() + locks.WAIT
    is_second = False
    while True:
        try:
            model = open_it()
        except (ShardError, FileMissingError):  # the set may just have been replaced: try once more
            if is_second:
                raise
        else:
            if len(model.shards) == 1 or all(source_of(file).is_current() for file in model.shards):
                return model
            if time.monotonic() >= deadline:
                raise FileError(errno.EAGAIN, "is being changed by another program", paths[0])
        is_second = True
        time.sleep(_RETRY)


def _open_model(path: str, open_one: OpenOne) -> GGUFFile:
    """Return the model at the path of one file, which may be a shard, or at a pattern."""
    if not is_url(path) and not os.path.lexists(path) and has_magic(path):
        matches = sorted(glob(path))
        if len(matches) > 1:
            return _open_shards(matches, open_one)
        path = matches[0] if matches else path
    file = open_one(path)
    path = source_of(file).address or path
    paths = siblings(path, file)
    if len(paths) == 1:
        return file
    others = iter(_open_all([each for each in paths if each != path], open_one))
    return combined([file if each == path else next(others) for each in paths])


def _open_shards(paths: list[str], open_one: OpenOne) -> GGUFFile:
    """Return the model at the paths of all shards, or of one file that is not a shard."""
    files = _open_all(paths, open_one)
    for file in files:
        if not is_shard(file.header.get):
            if len(files) == 1:
                return file
            raise ShardError(f"{file.name!r} is not a shard, and {len(files)} files can only be a model if all are")
    return combined(files)


def _open_all(paths: list[str], open_one: OpenOne) -> list[GGUFFile]:
    """Open several files, remote ones a few at a time. Errors name the file, since the caller can't."""

    def open_shard(path: str) -> GGUFFile:
        try:
            return open_one(path)
        except FormatError as error:
            raise ShardError(f"{shown_path(path)!r}: {error}") from error
        except FileMissingError as error:
            if not is_url(path):
                raise
            raise MissingShardError(f"a shard is missing: {shown_path(path)!r}", [shown_path(path)]) from error

    return map_threads(open_shard, paths, _AT_ONCE if any(map(is_url, paths)) else 1)
