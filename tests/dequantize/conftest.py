"""Both sets of kernels, compiled and numpy, for the tests that compare each of them with ggml."""

import os

import pytest

from kaitai_gguf.dequantize import compiled


@pytest.fixture
def only_compiled() -> None:
    """Skip the test if the kernels are not compiled, or fail it if CI is true."""
    if not compiled.KERNELS:
        (pytest.fail if os.environ.get("CI") == "true" else pytest.skip)("the package was built without a C compiler")


@pytest.fixture(params=["compiled", "numpy"])
def kernels(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Run the test with the compiled kernels and with numpy."""
    if request.param == "compiled":
        request.getfixturevalue("only_compiled")
    else:
        monkeypatch.setattr(compiled, "KERNELS", None)
