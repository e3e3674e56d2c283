"""Type checkers on a program that uses the installed package."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest
from support import distributions

PROGRAMS = Path(__file__).parent / "type_checked"
NAMES = ["use.py", "mistakes.py"]

pytestmark = [
    pytest.mark.xdist_group("distributions"),
    pytest.mark.parametrize("checker", ["mypy", "basedpyright"]),
]


@cache
def errors(checker: str) -> dict[str, dict[int, str]]:
    """Return the errors of a type checker in strict mode, by program and line."""
    if importlib.util.find_spec(checker) is None:
        assert os.environ.get("CI") != "true", f"{checker} is not installed"
        pytest.skip(f"{checker} is not installed")
    scratch, python = distributions.scratch(), distributions.environment(distributions.wheel())
    shutil.copytree(PROGRAMS, scratch, dirs_exist_ok=True)
    config = scratch / "pyrightconfig.json"
    config.write_text(json.dumps({"typeCheckingMode": "strict", "reportUnusedExpression": False}))
    cache, python_of_mypy = f"--cache-dir={scratch / 'cache'}", f"--python-executable={python}"
    options = {
        "mypy": ["--config-file=", cache, python_of_mypy, "--strict", "--output=json", "--no-error-summary"],
        "basedpyright": ["--outputjson", "--pythonpath", str(python), "--project", str(config)],
    }
    command = [sys.executable, "-m", checker, *options[checker], *NAMES]
    done = subprocess.run(command, cwd=scratch, capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    found: dict[str, dict[int, str]] = {name: {} for name in NAMES}
    if checker == "mypy":
        each = [(row["file"], row["line"], row) for row in map(json.loads, done.stdout.splitlines())]
    else:
        report = json.loads(done.stdout)
        assert report["summary"]["filesAnalyzed"] == len(NAMES)
        rows = report["generalDiagnostics"]
        each = [(Path(row["file"]).name, row["range"]["start"]["line"] + 1, row) for row in rows]
    for name, line, row in each:
        if row["severity"] == "error":
            found[name][line] = row["message"]
    return found


def test_a_program_that_is_right_passes(checker: str) -> None:
    assert errors(checker)["use.py"] == {}


def test_every_mistake_is_found(checker: str) -> None:
    lines = (PROGRAMS / "mistakes.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# ?")}
    assert len(wrong) > 15
    found = errors(checker)["mistakes.py"]
    assert {lines[number - 1].strip() for number in wrong - set(found)} == set()
    assert {lines[number - 1].strip(): found[number] for number in set(found) - wrong} == {}
