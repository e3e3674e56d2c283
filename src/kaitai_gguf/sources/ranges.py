"""The interface of drivers that read remote files by ranges, and reading many ranges at once.

A request is for at most 16 MiB. Ranges with gaps of up to 1 MiB are requested together. Up to four requests are in
flight at once.
"""

from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from kaitai_gguf.threads import map_threads

__all__ = ["Again", "Ranges", "Span", "read_many"]

GAP = 1 << 20  # bytes to read needlessly rather than make another request
MOST = 16 << 20  # bytes of the largest request
AT_ONCE = 4  # requests in flight


class Span(NamedTuple):
    """The bytes of a file from position `start` to before `end`."""

    start: int
    end: int


class Again(NamedTuple):
    """What is needed to open a URL again, in this process or another one. It holds no secrets."""

    url: str
    options: tuple[tuple[str, Any], ...] = ()


class Ranges(Protocol):
    """A file that several threads can read any range of."""

    name: str
    """The URL, or the name of the file object, without credentials."""
    address: str | None
    """The URL with its credentials, and with its commit on the hub; None for a file object."""
    start: bytes
    """The first bytes of the file."""
    num_requests: int
    num_bytes: int
    """How many requests were made, and how many bytes of the file they returned."""

    @property
    def nbytes(self) -> int:
        """The size of the file in bytes."""

    @property
    def version(self) -> str | None:
        """A text that changes when the file does: an ETag, a version or a commit; None if unknown."""

    @property
    def again(self) -> Again | None:
        """What is needed to open the file again; None for a file object, or if it takes credentials."""

    def read(self, start: int, end: int) -> bytes | memoryview:
        """Return exactly the bytes from `start` to before `end`. Raises `FileError`, also if the file was replaced."""

    def close(self) -> None:
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
