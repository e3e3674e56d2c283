"""Common behaviour of the commands that edit a file, and the commands unset, rename-key and rename-tensor."""

from pathlib import Path

import pytest
from support.commands import cells, fails, output, refused, run, strict_json

import kaitai_gguf
from cli.conftest import Save
from cli.edited import DATA, small, types, value


@pytest.fixture
def path(save: Save) -> Path:
    return small(save)


def test_unset(path: Path) -> None:
    assert output("unset", path, "x.scale", "x.list", "--in-place") == (
        "what\tname\tchange\nkey\tx.scale\tremoved: float32 0.5\nkey\tx.list\tremoved: int8[2] [1, 2]\n"
    )
    fails("no key 'x.scale' in the metadata", "unset", path, "x.flag", "x.scale", "--in-place")
    fails("; did you mean 'llama.context_length'?", "unset", path, "llama.contextlength", "--in-place")
    fails("no key matches 'y.*'", "unset", path, "llama.*", "y.*", "--in-place", status=1)
    assert list(types(path)) == ["general.architecture", "general.name", "llama.context_length", "x.flag", "x.texts"]
    output("unset", path, "x.*", "x.flag", "general.n?me", "--in-place")
    assert list(types(path)) == ["general.architecture", "llama.context_length"]


def test_rename_key(path: Path) -> None:
    before, names = types(path), ["x.list", "llama.x_list"]
    row = {"what": "key", "before": "x.list", "after": "llama.x_list"}
    changes = strict_json(output("rename-key", path, *names, "--dry-run", "--json"))["changes"]
    assert (changes["same"], changes["keys"], changes["renamed"]) == (False, [], [row])
    assert cells(output("rename-key", path, *names, "--in-place")) == [["key", "x.list", "renamed to llama.x_list"]]
    assert list(types(path).items()) == [(key.replace("x.list", "llama.x_list"), type) for key, type in before.items()]
    assert value(path, "llama.x_list") == [1, 2]
    words = "no key 'lama.x_list' in the metadata; did you mean 'llama.x_list'?"
    fails(words, "rename-key", path, "lama.x_list", "z", "--in-place")
    fails("key 'llama.x_list'", "rename-key", path, "llama.x_list", "x.flag", "--in-place")
    result = run("rename-key", path, "llama.context_length", "context_len", "--dry-run")
    assert "the key 'context_len' is not documented, and does not begin with the architecture" in result.stderr


def test_rename_tensor(path: Path) -> None:
    assert cells(output("rename-tensor", path, "a", "b", "--in-place")) == [["tensor", "a", "renamed to b"]]
    with kaitai_gguf.open(path) as model:
        assert [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()] == [("b", DATA)]
    fails("no tensor 'a' in the file", "rename-tensor", path, "a", "c", "--in-place")
    fails("no tensor 'B' in the file; did you mean 'b'?", "rename-tensor", path, "B", "c", "--in-place")


each = pytest.mark.parametrize(
    "command",
    [["set", "general.name=other"], ["unset", "x.flag"], ["rename-key", "x.flag", "x.x"], ["rename-tensor", "a", "b"]],
    ids=lambda command: command[0],
)


@each
def test_output_in_place_and_dry_runs(command: list[str], path: Path) -> None:
    name, *arguments = command
    before, target = path.read_bytes(), path.with_name("other.gguf")
    fails("specify --output FILE or --in-place", name, path, *arguments)
    fails("can't be given together", name, path, *arguments, "--in-place", "--output", "x")
    fails("--rewrite needs --in-place", name, path, *arguments, "--output", target, "--rewrite")
    wheres = ([], ["--in-place"], ["--output", target])
    printed = {run(name, path, *arguments, "--dry-run", *where).stdout for where in wheres}
    assert list(path.parent.iterdir()) == [path]
    assert run(name, path, *arguments, "--output", target).stdout in printed
    assert path.read_bytes() == before
    assert run(name, path, *arguments, "--in-place").stdout in printed
    assert path.read_bytes() == target.read_bytes() != before
    assert len(printed) == 1


def test_what_was_written_is_read_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kaitai_gguf.Editor, "commit", lambda *_, **__: None)  # like a disk that loses the write
    refused(run("unset", path, "x.flag", "--in-place"), "the header was not written correctly")


@pytest.mark.parametrize("command", [["set", "general.name=Sample"], ["rename-key", "x.flag", "x.flag"]])
def test_nothing_to_change(command: list[str], path: Path) -> None:
    before = path.stat().st_mtime_ns
    result = run(command[0], path, *command[1:], "--in-place")
    assert (result.exit_code, result.stdout, path.stat().st_mtime_ns) == (0, "", before)
    assert result.stderr.endswith("kaitai-gguf: nothing changes\n")
