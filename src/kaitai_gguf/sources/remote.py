"""Models read by ranges: the start of a file is read until the header is complete.

The sizes of requests were chosen by measurement, see benchmarks/remote.py. The first MiB contains the whole header of a
model without a vocabulary; after that the index tells how many bytes are missing at least, and estimates the rest.
"""

import errno
import io
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kaitai_gguf.arguments import integer
from kaitai_gguf.errors import FileError, TruncatedError
from kaitai_gguf.sources.file_ranges import FileRanges
from kaitai_gguf.sources.foreign_files import FsspecRanges
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.source import Source
from kaitai_gguf.sources.urls import check_url, is_url, scheme_of

FIRST = 1 << 20  # bytes of the first request
LEAST = 1 << 16  # bytes: the smallest next request
UNKNOWN = 1 << 18  # bytes: the smallest next request if the index has no estimate
MOST = 32 << 20  # bytes: the largest next request, whatever a header claims; the index checks these bytes first
MAX_HEADER_NBYTES = 128 << 20  # the largest real header known has 16 MB

_LIMIT = "max_header_nbytes"

T = TypeVar("T")


def is_remote(given: object) -> bool:
    """Return whether this is a URL, or a seekable file object that is neither a local file nor in memory."""
    if is_url(given):
        return True
    if not hasattr(given, "read") or isinstance(given, io.TextIOBase | io.BytesIO):
        return False
    try:
        raw = getattr(given, "raw", given)  # what a BufferedReader reads from
        if type(raw).__module__.partition(".")[0] in sys.stdlib_module_names or _has_descriptor(raw):
            return False
        return bool(given.seekable())  # type: ignore[attr-defined]
    except (AttributeError, OSError, ValueError):
        return False


def _has_descriptor(file: Any) -> bool:
    try:
        return isinstance(file.fileno(), int)
    except (AttributeError, OSError, ValueError):
        return False


def opened_remote(given: Any, use: Callable[[Source], T], options: Mapping[str, Any]) -> T:
    """Return `use(source)` for a file that `is_remote`.

    The source has the start of the file, and grows each time `use` raises `TruncatedError`. No byte is read twice.
    `options` are the storage options. Raises `FileError`, and what `use` raises.
    """
    limit = integer(options.get(_LIMIT, MAX_HEADER_NBYTES), _LIMIT)
    if limit < 1:
        raise ValueError(f"{_LIMIT} must be at least 1, not {limit}")
    ranges = _ranges(given, options, FIRST)
    if ranges.options is not None and _LIMIT in options:
        ranges.options += ((_LIMIT, limit),)
    source = Source(ranges.start, ranges.name, ranges=ranges, path=given if isinstance(given, str) else None)
    try:
        return read_on(source, use, limit)
    finally:
        ranges.close()


def read_on(source: Source, use: Callable[[Source], T], limit: int | None = None) -> T:
    """Return `use(source)` for a source with the start of a file, reading on as long as the header is incomplete.

    Raises `FileError` if the header takes more than `limit` bytes, and what `use` raises.
    """
    while True:
        had = len(source.buffer)
        try:
            return use(source)
        except TruncatedError as error:
            if max(error.needed, had + 1) > source.nbytes:
                raise
            step = max(LEAST if error.expected > error.needed else UNKNOWN, had // 16)
            end = min(max(error.expected, had + step), had + MOST)
        if limit is not None and end > limit:
            if had >= limit:
                message = f"its header is longer than the limit of {limit:,} bytes, which {_LIMIT} raises"
                raise FileError(errno.EFBIG, message, source.name or "the file object")
            end = limit
        source.extend(end)


def remote_version(url: str, options: Mapping[str, Any]) -> str | None:
    """Return a text that changes when the file at a URL does; None if unknown. Raises `FileError`."""
    ranges = _ranges(url, options, 1)
    ranges.close()
    return ranges.version


def _ranges(given: Any, options: Mapping[str, Any], first: int) -> Ranges:
    options = {name: value for name, value in options.items() if name != _LIMIT}
    if not isinstance(given, str):
        if options:
            raise ValueError(f"storage_options apply to URLs only, except {_LIMIT}, and this is a file object")
        return FileRanges(given, first)
    check_url(given)
    if scheme_of(given) not in ("http", "https", "hf"):
        return FsspecRanges(given, first, **options)
    from kaitai_gguf.sources.http import HTTPRanges, check_options  # imports httpx

    check_options(options)
    return HTTPRanges(given, first, **options)
