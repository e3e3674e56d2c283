"""`python -m kaitai_gguf.gguf_py`: programs run exactly as under Python, but with our reader."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from gguf_py.files import EXAMPLE

RUNNER = ["-m", "kaitai_gguf.gguf_py"]

FACTS = """
import sys, __main__
print(__name__, __file__, sys.argv, sys.path[0], __package__, __spec__ and __spec__.name)
print(__main__.__dict__ is globals(), sys.modules["__main__"] is __main__)
"""


def run(*words: object, folder: Path, stdin: str = "") -> "subprocess.CompletedProcess[str]":
    command = [sys.executable, *map(str, words)]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, input=stdin, timeout=60)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "inner").mkdir()
    (tmp_path / "inner" / "beside.py").write_text("VALUE = 7\n")
    return tmp_path


def script(folder: Path, text: str) -> Path:
    path = folder / "inner" / "script.py"
    path.write_text(text)
    return path.relative_to(folder)


def test_a_script_has_our_reader(folder: Path) -> None:
    path = script(
        folder, "import gguf, sys\nprint(gguf.GGUFReader.__module__, len(gguf.GGUFReader(sys.argv[1]).tensors))"
    )
    done = run(*RUNNER, path, EXAMPLE, folder=folder)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith("kaitai_gguf.gguf_py.reader ")
    assert run(path, EXAMPLE, folder=folder).stdout.startswith("gguf.gguf_reader ")


@pytest.mark.parametrize("arguments", [[], ["-m", "--help", "a b"]])
def test_a_script_sees_what_it_always_sees(folder: Path, arguments: list[str]) -> None:
    path = script(
        folder,
        FACTS + "import beside, pickle, atexit\nclass A: pass\npickle.dumps(A())\natexit.register(lambda: print(A))\n",
    )
    plain, ours = (run(*runner, path, *arguments, folder=folder) for runner in ([], RUNNER))
    assert (ours.returncode, ours.stderr, ours.stdout) == (0, "", plain.stdout)


def test_a_module_sees_what_it_always_sees(folder: Path) -> None:
    package = folder / "package"
    package.mkdir()
    (package / "__main__.py").write_text(FACTS)
    (package / "__init__.py").touch()
    (package / "one.py").write_text(FACTS)
    for name in ("package", "package.one"):
        plain, ours = (run(*runner, "-m", name, "x", "-y", folder=folder) for runner in ([], RUNNER))
        assert (ours.returncode, ours.stderr, ours.stdout) == (0, "", plain.stdout)


EXITS = {
    "sys.exit(3)": 3,
    "sys.exit('message')": 1,
    "exec('def broken(:')": 1,
    "1 / 0": 1,
    "os._exit(5)": 5,
    "raise KeyboardInterrupt": -2 if os.name == "posix" else None,
}


@pytest.mark.parametrize("code", EXITS)
def test_exit_codes_and_tracebacks(folder: Path, code: str) -> None:
    path = script(folder, f"import os, sys\ndef inner():\n    {code}\ninner()\n")
    plain, ours = (run(*runner, path, folder=folder) for runner in ([], RUNNER))
    assert (ours.returncode, ours.stdout) == (plain.returncode, plain.stdout)
    assert ours.stderr == plain.stderr
    if EXITS[code] is not None:
        assert ours.returncode == EXITS[code]


def test_a_folder_and_a_zip_file(folder: Path) -> None:
    (folder / "inner" / "__main__.py").write_text("import beside, sys\nprint(beside.VALUE, sys.argv[1:])\n")
    shutil.make_archive(str(folder / "packed"), "zip", folder / "inner")
    for path in ("inner", "packed.zip"):
        done = run(*RUNNER, path, "x", folder=folder)
        assert (done.returncode, done.stdout, done.stderr) == (0, "7 ['x']\n", "")


def test_arguments(folder: Path) -> None:
    done = run(*RUNNER, "--help", folder=folder)
    assert (done.returncode, done.stderr, "-m module ARGS" in done.stdout) == (0, "", True)
    for words in (["-m"], ["-c", "pass"]):
        done = run(*RUNNER, *words, folder=folder)
        assert (done.returncode, done.stdout) == (2, "")
        assert done.stderr.startswith("usage: python -m kaitai_gguf.gguf_py script.py ARGS\n")
    done = run(*RUNNER, "missing.py", folder=folder)
    assert (done.returncode, done.stdout, done.stderr) == (2, "", "missing.py: no such file\n")
    done = run(*RUNNER, "-m", "no_such_module", folder=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.strip().endswith("No module named no_such_module")


def test_without_gguf(folder: Path) -> None:
    (folder / "gguf.py").write_text("raise ImportError('broken')\n")
    done = run(*RUNNER, script(folder, "print('not reached')"), folder=folder)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr == (
        "python -m kaitai_gguf.gguf_py: install() needs the package gguf: pip install gguf (broken)\n"
    )
