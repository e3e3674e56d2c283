"""Arguments that commands refuse, and their messages."""

import shutil
from pathlib import Path

import pytest
from support.commands import fails, run, strict_json

from cli.conftest import MODELS, SPLIT

IN_PLACE = [
    ["set", "general.name=x"],
    ["unset", "general.architecture"],
    ["rename-key", "general.architecture", "x"],
    ["rename-tensor", "output.weight", "x"],
]


@pytest.mark.parametrize("command", [*IN_PLACE, ["merge"]], ids=lambda command: command[0])
def test_the_standard_input_where_a_file_is_needed(command: list[str]) -> None:
    words = "this command can't read the standard input; save it as a file first"
    fails(words, command[0], "-", *command[1:], "--output", "x")


@pytest.mark.parametrize(
    "command",
    [
        *([name, "FILE", *words, "--output"] for name, *words in IN_PLACE),
        ["copy", "FILE", "-o"],
        ["convert", "FILE", "--version", "2", "-o"],
        ["convert-endian", "FILE", "-o"],
        ["merge", SPLIT[0], "-o"],
        ["split", "FILE", "--max-tensors", "5", "-o"],
        ["export", "FILE", "--to"],
        ["export", "FILE", "--format", "npy", "-o"],
        ["hash", "FILE", "-o"],
        ["metadata", "FILE", "general.architecture", "-o"],
        ["explain", "FILE", "--svg"],
        ["tensor", "FILE", "output.weight", "--plot"],
    ],
    ids=lambda command: command[0],
)
def test_no_command_writes_a_file_named_like_the_standard_output(
    command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    name, *arguments = [MODELS / "split-source.gguf" if word == "FILE" else word for word in command]
    fails("specify a file name; this command can't write to -, the standard output", str(name), *arguments, "-")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("command", [["copy"], ["merge"]], ids=" ".join)
def test_only_options_that_exist_are_named(command: list[str]) -> None:
    result = run(*command, SPLIT[0])
    assert result.exit_code == 2
    assert result.stderr.endswith("Error: specify --output FILE\n")


def test_a_map_is_svg(tmp_path: Path) -> None:
    for options in ([], ["--dry-run"]):
        fails("must end with .svg", "explain", SPLIT[0], "--svg", tmp_path / "map.png", *options)
    assert list(tmp_path.iterdir()) == []
    assert run("explain", SPLIT[0], "--svg", tmp_path / "map.SVG").exit_code == 0


def test_one_format_of_findings() -> None:
    for format in ("text", "sarif"):
        for options in (["--json", "--format", format], ["--format", format, "--json"]):
            fails(f"--json and --format {format} can't be given together", "check", SPLIT[0], *options)
    assert strict_json(run("check", SPLIT[0], "--json", "--format", "json").stdout)


# Dry runs refuse what the real run refuses


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=" ".join)
def test_edits_of_shards_are_refused(options: list[str], tmp_path: Path) -> None:
    first, second, _ = (Path(shutil.copy(path, tmp_path)) for path in SPLIT)
    fails("is not the first shard", "set", second, "general.name=x", "--in-place", *options)
    words = "the model could not be opened with this change"
    fails(words, "unset", first, "split.count", "--in-place", *options)
    assert [path.read_bytes() for path in (first, second)] == [path.read_bytes() for path in SPLIT[:2]]
    assert run("set", second, "general.name=x", "--dry-run").exit_code == 0


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=" ".join)
@pytest.mark.parametrize(
    "command", [["set", "general.name=x"], ["convert", "--version", "2"]], ids=lambda words: words[0]
)
def test_a_file_named_by_its_hash_is_refused(command: list[str], options: list[str], tmp_path: Path) -> None:
    path = Path(shutil.copy(MODELS / "split-source.gguf", tmp_path / ("0" * 64)))
    arguments = [path, *command[1:], "--in-place", *options]
    fails("is named by the hash of its bytes", command[0], *arguments)
    assert run(command[0], *arguments, "--force").exit_code == 0
