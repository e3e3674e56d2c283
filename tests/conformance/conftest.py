"""The programs of each language, built once. If a tool is missing, its tests are skipped, or fail if CI is true."""

import subprocess

import pytest
from support.tools import require
from toolchains import ENVIRONMENT, HERE, LANGUAGES, Language


@pytest.fixture(scope="session", params=LANGUAGES, ids=lambda language: language.name)
def language(request: pytest.FixtureRequest) -> Language:
    language: Language = request.param
    require(*language.tools)
    for command in language.build:
        subprocess.run(command, cwd=HERE / language.name, env=ENVIRONMENT, check=True)
    return language
