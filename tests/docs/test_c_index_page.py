"""docs/c-index.md and examples/languages/index.c: built with sanitizers, and compared with the Python index."""

import os
import re
import shutil
import subprocess
from pathlib import Path
from random import Random

import pytest
from attacks.cases import CASES
from attacks.mutate import mutant

from kaitai_gguf.errors import FormatError
from kaitai_gguf.reading.header import Header

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "c-index.md").read_text("utf-8")
PROGRAM = ROOT / "examples" / "languages" / "index.c"
HEADER = ROOT / "generated" / "c" / "gguf_index.h"
MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))
FLAGS = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic", "-g", "-O1"]
SANITIZERS = ["-fsanitize=address,undefined", "-fno-sanitize-recover=all"]


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang")
    if compiler is None:
        pytest.fail("no C compiler") if os.environ.get("CI") == "true" else pytest.skip("no C compiler is installed")
    directory = tmp_path_factory.mktemp("index")
    for path in (PROGRAM, HEADER):
        shutil.copy(path, directory)
    subprocess.run([compiler, *FLAGS, *SANITIZERS, "index.c", "-o", "index"], cwd=directory, check=True)
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


def check(program: Path, path: Path) -> bool:
    done, output = run(program, path), expected(path.read_bytes())
    assert (done.returncode, done.stdout) == ((1, done.stdout) if output is None else (0, output)), done.stderr
    assert done.stderr == (b"not a valid GGUF file\n" if output is None else b"")
    return output is not None


def test_models_attacks_and_changed_files(program: Path, tmp_path: Path) -> None:
    assert MODELS
    assert all(check(program, path) for path in MODELS)
    whole = next(path for path in MODELS if path.stem == "v1").read_bytes()
    seeds = [each.read_bytes() for each in MODELS if each.stat().st_size < 5_000]
    files = [case.data for case in CASES.values() if case.data][::12] + [
        mutant(Random(seed), seeds) for seed in range(40)
    ]
    files += [whole[:size] for size in range(1, 200, 13)]
    accepted = 0
    for data in files:
        (tmp_path / "model.gguf").write_bytes(data)
        accepted += check(program, tmp_path / "model.gguf")
    assert 0 < accepted < len(files)


def test_what_is_not_a_file(program: Path, tmp_path: Path) -> None:
    (tmp_path / "empty.gguf").write_bytes(b"")
    for arguments in ([], [tmp_path / "none.gguf"], [tmp_path / "empty.gguf"], [tmp_path]):
        done = run(program, *arguments)
        assert (done.returncode, done.stdout) == (2, b"")
        assert done.stderr


def test_the_page_names_what_there_is() -> None:
    assert len(PROGRAM.read_text().splitlines()) <= 100
    header = HEADER.read_text()
    entries = set(re.findall(r'\{"Layout2", "(\w+)", ', header))
    assert set(re.findall(r"^\| `(\w+)` \|", PAGE, re.MULTILINE)) == entries | {
        "SKIP_DONE",
        "SKIP_REFUSED",
        "SKIP_NO_MEMORY",
    }
    for code in re.findall(r"^```c\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE):
        for name in re.findall(r"\bskip_\w+", code):
            assert name in header
    assert "skip_entries" in PAGE
