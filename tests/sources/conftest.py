"""Another web server, and retries without waiting."""

from collections.abc import Iterator

import pytest
from support.fault_server import FaultServer, serving

from kaitai_gguf.sources import http


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that retries would have waited. They do not wait."""
    seconds: list[float] = []
    monkeypatch.setattr(http.time, "sleep", seconds.append)
    return seconds


@pytest.fixture
def other() -> Iterator[FaultServer]:
    """Return another web server."""
    with serving() as server:
        yield server
