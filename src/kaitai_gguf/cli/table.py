"""Tables: tab-separated values for programs, and columns that fit the terminal for people."""

import os
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import click

from kaitai_gguf.cli.output import echo_all, human_bytes, printable, terminal_width

GAP, INDENT = 2, 4  # spaces between cells, and before the further lines of a row
LEAST = 24  # characters: cells are not cut or wrapped to less
MEASURED = 4096  # rows to measure for the widths of columns: more would delay the first line of output


class Nbytes(int):
    """A number of bytes in a cell: exact in a pipe, in KiB, MiB and so on in a terminal."""


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Collection[str] = (),
    cut: Collection[str] = (),
    widths: Sequence[int] | None = None,
) -> None:
    """Print a table.

    columns  the names of the columns.
    rows     the cells of each row, one for each column.
    right    the names of the columns to align to the right.
    cut      the names of the columns whose cells may be cut off in a narrow terminal; a pipe gets them whole.
    widths   the widths of the columns in a terminal, so that each row can be printed at once; wider cells shift the
             rest of their row.

    A pipe gets a line with the names and a line for each row, with tabs between cells; tabs and newlines in cells are
    escaped. In a terminal, a row that doesn't fit takes several lines, broken between cells; only the last cell of a
    line is broken inside, between words.
    """
    if not sys.stdout.isatty():
        print_lines(columns, map(_line, rows))
        return
    cells = ([_shown(cell) for cell in row] for row in rows)
    first = [] if widths else list(islice(cells, MEASURED))
    widths = widths or [max(map(_width, texts)) for texts in zip(columns, *first, strict=True)]
    layout = _layout(
        _Column(name, number, width, name in right, name in cut)
        for number, (name, width) in enumerate(zip(columns, widths, strict=True))
    )
    for line in _lines(layout, columns):
        click.echo(_bold(line.removesuffix("\n")))
    echo_all(line for row in chain(first, cells) for line in _lines(layout, row))


def print_lines(columns: Sequence[str], texts: Iterable[str]) -> None:
    """Print a table for a pipe. `texts` have one or more lines each: printable cells with tabs between them."""
    texts = iter(texts)
    first = list(islice(texts, 1))  # print nothing if it fails
    echo_all(chain([_line(columns)], first, texts))


def print_facts(rows: Iterable[tuple[str, object]]) -> None:
    """Print names and values. A pipe gets them as a table."""
    if not sys.stdout.isatty():
        print_table(["name", "value"], rows)
        return
    cells = [(_shown(name), _shown(value)) for name, value in rows]
    start = max((_width(name) for name, _ in cells), default=0) + GAP
    for name, value in cells:
        first, *others = _wrapped(value, terminal_width() - start)
        click.echo(_bold(name) + " " * (start - _width(name)) + first)
        for line in others:
            click.echo(" " * start + line)


class _Column(NamedTuple):
    name: str
    number: int
    width: int
    is_right: bool
    is_cut: bool
    most: int = 0
    """The greatest width of a cell. Rows that were not measured may have wider ones."""


def _layout(columns: Iterable[_Column]) -> list[list[_Column]]:
    """Return the columns of each line of a row, with widths that fit the terminal if possible."""
    terminal = terminal_width()
    columns = [column._replace(width=min(column.width, terminal)) for column in columns]
    last = columns[-1]
    lines: list[list[_Column]] = [[]]
    used = 0
    for column in columns:
        can_shrink = column.is_cut or (column is last and not column.is_right)
        least = min(column.width, LEAST) if can_shrink else column.width
        if lines[-1] and used + GAP + least > terminal:
            lines.append([])
            used = INDENT
        used += least + (GAP if lines[-1] else 0)
        lines[-1].append(column)
    return [_shrunk(line, terminal - (INDENT if number else 0), last) for number, line in enumerate(lines)]


def _shrunk(columns: list[_Column], room: int, last: _Column) -> list[_Column]:
    """Return the columns of a line, narrowed to fit the room as far as they may be."""
    excess = sum(column.width + GAP for column in columns) - GAP - room
    shrunk = []
    for column in columns:
        width = column.width
        if excess > 0 and (column.is_cut or (column is last and not column.is_right)):
            width = max(width - excess, min(width, LEAST))
        excess -= column.width - width
        shrunk.append(column._replace(width=width))
    slack = max(0, -excess)
    return [column._replace(most=column.width + slack) for column in shrunk]


def _lines(layout: list[list[_Column]], cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one row."""
    for number, columns in enumerate(layout):
        line = " " * INDENT if number else ""
        for column in columns:
            cell = cells[column.number]
            width = _width(cell)
            if column.is_cut and width > column.most:
                cell, width = _cut(cell, column.most), column.most
            space = " " * (column.width - width)
            if column.is_right:
                line += space + cell
            elif width > column.most and column.number == len(cells) - 1:
                line += f"\n{' ' * _width(line)}".join(_wrapped(cell, column.most))
            else:
                line += cell + space
            line += " " * GAP
        line = line.rstrip(" ")
        if line or not number:
            yield line + "\n"


def _wrapped(text: str, width: int) -> list[str]:
    """Break a text into lines, between words only."""
    if _width(text) <= width:
        return [text]
    return textwrap.wrap(text, max(width, LEAST), break_long_words=False, break_on_hyphens=False) or [""]


def _width(text: str) -> int:
    """Return how many columns of a terminal a text occupies."""
    if text.isascii():
        return len(text)
    from rich.cells import cell_len

    return cell_len(text)


def _cut(text: str, width: int) -> str:
    if text.isascii():
        return f"{text[: width - 1]}…"
    from rich.cells import set_cell_size

    return f"{set_cell_size(text, width - 1)}…"


def _shown(cell: object) -> str:
    return human_bytes(cell) if isinstance(cell, Nbytes) else printable(str(cell))


def _line(row: Iterable[object]) -> str:
    """Return a row as tab-separated values."""
    texts = list(map(str, row))
    if not "".join(texts).isprintable():
        texts = list(map(printable, texts))
    return "\t".join(texts) + "\n"


def _bold(text: str) -> str:
    return text if not text or os.environ.get("TERM") == "dumb" else click.style(text, bold=True)
