"""Files on web servers, read by ranges: http, https, and hf for the Hugging Face hub.

Every response is checked: its range must be the one requested, and the file's size and ETag (or modification date) must
equal those of the first response. A file that is replaced meanwhile is never mixed with the old one. There is no HEAD
request, since the first response gives the size.
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

from kaitai_gguf.errors import FileError, GGUFError
from kaitai_gguf.sources.client import Problem, errors, problem_of, retry_after, send
from kaitai_gguf.sources.ranges import Again
from kaitai_gguf.sources.refusals import answer_of, refusal
from kaitai_gguf.sources.urls import HubFile, hub_token, scheme_of, without_secrets

if TYPE_CHECKING:
    import httpx

__all__ = ["HTTPRanges"]

TIMEOUT = 30.0  # seconds to connect, for all headers of a response, and between any two parts of its body
RETRIES = 4  # retries before an error is raised
BACK_OFF = 0.25  # seconds before the first retry; doubled each time
LONGEST_WAIT = 60.0  # seconds: a server that asks for a longer wait is an error
REDIRECTS = 10

_TEMPORARY = {408, 425, 429, 500, 502, 503, 504}
_REDIRECTS = {301, 302, 303, 307, 308}
_EXPIRED = {400, 401, 403, 404, 410}  # responses of a redirect target that has expired
_CONTENT_RANGE = re.compile(r"bytes (\d{1,19})-(\d{1,19})/(\d{1,19})", re.ASCII)
_COMMIT = re.compile(r"[0-9a-f]{40}")
_PORTS = {"http": 80, "https": 443}


class _Version(NamedTuple):
    """What identifies the version of a file on a server."""

    nbytes: int
    etag: str | None
    modified: str | None  # None with a strong ETag, which is more precise


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
        **options: Any,
    ) -> None:
        """Read at most `first` bytes from the start of the file into `start`.

        headers  sent to the server of the URL, but not to other servers that it redirects to.
        token    sent to the same server as `Authorization: Bearer`; for hf URLs the default is the token from the
                 environment or from a login.
        timeout  in seconds: to connect, for all headers of a response, and between any two parts of its body.
        retries  how often a request is made again after a temporary failure.
        options  more options to open the file again with.

        Raises `FileError`, and ValueError for an hf URL without owner, repository or path.
        """
        self.name = without_secrets(url)
        self.address: str | None = url
        self._hub = HubFile.parse(url) if scheme_of(url) == "hf" else None
        self._commit: str | None = None  # the hub's commit, from the first response
        self._url, self._origin, user = self._taken_apart(self._hub.address if self._hub else url)
        self._is_public = not headers and not token and url == self.name
        token = (token or "").strip() or (hub_token() if self._hub else None)  # a token from a file ends with a newline
        authorization = f"Bearer {token}" if token else user
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._headers |= {"authorization": authorization} if authorization else {}
        self._options = options | {"timeout": timeout, "retries": retries}
        self._location: str | None = None  # where the URL redirects to
        self._version: _Version | None = None
        self._whole: _Whole | None = None  # set if the server doesn't send ranges
        self._lock = threading.Lock()  # protects `_whole`
        self._counting = threading.Lock()
        self.num_requests = self.num_bytes = 0
        self.start = bytes(self._retried(0, first, self._read_start))

    @property
    def nbytes(self) -> int:
        """The size of the file in bytes."""
        return self._version.nbytes if self._version else 0

    @property
    def version(self) -> str | None:
        """The commit on the hub; otherwise the ETag or the modification date; None if the server sends neither."""
        return self._commit or (self._version and (self._version.etag or self._version.modified)) or None

    @property
    def again(self) -> Again | None:
        """The URL (with the commit, on the hub) and the options; None if any of them may be secret."""
        if not self._is_public or self.address is None:
            return None
        defaults = {"timeout": TIMEOUT, "retries": RETRIES}
        options = tuple((name, value) for name, value in self._options.items() if value != defaults.get(name))
        return Again(self.address, options)

    def read(self, start: int, end: int) -> memoryview:
        """Return exactly the bytes from `start` to before `end`, with one request unless something fails."""
        if self._whole is None:
            return self._retried(start, end, self._read_range)
        with self._lock:
            return self._retried(start, end, self._read_whole)

    def close(self) -> None:
        """End the response of a server that sends the whole file; no more of it can be read."""
        if self._whole is not None:
            with self._lock:
                self._whole.close()

    # These methods append to `received`, which may already hold part of the range from a response that ended early.

    def _read_start(self, start: int, end: int, received: bytearray) -> None:
        if self._whole is not None:  # this is not the first attempt
            self._read_whole(start, min(end, self.nbytes), received)
            return
        if self._version is not None:
            self._read_range(start, min(end, self.nbytes), received)
            return
        response = self._send(start, end)
        try:
            if response.status_code == 206:
                self._collect_range(response, start, end, received)
            elif response.status_code == 200:
                self._begin_whole(response)
            else:  # the file is empty
                self._note(response, 0)
        finally:
            if self._whole is None:
                response.close()
        if self._whole is not None:
            self._read_whole(start, min(end, self.nbytes), received)

    def _read_range(self, start: int, end: int, received: bytearray) -> None:
        if start + len(received) == end:  # the last response had all bytes but no proper end
            return
        response = self._send(start + len(received), end)
        with closing(response):
            if response.status_code == 206:
                self._collect_range(response, start, end, received)
                return
            if response.status_code == 200:  # If-Range found another file
                self._note(response, _length(response, self.nbytes))
        self._fail(errno.EIO, f"the server answered a range request with {response.status_code}, and with 206 before")

    def _read_whole(self, start: int, end: int, received: bytearray) -> None:
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
        received[:] = whole.data[start:end]

    def _begin_whole(self, response: "httpx.Response") -> "_Whole":
        """Start reading a response with the whole file. Raises `FileError` if it has anything else."""
        is_begun = False
        try:
            if response.status_code != 200:
                self._fail(errno.EIO, f"the server answered {response.status_code}, and 200 before")
            nbytes = _length(response)
            if nbytes is None:
                self._fail(errno.EIO, "the server sends neither ranges nor the size of the file")
            self._note(response, nbytes)
            is_begun = True
        finally:
            if not is_begun:
                response.close()
        self._whole = _Whole(response)
        return self._whole

    def _collect_range(self, response: "httpx.Response", start: int, end: int, received: bytearray) -> None:
        """Append the bytes of a response, up to the end of its stated range and no further than `end`."""
        stop, nbytes = self._content_range(response, start + len(received))
        self._note(response, nbytes)
        end = min(end, nbytes)
        before, most = len(received), min(end, stop) - start
        try:
            for part in response.iter_raw():
                received += part
                if len(received) > most:  # otherwise reads to the end of the response, which keeps the connection
                    break
        finally:
            self._count(len(received) - before)
            del received[most:]
        if start + len(received) < end:
            raise Problem("the response ended early", is_temporary=True)

    def _count(self, nbytes: int) -> None:
        with self._counting:
            self.num_bytes += nbytes

    # Requests

    def _retried(self, start: int, end: int, read: Callable[[int, int, bytearray], None]) -> memoryview:
        received = bytearray()
        attempt = 0
        while True:
            problem = _problem(lambda: read(start, end, received))
            if problem is None:
                return memoryview(received).toreadonly()
            if not problem.is_temporary:
                self._fail(errno.EIO, problem.message)
            if problem.wait > LONGEST_WAIT:
                self._fail(errno.EIO, f"{problem.message}, and asks to wait {problem.wait:,.0f} seconds")
            if attempt == self._options["retries"]:
                self._fail(errno.EIO, problem.message + (f" (tried {attempt + 1} times)" if attempt else ""))
            if attempt:  # the server that a redirect named may be down
                self._location = None
            time.sleep(max(problem.wait, BACK_OFF * 2**attempt * random.uniform(0.5, 1)))
            attempt += 1

    def _send(self, start: int, end: int | None) -> "httpx.Response":
        """Request a range and return the response, whose status is 200, 206 or 416."""
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
        if is_known and status in _EXPIRED:
            self._location = None
            return self._send(start, end)
        if status in _TEMPORARY:
            raise Problem(answer_of(response), is_temporary=True, wait=retry_after(response))
        if status == 416 and self._version is not None:
            self._replaced()
        is_own = _origin(url) == self._origin
        raise refusal(response, self.name, self._headers if is_own else {}, is_hub=is_own and self._hub is not None)

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
        return send(url, headers, self._options["timeout"])

    def _taken_apart(self, url: str) -> tuple[str, tuple[str, str, int], str | None]:
        """Return the URL without user and password, its origin, and the Authorization header for them."""
        origin = _origin(url)
        if origin is None:
            self._fail(errno.EINVAL, "the URL is not valid")
        parts = urlsplit(url)
        user, separator, host = parts.netloc.rpartition("@")
        if not separator:
            return url, origin, None
        basic = base64.b64encode(unquote(user if ":" in user else f"{user}:").encode()).decode()
        return parts._replace(netloc=host).geturl(), origin, f"Basic {basic}"

    # Responses

    def _pin(self, response: "httpx.Response", url: str) -> None:
        """From the hub's first response on, request the commit that it named."""
        commit = response.headers.get("X-Repo-Commit", "")
        if self._hub and not self._commit and _COMMIT.fullmatch(commit) and _origin(url) == self._origin:
            self._commit = commit
            self._hub = self._hub._replace(revision=commit)
            self._url = self._taken_apart(self._hub.address)[0]
            self.address = self._hub.url

    def _note(self, response: "httpx.Response", nbytes: int) -> None:
        """Remember the file's version from the first response; compare later responses with it."""
        etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        version = _Version(nbytes, etag, None if _is_strong(etag) else modified)
        if self._version is None:
            self._version = version
        elif version != self._version:
            self._replaced()

    def _content_range(self, response: "httpx.Response", start: int) -> tuple[int, int]:
        """Return where the range of a response ends, and the file's size. The range has to begin at `start`."""
        header = response.headers.get("Content-Range", "")
        match = _CONTENT_RANGE.fullmatch(header)
        if match is None or int(match[1]) != start or not start <= int(match[2]) < int(match[3]):
            self._fail(errno.EIO, f"the server answered a range from byte {start} with Content-Range {header!r}")
        return int(match[2]) + 1, int(match[3])

    def _replaced(self) -> NoReturn:
        self._fail(errno.ESTALE, "the file was replaced while it was being read")

    def _fail(self, code: int, message: str) -> NoReturn:
        raise FileError(code, message, self.name)


class _Whole:
    """The response of a server that sends the whole file, read only as far as needed."""

    def __init__(self, response: "httpx.Response") -> None:
        self._response = response
        self._parts = response.iter_raw()
        self.data = bytearray()
        self.is_broken = self.is_closed = False

    def fill(self, end: int) -> None:
        """Read until `data` has `end` bytes."""
        try:
            while len(self.data) < end:
                part = next(self._parts, None)
                if part is None:
                    raise Problem("the response ended early", is_temporary=True)
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
    """Return why a function failed, or None. Raising here would make the client's own error its context."""
    try:
        function()
    except Problem as error:
        return error
    except GGUFError:
        raise
    except errors() as error:
        return problem_of(error)
    return None


def _is_strong(etag: str | None) -> TypeGuard[str]:
    """Return whether an ETag changes with every byte of the file."""
    return bool(etag) and str(etag).isascii() and not str(etag).startswith("W/")


def _length(response: "httpx.Response", otherwise: int | None = None) -> Any:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else otherwise


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; None if the URL has no host or an invalid port."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
