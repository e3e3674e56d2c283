"""The bytes of one file, and who owns their memory."""

import errno
import gc
import mmap
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import KW_ONLY, dataclass, field
from io import FileIO
from typing import Any, NamedTuple
from weakref import ref

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.errors import FileError
from kaitai_gguf.sources.ranges import MOST, Ranges, Span, read_many

_AROUND = 1 << 21  # bytes: Linux also maps the neighbours of a page that is read, at most a huge page
_MAGIC = 4  # bytes: what an edit in place writes first and last


class State(NamedTuple):
    """What changes when a file is written to or replaced."""

    device: int
    inode: int
    nbytes: int
    mtime_ns: int


def state_of(status: os.stat_result) -> State:
    return State(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns)


class Reopening(NamedTuple):
    """Everything needed to open the same file again, in this process or another one."""

    path: str  # absolute path or URL
    nbytes: int
    version: int | str | None  # modification time in nanoseconds, or a server's version
    mmap: bool
    options: tuple[tuple[str, Any], ...] = ()  # storage options of a URL


@dataclass(eq=False, repr=False, slots=True)
class Source:
    """The bytes of one file."""

    buffer: Any  # a memory map, a memoryview or bytes
    name: str | None = None  # the path as the caller gave it
    _: KW_ONLY
    # The buffer, or the map that it is a view of, if this library made the map. Pages of other maps are never given
    # back to the system: a caller's map may be private, and its pages would lose what was written to them.
    own_map: mmap.mmap | None = None
    ranges: Ranges | None = None  # reads the rest of a file of which the buffer has only the start
    num_pinned: int = 0  # bytes at the start of an own map that are never given back, since they were written to
    state: State | None = None  # when the file was opened; None for bytes
    watched: str | int | None = None  # the path or descriptor that has the file's current state; None for bytes
    path: str | None = None  # the absolute path or the URL; None for bytes and file objects
    is_locked: bool = False  # whether a lock keeps other programs from changing the header while the map lives
    is_restored: bool = False  # whether the header comes from a journal and differs from the file's
    nbytes: int = field(init=False)  # the size of the file
    _magic: bytes = field(init=False)
    _whole: memoryview | None = field(init=False)  # a view of our own map, which is faster to slice than the map
    _lent: list[tuple[ref[Any], str]] = field(init=False, default_factory=list)

    def __post_init__(self) -> None:
        self.nbytes = len(self.buffer) if self.ranges is None else self.ranges.nbytes
        self._magic = bytes(self.buffer[:_MAGIC])
        self._whole = None if self.own_map is None else memoryview(self.own_map).toreadonly()

    @property
    def address(self) -> str | None:
        """The URL, with its commit on the hub; None for a local file or a file object."""
        return None if self.ranges is None else self.ranges.address

    def extend(self, end: int) -> None:
        """Read on until the buffer has `end` bytes, or the whole file if it is shorter."""
        if self.ranges is not None:
            start = len(self.buffer)
            self.buffer += self.ranges.read(start, min(end, self.nbytes))

    def has(self, end: int) -> bool:
        """Return whether the bytes up to a position can be read without a request."""
        return self.ranges is None or end <= len(self.buffer)

    def read(self, start: int, end: int) -> Any:
        """Return the bytes from `start` to before `end`, as a view if they are in memory."""
        whole = self._whole
        if whole is not None:
            try:
                return whole[start:end]
            except ValueError:
                pass  # another thread has just released it
        if self.ranges is None or self.has(end):
            return memoryview(self.buffer)[start:end]
        return self.ranges.read(start, end)

    def read_many(self, spans: Sequence[Span]) -> list[Any]:
        """Return the bytes of several spans, in the order given."""
        if self.ranges is None:
            return [self.read(*span) for span in spans]
        missing = iter(read_many(self.ranges, [span for span in spans if not self.has(span.end)]))
        return [self.read(*span) if self.has(span.end) else next(missing) for span in spans]

    def is_current(self) -> bool:
        """Return whether the file is unchanged since it was opened. Always true for bytes."""
        if self.watched is None:
            return True
        try:
            return bytes(self.buffer[:_MAGIC]) == self._magic and state_of(os.stat(self.watched)) == self.state
        except OSError:
            return False

    def reopened(self) -> FileIO | None:
        """Open a mapped file again, to copy from it without the map; None if its path now leads to other bytes.

        Raises `FileError` if the file has become shorter: reading the map would kill the process.
        """
        if self.own_map is None or self.path is None or self.is_restored:
            return None
        try:
            if not stat.S_ISREG(os.stat(self.path).st_mode):
                return None  # opening a pipe would wait
            file = open(self.path, "rb", buffering=0)  # noqa: SIM115 - closed by the caller
        except OSError:
            return None
        is_same = False
        try:
            is_same = self.has_state_of(file)
        finally:
            if not is_same:
                file.close()
        return file if is_same else None

    def has_state_of(self, file: FileIO) -> bool:
        """Whether a file is the one that was opened, unchanged. Raises `FileError` if it is, but has become shorter."""
        now, opened = state_of(os.fstat(file.fileno())), self.state
        if opened is not None and now[:2] == opened[:2] and now.nbytes < opened.nbytes:
            raise FileError(errno.ESTALE, "became shorter while it was open", self.name or "the file")
        return now == opened

    def chunks(self, start: int, end: int, nbytes: int) -> Iterator[NDArray[np.uint8]]:
        """Yield the bytes from `start` to before `end` as read-only views of at most `nbytes` bytes.

        Pages of a map that a process has touched count as its memory until the system needs them elsewhere. Each chunk
        of an own map is given back before the next one is yielded; it stays in the system's cache.
        """
        if start >= end:
            return
        if self.ranges is not None:
            step = max(MOST // nbytes, 1) * nbytes
            for first in range(start, end, step):
                data = np.frombuffer(self.read(first, min(first + step, end)), np.uint8)
                yield from (data[offset : offset + nbytes] for offset in range(0, len(data), nbytes))
            return
        raw = np.frombuffer(self.buffer, np.uint8)
        raw.flags.writeable = False
        for first in range(start, end, nbytes):
            chunk = raw[first : min(first + nbytes, end)]
            if self.own_map is not None:
                # Touch every page now: a system call restarts at each unmapped page, which made writing take 1.6 times
                # as long.
                chunk[:: mmap.PAGESIZE].max()
            yield chunk
            if self.own_map is not None:
                self._give_back(self.own_map, first, first + len(chunk))

    def _give_back(self, own_map: mmap.mmap, start: int, end: int) -> None:
        """Give the pages of these bytes back to the system. Other bytes on them are read again when needed."""
        first = max(start - _AROUND, self.num_pinned)
        first += -first % mmap.PAGESIZE
        if first < end and hasattr(own_map, "madvise"):
            own_map.madvise(mmap.MADV_DONTNEED, first, end - first)

    def lend(self, value: Any, key: str) -> None:
        """Remember that the value of a key is a view of an own map."""
        if self.own_map is not None:
            self._lent.append((ref(value), key))

    def lent(self) -> set[str]:
        """Return the keys whose values are views that are still alive."""
        self._lent = [each for each in self._lent if each[0]() is not None]
        return {key for _, key in self._lent}

    def spans_in_use(self) -> set[Span]:
        """Return the spans of an own map that memoryviews show, such as those that arrays keep of what `read` returns.

        The garbage collector knows them all: memoryviews refer to a buffer object, which refers to the map. Asking it
        is slow, but remembering each view would make all views slower. A list of all objects would contain tuples that
        other threads are still making, and CPython then refuses to finish those.
        """
        spans: set[Span] = set()
        with suppress(ValueError):  # another thread may just have unmapped the file
            start = _address(memoryview(self.own_map)) if self.own_map is not None else 0
            buffers = gc.get_referrers(self.own_map) if start else []
            for each in gc.get_referrers(*buffers):
                if type(each) is memoryview:
                    with suppress(ValueError):  # it was released
                        if each.obj is self.own_map and each.c_contiguous and each.nbytes:
                            first = _address(each) - start
                            spans.add(Span(first, first + each.nbytes))
        return spans

    def is_in_use(self) -> bool:
        """Return whether a view of an own map exists."""
        if self.own_map is not None:
            self._release_whole()
            try:
                self.own_map.resize(len(self.own_map))  # always fails; with BufferError if there are views
            except BufferError:
                return True
            except (TypeError, SystemError, ValueError):
                pass
        return False

    def release(self) -> None:
        """Unmap an own map. It must have no views."""
        if self.own_map is not None:
            self._release_whole()
            self.own_map.close()

    def _release_whole(self) -> None:
        whole, self._whole = self._whole, None
        if whole is not None:
            whole.release()

    def reopening(self) -> Reopening:
        """Return what is needed to open the file again.

        Raises TypeError unless the file was opened by its path or by a URL without credentials and storage options.
        """
        if self.ranges is not None and self.ranges.address is not None:
            if self.ranges.options is not None:
                return Reopening(self.ranges.address, self.nbytes, self.ranges.version, False, self.ranges.options)
            raise TypeError(
                "a model opened with credentials or storage_options can't be copied or pickled, which would copy them: "
                "open it again"
            )
        if self.path is None or self.state is None:
            raise TypeError(
                "a model opened from bytes or a file object can't be copied or pickled: open it by its path, or pickle "
                "the bytes"
            )
        return Reopening(self.path, self.state.nbytes, self.state.mtime_ns, self.own_map is not None)


def _address(view: memoryview) -> int:
    address: int = np.frombuffer(view, np.uint8).__array_interface__["data"][0]
    return address
