"""docs/tensor-names.md: the tables list all parts and kinds."""

import re
from pathlib import Path

from kaitai_gguf.tensor_names import PARTS
from kaitai_gguf.tensor_role_table import KINDS

ROOT = Path(__file__).parents[2]
TEXT = (ROOT / "docs" / "tensor-names.md").read_text("utf-8")


def test_tables_list_all_parts_and_kinds() -> None:
    rows = re.findall(r"^\| ([\w-]+) \|", TEXT, re.MULTILINE)
    assert rows == ["part", *PARTS, "kind", *KINDS]
