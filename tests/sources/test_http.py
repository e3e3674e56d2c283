"""Files on web servers: what is requested, and what is made of each kind of answer. Credentials: test_http_secrets."""

import errno
import ssl
import subprocess
from pathlib import Path
from typing import Any

import pytest
from support import fault_server
from support.fault_server import Fault, FaultServer, Handler, answering, endless, redirect, reset, short, stall, status
from support.faults import child, forks
from support.remote_models import DATA, far, ranges, small, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError

OTHER = DATA[::-1]


def part(start: int, end: int, body: bytes = b"") -> Fault:
    """Answer with a range of the file, or with another body."""
    headers = {"Content-Range": f"bytes {start}-{end - 1}/{len(DATA)}", "ETag": '"1"'}
    return answering(206, body or DATA[start:end], headers)


# Requests


@pytest.mark.parametrize("etag", ['"one"', 'W/"one"', None])
def test_a_range_is_one_request_on_a_connection_that_is_kept(server: FaultServer, etag: str | None) -> None:
    file = ranges(server.put(DATA, etag=etag, headers={"Set-Cookie": "session=1"}))
    assert (bytes(file.start), file.nbytes, file.version) == (DATA[:100], len(DATA), etag)
    assert bytes(file.read(1000, 1001)) == DATA[1000:1001]
    assert bytes(file.read(10, len(DATA))) == DATA[10:]
    assert server.spans == [(0, 100), (1000, 1001), (10, len(DATA))]
    assert (file.num_requests, file.num_bytes, server.num_bytes) == (3, 101 + len(DATA) - 10, 101 + len(DATA) - 10)
    assert server.num_connections == 1
    strong = etag if etag == '"one"' else None  # a weak one is compared here
    assert [request.headers.get("if-range") for request in server.requests] == [None, strong, strong]
    assert {request.headers["accept-encoding"] for request in server.requests} == {"identity"}
    assert not any("cookie" in request.headers for request in server.requests)


def test_short_and_empty_files(server: FaultServer) -> None:
    for data in (DATA[:10], b""):
        file = ranges(server.put(data))
        assert (file.start, file.nbytes) == (data, len(data))
    server.faults = [status(416)]  # S3 sends no Content-Range here
    assert ranges(server.url()).nbytes == 0
    assert len(server.requests) == 3


def test_headers_of_the_caller(server: FaultServer) -> None:
    given = {"Range": "bytes=5-6", "ACCEPT-ENCODING": "gzip", "If-Range": "x", "X-A": "1"}
    file = ranges(server.put(DATA).replace("//", "//us%40er:pass@"), headers=given)
    assert file.start == DATA[:100]
    assert server.requests[0].headers["x-a"] == "1"
    assert server.requests[0].headers["authorization"] == "Basic dXNAZXI6cGFzcw=="


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_connections_of_its_own(server: FaultServer) -> None:
    file = ranges(server.put(DATA))
    assert child(lambda: file.read(100, 200)) == 0
    assert bytes(file.read(200, 300)) == DATA[200:300]
    assert (len(server.requests), server.num_connections) == (3, 2)


# Answers that are repeated or completed


def unended(handler: Handler) -> bool:
    """Send all bytes, and break the connection before the end of the response."""
    headers = {"Content-Range": f"bytes 500-699/{len(DATA)}", "Transfer-Encoding": "chunked", "ETag": '"1"'}
    handler.reply(206, b"c8\r\n" + DATA[500:700] + b"\r\n", headers)
    handler.close_connection = True
    return False


COMPLETED: dict[str, tuple[list[Fault], list[int], int]] = {  # faults; where requests start; number of waits
    **{str(code): ([status(code)] * 2, [500] * 3, 2) for code in (408, 425, 429, 500, 502, 503, 504)},
    "reset": ([reset] * 2, [500] * 3, 2),
    "nothing": ([short(0)], [500, 500], 1),
    "short": ([short(60), short(30)], [500, 560, 590], 2),  # no byte is fetched again
    "less than requested": ([part(500, 600)], [500, 600], 1),  # permitted by RFC 9110
    "bytes beyond the range": ([part(500, 600, DATA[500:600] + b"\xff" * 100)], [500, 600], 1),
    "more than requested": ([part(500, 900)], [500], 0),
    "no end of the response": ([unended], [500], 1),
    **{f"redirect {code}": ([redirect("/model.gguf", code)], [500, 500], 0) for code in (301, 302, 303, 307, 308)},
}


@pytest.mark.parametrize("case", COMPLETED)
def test_an_answer_that_is_completed(server: FaultServer, waits: list[float], case: str) -> None:
    file = ranges(server.put(DATA, etag='"1"'))
    server.faults, starts, num_waits = COMPLETED[case]
    assert bytes(file.read(500, 700)) == DATA[500:700]
    assert server.spans == [(0, 100), *((start, 700) for start in starts)]
    assert len(waits) == num_waits
    assert file.num_bytes == 300 or case != "short"


def test_waits_grow_and_are_random(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [status(503)] * 100
    for _ in range(2):
        with pytest.raises(FileError, match=r"model\.gguf: .*\(tried 5 times\)"):
            ranges(server.url())
    assert (len(server.requests), len(waits)) == (10, 8)
    assert all(0.125 * 2**number <= seconds <= 0.25 * 2**number for number, seconds in enumerate(waits[:4]))
    assert waits[:4] != waits[4:]


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [("7", 7, 7), *[(each, 0, 1) for each in ("Wed, 21 Oct 2015 07:28:00 GMT", "soon", "-1", "")]],
)
def test_retry_after(server: FaultServer, waits: list[float], header: str, least: float, most: float) -> None:
    server.put(DATA)
    server.faults = [status(429, Retry_After=header)]
    assert ranges(server.url()).start == DATA[:100]
    assert least <= waits[0] <= most


# Answers that are refused

RANGES = ["bytes 1-100/10240", "bytes */10240", "bytes 0-99/*", "bytes 0-99/50", "items 0-9/9"]
REFUSED: dict[str, tuple[list[Fault], str, int]] = {  # faults; message; number of requests
    **{str(code): ([status(code)], "no such file", 1) for code in (404, 410)},
    **{str(code): ([status(code, Content_Range="bytes */99")], str(code), 1) for code in (204, 304, 400, 416, 418)},
    **{
        f"range {text!r}": ([answering(206, DATA[:100], {"Content-Range": text})], "Content-Range", 1)
        for text in RANGES
    },
    "no range": ([answering(206, DATA[:100])], "Content-Range ''", 1),
    "encoded": ([status(206, Content_Encoding="gzip")], "encodes the file as 'gzip'", 1),
    "no size": ([status(200, Transfer_Encoding="chunked")], "sends neither ranges nor the size of the file", 1),
    "a long wait": ([status(429, Retry_After="3600")], r"429 Too .*, and asks to wait 3,600 seconds", 1),
    "an endless wait": ([status(429, Retry_After="9" * 400)], "asks to wait inf seconds", 1),
    "resets": ([reset] * 9, r"the connection was lost \(tried 3 times\)", 3),
    "short": ([short(20)] * 9, r"ended early \(tried 3 times\)|connection was lost \(tried 3 times\)", 3),
    "redirects": ([redirect("/model.gguf")] * 99, "redirects more than 10 times", 11),
    **{
        f"redirect to {url}": ([redirect(url)], "the server redirects to one that is not|not valid", 1)
        for url in ("file:///etc/passwd", "ftp://host/x", "http://[bad", "data:,x")
    },
}


@pytest.mark.parametrize("case", REFUSED)
def test_an_answer_that_is_refused(server: FaultServer, waits: list[float], case: str) -> None:
    server.put(DATA)
    server.faults, message, num_requests = REFUSED[case]
    with pytest.raises(FileError, match=message) as caught:
        ranges(server.url(), retries=2)
    assert isinstance(caught.value, FileNotFoundError) == (case in ("404", "410"))
    assert caught.value.filename == server.url()
    assert len(server.requests) == num_requests
    assert len(waits) == (2 if "tried" in message else 0)


CREDENTIALS: list[tuple[str, str, dict[str, Any], str]] = [
    ("//user:wrong@", "", {}, "the user and the password were not accepted"),
    ("//", "", {"token": "wrong"}, "the token that was sent was not accepted"),
    ("//", "", {"headers": {"Authorization": "Other x"}}, "the credentials that were sent were not accepted"),
    ("//", "?signature=x", {}, "the URL has expired, or a token or a password is needed"),
    ("//", "", {}, "a token or a password is needed"),
]


@pytest.mark.parametrize("case", CREDENTIALS, ids=lambda case: case[-1])
def test_refused_credentials(server: FaultServer, case: tuple[str, str, dict[str, Any], str]) -> None:
    slashes, query, options, words = case
    for code in (401, 403):
        server.faults = [status(code)]
        with pytest.raises(PermissionError) as caught:
            ranges(server.url(f"/model.gguf{query}").replace("//", slashes), **options)
        assert f": {words} (the server answered {code}" in str(caught.value)


# Servers that send whole files


def test_a_whole_file_is_read_as_far_as_it_is_needed(server: FaultServer) -> None:
    header = vocabulary(60_000)
    url = server.put(header + bytes(40 << 20), has_ranges=False)
    with kaitai_gguf.open(url) as model:
        assert len(model.metadata["tokenizer.ggml.tokens"]) == 60_000
        assert model.nbytes == len(header) + (40 << 20)
    assert len(server.requests) == 1
    assert server.num_bytes < len(header) + (8 << 20)  # some data is already in the buffers of the two sockets


def test_tensors_of_a_server_without_ranges(server: FaultServer) -> None:
    with kaitai_gguf.open(server.put(small(), has_ranges=False)) as model:
        assert {tensor.data.shape[0] for tensor in model.tensors.values()} == {64}
    model = kaitai_gguf.open(server.put(far(), has_ranges=False))
    with pytest.raises(FileError, match="does not send ranges: download the file"):
        _ = model.tensors["blk.0.attn_q.weight"].data
    assert len(server.requests) == 2


def test_a_whole_file_begins_again_when_it_breaks(server: FaultServer, waits: list[float]) -> None:
    server.put(vocabulary(60_000), has_ranges=False)
    server.faults = [short(70_000), short(900_000)]
    with kaitai_gguf.open(server.url()) as model:
        assert model.metadata["tokenizer.ggml.tokens"][59_999]
    assert (len(server.requests), len(waits)) == (3, 2)
    replace = fault_server.then(lambda: server.put(vocabulary(60_000)[:-1] + b"x", has_ranges=False))
    for second, message in ((replace, "was replaced"), (status(206), "answered 206, and 200 before")):
        server.faults = [short(70_000), second]
        with pytest.raises(FileError, match=message):
            kaitai_gguf.open(server.url())


# Files that are replaced

DATE, LATER = ({"headers": {"Last-Modified": f"Wed, 21 Oct 2015 07:{minute}:00 GMT"}} for minute in (28, 29))
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any], bytes]] = {
    "ETag": ({}, {}, OTHER),
    "weak ETag": ({"etag": 'W/"1"'}, {"etag": 'W/"2"'}, OTHER),
    "same weak ETag": ({"etag": 'W/"1"'} | DATE, {"etag": 'W/"1"'} | LATER, OTHER),
    "Last-Modified": ({"etag": None} | DATE, {"etag": None} | LATER, OTHER),
    "larger": ({"etag": None}, {"etag": None}, DATA + b"x"),
    "smaller": ({"etag": None}, {"etag": None}, DATA[:300]),
    "no ETag any more": ({}, {"etag": None}, OTHER),
    "without ranges": ({}, {"has_ranges": False}, OTHER),
    "the same without ranges": ({}, {"has_ranges": False}, DATA),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_replaced(server: FaultServer, waits: list[float], change: str) -> None:
    before, after, data = CHANGES[change]
    file = ranges(server.put(DATA, **before))
    assert bytes(file.read(200, 400)) == DATA[200:400]
    server.put(data, **after)
    is_replaced = data != DATA
    message = "the file was replaced while" if is_replaced else "answered a range request with 200, and with 206 before"
    for span in ((100, 250), (250, 600)):
        with pytest.raises(FileError, match=message) as caught:
            file.read(*span)
        assert caught.value.errno == (errno.ESTALE if is_replaced else errno.EIO)
    assert (len(server.requests), waits) == (4, [])


# Targets of redirects

FIRST, SECOND = "/stored?signature=1", "/stored?signature=2"


@pytest.mark.parametrize(
    ("faults", "paths"),
    [([status(code)], [FIRST, "/model.gguf", SECOND]) for code in (400, 401, 403, 404, 410)]
    + [([status(503), reset], [FIRST, FIRST, "/model.gguf", SECOND])],
)
def test_a_target_that_expires_or_fails(
    server: FaultServer, waits: list[float], faults: list[Fault], paths: list[str]
) -> None:
    server.put(DATA, FIRST)
    server.put(DATA, SECOND)
    server.faults = [redirect(FIRST)]
    file = ranges(server.url())
    assert bytes(file.read(200, 300)) == DATA[200:300]
    assert [request.path for request in server.requests] == ["/model.gguf", FIRST, FIRST]
    server.requests.clear()
    server.faults = [*faults, redirect(SECOND)]
    assert bytes(file.read(100, 200)) == DATA[100:200]
    assert [request.path for request in server.requests] == paths
    server.put(OTHER, SECOND)
    with pytest.raises(FileError, match="was replaced"):
        file.read(100, 200)
    server.requests.clear()
    server.faults = [status(403), redirect(FIRST), status(403)]
    with pytest.raises(PermissionError):
        file.read(100, 200)
    assert len(server.requests) == 3


# Time, connections and certificates


def stall_halfway(handler: Handler) -> bool:
    handler.stop = 40
    handler.answer()
    return stall(handler)


def test_a_server_that_stalls(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [stall, stall_halfway]
    assert ranges(server.url(), timeout=0.2).start == DATA[:100]
    assert server.spans[2:] == [(40, 100)]


ENDLESS = {
    "a header": endless(b"HTTP/1.1 206 Partial Content\r\nX-A: ", b"a"),
    "headers": endless(b"HTTP/1.1 206 Partial Content\r\n", b"X-A: a\r\n"),
    "early hints": endless(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </a>\r\n\r\n"),
    "nothing": stall,
}


@pytest.mark.parametrize("fault", ENDLESS.values(), ids=ENDLESS)
def test_headers_have_to_end_within_the_timeout(server: FaultServer, fault: Fault) -> None:
    server.put(DATA)
    server.faults = [lambda _: True, fault]  # the second request uses the connection of the first one
    file = ranges(server.url(), timeout=0.5, retries=0)
    with pytest.raises(FileError, match=r"did not answer in time$"):
        file.read(100, 200)
    assert server.num_connections == 1


def test_a_body_may_take_longer_than_the_timeout(server: FaultServer) -> None:
    facts = f"HTTP/1.1 206 Partial Content\r\nContent-Range: bytes 0-24/{len(DATA)}\r\nContent-Length: 25\r\n\r\n"
    server.faults = [endless(facts.encode(), b"a")]
    assert ranges(server.url(), timeout=0.5, retries=0, first=25).start == b"a" * 25


def test_certificates_are_checked(tmp_path: Path, waits: list[float]) -> None:
    with fault_server.serving() as server:
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        key = tmp_path / "key.pem"
        command = ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "1", "-subj", "/CN=localhost"]
        try:
            subprocess.run([*command, "-keyout", key, "-out", tmp_path / "cert.pem"], check=True, capture_output=True)
        except FileNotFoundError:
            pytest.skip("openssl is not installed")
        context.load_cert_chain(tmp_path / "cert.pem", key)
        server.socket = context.wrap_socket(server.socket, server_side=True)
        with pytest.raises(FileError, match="the server's certificate is not valid"):
            ranges(server.url(host="localhost").replace("http", "https"))
    with pytest.raises(FileError, match=r"could not connect to the server \(tried 2 times\)"):
        ranges(server.url(), retries=1)
    assert len(waits) == 1
