"""Files on web servers: requests, redirects, files that are replaced, and servers that send whole files."""

import errno
from typing import Any

import pytest
from support.fault_server import FaultServer, Handler, answering, redirect, reset, short, status, then
from support.faults import child, forks
from support.remote_models import DATA, far, ranges, small, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.threads import map_threads

# Requests


def test_a_range_is_one_request_on_a_connection_that_is_kept(server: FaultServer) -> None:
    file = ranges(server.put(DATA, etag='"one"', headers={"Set-Cookie": "session=1"}))
    assert (bytes(file.start), file.nbytes, file.version) == (DATA[:100], len(DATA), '"one"')
    assert bytes(file.read(1000, 1001)) == DATA[1000:1001]
    assert bytes(file.read(10, len(DATA))) == DATA[10:]
    assert [request.span for request in server.requests] == [(0, 100), (1000, 1001), (10, len(DATA))]
    assert (file.num_requests, file.num_bytes, server.num_bytes) == (3, 101 + len(DATA) - 10, 101 + len(DATA) - 10)
    assert server.num_connections == 1
    assert [request.headers.get("if-range") for request in server.requests] == [None, '"one"', '"one"']
    assert {request.headers["accept-encoding"] for request in server.requests} == {"identity"}
    assert not any("cookie" in request.headers for request in server.requests)


def test_the_connection_breaks_after_the_last_byte(server: FaultServer, waits: list[float]) -> None:
    def chunked(handler: Handler) -> bool:
        headers = {"Content-Range": f"bytes 0-99/{len(DATA)}", "Transfer-Encoding": "chunked", "ETag": '"1"'}
        handler.reply(206, b"64\r\n" + DATA[:100] + b"\r\n", headers)
        handler.close_connection = True
        return False

    server.faults = [chunked]
    assert ranges(server.put(DATA, etag='"1"')).start == DATA[:100]
    assert len(server.requests) == 1


def test_a_weak_etag_is_compared_here(server: FaultServer) -> None:
    file = ranges(server.put(DATA, etag='W/"one"'))
    assert bytes(file.read(100, 200)) == DATA[100:200]
    assert "if-range" not in server.requests[1].headers


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


def test_threads_share_a_file(server: FaultServer) -> None:
    file = ranges(server.put(DATA))
    starts = range(0, len(DATA) - 50, 100)
    parts = map_threads(lambda start: bytes(file.read(start, start + 50)), starts, 8)
    assert parts == [DATA[start : start + 50] for start in starts]
    assert file.num_requests == 1 + len(starts)


@forks
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
def test_a_forked_process_has_connections_of_its_own(server: FaultServer) -> None:
    file = ranges(server.put(DATA))
    assert child(lambda: file.read(100, 200)) == 0
    assert bytes(file.read(200, 300)) == DATA[200:300]
    assert (len(server.requests), server.num_connections) == (3, 2)


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
    server.faults = [short(70_000), then(lambda: server.put(vocabulary(60_000)[:-1] + b"x", has_ranges=False))]
    with pytest.raises(FileError, match="was replaced"):
        kaitai_gguf.open(server.url())
    server.faults = [short(70_000), status(206)]
    with pytest.raises(FileError, match="answered 206, and 200 before"):
        kaitai_gguf.open(server.url())


def test_a_size_that_is_not_stated(server: FaultServer) -> None:
    server.faults = [answering(200, b"4\r\nGGUF\r\n0\r\n\r\n", {"Transfer-Encoding": "chunked"})]
    with pytest.raises(FileError, match="neither ranges nor the size of the file"):
        ranges(server.url())


# Files that are replaced

OTHER = DATA[::-1]
DATE, LATER = "Wed, 21 Oct 2015 07:28:00 GMT", "Wed, 21 Oct 2015 07:29:00 GMT"
CHANGES: dict[str, tuple[dict[str, Any], dict[str, Any], bytes]] = {
    "ETag": ({}, {}, OTHER),
    "weak ETag": ({"etag": 'W/"1"'}, {"etag": 'W/"2"'}, OTHER),
    "same weak ETag": ({"etag": 'W/"1"', "modified": DATE}, {"etag": 'W/"1"', "modified": LATER}, OTHER),
    "Last-Modified": ({"etag": None, "modified": DATE}, {"etag": None, "modified": LATER}, OTHER),
    "larger": ({"etag": None}, {"etag": None}, DATA + b"x"),
    "smaller": ({"etag": None}, {"etag": None}, DATA[:300]),
    "no ETag any more": ({}, {"etag": None}, OTHER),
    "without ranges": ({}, {"has_ranges": False}, OTHER),
}


@pytest.mark.parametrize("change", CHANGES)
def test_a_file_that_is_replaced(server: FaultServer, waits: list[float], change: str) -> None:
    before, after, data = CHANGES[change]
    file = ranges(server.put(DATA, **before))
    assert bytes(file.read(200, 400)) == DATA[200:400]
    server.put(data, **after)
    for span in ((100, 250), (250, 600)):
        with pytest.raises(FileError, match="the file was replaced while") as caught:
            file.read(*span)
        assert caught.value.errno == errno.ESTALE
    assert (len(server.requests), waits) == (4, [])


def test_a_range_that_gets_the_whole_file(server: FaultServer) -> None:
    file = ranges(server.put(DATA))
    server.put(DATA, has_ranges=False)
    with pytest.raises(FileError, match="answered a range request with 200, and with 206 before"):
        file.read(100, 200)


def test_a_file_that_is_replaced_while_a_response_is_read(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA)
    server.faults = [short(60), then(lambda: server.put(OTHER))]
    with pytest.raises(FileError, match="was replaced"):
        ranges(server.url())


# Redirects

FIRST, SECOND = "/stored?signature=1", "/stored?signature=2"


@pytest.mark.parametrize("code", [301, 302, 303, 307, 308])
def test_a_redirect(server: FaultServer, code: int) -> None:
    server.put(DATA, "/stored")
    server.faults = [redirect("/stored", code)]
    assert bytes(ranges(server.url()).read(100, 200)) == DATA[100:200]
    assert [request.path for request in server.requests] == ["/model.gguf", "/stored", "/stored"]


@pytest.mark.parametrize(
    ("faults", "paths"),
    [([status(code)], [FIRST, "/model.gguf", SECOND]) for code in (400, 401, 403, 404, 410)]
    + [([status(503), reset], [FIRST, FIRST, "/model.gguf", SECOND])],
)
def test_a_target_that_expires_or_fails(
    server: FaultServer, waits: list[float], faults: list[Any], paths: list[str]
) -> None:
    server.put(DATA, FIRST)
    server.put(DATA, SECOND)
    server.faults = [redirect(FIRST)]
    file = ranges(server.url())
    server.requests.clear()
    server.faults = [*faults, redirect(SECOND)]
    assert bytes(file.read(100, 200)) == DATA[100:200]
    assert [request.path for request in server.requests] == paths
    server.put(OTHER, SECOND)
    with pytest.raises(FileError, match="was replaced"):
        file.read(100, 200)


def test_a_target_that_always_refuses(server: FaultServer, waits: list[float]) -> None:
    server.put(DATA, "/stored")
    server.faults = [redirect("/stored")]
    file = ranges(server.url())
    server.faults = [status(403), redirect("/stored"), status(403)]
    with pytest.raises(PermissionError):
        file.read(100, 200)
    assert len(server.requests) == 5


def test_redirects_that_never_end(server: FaultServer) -> None:
    server.faults = [redirect("/model.gguf")] * 100
    with pytest.raises(FileError, match="redirects more than 10 times"):
        ranges(server.url())
    assert len(server.requests) == 11


@pytest.mark.parametrize("location", ["file:///etc/passwd", "ftp://host/x", "http://[bad", "data:,x"])
def test_a_redirect_to_something_else(server: FaultServer, waits: list[float], location: str) -> None:
    server.faults = [redirect(location)]
    with pytest.raises(FileError, match="not valid"):
        ranges(server.url())
    assert len(server.requests) == 1
