"""The compiled scanner and the Python scanner accept the same files, and give the same results.

`test_reader.py` compares both with the generated parser, on valid and broken models.
"""

import os
import subprocess
import sys
from pathlib import Path
from random import Random

import pytest
from attacks import test_bounds as bounds
from attacks.corpus import CASES
from attacks.mutate import mutant
from support.scanners import PYTHON, compiled_alone, each_scanner, findings

import kaitai_gguf
from kaitai_gguf import FormatError
from kaitai_gguf.reading.header import Header
from kaitai_gguf.schema.scanner import Scanner

MODELS = Path(__file__).parents[1] / "data" / "models"
FILES = {path.stem: path.read_bytes() for path in sorted(MODELS.glob("*.gguf")) if path.stat().st_size < 50_000}
SEEDS = [data for data in FILES.values() if len(data) < 5_000]
SEEDS += [case.data for case in CASES.values() if case.opens and len(case.data) < 5_000]


@pytest.fixture(scope="module")
def compiled() -> Scanner:
    try:
        return compiled_alone()
    except ImportError:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip("the compiled scanner was not built")


def is_found_by_both(data: bytes, compiled: Scanner) -> bool:
    result = findings(data, PYTHON)
    assert findings(data, compiled) == result
    return result is not None


def test_attacks_and_files_changed_knowingly(compiled: Scanner) -> None:
    assert 0 < sum(is_found_by_both(case.data, compiled) for case in CASES.values()) < len(CASES)
    assert 50 < sum(is_found_by_both(mutant(Random(seed), SEEDS), compiled) for seed in range(500)) < 450


@pytest.mark.parametrize("name", ["v1", "nested-arrays"])
def test_headers_cut_off_after_every_byte(name: str, compiled: Scanner) -> None:
    end = Header(FILES[name]).end
    assert not any(is_found_by_both(FILES[name][:size], compiled) for size in range(end))
    assert is_found_by_both(FILES[name][:end], compiled)


def refusal(data: bytes, scanner: Scanner) -> tuple[str, int, str] | None:
    try:
        Header(data, scanner)
    except FormatError as error:
        return repr(error), error.offset, error.path
    return None


@each_scanner
def test_refusals_say_the_same(scanner: Scanner) -> None:
    refusals = [refusal(case.data, scanner) for case in CASES.values()]
    assert refusals == [refusal(case.data, PYTHON) for case in CASES.values()]
    assert sum(each is not None for each in refusals) > 50


# The whole package with one scanner


def run(code: str, scanner: str, *arguments: str) -> "subprocess.CompletedProcess[str]":
    environment = {"KAITAI_GGUF_SCANNER": scanner, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    command = [sys.executable, "-c", code, *arguments]
    return subprocess.run(command, env=os.environ | environment, capture_output=True, text=True, check=False)


def test_the_package_does_all_with_the_scanner_in_python() -> None:
    code = """if 1:
        import sys
        from pathlib import Path
        import kaitai_gguf
        from attacks.corpus import CASES
        from attacks.exercise import exercise

        assert kaitai_gguf.scanner == "python"
        opened = sum(exercise(Path(path).read_bytes()) for path in sys.argv[1:])
        refused = sum(not exercise(case.data) for case in list(CASES.values())[::7])
        print(opened, refused > 0)
    """
    done = run(code, "python", *(str(MODELS / f"{name}.gguf") for name in FILES))
    assert (done.stdout, done.stderr) == (f"{len(FILES)} True\n", "")


@pytest.mark.parametrize("name", ["tensors", "deep arrays"])
def test_the_memory_of_the_scanner_in_python_grows_with_the_file(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KAITAI_GGUF_SCANNER", "python")
    bounds.test_memory_grows_with_the_file(name, tmp_path)


def test_the_compiled_scanner_is_in_use_unless_told_otherwise() -> None:
    if os.environ.get("CI") == "true":
        assert kaitai_gguf.scanner == (os.environ.get("KAITAI_GGUF_SCANNER") or "compiled")
    assert kaitai_gguf.scanner in ("compiled", "python")


def test_a_scanner_that_is_not_known_is_an_error() -> None:
    code = "import sys, kaitai_gguf; print(kaitai_gguf.scanner, flush=True); kaitai_gguf.open(sys.argv[1])"
    done = run(code, "fast", str(MODELS / "v2.gguf"))
    assert (done.returncode, done.stdout) == (1, "none\n")
    assert done.stderr.endswith("MissingPackageError: KAITAI_GGUF_SCANNER is 'fast', expected 'compiled' or 'python'\n")
