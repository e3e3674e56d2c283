"""Fixtures with Node.js and npm packages. Without Node.js, the tests are skipped, or fail if CI is true."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.node import ROOT, Worker
from support.npm import installed

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
    return installed(PACKAGE)


@pytest.fixture(scope="session")
def worker(package: Path) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


@pytest.fixture(scope="session")
def vocabularies() -> list[Path]:
    """Return llama.cpp's vocabulary files, if MODELS names a directory that has them, as for `make bench-all`."""
    found = sorted(Path(os.environ.get("MODELS", "/nowhere")).glob("*vocab*.gguf"))
    if not found:
        pytest.skip("MODELS does not name a directory with vocabulary files")
    return found
