"""What the commands share: opening with clear errors, and printing what a file says without trusting it."""

import json
import sys
from collections.abc import Iterable, Sequence
from typing import Any

import click
import numpy as np

from kaitai_gguf.metadata import Value


class GGUFPath(click.Path):
    """A path argument; which file it was is remembered for error messages."""

    name = "file"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        if ctx is not None:
            ctx.meta["file"] = value
        return super().convert(value, param, ctx)


file_argument = click.argument("file", type=GGUFPath())
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON, for programs.")


def printable(text: str) -> str:
    """Text of a file made safe for a terminal: control and format characters are shown escaped."""
    if text.isprintable():
        return text
    return "".join(
        char if char.isprintable() else char.encode("unicode_escape", "surrogatepass").decode("ascii") for char in text
    )


def shorten(text: str, width: int) -> str:
    return text if len(text) <= width else text[: width - 1] + "…"


def print_json(document: Any, indent: int | None = 2) -> None:
    json.dump(document, sys.stdout, ensure_ascii=True, indent=indent, allow_nan=False)
    sys.stdout.write("\n")


def print_table(columns: Sequence[str], rows: Iterable[Sequence[str]], right: Iterable[str] = ()) -> None:
    """A table: drawn for a terminal, one line per row with tabs between cells for a pipe."""
    if not sys.stdout.isatty():
        for row in rows:
            click.echo("\t".join(map(printable, row)))
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
    for name, value in rows:
        grid.add_row(Text(printable(name), style="bold"), Text(printable(value)))
    Console().print(grid)


def human_bytes(size: int) -> str:
    """A size as a person says it: 4.37 GiB."""
    value = float(size)
    for unit in ("B", "KiB", "MiB", "GiB"):
        if value < 1024:
            return f"{value:.3g} {unit}" if unit != "B" else f"{size} B"
        value /= 1024
    return f"{value:,.3g} TiB" if value < 1000 else f"{value:,.0f} TiB"


def human_count(number: int) -> str:
    """A count as a person says it: 7.24 B for 7,241,732,096."""
    value = float(number)
    for unit in ("", " K", " M", " B"):
        if value < 1000:
            return f"{value:.3g}{unit}" if unit else str(number)
        value /= 1000
    return f"{value:,.3g} T"


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
