"""The Hugging Face Hub: revisions, commits, tokens."""

import pickle

import pytest
from support.fault_server import FaultServer, redirect, status
from support.remote_models import DATA, far, ranges

import kaitai_gguf
from kaitai_gguf.reading.handle import source_of

SECRET = "hunter2-Sesame"
COMMITS = "a" * 40, "b" * 40
URL = "hf://owner/repository/model.gguf"


@pytest.fixture
def hub(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> FaultServer:
    monkeypatch.setenv("HF_ENDPOINT", server.url(""))
    monkeypatch.setenv("HF_TOKEN", SECRET)
    return server


def push(hub: FaultServer, commit: str, data: bytes) -> None:
    for revision in ("main", commit):
        hub.put(data, f"/owner/repository/resolve/{revision}/model.gguf", headers={"X-Repo-Commit": commit})


def test_the_first_commit_is_kept(hub: FaultServer) -> None:
    push(hub, COMMITS[0], far("before"))
    model = kaitai_gguf.open(URL)
    tensor = model.tensors["blk.0.attn_q.weight"]
    expected, pickled = tensor.data, pickle.dumps((model, tensor))
    push(hub, COMMITS[1], far("after!"))
    assert (tensor.data == expected).all()
    copy, tensor = pickle.loads(pickled)
    assert copy.metadata["general.name"] == "before"
    assert (tensor.data == expected).all()
    assert source_of(copy).ranges.version == COMMITS[0]
    assert copy.name.endswith("/model.gguf")
    revisions = [request.path.split("/")[4] for request in hub.requests]
    assert (revisions[0], set(revisions[1:])) == ("main", {COMMITS[0]})
    assert all(request.headers["authorization"] == f"Bearer {SECRET}" for request in hub.requests)
    assert SECRET.encode() not in pickled


def test_the_commit_is_kept_when_a_target_expires(hub: FaultServer, waits: list[float]) -> None:
    hub.put(DATA, "/stored")
    hub.faults = [redirect("/stored", X_Repo_Commit=COMMITS[0])]
    file = ranges(URL)
    hub.faults = [status(403), redirect("/stored")]
    file.read(100, 200)
    assert hub.requests[3].path == f"/owner/repository/resolve/{COMMITS[0]}/model.gguf"


def test_another_server_does_not_speak_for_the_hub(hub: FaultServer, other: FaultServer) -> None:
    other.put(DATA, "/stored", headers={"X-Repo-Commit": COMMITS[1]})
    hub.faults = [redirect(other.url("/stored"))] * 2
    assert ranges(URL).version == other.files["/stored"].etag
    other.faults = [status(404, X_Error_Code="RepoNotFound", X_Error_Message="buy this")]
    with pytest.raises(FileNotFoundError, match="no such file") as caught:
        ranges(URL)
    assert "buy" not in str(caught.value)


Refusal = tuple[int, str | None, str | None, type[OSError], str]
REFUSALS: list[Refusal] = [
    (404, "RevisionNotFound", "Invalid rev id: v9", FileNotFoundError, "no such revision"),
    (404, "EntryNotFound", "Entry not found", FileNotFoundError, "no such file"),
    (404, "RepoNotFound", "Repository not found", FileNotFoundError, "no such repository, or it is private"),
    (401, "RepoNotFound", "Invalid username or password.", PermissionError, "no such repository, or it is private"),
    (403, "GatedRepo", "Access to model is restricted.", PermissionError, "the model is gated: accept its terms"),
    (401, None, "Invalid credentials in Authorization header", PermissionError, "the model may be private or gated"),
    (404, None, None, FileNotFoundError, "no such file"),
]


@pytest.mark.parametrize("token", ["", SECRET])
@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: f"{refusal[0]} {refusal[1]}")
def test_what_the_hub_says(hub: FaultServer, monkeypatch: pytest.MonkeyPatch, token: str, refusal: Refusal) -> None:
    code, name, words, kind, problem = refusal
    monkeypatch.setenv("HF_TOKEN", token)
    monkeypatch.setenv("HF_TOKEN_PATH", "/does/not/exist")
    facts = {"X_Error_Code": name, "X_Error_Message": words and f"{words} {token}"}
    hub.faults = [status(code, **{key: value for key, value in facts.items() if value})]
    with pytest.raises(kind) as caught:
        ranges(f"{URL}@v9")
    message = str(caught.value)
    assert message.startswith(f"{URL}@v9: {problem}")
    assert words is None or words in message
    assert ("set HF_TOKEN" in message) == (kind is PermissionError and not token)
    assert ("the token that was sent" in message) == (kind is PermissionError and bool(token))
    assert SECRET not in message
    assert len(hub.requests) == 1
