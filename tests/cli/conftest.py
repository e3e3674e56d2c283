"""Fixtures for the tests of the commands: files to run them on."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from support.gguf_bytes import Model, TensorSpec

Save = Callable[..., Path]

ROOT = Path(__file__).parents[2]
MODELS = ROOT / "tests" / "data" / "models"
SOURCE = MODELS / "split-source.gguf"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


@pytest.fixture
def sample() -> Path:
    return ROOT / "examples" / "sample.gguf"


@pytest.fixture
def save(tmp_path: Path) -> Save:
    """Return a function that writes a model, or bytes, to a file."""

    def save(content: Model | bytes, name: str = "model.gguf") -> Path:
        path = tmp_path / name
        path.write_bytes(content.build() if isinstance(content, Model) else content)
        return path

    return save


@pytest.fixture
def model(tmp_path: Path) -> Path:
    """A copy of a model with metadata and tensors of several types."""
    return Path(shutil.copy(SOURCE, tmp_path / "model.gguf"))


@pytest.fixture(scope="session")
def large(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a tensor of one row of 64 MiB, so that reading row by row would read all of it at once."""
    path = tmp_path_factory.mktemp("large") / "large.gguf"
    with path.open("wb") as file:
        file.write(Model([], [TensorSpec("row", (1 << 24,), 0, 0)]).build())
        file.truncate(file.tell() + (64 << 20))
    return path
