"""`kaitai-gguf view`: what the server sends, and which requests it refuses. tests/integration tests the page."""

import os
import re
import signal
import socket
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from support.commands import COMMAND, ENVIRONMENT, fails, output, run
from support.fault_server import File, serving

from cli.conftest import Save
from kaitai_gguf.cli import viewer_server
from kaitai_gguf.cli.served_file import ServedFile
from kaitai_gguf.cli.viewer_server import ViewerServer, served_page, user_of

DATA = bytes(range(256)) * 40
SIZE = len(DATA)

knows_users = pytest.mark.skipif(
    not os.path.exists("/proc/net/tcp"), reason="the system does not tell who has connected"
)


@pytest.fixture
def file(save: Save) -> Path:
    return save(DATA)


@pytest.fixture
def server(file: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ViewerServer]:
    monkeypatch.setattr(viewer_server, "CHUNK", 1000)  # so that a file has several
    with ViewerServer(ServedFile(str(file))) as server:
        yield server


def get(server: ViewerServer, name: str = "file", **headers: str) -> httpx.Response:
    """Request the page or the file with the cookie. Names of headers have underscores instead of hyphens."""
    url = f"http://127.0.0.1:{server.server_port}/{server.folder}/{name}"
    named = {name.replace("_", "-"): value for name, value in headers.items()}
    return httpx.get(url, headers={"Cookie": server.cookie} | named, timeout=10)


def browse(url: str) -> httpx.Client:
    """Open the address that was printed the way a browser does, and return what fetches from the page's folder."""
    browser = httpx.Client(timeout=10)
    page = browser.get(url)
    assert page.status_code == 200
    (refresh,) = re.findall(r'<meta http-equiv="refresh" content="0; url=(/[\w-]{32}/)">', page.text)
    browser.base_url = page.url.join(refresh)
    return browser


def status_of(server: ViewerServer, target: str, *hosts: str) -> int:
    """Send a request with the cookie, which need not be valid. The response must have nothing of the file."""
    lines = [f"GET {target} HTTP/1.1", f"Cookie: {server.cookie}", *(f"Host: {host}" for host in hosts), "", ""]
    with socket.create_connection(("127.0.0.1", server.server_port), 5) as connection:
        connection.sendall("\r\n".join(lines).encode())
        connection.shutdown(socket.SHUT_WR)
        answer = b"".join(iter(lambda: connection.recv(1 << 16), b""))
    assert DATA[:16] not in answer
    return int(answer.split()[1])


# The page


def test_the_page_may_connect_to_its_server_and_nothing_else(server: ViewerServer) -> None:
    answer = get(server, "")
    (meta,) = re.findall(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', answer.text)
    for policy in (meta, answer.headers["Content-Security-Policy"]):
        rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
        assert rules["connect-src"] == "'self'"
        for kind in ("default-src", "base-uri", "form-action", "trusted-types"):
            assert rules[kind] == "'none'"
        for kind in ("script-src", "style-src"):
            assert re.fullmatch(r"'sha256-[A-Za-z0-9+/]{43}='", rules[kind])
    assert answer.headers["Content-Type"] == "text/html; charset=utf-8"
    assert answer.headers["Cache-Control"] == "no-store"
    assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_the_name_of_the_file_is_text() -> None:
    page = served_page('"><script>alert(1)</script>.gguf').content.decode()
    assert "<script>alert" not in page
    assert '<meta name="served-file" content="&quot;&gt;&lt;script&gt;alert(1)' in page


# Refused requests


@pytest.mark.parametrize(
    ("path", "hosts", "status"),
    [
        *((path, ["127.0.0.1:{}"], 404) for path in ("/", "/file", "/wrong/file", "/F", "/F//file", "/F/../F/file")),
        *((path, ["127.0.0.1:{}"], 404) for path in ("/F/%66ile", "/F/file?x")),
        *(("/F/file", [host], 403) for host in ("evil.example:{}", "127.0.0.1:1", "127.0.0.1.evil.example:{}")),
        ("/F/file", ["127.0.0.1:{}", "evil.example"], 403),
        ("/F/file", [], 403),
        ("/" + "a" * 70_000, [], 414),
    ],
    ids=str,
)
def test_refused_requests(server: ViewerServer, path: str, hosts: list[str], status: int) -> None:
    hosts = [host.format(server.server_port) for host in hosts]
    assert status_of(server, path.replace("F", server.folder), *hosts) == status
    assert get(server, Host=f"LOCALHOST:{server.server_port}").content == DATA


def test_only_this_machine_can_connect_and_only_get_is_answered(server: ViewerServer) -> None:
    assert server.socket.getsockname()[0] == "127.0.0.1"
    for method in ("POST", "HEAD", "OPTIONS"):
        assert httpx.request(method, server.url).status_code == 501


# The address that is printed


@knows_users
def test_the_address_is_exchanged_for_a_cookie_once(server: ViewerServer) -> None:
    assert httpx.get(server.url, headers={"Sec-Purpose": "prefetch;prerender"}).status_code == 503
    assert httpx.get(f"{server.url}x").status_code == 404
    answer = httpx.get(server.url)
    cookie, *attributes = answer.headers["Set-Cookie"].split("; ")
    assert cookie == server.cookie
    assert sorted(attributes) == ["HttpOnly", f"Path=/{server.folder}/", "SameSite=Strict"]
    secrets = {server.token, server.folder, server.cookie.removeprefix("viewer=")}
    assert [len(secret) for secret in secrets] == [32] * 3
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert DATA[:16] not in answer.content
    second = httpx.get(server.url)
    assert (second.status_code, "works only once" in second.text) == (403, True)
    assert "Set-Cookie" not in second.headers
    assert not server.is_over.is_set()  # the second one was the same user
    with ViewerServer(server.file) as other:
        assert secrets.isdisjoint({other.token, other.folder, other.cookie.removeprefix("viewer=")})


@pytest.mark.parametrize("name", ["", "file"])
def test_the_page_is_only_for_those_who_have_the_cookie(server: ViewerServer, name: str) -> None:
    for cookie in ("", "viewer=x", f"{server.cookie}x", f"other={server.cookie}"):
        answer = get(server, name, Cookie=cookie)
        assert (answer.status_code, DATA[:16] in answer.content) == (403, False)
    assert get(server, name, Cookie=f"a=b; viewer=x;{server.cookie}").status_code == 200


@knows_users
@pytest.mark.parametrize("family", [socket.AF_INET, socket.AF_INET6])
def test_the_user_who_has_connected(server: ViewerServer, family: socket.AddressFamily) -> None:
    with socket.socket(family) as connection:
        connection.connect(("127.0.0.1" if family == socket.AF_INET else "::ffff:127.0.0.1", server.server_port))
        client = ("127.0.0.1", connection.getsockname()[1])
        assert user_of(client, server.server_address) == os.geteuid()
    assert user_of(("127.0.0.1", 1), server.server_address) is None


def test_other_users_are_refused(
    server: ViewerServer, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4711)
    monkeypatch.setattr(viewer_server, "user_of", lambda *_: 4712)
    answer = httpx.get(server.url)
    assert (answer.status_code, "Set-Cookie" in answer.headers) == (403, False)
    assert "user 4712 of this machine tried to open the address" in capfd.readouterr().err
    monkeypatch.setattr(viewer_server, "user_of", lambda *_: 4711)
    assert browse(server.url).get("file").content == DATA


def test_all_ends_when_another_user_may_have_been_first(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the system does not tell who has connected, the first one may have been another user."""
    monkeypatch.setattr(viewer_server, "user_of", lambda *_: None)
    answers = []

    def open_twice(url: str) -> None:
        stranger = browse(url)
        answers.append(stranger.get("file").content)
        answers.extend([httpx.get(url).status_code, stranger.get("file").status_code])

    monkeypatch.setattr(webbrowser, "open", open_twice)
    result = run("view", file)
    assert answers == [DATA, 403, 403]
    assert result.exit_code == 2
    assert "its address was opened twice, and another user may have been first" in result.stderr


# Ranges


def test_ranges(server: ViewerServer) -> None:
    last = 10**19 - 1
    for text, start, end in (("0-0", 0, 1), ("5-99", 5, 100), ("995-2004", 995, 2005), (f"1-{last}", 1, SIZE)):
        answer = get(server, Range=f"bytes={text}")
        assert (answer.status_code, answer.headers["Content-Range"]) == (206, f"bytes {start}-{end - 1}/{SIZE}")
        assert answer.content == DATA[start:end]
    for text in ("bytes=-", "bytes=-7", "bytes=9-3", "bytes=0-1,3-4", "bytes=0-" + "9" * 5000, "x"):
        answer = get(server, Range=text)
        assert (answer.status_code, answer.content) == (200, DATA)
    assert get(server, Range="bytes=100-").content == DATA[100:]


@pytest.mark.parametrize("size", [0, 9])
def test_a_range_after_the_end(size: int, save: Save) -> None:
    with ViewerServer(ServedFile(str(save(bytes(size))))) as server:
        for last in ("", size, 1048575):
            answer = get(server, Range=f"bytes={size}-{last}")
            assert (answer.status_code, answer.headers["Content-Range"]) == (416, f"bytes */{size}")
        assert (get(server).status_code, get(server).content) == (200, bytes(size))


# Files that change


def test_a_file_that_changes(server: ViewerServer, file: Path, sample: Path, capfd: pytest.CaptureFixture[str]) -> None:
    etag = get(server, Range="bytes=0-9").headers["ETag"]
    assert get(server, Range="bytes=0-9", If_Range=etag).status_code == 206
    new = file.with_name("new")
    new.write_bytes(DATA[::-1])
    new.replace(file)
    answer = get(server, Range="bytes=0-9", If_Range=etag)
    assert (answer.status_code, answer.content) == (200, DATA[::-1])
    assert answer.headers["ETag"] != etag
    file.write_bytes(sample.read_bytes())
    output("set", file, "general.name=other", "--in-place")  # it is not locked
    assert b"other" in get(server).content
    file.unlink()
    answer = get(server, Range="bytes=0-9")
    assert (answer.status_code, "no such file" in answer.text) == (500, True)
    assert "no such file" in capfd.readouterr().err


def test_a_file_that_is_cut_short_while_it_is_sent(save: Save) -> None:
    path = save(bytes(64 << 20))
    with ViewerServer(ServedFile(str(path))) as server:
        with browse(server.url).stream("GET", "file") as answer:
            parts = answer.iter_raw(1 << 16)
            next(parts)
            assert get(server, Range="bytes=0-9").content == bytes(10)  # a slow reader delays nobody
            os.truncate(path, 1000)
            with pytest.raises(httpx.RemoteProtocolError):
                list(parts)
        assert get(server).content == bytes(1000)


def test_ranges_of_a_url() -> None:
    data = os.urandom(3 << 20)
    with serving() as far:
        far.files["/some/model.gguf?key=secret"] = File(data)
        url = far.url("/some/model.gguf").replace("http://", "http://user:password@") + "?key=secret"
        with ViewerServer(ServedFile(url)) as server:
            assert server.file.name == "model.gguf"
            assert get(server, Range="bytes=0-99").content == data[:100]
            assert len(far.requests) == 1  # the first bytes are in memory
            answer = get(server, Range="bytes=2000000-2000099")
            assert answer.content == data[2000000:2000100]
            assert far.requests[-1].span == (2000000, 2000100)
            far.files["/some/model.gguf?key=secret"] = File(data[::-1])
            answer = get(server, Range="bytes=2500000-2500099")
            assert (answer.status_code, "the file was replaced while" in answer.text) == (500, True)


# The command


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such signals")
@pytest.mark.parametrize(("number", "status"), [(signal.SIGINT, 0), (signal.SIGTERM, 143)])
def test_it_serves_the_standard_input_until_it_is_interrupted(number: int, status: int) -> None:
    words, pipe = [*COMMAND, "view", "-", "--no-browser"], subprocess.PIPE
    with subprocess.Popen(words, stdin=pipe, stdout=pipe, stderr=pipe, env=ENVIRONMENT) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(DATA)
        child.stdin.close()
        child.stdin = None
        url = child.stdout.readline().decode().strip()
        assert re.fullmatch(r"http://127\.0\.0\.1:\d+/[\w-]{32}/", url)
        assert browse(url).get("file").content == DATA
        child.send_signal(number)
        errors = child.communicate(timeout=30)[1]
    assert (child.returncode, errors) == (status, b"")


def test_it_opens_the_browser(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    opened = []

    def open_browser(url: str) -> bool:
        opened.append((url, browse(url).get("file").content))
        raise KeyboardInterrupt

    monkeypatch.setattr(webbrowser, "open", open_browser)
    result = run("view", file)
    assert (result.exit_code, result.stderr) == (0, "")
    assert opened == [(result.stdout.splitlines()[0], DATA)]


def test_what_can_not_be_served(server: ViewerServer, file: Path) -> None:
    message = f"can't listen on 127.0.0.1, port {server.server_port}: Address already in use"
    fails(message, "view", file, "--no-browser", "--port", server.server_port)
    for path in ("no-such-file", ".", "hf://owner/no-path"):
        fails("kaitai-gguf: ", "view", path, "--no-browser")
