"""Web servers that fail or refuse: number of requests, and errors."""

import errno
import os
import ssl
import subprocess
import sys
from typing import Any

import pytest
from support import fault_server
from support.fault_server import FaultServer, Handler, answering, endless, reset, serving, short, stall, status, then
from support.remote_models import DATA, ranges

from kaitai_gguf import FileError

# Temporary failures

TEMPORARY = {
    "429": status(429),
    "500": status(500),
    "502": status(502),
    "503": status(503),
    "504": status(504),
    "408": status(408),
    "reset": reset,
    "short": short(20),
    "nothing": short(0),
}


@pytest.mark.parametrize("fault", TEMPORARY.values(), ids=TEMPORARY)
def test_a_temporary_failure(server: FaultServer, waits: list[float], fault: fault_server.Fault) -> None:
    server.put(DATA)
    server.faults = [fault]
    file = ranges(server.url())
    assert file.start == DATA[:100]
    server.faults = [fault, fault]
    assert bytes(file.read(500, 700)) == DATA[500:700]
    assert (len(server.requests), len(waits)) == (5, 3)


@pytest.mark.parametrize("fault", TEMPORARY.values(), ids=TEMPORARY)
def test_a_failure_that_lasts(server: FaultServer, waits: list[float], fault: fault_server.Fault) -> None:
    server.put(DATA)
    server.faults = [fault] * 100
    with pytest.raises(FileError, match=r"model\.gguf: .*\(tried 5 times\)") as caught:
        ranges(server.url(), first=5000)
    assert caught.value.errno == errno.EIO
    assert (len(server.requests), len(waits)) == (5, 4)
    assert all(0.125 * 2**number <= seconds <= 0.25 * 2**number for number, seconds in enumerate(waits))


def test_waits_differ(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [status(503)] * 4 + [then(lambda: None)] + [status(503)] * 4
    ranges(server.url()).read(0, 1)
    assert len(waits) == 8
    assert waits[:4] != waits[4:]


def test_how_often_is_an_option(server: FaultServer, waits: list[float]) -> None:
    server.faults = [status(503)] * 9
    with pytest.raises(FileError, match=r"503 Service Unavailable$"):
        ranges(server.put(DATA), retries=0)
    with pytest.raises(FileError, match="tried 3 times"):
        ranges(server.url(), retries=2)
    assert len(server.requests) == 4


def test_no_byte_of_a_short_answer_is_fetched_again(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [short(60), short(30)]
    assert ranges(server.url()).start == DATA[:100]
    assert [request.span for request in server.requests] == [(0, 100), (60, 100), (90, 100)]
    assert server.num_bytes == 100


def test_an_answer_of_less_than_was_asked_for(server: FaultServer, waits: list[float]) -> None:
    """RFC 9110 permits a server to send only part of the requested range."""

    server.put(DATA, etag='"1"')
    server.faults = [answering(206, DATA[:50], {"Content-Range": f"bytes 0-49/{len(DATA)}", "ETag": '"1"'})]
    assert ranges(server.url()).start == DATA[:100]
    assert [request.span for request in server.requests] == [(0, 100), (50, 100)]


def test_bytes_beyond_the_range_of_an_answer_are_not_taken(server: FaultServer, waits: list[float]) -> None:
    etag = {"ETag": server.files[server.put(DATA).removeprefix(server.url(""))].etag or ""}
    said = etag | {"Content-Range": f"bytes 500-599/{len(DATA)}"}
    file = ranges(server.url())
    server.faults = [answering(206, DATA[500:600] + b"\xff" * 100, said)]
    assert bytes(file.read(500, 700)) == DATA[500:700]
    assert [request.span for request in server.requests[1:]] == [(500, 700), (600, 700)]


def test_retry_after_is_obeyed(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [status(429, Retry_After="7"), status(503, Retry_After="Wed, 21 Oct 2015 07:28:00 GMT")]
    ranges(server.url())
    assert waits[0] == 7
    assert waits[1] < 1


def test_a_server_that_asks_for_an_hour(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [status(429, Retry_After="3600")]
    with pytest.raises(FileError, match="429 Too Many Requests, and asks to wait 3,600 seconds"):
        ranges(server.url())
    assert (len(server.requests), waits) == (1, [])


@pytest.mark.parametrize("header", ["soon", "-1", "", "9" * 400])
def test_retry_after_that_says_nothing(server: FaultServer, waits: list[float], header: str) -> None:
    server.put(DATA)
    server.faults = [status(429, Retry_After=header)]
    if header.isdecimal():
        with pytest.raises(FileError, match="429"):
            ranges(server.url())
    else:
        assert ranges(server.url()).start == DATA[:100]


def test_a_server_that_stalls(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [stall]
    assert ranges(server.url(), timeout=0.2).start == DATA[:100]
    server.faults = [stall] * 2
    with pytest.raises(FileError, match=r"did not answer in time \(tried 2 times\)"):
        ranges(server.url(), timeout=0.1, retries=1)


def test_an_answer_that_stalls_half_way(server: FaultServer, waits: list[float]) -> None:
    def half(handler: Handler) -> bool:
        handler.stop = 40
        handler.answer()
        return stall(handler)

    server.put(DATA)
    server.faults = [half]
    assert ranges(server.url(), timeout=0.2).start == DATA[:100]
    assert server.requests[1].span == (40, 100)


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
        import sys
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
    [
        (401, PermissionError, "a token or a password is needed"),
        (403, PermissionError, "a token or a password is needed"),
        (404, FileNotFoundError, "no such file"),
        (410, FileNotFoundError, "no such file"),
        (400, OSError, "400 Bad Request"),
        (418, OSError, "418"),
        (501, OSError, "501"),
        (304, OSError, "304"),
        (204, OSError, "204"),
    ],
)
def test_a_refusal(server: FaultServer, waits: list[float], code: int, kind: type[OSError], words: str) -> None:
    server.put(DATA)
    server.faults = [status(code)]
    with pytest.raises(kind, match=words) as caught:
        ranges(server.url())
    assert isinstance(caught.value, FileError)
    assert caught.value.filename == server.url()
    assert len(server.requests) == 1


CREDENTIALS: list[tuple[str, dict[str, Any], str]] = [
    ("//user:wrong@", {}, "the user and the password were not accepted"),
    ("//", {"token": "wrong"}, "the token that was sent was not accepted"),
    ("//", {"headers": {"Authorization": "Other x"}}, "the credentials that were sent were not accepted"),
    ("//", {}, "the URL has expired, or a token or a password is needed"),
]


@pytest.mark.parametrize("code", [401, 403])
@pytest.mark.parametrize("case", CREDENTIALS, ids=[words for _, _, words in CREDENTIALS])
def test_refused_credentials(server: FaultServer, code: int, case: tuple[str, dict[str, Any], str]) -> None:
    slashes, options, words = case
    server.faults = [status(code)]
    with pytest.raises(PermissionError) as caught:
        ranges(server.url("/model.gguf?signature=x").replace("//", slashes), **options)
    assert f": {words} (the server answered {code}" in str(caught.value)


def test_a_range_that_is_refused(server: FaultServer) -> None:
    server.put(DATA)
    server.faults = [status(416, Content_Range="bytes */99")]
    with pytest.raises(FileError, match="416"):
        ranges(server.url())


def test_a_gated_model(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", server.url(""))
    monkeypatch.setenv("HF_TOKEN_PATH", "/does/not/exist")
    monkeypatch.delenv("HF_TOKEN", raising=False)
    server.faults = [status(401)]
    with pytest.raises(PermissionError, match="set HF_TOKEN") as caught:
        ranges("hf://owner/repository/model.gguf")
    assert caught.value.filename == "hf://owner/repository/model.gguf"


@pytest.mark.parametrize(
    "header", ["", "bytes 1-100/10240", "bytes */10240", "bytes 0-99/*", "bytes 0-99/50", "items 0-9/9"]
)
def test_a_range_that_was_not_asked_for(server: FaultServer, header: str) -> None:
    server.faults = [answering(206, DATA[:100], {"Content-Range": header} if header else None)]
    with pytest.raises(FileError, match="Content-Range"):
        ranges(server.url())
    assert len(server.requests) == 1


def test_an_answer_that_is_encoded(server: FaultServer) -> None:
    server.put(DATA, headers={"Content-Encoding": "gzip"})
    with pytest.raises(FileError, match="encodes the file as 'gzip'"):
        ranges(server.url())


def test_more_than_was_asked_for(server: FaultServer) -> None:
    server.faults = [answering(206, DATA, {"Content-Range": f"bytes 0-{len(DATA) - 1}/{len(DATA)}"})]
    assert ranges(server.url()).start == DATA[:100]


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
