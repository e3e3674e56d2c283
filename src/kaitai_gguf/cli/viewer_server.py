"""A web server for a browser on this machine: the page of the viewer, and ranges of one file.

Pages of other sites must not read the file. So the server listens on 127.0.0.1 alone, every address contains a random
token, and a request is refused unless its Host is 127.0.0.1 or localhost: a site can let its own name resolve to
127.0.0.1, and its pages would then have the same origin (DNS rebinding).
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
CHUNK = 4 << 20  # bytes that are read, and sent, at a time
TIMEOUT = 30.0  # seconds that a browser may take to send a request, or to take a chunk

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
    """Return the viewer's page for a file of some name, and the Content-Security-Policy of both meta tag and header.

    The page that is opened from a file may not connect to anything; this one may connect to its own server.
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
    """Serves the page at `url` in background threads, inside a `with` block. Raises OSError if the port is in use."""

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
        """Print nothing about a browser that went away; any other error is one of this program."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    server: ViewerServer
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT

    def version_string(self) -> str:
        return "kaitai-gguf"

    def log_message(self, format: str, *args: Any) -> None:
        """Print nothing about requests."""

    def parse_request(self) -> bool:
        """Parse the request, and refuse it unless it comes from a page of this server, or from the user."""
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        if len(hosts) != 1 or hosts[0].lower() not in self.server.hosts:
            self._refuse(HTTPStatus.FORBIDDEN, "the Host of a request must be the address that was printed")
        elif self.command not in ("GET", "HEAD"):
            self._refuse(HTTPStatus.METHOD_NOT_ALLOWED, "only GET and HEAD are answered", {"Allow": "GET, HEAD"})
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
            words = error_message(error, None)
            warn(words)
            if self.is_started:
                self.close_connection = True  # before the length that was promised: the browser knows that it failed
            else:
                self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, words)

    def _send_content(self, content: Content) -> None:
        tags = self.headers.get("If-Match", "*").split(",")
        if content.etag not in map(str.strip, tags) and tags != ["*"]:
            self._refuse(HTTPStatus.PRECONDITION_FAILED, "the file was replaced by another one")
            return
        headers = {"Accept-Ranges": "bytes", "ETag": content.etag, "Content-Type": "application/octet-stream"}
        start, end, status = 0, content.nbytes, HTTPStatus.OK
        span = self._span(content)
        if span is not None:
            start, end = span
            if start >= end:
                words = f"the file has {content.nbytes:,} bytes"
                headers = {"Content-Range": f"bytes */{content.nbytes}", "ETag": content.etag}
                self._refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, words, headers)
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
        """Return the range that is asked for, which may be empty; None for all of the file.

        Several ranges, and what is not a range of bytes, are ignored: RFC 9110 leaves that to the server.
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

    # Answers

    is_started = False

    def handle_one_request(self) -> None:
        self.is_started = False
        super().handle_one_request()

    def _refuse(self, status: HTTPStatus, words: str, headers: dict[str, str] | None = None) -> None:
        body = f"{words}\n".encode()
        self.close_connection = True  # a body that the request may have is not read
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
