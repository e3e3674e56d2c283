"""Fixtures with Node.js and npm packages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.node import ROOT, Worker
from support.tools import npm_installed


@pytest.fixture(scope="session")
def package() -> Path:
    """Return the directory of the npm package, with its dependencies installed."""
    return npm_installed(ROOT / "javascript")


@pytest.fixture(scope="session")
def viewer() -> Path:
    """Return the directory of the viewer, with its build tools installed."""
    return npm_installed(ROOT / "javascript" / "viewer")


@pytest.fixture(scope="session")
def worker(package: Path) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()
