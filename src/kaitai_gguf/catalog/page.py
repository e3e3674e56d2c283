"""Update the tables in docs/catalog.md: `python -m kaitai_gguf.catalog.page docs/catalog.md`."""

import re
import sys
from pathlib import Path

from kaitai_gguf.catalog.tables import TABLES

__all__ = ["with_tables"]

_PLACE = re.compile(r"(<!-- tables: .*? -->\n).*(<!-- end of tables -->)", re.DOTALL)
_ABOUT = {
    "files": "one row for each file",
    "metadata": "one row for each key-value",
    "tensors": "one row for each tensor",
    "tokenizers": "one row for each distinct list of tokens",
    "findings": "one row for each finding, with `check`; docs/rules.md has the rules",
}
_TYPES = {"mix": "list of {type: string, n_tensors: int64, n_elements: int64, nbytes: int64}"}


def with_tables(page: str) -> str:
    """Return the page with the tables replaced by the current ones."""
    return _PLACE.sub(lambda match: match[1] + "\n".join(map(_section, TABLES)) + match[2], page)


def _section(table: str) -> str:
    rows = [
        f"| `{column.name}` | {_TYPES.get(column.type, column.type)} | {column.description} |\n"
        for column in TABLES[table]
    ]
    return f"### {table}: {_ABOUT[table]}\n\n| column | type | meaning |\n|---|---|---|\n{''.join(rows)}"


if __name__ == "__main__":
    path = Path(sys.argv[1])
    path.write_text(with_tables(path.read_text("utf-8")), "utf-8")
