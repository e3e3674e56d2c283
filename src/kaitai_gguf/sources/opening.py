"""Sources from paths, file objects and bytes, and reading a file while other programs may be changing it."""

import builtins
import errno
import io
import mmap
import os
import re
import stat
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, nullcontext
from typing import Any, BinaryIO, Literal, TypeVar
from weakref import WeakKeyDictionary

from kaitai_gguf.errors import UNREADABLE, FileError, FileIsDirectoryError, FileMissingError, reported
from kaitai_gguf.sources import locks
from kaitai_gguf.sources.file_ranges import FileRanges, local_version
from kaitai_gguf.sources.identify import INTERRUPTED
from kaitai_gguf.sources.journal_recovery import old_header, restored
from kaitai_gguf.sources.locked_map import LockedMap
from kaitai_gguf.sources.remote import is_remote, opened_remote, read_on, remote_version
from kaitai_gguf.sources.source import Source, state_of
from kaitai_gguf.sources.urls import local_path

Path = str | os.PathLike[str]
OneSource = Path | bytes | bytearray | memoryview | BinaryIO
MapMode = Literal["r", "r+", "c"]
MakeMap = Callable[[BinaryIO, int], mmap.mmap]

_FIRST = 1 << 17  # bytes of a local file that are read first: a header without a vocabulary has fewer
_RETRY = 0.005  # seconds until a file that changed while it was read is read again

T = TypeVar("T")


def opened(given: OneSource, map_it: bool, use: Callable[[Source], T], options: Mapping[str, Any] | None = None) -> T:
    """Return `use(source)`, where the source has the bytes of one file, given as `open()` takes it.

    A lock keeps other programs from editing the file while the source lives. The source of a remote file has only the
    start of it, and grows each time `use` raises `TruncatedError`. `options` are the storage options of a URL. Raises
    `FileError`, and what `use` raises.
    """
    if is_remote(given):
        return opened_remote(given, use, options or {})
    if options:
        raise ValueError("storage_options apply to URLs only, and this is not a URL")
    if isinstance(given, str | os.PathLike):
        path = local_path(os.fsdecode(given))
        return _steady(lambda: _of_path(path, mmap.ACCESS_READ if map_it else None), use)
    return _steady(lambda: nullcontext(_of_object(given, map_it)), use)


def opened_by_ranges(
    given: str, use: Callable[[Source], T], options: Mapping[str, Any] | None = None, limit: int | None = None
) -> T:
    """Return `use(source)`, where the source has only the header of the file at a path or URL; nothing is mapped.

    A local file that is truncated meanwhile raises an error, whereas touching a map of it would kill the process. The
    lock that keeps other programs from editing is released on return. `limit` is the most bytes to read; `options`
    are the storage options of a URL. Raises `FileError`, and what `use` raises.
    """
    if is_remote(given):
        return opened_remote(given, use, ({} if limit is None else {"max_header_nbytes": limit}) | dict(options or {}))
    path = local_path(given)
    return _steady(lambda: _ranges_of_path(path), lambda source: read_on(source, use, limit))


def version_of(given: str, options: Mapping[str, Any] | None = None) -> str | None:
    """Return a text that changes when the file at a path or URL does; None if unknown. Raises `FileError`."""
    if is_remote(given):
        return remote_version(given, options or {})
    path = local_path(given)
    with reported(path, UNREADABLE, also=ValueError):
        return local_version(os.stat(path))


def open_snapshot(path: Path, use: Callable[[Source], T], end_of: Callable[[T], int]) -> T:
    """Return `use(source)`, where the source is a map whose header never changes, even if the file does.

    The file is not locked. `end_of(result)` returns where the header ends, in bytes. Raises `FileError`, and what `use`
    raises.
    """

    def keep(source: Source) -> T:
        private = source.buffer
        if isinstance(private, mmap.mmap):
            source.buffer = memoryview(private).toreadonly()
        result = use(source)
        if isinstance(private, mmap.mmap):
            end = end_of(result)
            source.num_pinned = end
            private[:end] = bytes(private[:end])  # writing copies the pages, which then no longer follow the file
        return result

    return _steady(lambda: _of_path(os.fsdecode(path), mmap.ACCESS_COPY), keep)


def open_map(path: Path, mode: MapMode, use: Callable[[Source], T]) -> T:
    """Return `use(source)`, where the source is a `LockedMap` that belongs to the caller.

    The modes are those of `numpy.memmap`: "r" is read-only; "r+" writes to the file and holds its exclusive lock; "c"
    is copy-on-write, so changes stay in this process. Raises `FileError`, also for "r+" if another program has the file
    open, and what `use` raises.
    """
    access = {"r": mmap.ACCESS_READ, "r+": mmap.ACCESS_WRITE, "c": mmap.ACCESS_COPY}[mode]

    def check(source: Source) -> T:
        if source.is_restored and mode != "r":
            message = "its last change was interrupted: kaitai_gguf.edit(path).commit() restores it"
            raise FileError(errno.EAGAIN, message, source.name or "")
        try:
            return use(source)
        except BaseException:
            if isinstance(source.buffer, LockedMap):
                source.buffer.unlock()  # the traceback keeps the map alive
            raise

    return _steady(lambda: _of_path(os.fsdecode(path), access, LockedMap.of), check)


def _steady(source_of: Callable[[], AbstractContextManager[Source]], use: Callable[[Source], T]) -> T:
    """Return `use(source)` for a file that did not change meanwhile.

    Without a lock to ensure that, `use` is called again, for up to two seconds, until the file has not changed.
    """
    deadline = time.monotonic() + locks.WAIT
    while True:
        with source_of() as source:
            try:
                result = use(source)
            except Exception:  # any error may be due to bytes that changed in between
                if source.is_locked or source.is_current():
                    raise
            else:
                if source.is_locked or source.is_current():
                    return result
        if time.monotonic() >= deadline:
            raise FileError(errno.EAGAIN, "is being changed by another program", source.name or "the file object")
        time.sleep(_RETRY)


_readers: "WeakKeyDictionary[mmap.mmap, tuple[int, int]]" = WeakKeyDictionary()
"""The maps of this process that have the lock of a reader, and device and inode of their files."""


def is_mapped_here(path: Path) -> bool:
    """Return whether this process has a map of a file that keeps it from being changed in place."""
    with reported(path):
        status = os.stat(path)
    return any(file == (status.st_dev, status.st_ino) and not each.closed for each, file in list(_readers.items()))


def _plain_map(file: BinaryIO, access: int) -> mmap.mmap:
    return mmap.mmap(file.fileno(), 0, access=access)


@contextmanager
def _of_path(path: str, access: int | None, make_map: MakeMap = _plain_map) -> Iterator[Source]:
    """Yield the bytes of the file at a path. `access` is mmap's; None reads instead of mapping.

    A map keeps the lock as long as it lives, since it duplicates the descriptor. The lock of a snapshot is released.
    """
    file, is_locked = _opened_regular(path, access == mmap.ACCESS_WRITE)
    with file:
        with reported(path, UNREADABLE, also=ValueError):
            state = state_of(os.fstat(file.fileno()))
            is_interrupted = file.read(len(INTERRUPTED)) == INTERRUPTED
            buffer: Any = restored(path, file, None if access is None else make_map) if is_interrupted else None
            is_restored, own_map = buffer is not None, None
            if buffer is None and access is not None and state.nbytes:  # an empty file can't be mapped
                buffer = make_map(file, access)
                own_map = buffer if make_map is _plain_map else None
                if access == mmap.ACCESS_READ:
                    _readers[buffer] = state[:2]
            elif buffer is None:
                file.seek(0)
                buffer = file.read()
            source = Source(buffer, path, own_map=own_map, state=state, watched=path, path=os.path.abspath(path))
            source.is_locked, source.is_restored = is_locked, is_restored
        yield source
        if access == mmap.ACCESS_COPY and make_map is _plain_map:
            locks.unlock(file.fileno())


@contextmanager
def _ranges_of_path(path: str) -> Iterator[Source]:
    """Yield the start of the file at a path, which is locked until the block ends."""
    file, is_locked = _opened_regular(path)
    with file:
        with reported(path, UNREADABLE, also=ValueError):
            state = state_of(os.fstat(file.fileno()))
            ranges = FileRanges(file, _FIRST, path)
            old = old_header(path, file) if ranges.start.startswith(INTERRUPTED) else None
            source = Source(ranges.start if old is None else old, path, ranges=ranges, state=state, watched=path)
            source.is_locked, source.is_restored = is_locked, old is not None
        yield source


def _opened_regular(path: str, is_writer: bool = False) -> tuple[BinaryIO, bool]:
    """Open the regular file at a path. Return it, and whether it could be locked."""
    with reported(path, "no permission to write the file" if is_writer else UNREADABLE, also=ValueError):
        if not path:
            raise FileMissingError(errno.ENOENT, "the path is empty", path)
        mode = _mode(path)
        if stat.S_ISDIR(mode):
            raise FileIsDirectoryError(errno.EISDIR, "is a directory, not a GGUF file", path)
        if not stat.S_ISREG(mode):
            raise FileError(errno.EINVAL, "is not a regular file", path)
        file = builtins.open(path, "r+b" if is_writer else "rb")  # noqa: SIM115 - closed by the caller
        try:
            return file, locks.lock(file.fileno(), exclusive=is_writer)
        except BaseException as error:
            file.close()
            if isinstance(error, BlockingIOError):
                state = "open in another program, or in" if is_writer else "being changed by another program, or by"
                raise FileError(error.errno, f"is {state} this one", path) from None
            raise


def _mode(path: str) -> int:
    try:
        return os.stat(path).st_mode
    except FileNotFoundError as error:
        if re.fullmatch(r"[\w-][\w.-]*/[\w.-]+", path) and not path.endswith(".gguf"):
            message = f"no such file; for a model on the Hugging Face hub: hf://{path}/FILE.gguf"
            raise FileMissingError(error.errno, message, path) from None
        raise


def _of_object(given: Any, map_it: bool) -> Source:
    if hasattr(given, "read"):
        return _of_file_object(given, map_it)
    try:
        view = memoryview(given)
    except TypeError:
        raise TypeError(f"expected a path, bytes or a binary file object, not {type(given).__name__}") from None
    if not view.nbytes:
        return Source(b"")
    if not view.c_contiguous:
        raise TypeError("expected contiguous bytes, not a memoryview with gaps")
    return Source(view.cast("B").toreadonly())


def _of_file_object(file: Any, map_it: bool) -> Source:
    """Return the bytes of a file object, without locking it: its descriptor's lock is up to its owner."""
    if isinstance(file, io.TextIOBase):
        raise TypeError("expected a file opened in binary mode, not a text file")
    try:
        given = getattr(file, "name", None)
    except ValueError:  # a buffer that was detached from its file
        given = None
    name = given if isinstance(given, str) else None
    try:
        if map_it and _is_plain(file):
            state = state_of(os.fstat(file.fileno()))
            buffer = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
            return Source(buffer, name, own_map=buffer, state=state, watched=file.fileno())
    except (AttributeError, OSError, ValueError):
        pass  # it is empty or has no descriptor: read it
    try:
        position = file.tell()
        file.seek(0)
        data = file.read()
        file.seek(position)
    except (AttributeError, OSError, ValueError, EOFError) as error:
        number = getattr(error, "errno", None) or errno.EINVAL
        shown = "the file object" if given is None else str(given)
        raise FileError(number, f"can't be read from its start: {error}", shown) from None
    if not isinstance(data, bytes):
        raise TypeError(f"expected a file object that reads bytes, not {type(data).__name__}")
    return Source(data, name)


def _is_plain(file: Any) -> bool:
    """Return whether a file object reads the bytes of its descriptor unchanged, as gzip files do not."""
    raw = getattr(file, "raw", file)
    return type(raw) is io.FileIO and not raw.writable() and stat.S_ISREG(os.fstat(raw.fileno()).st_mode)
