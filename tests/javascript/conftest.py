"""Fixtures with Node.js and npm packages."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from support.node import ROOT, Worker
from support.tools import npm_installed

HERE = Path(__file__).parent
PACKAGE = ROOT / "javascript"


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one process, because they share a Node.js process."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("javascript"))


@pytest.fixture(scope="session")
def package() -> Path:
    """Return the directory of the npm package, with its dependencies installed."""
    return npm_installed(PACKAGE)


@pytest.fixture(scope="session")
def worker(package: Path) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()
