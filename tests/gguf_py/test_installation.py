"""`install()`, `uninstall()` and `python -m kaitai_gguf.gguf_py`: programs run as usual, but with our reader."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import gguf.gguf_reader
import pytest

from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf import gguf_py
from kaitai_gguf.gguf_py import install, uninstall

RUNNER = ["-m", "kaitai_gguf.gguf_py"]
NAMES = ("GGUFReader", "ReaderField", "ReaderTensor")


def classes() -> dict[tuple[str, str], Any]:
    return {(module.__name__, name): getattr(module, name) for module in (gguf, gguf.gguf_reader) for name in NAMES}


OURS = {(module, name): getattr(gguf_py, name) for module, name in classes()}
ORIGINALS = classes()


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    yield
    uninstall()
    assert classes() == ORIGINALS


def run(*words: object, folder: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, input=stdin, timeout=300)


def test_classes_are_replaced_and_restored(monkeypatch: pytest.MonkeyPatch) -> None:
    rest = {name: value for name, value in vars(gguf).items() if name not in NAMES}
    for _ in range(2):
        install()
        install()
        assert classes() == OURS
        assert {name: value for name, value in vars(gguf).items() if name not in NAMES} == rest
        assert isinstance(gguf.GGUFReader(EXAMPLE).tensors[0], gguf.gguf_reader.ReaderTensor)
        uninstall()
        uninstall()
        assert classes() == ORIGINALS
    with monkeypatch.context() as patch:  # what somebody else put there stays
        patch.setattr(gguf, "GGUFReader", gguf.GGUFReader)
        install()
        gguf.GGUFReader = str
        uninstall()
        assert gguf.GGUFReader is str


WITHOUT_GGUF = """
import sys, kaitai_gguf
assert "gguf" not in sys.modules
sys.modules["gguf"] = None
from kaitai_gguf.gguf_py import *
reader = GGUFReader(sys.argv[1])
field = reader.fields["tokenizer.ggml.tokens"]
print([(type(each).__name__, each.name, int(each)) for each in field.types])
print(len(reader.tensors), {type(each.tensor_type).__name__ for each in reader.tensors}, repr(reader.endianess))
for enum in (GGUFValueType, GGMLQuantizationType, GGUFEndian):
    print({each.name: each.value for each in enum})
try:
    install()
except ImportError as error:
    print(type(error).__name__, error)
uninstall()
"""


def test_the_reader_works_without_gguf(tmp_path: Path) -> None:
    done = run("-c", WITHOUT_GGUF, EXAMPLE, folder=tmp_path)
    types, tensors, values, tensor_types, endian, error = done.stdout.splitlines()
    assert types == "[('GGUFValueType', 'ARRAY', 9), ('GGUFValueType', 'STRING', 8)]"
    assert tensors.endswith("{'GGMLQuantizationType'} <GGUFEndian.LITTLE: 0>")
    assert eval(values) == {each.name: each.value for each in gguf.GGUFValueType}
    assert eval(tensor_types) == {each.name: each.value for each in gguf.GGMLQuantizationType} | {"Q2_0": 42}
    assert eval(endian) == {each.name: each.value for each in gguf.GGUFEndian}
    assert error.startswith("MissingPackageError install() needs the package gguf: pip install gguf")


# Programs

FACTS = """
import sys, __main__, beside, pickle, atexit
print(__name__, __file__, sys.argv, sys.path[0], __package__, __spec__ and __spec__.name)
print(__main__.__dict__ is globals(), sys.modules["__main__"] is __main__)
class A: pass
pickle.dumps(A())
atexit.register(lambda: print(A))
"""
# The body of a function in a script, and the exit code.
EXITS = {
    "sys.exit('message')": 1,
    "exec('def broken(:')": 1,
    "1 / 0": 1,
    "os._exit(5)": 5,
    "raise KeyboardInterrupt": -2 if os.name == "posix" else None,
}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a script, a module next to it, and a package."""
    for name in ("inner", "package"):
        (tmp_path / name).mkdir()
    (tmp_path / "inner" / "beside.py").write_text("VALUE = 7\n")
    (tmp_path / "beside.py").touch()
    for name in ("inner/script", "package/__main__", "package/one"):
        (tmp_path / f"{name}.py").write_text(FACTS)
    return tmp_path


@pytest.mark.parametrize(
    "arguments",
    [
        ["inner/script.py"],
        ["inner/script.py", "-m", "--help", "a b"],
        ["-m", "package", "x", "-y"],
        ["-m", "package.one"],
    ],
)
def test_a_program_sees_what_it_always_sees(folder: Path, arguments: list[str]) -> None:
    plain, ours = (run(*runner, *arguments, folder=folder) for runner in ([], RUNNER))
    assert (ours.returncode, ours.stderr, ours.stdout) == (0, "", plain.stdout)


@pytest.mark.parametrize("code", EXITS)
def test_exit_codes_and_tracebacks(folder: Path, code: str) -> None:
    (folder / "inner" / "script.py").write_text(f"import os, sys\ndef inner():\n    {code}\ninner()\n")
    plain, ours = (run(*runner, "inner/script.py", folder=folder) for runner in ([], RUNNER))
    assert (ours.returncode, ours.stdout, ours.stderr) == (plain.returncode, plain.stdout, plain.stderr)
    assert EXITS[code] in (None, ours.returncode)


def test_a_folder_and_a_zip_file(folder: Path) -> None:
    (folder / "inner" / "__main__.py").write_text("import beside, sys\nprint(beside.VALUE, sys.argv[1:])\n")
    shutil.make_archive(str(folder / "packed"), "zip", folder / "inner")
    for path in ("inner", "packed.zip"):
        done = run(*RUNNER, path, "x", folder=folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, "7 ['x']\n", "")


@pytest.mark.parametrize(
    ("words", "code", "message"),
    [
        (["-m"], 2, "usage: python -m kaitai_gguf.gguf_py script.py ARGS\n"),
        (["-c", "pass"], 2, "usage: python -m kaitai_gguf.gguf_py script.py ARGS\n"),
        (["missing.py"], 2, "missing.py: no such file\n"),
        (["-m", "no_such_module"], 1, "No module named no_such_module\n"),
    ],
)
def test_programs_that_can_not_be_run(folder: Path, words: list[str], code: int, message: str) -> None:
    done = run(*RUNNER, *words, folder=folder)
    assert (done.returncode, done.stdout, message in done.stderr) == (code, "", True)


def test_help_and_a_missing_gguf(folder: Path) -> None:
    done = run(*RUNNER, "--help", folder=folder)
    assert (done.returncode, done.stderr, "-m module ARGS" in done.stdout) == (0, "", True)
    (folder / "gguf.py").write_text("raise ImportError('broken')\n")
    done = run(*RUNNER, "inner/script.py", folder=folder)
    message = "python -m kaitai_gguf.gguf_py: install() needs the package gguf: pip install gguf (broken)\n"
    assert (done.returncode, done.stdout, done.stderr) == (1, "", message)


# gguf-py's own commands: a file, the module, its arguments and its input.
COMMANDS: list[tuple[Path, str, list[str], str]] = [
    (EXAMPLE, "gguf_dump", ["m.gguf"], ""),
    (MODELS / "tiny-be.gguf", "gguf_dump", ["m.gguf"], ""),
    (MODELS / "nested-arrays.gguf", "gguf_dump", ["m.gguf", "--json", "--json-array"], ""),
    (MODELS / "empty-arrays.gguf", "gguf_dump", ["m.gguf", "--markdown"], ""),
    (EXAMPLE, "gguf_hash", ["m.gguf"], ""),
    (EXAMPLE, "gguf_set_metadata", ["m.gguf", "general.file_type", "1", "--force"], ""),
    (EXAMPLE, "gguf_set_metadata", ["m.gguf", "none", "7", "--force"], ""),
    (MODELS / "tiny-allquants.gguf", "gguf_new_metadata", ["m.gguf", "n.gguf", "--chat-template", "{{x}}"], ""),
    (MODELS / "v2.gguf", "gguf_convert_endian", ["m.gguf", "big"], "YES\n"),
    (MODELS / "tiny-be.gguf", "gguf_convert_endian", ["m.gguf", "little"], "YES\n"),
]


@pytest.mark.parametrize(("path", "name", "arguments", "stdin"), COMMANDS)
def test_commands_of_gguf_py(path: Path, name: str, arguments: list[str], stdin: str, tmp_path: Path) -> None:
    results = []
    for runner in ([], RUNNER):
        folder = tmp_path / f"{len(runner)}"
        folder.mkdir()
        shutil.copy(path, folder / "m.gguf")
        done = run(*runner, "-m", f"gguf.scripts.{name}", *arguments, folder=folder, stdin=stdin)
        files = {file.name: file.read_bytes() for file in folder.iterdir()}
        has_progress = "%|" in done.stderr  # a progress bar contains times
        results.append((done.returncode, done.stdout, has_progress or done.stderr, files))
    theirs, ours = results
    assert ours == theirs
    assert ours[0] == (1 if "none" in arguments else 0), ours[2]
    is_changed = ours[3] != {"m.gguf": path.read_bytes()}
    assert is_changed == (name not in ("gguf_dump", "gguf_hash") and "none" not in arguments)
