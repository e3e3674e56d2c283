"""What all commands share: help, exit status, errors, pipes."""

import ast
import os
import pkgutil
import re
import shutil
import socket
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from attacks.others import OTHERS
from click.testing import CliRunner, Result
from support.commands import COMMAND, ENVIRONMENT, OPENERS, output, process, raw_characters, run, with_file
from support.gguf_bytes import BIG_ENDIAN, V1, Model, TensorSpec, array, file, header, key_value, tensor

import kaitai_gguf
import kaitai_gguf.cli.commands
from cli.conftest import ROOT, Save
from kaitai_gguf.cli import COMMANDS, OPTIONS, main

HOSTILE = "\x1b[31m\x1b]0;title\x07\r\b\x7f\0\u009b2J\u202e\u2028\u2066"
openers = pytest.mark.parametrize("command", OPENERS, ids=" ".join)


def fails(result: Result, path: object, words: str) -> None:
    """Asserts one line that says which file and why, and nothing else."""
    assert result.exit_code == 2
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    (line,) = result.stderr.splitlines()
    assert line.startswith(f"kaitai-gguf: {path}: ")
    assert words in line


def read(command: list[str], path: Path) -> Result:
    return run(*with_file(command, path))


# Help


def test_each_command_is_a_module() -> None:
    names = [module.name for module in pkgutil.iter_modules(kaitai_gguf.cli.commands.__path__)]
    commands = {name for name in names if hasattr(import_module(f"kaitai_gguf.cli.commands.{name}"), "command")}
    assert {command.replace("-", "_") for command in COMMANDS} == commands


def test_each_command_is_listed() -> None:
    assert re.findall(r"^  ([a-z][a-z-]*) +[A-Z]", output("--help"), re.MULTILINE) == list(COMMANDS)


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_fits_a_terminal(command: str) -> None:
    text = output(command, "--help")
    assert text == output(command, "-h")
    assert max(map(len, text.splitlines())) <= 80


def examples() -> list[str]:
    lines = [line.strip() for command in COMMANDS for line in output(command, "--help").splitlines()]
    return [line for line in lines if line.startswith("kaitai-gguf ")]


def test_each_command_has_an_example() -> None:
    assert {example.split()[1] for example in examples()} == set(COMMANDS)


def models(folder: Path, sample: Path) -> None:
    """What examples are about: a model, the same in another version, in shards, and its hashes."""
    path = folder / "model.gguf"
    path.write_bytes(sample.read_bytes())
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.convert(model, folder / "other.gguf", version=2)
        kaitai_gguf.split(model, folder / "model", max_nbytes=200_000)
    (folder / "model.json").write_text(output("hash", path, "--json"))


@pytest.fixture(scope="module")
def folder_of_examples(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What examples are about, and the programs that they call."""
    folder = tmp_path_factory.mktemp("examples")
    models(folder, ROOT / "examples" / "sample.gguf")
    (folder / "chat.jinja").write_text("{{ messages }}")
    (folder / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    script(folder / "kaitai-gguf", f'exec {sys.executable} -m kaitai_gguf "$@"')
    script(
        folder / "jq", f"exec {sys.executable} -c 'import json, sys; print(json.load(sys.stdin)[sys.argv[1][1:]])' $1"
    )
    return folder


@pytest.mark.parametrize("example", examples())
def test_each_example_works(example: str, folder_of_examples: Path, tmp_path: Path) -> None:
    shutil.copytree(folder_of_examples, tmp_path, dirs_exist_ok=True)
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    before = set(tmp_path.iterdir())
    shell = subprocess.run(
        ["sh", "-c", example], cwd=tmp_path, env=ENVIRONMENT | {"PATH": path}, capture_output=True, check=False
    )
    assert (shell.returncode, shell.stderr) == (0, b"")
    assert shell.stdout or set(tmp_path.iterdir()) > before


def script(path: Path, line: str) -> None:
    path.write_text(f"#!/bin/sh\n{line}\n")
    path.chmod(0o755)


def test_the_commands_of_the_readme_work(sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    models(tmp_path, sample)
    monkeypatch.chdir(tmp_path)
    lines = re.findall(r"^kaitai-gguf (.*?) +#", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert lines
    for line in lines:
        assert output(*line.replace("'", "").split())


def test_version() -> None:
    assert output("--version") == f"kaitai-gguf, version {kaitai_gguf.__version__}\n"


# Arguments


@pytest.mark.parametrize(
    "arguments",
    [
        ["nonsense"],
        ["info"],
        ["info", "--nonsense", "x"],
        ["tensors", "a", "b", "c"],
        ["dump", "a", "b"],
        ["--nonsense"],
    ],
    ids=" ".join,
)
def test_wrong_arguments_are_explained(arguments: list[str]) -> None:
    result = run(*arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "Usage: " in result.stderr
    assert "Error: " in result.stderr


def test_without_arguments_there_is_help() -> None:
    assert "Commands:" in CliRunner().invoke(main, []).output


# Files that can't be opened


@openers
def test_what_no_command_opens(command: list[str], tmp_path: Path, save: Save) -> None:
    """What else can be wrong with a file is the same for all commands; below it is tried with one."""
    fails(read(command, tmp_path), tmp_path, "is a directory, not a GGUF file")
    missing, broken = tmp_path / "missing.gguf", save(BROKEN["count"])
    fails(read(command, missing), missing, "no such file")
    fails(read(command, broken), broken, "(at byte 0x")


def test_an_empty_file(save: Save) -> None:
    path = save(b"")
    fails(run("info", path), path, "the file is empty (at byte 0x0)")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="there are no named pipes")
def test_a_named_pipe_is_not_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    done = process("info", path)
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr.decode() == f"kaitai-gguf: {path}: is a pipe that nobody writes to\n"


@pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="there are no sockets in the file system")
def test_a_socket(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)  # the path of a socket may not be long
    with socket.socket(socket.AF_UNIX) as unix:
        unix.bind("socket")
        fails(run("info", "socket"), "socket", "is not a regular file")


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="there are no devices in the file system")
def test_a_device() -> None:
    fails(run("info", "/dev/zero"), "/dev/zero", "is not a regular file")


def test_a_symbolic_link_to_itself(tmp_path: Path) -> None:
    path = tmp_path / "loop"
    path.symlink_to(path)
    fails(run("info", path), path, "symbolic links")


def test_a_symbolic_link_to_nothing(tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(tmp_path / "missing")
    fails(run("info", path), path, "no such file")


def test_a_symbolic_link_to_a_model(sample: Path, tmp_path: Path) -> None:
    path = tmp_path / "link"
    path.symlink_to(sample)
    assert output("tensors", path) == output("tensors", sample)


def test_a_name_that_is_too_long(tmp_path: Path) -> None:
    path = tmp_path / ("n" * 300)
    fails(run("info", path), path, "too long")


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_file(save: Save) -> None:
    path = save(b"")
    path.chmod(0)
    fails(run("info", path), path, "the file may not be read")


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


@pytest.mark.parametrize("path", ["-", "/dev/stdin"])
@pytest.mark.parametrize("command", READS_PIPES, ids=" ".join)
def test_a_pipe_is_read(command: list[str], path: str, sample: Path) -> None:
    if path != "-" and not Path(path).exists():
        pytest.skip("there is no such path")
    words = [command[0], path, *command[1:]]
    done = process(*words, input=sample.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout.decode() == output(command[0], sample, *command[1:])


@pytest.mark.parametrize("command", [["info"], ["check", "--ignore", "file-name"]], ids=lambda words: words[0])
def test_the_name_of_a_pipe(command: list[str], sample: Path) -> None:
    words, expected = (process(*command, path, input=sample.read_bytes()).stdout for path in ("-", sample))
    assert expected
    assert words == expected.replace(str(sample).encode(), b"-")


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs a shell that names pipes")
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


# Text that wants to be more


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


# Pipes


def outputs() -> list[list[str]]:
    """Help, lines, JSON, and what is said after writing."""
    return [["--help"], ["schema"], *(each for each in OPENERS if each[0] != "tensors" and "--json" not in each[1:2])]


def arguments_of(command: list[str], path: Path) -> list[object]:
    return with_file(command, path) if command in OPENERS else list(command)


def small() -> Model:
    return Model([("general.name", "string", "x")], [TensorSpec("t", (1,), 0, 0)], bytes(4))


def large() -> Model:
    """More than a pipe or a buffer holds."""
    metadata = [(f"key.{i}", "string", "x" * 50) for i in range(2000)]
    return Model(metadata, [TensorSpec(f"tensor.{i}", (0,), 0, 0) for i in range(2000)])


@pytest.mark.parametrize("command", outputs(), ids=" ".join)
def test_a_reader_may_go_before_it_reads(command: list[str], save: Save) -> None:
    ours, theirs = os.pipe()
    os.close(ours)
    done = process(*arguments_of(command, save(small())), stdout=theirs)
    os.close(theirs)
    assert (done.returncode, done.stderr) == (0, b"")


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
    assert child.returncode == 0


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no device that is full")
@pytest.mark.parametrize("command", outputs(), ids=" ".join)
def test_a_full_disk_is_an_error(command: list[str], save: Save) -> None:
    with Path("/dev/full").open("wb") as full:
        done = process(*arguments_of(command, save(small())), stdout=full)
    assert done.returncode == 2
    assert done.stderr == b"kaitai-gguf: can't write the output: No space left on device\n"


@pytest.mark.skipif(os.name == "nt", reason="needs a shell that can close a stream")
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


@pytest.mark.skipif(sys.platform == "win32", reason="it has no such limit")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", [["dump", "--full", "--json"], ["metadata", "long"]], ids=lambda words: words[0])
def test_a_disk_that_is_full_soon(command: list[str], unbuffered: str, save: Save, tmp_path: Path) -> None:
    """The last write is a short one, which is no error by itself."""
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


# Words


def test_no_command_is_cut_off_in_the_list() -> None:
    lines = re.findall(r"^  [a-z][a-z-]* +([A-Z].*)", output("--help"), re.MULTILINE)
    assert len(lines) == len(COMMANDS)
    assert [line for line in lines if not line.endswith(".") or line.endswith("...")] == []


def test_a_scanner_that_does_not_exist_is_a_line(sample: Path) -> None:
    done = process("info", sample, env=ENVIRONMENT | {"KAITAI_GGUF_SCANNER": "fast"})
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"kaitai-gguf: KAITAI_GGUF_SCANNER is 'fast', expected 'compiled' or 'python'\n"


def test_what_errors_say_of_python_is_said_of_options() -> None:
    source = Path(kaitai_gguf.__file__).parent
    raised = [
        part.value
        for path in source.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Raise | ast.Return)
        for part in ast.walk(node)
        if isinstance(part, ast.Constant) and isinstance(part.value, str)
    ]
    quoted = [words for words in raised if re.search(r"\b[a-z_]+=(True|False)\b|\bTyped\(", words)]
    assert len(quoted) >= 4
    assert [words for words in quoted if not any(phrase in words for phrase in OPTIONS)] == []


def test_an_error_names_the_option(save: Save, tmp_path: Path) -> None:
    path = save(Model([("x", "uint8", 1)]))
    assert "--type" in run("set", path, "new=[]", "--in-place").stderr
    for assignment in ("new=[]", "x=[1]"):
        result = run("set", path, assignment, "--in-place")
        assert result.exit_code == 2
        assert "Typed" not in result.stderr
        assert "--type" in result.stderr
