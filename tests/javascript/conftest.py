"""What these tests need: Node.js, and what npm installs. Where that is missing they skip; if CI is true, they fail."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from support.node import ROOT, Worker
from support.npm import installed

HERE = Path(__file__).parent
PACKAGE = ROOT / "javascript"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Keep these tests in one process: they share one of Node.js."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("javascript"))


@pytest.fixture(scope="session")
def package() -> Path:
    """The directory of the npm package, with what its tests need."""
    return installed(PACKAGE)


@pytest.fixture(scope="session")
def worker(package: Path) -> Iterator[Worker]:
    worker = Worker()
    yield worker
    worker.stop()


@pytest.fixture(scope="session")
def vocabularies() -> list[Path]:
    """The vocabulary files of llama.cpp, if MODELS names a directory with them, as for `make bench-all`."""
    found = sorted(Path(os.environ.get("MODELS", "/nowhere")).glob("*vocab*.gguf"))
    if not found:
        pytest.skip("MODELS does not name a directory with vocabulary files")
    return found
