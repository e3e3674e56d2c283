"""Common behaviour of all commands: help, arguments, wording."""

import ast
import errno
import os
import pkgutil
import re
import shlex
import signal
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest
from click.testing import CliRunner
from support.commands import ENVIRONMENT, OPENERS, fails, output, process, raw_characters, run, with_file
from support.gguf_bytes import header

import kaitai_gguf
import kaitai_gguf.cli.commands
from cli.conftest import Save
from kaitai_gguf.cli import COMMANDS, HINTS, main
from kaitai_gguf.dequantize.compiled import KERNELS
from kaitai_gguf.errors import Hint

# Help


def test_each_command_is_a_module() -> None:
    names = [module.name for module in pkgutil.iter_modules(kaitai_gguf.cli.commands.__path__)]
    commands = {name for name in names if hasattr(import_module(f"kaitai_gguf.cli.commands.{name}"), "command")}
    assert {command.replace("-", "_") for command in COMMANDS} == commands


def test_each_command_is_listed_with_a_sentence() -> None:
    lines = re.findall(r"^  ([a-z][a-z-]*) +([A-Z].*)", output("--help"), re.MULTILINE)
    assert [command for command, _ in lines] == list(COMMANDS)
    assert [text for _, text in lines if not text.endswith(".") or text.endswith("...")] == []
    assert CliRunner().invoke(main, []).output == output("--help")


@pytest.mark.parametrize("command", COMMANDS)
def test_help_is_short_and_fits_a_terminal(command: str) -> None:
    text = output(command, "--help")
    assert text == output(command, "-h")
    assert max(map(len, text.splitlines())) <= 80


# The process


@pytest.mark.parametrize(("given", "used"), [({}, "1"), ({"OPENBLAS_NUM_THREADS": "3"}, "3")])
def test_threads_for_linear_algebra_start_only_on_demand(given: dict[str, str], used: str, sample: Path) -> None:
    code = """
import atexit, os, sys
from kaitai_gguf.__main__ import main
assert "numpy" not in sys.modules  # which reads the variable when it is imported
atexit.register(lambda: print("numpy" in sys.modules, os.environ["OPENBLAS_NUM_THREADS"]))
main()
"""
    environment = {name: value for name, value in ENVIRONMENT.items() if name != "OPENBLAS_NUM_THREADS"} | given
    command = [sys.executable, "-c", code, "info", str(sample)]
    result = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
    assert result.stdout.splitlines()[-1] == f"True {used}"


# Arguments


def test_version() -> None:
    version, code, facts = output("--version").splitlines()
    assert version == f"kaitai-gguf, version {kaitai_gguf.__version__}"
    kernels = "numpy" if KERNELS is None else "compiled"
    assert code.startswith(f"scanner: {kaitai_gguf.scanner}, kernels: {kernels}")
    without = dict.fromkeys(["kaitai_gguf._scanner", "kaitai_gguf._kernels"])
    done = in_process(f"import sys; sys.modules |= {without}", "--version")
    note = "the package was built without a C compiler, so both are slower"
    assert done.stdout.splitlines()[1] == f"scanner: python, kernels: numpy; {note}"
    assert re.fullmatch(r"facts about llama\.cpp \d+\.\d+ \(commit [0-9a-f]{7,40}\)", facts)


@pytest.mark.parametrize("arguments", ["nonsense", "info --nonsense x", "dump a b", "--nonsense"])
def test_wrong_arguments_are_explained(arguments: str) -> None:
    fails("Usage: ", *arguments.split())
    fails("Error: ", *arguments.split())


@pytest.mark.parametrize("name", ["model.gguf", "missing file.gguf", "examples"])
def test_a_file_instead_of_a_command(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("examples").mkdir()
    fails(f"{name} is a file, not a command: try `kaitai-gguf info {shlex.quote(name)}`", name)


def test_a_misspelled_command() -> None:
    fails("no command 'tensor-s'; did you mean 'tensors' or 'tensor'?", "tensor-s")


NOTHING = {  # commands whose answer is no
    "metadata FILE nokey": "no key 'nokey' in the metadata",
    "metadata FILE x.* --json": "no key matches 'x.*'",
    "tensor FILE none": "no tensor 'none' in the file",
    "tensors FILE none": "no tensor matches 'none'",
    "tensors FILE --regex ^none": "no tensor matches '^none'",
    "tensors FILE --type iq4_xs": "no tensor has type IQ4_XS",
    "tokens FILE --id 999": "has no token 999: there are 264, numbered from 0",
    "tokens FILE nowhere": "no token matches 'nowhere'",
    "export FILE --tensors none -o OUT.npz": "no tensor matches 'none'",
    "copy FILE --tensors none -o OUT.gguf": "no tensor matches 'none'",
    "explain FILE --at 99999999": "no byte at 0x5f5e0ff: the file ends at 0x71060",
    "explain FILE --path /metadata/0/\x1b": r"no field '/metadata/0/\x1b': /metadata/0 has key, value_type, value",
    "unset FILE nokey -o OUT.gguf": "no key 'nokey' in the metadata",
    "rename-key FILE nokey other -o OUT.gguf": "no key 'nokey' in the metadata",
    "rename-key FILE x.* y.* -o OUT.gguf": "no key matches 'x.*'",
    "rename-tensor FILE none other -o OUT.gguf": "no tensor 'none' in the file",
}
ERRORS = {
    "metadata MISSING nokey": "no such file",
    "memory FILE --cache-type-k q9": "unknown type 'Q9'",
    "tensors FILE --regex (": "is not a regular expression",
    "tensors FILE --regex": "--regex needs a PATTERN",
    "tensors FILE --type q4k": "'q4k' is not a tensor type; did you mean Q4_K?",
    "tensors FILE --columns size": "'size' is not a column; the columns are name, ",
    "tensors FILE --columns name --json": "--columns applies to the table",
    "tokens FILE --regex": "--regex needs a PATTERN",
    "tokens FILE --regex (": "is not a regular expression",
    "tokens FILE --id 5-2": "'5-2' is not an id",
    "explain FILE --at 1e3": "is not a position: expected 8122 or 0x1fba",
    "explain FILE --at 1 --path /": "can't be given together",
    "new OUT.gguf --arch clip": "'clip' is not one of 'arcee', ",
    "new OUT.gguf --arch llama --type q9": "'q9' is not a tensor type",
    "new OUT.gguf --arch llama --layers 0": "0 is not in the range",
    "completion csh": "is not one of 'bash', 'zsh', 'fish'",
    "convert FILE --dry-run": "Missing option '--version'",
    "convert FILE --version 4 --dry-run": "'4' is not one of",
    "export FILE": "specify --output DIR or --output FILE",
    "export FILE -o FILE/": "is not a folder",
    "export FILE --to OUT.npy": "12 tensors match, but a file of this format holds only one",
    "export FILE --to OUT.txt": ".txt is not one of .npy",
    "export FILE --to OUT.npz --format raw": "--format raw contradicts the suffix .npz",
    "export FILE --to OUT.npz --dtype float16": "--dtype needs --dequantize",
    "export FILE --to OUT.npz --dequantize --dtype bfloat16": "npz has no bfloat16",
    "export FILE --to OUT --dequantize --dtype bfloat16": "npy has no bfloat16",
    "split FILE -o OUT": "how large",
    "split FILE -o OUT --max-size 1G --max-tensors 1": "--max-size and --max-tensors can't be given together",
    "split FILE --max-size 1G": "specify --output PREFIX",
    "metadata FILE --raw": "--raw and --output need a KEY",
    "metadata FILE -o OUT": "--raw and --output need a KEY",
    "metadata FILE * --raw": "--raw and --output need a KEY, not a pattern",
    "metadata FILE general.name --raw --json": "give only one of --json, --json-object, and --raw",
    "metadata FILE general.name -o OUT --json": "give only one of --json, --json-object, and --raw",
    "metadata FILE --json --json-object": "give only one of --json, --json-object",
    "metadata FILE general.name --json-object --raw": "give only one of --json, --json-object",
    "rename-key FILE llama.* qwen2 -o OUT.gguf": "OLD and NEW need one * each",
    "rename-key FILE general.name general.architecture -o OUT.gguf": "already exists",
    "rename-tensor FILE output.weight output_norm.weight -o OUT.gguf": "already exists",
}


@pytest.mark.parametrize("line", [*NOTHING, *ERRORS])
def test_status_1_is_an_answer_and_2_an_error(line: str, sample: Path, tmp_path: Path) -> None:
    words = (
        line.replace("FILE", str(sample)).replace("MISSING", str(tmp_path / "x.gguf")).replace("OUT", f"{tmp_path}/out")
    )
    fails(NOTHING.get(line) or ERRORS[line], *words.split(), status=1 if line in NOTHING else 2)
    assert list(tmp_path.iterdir()) == []


# Wording


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
    assert (quoted, len(raised) > 400) == ([], True)  # they use a `Hint`
    assert sorted(HINTS) == sorted(Hint.__members__)


@pytest.mark.parametrize("command", ["set", "unset", "rename-key", "rename-tensor", "merge"])
def test_the_standard_input_where_a_file_is_needed(command: str) -> None:
    fails("this command can't read the standard input; save it as a file first", command, "-", "x", "y", "-o", "x")


# Files that can't be opened, are not GGUF, or are broken


@pytest.mark.parametrize("command", OPENERS, ids=" ".join)
def test_what_no_command_opens(command: list[str], tmp_path: Path, save: Save) -> None:
    """All commands open files in the same way, so other faults are tested with one command."""
    missing, broken = tmp_path / "missing.gguf", save(header(num_metadata=2**64 - 1))
    cases = {tmp_path: "is a directory, not a GGUF file", missing: "no such file", broken: "(at byte 0x"}
    for path, words in cases.items():
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


# What no command expects


def in_process(code: str, *words: object) -> "subprocess.CompletedProcess[str]":
    """Run the command in a process of its own, after some code."""
    code += "\nfrom kaitai_gguf.__main__ import main; main()"
    command = [sys.executable, "-c", code, *map(str, words)]
    return subprocess.run(command, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)


def test_a_bug_is_not_the_answer_no(sample: Path) -> None:
    """Status 1 would say that the models differ."""
    code = "import kaitai_gguf.models.differences as d\ndef diff(*_, **__): return 1 / 0\nd.diff = diff"
    done = in_process(code, "diff", sample, sample)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("Traceback (most recent call last):\n")
    assert done.stderr.endswith("ZeroDivisionError: division by zero\n")


@pytest.mark.parametrize(
    "error", [MemoryError("Unable to allocate 1.00 GiB"), OSError(errno.ENOMEM, "Cannot allocate memory")], ids=type
)
def test_out_of_memory_is_a_line(
    error: Exception, sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise error

    monkeypatch.setattr("kaitai_gguf.cli.saving.print_differences", fail)
    target = tmp_path / "new.gguf"
    result = run("convert-endian", sample, "--output", target)
    assert (result.exit_code, result.stderr) == (2, "kaitai-gguf: out of memory\n")
    assert target.exists()


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize(
    ("imported", "message"),
    [("kaitai_gguf.cli", ""), ("click", ""), ("numpy", "\nkaitai-gguf: interrupted\n")],
)
def test_an_interrupt_while_the_command_starts(imported: str, message: str, sample: Path) -> None:
    code = f"""
import signal, sys
class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == {imported!r}:
            signal.raise_signal(signal.SIGINT)
sys.meta_path.insert(0, Interrupt())
"""
    done = in_process(code, "tensors", sample)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", message)


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("name", ["SIGTERM", "SIGHUP"])
def test_a_signal_that_ends_a_command_leaves_no_file(name: str, sample: Path, tmp_path: Path) -> None:
    """The signal may come more than once: `timeout` sends it to the command and to its process group."""
    code = f"""
import os, signal
def signalled(call):
    return lambda *arguments: (os.kill(os.getpid(), signal.{name}), call(*arguments))
os.fsync, os.unlink = signalled(os.fsync), signalled(os.unlink)
"""
    done = in_process(code, "copy", sample, "--output", tmp_path / "new.gguf")
    assert (done.returncode, done.stdout, done.stderr) == (128 + signal.Signals[name], "", "")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(os.name == "nt", reason="needs signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_an_ignored_signal_stays_ignored(name: str, sample: Path) -> None:
    """Shells start jobs in the background with SIGINT ignored, and `nohup` ignores SIGHUP."""
    code = f"import signal; signal.signal(signal.{name}, signal.SIG_IGN)\n"
    code += f"import atexit; atexit.register(lambda: print(signal.getsignal(signal.{name}) is signal.SIG_IGN))"
    assert in_process(code, "info", sample).stdout.endswith("True\n")
