"""docs/remote.md: every block of Python works, with a local server."""

import re
from pathlib import Path

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from support.fault_server import serving
from support.remote_models import far

from kaitai_gguf.sources import http, ranges, remote

PAGE = (Path(__file__).parents[2] / "docs" / "remote.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_there_is_something_to_run() -> None:
    assert len(EXAMPLES) == 4


@pytest.mark.parametrize("code", EXAMPLES, ids=[str(number) for number in range(len(EXAMPLES))])
def test_an_example(code: str) -> None:
    MemoryFileSystem().pipe_file("/bucket/model.gguf", far())
    with serving() as server:
        server.put(far())
        code = code.replace("https://models.example", server.url("")).replace("s3://", "memory://")
        names: dict[str, object] = {}
        exec(compile(code, "docs/remote.md", "exec"), names)
    assert {"model", "options"} & names.keys()
    MemoryFileSystem.store.clear()


def test_the_options_are_those_that_there_are() -> None:
    names: dict[str, dict[str, object]] = {}
    exec(EXAMPLES[2], names)  # type: ignore[arg-type]
    assert tuple(names["options"]) == remote._OPTIONS


def test_numbers() -> None:
    assert (http.RETRIES, http.TIMEOUT, http.BACK_OFF, http.LONGEST_WAIT, http.REDIRECTS) == (4, 30, 0.25, 60, 10)
    assert (remote.FIRST, ranges.GAP, ranges.MOST, ranges.AT_ONCE) == (1 << 20, 1 << 20, 16 << 20, 4)
    for status in http._TEMPORARY:
        assert f"{status}" in PAGE
