"""Web servers that fail or refuse: number of requests, and errors."""

import errno
import os
import ssl
import subprocess
import sys
from typing import Any

import pytest
from support import fault_server
from support.fault_server import FaultServer, Handler, answering, endless, reset, serving, short, stall, status
from support.remote_models import DATA, ranges

from kaitai_gguf import FileError

ENTIRE = f"bytes 0-{len(DATA) - 1}/{len(DATA)}"

# Temporary failures

TEMPORARY = {str(code): status(code) for code in (408, 425, 429, 500, 502, 503, 504)}
TEMPORARY |= {"reset": reset, "short": short(20), "nothing": short(0)}


@pytest.mark.parametrize("fault", TEMPORARY.values(), ids=TEMPORARY)
def test_a_temporary_failure(server: FaultServer, waits: list[float], fault: fault_server.Fault) -> None:
    server.put(DATA)
    server.faults = [fault]
    file = ranges(server.url())
    assert file.start == DATA[:100]
    server.faults = [fault, fault]
    assert bytes(file.read(500, 700)) == DATA[500:700]
    assert (len(server.requests), len(waits)) == (5, 3)


@pytest.mark.parametrize("fault", [status(503), reset, short(20)])
def test_a_failure_that_lasts(server: FaultServer, waits: list[float], fault: fault_server.Fault) -> None:
    server.put(DATA)
    server.faults = [fault] * 100
    for _ in range(2):
        with pytest.raises(FileError, match=r"model\.gguf: .*\(tried 5 times\)") as caught:
            ranges(server.url(), first=5000)
        assert caught.value.errno == errno.EIO
    assert (len(server.requests), len(waits)) == (10, 8)
    assert all(0.125 * 2**number <= seconds <= 0.25 * 2**number for number, seconds in enumerate(waits[:4]))
    assert waits[:4] != waits[4:]
    with pytest.raises(FileError, match=r"[^)]$"):
        ranges(server.url(), first=5000, retries=0)
    with pytest.raises(FileError, match="tried 3 times"):
        ranges(server.url(), first=5000, retries=2)
    assert len(server.requests) == 14


def test_no_byte_of_a_short_response_is_fetched_again(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [short(60), short(30)]
    assert ranges(server.url()).start == DATA[:100]
    assert [request.span for request in server.requests] == [(0, 100), (60, 100), (90, 100)]
    assert server.num_bytes == 100


@pytest.mark.parametrize("excess", [b"", b"\xff" * 100])
def test_a_response_of_less_than_was_requested(server: FaultServer, waits: list[float], excess: bytes) -> None:
    """RFC 9110 permits a server to send only part of the requested range. Bytes beyond its range do not count."""
    file = ranges(server.put(DATA, etag='"1"'))
    headers = {"Content-Range": f"bytes 500-599/{len(DATA)}", "ETag": '"1"'}
    server.faults = [answering(206, DATA[500:600] + excess, headers)]
    assert bytes(file.read(500, 700)) == DATA[500:700]
    assert [request.span for request in server.requests[1:]] == [(500, 700), (600, 700)]


def test_more_than_was_requested(server: FaultServer) -> None:
    server.faults = [answering(206, DATA, {"Content-Range": ENTIRE})]
    assert ranges(server.url()).start == DATA[:100]


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("7", 7, 7), *[(each, 0, 1) for each in ("Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-1", "")]],
)
def test_retry_after(server: FaultServer, waits: list[float], header: str, least: float, most: float) -> None:
    server.put(DATA)
    server.faults = [status(429, Retry_After=header)]
    assert ranges(server.url()).start == DATA[:100]
    assert least <= waits[0] <= most


@pytest.mark.parametrize("header", ["3600", "9" * 400])
def test_a_server_that_asks_for_a_long_wait(server: FaultServer, waits: list[float], header: str) -> None:
    server.faults = [status(429, Retry_After=header)]
    with pytest.raises(FileError, match=r"429 Too Many Requests, and asks to wait (3,600|inf) seconds"):
        ranges(server.url())
    assert (len(server.requests), waits) == (1, [])


def test_a_server_that_stalls(server: FaultServer, waits: list[float]) -> None:
    def half(handler: Handler) -> bool:
        handler.stop = 40
        handler.answer()
        return stall(handler)

    server.put(DATA)
    server.faults = [stall, half]
    assert ranges(server.url(), timeout=0.2).start == DATA[:100]
    assert server.requests[2].span == (40, 100)
    server.faults = [stall] * 2
    with pytest.raises(FileError, match=r"did not answer in time \(tried 2 times\)"):
        ranges(server.url(), timeout=0.1, retries=1)


ENDLESS = {
    "a header": endless(b"HTTP/1.1 206 Partial Content\r\nX-A: ", b"a"),
    "headers": endless(b"HTTP/1.1 206 Partial Content\r\n", b"X-A: a\r\n"),
    "early hints": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
}


@pytest.mark.parametrize("fault", ENDLESS.values(), ids=ENDLESS)
def test_headers_that_never_end(server: FaultServer, fault: fault_server.Fault) -> None:
    server.put(DATA)
    server.faults = [lambda _: True, fault]  # the second request uses the connection of the first one
    file = ranges(server.url(), timeout=0.5, retries=0)
    with pytest.raises(FileError, match="did not answer in time"):
        file.read(100, 200)
    assert server.num_connections == 1


def test_headers_that_never_end_behind_a_proxy(server: FaultServer) -> None:
    code = """if 1:
        from kaitai_gguf.sources.http import HTTPRanges
        try:
            HTTPRanges("http://models.example/model.gguf", 100, timeout=0.5, retries=0)
        except OSError as error:
            print(error)
    """
    server.faults = [ENDLESS["headers"]]
    environment = os.environ | {"HTTP_PROXY": server.url(""), "http_proxy": server.url("")}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=environment)
    assert done.stdout == "http://models.example/model.gguf: the server did not answer in time\n"


def test_a_body_may_take_longer_than_the_timeout(server: FaultServer) -> None:
    facts = f"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-24/{len(DATA)}\r\nContent-Length: 25\r\n\r\n"
    server.faults = [endless(facts.encode(), b"a")]
    assert ranges(server.url(), timeout=0.5, retries=0, first=25).start == b"a" * 25


def test_nobody_listens(waits: list[float]) -> None:
    with serving() as server:
        url = server.url()
    with pytest.raises(FileError, match=r"could not connect to the server \(tried 5 times\)"):
        ranges(url)


# Refusals


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [(code, FileNotFoundError, "no such file") for code in (404, 410)]
    + [(code, OSError, str(code)) for code in (204, 304, 400, 416, 418, 501)],
)
def test_a_refusal(server: FaultServer, waits: list[float], code: int, kind: type[OSError], words: str) -> None:
    server.put(DATA)
    server.faults = [status(code, Content_Range="bytes */99")]
    with pytest.raises(kind, match=words) as caught:
        ranges(server.url())
    assert isinstance(caught.value, FileError)
    assert caught.value.filename == server.url()
    assert len(server.requests) == 1


CREDENTIALS: list[tuple[str, str, dict[str, Any], str]] = [
    ("//user:wrong@", "", {}, "the user and the password were not accepted"),
    ("//", "", {"token": "wrong"}, "the token that was sent was not accepted"),
    ("//", "", {"headers": {"Authorization": "Other x"}}, "the credentials that were sent were not accepted"),
    ("//", "?signature=x", {}, "the URL has expired, or a token or a password is needed"),
    ("//", "", {}, "a token or a password is needed"),
]


@pytest.mark.parametrize("code", [401, 403])
@pytest.mark.parametrize("case", CREDENTIALS, ids=lambda case: case[-1])
def test_refused_credentials(server: FaultServer, code: int, case: tuple[str, str, dict[str, Any], str]) -> None:
    slashes, query, options, words = case
    server.faults = [status(code)]
    with pytest.raises(PermissionError) as caught:
        ranges(server.url(f"/model.gguf{query}").replace("//", slashes), **options)
    assert f": {words} (the server answered {code}" in str(caught.value)


@pytest.mark.parametrize(
    "header", ["", "bytes 1-100/10240", "bytes */10240", "bytes 0-99/*", "bytes 0-99/50", "items 0-9/9"]
)
def test_another_range_than_was_requested(server: FaultServer, header: str) -> None:
    server.faults = [answering(206, DATA[:100], {"Content-Range": header} if header else None)]
    with pytest.raises(FileError, match="Content-Range"):
        ranges(server.url())
    assert len(server.requests) == 1


def test_a_response_that_is_encoded(server: FaultServer) -> None:
    server.put(DATA, headers={"Content-Encoding": "gzip"})
    with pytest.raises(FileError, match="encodes the file as 'gzip'"):
        ranges(server.url())


@pytest.mark.parametrize(
    "url", ["http://", "http://:80/x", "http://host:port/x", "http://[::1/x", "http://u:p\u2100@h/x", "http://a b/"]
)
def test_a_url_that_is_not_valid(url: str, waits: list[float]) -> None:
    with pytest.raises(FileError, match=r"URL is not valid|could not connect|request is not valid"):
        ranges(url)


def test_certificates_are_checked(tmp_path: Any, waits: list[float]) -> None:
    with serving() as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        key = tmp_path / "key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
        try:
            subprocess.run([*command, "-keyout", key, "-out", tmp_path / "cert.pem"], check=True, capture_output=True)
        except FileNotFoundError:
            pytest.skip("openssl is not installed")
        context.load_cert_chain(tmp_path / "cert.pem", key)
        server._server.socket = context.wrap_socket(server._server.socket, server_side=True)
        with pytest.raises(FileError, match="the server's certificate is not valid"):
            ranges(f"https://localhost:{server.port}/model.gguf")
    assert waits == []
