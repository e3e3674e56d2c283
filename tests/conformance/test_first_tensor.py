"""examples/languages: each program does what docs/languages.md says, beside a copy of its generated parser.

Four languages run wherever the other tests here do. The others run if KAITAI_RUNTIMES names a directory with the
official runtimes (`kaitai_struct_ruby_runtime` and so on), as no package manager of this project's has them.
"""

import os
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest
from toolchains import GENERATED, HERE, JAVA_LIBRARIES, NODE_MODULES, PYTHON, ROOT, Language

import kaitai_gguf

PROGRAMS = ROOT / "examples" / "languages"
RUNTIMES = Path(os.environ.get("KAITAI_RUNTIMES", "/nowhere"))

CORPUS = [path for path in sorted((ROOT / "tests" / "data" / "models").glob("*.gguf")) if path.stem != "empty-arrays"]


@dataclass(frozen=True)
class Example:
    """How a program is run, in a directory with what is generated for its language, and what has to be done before."""

    program: str
    generated: str
    run: list[str]
    prepare: Callable[[Path], list[list[str]]] = lambda directory: []

    def here(self, directory: Path) -> list[str]:
        """The command; the program is built in the directory."""
        shutil.copytree(GENERATED / self.generated, directory, dirs_exist_ok=True)
        shutil.copy(PROGRAMS / self.program, directory)
        for command in self.prepare(directory):
            subprocess.run(command, cwd=directory, check=True, capture_output=True)
        return self.run


def _prepare_go(directory: Path) -> list[list[str]]:
    module = (HERE / "go" / "go.mod").read_text().replace("module conformance", "module example")
    (directory / "go.mod").write_text(module)
    shutil.copy(HERE / "go" / "go.sum", directory)
    return [["go", "build", "-o", "first_tensor", "."]]


def _prepare_java(directory: Path) -> list[list[str]]:
    return [["javac", "-cp", f"{JAVA_LIBRARIES}/*", "-sourcepath", ".", "-d", ".", "FirstTensor.java"]]


def _prepare_php(directory: Path) -> list[list[str]]:
    (directory / "vendor").mkdir()
    (directory / "vendor" / "autoload.php").write_text(
        "<?php spl_autoload_register(function ($class) {\n"
        f"    require '{_runtime('php')}/lib/' . str_replace('\\\\', '/', $class) . '.php';\n}});\n"
    )
    return []


def _prepare_csharp(directory: Path) -> list[list[str]]:
    sources = [*map(str, _runtime("csharp").glob("*.cs")), "Gguf.cs", "FirstTensor.cs"]
    return [["mcs", "-nowarn:414", "-out:first_tensor.exe", *sources]]


def _prepare_cpp(directory: Path) -> list[list[str]]:
    runtime = _runtime("cpp_stl")
    options = [
        "-std=c++11",
        "-Wall",
        "-Wextra",
        "-Werror",
        "-Wno-type-limits",
        "-DKS_STR_ENCODING_NONE",
        f"-isystem{runtime}",
    ]
    stream = ["g++", "-w", "-c", *options[5:], str(runtime / "kaitai" / "kaitaistream.cpp"), "-o", "stream.o"]
    return [stream, ["g++", *options, "first_tensor.cpp", "gguf.cpp", "stream.o", "-o", "first_tensor"]]


def _runtime(language: str) -> Path:
    return RUNTIMES / f"kaitai_struct_{language}_runtime"


TESTED = {
    "python": Example("first_tensor.py", "python", [PYTHON, "first_tensor.py"]),
    "javascript": Example(
        "first_tensor.js", "javascript", ["env", f"NODE_PATH={NODE_MODULES}", "node", "first_tensor.js"]
    ),
    "go": Example("first_tensor.go", "go", ["./first_tensor"], _prepare_go),
    "java": Example("FirstTensor.java", "java", ["java", "-cp", f".:{JAVA_LIBRARIES}/*", "FirstTensor"], _prepare_java),
}
OTHERS = {
    "cpp_stl": Example("first_tensor.cpp", "cpp_stl", ["./first_tensor"], _prepare_cpp),
    "csharp": Example("FirstTensor.cs", "csharp", ["mono", "first_tensor.exe"], _prepare_csharp),
    "lua": Example(
        "first_tensor.lua",
        "lua",
        ["env", f"LUA_PATH=./?.lua;{_runtime('lua')}/?.lua", "lua5.3", "first_tensor.lua"],
    ),
    "perl": Example("first_tensor.pl", "perl", ["perl", "-I.", f"-I{_runtime('perl')}/lib", "first_tensor.pl"]),
    "php": Example("first_tensor.php", "php", ["php", "first_tensor.php"], _prepare_php),
    "ruby": Example("first_tensor.rb", "ruby", ["ruby", f"-I{_runtime('ruby')}/lib", "first_tensor.rb"]),
}


def expected(path: Path) -> str:
    with kaitai_gguf.open(path.read_bytes()) as model:
        tensor = next(iter(model.tensors.values()))
        data = tensor.data.tobytes()
        return f"{tensor.name} {tensor.type_name} {list(tensor.shape)} {tensor.nbytes} {data[:8].hex()}\n"


def check(example: Example, directory: Path) -> None:
    command = example.here(directory)
    for path in CORPUS:
        arguments = [*command, str(path), str(GENERATED / "types.json")]
        done = subprocess.run(arguments, cwd=directory, capture_output=True, text=True, check=False, timeout=60)
        assert (done.stdout, done.returncode) == (expected(path), 0), done.stderr


def test_an_example(language: Language, tmp_path: Path) -> None:
    check(TESTED[language.name], tmp_path)


if RUNTIMES.is_dir():

    @pytest.mark.parametrize("name", OTHERS)
    def test_an_example_with_a_runtime_from_elsewhere(name: str, tmp_path: Path) -> None:
        check(OTHERS[name], tmp_path)
