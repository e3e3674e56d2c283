"""docs/promises.md: the tests and Makefile targets that each promise names exist."""

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "promises.md").read_text("utf-8")
ROWS = re.findall(r"^\| (?!promise |---)(.+?) \| (`.*`) \|$", PAGE, re.MULTILINE)


def test_every_promise_names_tests_that_exist() -> None:
    assert len(ROWS) > 15
    makefile = (ROOT / "Makefile").read_text()
    for promise, tests in ROWS:
        for name in re.findall(r"`(.*?)`", tests):
            if name.startswith("make "):
                assert re.search(rf"^{name.removeprefix('make ')}:.*## ", makefile, re.MULTILINE), name
                continue
            path = ROOT / name
            modules = sorted(path.rglob("test_*.py")) if path.is_dir() else [path]
            assert modules, promise
            assert all("def test_" in module.read_text() for module in modules), promise


def test_every_row_of_the_table_is_a_promise() -> None:
    assert len(re.findall(r"^\| ", PAGE, re.MULTILINE)) == len(ROWS) + 1
