"""Tables: tab-separated values for programs, and columns that fit the width of a terminal for people."""

import os
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

import click

from kaitai_gguf.cli.output import echo_all, human_bytes, printable, terminal_width

GAP, INDENT = 2, 4  # spaces between cells, and before what is left of a row that takes several lines
LEAST = 24  # characters: no cell is cut or wrapped to less
MEASURED = 4096  # rows: what the widths of columns are taken from, so that rows without end are printed as they come


class Nbytes(int):
    """A number of bytes as a cell: exact for programs, in the units of people in a terminal."""


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
    rows     the cells of each row, as many as there are columns.
    right    the names of the columns that are aligned to the right.
    cut      the names of the columns whose cells a narrow terminal may cut off; a pipe gets them whole.
    widths   those of the columns in a terminal, if rows are to be printed as they come; wider cells move the others.

    A pipe gets a line for the names and one for each row, with tabs between cells; tabs and newlines in cells are
    escaped. In a terminal, a row that doesn't fit takes several lines, which are broken between cells; only the last
    cell of a line is broken, between words.
    """
    if not sys.stdout.isatty():
        lines = (_line(row) for row in rows)
        head = islice(lines, 1)  # if the first row fails, nothing is printed
        echo_all(chain([_line(columns)], list(head), lines))
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
    """The width that a cell may have: there may be longer ones than those that were measured."""


def _layout(columns: Iterable[_Column]) -> list[list[_Column]]:
    """Return the columns of each line that a row takes, with widths that fit the terminal if they can."""
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
    """Return the columns of a line, as much narrower as they are too wide for it and may be."""
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
    """Return the lines of a text, broken between words only."""
    if _width(text) <= width:
        return [text]
    return textwrap.wrap(text, max(width, LEAST), break_long_words=False, break_on_hyphens=False) or [""]


def _width(text: str) -> int:
    """Return how many columns of a terminal a text takes."""
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
    """Return a row as a pipe gets it."""
    texts = list(map(str, row))
    if not "".join(texts).isprintable():
        texts = list(map(printable, texts))
    return "\t".join(texts) + "\n"


def _bold(text: str) -> str:
    return text if not text or os.environ.get("TERM") == "dumb" else click.style(text, bold=True)
