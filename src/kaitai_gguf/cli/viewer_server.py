"""A web server for a browser on the same machine. It serves the viewer's page and ranges of one file.

Pages of other sites must not read the file. So the server listens on 127.0.0.1 only, and requests are refused unless
their Host is 127.0.0.1 or localhost: another site could let its own name resolve to 127.0.0.1 to give its pages the
same origin (DNS rebinding).

Other users of the machine must not read it either, and they see the command line of the browser, with the address. So
the address works once: it is exchanged for a cookie. The page has another random path, for which alone the cookie is
sent: cookies do not depend on the port, and another user's server may be at another one. A user who is faster than the
browser is refused where the system tells which user has connected; elsewhere the browser then finds the address used,
and nothing more is served.
"""

import hmac
import html
import os
import re
import secrets
import socket
import sys
import threading
from contextlib import suppress
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
_RANGE = re.compile(r"bytes=([0-9]{1,19})-([0-9]{0,19})", re.ASCII)

USED = (
    "This address has been opened before, and works only once. If that was not you, another user of this machine has "
    "read it. Start the command again."
)
_OPENING = '<!doctype html><meta http-equiv="refresh" content="0; url=/{0}/"><a href="/{0}/">Show the model</a>'
_OPENING_POLICY = "default-src 'none'; frame-ancestors 'none'"

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
    page = (files("kaitai_gguf.cli") / "viewer.html").read_text("utf-8").replace(_OFFLINE, _SERVED)
    policy = _POLICY.findall(page)[0]
    page = page.replace(_NAME.format(""), _NAME.format(html.escape(name)))
    return Page(page.encode(), f"{policy}; frame-ancestors 'none'")


class ViewerServer(ThreadingHTTPServer):
    """A server for the page, running in background threads inside a `with` block. `url` can be opened once.

    Raises OSError if the port is in use.
    """

    daemon_threads = True
    block_on_close = False
    request_queue_size = 128  # connections that wait to be accepted

    def __init__(self, file: ServedFile, port: int = 0) -> None:
        self.file = file
        self.token, self.folder, session = (secrets.token_urlsafe(24) for _ in range(3))
        self.cookie = f"viewer={session}"
        self.is_opened = threading.Lock()  # held from when the address has been opened
        self.is_over = threading.Event()  # set when another user may have opened it
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


def user_of(client: tuple[Any, ...], server: tuple[Any, ...]) -> int | None:
    """Return the id of the user who has connected from one IPv4 address to another; None if the system does not tell.

    Linux lists all connections, those of IPv6 sockets in a table of their own.
    """
    ends = [
        f"{int.from_bytes(socket.inet_aton(host), sys.byteorder):08X}:{port:04X}" for host, port in (client, server)
    ]
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        with suppress(OSError), open(table, encoding="ascii") as lines:
            for line in lines:
                _, local, remote, *_, user = line.split(maxsplit=8)[:8]
                if [local[-13:], remote[-13:]] == ends:
                    return int(user)
    return None


def _is_same(text: str, secret: str) -> bool:
    return hmac.compare_digest(text.encode("utf-8", "surrogateescape"), secret.encode())


class _Handler(BaseHTTPRequestHandler):
    server: ViewerServer
    protocol_version = "HTTP/1.1"
    timeout = TIMEOUT

    def version_string(self) -> str:
        return "kaitai-gguf"

    def log_message(self, format: str, *args: Any) -> None:
        """Do not log requests."""

    def parse_request(self) -> bool:
        """Parse the request. Refuse it if its Host is not this server. Methods other than GET are not supported."""
        if not super().parse_request():
            return False
        hosts = self.headers.get_all("Host", [])
        if len(hosts) == 1 and hosts[0].lower() in self.server.hosts:
            return True
        self._refuse(HTTPStatus.FORBIDDEN, "the Host of a request must be the address that was printed")
        return False

    def do_GET(self) -> None:
        server = self.server
        cookies = (each.strip() for each in self.headers.get("Cookie", "").split(";"))
        if _is_same(self.path, f"/{server.token}/"):
            self._open()
        elif not any(_is_same(self.path, f"/{server.folder}/{name}") for name in ("", "file")):
            self._refuse(HTTPStatus.NOT_FOUND, "no such page")
        elif server.is_over.is_set() or not any(_is_same(each, server.cookie) for each in cookies):
            self._refuse(HTTPStatus.FORBIDDEN, "only the browser that has opened the printed address may read this")
        elif self.path.endswith("/"):
            self._send_page(server.page)
        else:
            self._send_file()

    def _open(self) -> None:
        """Exchange the printed address for the cookie, once."""
        server = self.server
        user = user_of(self.client_address, server.server_address)
        if "Sec-Purpose" in self.headers:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "this page can't be fetched in advance")
        elif user is not None and user not in (0, os.geteuid()):
            warn(f"user {user} of this machine tried to open the address, and was refused")
            self._refuse(HTTPStatus.FORBIDDEN, "this address is for another user")
        elif server.is_opened.acquire(blocking=False):
            cookie = f"{server.cookie}; Path=/{server.folder}/; HttpOnly; SameSite=Strict"
            page = Page(_OPENING.format(server.folder).encode(), _OPENING_POLICY)
            self._send_page(page, **{"Set-Cookie": cookie})
        else:
            if user is None:
                server.is_over.set()
            self._refuse(HTTPStatus.FORBIDDEN, USED)

    def _send_page(self, page: Page, **headers: str) -> None:
        headers |= {"Content-Type": "text/html; charset=utf-8", "Content-Security-Policy": page.policy}
        self._send(HTTPStatus.OK, page.content, headers)

    def _send_file(self) -> None:
        is_started = False
        try:
            with self.server.file.content() as content:
                span = self._span(content)
                start, end = span or (0, content.nbytes)
                headers = {"ETag": content.etag}
                if span and start >= end:
                    headers["Content-Range"] = f"bytes */{content.nbytes}"
                    message = f"the file has {content.nbytes:,} bytes"
                    self._refuse(HTTPStatus.REQUESTED_RANGE_NOT_SATISFIABLE, message, **headers)
                    return
                headers |= {"Accept-Ranges": "bytes", "Content-Type": "application/octet-stream"}
                if span:
                    headers["Content-Range"] = f"bytes {start}-{end - 1}/{content.nbytes}"
                first = content.read(start, min(start + CHUNK, end))
                self._start(HTTPStatus.PARTIAL_CONTENT if span else HTTPStatus.OK, end - start, headers)
                is_started = True
                self.wfile.write(first)
                for position in range(start + CHUNK, end, CHUNK):
                    self.wfile.write(content.read(position, min(position + CHUNK, end)))
        except GGUFError as error:
            message = error_message(error, None)
            warn(message)
            if is_started:
                self.close_connection = True  # short of Content-Length, so the browser notices the failure
            else:
                self._refuse(HTTPStatus.INTERNAL_SERVER_ERROR, message)

    def _span(self, content: Content) -> tuple[int, int] | None:
        """Return the requested range, which may be empty; None for the whole file.

        Other ranges than one with a start are ignored, as RFC 9110 permits.
        """
        match = _RANGE.fullmatch(self.headers.get("Range", "").strip())
        if match is None or self.headers.get("If-Range", content.etag) != content.etag:
            return None
        start, last = int(match[1]), int(match[2] or content.nbytes)
        return (start, min(last + 1, content.nbytes)) if start <= last or not match[2] else None

    # Responses

    def _refuse(self, status: HTTPStatus, message: str, **headers: str) -> None:
        self.close_connection = True  # the request may have a body, which is not read
        headers |= {"Content-Type": "text/plain; charset=utf-8", "Connection": "close"}
        self._send(status, f"{message}\n".encode(), headers)

    def _send(self, status: HTTPStatus, body: bytes, headers: dict[str, str]) -> None:
        self._start(status, len(body), headers)
        self.wfile.write(body)

    def _start(self, status: HTTPStatus, nbytes: int, headers: dict[str, str]) -> None:
        self.send_response(status)
        for name, value in (_HEADERS | {"Content-Length": str(nbytes)} | headers).items():
            self.send_header(name, value)
        self.end_headers()
