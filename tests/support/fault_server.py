"""A small web server that counts the bytes it sends, and fails on request.

`FaultServer.files` maps paths to files. Each GET is recorded in `requests`. Each request takes the next of the
`faults`; if none is left, it is answered normally.
"""

import hashlib
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

PART = 1 << 14  # bytes written and counted at a time


@dataclass
class File:
    """A file, and its headers."""

    data: bytes
    etag: str | None = ""
    """By default a strong ETag that changes with the bytes; None for no ETag."""
    modified: str | None = None
    has_ranges: bool = True
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.etag == "":
            self.etag = f'"{hashlib.md5(self.data).hexdigest()}"'


@dataclass
class Request:
    path: str
    headers: dict[str, str]  # names in lower case
    sent: int = 0  # bytes of the body

    @property
    def span(self) -> tuple[int, int] | None:
        """Return the requested range; its end is exclusive."""
        match = re.fullmatch(r"bytes=(\d+)-(\d+)", self.headers.get("range", ""))
        return (int(match[1]), int(match[2]) + 1) if match else None


Fault = Callable[["Handler"], bool]
"""Handle a request, and return whether it must still be answered."""


class FaultServer:
    def __init__(self, latency: float = 0.0) -> None:
        self.files: dict[str, File] = {}
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.num_connections = 0
        self.latency = latency
        self.lock = threading.Lock()
        self.stopping = threading.Event()
        handler = type("BoundHandler", (Handler,), {"owner": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        self.port = self._server.server_address[1]
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True)
        self._thread.start()

    def url(self, path: str = "/model.gguf", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.port}{path}"

    def put(self, data: bytes, path: str = "/model.gguf", **facts: Any) -> str:
        """Add or replace a file, and return its URL."""
        self.files[path] = File(data, **facts)
        return self.url(path)

    @property
    def num_bytes(self) -> int:
        """The number of bytes sent in bodies."""
        return sum(request.sent for request in self.requests)

    @property
    def spans(self) -> list[tuple[int, int]]:
        """The ranges that were requested."""
        return [span for request in self.requests if (span := request.span) is not None]

    def stop(self) -> None:
        self.stopping.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


@contextmanager
def serving(latency: float = 0.0) -> Iterator[FaultServer]:
    server = FaultServer(latency)
    try:
        yield server
    finally:
        server.stop()


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that clients close."""


class Handler(BaseHTTPRequestHandler):
    owner: FaultServer
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    request: Any
    noted: Request

    def setup(self) -> None:
        with self.owner.lock:
            self.owner.num_connections += 1
        super().setup()

    def do_GET(self) -> None:
        headers = {name.lower(): value for name, value in self.headers.items()}
        self.noted = Request(self.path, headers)
        with self.owner.lock:
            self.owner.requests.append(self.noted)
            fault = self.owner.faults.pop(0) if self.owner.faults else None
        if self.owner.latency:
            time.sleep(self.owner.latency)
        if fault is None or fault(self):
            self.answer()

    def do_HEAD(self) -> None:
        with self.owner.lock:
            self.owner.requests.append(Request(self.path, {"method": "HEAD"}))
        time.sleep(self.owner.latency)
        file = self.owner.files.get(self.path)
        self.send_response(200 if file else 404)
        self.send_header("Content-Length", str(len(file.data)) if file else "0")
        self.send_header("Accept-Ranges", "bytes")
        self.end_headers()

    def answer(self) -> None:
        """Answer like a server without faults."""
        file = self.owner.files.get(self.path) or self.owner.files.get(self.path.partition("?")[0])
        if file is None:
            self.reply(404)
            return
        span = self.noted.span if file.has_ranges else None
        if span is not None and self.headers.get("If-Range", file.etag) != file.etag:
            span = None
        facts = dict(file.headers)
        facts |= {"ETag": file.etag} if file.etag else {}
        facts |= {"Last-Modified": file.modified} if file.modified else {}
        size = len(file.data)
        if span is None:
            self.reply(200, file.data, facts)
        elif span[0] >= size:
            self.reply(416, b"", facts | {"Content-Range": f"bytes */{size}"})
        else:
            start, end = span[0], min(span[1], size)
            self.reply(206, file.data[start:end], facts | {"Content-Range": f"bytes {start}-{end - 1}/{size}"})

    stop: int | None = None

    def reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> None:
        """Answer, and break the connection after `stop` bytes of the body."""
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        if not {"Content-Length", "Transfer-Encoding"} & (headers or {}).keys():
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.flush()
        end = len(body) if self.stop is None else min(self.stop, len(body))
        for start in range(0, end, PART):
            part = body[start : min(start + PART, end)]
            self.noted.sent += len(part)  # counted before the client receives it
            try:
                self.wfile.write(part)
                self.wfile.flush()
            except OSError:
                self.noted.sent -= len(part)
                self.close_connection = True
                return
        if self.stop is not None:
            self.close_connection = True

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""

    def version_string(self) -> str:
        return "faults"


def status(code: int, **headers: str) -> Fault:
    """Answer with a status. Underscores in header names become hyphens."""
    return answering(code, b"", {name.replace("_", "-"): value for name, value in headers.items()})


def redirect(location: str, code: int = 302, **headers: str) -> Fault:
    return status(code, Location=location, **headers)


def short(nbytes: int) -> Fault:
    """Break the connection after some bytes of the body."""

    def fault(handler: Handler) -> bool:
        handler.stop = nbytes
        return True

    return fault


def reset(handler: Handler) -> bool:
    """Break the connection before answering."""
    handler.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    handler.connection.close()
    handler.close_connection = True
    return False


def stall(handler: Handler) -> bool:
    """Never answer."""
    handler.owner.stopping.wait(20)
    handler.close_connection = True
    return False


def endless(start: bytes, part: bytes) -> Fault:
    """Send `start`, then `part` again and again, 20 times a second, for ten seconds at most."""

    def fault(handler: Handler) -> bool:
        handler.close_connection = True
        handler.wfile.write(start)
        for _ in range(200):
            try:
                handler.wfile.write(part)
                handler.wfile.flush()
            except OSError:
                break
            if handler.owner.stopping.wait(0.05):
                break
        return False

    return fault


def answering(code: int, body: bytes, headers: dict[str, str] | None = None) -> Fault:
    """Answer with something other than the file."""

    def fault(handler: Handler) -> bool:
        handler.reply(code, body, headers)
        return False

    return fault


def then(action: Callable[[], object]) -> Fault:
    """Do something first, then answer."""

    def fault(handler: Handler) -> bool:
        action()
        return True

    return fault
