"""Both ways to make the moves that kernels share, for the tests that hold each of them to ggml."""

import os

import pytest

from kaitai_gguf.dequantize import compiled


@pytest.fixture
def only_compiled() -> None:
    """There are compiled moves. Where there are none that is an error if CI is true."""
    if not compiled.MOVES:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("the package was built without a C compiler")


@pytest.fixture(params=["compiled", "numpy"])
def moves(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which moves `dequantize` makes."""
    if request.param == "compiled":
        request.getfixturevalue("only_compiled")
    else:
        monkeypatch.setattr(compiled, "MOVES", None)
