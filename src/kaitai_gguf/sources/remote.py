"""Models that are read by ranges: the start of a file is read until the header is whole.

How much is asked for at once was chosen by counting, see benchmarks/remote.py: 1 MiB has all of a header without a
vocabulary; after that the index says how many bytes are missing at least, and how many strings of which length.
"""

import errno
import io
import sys
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from kaitai_gguf.errors import FileError, TruncatedError
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.source import Source
from kaitai_gguf.sources.urls import is_url, scheme_of

__all__ = ["is_remote", "opened_remote", "read_on", "remote_version"]

FIRST = 1 << 20  # bytes that are asked for first
GROWTH = 4 << 20  # bytes that are asked for next at most, if an array is missing that others may follow
LEAST = 1 << 18  # bytes that are asked for next at least
MOST = 32 << 20  # bytes that are asked for next at most, whatever a header claims: the index looks at them first

_HTTP = ("http", "https", "hf")
_OPTIONS = ("headers", "token", "timeout", "retries")

T = TypeVar("T")


def is_remote(given: object) -> bool:
    """Whether something is a URL, or a seekable file object that is neither a file of the system nor in memory."""
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


def opened_remote(given: Any, use: Callable[[Source], T], options: Mapping[str, Any], limit: int | None = None) -> T:
    """Return `use(source)` of a file that `is_remote`.

    The source has the start of the file, and more of it each time that `use` raises `TruncatedError`. No byte is read
    twice. `options` are those of the URL's file system. Raises `FileError`, and what `use` raises.
    """
    ranges = _ranges(given, options, FIRST)
    source = Source(ranges.start, ranges.name, ranges=ranges, path=given if isinstance(given, str) else None)
    try:
        return read_on(source, use, limit)
    finally:
        ranges.close()


def read_on(source: Source, use: Callable[[Source], T], limit: int | None = None) -> T:
    """Return `use(source)` of a source with the start of a file, which gets more of it until that is enough.

    Raises `FileError` if more than `limit` bytes would have to be read, and what `use` raises.
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
                words = f"its header has more than {limit:,} bytes, the most that is read"
                raise FileError(errno.EFBIG, words, source.name or "the file object")
            end = limit
        source.extend(end)


def remote_version(url: str, options: Mapping[str, Any]) -> str | None:
    """Return what changes when the file at a URL is replaced; None if that is not known. Raises `FileError`."""
    ranges = _ranges(url, options, 1)
    ranges.close()
    return ranges.version


def _next_end(error: TruncatedError, source: Source) -> int | None:
    """How far to read on; None if no more of the file would help."""
    had = len(source.buffer)
    if max(error.needed, had + 1) > source.nbytes:
        return None
    if error.expected > error.needed:
        step = LEAST
    elif "/elements" in error.path:
        step = min(had, GROWTH)
    else:  # what is not in an array is small
        step = max(2 * LEAST, had // 16)
    return min(max(error.expected, had + step), had + MOST)


def _ranges(given: Any, options: Mapping[str, Any], first: int) -> Ranges:
    from kaitai_gguf.sources.foreign_files import FileObjectRanges, FsspecRanges

    if not isinstance(given, str):
        if options:
            raise ValueError("storage_options are for URLs, and this is a file object")
        return FileObjectRanges(given, first)
    if scheme_of(given) not in _HTTP:
        return FsspecRanges(given, first, **options)
    from kaitai_gguf.sources.http import HTTPRanges

    _check_options(options)
    return HTTPRanges(given, first, **options)


def _check_options(options: Mapping[str, Any]) -> None:
    """Refuse options that the HTTP driver doesn't have. What they are may be secret, and is not said."""
    unknown = [name for name in options if name not in _OPTIONS]
    if unknown:
        words = f"the storage_options of {', '.join(_HTTP)} URLs are {', '.join(_OPTIONS)}"
        raise ValueError(f"{words}, not {unknown[0]!r}")
    headers, token = options.get("headers"), options.get("token")
    if headers is not None and not isinstance(headers, Mapping):
        raise TypeError(f"expected headers as a mapping of strings, not {type(headers).__name__}")
    if not all(isinstance(text, str) for item in (headers or {}).items() for text in item):
        raise TypeError("expected headers as a mapping of strings, and one has another type")
    if token is not None and not isinstance(token, str):
        raise TypeError(f"expected a token as a string, not {type(token).__name__}")
    timeout, retries = options.get("timeout", 1), options.get("retries", 0)
    if not isinstance(timeout, int | float) or not timeout > 0:
        raise ValueError(f"expected a timeout in seconds, more than 0, not {timeout!r}")
    if not isinstance(retries, int) or retries < 0:
        raise ValueError(f"expected a number of retries from 0 on, not {retries!r}")
