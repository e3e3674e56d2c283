"""All commands with pipes, full disks and closed outputs."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from support.commands import COMMAND, ENVIRONMENT, fails, output, process, refused
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import Save
from kaitai_gguf.cli import main

# Outputs that can't be written


OUTPUTS = [
    ["--help"],
    ["schema"],
    ["metadata", "FILE"],
    ["dump", "FILE"],
    ["dump", "FILE", "--full", "--json"],
    ["set", "FILE", "general.description=x", "--dry-run"],
]
"""Commands that print help, text, lines, JSON, or the changes of a file."""


def with_file(command: list[str], path: Path) -> list[object]:
    return [path if word == "FILE" else word for word in command]


def small() -> Model:
    return Model([("general.name", "string", "x")], [TensorSpec("t", (1,), 0, 0)], bytes(4))


def large() -> Model:
    """Return a model whose output is larger than any pipe or buffer."""
    metadata = [(f"key.{i}", "string", "x" * 50) for i in range(2000)]
    return Model(metadata, [TensorSpec(f"tensor.{i}", (0,), 0, 0) for i in range(9000)])


def closed(*words: object) -> tuple[int, bytes]:
    """Run a command whose output nobody reads; return its exit status and errors."""
    ours, theirs = os.pipe()
    os.close(ours)
    done = process(*words, stdout=theirs)
    os.close(theirs)
    return done.returncode, done.stderr


@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
def test_a_reader_may_go_before_it_reads(command: list[str], save: Save) -> None:
    assert closed(*with_file(command, save(small()))) == (141, b"")


def test_a_closed_pipe_does_not_turn_no_into_yes(save: Save, tmp_path: Path) -> None:
    path, other, hashes = save(small()), save(large(), "other.gguf"), tmp_path / "hashes.json"
    assert process("hash", other, "--output", hashes).returncode == 0
    for words in (["check", path], ["check", path, "--json"], ["diff", path, other], ["hash", path, "--check", hashes]):
        assert process(*words).returncode == 1
        assert closed(*words)[0] == 141


def test_a_closed_stderr_does_not_change_the_answer(save: Save) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    for arguments, status in ((("info", "missing.gguf"), 2), (("tensors", save(small()), "nope"), 1)):
        words = [*COMMAND, *map(str, arguments)]
        assert subprocess.run(words, env=ENVIRONMENT, stderr=theirs, check=False).returncode == status
    os.close(theirs)


@pytest.mark.parametrize("command", ["metadata", "dump"])
def test_a_reader_may_go_while_it_reads(command: str, save: Save) -> None:
    child = subprocess.Popen(
        [*COMMAND, command, str(save(large()))], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=ENVIRONMENT
    )
    assert child.stdout is not None
    assert child.stderr is not None
    assert child.stdout.read(1)
    child.stdout.close()
    with child:
        assert child.stderr.read() == b""
    assert child.returncode == 141


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full does not exist")
@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
def test_a_full_disk(command: list[str], save: Save) -> None:
    folder = save(small()).parent
    with Path("/dev/full").open("wb") as full:
        done = process(*with_file(command, Path("model.gguf")), stdout=full, cwd=folder)
    message = "kaitai-gguf: can't write the output: No space left on device"
    assert (done.returncode, done.stderr.decode().splitlines()[-1]) == (2, message)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close stdout")
@pytest.mark.parametrize("command", OUTPUTS, ids=" ".join)
def test_there_may_be_no_output_at_all(command: list[str], save: Save) -> None:
    words = [*COMMAND, *map(str, with_file(command, save(small())))]
    line = ["sh", "-c", '"$@" >&-', "sh", *words]
    done = subprocess.run(line, env=ENVIRONMENT, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("command", ["info", "metadata", "tensors"])
def test_an_output_that_lacks_characters(command: str, save: Save) -> None:
    model = Model([("general.name", "string", "日本 ☃")], [TensorSpec("重み", (2, 2), 24, 0)], bytes(4))
    done = process(command, save(model), env=ENVIRONMENT | {"PYTHONIOENCODING": "ascii"})
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on file sizes")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [["dump", "--full", "--json"], ["metadata", "long"]], ids=lambda words: words[0])
def test_a_disk_that_is_full_soon(command: list[str], unbuffered: str, save: Save, tmp_path: Path) -> None:
    """The last write is a short write, which by itself does not raise an error."""
    path = save(Model([("long", "string", "x" * 10_000)]))
    words = [*COMMAND, command[0], str(path), *command[1:]]
    limit = "resource.setrlimit(resource.RLIMIT_FSIZE, (5000, 5000))"
    code = f"import os, resource, sys; {limit}; os.execv(sys.argv[1], sys.argv[1:])"
    with (tmp_path / "out").open("wb") as out:
        done = subprocess.run(
            [sys.executable, "-c", code, *words],
            stdout=out,
            stderr=subprocess.PIPE,
            env=ENVIRONMENT | {"PYTHONUNBUFFERED": unbuffered},
            check=False,
        )
    assert (done.returncode, done.stderr) == (2, b"kaitai-gguf: can't write the output: File too large\n")


# Pipes as input


@pytest.mark.parametrize(
    "command",
    [
        *(["tokens", "--json"], ["explain"], ["tensors"], ["tensor", "output.weight"], ["info"], ["check"], ["hash"]),
        ["copy", "--tensors", "blk*", "--output", "new.gguf"],
        ["convert-endian", "--output", "new.gguf"],
        ["export", "--output", "new.safetensors"],
        ["split", "--max-tensors", "50", "--output", "new"],
    ],
    ids=" ".join,
)
def test_a_pipe_is_as_good_as_a_file(command: list[str], sample: Path, tmp_path: Path) -> None:
    results = []
    for name in ("model.gguf", "-"):
        folder = tmp_path / name
        folder.mkdir()
        model = shutil.copy(sample, folder / "model.gguf")
        done = process(command[0], name, *command[1:], cwd=folder, input=sample.read_bytes())
        assert (done.returncode, done.stderr) == (0, b"")
        Path(model).unlink()
        written = {path.name: path.read_bytes().replace(b"model.gguf", b"-") for path in folder.iterdir()}
        results.append((done.stdout.replace(b"model.gguf", b"-"), written))
    assert results[0] == results[1] != (b"", {})


def test_a_pipe_besides_other_files(sample: Path, tmp_path: Path) -> None:
    def piped(*words: object) -> Result:
        return CliRunner().invoke(main, list(map(str, words)), input=sample.read_bytes())

    output("hash", sample, "--output", tmp_path / "manifest.json")
    assert piped("hash", "-", "--check", tmp_path / "manifest.json").exit_code == 0
    assert piped("diff", "-", sample).exit_code == 0
    refused(piped("diff", "-", "-"), "the standard input can be read only once")
    refused(piped("convert", "-", "--version", "2", "--in-place"), "can't be changed in place")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    fails(f"kaitai-gguf: {tmp_path}/pipe: is a pipe that no program writes to", "info", tmp_path / "pipe")
