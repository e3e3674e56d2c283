"""Check for the tools of each language. If one is missing, its tests are skipped, or fail if CI is true."""

import os
import shutil
import subprocess

import pytest
from toolchains import ENVIRONMENT, HERE, LANGUAGES, Language


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one process, which builds their programs once."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("conformance"))


@pytest.fixture(scope="session", params=list(LANGUAGES))
def language(request: pytest.FixtureRequest) -> Language:
    """Return a language, after building its conformance program."""
    found = LANGUAGES[request.param]
    missing = [tool for tool in found.tools if shutil.which(tool) is None]
    if missing:
        message = f"{request.param}: not installed: {', '.join(missing)}"
        pytest.fail(message) if os.environ.get("CI") == "true" else pytest.skip(message)
    for command in found.build:
        subprocess.run(command, cwd=found.directory, env=ENVIRONMENT, check=True)
    return found
