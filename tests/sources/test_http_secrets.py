"""Credentials for web servers: which servers get them, and where they must not appear."""

import logging
import pickle
import traceback

import httpx
import pytest
from support.commands import run
from support.fault_server import Fault, FaultServer, redirect, reset, stall, status
from support.remote_models import DATA, far, ranges

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.catalog import read_rows
from kaitai_gguf.reading.handle import source_of

SECRET = "hunter2-Sesame"


def with_secrets(url: str) -> str:
    return url.replace("//", f"//user:{SECRET}@") + f"?signature={SECRET}#{SECRET}"


def assert_clean(error: BaseException | None) -> None:
    assert error is not None
    assert SECRET not in "".join(traceback.format_exception(error))
    assert SECRET.encode() not in pickle.dumps(error)
    while error is not None:
        assert not isinstance(error, httpx.HTTPError | httpx.InvalidURL)
        assert SECRET not in f"{error!r} {error} {vars(error)} {error.args}"
        error = error.__cause__ or error.__context__


# Which servers get them


def test_credentials_are_for_the_server_of_the_url(server: FaultServer, other: FaultServer) -> None:
    other.put(DATA, "/stored")
    secrets = {"headers": {"X-Key": SECRET, "Cookie": SECRET}}
    for options in (secrets, secrets | {"token": SECRET}):
        server.faults = [redirect("/next"), redirect(other.url("/stored"))]
        ranges(with_secrets(server.url()), **options).read(100, 200)
    assert len(other.requests) == 4
    assert all(SECRET not in str(request.headers) for request in other.requests)
    assert not any({"authorization", "x-key", "cookie"} & request.headers.keys() for request in other.requests)
    assert all(request.headers["x-key"] == SECRET for request in server.requests)
    assert {request.headers["authorization"].split()[0] for request in server.requests} == {"Basic", "Bearer"}


def test_another_port_or_name_is_another_server(server: FaultServer, other: FaultServer) -> None:
    for each in (server, other):
        each.put(DATA, "/stored")
    for location in (other.url("/stored"), server.url("/stored", "localhost")):
        server.faults = [redirect(location)]
        ranges(server.url(), token=f"{SECRET}\n")  # a token from a file ends with a newline
    assert "authorization" not in other.requests[0].headers
    sent = [request.headers.get("authorization") for request in server.requests]
    assert sent == [f"Bearer {SECRET}", f"Bearer {SECRET}", None]


# Where they must not appear

FAILURES: dict[str, list[Fault]] = {
    "refused": [status(403)],
    "unavailable": [status(503)] * 2,
    "reset": [reset] * 2,
    "stalled": [stall] * 2,
    "many redirects": [redirect(f"/x?key={SECRET}")] * 99,
    "redirected elsewhere": [redirect(f"ftp://user:{SECRET}@host/x?key={SECRET}")],
}


@pytest.mark.parametrize("failure", FAILURES)
def test_no_error_has_credentials(server: FaultServer, waits: list[float], failure: str) -> None:
    server.faults = list(FAILURES[failure])
    options = {"token": SECRET, "headers": {"X-Key": SECRET}, "timeout": 0.1, "retries": 1}
    with pytest.raises(FileError) as caught:
        kaitai_gguf.open(with_secrets(server.put(DATA)), storage_options=options)
    assert_clean(caught.value)


BAD_URLS = [
    f"hf://user:{SECRET}@owner", f"hf://user:{SECRET}@owner/r/m.gguf", f"hf://user:12/{SECRET}@owner/r/m.gguf",
    f"hf://o/r?token={SECRET}", f"hf://o/r#{SECRET}",
    f"http://u:pa/ss{SECRET}@host/x", f"http://u:pa?ss{SECRET}@host/x", f"http://u:pa#ss{SECRET}@host/x",
    f"sftp://u:pa/ss{SECRET}@host/x", f"zip://m.gguf::http://u:pa/ss{SECRET}@host/x", f"http://u:{SECRET}@[host/x",
    f"http://{SECRET}@", f"http://{SECRET}@:80/x", f"http://u:{SECRET}\u2100@h/x",
]  # fmt: skip


@pytest.mark.parametrize("url", BAD_URLS)
def test_no_error_about_a_url_has_its_credentials(url: str, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.DEBUG):
        with pytest.raises(FileError, match="not valid") as caught:
            kaitai_gguf.open(url)
        rows = read_rows(url)
        result = run("info", url)
    assert_clean(caught.value)
    assert (rows["files"].num_rows, result.exit_code) == (1, 2)
    for shown in (str({table: batch.to_pylist() for table, batch in rows.items()}), result.output, caplog.text):
        assert SECRET not in shown


@pytest.mark.parametrize("value", [f"{SECRET}\r\nX: y", f"ü{SECRET}", f"{SECRET}\0"])
def test_a_header_that_can_not_be_sent(server: FaultServer, value: str) -> None:
    for options in ({"headers": {"X-Key": value}}, {"token": value}):
        with pytest.raises(FileError, match="is not valid: check the URL, the headers and the token") as caught:
            ranges(server.url(), **options)
        assert_clean(caught.value)
    assert server.requests == []


def test_names_and_representations(server: FaultServer) -> None:
    with kaitai_gguf.open(with_secrets(server.put(far())), storage_options={"token": SECRET}) as model:
        tensor = model.tensors["blk.0.attn_q.weight"]
        shown = [
            model,
            model.name,
            model.metadata,
            tensor,
            source_of(model),
            source_of(model).ranges,
            model._repr_html_(),
        ]
        assert SECRET not in " ".join(map(repr, shown))
        assert model.name == server.url()
        for item in (model, tensor):
            with pytest.raises(TypeError, match="credentials") as caught:
                pickle.dumps(item)
            assert_clean(caught.value)


def test_logs(server: FaultServer, caplog: pytest.LogCaptureFixture) -> None:
    """httpx logs every URL. Secrets are removed from those of this library, and from no others."""
    server.put(DATA)
    server.put(DATA, f"/stored?signature={SECRET}")
    server.faults = [redirect(f"/stored?signature={SECRET}")]
    with caplog.at_level(logging.DEBUG):
        ranges(with_secrets(server.url()))
    assert "127.0.0.1" in caplog.text
    assert SECRET not in caplog.text
    with caplog.at_level(logging.INFO):
        httpx.get(server.url("/model.gguf?page=2"), trust_env=False)
    assert "page=2" in caplog.text
