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
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.source import Source
from kaitai_gguf.sources.urls import check_url, is_url, scheme_of

__all__ = ["MAX_HEADER_NBYTES", "is_remote", "opened_remote", "read_on", "remote_version"]

FIRST = 1 << 20  # bytes of the first request
GROWTH = 4 << 20  # bytes: the largest next request inside an array, since other arrays may follow
LEAST = 1 << 18  # bytes: the smallest next request
MOST = 32 << 20  # bytes: the largest next request, whatever a header claims; the index checks these bytes first
MAX_HEADER_NBYTES = 128 << 20  # the largest real header known has 16 MB

_HTTP = ("http", "https", "hf")
_OPTIONS = ("headers", "token", "timeout", "retries", "max_header_nbytes")

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
    limit = integer(options.get("max_header_nbytes", MAX_HEADER_NBYTES), "max_header_nbytes")
    if limit < 1:
        raise ValueError(f"max_header_nbytes must be at least 1, not {limit}")
    ranges = _ranges(given, options, FIRST)
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
        try:
            return use(source)
        except TruncatedError as error:
            end = _next_end(error, source)
            if end is None:
                raise
        if limit is not None and end > limit:
            if len(source.buffer) >= limit:
                message = f"its header is longer than the limit of {limit:,} bytes, which max_header_nbytes raises"
                raise FileError(errno.EFBIG, message, source.name or "the file object")
            end = limit
        source.extend(end)


def remote_version(url: str, options: Mapping[str, Any]) -> str | None:
    """Return a text that changes when the file at a URL does; None if unknown. Raises `FileError`."""
    ranges = _ranges(url, options, 1)
    ranges.close()
    return ranges.version


def _next_end(error: TruncatedError, source: Source) -> int | None:
    """Return the position to read up to next; None if reading on would not help."""
    had = len(source.buffer)
    if max(error.needed, had + 1) > source.nbytes:
        return None
    if error.expected > error.needed:
        step = LEAST
    elif "/elements" in error.path:
        step = min(had, GROWTH)
    else:  # values outside arrays are small
        step = max(2 * LEAST, had // 16)
    return min(max(error.expected, had + step), had + MOST)


def _ranges(given: Any, options: Mapping[str, Any], first: int) -> Ranges:
    from kaitai_gguf.sources.foreign_files import FileObjectRanges, FsspecRanges

    if isinstance(given, str):
        check_url(given)
    else:
        if options.keys() - {"max_header_nbytes"}:
            raise ValueError("storage_options apply to URLs only, except max_header_nbytes, and this is a file object")
        return FileObjectRanges(given, first)
    if scheme_of(given) not in _HTTP:
        return FsspecRanges(given, first, **options)
    from kaitai_gguf.sources.http import HTTPRanges

    _check_options(options)
    return HTTPRanges(given, first, **options)


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuse invalid options of the HTTP driver. Messages never quote a header or a token."""
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        names = f"{', '.join(_HTTP)} URLs take {', '.join(_OPTIONS)}"
        raise ValueError(f"unknown storage option {unknown[0]!r}: {names}")
    headers, token = options.get("headers"), options.get("token")
    if headers is not None and not isinstance(headers, Mapping):
        raise TypeError(f"expected headers as a mapping of str to str, not {type(headers).__name__}")
    if not all(isinstance(text, str) for item in (headers or {}).items() for text in item):
        raise TypeError("expected headers as a mapping of str to str, but one name or value has another type")
    if token is not None and not isinstance(token, str):
        raise TypeError(f"expected the token as a str, not {type(token).__name__}")
    timeout, retries = options.get("timeout", 1), options.get("retries", 0)
    if not isinstance(timeout, int | float) or not timeout > 0:
        raise ValueError(f"expected a timeout of more than 0 seconds, not {timeout!r}")
    if not isinstance(retries, int) or retries < 0:
        raise ValueError(f"expected retries as an integer of at least 0, not {retries!r}")
