"""docs/tensor-names.md: the examples hold, and the tables list all parts and kinds."""

import re
from pathlib import Path

import pytest

from kaitai_gguf.tensor_names import PARTS
from kaitai_gguf.tensor_role_table import KINDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "tensor-names.md").read_text("utf-8")


def test_examples_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    names: dict[str, object] = {}
    examples = re.findall(r"```python\n(.*?)```", TEXT, re.DOTALL)
    assert len(examples) == 2
    for example in examples:
        exec(example, names)


def test_tables_list_all_parts_and_kinds() -> None:
    rows = re.findall(r"^\| ([\w-]+) \|", TEXT, re.MULTILINE)
    assert rows == ["part", *PARTS, "kind", *KINDS]
