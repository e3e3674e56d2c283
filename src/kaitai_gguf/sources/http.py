"""Files on web servers, read by ranges: http, https, and the Hugging Face hub's hf.

Every answer is checked: the range that it says it has, and the size of the file and its ETag (or the date of its last
change) against those of the first answer, so that a file that is replaced meanwhile is never mixed with the old one.
There is no HEAD request: the first answer tells the size.
"""

import errno
import random
import re
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, NoReturn
from urllib.parse import urljoin, urlsplit

from kaitai_gguf.errors import FileAccessError, FileError, FileMissingError, GGUFError, MissingPackageError
from kaitai_gguf.sources.urls import hub_token, hub_url, without_secrets

if TYPE_CHECKING:
    import httpx

__all__ = ["HTTPRanges"]

TIMEOUT = 30.0  # seconds to connect, and between any two parts of an answer
RETRIES = 4  # requests that are made again before an error is raised
BACK_OFF = 0.25  # seconds before the first of them; doubled each time
LONGEST_WAIT = 60.0  # seconds: a server that asks for more is not waited for
REDIRECTS = 10

_TEMPORARY = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_EXPIRED = {401, 403, 404, 410}  # what an address that a redirect gave answers when it is no longer valid
_CONTENT_RANGE = re.compile(r"bytes (\d+)-(\d+)/(\d+)")


class _Version(NamedTuple):
    """What tells whether a file is still the same."""

    nbytes: int
    etag: str | None
    modified: str | None


class _TemporaryError(Exception):
    """A request that may be made again: why it failed, and how many seconds the server wants to be left alone."""

    def __init__(self, why: str, wait: float = 0.0) -> None:
        super().__init__(why)
        self.wait = wait


class _FatalError(Exception):
    """A request that would fail again."""


class HTTPRanges:
    """A file on a web server. Safe for threads."""

    def __init__(
        self,
        url: str,
        first: int,
        *,
        headers: Mapping[str, str] | None = None,
        token: str | None = None,
        timeout: float = TIMEOUT,
        retries: int = RETRIES,
    ) -> None:
        """Read the first bytes, at most `first` of them: `start` has them.

        headers  sent to the server of the URL, but not to others that it redirects to.
        token    sent likewise, as `Authorization: Bearer`; for hf, that of the environment or of a login by default.
        timeout  in seconds, to connect and between any two parts of an answer.
        retries  how often a request is made again after a temporary failure.

        Raises `FileError`.
        """
        is_hub = url.startswith("hf://")
        self.name = without_secrets(url)
        self._url = hub_url(url) if is_hub else url
        token = token or (hub_token() if is_hub else None)
        self._headers = {**(headers or {}), **({"Authorization": f"Bearer {token}"} if token else {})}
        self._timeout = timeout
        self._retries = retries
        self._location: str | None = None  # where the last answer came from, if the URL redirects
        self._commit: str | None = None
        self._version: _Version | None = None
        self._whole: _Whole | None = None  # where a server doesn't send ranges
        self._lock = threading.Lock()  # of `_whole`
        self._counting = threading.Lock()
        self.num_requests = self.num_bytes = 0
        self.start = self._retried(0, first, self._read_start)

    @property
    def nbytes(self) -> int:
        """The size of the file."""
        return self._version.nbytes if self._version else 0

    @property
    def version(self) -> str | None:
        """The commit on the hub, or else the ETag, or the date of the last change."""
        return self._commit or (self._version and (self._version.etag or self._version.modified)) or None

    def read(self, start: int, end: int) -> bytes:
        """Return exactly the bytes from one position to another: one request, unless something fails."""
        if self._whole is None:
            return self._retried(start, end, self._read_range)
        with self._lock:
            return self._retried(start, end, self._read_whole)

    def close(self) -> None:
        """End the answer of a server that sends all of a file; no more of it can be read."""
        if self._whole is not None:
            with self._lock:
                self._whole.close()

    # What follows adds to `got`, which may have the first bytes of a range from an answer that ended early.

    def _read_start(self, start: int, end: int, got: bytearray) -> None:
        response = self._send(start, end)
        try:
            if response.status_code == 200:
                self._note(response, _length(response))
                self._whole = _Whole(response)
                self._read_whole(start, min(end, self.nbytes), got)
                return
            if response.status_code == 416:  # there is no first byte
                self._note(response, 0)
                return
            nbytes = self._content_range(response, start)
            self._note(response, nbytes)
            self._collect(response, min(end, nbytes), start, got)
        finally:
            if self._whole is None:
                response.close()

    def _read_range(self, start: int, end: int, got: bytearray) -> None:
        response = self._send(start + len(got), end)
        with closing(response):
            if response.status_code == 206:
                self._note(response, self._content_range(response, start + len(got)))
                self._collect(response, end, start, got)
                return
            if response.status_code == 200:  # If-Range: it is another file
                self._note(response, _length(response))
            self._fail(errno.EIO, f"the server answers {response.status_code} to a range, which it did not before")

    def _read_whole(self, start: int, end: int, got: bytearray) -> None:
        whole = self._whole
        assert whole is not None
        if whole.is_closed:
            self._fail(errno.EOPNOTSUPP, "the server does not send ranges: download the file to read its tensors")
        if whole.is_broken:
            response = self._send(0, None)
            self._note(response, _length(response))
            whole = self._whole = _Whole(response)
        before = len(whole.data)
        whole.fill(end)
        self._count(len(whole.data) - before)
        got[:] = whole.data[start:end]

    def _collect(self, response: "httpx.Response", end: int, start: int, got: bytearray) -> None:
        before = len(got)
        try:
            for part in response.iter_raw():
                got += part
                if start + len(got) >= end:
                    break
        finally:
            self._count(len(got) - before)
        if start + len(got) < end:
            raise _TemporaryError("the answer ended early")
        del got[end - start :]

    def _count(self, nbytes: int) -> None:
        with self._counting:
            self.num_bytes += nbytes

    # Requests

    def _retried(self, start: int, end: int, read: Callable[[int, int, bytearray], None]) -> bytes:
        got = bytearray()
        for attempt in range(self._retries + 1):
            try:
                with _translated():
                    read(start, end, got)
                return bytes(got)
            except _TemporaryError as failure:
                if attempt == self._retries or failure.wait > LONGEST_WAIT:
                    tried = f"tried {attempt + 1} times" if attempt else "tried once"
                    self._fail(errno.EIO, f"{failure} ({tried})")
                time.sleep(max(failure.wait, BACK_OFF * 2**attempt * random.uniform(0.5, 1)))
            except _FatalError as error:
                self._fail(errno.EIO, str(error))
        raise AssertionError("unreachable")

    def _send(self, start: int, end: int | None) -> "httpx.Response":
        """The answer to a request for a range, whose status is 200, 206 or 416."""
        url = self._location or self._url
        for _ in range(REDIRECTS):
            response = self._request(url, start, end)
            self._commit = self._commit or response.headers.get("X-Repo-Commit")
            if response.status_code not in _REDIRECTS or "Location" not in response.headers:
                break
            response.close()
            url = urljoin(url, response.headers["Location"])
        else:
            self._fail(errno.ELOOP, f"the server redirects more than {REDIRECTS} times")
        status = response.status_code
        if status in (200, 206) or (status == 416 and response.headers.get("Content-Range") == "bytes */0"):
            if "Content-Encoding" in response.headers:
                response.close()
                self._fail(errno.EIO, f"the server encodes the file as {response.headers['Content-Encoding']!r}")
            self._location = url if url != self._url else None
            return response
        response.close()
        if self._location is not None and status in _EXPIRED:
            self._location = None
            raise _TemporaryError(f"the server answered {status}")
        if status in _TEMPORARY:
            raise _TemporaryError(f"the server answered {status} {response.reason_phrase}", _retry_after(response))
        return self._refuse(status, response.reason_phrase)

    def _request(self, url: str, start: int, end: int | None) -> "httpx.Response":
        headers = {"Accept-Encoding": "identity"}
        if end is not None:
            headers["Range"] = f"bytes={start}-{end - 1}"
        if self._version is not None and self._version.etag and not self._version.etag.startswith("W/"):
            headers["If-Range"] = self._version.etag
        if _origin(url) == _origin(self._url):
            headers |= self._headers
        client = _client()
        with self._counting:
            self.num_requests += 1
        return client.send(client.build_request("GET", url, headers=headers, timeout=self._timeout), stream=True)

    # Answers

    def _note(self, response: "httpx.Response", nbytes: int) -> None:
        """Keep what tells one file from another, or compare it with what was kept."""
        headers = response.headers
        version = _Version(nbytes, headers.get("ETag"), None if "ETag" in headers else headers.get("Last-Modified"))
        if self._version is None:
            self._version = version
        elif version != self._version:
            self._replaced()

    def _content_range(self, response: "httpx.Response", start: int) -> int:
        """The size of the file, from an answer that has to begin at a position."""
        header = response.headers.get("Content-Range", "")
        match = _CONTENT_RANGE.fullmatch(header)
        if match is None or int(match[1]) != start:
            self._fail(errno.EIO, f"the server answered a range from byte {start} with Content-Range {header!r}")
        return int(match[3])

    def _refuse(self, status: int, reason: str) -> NoReturn:
        if status in (401, 403):
            hint = "the URL has expired, or a token is needed: the model may be private or gated"
            raise FileAccessError(errno.EACCES, f"the server answered {status} {reason}: {hint}", self.name)
        if status in (404, 410):
            raise FileMissingError(errno.ENOENT, f"no such file (the server answered {status} {reason})", self.name)
        if status == 416:
            self._replaced()
        self._fail(errno.EIO, f"the server answered {status} {reason}")

    def _replaced(self) -> NoReturn:
        self._fail(errno.ESTALE, "the file was replaced by another one while it was read")

    def _fail(self, code: int, words: str) -> NoReturn:
        raise FileError(code, words, self.name)


class _Whole:
    """The answer of a server that sends all of a file, read as far as it is needed."""

    def __init__(self, response: "httpx.Response") -> None:
        self._response = response
        self._parts = response.iter_raw()
        self.data = bytearray()
        self.is_broken = self.is_closed = False

    def fill(self, end: int) -> None:
        """Read until there are `end` bytes."""
        try:
            while len(self.data) < end:
                part = next(self._parts, None)
                if part is None:
                    raise _TemporaryError("the answer ended early")
                self.data += part
        except BaseException:
            self.is_broken = True
            self._response.close()
            raise

    def close(self) -> None:
        self.is_closed = True
        self._response.close()
        self.data = bytearray()


@cache
def _client() -> "httpx.Client":
    """One for the process: it keeps connections, and takes proxies and certificates from the environment."""
    try:
        import httpx
    except ImportError:
        raise MissingPackageError("models on web servers need the package httpx: install the extra 'remote'") from None
    return httpx.Client(limits=httpx.Limits(max_connections=64, max_keepalive_connections=32))


@contextmanager
def _translated() -> Iterator[None]:
    """Turns the client's errors into temporary and fatal ones."""
    _client()
    import httpx

    try:
        yield
    except GGUFError:
        raise
    except httpx.TimeoutException as error:
        raise _TemporaryError(f"the server did not answer in time ({type(error).__name__})") from None
    except (httpx.UnsupportedProtocol, httpx.InvalidURL, httpx.ProxyError, ValueError) as error:
        raise _FatalError(str(error)) from None
    except httpx.TransportError as error:
        words = str(error) or type(error).__name__
        raise (_FatalError if "CERTIFICATE_VERIFY_FAILED" in words else _TemporaryError)(words) from None


def _length(response: "httpx.Response") -> int:
    length = response.headers.get("Content-Length", "")
    if not length.isdecimal():
        raise _FatalError("the server tells neither the size of the file nor a range of it")
    return int(length)


def _origin(url: str) -> tuple[str, str]:
    parts = urlsplit(url)
    return parts.scheme, parts.netloc


def _retry_after(response: "httpx.Response") -> float:
    """How many seconds a server wants to be left alone."""
    header = response.headers.get("Retry-After", "")
    if header.isdecimal():
        return float(header)
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return 0.0
