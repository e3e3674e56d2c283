"""docs/c-index.md and examples/languages/index.c: built with sanitizers, and compared with the Python index."""

import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from attacks.mutate import mutant
from support import eager
from support.pages import ROOT, code_of, text_of
from support.tools import c_compiler

from kaitai_gguf import ValueType

PROGRAM = ROOT / "examples" / "languages" / "index.c"
HEADER = ROOT / "generated" / "c" / "gguf_index.h"
MODELS = [path.read_bytes() for path in sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))]
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-O1"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    directory = tmp_path_factory.mktemp("index")
    for path in (PROGRAM, HEADER):
        shutil.copy(path, directory)
    subprocess.run([c_compiler(), *FLAGS, *SANITIZERS, "index.c", "-o", "index"], cwd=directory, check=True)
    return directory / "index"


def run(program: Path, *arguments: str | Path) -> tuple[int, bytes, bytes]:
    done = subprocess.run([program, *arguments], capture_output=True, check=False, timeout=60)
    return done.returncode, done.stdout, done.stderr


def expected(data: bytes) -> bytes | None:
    """Return the expected output of the program, or None if it should refuse the data."""
    try:
        parsed = eager.parse(data)
    except eager.Refused:
        return None
    lines = [key + f": type {ValueType[type.upper()].value}\n".encode() for key, type, _ in parsed["metadata"]]
    for name, dims, type_id, offset in parsed["tensors"]:
        lines.append(name + f": type {type_id}, offset {offset}, dims{''.join(f' {dim}' for dim in dims)}\n".encode())
    return b"".join(lines)


def test_models_and_changed_files(program: Path, tmp_path: Path) -> None:
    files = [mutant(Random(n), [data for data in MODELS if len(data) < 5_000]) for n in range(60)]
    path = tmp_path / "model.gguf"
    accepted = 0
    for data in MODELS + files:
        path.write_bytes(data)
        done, output = run(program, path), expected(data)
        assert done == ((1, done[1], b"not a valid GGUF file\n") if output is None else (0, output, b""))
        accepted += output is not None
    assert len(MODELS) < accepted < len(MODELS + files)


def test_what_is_not_a_file(program: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").write_bytes(b"")
    for arguments in ([], [tmp_path / "none.gguf"], [tmp_path / "empty.gguf"], [tmp_path]):
        status, output, error = run(program, *arguments)
        assert (status, output) == (2, b"")
        assert error


def test_the_page_names_what_exists() -> None:
    assert len(PROGRAM.read_text().splitlines()) <= 100
    header, page = HEADER.read_text(), text_of("c-index.md")
    entries = set(re.findall(r'\{"Layout2", "(\w+)", ', header))
    results = {"SKIP_DONE", "SKIP_REFUSED", "SKIP_NO_MEMORY"}
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == entries | results
    names = set(re.findall(r"\bskip_\w+", "".join(code_of("c-index.md", "c"))))
    assert names
    assert [name for name in names if name not in header] == []
