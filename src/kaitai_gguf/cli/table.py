"""Tables: tab-separated values for programs, and columns that fit the terminal for people."""

import os
import sys
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

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
        lines = map(_line, rows)
        first_line = list(islice(lines, 1))  # print nothing if it fails
        echo_all(chain([_line(columns)], first_line, lines))
        return
    cells = ([_shown(cell) for cell in row] for row in rows)
    first = [] if widths else list(islice(cells, MEASURED))
    widths = widths or [max(map(_width, texts)) for texts in zip(columns, *first, strict=True)]
    terminal = terminal_width()
    layout = _layout(
        [
            _Column(number, min(width, terminal), name in right, name in cut)
            for number, (name, width) in enumerate(zip(columns, widths, strict=True))
        ],
        terminal,
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
        lines = _wrapped(value, terminal_width() - start)
        click.echo(_bold(name) + " " * (start - _width(name)) + f"\n{' ' * start}".join(lines))


@dataclass
class _Column:
    number: int
    width: int
    is_right: bool
    is_cut: bool
    slack: int = 0
    """How much wider a cell may be if it was not measured."""


def _layout(columns: list[_Column], terminal: int) -> list[list[_Column]]:
    """Return the columns of each line of a row. Those whose cells can be cut or wrapped are narrowed to fit."""

    def least(column: _Column) -> int:
        can_shrink = column.is_cut or (column is columns[-1] and not column.is_right)
        return min(column.width, LEAST) if can_shrink else column.width

    lines: list[list[_Column]] = [[]]
    room = terminal
    for column in columns:
        if lines[-1] and least(column) > room:
            lines.append([])
            room = terminal - INDENT
        lines[-1].append(column)
        room -= least(column) + GAP
    for number, line in enumerate(lines):
        room = terminal - INDENT * (number > 0) - sum(column.width + GAP for column in line) + GAP
        for column in line:
            narrowed = max(least(column), column.width + min(room, 0))
            room += column.width - narrowed
            column.width = narrowed
        for column in line:
            column.slack = max(room, 0)
    return lines


def _lines(layout: list[list[_Column]], cells: Sequence[str]) -> Iterator[str]:
    """Yield the lines of one row."""
    for number, columns in enumerate(layout):
        line = " " * INDENT if number else ""
        for column in columns:
            cell, most = cells[column.number], column.width + column.slack
            if column.is_cut:
                cell = _cut(cell, most)
            elif column.number == len(cells) - 1 and not column.is_right:
                cell = f"\n{' ' * _width(line)}".join(_wrapped(cell, most))
            space = " " * (column.width - _width(cell))
            line += (space + cell if column.is_right else cell + space) + " " * GAP
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
    if _width(text) <= width:
        return text
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
