"""A fixture that writes a file for a test."""

from collections.abc import Callable
from pathlib import Path

import pytest
from support.gguf_bytes import Model


@pytest.fixture
def made(tmp_path: Path) -> Callable[[Model | bytes], Path]:
    """Return a function that writes a file and returns its path."""

    def make(model: Model | bytes) -> Path:
        path = tmp_path / f"{len(list(tmp_path.iterdir()))}.gguf"
        path.write_bytes(model if isinstance(model, bytes) else model.build())
        return path

    return make
