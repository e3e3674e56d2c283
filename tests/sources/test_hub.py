"""The Hugging Face Hub: revisions, commits, tokens."""

import pickle

import pytest
from support.fault_server import FaultServer, redirect, serving, status
from support.remote_models import DATA, far, ranges

import kaitai_gguf
from kaitai_gguf import FileError

OTHER = DATA[::-1]
SECRET = "hunter2-Sesame"

COMMITS = "a" * 40, "b" * 40


@pytest.fixture
def hub(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> FaultServer:
    monkeypatch.setenv("HF_ENDPOINT", server.url(""))
    monkeypatch.setenv("HF_TOKEN", SECRET)
    return server


def push(hub: FaultServer, commit: str, data: bytes, name: str = "model.gguf") -> None:
    for revision in ("main", commit):
        hub.put(data, f"/owner/repository/resolve/{revision}/{name}", headers={"X-Repo-Commit": commit})


def test_the_first_commit_is_kept(hub: FaultServer) -> None:
    push(hub, COMMITS[0], DATA)
    file = ranges("hf://owner/repository/model.gguf")
    push(hub, COMMITS[1], OTHER)
    assert bytes(file.read(100, 200)) == DATA[100:200]
    assert [request.path.split("/")[4] for request in hub.requests] == ["main", COMMITS[0]]
    assert file.version == COMMITS[0]
    assert all(request.headers["authorization"] == f"Bearer {SECRET}" for request in hub.requests)


def test_the_commit_is_kept_when_a_target_expires(hub: FaultServer, waits: list[float]) -> None:
    hub.put(DATA, "/stored")
    hub.faults = [redirect("/stored", X_Repo_Commit=COMMITS[0])]
    file = ranges("hf://owner/repository/model.gguf")
    hub.faults = [status(403), redirect("/stored")]
    file.read(100, 200)
    assert hub.requests[3].path == f"/owner/repository/resolve/{COMMITS[0]}/model.gguf"


def test_another_server_does_not_speak_for_the_hub(hub: FaultServer) -> None:
    with serving() as other:
        other.put(DATA, "/stored", headers={"X-Repo-Commit": COMMITS[1]})
        hub.faults = [redirect(other.url("/stored"))]
        assert ranges("hf://owner/repository/model.gguf").version == other.files["/stored"].etag
        hub.faults = [redirect(other.url("/stored"))]
        other.faults = [status(404, X_Error_Code="RepoNotFound", X_Error_Message="buy this")]
        with pytest.raises(FileNotFoundError, match="no such file") as caught:
            ranges(URL)
    assert "buy" not in str(caught.value)


@pytest.mark.parametrize("url", ["hf://owner/repository@v1/a b/model.gguf", "hf://owner/repository/a b/model.gguf@v1"])
def test_a_revision(hub: FaultServer, url: str) -> None:
    hub.put(DATA, "/owner/repository/resolve/v1/a%20b/model.gguf")
    assert ranges(url).start == DATA[:100]


URL = "hf://owner/repository/model.gguf@v9"
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


@pytest.mark.parametrize("token", [None, SECRET])
@pytest.mark.parametrize("refusal", REFUSALS, ids=lambda refusal: f"{refusal[0]} {refusal[1]}")
def test_what_the_hub_says(
    hub: FaultServer, monkeypatch: pytest.MonkeyPatch, token: str | None, refusal: Refusal
) -> None:
    code, name, words, kind, problem = refusal
    monkeypatch.setenv("HF_TOKEN", token or "")
    monkeypatch.setenv("HF_TOKEN_PATH", "/does/not/exist")
    facts = {"X_Error_Code": name, "X_Error_Message": words and f"{words} {token or ''}"}
    hub.faults = [status(code, **{key: value for key, value in facts.items() if value})]
    with pytest.raises(kind) as caught:
        ranges(URL)
    message = str(caught.value)
    assert message.startswith(f"{URL}: {problem}")
    assert words is None or words in message
    assert ("set HF_TOKEN" in message) == (kind is PermissionError and token is None)
    assert ("the token that was sent" in message) == (kind is PermissionError and token is not None)
    assert SECRET not in message
    assert len(hub.requests) == 1


def test_the_commit_is_kept_in_a_pickle(hub: FaultServer) -> None:
    push(hub, COMMITS[0], far("before"))
    with kaitai_gguf.open("hf://owner/repository/model.gguf") as model:
        tensor, expected = model.tensors["blk.0.attn_q.weight"], model.tensors["blk.0.attn_q.weight"].data
        pickled = pickle.dumps((model, tensor))
    push(hub, COMMITS[1], far("after!"))
    copy, tensor = pickle.loads(pickled)
    assert SECRET.encode() not in pickled
    assert copy.metadata["general.name"] == "before"
    assert (tensor.data == expected).all()
    assert copy.name.endswith("/model.gguf")


def test_a_pickle_of_a_file_that_was_replaced(server: FaultServer) -> None:
    with kaitai_gguf.open(server.put(far("before")), storage_options={"timeout": 7, "retries": 1}) as model:
        pickled = pickle.dumps(model)
    assert pickle.loads(pickled).source.reopening().options == (("timeout", 7), ("retries", 1))
    server.put(far("after!"))
    with pytest.raises(FileError, match="changed since the model was pickled"):
        pickle.loads(pickled)
