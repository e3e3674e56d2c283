"""Fixtures: a web server for each test, and retries without waiting."""

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
    """Return the seconds that retries would have waited. They do not wait."""
    seconds: list[float] = []
    monkeypatch.setattr(http.time, "sleep", seconds.append)
    return seconds
