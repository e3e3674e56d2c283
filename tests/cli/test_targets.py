"""Files that commands write: which ones they refuse, in dry runs too, and how messages name them."""

import errno
import fcntl
import os
import shutil
from collections.abc import Callable
from itertools import product
from pathlib import Path

import click
import pytest
from support.commands import output, run, strict_json

import kaitai_gguf
from cli.conftest import MODELS, SPLIT

OTHER_WRITERS = [
    ["hash", "model.gguf", "-o"],
    ["metadata", "model.gguf", "general.architecture", "-o"],
]
WRITERS = [  # one for each way to write a file
    ["set", "model.gguf", "general.name=x", "-o"],
    ["copy", "model.gguf", "-o"],
    ["merge", str(SPLIT[0]), "-o"],
    *OTHER_WRITERS,
    ["export", "model.gguf", "--tensors", "output.weight", "-o"],
    ["schema", "-o"],
]
SUFFIXES = {"export": ".npy"}

of_all = pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])
with_and_without_dry_run = pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=" ".join)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


@pytest.fixture
def protect(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that protects a path from being written, for root too."""
    protected, access = set(), os.access

    def is_allowed(path: Path, mode: int) -> bool:
        return access(path, mode) and (Path(path).resolve() not in protected or not mode & os.W_OK)

    monkeypatch.setattr(os, "access", is_allowed)
    return lambda path: protected.add(Path(path).resolve())


def fails(line: str, *command: object) -> None:
    """Assert that a command prints one line and writes nothing."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = run(*map(str, command))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"kaitai-gguf: {line}\n")
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def target_of(command: list[str], name: str) -> str:
    return name + SUFFIXES.get(command[0], "")


# Paths that are refused


@of_all
@with_and_without_dry_run
def test_paths_that_are_refused(command: list[str], options: list[str], protect: Callable[[str], None]) -> None:
    existing, new = target_of(command, "existing"), target_of(command, "sub/new")
    Path(existing).write_text("mine")
    Path("sub").mkdir()
    fails(f"{existing}: already exists; --force overwrites it", *command, existing, *options)
    fails("no/such: no such folder", *command, target_of(command, "no/such/x"), *options)
    fails("model.gguf: is not a folder", *command, target_of(command, "model.gguf/x"), *options)
    fails("no/..: no such folder", *command, target_of(command, "no/../x"), *options)
    fails("the path to write to is empty", *command, "", *options)
    result = run(*command, "-", *options)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "specify a file name; this command can't write to -, the standard output" in result.stderr
    if command[0] not in ("export", "schema"):
        for target in ("sub", "sub/", "new/", "."):
            fails(f"{target}: is a folder: specify the name of a file", *command, target, *options)
    assert run(*command, existing, *options, "--force").exit_code == 0
    protect(existing)
    fails(f"{existing}: no permission to write the file", *command, existing, "--force", *options)
    protect("sub")
    fails(f"{new}: no file can be created in its folder, which is write-protected", *command, new, *options)


@with_and_without_dry_run
def test_a_prefix_that_is_not_valid(options: list[str], protect: Callable[[str], None]) -> None:
    split = ["split", "model.gguf", "--max-tensors", "100", *options, "-o"]
    for prefix in (".", "..", "opt/", "opt/.", "../"):
        fails(f"{prefix}: is a folder: add a prefix for the names of the files", *split, prefix)
    fails("the path to write to is empty", *split, "")
    fails("no: no such folder", *split, "no/x")
    Path("x-00001-of-00001.gguf").write_text("mine")
    fails("x-00001-of-00001.gguf: already exists; --force overwrites it", *split, "x")
    protect(".")
    fails("y-00001-of-00001.gguf: no file can be created in its folder, which is write-protected", *split, "y")


# URLs


@of_all
def test_a_file_url(command: list[str], folder: Path) -> None:
    target, model = folder / target_of(command, "new"), (folder / "model.gguf").as_uri()
    command = [model if word == "model.gguf" else word for word in command]
    assert run(*command, target.as_uri()).exit_code == 0
    assert target.exists()


def test_file_urls_of_several_files_and_in_place(folder: Path) -> None:
    model, prefix = (folder / "model.gguf").as_uri(), (folder / "x").as_uri()
    assert run("set", model, "general.name=x", "--in-place").exit_code == 0
    assert run("convert-endian", model, "--in-place", "--json").exit_code == 0
    assert run("split", model, "--max-tensors", "5", "-o", prefix, "--json").exit_code == 0
    assert run("export", model, "-o", (folder / "out").as_uri()).exit_code == 0
    assert len(list(Path("out").iterdir())) == 12
    with kaitai_gguf.open("x-00001-of-00003.gguf") as shards:
        assert (shards.metadata["general.name"], shards.byte_order) == ("x", "big")


# The file that is read


@pytest.mark.parametrize("command", OTHER_WRITERS, ids=lambda command: command[0])
def test_the_input_is_not_replaced_by_something_else(command: list[str]) -> None:
    Path("link.svg").symlink_to("model.gguf")
    os.link("model.gguf", "model.svg")
    for target, options in product(("link.svg", "model.svg"), ([], ["--force"], ["--force", "--dry-run"])):
        fails(f"{target}: is an input of this command: write to another file", *command, target, *options)


def test_only_a_model_replaces_its_input() -> None:
    first, _, third = (shutil.copy(path, ".") for path in SPLIT)
    fails(f"{third}: is an input of this command: write to another file", "hash", first, "-o", third, "--force")
    Path("model.gguf").rename("x.npy")
    export = ["export", "x.npy", "--tensors", "output.weight", "-o", "x.npy", "--force"]
    fails("x.npy: is an input of this command: write to another file", *export)
    output("copy", "x.npy", "-o", "x.npy", "--force")


# Links, and write protection


@of_all
def test_a_link_is_followed(command: list[str]) -> None:
    link, target = Path(target_of(command, "link")), Path("target")
    link.symlink_to(target)
    fails(f"{link}: already exists; --force overwrites it", *command, link)  # even if it leads nowhere yet
    target.write_text("old")
    assert run(*command, link, "--force").exit_code == 0
    assert link.is_symlink()
    assert target.read_bytes() not in (b"", b"old")


@pytest.mark.parametrize("command", [["set", "general.name=x"], ["convert-endian"]], ids=lambda words: words[0])
@with_and_without_dry_run
def test_files_that_can_not_be_changed_in_place(
    command: list[str], options: list[str], protect: Callable[[str], None]
) -> None:
    path = Path("model.gguf").rename("0" * 64)
    words = [command[0], path, *command[1:], "--in-place", *options]
    result = run(*words)
    assert (result.exit_code, "is named by the hash of its bytes" in result.stderr) == (2, True)
    assert result.stderr.endswith("write another file, or give --force to change this one\n")
    assert run(*words, "--force").exit_code == 0
    words[1] = path.rename("model.gguf")
    protect(".")
    fails("model.gguf: no file can be created in its folder, which is write-protected", *words)
    protect("model.gguf")
    fails("model.gguf: no permission to write the file", *words)


# Dry runs refuse what the real run refuses


@with_and_without_dry_run
def test_a_file_that_is_open_elsewhere(options: list[str]) -> None:
    rename = ["rename-tensor", "model.gguf", "output.weight", "output.weighx", "--in-place", *options]
    with Path("model.gguf").open("rb") as file:
        fcntl.flock(file, fcntl.LOCK_SH)
        fails("model.gguf: is open in another program: close it, or give --rewrite", *rename)
        if options:
            assert run(*rename, "--rewrite").exit_code == 0
    before = Path("model.gguf").read_bytes()
    assert run(*rename).exit_code == 0
    assert (Path("model.gguf").read_bytes() == before) == bool(options)


@with_and_without_dry_run
def test_changes_of_shards_that_are_refused(options: list[str]) -> None:
    first, second, _ = paths = [shutil.copy(path, ".") for path in SPLIT]
    for words, *command in (
        ("is not the first shard", "set", second, "general.name=x", "--in-place"),
        ("the model could not be opened with this change", "unset", first, "split.count", "--in-place"),
        ("the model could not be opened with this change", "convert-endian", second, "--in-place"),
        ("is one of the 3 shards that the model is read from", "merge", second, "--output", second, "--force"),
    ):
        result = run(*command, *options)
        assert (result.exit_code, words in result.stderr) == (2, True)
    assert [Path(path).read_bytes() for path in paths] == [path.read_bytes() for path in SPLIT]
    assert run("set", second, "general.name=x", "--dry-run").exit_code == 0


def test_a_dry_run_prints_the_path(folder: Path) -> None:
    assert output("schema", "-o", "new.svg", "--dry-run") == "new.svg\n"
    words = ["hash", "model.gguf", "-o", "new.svg", "--dry-run"]
    assert output(*words) == "new.svg\n"
    assert strict_json(output(*words, "--json")) == {"written": None}
    assert [path.name for path in folder.iterdir()] == ["model.gguf"]


# Files that are read besides the model


def test_other_files_that_can_not_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    template = ["set", "model.gguf", "--dry-run", "--chat-template"]
    check = ["hash", "model.gguf", "--check"]
    fails("the path to read is empty", *template, "")
    for command in (template, check):
        fails("none: no such file", *command, "none")
    monkeypatch.setattr(click, "open_file", refuse)
    for command in (template, check):
        fails("model.gguf: no permission to read the file", *command, "model.gguf")
