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
    has_ranges: bool = True
    headers: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if self.etag == "":
            self.etag = f'"{hashlib.md5(self.data).hexdigest()}"'
        self.headers = self.headers | ({"ETag": self.etag} if self.etag else {})


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


class FaultServer(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False
    request_queue_size = 128

    def __init__(self, latency: float = 0.0) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.files: dict[str, File] = {}
        self.faults: list[Fault] = []
        self.requests: list[Request] = []
        self.num_connections = 0
        self.latency = latency
        self.lock = threading.Lock()
        self.stopping = threading.Event()

    def url(self, path: str = "/model.gguf", host: str = "127.0.0.1") -> str:
        return f"http://{host}:{self.server_port}{path}"

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

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Ignore connections that clients close."""


@contextmanager
def serving(latency: float = 0.0) -> Iterator[FaultServer]:
    server = FaultServer(latency)
    thread = threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    try:
        yield server
    finally:
        server.stopping.set()
        server.shutdown()
        server.server_close()
        thread.join()


class Handler(BaseHTTPRequestHandler):
    server: FaultServer
    protocol_version = "HTTP/1.1"
    wbufsize = 1 << 16
    disable_nagle_algorithm = True
    noted: Request
    stop: int | None = None
    """After how many bytes of the body to break the connection."""

    def setup(self) -> None:
        with self.server.lock:
            self.server.num_connections += 1
        super().setup()

    def do_GET(self) -> None:
        self.noted = Request(self.path, {name.lower(): value for name, value in self.headers.items()})
        with self.server.lock:
            self.server.requests.append(self.noted)
            fault = self.server.faults.pop(0) if self.server.faults else None
        if self.server.latency:
            time.sleep(self.server.latency)
        if fault is None or fault(self):
            self.answer()

    def do_HEAD(self) -> None:
        time.sleep(self.server.latency)
        file = self.server.files.get(self.path)
        self.server.requests.append(Request(self.path, {"method": "HEAD"}))
        length = {"Content-Length": str(len(file.data) if file else 0), "Accept-Ranges": "bytes"}
        self.reply(200 if file else 404, b"", length)

    def answer(self) -> None:
        """Answer like a server without faults."""
        file = self.server.files.get(self.path) or self.server.files.get(self.path.partition("?")[0])
        if file is None:
            self.reply(404)
            return
        span, size = self.noted.span, len(file.data)
        if span is None or not file.has_ranges or self.headers.get("If-Range", file.etag) != file.etag:
            self.reply(200, file.data, file.headers)
        elif span[0] >= size:
            self.reply(416, b"", file.headers | {"Content-Range": f"bytes */{size}"})
        else:
            start, end = span[0], min(span[1], size)
            self.reply(206, file.data[start:end], file.headers | {"Content-Range": f"bytes {start}-{end - 1}/{size}"})

    def reply(self, status: int, body: bytes = b"", headers: dict[str, str] | None = None) -> bool:
        """Answer, and break the connection after `stop` bytes of the body. Return False, as faults that answer do."""
        headers = headers or {}
        if not {"Content-Length", "Transfer-Encoding"} & headers.keys():
            headers = headers | {"Content-Length": str(len(body))}
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.flush()
        body = body[: self.stop]
        for start in range(0, len(body), PART):
            part = body[start : start + PART]
            self.noted.sent += len(part)  # counted before the client receives it
            try:
                self.wfile.write(part)
                self.wfile.flush()
            except OSError:
                self.noted.sent -= len(part)
                self.close_connection = True
                break
        self.close_connection = self.close_connection or self.stop is not None
        return False

    def log_message(self, format: str, *args: Any) -> None:
        """Log nothing."""


def status(code: int, **headers: str) -> Fault:
    """Answer with a status. Underscores in header names become hyphens."""
    return answering(code, b"", {name.replace("_", "-"): value for name, value in headers.items()})


def redirect(location: str, code: int = 302, **headers: str) -> Fault:
    return status(code, Location=location, **headers)


def answering(code: int, body: bytes, headers: dict[str, str] | None = None) -> Fault:
    """Answer with something other than the file."""
    return lambda handler: handler.reply(code, body, headers)


def then(action: Callable[[], object]) -> Fault:
    """Do something first, then answer."""

    def fault(_: Handler) -> bool:
        action()
        return True

    return fault


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
    handler.server.stopping.wait(20)
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
            if handler.server.stopping.wait(0.05):
                break
        return False

    return fault
