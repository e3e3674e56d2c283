"""Install dependencies of the npm packages."""

import subprocess
from pathlib import Path

from support.tools import require


def installed(package: Path) -> Path:
    """Install the dependencies in a package's lock file, unless they are installed, and return its folder."""
    require("node", "npm")
    done = package / "node_modules" / ".package-lock.json"
    if not done.exists() or done.stat().st_mtime < (package / "package-lock.json").stat().st_mtime:
        subprocess.run(["npm", "ci", "--silent"], cwd=package, check=True, timeout=300)
    return package
