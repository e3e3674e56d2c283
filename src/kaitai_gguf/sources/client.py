"""The HTTP client: one for the process, and what its errors mean.

Its errors know the request, and so its headers and its URL, which may hold credentials. Nothing that is raised may have
one of them as its context: `problem_of` says in other words what happened, and the caller raises outside of `except`.
"""

import logging
import os
import threading
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import TYPE_CHECKING, NamedTuple

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.sources.urls import without_secrets
from kaitai_gguf.version import __version__

if TYPE_CHECKING:
    import httpx

__all__ = ["Problem", "errors", "problem_of", "retry_after", "send"]

CONNECTIONS = 64  # at most, for all files


class Problem(NamedTuple):
    """Why a request failed, and whether it may be made again, after how many seconds."""

    words: str
    is_temporary: bool
    wait: float = 0.0


def send(url: str, headers: Mapping[str, str], timeout: float) -> "httpx.Response":
    """Return the answer to a GET request, whose body is still to be read. Raises one of `errors()`."""
    client = _shared.client()
    request = client.build_request("GET", url, headers=dict(headers), timeout=timeout)
    _own.is_active = True
    try:
        return client.send(request, stream=True, auth=_no_credentials)
    finally:
        _own.is_active = False


def errors() -> tuple[type[Exception], ...]:
    """What the client raises."""
    _shared.client()
    import httpx

    return httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError, OSError


def problem_of(error: Exception) -> Problem:
    """Return what one of `errors()` means, without anything of the request in it."""
    import httpx

    match error:
        case httpx.TimeoutException():
            return Problem("the server did not answer in time", True)
        case httpx.ProxyError():
            return Problem("the proxy refuses the connection", False)
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return Problem("the URL is not valid, or the server redirects to one that is not", False)
        case httpx.LocalProtocolError() | ValueError():
            return Problem("the request is not valid: check the URL, the headers and the token", False)
        case httpx.ConnectError() if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return Problem("the certificate of the server is not valid", False)
        case httpx.ConnectError():
            return Problem("there is no connection to the server", True)
        case httpx.RemoteProtocolError() | httpx.NetworkError():
            return Problem("the connection broke", True)
    return Problem(f"the request failed ({type(error).__name__})", False)


def retry_after(response: "httpx.Response") -> float:
    """Return how many seconds a server asks to be left alone."""
    header = response.headers.get("Retry-After", "")
    if header.isdecimal():
        return float(header)
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return 0.0


_own = threading.local()  # whether this thread is sending a request of ours


class _Shared:
    """The client of this process, made when it is first wanted."""

    def __init__(self) -> None:
        self.forget()

    def forget(self) -> None:
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def client(self) -> "httpx.Client":
        with self._lock:
            if self._client is None:
                self._client = _new_client()
            return self._client


def _new_client() -> "httpx.Client":
    """It keeps connections, and takes proxies and certificates from the environment. It takes no cookies."""
    try:
        import httpx
    except ImportError:
        httpx = None  # type: ignore[assignment]
    if httpx is None:
        raise MissingPackageError("models on web servers need the package httpx: pip install 'kaitai-gguf[remote]'")
    logging.getLogger("httpx").addFilter(_redact)
    return httpx.Client(
        headers={"User-Agent": f"kaitai-gguf/{__version__}"},
        limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )


def _redact(record: logging.LogRecord) -> bool:
    """Take credentials out of the URLs that httpx logs."""
    if getattr(_own, "is_active", False) and isinstance(record.args, tuple):
        record.args = tuple(without_secrets(str(arg)) if "://" in str(arg) else arg for arg in record.args)
    return True


def _no_credentials(request: "httpx.Request") -> "httpx.Request":
    """Keeps the client from using the user and password of a URL that a server redirects to."""
    return request


_shared = _Shared()
if hasattr(os, "register_at_fork"):
    # Two processes that read from one connection would get parts of each other's answers.
    os.register_at_fork(after_in_child=_shared.forget)
