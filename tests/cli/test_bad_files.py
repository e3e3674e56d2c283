"""All commands report files that can't be opened, are not GGUF, or are broken."""

import os
from pathlib import Path

import pytest
from support.commands import OPENERS, process, raw_characters, run, with_file
from support.gguf_bytes import header

from cli.conftest import Save


@pytest.mark.parametrize("command", OPENERS, ids=" ".join)
def test_what_no_command_opens(command: list[str], tmp_path: Path, save: Save) -> None:
    """All commands open files in the same way, so the other faults are tested with one command below."""
    missing, broken = tmp_path / "missing.gguf", save(header(num_metadata=2**64 - 1))
    for path, words in (
        (tmp_path, "is a directory, not a GGUF file"),
        (missing, "no such file"),
        (broken, "(at byte 0x"),
    ):
        result = run(*with_file(command, path))
        assert (result.exit_code, result.stdout) == (2, "")
        (line,) = result.stderr.splitlines()
        assert line.startswith(f"kaitai-gguf: {path}: ")
        assert words in line


def test_errors_show_no_raw_characters_of_a_path(tmp_path: Path) -> None:
    done = process("info", os.fsencode(tmp_path) + b"/\x1b[31m\x07\r\x7f\xc2\x9b2J\xe2\x80\xae\xff\n")
    assert done.returncode == 2
    (line,) = done.stderr.decode().splitlines()
    assert not raw_characters(line)
    assert line.endswith(r"\udcff\n: no such file")
