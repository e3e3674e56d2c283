"""The formats in schemas/: each with the official compiler's class and the skip compiler's index."""

import os

import pytest
from compiler import ToolMissing, compile_schema
from official import FORMATS, Format
from skip_modules import SCHEMAS


@pytest.fixture(scope="session")
def formats(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Format]:
    """Return the formats by name. Without the official compiler, skip the test, or fail it in CI."""
    directory = tmp_path_factory.mktemp("official")
    try:
        # objects record where their fields start, and keep the fields read before a refusal
        compile_schema(sorted(SCHEMAS.glob("*.ksy")), directory, ["python"], "--read-pos", "--no-auto-read")
    except ToolMissing as missing:
        if os.environ.get("CI") == "true":
            raise
        pytest.skip(f"{missing} is not installed, and the official compiler needs it")
    return {name: Format(name, plan, directory / f"{name}.py") for name, plan in FORMATS.items()}
