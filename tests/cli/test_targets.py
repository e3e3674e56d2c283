"""Files that commands write: which ones they refuse, in dry runs too, and how messages name them."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.commands import output, run

import kaitai_gguf
from cli.conftest import MODELS
from kaitai_gguf.writing.atomic import Staging

SHARD = MODELS / "split5-00001-of-00003.gguf"

MODEL_WRITERS = [
    ["set", "model.gguf", "general.name=x", "-o"],
    ["unset", "model.gguf", "general.architecture", "-o"],
    ["copy", "model.gguf", "-o"],
    ["convert", "model.gguf", "--version", "2", "-o"],
    ["convert-endian", "model.gguf", "-o"],
    ["merge", str(SHARD), "-o"],
]
OTHER_WRITERS = [
    ["hash", "model.gguf", "-o"],
    ["metadata", "model.gguf", "general.architecture", "-o"],
    ["explain", "model.gguf", "--svg"],
    ["export", "model.gguf", "--tensors", "output.weight", "-o"],
]
PLOT = ["tensor", "model.gguf", "output.weight", "--plot"]
WRITERS = [*MODEL_WRITERS, *OTHER_WRITERS, ["schema", "-o"]]
SUFFIXES = {"explain": ".svg", "export": ".npy"}

of_all = pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])
with_and_without_dry_run = pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=" ".join)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with a model."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(MODELS / "split-source.gguf", "model.gguf")
    return tmp_path


def fails(line: str, *command: object) -> None:
    """Assert that a command prints one line and writes nothing."""
    before = {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()}
    result = run(*map(str, command))
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", f"kaitai-gguf: {line}\n")
    assert {path: path.read_bytes() for path in Path().rglob("*") if path.is_file()} == before


def target_of(command: list[str], name: str) -> str:
    return name + SUFFIXES.get(command[0], "")


@of_all
@with_and_without_dry_run
def test_an_existing_file(command: list[str], options: list[str]) -> None:
    target = target_of(command, "there")
    Path(target).write_text("mine")
    fails(f"{target}: already exists; --force overwrites it", *command, target, *options)
    assert run(*command, target, *options, "--force").exit_code == 0


@of_all
@with_and_without_dry_run
def test_a_folder_that_does_not_exist(command: list[str], options: list[str]) -> None:
    fails("no/such: no such folder", *command, target_of(command, "no/such/x"), *options)
    fails("model.gguf: is not a folder", *command, target_of(command, "model.gguf/x"), *options)
    fails("no/..: no such folder", *command, target_of(command, "no/../x"), *options)


@with_and_without_dry_run
def test_shards_that_exist_or_have_no_folder(options: list[str]) -> None:
    split = ["split", "model.gguf", "--max-tensors", "100", *options, "-o"]
    Path("x-00001-of-00001.gguf").write_text("mine")
    fails("x-00001-of-00001.gguf: already exists; --force overwrites it", *split, "x")
    fails("no: no such folder", *split, "no/x")


@of_all
def test_an_empty_path(command: list[str]) -> None:
    fails("the path to write to is empty", *command, "")


def test_a_name_that_is_too_long() -> None:
    name = "x" * 256
    for target in (f"{name}.npz", f"{name}/", name):
        fails(f"{target.rstrip('/')}: File name too long", "export", "model.gguf", "-o", target)


def test_an_empty_prefix_folder_or_catalog() -> None:
    for command in (["split", "model.gguf", "--max-tensors", "5"], ["export", "model.gguf"], ["catalog", "model.gguf"]):
        fails("the path to write to is empty", *command, "-o", "")


@pytest.mark.parametrize("prefix", [".", "..", "opt/", "opt/.", "../"])
@with_and_without_dry_run
def test_a_prefix_that_is_a_folder(prefix: str, options: list[str]) -> None:
    line = f"{prefix}: is a folder: add a prefix for the names of the files"
    fails(line, "split", "model.gguf", "--max-tensors", "5", "-o", prefix, *options)


@of_all
@with_and_without_dry_run
def test_a_file_url(command: list[str], options: list[str], folder: Path) -> None:
    target = folder / target_of(command, "new")
    model = (folder / "model.gguf").as_uri()
    command = [model if word == "model.gguf" else word for word in command]
    assert run(*command, target.as_uri(), *options).exit_code == 0
    assert target.exists() == (not options)


def test_file_urls_of_several_files_and_in_place(folder: Path) -> None:
    model, prefix = (folder / "model.gguf").as_uri(), (folder / "x").as_uri()
    assert run("set", model, "general.name=x", "--in-place").exit_code == 0
    assert run("convert-endian", model, "--in-place", "--json").exit_code == 0
    assert run("split", model, "--max-tensors", "5", "-o", prefix, "--json").exit_code == 0
    assert run("export", model, "-o", (folder / "out").as_uri()).exit_code == 0
    assert len(list(Path("out").iterdir())) == 12
    with kaitai_gguf.open("x-00001-of-00003.gguf") as shards:
        assert (shards.metadata["general.name"], shards.byte_order) == ("x", "big")
    Path("x-00003-of-00003.gguf").unlink()
    shard = (folder / "x-00001-of-00003.gguf").as_uri()
    assert "shard-missing" in run("check", shard).stdout
    assert "shard-missing" in {finding.rule for finding in kaitai_gguf.check(shard)}
    assert "reading this file alone" in run("tensors", shard).stderr


@pytest.mark.parametrize(
    "command",
    [*MODEL_WRITERS, *OTHER_WRITERS[:3], ["tensor", "model.gguf", "output.weight", "--plot"]],
    ids=lambda command: command[0],
)
@with_and_without_dry_run
def test_a_file_that_is_a_folder(command: list[str], options: list[str]) -> None:
    Path("sub").mkdir()
    for target in ("sub", "sub/", "new/", "."):
        fails(f"{target}: is a folder: specify the name of a file", *command, target, *options)


def test_a_map_of_a_broken_file_is_named() -> None:
    Path("broken.gguf").write_bytes(Path("model.gguf").read_bytes()[:100])
    result = run("explain", "broken.gguf", "--svg", "map.svg")
    assert (result.exit_code, result.stdout, result.stderr.count("\n")) == (2, "", 1)
    assert result.stderr.endswith("; map.svg was written\n")
    assert Path("map.svg").exists()


@pytest.mark.parametrize(
    ("command", "written"),
    [
        (["set", "model.gguf", "general.name=x", "-o", "new.gguf"], "new.gguf was written"),
        (["set", "model.gguf", "general.name=x", "--in-place"], "model.gguf was written"),
        (["convert", "model.gguf", "--version", "2", "-o", "new.gguf"], "new.gguf was written"),
        (["split", "model.gguf", "--max-tensors", "5", "-o", "x"], "3 files were written: x-00001-of-00003.gguf …"),
        (["export", "model.gguf", "-o", "new.npz"], "new.npz was written"),
    ],
    ids=lambda each: each[0] if isinstance(each, list) else "",
)
def test_an_interrupt_right_after_files_appear(
    command: list[str], written: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    commit = Staging.commit

    def interrupted(staging: Staging) -> None:
        commit(staging)
        raise KeyboardInterrupt

    monkeypatch.setattr(Staging, "commit", interrupted)
    result = run(*command)
    assert (result.exit_code, result.stderr) == (130, f"\nkaitai-gguf: interrupted; {written}\n")


def test_a_file_that_another_program_has_written(monkeypatch: pytest.MonkeyPatch) -> None:
    commit = kaitai_gguf.Editor.commit

    def late(editor: kaitai_gguf.Editor, *args: Any, **options: Any) -> None:
        monkeypatch.setattr(kaitai_gguf.Editor, "commit", commit)
        other = kaitai_gguf.edit("model.gguf")
        other.metadata["general.name"] = "theirs"
        other.commit(rewrite=True)
        commit(editor, *args, **options)

    monkeypatch.setattr(kaitai_gguf.Editor, "commit", late)
    result = run("set", "model.gguf", "general.name=mine", "--in-place")
    message = "kaitai-gguf: model.gguf: was changed by another program since it was opened\n"
    assert (result.exit_code, result.stderr) == (2, message)


# The file that is read


@pytest.mark.parametrize("command", OTHER_WRITERS[:3], ids=lambda command: command[0])
@pytest.mark.parametrize("kind", ["itself", "symbolic link", "hard link"])
def test_the_input_is_not_replaced_by_something_else(command: list[str], kind: str) -> None:
    target = "model.svg"
    if kind == "itself":
        Path("model.gguf").rename(target)
        command = [word.replace("model.gguf", target) for word in command]
    elif kind == "symbolic link":
        Path(target).symlink_to("model.gguf")
    else:
        os.link("model.gguf", target)
    for options in ([], ["--force"], ["--force", "--dry-run"]):
        fails(f"{target}: is an input of this command: write to another file", *command, target, *options)


def test_a_shard_that_is_read_is_not_replaced_by_something_else() -> None:
    for path in MODELS.glob("split5-*"):
        shutil.copy(path, ".")
    third = "split5-00003-of-00003.gguf"
    fails(f"{third}: is an input of this command: write to another file", "hash", SHARD.name, "-o", third, "--force")


def test_exported_data_does_not_replace_the_input() -> None:
    Path("model.gguf").rename("model.bin")
    export = ["export", "model.bin", "--tensors", "output.weight", "-o", "model.bin", "--force"]
    fails("model.bin: is an input of this command: write to another file", *export)


def test_a_model_may_replace_the_input() -> None:
    assert run("copy", "model.gguf", "--alignment", "64", "-o", "model.gguf", "--force").exit_code == 0
    with kaitai_gguf.open("model.gguf") as model:
        assert model.alignment == 64


# Links


@of_all
def test_a_link_is_followed(command: list[str]) -> None:
    link, target = Path(target_of(command, "link")), Path("target")
    link.symlink_to(target)
    fails(f"{link}: already exists; --force overwrites it", *command, link)  # even if it leads nowhere yet
    target.write_text("old")
    assert run(*command, link, "--force").exit_code == 0
    assert link.is_symlink()
    assert target.read_bytes() not in (b"", b"old")


# Write protection


IN_PLACE = [
    ["set", "model.gguf", "general.name=x", "--in-place"],
    ["rename-tensor", "model.gguf", "output.weight", "x", "--in-place"],
    ["convert-endian", "model.gguf", "--in-place"],
]


@pytest.fixture
def protect(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Return a function that protects a path from being written, for root too."""
    protected, access = set(), os.access

    def is_allowed(path: Path, mode: int) -> bool:
        return access(path, mode) and (Path(path).resolve() not in protected or not mode & os.W_OK)

    monkeypatch.setattr(os, "access", is_allowed)
    return lambda path: protected.add(Path(path).resolve())


@of_all
@with_and_without_dry_run
def test_a_protected_target(command: list[str], options: list[str], protect: Callable[[str], None]) -> None:
    Path("sub").mkdir()
    target = target_of(command, "sub/there")
    Path(target).write_text("mine")
    protect(target)
    fails(f"{target}: no permission to write the file", *command, target, "--force", *options)
    protect("sub")
    new = target_of(command, "sub/new")
    fails(f"{new}: no file can be created in its folder, which is write-protected", *command, new, *options)


@pytest.mark.parametrize("command", IN_PLACE, ids=lambda command: command[0])
@with_and_without_dry_run
def test_protected_in_place(command: list[str], options: list[str], protect: Callable[[str], None]) -> None:
    protect(".")
    fails("model.gguf: no file can be created in its folder, which is write-protected", *command, *options)
    protect("model.gguf")
    fails("model.gguf: no permission to write the file", *command, *options)


@with_and_without_dry_run
def test_a_file_that_is_open_elsewhere(options: list[str]) -> None:
    rename = ["rename-tensor", "model.gguf", "output.weight", "output.weighx", "--in-place", *options]
    with kaitai_gguf.open("model.gguf"):
        fails("model.gguf: is open in another program: close it, or give --rewrite", *rename)
        if options:
            assert run(*rename, "--rewrite").exit_code == 0
    before = Path("model.gguf").read_bytes()
    assert run(*rename).exit_code == 0
    assert (Path("model.gguf").read_bytes() == before) == bool(options)


def test_a_link_in_a_protected_folder(protect: Callable[[str], None]) -> None:
    Path("sub").mkdir()
    Path("sub/link").symlink_to("../new.gguf")
    protect("sub")
    assert run("copy", "model.gguf", "-o", "sub/link", "--force").exit_code == 0
    assert Path("new.gguf").read_bytes() == Path("model.gguf").read_bytes()


@with_and_without_dry_run
def test_several_files_in_a_protected_folder(options: list[str], protect: Callable[[str], None]) -> None:
    protect(".")
    reason = "no file can be created in its folder, which is write-protected"
    split = ["split", "model.gguf", "--max-tensors", "100", "-o", "x"]
    fails(f"x-00001-of-00001.gguf: {reason}", *split, *options)
    fails(f"out: {reason}", "export", "model.gguf", "-o", "out/", *options)


# Files that are read besides the model


def test_other_files_that_do_not_exist() -> None:
    for command in (
        ["hash", "model.gguf", "--check", "none"],
        ["set", "model.gguf", "general.name=@none", "--dry-run"],
        ["set", "model.gguf", "--chat-template", "none", "--dry-run"],
        ["info", "none"],
        ["set", "none", "a=1", "--dry-run"],
    ):
        fails("none: no such file", *command)
    fails("the path is empty", "info", "")
    fails("the path is empty", "set", "", "a=1", "--dry-run")
    fails("the path to read is empty", "set", "model.gguf", "--chat-template", "", "--dry-run")


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete the current folder")
def test_a_current_folder_that_is_gone(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    Path("gone").mkdir()
    monkeypatch.chdir("gone")
    Path("../gone").rmdir()
    lines = [run(*command).stderr for command in (["check", "x"], ["catalog", "x", "-o", folder / "y"], ["info", "x"])]
    monkeypatch.chdir(folder)  # so that pytest can restore the folder
    gone = "is relative to the current folder, which no longer exists"
    assert lines == [f"kaitai-gguf: x: {reason}\n" for reason in (gone, gone, "no such file")]


def test_a_file_that_is_not_a_manifest() -> None:
    Path("bad.json").write_text("{}")
    fails("bad.json: is not a manifest of hashes", "hash", "model.gguf", "--check", "bad.json")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_pipe_is_not_waited_for() -> None:
    os.mkfifo("pipe")
    for words in (["--chat-template", "pipe"], ["general.name=@pipe"]):
        fails("pipe: is a pipe that no program writes to", "set", "model.gguf", *words, "--dry-run")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root can read all files")
def test_a_file_that_can_not_be_read() -> None:
    Path("secret").write_bytes(Path("model.gguf").read_bytes())
    Path("secret").chmod(0)
    for command in (
        ["info", "secret"],
        ["set", "secret", "a=1", "--dry-run"],
        ["diff", "secret", "model.gguf"],
        ["diff", "model.gguf", "secret"],
        ["merge", "secret", "-o", "new"],
        ["view", "secret"],
        ["hash", "model.gguf", "--check", "secret"],
        ["set", "model.gguf", "--chat-template", "secret", "--dry-run"],
        ["set", "model.gguf", "general.name=@secret", "--dry-run"],
    ):
        result = run(*command)
        line = "kaitai-gguf: secret: no permission to read the file\n"
        assert (result.exit_code, result.stdout, result.stderr) == (2, "", line), command
    Path("secret").chmod(0o200)
    assert "secret" in output("hash", "model.gguf", "-o", "secret", "--force")  # writing needs no permission to read
