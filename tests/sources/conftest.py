"""Retries without waiting."""

import pytest

from kaitai_gguf.sources import http


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that retries would have waited. They do not wait."""
    seconds: list[float] = []
    monkeypatch.setattr(http.time, "sleep", seconds.append)
    return seconds
