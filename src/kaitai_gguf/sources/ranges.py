"""Files that are read by ranges, because they are not on this machine: what a driver for them offers.

Requests are for at most 16 MiB each, ranges with up to 1 MiB between them are asked for together, and a few requests
are in flight at once.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from kaitai_gguf.threads import map_threads

__all__ = ["Again", "Ranges", "Span", "read_many"]

GAP = 1 << 20  # bytes that are read for nothing sooner than another request is made
MOST = 16 << 20  # bytes of a request
AT_ONCE = 4  # requests in flight


class Span(NamedTuple):
    """Bytes of a file, from the first to before the last."""

    start: int
    end: int


class Again(NamedTuple):
    """What opens a file again, in this process or another one: no part of it is secret."""

    url: str
    options: tuple[tuple[str, Any], ...] = ()


class Ranges(Protocol):
    """A file of which any range can be read, by several threads at once."""

    name: str
    """The URL, or the name of the file object, without credentials."""
    address: str | None
    """The URL, of the same commit where it has one, and with credentials; None for a file object."""
    start: bytes
    """The first bytes of the file."""
    num_requests: int
    num_bytes: int
    """How many requests were made, and how many bytes of the file they brought."""

    @property
    def nbytes(self) -> int:
        """The size of the file."""

    @property
    def version(self) -> str | None:
        """What changes when the file is replaced: an ETag, a version, or a commit; None if that is not known."""

    @property
    def again(self) -> Again | None:
        """What opens the file again; None for a file object, and if that takes credentials."""

    def read(self, start: int, end: int) -> bytes | memoryview:
        """Return exactly the bytes from one position to another. Raises `FileError`, also if the file was replaced."""

    def close(self) -> None:
        """Let go of what was kept to read the next bytes after those that were read."""


def read_many(ranges: Ranges, spans: Sequence[Span]) -> list[memoryview]:
    """Return the bytes of several spans, in their order."""
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
    found = []
    for start, end in spans:
        number = bisect_right(starts, start) - 1
        found.append(views[number][start - starts[number] : end - starts[number]] if start < end else memoryview(b""))
    return found


def _stretches(spans: Iterable[Span]) -> list[Span]:
    """The spans in order, those joined that have small gaps between them."""
    joined: list[Span] = []
    for span in sorted(span for span in spans if span.start < span.end):
        if joined and span.start - joined[-1].end <= GAP:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined
