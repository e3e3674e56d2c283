"""What the commands share: opening with clear errors, and printing what a file says without trusting it."""

import json
import os
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.reading.metadata import Value
from kaitai_gguf.text import shorten


class GGUFPath(click.Path):
    """A path argument; which file it was is remembered for error messages."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if ctx is not None:
            ctx.meta["file"] = value
        return super().convert(value, param, ctx)


TOGETHER = 1000  # lines that are printed at a time where nobody watches

file_argument = click.argument("file", type=GGUFPath())
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def open_model(path: str) -> kaitai_gguf.GGUFFile:
    """The whole model. Where some of its shards are missing, the one that is at the path, and a line that says so."""
    try:
        return kaitai_gguf.open(path)
    except kaitai_gguf.MissingShardError as error:
        if not os.path.isfile(path):
            raise  # a pattern says nothing of which one is meant
        click.echo(f"kaitai-gguf: {printable(path)}: {printable(str(error))}; this is of the one file alone", err=True)
        return kaitai_gguf.open(path, shards=False)


def printable(text: str) -> str:
    """Text of a file made safe for a terminal: control and format characters are shown escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in text
    )


def print_json(document: Any, indent: int | None = 2) -> None:
    click.echo(json.dumps(document, indent=indent, allow_nan=False))


def echo_all(texts: Iterable[str]) -> None:
    """Print texts one after the other, many at a time: click flushes each, which takes longer than to make it.

    If the next one can't be made, those before it are printed.
    """
    waiting: list[str] = []
    try:
        for text in texts:
            waiting.append(text)
            if len(waiting) == TOGETHER:
                together = "".join(waiting)
                waiting.clear()
                click.echo(together, nl=False)
    finally:
        if waiting:
            click.echo("".join(waiting), nl=False)


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """A table: drawn for a terminal, one line per row with tabs between cells for a pipe."""
    if not sys.stdout.isatty():
        echo_all("\t".join(map(printable, row)) + "\n" for row in rows)
        return
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for column in columns:
        is_right = column in right
        table.add_column(column, justify="right" if is_right else "left", overflow="fold", no_wrap=is_right)
    for row in rows:
        table.add_row(*(Text(printable(cell)) for cell in row))
    Console().print(table)


def print_facts(rows: Iterable[tuple[str, str]]) -> None:
    """Names and what they stand for, one pair a line."""
    if not sys.stdout.isatty():
        print_table([], rows)
        return
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    grid = Table.grid(padding=(0, 2))
    grid.add_column()
    grid.add_column(overflow="fold")
    for name, value in rows:
        grid.add_row(Text(printable(name), style="bold"), Text(printable(value)))
    Console().print(grid)


def human_bytes(size: int) -> str:
    """A size as a person says it: 4.37 GiB."""
    return _scaled(size, 1024, [" B", " KiB", " MiB", " GiB", " TiB"])


def human_count(number: int) -> str:
    """A count as a person says it: 7.24 B for 7,241,732,096."""
    return _scaled(number, 1000, ["", " K", " M", " B", " T"])


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _scaled(number: int, step: int, units: list[str]) -> str:
    """Three digits, or as many as there are before the point."""
    value, power = float(number), 0
    while round(value) >= step and power + 1 < len(units):
        value, power = value / step, power + 1
    return f"{value:.3g}{units[power]}" if value < 999.5 and power else f"{value:,.0f}{units[power]}"


def describe_value(value: Value, width: int = 60) -> str:
    """A value in at most `width` characters, arrays with their first elements."""
    if isinstance(value, str):
        return shorten(printable(json.dumps(value[: width + 1], ensure_ascii=False)), width)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return format_number(value)
    parts: list[str] = []
    for item in value[:16]:
        parts.append(describe_value(item.item() if isinstance(item, np.generic) else item, width))
        if sum(map(len, parts)) > width:
            break
    more = ", …" if len(parts) < len(value) else ""
    return shorten(f"[{', '.join(parts)}{more}]", width)


def format_number(value: int | float) -> str:
    return f"{value:.7g}" if isinstance(value, float) else str(value)
