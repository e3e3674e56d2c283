"""A web server for each test, and short waits."""

from collections.abc import Iterator

import pytest
from support.fault_server import FaultServer, serving

from kaitai_gguf.sources import http


@pytest.fixture
def server() -> Iterator[FaultServer]:
    with serving() as server:
        yield server


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """The seconds that would have been waited for before requests that are made again."""
    seconds: list[float] = []
    monkeypatch.setattr(http.time, "sleep", seconds.append)
    return seconds
