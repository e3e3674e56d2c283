"""All commands report files that can't be opened, are not GGUF, or are broken."""

import os
import shutil
import socket
import subprocess
from pathlib import Path

import pytest
from attacks.others import OTHERS
from click.testing import Result
from support.commands import COMMAND, ENVIRONMENT, OPENERS, output, process, raw_characters, run, with_file
from support.gguf_bytes import BIG_ENDIAN, V1, array, file, header, key_value, tensor

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
    missing, broken = tmp_path / "missing.gguf", save(BROKEN["count"])
    fails(read(command, missing), missing, "no such file")
    fails(read(command, broken), broken, "(at byte 0x")


def test_an_empty_file(save: Save) -> None:
    path = save(b"")
    fails(run("info", path), path, "the file is empty (at byte 0x0)")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = process("info", path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"kaitai-gguf: {path}: is a pipe that no program writes to\n"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="the system has no Unix sockets")
def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket must be short
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("socket")
        fails(run("info", "socket"), "socket", "is not a regular file")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="/dev/zero does not exist")
def test_a_device() -> None:
    fails(run("info", "/dev/zero"), "/dev/zero", "is not a regular file")


@pytest.mark.parametrize(
    ("name", "target", "words"),
    [("loop", "loop", "symbolic links"), ("link", "missing", "no such file"), ("n" * 300, None, "too long")],
    ids=["itself", "nothing", "long"],
)
def test_a_path_that_leads_nowhere(name: str, target: str | None, words: str, tmp_path: Path) -> None:
    path = tmp_path / name
    if target is not None:
        path.symlink_to(target)
    fails(run("info", path), path, words)


def test_a_symbolic_link_to_a_model(sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(sample)
    assert output("tensors", path) == output("tensors", sample)


READS_PIPES = [
    ["tokens", "--json"],
    ["explain", "--json"],
    ["tensors"],
    ["tensors", "--json"],
    ["dump"],
    ["explain"],
    ["info", "--json"],
    ["metadata"],
    ["tensor", "output.weight", "--json"],
]


@pytest.mark.parametrize(
    ("command", "path"), [*((each, "-") for each in READS_PIPES), (["tensors"], "/dev/stdin")], ids=str
)
def test_a_pipe_is_read(command: list[str], path: str, sample: Path) -> None:
    if path != "-" and not Path(path).exists():
        pytest.skip(f"{path} does not exist on this system")
    words = [command[0], path, *command[1:]]
    done = process(*words, input=sample.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == output(command[0], sample, *command[1:])


@pytest.mark.parametrize("command", [["info"], ["check", "--ignore", "file-name"]], ids=lambda words: words[0])
def test_the_name_of_a_pipe(command: list[str], sample: Path) -> None:
    words, expected = (process(*command, path, input=sample.read_bytes()).stdout for path in ("-", sample))
    assert expected
    assert words == expected.replace(str(sample).encode(), b"-")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash, for process substitution")
def test_a_pipe_that_a_shell_names(sample: Path) -> None:
    line = f'"$@" <(cat {sample})'
    done = subprocess.run(
        ["bash", "-c", line, "bash", *COMMAND, "dump"], env=ENVIRONMENT, capture_output=True, check=False
    )
    assert (done.returncode, done.stdout.decode(), done.stderr) == (0, output("dump", sample), b"")


def test_the_end_of_an_empty_pipe() -> None:
    done = process("info", "-", input=b"")
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"kaitai-gguf: -: the file is empty (at byte 0x0)\n"


# Files that are not GGUF, or broken


@pytest.mark.parametrize("name", OTHERS)
def test_another_format_is_named(name: str, save: Save) -> None:
    data, words = OTHERS[name]
    path = save(data)
    fails(run("info", path), path, words.replace("b'", "'"))


def test_the_first_bytes_of_a_file(save: Save) -> None:
    for size in range(1, 24):
        path = save(header(num_tensors=1)[:size])
        fails(run("info", path), path, "the file ends" if size < 4 else "the file is cut off")


BROKEN = {
    "count": header(num_metadata=2**64 - 1),
    "truncated": V1.header([V1.key_value(8, V1.string(b"text"))])[:-1],
    "value-type": BIG_ENDIAN.header([BIG_ENDIAN.key_value(99, bytes(8))]),
    "duplicate-key": file([key_value(0, b"\0")] * 2),
    "misaligned": file(tensors=[tensor(offset=1)]),
    "nested": file([key_value(9, array(9, 1) * 1000)]),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_file_names_the_byte(name: str, save: Save) -> None:
    path = save(BROKEN[name])
    fails(run("info", path), path, "(at byte 0x")


def test_a_process_ends_as_the_command_does(save: Save) -> None:
    path = save(BROKEN["count"])
    done = process("info", path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == run("info", path).stderr


# Hostile text


@pytest.mark.parametrize(
    "data",
    [
        file([key_value(0, b"\0", HOSTILE.encode() + b"\x9b\xff")] * 2),
        header(tensors=[tensor(name=HOSTILE.encode())] * 2),
        header(tensors=[tensor(name=HOSTILE.encode(), offset=1)]),
        header(tensors=[tensor((5,), 2, name=HOSTILE.encode())]),
        header(tensors=[tensor((2**63,), name=HOSTILE.encode())]),
        b"\x1b]0;\x07" + bytes(20),
    ],
    ids=["key", "tensor-twice", "tensor-offset", "tensor-row", "tensor-dims", "magic"],
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


def test_a_missing_key_is_shown_escaped(sample: Path) -> None:
    fails(run("metadata", sample, "\x1b[2J"), sample, r"no key '\x1b[2J' in the metadata")
