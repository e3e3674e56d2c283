"""HTML tables for notebooks. The text of cells comes from files, so it is escaped."""

from collections.abc import Iterable, Sequence
from itertools import islice
from typing import Any

import numpy as np

from kaitai_gguf.text import shorten

_ROWS = 100  # of a table; more make the page slow
_WIDTH = 80  # characters of a value


def table(rows: Iterable[Sequence[str]], *, header: Sequence[str] = (), count: int = 0) -> str:
    """Return the first rows as an HTML table, with the number of rows of `count` that are not shown."""
    lines = ["<tr>" + "".join(f"<td>{_escaped(text)}</td>" for text in row) + "</tr>" for row in islice(rows, _ROWS)]
    head = "<thead><tr>" + "".join(f"<th>{name}</th>" for name in header) + "</tr></thead>" if header else ""
    more = f"<p>… and {count - len(lines):,} more</p>" if count > len(lines) else ""
    return f"<table>{head}<tbody>{''.join(lines)}</tbody></table>{more}"


def tensor_table(tensors: Iterable[Any], count: int = 1) -> str:
    """Return the first tensors as an HTML table, with the number of those of `count` that are not shown."""
    rows = (
        (each.name, each.type_name, str(each.shape), "unknown" if each.nbytes is None else f"{each.nbytes:,}")
        for each in tensors
    )
    return table(rows, header=["name", "type", "shape", "bytes"], count=count)


def cell(value: Any) -> str:
    """Return a metadata value as shortened text."""
    if isinstance(value, np.ndarray):
        return np.array2string(value, threshold=6, edgeitems=3, max_line_width=_WIDTH)
    return shorten(value if isinstance(value, str) else repr(value), _WIDTH)


def _escaped(text: str) -> str:
    """Return text as HTML that can be encoded as UTF-8: bytes that are not UTF-8 are replaced."""
    from html import escape  # takes two milliseconds to import, and only notebooks need it

    return escape(text.encode("utf-8", "surrogateescape").decode("utf-8", "replace"))
