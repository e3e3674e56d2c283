"""Files that are read by ranges: what their drivers have in common, and reading many ranges at once.

A request is for at most 16 MiB. Ranges with gaps of up to 1 MiB are requested together. Up to four requests are in
flight at once.
"""

import errno
import threading
from abc import ABC, abstractmethod
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kaitai_gguf.errors import FileError
from kaitai_gguf.threads import map_threads

GAP = 1 << 20  # bytes to read needlessly rather than make another request
MOST = 16 << 20  # bytes of the largest request
AT_ONCE = 4  # requests in flight


class Span(NamedTuple):
    """The bytes of a file from position `start` to before `end`."""

    start: int
    end: int


class Ranges(ABC):
    """A file that several threads can read any range of. A driver has its size, and `_read`."""

    start: bytes
    """The first bytes of the file."""
    version: str | None = None
    """A text that changes when the file does: an ETag, a version or a commit; None if unknown."""
    address: str | None = None
    """The URL with its credentials, and with its commit on the hub; None for a file object."""
    options: tuple[tuple[str, Any], ...] | None = None
    """The storage options to open `address` again with; None if these or the URL may contain secrets."""

    def __init__(self, name: str, nbytes: int = 0) -> None:
        """`name` is the URL, or the name of the file object, without credentials. `nbytes` is the size of the file."""
        self.name = name
        self.nbytes = nbytes
        self.num_requests = self.num_bytes = 0
        self._counting = threading.Lock()

    def read(self, start: int, end: int) -> Any:
        """Return exactly the bytes from `start` to before `end`. Raises `FileError`, also if the file was replaced."""
        data = self._read(start, end)
        if len(data) != end - start:
            message = f"{len(data)} bytes were read instead of {end - start}: the file was truncated or replaced"
            raise FileError(errno.EIO, message, self.name)
        return data

    @abstractmethod
    def _read(self, start: int, end: int) -> Any:
        """Return these bytes, or fewer if the file ends before, and `_count` the requests."""

    def _count(self, num_requests: int, num_bytes: int) -> None:
        """Add to the number of requests that were made, and of bytes of the file that they returned."""
        with self._counting:
            self.num_requests += num_requests
            self.num_bytes += num_bytes

    def close(self) -> None:  # noqa: B027 - most have nothing to release
        """Release connections that were kept open to read on."""


def read_many(ranges: Ranges, spans: Sequence[Span]) -> list[memoryview]:
    """Return the bytes of several spans, in the order given."""
    stretches = _stretches(spans)
    buffers = [bytearray(end - start) for start, end in stretches]
    jobs = [
        (memoryview(buffer), first, position)
        for (first, end), buffer in zip(stretches, buffers, strict=True)
        for position in range(first, end, MOST)
    ]

    def work(job: tuple[memoryview, int, int]) -> None:
        buffer, first, position = job
        last = min(position + MOST, first + len(buffer))
        buffer[position - first : last - first] = ranges.read(position, last)

    map_threads(work, jobs, AT_ONCE)
    starts = [start for start, _ in stretches]
    views = [memoryview(buffer).toreadonly() for buffer in buffers]
    result = []
    for start, end in spans:
        number = bisect_right(starts, start) - 1
        result.append(views[number][start - starts[number] : end - starts[number]] if start < end else memoryview(b""))
    return result


def _stretches(spans: Iterable[Span]) -> list[Span]:
    """Sort spans and join those with small gaps between them."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if joined and span.start - joined[-1].end <= GAP:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
