"""docs/catalog-cluster.md: the names and numbers on the page. tests/integration tests it with a cluster."""

import ast
import re
from pathlib import Path

import dask
import distributed  # noqa: F401  # has the default of the setting
from support.pages import code_of, text_of

from kaitai_gguf.catalog import runners, scan, scanning

PAGE = text_of("catalog-cluster.md")


def test_the_examples_call_scan_with_arguments_that_it_has() -> None:
    nodes = [node for code in code_of("catalog-cluster.md", "python") for node in ast.walk(ast.parse(code))]
    calls = [node for node in nodes if isinstance(node, ast.Call) and ast.unparse(node.func) == "scan"]
    names = {keyword.arg or "" for call in calls for keyword in call.keywords}
    assert names == {"client", "storage_options"}
    assert names <= set(scan.__kwdefaults__)


def test_numbers_and_words() -> None:
    assert f"{runners.REMOTE_AT_ONCE} remote files at once" in PAGE
    assert f"A task has {scanning.TASK_FILES} files" in PAGE
    assert dask.config.get("distributed.scheduler.allowed-failures") == 3
    (error,) = re.findall(r'with the error "(.*?)"', PAGE, re.DOTALL)
    assert " ".join(error.split()) in Path(runners.__file__).read_text()
