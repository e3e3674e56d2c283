"""Tables: tab-separated values for programs, and columns that fit the terminal for people."""

import os
import textwrap
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import chain, islice

import click

from kaitai_gguf.cli.output import echo_all, in_columns, printable, terminal_width
from kaitai_gguf.text import human_bytes

GAP, INDENT = "  ", "    "  # between cells, and before the further lines of a row
LEAST = 16  # characters: cells are not cut to less
MEASURED = 4096  # rows to measure for the widths of columns: more would delay the first line of output


class Nbytes(int):
    """A number of bytes in a cell: exact in a pipe, in KiB, MiB and so on in a terminal."""


class NbytesRange(tuple[int, int]):
    """The least and the most bytes, in a cell."""

    def __str__(self) -> str:
        return " to ".join(f"{each}" for each in dict.fromkeys(self))


def print_table(
    columns: Sequence[str],
    rows: Iterable[Sequence[object]],
    *,
    right: Collection[str] = (),
    cut: str = "",
    widths: Sequence[int] = (),
    optional: Sequence[str] = (),
) -> None:
    """Print a table.

    columns  the names of the columns.
    rows     the cells of each row, one for each column.
    right    the names of the columns to align to the right.
    cut      the name of the column whose cells may be cut off in a narrow terminal; a pipe gets them whole.
    widths   the widths of the columns in a terminal, so that each row can be printed at once; wider cells shift the
             rest of their row.
    optional the columns that a narrow terminal drops until the others fit, the first one first.

    A pipe gets a line with the names and a line for each row, with tabs between cells; tabs and newlines in cells are
    escaped. In a terminal, and with --table, a row that doesn't fit takes several lines, broken between words.
    """
    if not in_columns():
        lines = map(_line, rows)
        first_line = list(islice(lines, 1))  # print nothing if it fails
        echo_all(chain([_line(columns)], first_line, lines))
        return
    cells = ([_shown(cell) for cell in row] for row in rows)
    first = [] if widths else list(islice(cells, MEASURED))
    widths = widths or [max(map(_width, texts)) for texts in zip(columns, *first, strict=True)]
    terminal, shown = terminal_width(), dict(zip(columns, widths, strict=True))

    def room() -> int:
        """Return the width that the other columns leave to the one that may be cut off."""
        return terminal - sum(width + len(GAP) for name, width in shown.items() if name != cut)

    for name in optional:
        if room() < (min(shown[cut], LEAST) if cut else -len(GAP)):
            del shown[name]
    most = room() if room() >= min(shown.get(cut, 0), LEAST) else terminal - len(INDENT)

    def laid_out(row: Sequence[str]) -> Iterator[str]:
        line = ""
        for cell, name in zip(row, columns, strict=True):
            if name in shown:
                text = _cut(cell, most) if name == cut else cell
                space = " " * ((min(shown[name], most) if name == cut else shown[name]) - _width(text))
                line += (space + text if name in right else text + space) + GAP
        return (f"{text}\n" for text in _wrapped(line.rstrip(), terminal, INDENT))

    for line in laid_out(columns):
        click.echo(_bold(line), nl=False)
    echo_all(line for row in chain(first, cells) for line in laid_out(row))


def print_facts(rows: Iterable[tuple[str, object]]) -> None:
    """Print names and values. A pipe gets them as a table."""
    if not in_columns():
        print_table(["name", "value"], rows)
        return
    cells = [(_shown(name), _shown(value)) for name, value in rows]
    start = max((_width(name) for name, _ in cells), default=0) + len(GAP)
    for name, value in cells:
        lines = _wrapped(value, max(terminal_width() - start, LEAST))
        click.echo(_bold(name) + " " * (start - _width(name)) + f"\n{' ' * start}".join(lines))


def _wrapped(text: str, width: int, indent: str = "") -> list[str]:
    """Break a text into lines, between words only."""
    if _width(text) <= width:
        return [text]
    return textwrap.wrap(text, width, subsequent_indent=indent, break_long_words=False, break_on_hyphens=False) or [""]


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
    if isinstance(cell, NbytesRange):
        return " to ".join(dict.fromkeys(map(human_bytes, cell)))
    return human_bytes(cell) if isinstance(cell, Nbytes) else printable(str(cell))


def _line(row: Iterable[object]) -> str:
    """Return a row as tab-separated values."""
    texts = list(map(str, row))
    if not "".join(texts).isprintable():
        texts = list(map(printable, texts))
    return "\t".join(texts) + "\n"


def _bold(text: str) -> str:
    return text if not text or os.environ.get("TERM") == "dumb" else click.style(text, bold=True)
