"""docs/remote.md: every block of Python works, with a local server."""

from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from support.fault_server import serving
from support.pages import code_of, text_of
from support.remote_models import far

from kaitai_gguf.sources import http, ranges, remote


@pytest.mark.parametrize("code", code_of("remote.md", "python"))
def test_an_example(code: str) -> None:
    MemoryFileSystem().pipe_file("/bucket/model.gguf", far())
    names: dict[str, Any] = {}
    with serving() as server:
        server.put(far())
        code = code.replace("https://models.example", server.url("")).replace("s3://", "memory://")
        exec(compile(code, "docs/remote.md", "exec"), names)
    assert "model" in names or tuple(names["options"]) == http.OPTIONS
    MemoryFileSystem.store.clear()


def test_numbers() -> None:
    assert (http.RETRIES, http.TIMEOUT, http.BACK_OFF, http.LONGEST_WAIT, http.REDIRECTS) == (4, 30, 0.25, 60, 10)
    assert (remote.FIRST, ranges.GAP, ranges.MOST, ranges.AT_ONCE) == (1 << 20, 1 << 20, 16 << 20, 4)
    assert all(f"{status}" in text_of("remote.md") for status in http._TEMPORARY)
