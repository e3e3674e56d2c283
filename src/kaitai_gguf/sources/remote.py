"""Models that are not on this machine: the start of a file is read until the header is whole.

How much is asked for at once was chosen by counting, see benchmarks/remote.py: 1 MiB has all of a header without a
vocabulary; after that the index says how many bytes are missing at least, and how many strings of which length.
"""

import io
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kaitai_gguf.errors import TruncatedError
from kaitai_gguf.sources.others import FileObjectRanges, FsspecRanges
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.source import Source
from kaitai_gguf.sources.urls import is_url, scheme_of

__all__ = ["is_remote", "opened_remote"]

FIRST = 1 << 20  # bytes that are asked for first
GROWTH = 4 << 20  # bytes that are asked for next at most, if nothing says how many are missing
LEAST = 1 << 18  # bytes that are asked for next at least

T = TypeVar("T")


def is_remote(given: object) -> bool:
    """Whether something is a URL, or a seekable file object of a package that is not Python's own."""
    if is_url(given):
        return True
    if not hasattr(given, "read") or isinstance(given, io.TextIOBase):
        return False
    package = type(given).__module__.partition(".")[0]
    if package in sys.stdlib_module_names:
        return False
    seekable = getattr(given, "seekable", None)
    return bool(seekable is not None and seekable())


def opened_remote(given: Any, use: Callable[[Source], T], options: Mapping[str, Any]) -> T:
    """Return `use(source)` of a file that `is_remote`.

    The source has the start of the file, and more of it each time that `use` raises `TruncatedError`. No byte is read
    twice. `options` are those of the URL's file system. Raises `FileError`, and what `use` raises.
    """
    ranges = _ranges(given, options)
    source = Source(ranges.start, ranges.name, ranges=ranges, path=given if isinstance(given, str) else None)
    try:
        while True:
            try:
                return use(source)
            except TruncatedError as error:
                had = len(source.buffer)
                if max(error.needed, had + 1) > source.nbytes:
                    raise
                step = LEAST if error.expected > error.needed else min(had, GROWTH)
                source.extend(max(error.expected, had + step))
    finally:
        ranges.close()


def _ranges(given: Any, options: Mapping[str, Any]) -> Ranges:
    if not isinstance(given, str):
        return FileObjectRanges(given, FIRST)
    if scheme_of(given) in ("http", "https", "hf"):
        from kaitai_gguf.sources.http import HTTPRanges

        return HTTPRanges(given, FIRST, **options)
    return FsspecRanges(given, FIRST, **options)
