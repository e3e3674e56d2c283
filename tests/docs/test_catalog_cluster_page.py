"""docs/catalog-cluster.md: the names and numbers on the page. tests/integration tests it with a cluster."""

import ast
import re
from pathlib import Path

import dask
import distributed  # noqa: F401  # has the default of the setting

from kaitai_gguf.catalog import parts, runners, scan

PAGE = (Path(__file__).parents[2] / "docs" / "catalog-cluster.md").read_text("utf-8")
EXAMPLES = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


def test_the_examples_call_scan_with_arguments_that_it_has() -> None:
    names = set()
    for code in EXAMPLES:
        calls = [node for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Call)]
        names |= {keyword.arg for call in calls if ast.unparse(call.func) == "scan" for keyword in call.keywords}
    assert names == {"client", "storage_options"}
    assert {name or "" for name in names} <= set(scan.__kwdefaults__)


def test_the_numbers() -> None:
    assert f"{parts.REMOTE_AT_ONCE} remote files at once" in PAGE
    assert f"about {parts.MEAN_FILES} files" in PAGE
    assert dask.config.get("distributed.scheduler.allowed-failures") == 3


def test_the_words_of_the_error() -> None:
    (error,) = re.findall(r'with the error "(.*?)"', PAGE, re.DOTALL)
    assert " ".join(error.split()) in Path(runners.__file__).read_text()
