"""Tools that some tests need. Without them, tests are skipped, or fail if CI is true."""

import os
import shutil
from collections.abc import Iterable
from typing import NoReturn

import pytest


def missing(tools: Iterable[str]) -> NoReturn:
    message = f"not installed: {', '.join(tools)}"
    pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)


def require(*tools: str) -> None:
    if absent := [tool for tool in tools if shutil.which(tool) is None]:
        missing(absent)


def c_compiler() -> str:
    return shutil.which("cc") or shutil.which("gcc") or shutil.which("clang") or missing(["a C compiler"])
