"""A web server for a browser on the same machine. It serves the viewer's page and ranges of one file.

Pages of other sites must not read the file. So the server listens on 127.0.0.1 only, every URL contains a random token,
and requests are refused unless their Host is 127.0.0.1 or localhost: another site could let its own name resolve to
127.0.0.1 to give its pages the same origin (DNS rebinding).
"""

import hmac
import html
import re
import secrets
import sys
import threading
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from importlib.resources import files
from typing import Any, NamedTuple, Self

from kaitai_gguf import GGUFError
from kaitai_gguf.cli import error_message
from kaitai_gguf.cli.output import warn
from kaitai_gguf.cli.served_file import Content, ServedFile

HOST = "127.0.0.1"
CHUNK = 4 << 20  # bytes to read and send at a time
TIMEOUT = 30.0  # seconds that a browser may take to send a request, or to receive a chunk

_OFFLINE, _SERVED = "connect-src 'none'", "connect-src 'self'"
_POLICY = re.compile(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">')
_NAME = '<meta name="served-file" content="{}">'
_RANGE = re.compile(r"bytes=([0-9]{0,19})-([0-9]{0,19})", re.ASCII)

_HEADERS = {
    "Cache-Control": "no-store",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
}


class Page(NamedTuple):
    content: bytes
    policy: str


def served_page(name: str) -> Page:
    """Return the viewer's page for a file of this name, and its Content-Security-Policy for the header.

    Opened from a local file, the page may not connect to anything. Served, it may connect to its own server.
    """
    page = (files("kaitai_gguf.cli") / "viewer.html").read_text("utf-8")
    match = _POLICY.search(page)
    if match is None or page.count(_NAME.format("")) != 1 or match[1].count(_OFFLINE) != 1:
        raise RuntimeError("viewer.html is not the page that `make viewer` builds")
    policy = match[1].replace(_OFFLINE, _SERVED)
    page = page[: match.start(1)] + policy + page[match.end(1) :]
    page = page.replace(_NAME.format(""), _NAME.format(html.escape(name)))
    return Page(page.encode(), f"{policy}; frame-ancestors 'none'")


class ViewerServer(ThreadingHTTPServer):
    """A server for the page at `url`, running in background threads inside a `with` block.

    Raises OSError if the port is in use.
    """

    daemon_threads = True
    block_on_close = False

    def __init__(self, file: ServedFile, port: int = 0) -> None:
        self.file = file
        self.token = secrets.token_urlsafe(24)
        self.page = served_page(file.name)
        super().__init__((HOST, port), _Handler)
        self.hosts = {f"{name}:{self.server_port}" for name in (HOST, "localhost")}
        if self.server_port == 80:
            self.hosts |= {HOST, "localhost"}
        self.url = f"http://{HOST}:{self.server_port}/{self.token}/"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, args=(0.1,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.shutdown()
        self.server_close()

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore closed connections; other errors are bugs of this program, and are printed."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: ViewerServer
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT

    def version_string(self) -> str:
        return "kaitai-gguf"

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log requests."""

    def parse_request(self) -> bool:
        """Parse the request. Refuse it if its Host is not this server, or its method is not GET or HEAD."""
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self.server.hosts:
            self._refuse(HTTPStatus.FORBIDDEN, "the Host of a request must be the address that was printed")
        elif self.command not in ("GET", "HEAD"):
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are allowed", {"Allow": "GET, HEAD"})
        else:
            return True
        return False

    def do_GET(self) -> None:
        _, token, name, *more = (*self.path.split("/"), "", "")
        is_own = hmac.compare_digest(token.encode("utf-8", "surrogateescape"), self.server.token.encode())
        if not is_own or any(more):
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
        elif name == "" and self.path.endswith("/"):
            self._send_page()
        elif name == "file":
            self._send_file()
        else:
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")

    do_HEAD = do_GET  # noqa: N815

    def _send_page(self) -> None:
        page = self.server.page
        headers = {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": page.policy}
        self._start(HTTPStatus.OK, len(page.content), headers)
        self._write(page.content)

    def _send_file(self) -> None:
        try:
            with self.server.file.content() as content:
                self._send_content(content)
        except GGUFError as error:
            message = error_message(error, None)
            warn(message)
            if self.is_started:
                self.close_connection = True  # short of Content-Length, so the browser notices the failure
            else:
                self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, message)

    def _send_content(self, content: Content) -> None:
        tags = self.headers.get("If-Match", "*").split(",")
        if content.etag not in map(str.strip, tags) and tags != ["*"]:
            self._refuse(HTTPStatus.PRECONDITION_FAILED, "the file was replaced")
            return
        headers = {"Accept-Ranges": "bytes", "ETag": content.etag, "Content-Type": "application/octet-stream"}
        start, end, status = 0, content.nbytes, HTTPStatus.OK
        span = self._span(content)
        if span is not None:
            start, end = span
            if start >= end:
                message = f"the file has {content.nbytes:,} bytes"
                headers = {"Content-Range": f"bytes */{content.nbytes}", "ETag": content.etag}
                self._refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, message, headers)
                return
            status = HTTPStatus.PARTIAL_CONTENT
            headers["Content-Range"] = f"bytes {start}-{end - 1}/{content.nbytes}"
        if self.command == "HEAD":
            self._start(status, end - start, headers)
            return
        for position in range(start, end, CHUNK):
            chunk = content.read(position, min(position + CHUNK, end))
            if not self.is_started:
                self._start(status, end - start, headers)
            self._write(chunk)
        if start == end:
            self._start(status, 0, headers)

    def _span(self, content: Content) -> tuple[int, int] | None:
        """Return the requested range, which may be empty; None for the whole file.

        Multiple ranges and invalid ones are ignored, as RFC 9110 permits.
        """
        match = _RANGE.fullmatch(self.headers.get("Range", "").strip())
        if match is None or self.headers.get("If-Range", content.etag) != content.etag:
            return None
        first, last = match.groups()
        if not first:
            return (max(content.nbytes - int(last), 0), content.nbytes) if last else None
        if last and int(last) < int(first):
            return None
        return int(first), min(int(last) + 1 if last else content.nbytes, content.nbytes)

    # Responses

    is_started = False

    def handle_one_request(self) -> None:
        self.is_started = False
        super().handle_one_request()

    def _refuse(self, status: HTTPStatus, message: str, headers: dict[str, str] | None = None) -> None:
        body = f"{message}\n".encode()
        self.close_connection = True  # the request may have a body, which is not read
        self._start(
            status, len(body), {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"} | (headers or {})
        )
        self._write(body)

    def _start(self, status: HTTPStatus, nbytes: int, headers: dict[str, str]) -> None:
        self.is_started = True
        self.send_response(status)
        for name, value in (_HEADERS | {"Content-Length": str(nbytes)} | headers).items():
            self.send_header(name, value)
        self.end_headers()

    def _write(self, data: bytes | memoryview) -> None:
        if self.command != "HEAD":
            self.wfile.write(data)
