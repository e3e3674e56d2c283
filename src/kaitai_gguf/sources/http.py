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
from collections.abc import Iterator, Mapping
from contextlib import closing, nullcontext
from typing import Any, NamedTuple, NoReturn, TypeGuard
from urllib.parse import unquote, urljoin, urlsplit

from kaitai_gguf.errors import FileAccessError, FileError, FileMissingError
from kaitai_gguf.sources.client import ERRORS, Problem, Response, problem_of, retry_after, send
from kaitai_gguf.sources.ranges import Ranges
from kaitai_gguf.sources.urls import SHORTEST_SECRET, HubFile, hub_token, scheme_of, without_secrets

OPTIONS = ("headers", "token", "timeout", "retries", "max_header_nbytes")

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

_HUB_ERRORS = {
    "EntryNotFound": "no such file",
    "GatedRepo": "the model is gated: accept its terms on the hub",
    "RepoNotFound": "no such repository, or it is private",
    "RevisionNotFound": "no such revision",
}
"""What the codes in the hub's header X-Error-Code mean."""

_NOT_ACCEPTED = {
    "Basic": "the user and the password were not accepted",
    "Bearer": "the token that was sent was not accepted",
}
_LONGEST = 200  # characters of the hub's own words


def check_options(options: Mapping[str, Any]) -> None:
    """Refuse storage options that `HTTPRanges` does not take. Messages never quote a header or a token."""
    unknown = [name for name in options if name not in OPTIONS]
    if unknown:
        names = f"http, https, hf URLs take {', '.join(OPTIONS)}"
        raise ValueError(f"unknown storage option {unknown[0]!r}: {names}")
    headers, token = options.get("headers"), options.get("token")
    if headers is not None and not isinstance(headers, Mapping):
        raise TypeError(f"expected headers as a mapping of str to str, not {type(headers).__name__}")
    if not all(isinstance(text, str) for item in (headers or {}).items() for text in item):
        raise TypeError("expected headers as a mapping of str to str, but one name or value has another type")
    if token is not None and not isinstance(token, str):
        raise TypeError(f"expected the token as a str, not {type(token).__name__}")
    timeout, retries = options.get("timeout", TIMEOUT), options.get("retries", RETRIES)
    if not isinstance(timeout, int | float) or not timeout > 0:
        raise ValueError(f"expected a timeout of more than 0 seconds, not {timeout!r}")
    if not isinstance(retries, int) or retries < 0:
        raise ValueError(f"expected retries as an integer of at least 0, not {retries!r}")


class _Version(NamedTuple):
    """What identifies the version of a file on a server."""

    nbytes: int
    etag: str | None
    modified: str | None  # None with a strong ETag, which is more precise


class HTTPRanges(Ranges):
    """A file on a web server."""

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
        """Read at most `first` bytes from the start of the file into `start`.

        headers  sent to the server of the URL, but not to other servers that it redirects to.
        token    sent to the same server as `Authorization: Bearer`; for hf URLs the default is the token from the
                 environment or from a login.
        timeout  in seconds: to connect, for all headers of a response, and between any two parts of its body.
        retries  how often a request is made again after a temporary failure.

        Raises `FileError`, also for an hf URL without owner, repository or path.
        """
        super().__init__(without_secrets(url))
        self.address = url
        if not headers and not token and url == self.name:
            given = {"timeout": (timeout, TIMEOUT), "retries": (retries, RETRIES)}
            self.options = tuple((name, value) for name, (value, default) in given.items() if value != default)
        self._hub = HubFile.parse(url) if scheme_of(url) == "hf" else None
        self._url, self._origin, user = self._taken_apart(self._hub.address if self._hub else url)
        token = (token or "").strip() or (hub_token() if self._hub else None)  # a token from a file ends with a newline
        authorization = f"Bearer {token}" if token else user
        self._headers = {name.lower(): value for name, value in (headers or {}).items()}
        self._headers |= {"authorization": authorization} if authorization else {}
        self._timeout, self._retries = timeout, retries
        self._location: str | None = None  # where the URL redirects to
        self._version: _Version | None = None  # from the first response
        self._whole: Response | None = None  # the last response, if the server sends no ranges
        self._parts: Iterator[bytes] | None = None  # of `_whole`; None if it broke
        self._data = bytearray()  # of `_whole`
        self._is_closed = False
        self._turn = threading.Lock()  # protects the four
        self.start = bytes(self._read(0, first))

    def close(self) -> None:
        """End the response of a server that sends the whole file; no more of it can be read."""
        if self._whole is not None:
            with self._turn:
                self._whole.close()
                self._data, self._is_closed = bytearray(), True

    def _read(self, start: int, end: int) -> memoryview:
        with nullcontext() if self._whole is None else self._turn:
            return self._retried(start, end)

    def _retried(self, start: int, end: int) -> memoryview:
        received = bytearray()
        attempt = 0
        while True:
            try:
                self._receive(start, end, received)
                return memoryview(received).toreadonly()
            except Problem as error:
                problem = error
            except FileError:
                raise
            except ERRORS as error:
                problem = problem_of(error)
            # Not inside of `except`, which would make the client's error the context of these.
            if not problem.is_temporary:
                self._fail(errno.EIO, problem.message)
            if problem.wait > LONGEST_WAIT:
                self._fail(errno.EIO, f"{problem.message}, and asks to wait {problem.wait:,.0f} seconds")
            if attempt == self._retries:
                self._fail(errno.EIO, problem.message + (f" (tried {attempt + 1} times)" if attempt else ""))
            if attempt:  # the server that a redirect named may be down
                self._location = None
            time.sleep(max(problem.wait, BACK_OFF * 2**attempt * random.uniform(0.5, 1)))
            attempt += 1

    def _receive(self, start: int, end: int, received: bytearray) -> None:
        """Append what is missing of a range. `received` may have some of it from a response that ended early."""
        if self._whole is not None:
            self._receive_whole(start, end, received)
            return
        is_first = self._version is None
        if not is_first:
            end = min(end, self.nbytes)
            if start + len(received) == end:  # the last response had all bytes but no proper end
                return
        response = self._send(start + len(received), end)
        if response.status_code == 200 and is_first:
            self._whole = response
            self._receive_whole(start, end, received, response)
            return
        with closing(response):
            if response.status_code == 206:
                self._receive_range(response, start, end, received)
                return
            if not is_first:  # If-Range found another file
                self._note(response, _length(response, self.nbytes))
                self._fail(errno.EIO, "the server answered a range request with 200, and with 206 before")
            self._note(response, 0)  # 416: the file is empty

    def _receive_range(self, response: Response, start: int, end: int, received: bytearray) -> None:
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
            self._count(0, len(received) - before)
            del received[most:]
        if start + len(received) < end:
            raise Problem("the response ended early", is_temporary=True)

    def _receive_whole(self, start: int, end: int, received: bytearray, response: Response | None = None) -> None:
        """Read a response with the whole file as far as needed. If it breaks, the next attempt begins a new one."""
        if self._is_closed:
            self._fail(errno.EOPNOTSUPP, "the server does not send ranges: download the file to read its tensors")
        try:
            if self._parts is None:
                self._whole = response = response or self._send(0, None)
                self._parts, self._data = response.iter_raw(), bytearray()
                nbytes = _length(response)
                if response.status_code != 200:
                    self._fail(errno.EIO, f"the server answered {response.status_code}, and 200 before")
                if nbytes is None:
                    self._fail(errno.EIO, "the server sends neither ranges nor the size of the file")
                self._note(response, nbytes)
            while len(self._data) < min(end, self.nbytes):
                part = next(self._parts, None)
                if part is None:
                    raise Problem("the response ended early", is_temporary=True)
                self._count(0, len(part))
                self._data += part
        except BaseException:
            self._parts = None
            if self._whole is not None:
                self._whole.close()
            raise
        received[:] = self._data[start:end]

    # Requests

    def _send(self, start: int, end: int | None) -> Response:
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
            raise Problem(_answer_of(response), is_temporary=True, wait=retry_after(response))
        if status == 416 and self._version is not None:
            self._replaced()
        self._refuse(response, is_own=_origin(url) == self._origin)

    def _request(self, url: str, start: int, end: int | None) -> Response:
        headers = self._headers if _origin(url) == self._origin else {}
        headers = headers | {"accept-encoding": "identity"}
        headers.pop("if-range", None)
        if end is not None:
            headers["range"] = f"bytes={start}-{end - 1}"
            if self._version is not None and _is_strong(self._version.etag):
                headers["if-range"] = self._version.etag
        self._count(1, 0)
        return send(url, headers, self._timeout)

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

    def _pin(self, response: Response, url: str) -> None:
        """From the hub's first response on, request the commit that it named."""
        commit = response.headers.get("X-Repo-Commit", "")
        is_own = _origin(url) == self._origin
        if self._hub and self._version is None and _COMMIT.fullmatch(commit) and is_own:
            self._hub = self._hub._replace(revision=commit)
            self._url = self._taken_apart(self._hub.address)[0]
            self.version, self.address = commit, self._hub.url

    def _note(self, response: Response, nbytes: int) -> None:
        """Remember the file's version from the first response; compare later responses with it."""
        etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        version = _Version(nbytes, etag, None if _is_strong(etag) else modified)
        if self._version is None:
            self._version, self.nbytes = version, nbytes
            self.version = self.version or etag or version.modified or None
        elif version != self._version:
            self._replaced()

    def _content_range(self, response: Response, start: int) -> tuple[int, int]:
        """Return where the range of a response ends, and the file's size. The range has to begin at `start`."""
        header = response.headers.get("Content-Range", "")
        match = _CONTENT_RANGE.fullmatch(header)
        if match is None or int(match[1]) != start or not start <= int(match[2]) < int(match[3]):
            self._fail(errno.EIO, f"the server answered a range from byte {start} with Content-Range {header!r}")
        return int(match[2]) + 1, int(match[3])

    def _refuse(self, response: Response, *, is_own: bool) -> NoReturn:
        """Raise the error for a status. `is_own` is whether the server of the URL answered, which got the headers."""
        headers, is_hub = self._headers if is_own else {}, is_own and self._hub is not None
        answer, problem = _answer_of(response), None
        if is_hub:
            problem = _HUB_ERRORS.get(response.headers.get("X-Error-Code", ""))
            words = response.headers.get("X-Error-Message", "")
            for secret in " ".join(headers.values()).split():
                words = words.replace(secret, "…") if len(secret) >= SHORTEST_SECRET else words
            answer += f": {words[:_LONGEST]}" if words else ""
        if response.status_code in (404, 410):
            raise FileMissingError(errno.ENOENT, f"{problem or 'no such file'} ({answer})", self.name)
        if response.status_code not in (401, 403):
            self._fail(errno.EIO, answer)
        scheme = headers.get("authorization", "").partition(" ")[0]
        if is_hub:
            hint = "the token that was sent has no access" if scheme else "set HF_TOKEN, or log in with `hf auth login`"
            problem = f"{problem or 'the model may be private or gated, or missing'}; {hint}"
        elif scheme:
            problem = _NOT_ACCEPTED.get(scheme, "the credentials that were sent were not accepted")
        else:
            problem = ("the URL has expired, or " if response.url.query else "") + "a token or a password is needed"
        raise FileAccessError(errno.EACCES, f"{problem} ({answer})", self.name)

    def _replaced(self) -> NoReturn:
        self._fail(errno.ESTALE, "the file was replaced while it was being read")

    def _fail(self, code: int, message: str) -> NoReturn:
        raise FileError(code, message, self.name)


def _is_strong(etag: str | None) -> TypeGuard[str]:
    """Return whether an ETag changes with every byte of the file."""
    return bool(etag) and str(etag).isascii() and not str(etag).startswith("W/")


def _length(response: Response, otherwise: int | None = None) -> Any:
    length = response.headers.get("Content-Length", "")
    return int(length) if length.isdecimal() else otherwise


def _answer_of(response: Response) -> str:
    """Return the status of a response in words."""
    return f"the server answered {response.status_code} {response.reason_phrase}".rstrip()


def _origin(url: str) -> tuple[str, str, int] | None:
    """Return scheme, host and port; None if the URL has no host or an invalid port."""
    try:
        parts = urlsplit(url)
        port = parts.port or _PORTS.get(parts.scheme, 0)
    except ValueError:
        return None
    return (parts.scheme, parts.hostname, port) if parts.hostname else None
