"""The HTTP client of this process: one request with a deadline, and errors and logs without secrets.

The client's errors refer to the request, whose headers and URL may hold credentials. No exception raised here may have
one of them as its context: `problem_of` describes the failure in other words, and the caller raises outside `except`.
"""

import atexit
import logging
import os
import threading
import time
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import CookieJar, DefaultCookiePolicy
from typing import Any

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.sources.urls import without_secrets
from kaitai_gguf.version import __version__

try:
    import httpx
except ImportError:
    raise MissingPackageError(
        "models on web servers need the package httpx: pip install 'kaitai-gguf[remote]'"
    ) from None

Response = httpx.Response
CONNECTIONS = 64  # at most, for all files

ERRORS = (httpx.HTTPError, httpx.InvalidURL, httpx.StreamError, ValueError, OSError)
"""The exceptions that the client raises."""


class Problem(Exception):
    """Why a request failed, whether to retry it, and after how many seconds."""

    def __init__(self, message: str, is_temporary: bool, wait: float = 0.0) -> None:
        super().__init__(message)
        self.message, self.is_temporary, self.wait = message, is_temporary, wait


def problem_of(error: Exception) -> Problem:
    """Describe one of `ERRORS` without quoting the request."""
    match error:
        case httpx.TimeoutException():
            return Problem("the server did not answer in time", True)
        case httpx.ProxyError():
            return Problem("the proxy refused the connection", False)
        case httpx.UnsupportedProtocol() | httpx.InvalidURL():
            return Problem("the URL is not valid, or the server redirects to one that is not", False)
        case httpx.LocalProtocolError() | ValueError():
            return Problem("the request is not valid: check the URL, the headers and the token", False)
        case httpx.ConnectError() if "CERTIFICATE_VERIFY_FAILED" in str(error):
            return Problem("the server's certificate is not valid", False)
        case httpx.ConnectError():
            return Problem("could not connect to the server", True)
        case httpx.RemoteProtocolError() | httpx.NetworkError():
            return Problem("the connection was lost", True)
    return Problem(f"the request failed ({type(error).__name__})", False)


def retry_after(response: httpx.Response) -> float:
    """Return the seconds to wait that the Retry-After header asks for; 0 without a valid one."""
    header = response.headers.get("Retry-After", "")
    if header.isdecimal():
        return float(header)
    try:
        return max((parsedate_to_datetime(header) - datetime.now(UTC)).total_seconds(), 0.0)
    except (TypeError, ValueError):
        return 0.0


class _Owner:
    """Owns the client, which all files share.

    The first request creates it, and the end of the process closes it. A forked child forgets it: processes that share
    a connection would receive parts of each other's responses.
    """

    def __init__(self) -> None:
        self.forget()
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_child=self.forget)
        atexit.register(self.close)

    def forget(self) -> None:
        self._lock = threading.Lock()
        self._client: httpx.Client | None = None

    def client(self) -> httpx.Client:
        with self._lock:
            if self._client is None:
                self._client = _new_client()
            return self._client

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()


_owner = _Owner()
_own = threading.local()  # whether this thread is sending a request of this library


def send(url: str, headers: Mapping[str, str], timeout: float) -> httpx.Response:
    """Send a GET request and return the response, whose body is not read yet. Raises one of `ERRORS`.

    `timeout` is in seconds: to connect, until all headers of the response are there, and until the next part of the
    body is.
    """
    client = _owner.client()
    request = client.build_request("GET", url, headers=dict(headers), timeout=timeout)
    _own.is_active = True
    try:
        response = client.send(request, stream=True, auth=_no_credentials)
    finally:
        _own.is_active = False
    response.extensions["network_stream"].deadline = None  # the body may take longer
    return response


def _no_credentials(request: httpx.Request) -> httpx.Request:
    """Keep the client from using the user and password of a URL that a server redirects to."""
    return request


def _new_client() -> httpx.Client:
    """Create a client that keeps connections alive, uses the environment's proxies and certificates, but no cookies."""
    logging.getLogger("httpx").addFilter(_redact)
    logging.getLogger("httpcore.http11").addFilter(_is_of_others)  # logs headers
    client = httpx.Client(
        headers={"User-Agent": f"kaitai-gguf/{__version__}"},
        limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        cookies=CookieJar(DefaultCookiePolicy(allowed_domains=[])),
    )
    # Private, since httpx passes no backend on to httpcore, and a transport of our own would do without its proxies.
    for transport in (client._transport, *client._mounts.values()):  # the others are for proxies
        if isinstance(transport, httpx.HTTPTransport):
            pool: Any = transport._pool
            pool._network_backend = _Network(pool._network_backend)
    return client


class _Network:
    """The network, as httpcore uses it, with connections that have a deadline."""

    def __init__(self, network: Any) -> None:
        self._network = network

    def connect_tcp(self, *args: Any, **options: Any) -> "_Connection":
        return _Connection(self._network.connect_tcp(*args, **options))


class _Connection:
    """A connection whose response has to begin within the timeout of its request.

    httpx limits the time between any two parts of a response. A server that sends its headers one by one, or
    informational responses without end, would never reach that limit.
    """

    deadline: float | None = None

    def __init__(self, connection: Any) -> None:
        self._connection = connection
        self.close, self.get_extra_info = connection.close, connection.get_extra_info

    def write(self, data: bytes, timeout: float) -> None:
        self.deadline = time.monotonic() + timeout
        self._connection.write(data, timeout)

    def read(self, nbytes: int, timeout: float) -> bytes:
        if self.deadline is not None:
            timeout = self.deadline - time.monotonic()
            if timeout <= 0:
                raise httpx.ReadTimeout("")
        data: bytes = self._connection.read(nbytes, timeout)
        return data

    def start_tls(self, *args: Any, **options: Any) -> "_Connection":
        return _Connection(self._connection.start_tls(*args, **options))


def _redact(record: logging.LogRecord) -> bool:
    """Remove credentials from the URLs that httpx logs."""
    if not _is_of_others(record) and isinstance(record.args, tuple):
        record.args = tuple(without_secrets(str(arg)) if "://" in str(arg) else arg for arg in record.args)
    return True


def _is_of_others(_: logging.LogRecord) -> bool:
    return not getattr(_own, "is_active", False)
