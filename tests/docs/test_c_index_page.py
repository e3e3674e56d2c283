"""docs/c-index.md and examples/languages/index.c: built with sanitizers, and compared with the Python index."""

import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from attacks.corpus import CASES
from attacks.mutate import mutant
from support.pages import ROOT, code_of, text_of
from support.tools import c_compiler

from kaitai_gguf.errors import FormatError
from kaitai_gguf.reading.header import Header

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


def run(program: Path, *arguments: str | Path) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([program, *arguments], capture_output=True, check=False, timeout=60)


def expected(data: bytes) -> bytes | None:
    """Return the expected output of the program, or None if it should refuse the data."""
    try:
        reader = Header(data)
    except FormatError:
        return None
    keys, tensors = reader.key_values, reader.tensor_infos
    lines = [
        data[start:end] + f": type {type}\n".encode()
        for start, end, type in zip(keys.key_start, keys.key_end, keys.value_type, strict=True)
    ]
    for row in range(len(reader.tensors)):
        dims = "".join(f" {dim}" for dim in tensors.dims[row, : tensors.num_dims[row]])
        facts = f": type {tensors.type_id[row]}, offset {tensors.offset[row]}, dims{dims}\n"
        lines.append(data[tensors.name_start[row] : tensors.name_end[row]] + facts.encode())
    return b"".join(lines)


def test_models_attacks_and_changed_files(program: Path, tmp_path: Path) -> None:
    small = [data for data in MODELS if len(data) < 5_000]
    files = [case.data for case in CASES.values() if case.data][::12] + [mutant(Random(n), small) for n in range(40)]
    path = tmp_path / "model.gguf"
    accepted = 0
    for data in MODELS + files:
        path.write_bytes(data)
        done, output = run(program, path), expected(data)
        refused = (1, done.stdout, b"not a valid GGUF file\n")
        assert (done.returncode, done.stdout, done.stderr) == (refused if output is None else (0, output, b""))
        accepted += output is not None
    assert len(MODELS) < accepted < len(MODELS + files)


def test_what_is_not_a_file(program: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").write_bytes(b"")
    for arguments in ([], [tmp_path / "none.gguf"], [tmp_path / "empty.gguf"], [tmp_path]):
        done = run(program, *arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr


def test_the_page_names_what_exists() -> None:
    assert len(PROGRAM.read_text().splitlines()) <= 100
    header, page = HEADER.read_text(), text_of("c-index.md")
    entries = set(re.findall(r'\{"Layout2", "(\w+)", ', header))
    results = {"SKIP_DONE", "SKIP_REFUSED", "SKIP_NO_MEMORY"}
    assert set(re.findall(r"^\| `(\w+)` \|", page, re.MULTILINE)) == entries | results
    names = set(re.findall(r"\bskip_\w+", "".join(code_of("c-index.md", "c"))))
    assert names
    assert [name for name in names if name not in header] == []
