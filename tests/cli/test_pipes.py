"""All commands with pipes, full disks and closed outputs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from support.commands import COMMAND, ENVIRONMENT, OPENERS, process, with_file
from support.gguf_bytes import Model, TensorSpec

from cli.conftest import Save

# Pipes


def outputs() -> list[list[str]]:
    """Return commands that print help, text, lines, JSON, or a message after writing a file."""
    names = ("metadata", "dump", "set")
    return [["--help"], ["schema"], *(each for each in OPENERS if each[0] in names and "--json" not in each[1:2])]


def arguments_of(command: list[str], path: Path) -> list[object]:
    return with_file(command, path) if command in OPENERS else list(command)


def small() -> Model:
    return Model([("general.name", "string", "x")], [TensorSpec("t", (1,), 0, 0)], bytes(4))


def large() -> Model:
    """Return a model whose output is larger than any pipe or buffer."""
    metadata = [(f"key.{i}", "string", "x" * 50) for i in range(2000)]
    return Model(metadata, [TensorSpec(f"tensor.{i}", (0,), 0, 0) for i in range(9000)])


@pytest.mark.parametrize("command", outputs(), ids=" ".join)
def test_a_reader_may_go_before_it_reads(command: list[str], save: Save) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = process(*arguments_of(command, save(small())), stdout=theirs)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (141, b"")


@pytest.mark.parametrize(
    "command",
    [["check", "FILE"], ["check", "FILE", "--json"], ["diff", "FILE", "OTHER"], ["hash", "FILE", "--check", "HASHES"]],
    ids=" ".join,
)
def test_a_closed_pipe_does_not_turn_no_into_yes(command: list[str], save: Save, tmp_path: Path) -> None:
    words = {"FILE": save(small()), "OTHER": save(large(), "other.gguf"), "HASHES": tmp_path / "hashes.json"}
    assert process("hash", words["OTHER"], "--output", words["HASHES"]).returncode == 0
    arguments = [words.get(word, word) for word in command]
    assert process(*arguments).returncode == 1
    ours, theirs = os.pipe()
    os.close(ours)
    assert process(*arguments, stdout=theirs).returncode == 141
    os.close(theirs)


def test_a_closed_stderr_does_not_change_the_answer(save: Save) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    for arguments, status in ((("info", "missing.gguf"), 2), (("tensors", save(small()), "nope"), 1)):
        words = [*COMMAND, *map(str, arguments)]
        assert subprocess.run(words, env=ENVIRONMENT, stderr=theirs, check=False).returncode == status
    os.close(theirs)


@pytest.mark.parametrize("command", ["metadata", "tensors", "dump"])
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
@pytest.mark.parametrize("command", outputs(), ids=" ".join)
def test_a_full_disk_is_an_error(command: list[str], save: Save, tmp_path: Path) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments_of(command, save(small())), stdout=full)
    written = [word.format(beside=tmp_path) for word in command if "{beside}" in word]
    after = f"; {written[0]} was written" if written else ""
    expected = f"kaitai-gguf: can't write the output: No space left on device{after}\n"
    assert (done.returncode, done.stderr.decode()) == (2, expected)
    assert [path for path in written if not Path(path).exists()] == []


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="/dev/full does not exist")
@pytest.mark.parametrize(
    ("command", "written"),
    [
        (["set", "FILE", "general.name=Other", "--in-place"], "model.gguf was written"),
        (["set", "FILE", "general.name=x", "--in-place", "--json"], ""),  # nothing changes
        (["convert", "FILE", "--version", "2", "--in-place"], "model.gguf was written"),
        (["copy", "FILE", "--alignment", "64", "-o", "new.gguf"], "new.gguf was written"),
        (["split", "FILE", "--max-tensors", "1", "-o", "part"], "part-00001-of-00001.gguf was written"),
        (["export", "FILE", "-o", "out/"], "out/t.npy was written"),
        (["hash", "FILE", "-o", "hashes.json"], "hashes.json was written"),
        (["metadata", "FILE", "general.name", "-o", "name.txt"], "name.txt was written"),
        (["explain", "FILE", "--svg", "map.svg"], "map.svg was written"),
        (["schema", "-o", "gguf.ksy"], "gguf.ksy was written"),
        (["catalog", "FILE", "-o", "catalog"], "catalog was written"),
    ],
    ids=lambda value: value[0] if isinstance(value, list) else "",
)
def test_a_file_that_was_written_before_the_disk_was_full(command: list[str], written: str, save: Save) -> None:
    if command[0] == "catalog":
        pytest.importorskip("pyarrow")
    path = save(small())
    with Path("/dev/full").open("wb") as full:
        done = process(*("model.gguf" if word == "FILE" else word for word in command), stdout=full, cwd=path.parent)
    message = f"kaitai-gguf: can't write the output: No space left on device{written and f'; {written}'}"
    assert (done.returncode, done.stderr.decode().splitlines()[-1]) == (2, message)


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close stdout")
@pytest.mark.parametrize("command", outputs(), ids=" ".join)
def test_there_may_be_no_output_at_all(command: list[str], save: Save) -> None:
    words = [*COMMAND, *map(str, arguments_of(command, save(small())))]
    line = ["sh", "-c", '"$@" >&-', "sh", *words]
    done = subprocess.run(line, env=ENVIRONMENT, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", ["info", "metadata", "tensors"])
def test_an_output_that_has_not_all_characters(command: str, encoding: str, save: Save) -> None:
    model = Model([("general.name", "string", "日本 ☃")], [TensorSpec("重み", (2, 2), 24, 0)], bytes(4))
    done = process(command, save(model), env=ENVIRONMENT | {"PYTHONIOENCODING": encoding})
    assert (done.returncode, done.stderr) == (0, b"")


def test_a_pipe_needs_no_rich(sample: Path) -> None:
    code = f"import sys; from kaitai_gguf.cli import main; main(['tensors', {str(sample)!r}], standalone_mode=False)"
    code += "; sys.exit('rich' in sys.modules)"
    assert (
        subprocess.run([sys.executable, "-c", code], env=ENVIRONMENT, capture_output=True, check=False).returncode == 0
    )


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
