"""npm packages of the repository, with what their tests need. Without Node.js tests skip; if CI is true, they fail."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def installed(package: Path) -> Path:
    """Install what a package's lock file names, if that has not happened, and return the package."""
    if missing := [tool for tool in ("node", "npm") if shutil.which(tool) is None]:
        message = f"{', '.join(missing)} not on this machine"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    done = package / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (package / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci", "--silent"], cwd=package, check=True, timeout=300)
    return package
