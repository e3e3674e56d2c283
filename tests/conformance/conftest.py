"""The programs of each language, built once. If a tool is missing, its tests are skipped, or fail if CI is true."""

import subprocess

import pytest
from support.tools import require
from toolchains import ENVIRONMENT, HERE, LANGUAGES, Language


@pytest.hookimpl(tryfirst=True)  # before pytest-xdist reads the groups
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Run these tests in one process, which builds their programs once."""
    for item in items:
        if HERE in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("conformance"))


@pytest.fixture(scope="session", params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    language: Language = request.param
    require(*language.tools)
    for command in language.build:
        subprocess.run(command, cwd=language.directory, env=ENVIRONMENT, check=True)
    return language
