"""Files on web servers, read by ranges: http, https, and the Hugging Face hub's hf.

Every answer is checked: the range that it says it has, and the size of the file and its ETag (or the date of its last
change) against those of the first answer, so that a file that is replaced meanwhile is never mixed with the old one.
There is no HEAD request: the first answer tells the size.
"""

import base64
import errno
import random
import re
import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, TypeGuard
from urllib.parse import unquote, urljoin, urlsplit

from kaitai_gguf.errors import FileAccessError, FileError, FileMissingError, GGUFError
from kaitai_gguf.sources.client import Problem, errors, problem_of, retry_after, send
from kaitai_gguf.sources.ranges import Again
from kaitai_gguf.sources.urls import HubFile, hub_token, scheme_of, without_secrets

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
_EXPIRED = {400, 401, 403, 404, 410}  # what an address that a redirect gave answers when it is no longer valid
_CONTENT_RANGE = re.compile(r"bytes (\d{1,19})-(\d{1,19})/(\d{1,19})", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PORTS = {"http": 80, "https": 443}


class _Version(NamedTuple):
    """What tells whether a file is still the same."""

    nbytes: int
    etag: str | None
    modified: str | None  # None with a strong ETag, which says more


class _ProblemError(Exception):
    """A request that failed."""

    def __init__(self, words: str, *, is_temporary: bool, wait: float = 0.0) -> None:
        super().__init__(words)
        self.problem = Problem(words, is_temporary, wait)


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

        Raises `FileError`, and ValueError for an hf URL without owner, repository or path.
        """
        self.name = without_secrets(url)
        self.address: str | None = url
        self._hub = HubFile.parse(url) if scheme_of(url) == "hf" else None
        self._commit: str | None = None  # of the hub: that of the first answer
        self._url, self._origin, user = self._taken_apart(self._hub.address if self._hub else url)
        self._is_public = not headers and not token and url == self.name
        token = (token or "").strip() or (hub_token() if self._hub else None)  # files end with a newline
        authorization = f"Bearer {token}" if token else user
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._headers |= {"authorization": authorization} if authorization else {}
        self._timeout = timeout
        self._retries = retries
        self._location: str | None = None  # where the last answer came from, if the URL redirects
        self._version: _Version | None = None
        self._whole: _Whole | None = None  # where a server doesn't send ranges
        self._lock = threading.Lock()  # of `_whole`
        self._counting = threading.Lock()
        self.num_requests = self.num_bytes = 0
        self.start = bytes(self._retried(0, first, self._read_start))

    @property
    def nbytes(self) -> int:
        """The size of the file."""
        return self._version.nbytes if self._version else 0

    @property
    def version(self) -> str | None:
        """The commit on the hub, or else the ETag, or the date of the last change."""
        return self._commit or (self._version and (self._version.etag or self._version.modified)) or None

    @property
    def again(self) -> Again | None:
        """The URL, of the same commit on the hub, and the options; None if any may be secret."""
        if not self._is_public or self.address is None:
            return None
        options: dict[str, Any] = {"timeout": self._timeout, "retries": self._retries}
        defaults = {"timeout": TIMEOUT, "retries": RETRIES}
        return Again(self.address, tuple((name, value) for name, value in options.items() if value != defaults[name]))

    def read(self, start: int, end: int) -> memoryview:
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
        if self._whole is not None:  # this is not the first attempt
            self._read_whole(start, min(end, self.nbytes), got)
            return
        if self._version is not None:
            self._read_range(start, min(end, self.nbytes), got)
            return
        response = self._send(start, end)
        try:
            if response.status_code == 206:
                self._collect_range(response, start, end, got)
            elif response.status_code == 200:
                self._begin_whole(response)
            else:  # there is no first byte
                self._note(response, 0)
        finally:
            if self._whole is None:
                response.close()
        if self._whole is not None:
            self._read_whole(start, min(end, self.nbytes), got)

    def _read_range(self, start: int, end: int, got: bytearray) -> None:
        if start + len(got) == end:  # only the end of the answer before was missing
            return
        response = self._send(start + len(got), end)
        with closing(response):
            if response.status_code == 206:
                self._collect_range(response, start, end, got)
                return
            if response.status_code == 200:  # If-Range: it is another file
                self._note(response, _length(response, self.nbytes))
        self._fail(errno.EIO, f"the server answers {response.status_code} to a range, which it did not before")

    def _read_whole(self, start: int, end: int, got: bytearray) -> None:
        whole = self._whole
        assert whole is not None
        if whole.is_closed:
            self._fail(errno.EOPNOTSUPP, "the server does not send ranges: download the file to read its tensors")
        if whole.is_broken:
            whole = self._begin_whole(self._send(0, None))
        before = len(whole.data)
        try:
            whole.fill(end)
        finally:
            self._count(len(whole.data) - before)
        got[:] = whole.data[start:end]

    def _begin_whole(self, response: "httpx.Response") -> "_Whole":
        """Raises an error if the answer is not all of the same file."""
        is_begun = False
        try:
            if response.status_code != 200:
                self._fail(errno.EIO, f"the server answers {response.status_code}, and 200 before")
            nbytes = _length(response)
            if nbytes is None:
                self._fail(errno.EIO, "the server tells neither the size of the file nor a range of it")
            self._note(response, nbytes)
            is_begun = True
        finally:
            if not is_begun:
                response.close()
        self._whole = _Whole(response)
        return self._whole

    def _collect_range(self, response: "httpx.Response", start: int, end: int, got: bytearray) -> None:
        """Take the bytes that an answer says it has, and no more of them than are wanted."""
        stop, nbytes = self._content_range(response, start + len(got))
        self._note(response, nbytes)
        end = min(end, nbytes)
        before, most = len(got), min(end, stop) - start
        try:
            for part in response.iter_raw():
                got += part
                if len(got) > most:  # else the end of the answer is awaited, and the connection is kept
                    break
        finally:
            self._count(len(got) - before)
            del got[most:]
        if start + len(got) < end:
            raise _ProblemError("the answer ended early", is_temporary=True)

    def _count(self, nbytes: int) -> None:
        with self._counting:
            self.num_bytes += nbytes

    # Requests

    def _retried(self, start: int, end: int, read: Callable[[int, int, bytearray], None]) -> memoryview:
        got = bytearray()
        attempt = 0
        while True:
            problem = _problem(lambda: read(start, end, got))
            if problem is None:
                return memoryview(got).toreadonly()
            if not problem.is_temporary:
                self._fail(errno.EIO, problem.words)
            if problem.wait > LONGEST_WAIT:
                self._fail(errno.EIO, f"{problem.words}, and asks for {problem.wait:,.0f} seconds without requests")
            if attempt == self._retries:
                self._fail(errno.EIO, problem.words + (f" (tried {attempt + 1} times)" if attempt else ""))
            if attempt:  # the address that a redirect gave may be that of a server that is gone
                self._location = None
            time.sleep(max(problem.wait, BACK_OFF * 2**attempt * random.uniform(0.5, 1)))
            attempt += 1

    def _send(self, start: int, end: int | None) -> "httpx.Response":
        """The answer to a request for a range, whose status is 200, 206 or 416."""
        is_known = self._location is not None
        url = first = self._location or self._url
        for _ in range(REDIRECTS + 1):
            response = self._request(url, start, end)
            self._pin(response, url)
            if response.status_code not in _REDIRECTS or "Location" not in response.headers:
                break
            response.close()
            url = urljoin(url, response.headers["Location"])
        else:
            self._fail(errno.ELOOP, f"the server redirects more than {REDIRECTS} times")
        status = response.status_code
        is_empty = status == 416 and start == 0 and response.headers.get("Content-Range", "bytes */0") == "bytes */0"
        if status in (200, 206) or (is_empty and self._version is None):
            if "Content-Encoding" in response.headers:
                response.close()
                self._fail(errno.EIO, f"the server encodes the file as {response.headers['Content-Encoding']!r}")
            self._location = url if is_known or url != first else None
            return response
        response.close()
        words = f"the server answered {status} {response.reason_phrase}".rstrip()
        if is_known and status in _EXPIRED:
            self._location = None
            return self._send(start, end)
        if status in _TEMPORARY:
            raise _ProblemError(words, is_temporary=True, wait=retry_after(response))
        return self._refuse(status, words)

    def _request(self, url: str, start: int, end: int | None) -> "httpx.Response":
        headers = self._headers if _origin(url) == self._origin else {}
        headers = headers | {"accept-encoding": "identity"}
        headers.pop("if-range", None)
        if end is not None:
            headers["range"] = f"bytes={start}-{end - 1}"
            if self._version is not None and _is_strong(self._version.etag):
                headers["if-range"] = self._version.etag
        with self._counting:
            self.num_requests += 1
        return send(url, headers, self._timeout)

    def _taken_apart(self, url: str) -> tuple[str, tuple[str, str, int], str | None]:
        """The URL without user and password, its origin, and what Authorization says of them."""
        origin = _origin(url)
        if origin is None:
            self._fail(errno.EINVAL, "the URL is not valid")
        parts = urlsplit(url)
        user, separator, host = parts.netloc.rpartition("@")
        if not separator:
            return url, origin, None
        basic = base64.b64encode(unquote(user if ":" in user else f"{user}:").encode()).decode()
        return parts._replace(netloc=host).geturl(), origin, f"Basic {basic}"

    # Answers

    def _pin(self, response: "httpx.Response", url: str) -> None:
        """Ask the hub for the commit of its first answer from now on."""
        commit = response.headers.get("X-Repo-Commit", "")
        if self._hub and not self._commit and _COMMIT.fullmatch(commit) and _origin(url) == self._origin:
            self._commit = commit
            self._hub = self._hub._replace(revision=commit)
            self._url = self._taken_apart(self._hub.address)[0]
            self.address = self._hub.url

    def _note(self, response: "httpx.Response", nbytes: int) -> None:
        """Keep what tells one file from another, or compare it with what was kept."""
        etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        version = _Version(nbytes, etag, None if _is_strong(etag) else modified)
        if self._version is None:
            self._version = version
        elif version != self._version:
            self._replaced()

    def _content_range(self, response: "httpx.Response", start: int) -> tuple[int, int]:
        """Where an answer ends that has to begin at a position, and the size of the file."""
        header = response.headers.get("Content-Range", "")
        match = _CONTENT_RANGE.fullmatch(header)
        if match is None or int(match[1]) != start or not start <= int(match[2]) < int(match[3]):
            self._fail(errno.EIO, f"the server answered a range from byte {start} with Content-Range {header!r}")
        return int(match[2]) + 1, int(match[3])

    def _refuse(self, status: int, words: str) -> NoReturn:
        if status in (401, 403):
            hint = "the URL has expired, or a token is needed: the model may be private or gated"
            if self._hub:
                hint = "the model may be gated, private or missing: accept its terms on the hub, and set HF_TOKEN"
            raise FileAccessError(errno.EACCES, f"{words}: {hint}", self.name)
        if status in (404, 410):
            raise FileMissingError(errno.ENOENT, f"no such file ({words})", self.name)
        if status == 416 and self._version is not None:
            self._replaced()
        self._fail(errno.EIO, words)

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
                    raise _ProblemError("the answer ended early", is_temporary=True)
                self.data += part
        except BaseException:
            self.is_broken = True
            self._response.close()
            raise

    def close(self) -> None:
        self.is_closed = True
        self._response.close()
        self.data = bytearray()


def _problem(function: Callable[[], None]) -> Problem | None:
    """What kept a function from ending. It is not raised here, where it would refer to the client's own error."""
    try:
        function()
    except _ProblemError as error:
        return error.problem
    except GGUFError:
        raise
    except errors() as error:
        return problem_of(error)
    return None


def _is_strong(etag: str | None) -> TypeGuard[str]:
    """Whether there is an ETag that changes with any byte of the file."""
    return bool(etag) and str(etag).isascii() and not str(etag).startswith("W/")


def _length(response: "httpx.Response", otherwise: int | None = None) -> Any:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else otherwise


def _origin(url: str) -> tuple[str, str, int] | None:
    """Scheme, host and port; None for what is not a URL of a web server."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
