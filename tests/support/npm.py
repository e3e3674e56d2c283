"""Install dependencies of the npm packages. Without Node.js, tests are skipped, or fail if CI is true."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest


def installed(package: Path) -> Path:
    """Install the dependencies in a package's lock file, unless they are installed, and return its folder."""
    if missing := [tool for tool in ("node", "npm") if shutil.which(tool) is None]:
        message = f"not installed: {', '.join(missing)}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    done = package / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (package / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci", "--silent"], cwd=package, check=True, timeout=300)
    return package
