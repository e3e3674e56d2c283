"""Build distributions of this package, once each and from a copy of the tree, and create environments with them."""

import atexit
import os
import shutil
import subprocess
import sys
import sysconfig
import tempfile
import venv
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]
NOT_SOURCE = (".git", ".venv", ".hypothesis", ".*_cache", "__pycache__", "*.egg-info", "*.so", "build", "dist")


@cache
def scratch() -> Path:
    directory = Path(tempfile.mkdtemp(prefix="distributions-"))
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    return directory


def run(*command: str | Path, cwd: Path | None = None, **environment: str) -> str:
    """Return the output of a program. If it fails, raise `AssertionError` with the output."""
    words, environ = [str(part) for part in command], os.environ | environment
    done = subprocess.run(words, cwd=cwd or scratch(), env=environ, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@cache
def sdist() -> Path:
    tree, out = scratch() / "tree", scratch() / "sdist"
    shutil.copytree(ROOT, tree, ignore=shutil.ignore_patterns(*NOT_SOURCE, "node_modules"))
    run(sys.executable, "-m", "build", "--no-isolation", "--sdist", "--outdir", out, tree)
    (built,) = out.iterdir()
    return built


@cache
def wheel(**environment: str) -> Path:
    """Return the wheel that pip builds from the source distribution."""
    out = Path(tempfile.mkdtemp(dir=scratch()))
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--wheel-dir", out)
    run(*pip, "--no-deps", "--no-index", "--no-build-isolation", "--no-cache-dir", sdist(), **environment)
    (built,) = out.iterdir()
    return built


@cache
def environment(wheel: Path) -> Path:
    """Return the Python of a new environment with the wheel and the other packages of this environment."""
    directory = Path(tempfile.mkdtemp(dir=scratch()))
    venv.create(directory, symlinks=os.name != "nt")
    python = directory / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
    own = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))").strip())
    (own / "here.pth").write_text(sysconfig.get_path("purelib") + "\n")  # ignores .pth files in there, such as ours
    pip = (sys.executable, "-m", "pip", "--python", python, "install", "--quiet")
    run(*pip, "--no-deps", "--no-index", "--ignore-installed", wheel)
    return python
