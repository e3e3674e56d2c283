"""Tools that some tests need. Without them, tests are skipped, or fail if CI is true."""

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import NoReturn

import pytest


def missing(tools: Iterable[str]) -> NoReturn:
    message = f"not installed: {', '.join(tools)}"
    pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


def require(*tools: str) -> None:
    if absent := [tool for tool in tools if shutil.which(tool) is None]:
        missing(absent)


def c_compiler() -> str:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang") or missing(["a C compiler"])


def npm_installed(package: Path) -> Path:
    """Install the dependencies in a package's lock file, unless they are installed, and return its folder."""
    require("node", "npm")
    done = package / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (package / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci", "--silent"], cwd=package, check=True, timeout=300)
    return package
