"""Fail if a tag can't be published: what RELEASING.md asks for is missing, or versions differ.

python tools/release.py v0.1.0 https://github.com/someone/kaitai-gguf
"""

import json
import re
import runpy
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[1]


def problems(tag: str, address: str, root: Path = ROOT) -> list[str]:
    """Return a sentence for each difference between a tag of the repository at an address and the files in `root`."""
    version = runpy.run_path(str(root / "src/kaitai_gguf/version.py"))["__version__"]
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    package = json.loads((root / "javascript/package.json").read_text("utf-8"))
    changes = (root / "CHANGELOG.md").read_text("utf-8")
    found = []
    if tag != f"v{version}":
        found.append(f"the tag is {tag}, but src/kaitai_gguf/version.py has {version}")
    if package["version"] != version:
        found.append(f"javascript/package.json has version {package['version']}, not {version}")
    for name, known in [("pyproject.toml", project["urls"]["Repository"]), ("javascript/package.json", home(package))]:
        if known != address:
            found.append(f"the repository is {address}, but {name} has {known}")
    if not re.search(rf"^## \[{re.escape(version)}\] - \d{{4}}-\d\d-\d\d$", changes, re.MULTILINE):
        found.append(f"CHANGELOG.md has no section [{version}] with a date")
    return found


def home(package: dict[str, dict[str, str]]) -> str:
    """Return the address in a package.json, which npm compares with that of the workflow."""
    return package["repository"]["url"].removeprefix("git+").removesuffix(".git")


if __name__ == "__main__":
    found = problems(sys.argv[1], sys.argv[2])
    print(*found, sep="\n", end="\n" if found else "", file=sys.stderr)
    sys.exit(1 if found else 0)
