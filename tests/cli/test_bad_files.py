"""All commands report files that can't be opened, are not GGUF, or are broken."""

import os
from pathlib import Path

import pytest
from click.testing import Result
from support.commands import OPENERS, output, process, raw_characters, run, with_file
from support.gguf_bytes import file, header, key_value, tensor

from cli.conftest import Save

HOSTILE = "\x1b[31m\x1b]0;title\x07\r\b\x7f\0\u009b2J\u202e\u2028\u2066"
openers = pytest.mark.parametrize("command", OPENERS, ids=" ".join)


def fails(result: Result, path: object, words: str) -> None:
    """Assert that stderr is one line with the file and the reason, and stdout is empty."""
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"kaitai-gguf: {path}: ")
    assert words in line


def read(command: list[str], path: Path) -> Result:
    return run(*with_file(command, path))


# Files that can't be opened


@openers
def test_what_no_command_opens(command: list[str], tmp_path: Path, save: Save) -> None:
    """All commands open files in the same way, so the other faults are tested with one command below."""
    fails(read(command, tmp_path), tmp_path, "is a directory, not a GGUF file")
    missing, broken = tmp_path / "missing.gguf", save(header(num_metadata=2**64 - 1))
    fails(read(command, missing), missing, "no such file")
    fails(read(command, broken), broken, "(at byte 0x")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = process("info", path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"kaitai-gguf: {path}: is a pipe that no program writes to\n"


@pytest.mark.parametrize(
    "command",
    [["tokens", "--json"], ["explain"], ["tensors"], ["tensor", "output.weight"], ["info"], ["check"]],
    ids=" ".join,
)
def test_a_pipe_is_read(command: list[str], sample: Path) -> None:
    done = process(command[0], "-", *command[1:], input=sample.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == output(command[0], sample, *command[1:]).replace(str(sample), "-")


# Hostile text


@pytest.mark.parametrize(
    "data",
    [
        file([key_value(0, b"\0", HOSTILE.encode() + b"\x9b\xff")] * 2),
        header(tensors=[tensor(name=HOSTILE.encode())] * 2),
        b"\x1b]0;\x07" + bytes(20),
    ],
    ids=["key", "tensor", "magic"],
)
def test_errors_show_no_raw_characters_of_a_file(data: bytes, save: Save) -> None:
    path = save(data)
    done = process("info", path)
    assert done.returncode == 2
    assert not raw_characters(done.stderr.decode())


def test_errors_show_no_raw_characters_of_a_path(tmp_path: Path) -> None:
    name = HOSTILE.replace("\0", "").encode() + b"\xff\n"
    done = process("info", os.fsencode(tmp_path) + b"/" + name)
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert not raw_characters(line)
    assert line.endswith(r"\udcff\n: no such file")
