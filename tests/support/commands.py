"""Run commands in this process, in a separate process, and in a terminal."""

import json
import os
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NoReturn

import pytest
from click.testing import CliRunner, Result

from kaitai_gguf.cli import main

READERS = [
    ["info"],
    ["info", "--json"],
    ["metadata"],
    ["metadata", "--json"],
    ["tensors"],
    ["tensors", "--json"],
    ["dump"],
    ["dump", "--json"],
    ["dump", "--full", "--json"],
]
"""All ways to read a file: the command, and its options."""

OPENERS = [
    *READERS,
    ["tensor", "t"],
    ["tensor", "t", "--json"],
    ["export", "--to", "{beside}/out.npz", "--force"],
    ["set", "general.description=x", "--dry-run"],
    ["set", "general.description=x", "--output", "{beside}/set.gguf", "--force"],
]
"""All of these, and the ways that need more than the file: see `with_file`."""

SERVERS = {"view"}
"""The commands that run until they are interrupted: `test_view` tests them."""

COMMAND = [sys.executable, "-m", "kaitai_gguf"]
RUN_EACH = """
import json, sys
from kaitai_gguf.cli import main
for words in json.loads(sys.argv[1]):
    try:
        main(words)
    except SystemExit as end:
        print(end=f"\\0{end.code}\\0", flush=True)
"""
# Without PYTHONUNBUFFERED, so that output is buffered, as it is for users.
ENVIRONMENT = {
    key: value for key, value in os.environ.items() if key not in ("PYTHONUNBUFFERED", "NO_COLOR", "COLUMNS")
}
ENVIRONMENT |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "TERM": "xterm-256color"}


def run(command: str, *arguments: object) -> Result:
    return CliRunner().invoke(main, [command, *map(str, arguments)])


def with_file(command: list[str], path: Path) -> list[object]:
    """Return the arguments for one of `OPENERS` and a file. Output goes next to the file."""
    return [command[0], path, *(word.format(beside=path.parent) for word in command[1:])]


def output(command: str, *arguments: object) -> str:
    """Run a command that must succeed, and return its output."""
    result = run(command, *arguments)
    assert (result.exit_code, result.stderr) == (0, ""), result.stderr or repr(result.exception)
    return result.stdout


def refused(result: Result, words: str, status: int = 2) -> None:
    """Assert that a command has failed with a message that contains some words, and printed nothing else."""
    assert (result.exit_code, result.stdout) == (status, ""), result.exception
    assert " ".join(words.split()) in " ".join(result.stderr.split()), result.stderr
    assert not raw_characters(result.stderr)


def fails(words: str, command: str, *arguments: object, status: int = 2) -> None:
    """Run a command that must fail, with a message that contains some words."""
    refused(run(command, *arguments), words, status)


def cells(text: str) -> list[list[str]]:
    """Return the rows of a table, as written to a pipe. All must have as many cells as there are column names."""
    names, *rows = (line.split("\t") for line in text.splitlines())
    assert {len(row) for row in rows} <= {len(names)}
    return rows


def strict_json(text: str) -> Any:
    """Parse JSON strictly: no NaN, no duplicate keys, no unpaired surrogates."""
    document = json.loads(text, parse_constant=_refuse, object_pairs_hook=_unique)
    json.dumps(document, ensure_ascii=False).encode()
    return document


def process(*arguments: object, **options: Any) -> "subprocess.CompletedProcess[bytes]":
    options = {"stdout": subprocess.PIPE, "env": ENVIRONMENT} | options
    words = [each if isinstance(each, bytes) else str(each) for each in arguments]
    return subprocess.run([*COMMAND, *words], stderr=subprocess.PIPE, timeout=60, check=False, **options)


def terminal(*arguments: object, columns: int = 120) -> tuple[int, str]:
    """Run a command in a terminal, and return its exit status and all output."""
    return _in_terminal([*COMMAND, *map(str, arguments)], columns)


def terminals(commands: Sequence[Sequence[object]], columns: int = 120) -> list[tuple[int, str]]:
    """Run commands one after the other in one process and one terminal. Return exit status and output of each."""
    words = json.dumps([list(map(str, command)) for command in commands])
    status, seen = _in_terminal([sys.executable, "-c", RUN_EACH, words], columns)
    *parts, rest = seen.split("\0")
    assert (status, rest, len(parts)) == (0, "", 2 * len(commands)), seen
    return [(int(end), text) for text, end in zip(parts[::2], parts[1::2], strict=True)]


def raw_characters(text: str) -> set[str]:
    """Return the characters that must not reach a terminal: unprintable ones except tabs and newlines."""
    return {char for char in text if char not in "\t\n" and not char.isprintable()}


def _in_terminal(command: list[str], columns: int) -> tuple[int, str]:
    pty = pytest.importorskip("pty")
    import fcntl
    import termios

    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
    with subprocess.Popen(command, stdin=theirs, stdout=theirs, stderr=theirs, env=ENVIRONMENT) as child:
        os.close(theirs)
        seen = b"".join(iter(lambda: _read(ours), b""))
        os.close(ours)
    return child.returncode, seen.decode()


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 1 << 16)
    except OSError:  # Linux raises this when the other side is closed
        return b""


def _refuse(word: str) -> NoReturn:
    raise AssertionError(f"{word} is not JSON")


def _unique(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    assert len(dict(pairs)) == len(pairs)
    return dict(pairs)
