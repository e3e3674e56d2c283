"""Common behaviour of the commands that edit a file, and the commands unset, rename-key and rename-tensor."""

from pathlib import Path

import pytest
from click.testing import Result
from support.commands import cells, output, refused, run

import kaitai_gguf
from cli.conftest import Save
from cli.edited import DATA, small, types, value


@pytest.fixture
def path(save: Save) -> Path:
    return small(save)


# Keys and tensors


def test_unset(path: Path) -> None:
    assert output("unset", path, "x.scale", "x.list", "--in-place") == (
        "what\tname\tchange\nkey\tx.scale\tremoved: float32 0.5\nkey\tx.list\tremoved: int8[2] [1, 2]\n"
    )
    assert list(types(path)) == ["general.architecture", "general.name", "llama.context_length", "x.flag", "x.texts"]
    before = path.read_bytes()
    refused(run("unset", path, "x.flag", "x.scale", "--in-place"), "no key 'x.scale' in the metadata")
    assert path.read_bytes() == before


def test_unset_with_patterns(path: Path) -> None:
    output("unset", path, "x.*", "x.flag", "general.n?me", "--in-place")
    assert list(types(path)) == ["general.architecture", "llama.context_length"]
    before = path.read_bytes()
    result = run("unset", path, "llama.*", "x.*", "--in-place")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no key matches 'x.*'" in result.stderr
    refused(run("unset", path, "llama.contextlength", "--in-place"), "; did you mean 'llama.context_length'?")
    assert path.read_bytes() == before


def test_rename_key(path: Path) -> None:
    before = types(path)
    assert cells(output("rename-key", path, "x.list", "llama.x_list", "--in-place")) == [
        ["key", "x.list", "renamed to llama.x_list"],
    ]
    renamed = types(path)
    assert list(renamed) == [key.replace("x.list", "llama.x_list") for key in before]
    assert list(renamed.values()) == list(before.values())
    assert value(path, "llama.x_list") == [1, 2]
    words = "no key 'lama.x_list' in the metadata; did you mean 'llama.x_list'?"
    refused(run("rename-key", path, "lama.x_list", "z", "--in-place"), words)
    refused(run("rename-key", path, "llama.x_list", "x.flag", "--in-place"), "key 'llama.x_list'")


def test_rename_key_to_one_that_is_not_documented(path: Path) -> None:
    result = run("rename-key", path, "llama.context_length", "context_len", "--dry-run")
    assert result.exit_code == 0
    assert "the key 'context_len' is not documented, and does not begin with the architecture" in result.stderr


def test_rename_tensor(path: Path) -> None:
    assert output("rename-tensor", path, "a", "b", "--in-place").splitlines()[1:] == [
        "tensor\ta\trenamed to b",
    ]
    with kaitai_gguf.open(path) as model:
        assert [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()] == [("b", DATA)]
    refused(run("rename-tensor", path, "a", "c", "--in-place"), "no tensor 'a' in the file")
    refused(run("rename-tensor", path, "B", "c", "--in-place"), "no tensor 'B' in the file; did you mean 'b'?")


# Where the result is written


COMMANDS = [
    ["set", "general.name=other"],
    ["unset", "x.flag"],
    ["rename-key", "x.flag", "llama.x_other"],
    ["rename-tensor", "a", "b"],
]
each = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


def change(command: list[str], path: Path, *options: object) -> Result:
    return run(command[0], path, *command[1:], *options)


@each
def test_it_wants_to_be_told_where(command: list[str], path: Path) -> None:
    before = path.read_bytes()
    refused(change(command, path), "specify --output FILE or --in-place")
    refused(change(command, path, "--in-place", "--output", "x"), "can't be given together")
    assert path.read_bytes() == before


@each
def test_another_file(command: list[str], path: Path, tmp_path: Path) -> None:
    before, target = path.read_bytes(), tmp_path / "other.gguf"
    assert change(command, path, "--output", target).exit_code == 0
    written = target.read_bytes()
    assert path.read_bytes() == before != written
    assert set(tmp_path.iterdir()) == {path, target}


@each
@pytest.mark.parametrize("where", [[], ["--in-place"], ["--output", "{folder}/other"]], ids=" ".join)
def test_a_dry_run_says_the_same_and_writes_nothing(command: list[str], path: Path, where: list[str]) -> None:
    before = path.read_bytes()
    result = change(command, path, "--dry-run", *(word.format(folder=path.parent) for word in where))
    assert (result.exit_code, result.stderr) == (0, "")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
    assert change(command, path, "--in-place").stdout == result.stdout


@each
def test_what_was_written_is_read_back(command: list[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def commit(*_: object, **__: object) -> None:
        pass  # simulates a disk that loses the write

    monkeypatch.setattr(kaitai_gguf.Editor, "commit", commit)
    refused(change(command, path, "--in-place"), "the header was not written correctly")


def test_nothing_to_change(path: Path) -> None:
    before = path.stat().st_mtime_ns
    for command in (["set", path, "general.name=Sample"], ["rename-key", path, "x.flag", "x.flag"]):
        result = run(*map(str, command), "--in-place")
        assert (result.exit_code, result.stdout) == (0, "")
        assert result.stderr.endswith("kaitai-gguf: nothing changes\n")
    assert path.stat().st_mtime_ns == before
