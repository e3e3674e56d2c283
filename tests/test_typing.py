"""Type checkers on a program that uses the installed package."""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

import pytest
from support import distributions

PROGRAMS = Path(__file__).parent / "type_checked"
NAMES = ["use.py", "mistakes.py"]

pytestmark = pytest.mark.xdist_group("distributions")


def installed() -> Path:
    """Return the Python of an environment in which the wheel is installed."""
    return distributions.environment(distributions.wheel())


def checker(name: str) -> None:
    """Skip the test if a type checker is missing, or fail it in CI."""
    if importlib.util.find_spec(name) is None:
        assert os.environ.get("CI") != "true", f"{name} is not installed"
        pytest.skip(f"{name} is not installed")


Objections = dict[str, dict[int, str]]  # errors by program and line


@cache
def objections_of_mypy() -> Objections:
    """Return the errors of mypy in strict mode."""
    checker("mypy")
    cache = distributions.scratch() / "cache"
    options = ["--config-file=", f"--cache-dir={cache}", f"--python-executable={installed()}", "--strict"]
    said = _run_checker(sys.executable, "-m", "mypy", *options, "--output=json", "--no-error-summary")
    return _by_line(
        (each["file"], each["line"], each["message"])
        for each in map(json.loads, said.splitlines())
        if each["severity"] == "error"
    )


@cache
def objections_of_pyright() -> Objections:
    checker("basedpyright")
    config = distributions.scratch() / "pyrightconfig.json"
    config.write_text(json.dumps({"typeCheckingMode": "strict", "reportUnusedExpression": False}))
    options = ["--outputjson", "--pythonpath", str(installed()), "--project", str(config)]
    report = json.loads(_run_checker(sys.executable, "-m", "basedpyright", *options))
    assert report["summary"]["filesAnalyzed"] == len(NAMES)
    return _by_line(
        (Path(each["file"]).name, each["range"]["start"]["line"] + 1, each["message"])
        for each in report["generalDiagnostics"]
        if each["severity"] == "error"
    )


def _by_line(errors: Iterable[tuple[str, int, str]]) -> Objections:
    found: Objections = {name: {} for name in NAMES}
    for name, line, message in errors:
        found[name][line] = message
    return found


def _run_checker(*command: str) -> str:
    """Run a type checker on the programs, in a directory without other configuration, and return its output."""
    shutil.copytree(PROGRAMS, distributions.scratch(), dirs_exist_ok=True)
    done = subprocess.run([*command, *NAMES], cwd=distributions.scratch(), capture_output=True, text=True, check=False)
    assert done.returncode in (0, 1), done.stdout + done.stderr
    return done.stdout


CHECKERS = pytest.mark.parametrize("objections", [objections_of_mypy, objections_of_pyright])


@CHECKERS
def test_a_program_that_is_right_passes(objections: Callable[[], Objections]) -> None:
    assert objections()["use.py"] == {}


@CHECKERS
def test_every_mistake_is_found(objections: Callable[[], Objections]) -> None:
    lines = (PROGRAMS / "mistakes.py").read_text().splitlines()
    wrong = {number for number, line in enumerate(lines, 1) if line.endswith("# ?")}
    assert len(wrong) > 15
    found = objections()["mistakes.py"]
    assert {lines[number - 1].strip() for number in wrong - set(found)} == set()
    assert {lines[number - 1].strip(): found[number] for number in set(found) - wrong} == {}
