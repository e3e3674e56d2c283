"""No command runs or renders anything in a file, uses it as a path, or sends it to a terminal unescaped."""

import json
import re
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import click
import pytest
from support.about import about
from support.commands import SERVERS, raw_characters, run, terminals

import kaitai_gguf
from attacks import hostile
from kaitai_gguf.cli import COMMANDS, main
from kaitai_gguf.cli.options import GGUFPath

Arguments = list[str]
ENDING = [name for name in COMMANDS if name not in SERVERS]
NOT_ABOUT_FILES = {"schema", "completion", "new"}
LONGEST = 50_000  # characters of a message
OUTPUTS = ["out.gguf", "out.npz", "out.json", "directory"]
NAMES = [text.decode("utf-8", "surrogateescape") for text in hostile.TEXTS]
# Values of other parameters, by the parameter's name.
KNOWN: dict[str, list[str]] = {
    "key": ["general.name", *NAMES],
    "assignments": ["general.name=x", *(f"{name}={name}" for name in NAMES)],
    "new": ["renamed", *NAMES],
    "max_tensors": ["7"],
    "max_size": ["1K"],
    "elements": ["2"],
    "types": ["i8", *NAMES],
    "type": ["q8_0", *NAMES],
    "columns": ["name,role,block", *NAMES],
    "ids": ["0-5"],
    "at": ["40"],
    "path": ["/metadata/0/value", *NAMES],
}
NEEDED = {"split": ["--max-tensors", "7"], "export": ["--output", "directory"]}
REFUSING = {"merge", "memory"}  # shards and whole models only
PRINT_ONLY = {"info", "memory", "metadata", "tensors", "tensor", "tokens", "dump", "check", "diff", "explain"}
PRINT_ONLY |= {"completion"}


def values(parameter: click.Parameter, file: Path, out: Path) -> list[str]:
    """Return values for a parameter: a file to read or write, its choices, or the hostile names."""
    if isinstance(parameter.type, GGUFPath) or parameter.name == "files":
        return [str(file)]
    if isinstance(parameter.type, click.Path) or parameter.name in ("output", "to"):
        return [str(out / name) for name in OUTPUTS]
    if isinstance(parameter.type, click.Choice):
        return [str(choice) for choice in parameter.type.choices]
    return KNOWN.get(parameter.name or "", NAMES)


def calls_of(command: click.Command, file: Path, out: Path) -> Iterator[Arguments]:
    """Yield calls of a command: with its required arguments, with more, and with each of its options."""
    required: list[list[Arguments]] = []
    options: list[Arguments] = [[]]
    ways: list[Arguments] = [[]]
    for each in command.params:
        if isinstance(each, click.Argument):
            choices = values(each, file, out)
            given = [[*way, value] for way in ways for value in (choices if len(ways) == 1 else choices[:1])]
            ways = given if each.required or each.name == "assignments" else ways + given
        elif isinstance(each, click.Option) and not each.is_eager:
            name = each.opts[-1]
            uses = [[name]] if each.is_flag else [[name, *[value] * each.nargs] for value in values(each, file, out)]
            if each.required:
                required.append(uses)
            else:
                options += uses
    for start in product(*required):
        needed = [word for words in start for word in words]
        yield from ([*needed, *option, "--", *ways[0]] for option in options)
        yield from ([*needed, "--", *way] for way in ways[1:])


def calls(name: str, file: Path, out: Path) -> Iterator[Arguments]:
    command = main.get_command(click.Context(main), name)
    assert command is not None
    if isinstance(command, click.Group):
        for part, child in command.commands.items():
            yield from ([part, *call] for call in calls_of(child, file, out))
    else:
        yield from ([*NEEDED.get(name, []), *call] for call in calls_of(command, file, out))


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a directory so deep that a path with `..` still stays inside the test's directory."""
    deep = tmp_path / "a" / "b" / "c" / "work"
    deep.mkdir(parents=True)
    monkeypatch.chdir(deep)
    return deep


def save(directory: Path, data: bytes) -> Path:
    path = directory / "evil\x1b[31m\u202e<b>\n.gguf"
    path.write_bytes(data)
    return path


def check_text(text: str) -> None:
    assert not raw_characters(text)
    assert "Traceback" not in text


def check_written(place: Path, source: Path) -> int:
    """Check that new files have safe names and that text in them is escaped and parses. Return the number of files."""
    assert not Path("/outside").exists()
    assert [
        path for path in place.parents[3].rglob("*") if path not in {place, *place.parents, *place.rglob("*")}
    ] == []
    written = [path for path in place.rglob("*") if path != source and not path.is_dir()]
    for path in written:
        assert path.name.isprintable()
        start = path.read_bytes()[:1]
        if start in (b"{", b"["):
            for line in path.read_text().splitlines() if path.parent.name == "_delta_log" else [path.read_text()]:
                json.loads(line)
        path.unlink()
    return len(written)


@pytest.mark.parametrize("name", ENDING)
def test_no_command_gives_away_what_a_file_says(name: str, place: Path) -> None:
    source = save(place, hostile.model())
    done = written = 0
    for call in calls(name, source, place):
        result = run(name, *call)
        assert result.exit_code in (0, 1, 2), (call, result.exception)
        done += result.exit_code != 2
        prints_one_value = name == "metadata" and len(call[call.index("--") :]) == 3 and "--json" not in call
        if not prints_one_value:  # a pipe gets it as it is; tests/cli tests it in a terminal
            check_text(result.stdout)
        check_text(result.stderr)
        written += check_written(place, source)
        assert source.read_bytes() == hostile.model() or "--in-place" in call
        source.write_bytes(hostile.model())
    assert done or name in REFUSING, "no call succeeded"
    assert bool(written) is (name not in PRINT_ONLY | REFUSING)


@pytest.mark.parametrize("name", [each for each in ENDING if each not in NOT_ABOUT_FILES])
def test_no_command_gives_away_what_it_refuses(name: str, place: Path) -> None:
    for kind, data in hostile.broken().items():
        source = save(place, data)
        result = run(name, *next(calls(name, source, place)))
        assert result.exit_code in (1, 2), (kind, result.exception)
        check_text(result.stdout)
        check_text(result.stderr)
        assert len(result.stderr) < LONGEST


def test_no_command_writes_to_a_terminal_what_a_file_says(place: Path) -> None:
    source = save(place, hostile.model())
    commands = [[name, *next(calls(name, source, place))] for name in ENDING]
    for command, (_, seen) in zip(commands, terminals(commands), strict=True):
        with about(command):
            check_text(re.sub("\x1b\\[([0-3]|31|33|36)m|\r(?=\n)", "", seen))  # bold, dim, italic, red, yellow, cyan


def test_names_in_repr_are_escaped() -> None:
    model = kaitai_gguf.open(hostile.model())
    assert model.metadata["tokenizer.chat_template"] == hostile.TEXTS[14].decode()  # it is text
    shown = [repr(model), repr(model.metadata), repr(model.tensors), repr(model.metadata["tokenizer.ggml.tokens"])]
    shown += [repr(tensor) for tensor in model.tensors.values()]
    assert all(text.isprintable() for text in shown)
