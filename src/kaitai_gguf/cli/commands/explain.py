"""`kaitai-gguf explain`: show what each byte of a file means."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import Field, explain
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, print_written, source_of
from kaitai_gguf.cli.options import PIPES, OutputFile, dry_run_option, file_argument, force_option, json_option
from kaitai_gguf.cli.output import describe_value, echo_all, printable, terminal_width, value_width
from kaitai_gguf.cli.table import print_table
from kaitai_gguf.decimals import shortest

WIDTHS = {"position": 10, "size": 8, "bytes": 49, "path": 30, "type": 12, "value": 60}
"""The columns and their widths in a terminal. A longer cell shifts the rest of its row."""


def offset(text: str) -> int:
    """Parse a position in decimal, or in hexadecimal as in error messages."""
    if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}", text):
        raise click.BadParameter(f"'{printable(text)}' is not a position: expected 8122 or 0x1fba, for example.")
    return int(text, 16 if text[:2] in ("0x", "0X") else 10)


@click.command(epilog=PIPES)
@file_argument
@click.option("--at", type=offset, help="Show the fields that contain this byte, the outermost first.")
@click.option("--path", help="Show the fields below a path as in error messages, such as /metadata/3.")
@click.option(
    "--elements", type=click.IntRange(min=0), default=3, show_default=True, help="How many elements of arrays to show."
)
@click.option("--all", "is_all", is_flag=True, help="Show all elements of arrays, up to eight levels deep.")
@click.option("--doc", "with_doc", is_flag=True, help="Add the schema's documentation and ggml's names.")
@json_option
@click.option("--svg", type=OutputFile(), metavar="SVG", help="Draw a map of FILE to this file instead.")
@force_option
@dry_run_option
@click.option("--no-mmap", is_flag=True, help="Read FILE into memory first, in case it is truncated meanwhile.")
def command(
    *,
    file: str,
    at: int | None,
    path: str | None,
    elements: int,
    is_all: bool,
    with_doc: bool,
    as_json: bool,
    svg: str | None,
    force: bool,
    dry_run: bool,
    no_mmap: bool,
) -> None:
    """Show what each byte of FILE means.

    Prints a line for each field: position, size, bytes, path, type and value. By default, these are all fields
    of the header, followed by padding, the data of each tensor, and gaps. An array nested in eight others is
    one line; --path shows what is in it. A broken file is shown up to the byte where it breaks.

    Exit status: 2 if FILE is broken, or has no such byte or path.

    \b
    Examples:
      kaitai-gguf explain model.gguf
      kaitai-gguf explain model.gguf --at 0x1fba
      kaitai-gguf explain model.gguf --path /metadata/3 --doc
      kaitai-gguf explain model.gguf --path /tensors/0/data --elements 1
      kaitai-gguf explain model.gguf --svg map.svg
    """
    if at is not None and path is not None:
        raise click.UsageError("--at and --path can't be given together")
    if svg is not None:
        if at is not None or path is not None:
            raise click.UsageError("--svg draws the whole file: it takes neither --at nor --path")
        if not svg.lower().endswith(".svg"):
            raise click.UsageError(f"--svg writes SVG: {printable(svg)} must end with .svg")
        from kaitai_gguf.cli.file_map import write

        if dry_run:
            check_target(svg, force)
        else:
            write(Path(svg), file, force=force, mmap=not no_mmap)
        print_written(svg, dry_run=dry_run, as_json=as_json)
        return
    fields = explain(source_of(file), at, path, elements=None if is_all else elements, mmap=not no_mmap)
    if as_json:
        echo_all(_json_lines(fields, with_doc))
    else:
        _print(fields, with_doc)


def _print(fields: Iterable[Field], with_doc: bool) -> None:
    """Print a line for each field as it comes. A broken file ends with a line with the error."""
    columns = [*WIDTHS, "doc"] if with_doc else [*WIDTHS]
    terminal = terminal_width() if sys.stdout.isatty() else sys.maxsize
    count = 16 if terminal >= 150 else 8 if terminal >= 120 else 4  # bytes: leaves room for the other columns
    widths = WIDTHS | {"bytes": 3 * count + 1, "doc": 0}
    rows = (row[: len(columns)] for row in _rows(fields, count))
    print_table(columns, rows, right=["size"], cut="value", widths=[widths[name] for name in columns])


def _rows(fields: Iterable[Field], count: int) -> Iterator[list[str]]:
    """Yield the cells of each line; one of them shows the first `count` bytes of a field."""
    width = value_width()
    try:
        for field in fields:
            size = field.end - field.start
            value = "" if field.value is None else describe_value(field.value, width)
            if field.meaning:
                value = f"{value} ({field.meaning})" if value else field.meaning
            head = field.head[:count].hex(" ") + " …" * (size > count)
            doc = ". ".join(filter(None, (field.original_name and f"{field.original_name} in ggml", field.doc)))
            yield [f"{field.start:#010x}", str(size), head, field.path, field.type, value, doc]
    except kaitai_gguf.FormatError as error:
        yield [f"{error.offset:#010x}", "", "", error.path, "error", str(error), ""]
        raise


def _json_lines(fields: Iterable[Field], with_doc: bool) -> Iterator[str]:
    """Yield the lines of a JSON document, one for each field, as they come: there may be millions."""
    encode = json.JSONEncoder(allow_nan=False, check_circular=False).encode
    yield '{"fields": ['
    separator = "\n"
    try:
        for field in fields:
            yield f"{separator}{encode(_document(field, with_doc))}"
            separator = ",\n"
    except kaitai_gguf.FormatError as error:
        reason = {"offset": error.offset, "path": error.path, "message": str(error)}
        yield f'\n], "error": {encode(reason)}}}\n'
        raise
    yield '\n], "error": null}\n'


def _document(field: Field, with_doc: bool) -> dict[str, Any]:
    value: object = field.value
    if isinstance(value, str):
        value = canonical.text(value)
    elif isinstance(value, float):
        value = canonical.number(shortest(value) if field.type in ("f4", "float32") else value)
    document = {
        "start": field.start,
        "end": field.end,
        "path": field.path,
        "type": field.type,
        "value": value,
        "meaning": field.meaning,
        "depth": field.depth,
        "head": field.head.hex(),
    }
    return document | ({"original_name": field.original_name, "doc": field.doc} if with_doc else {})
