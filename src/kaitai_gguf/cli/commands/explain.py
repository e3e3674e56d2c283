"""`kaitai-gguf explain`: show what each byte of a file means."""

import json
import re
import sys
from collections.abc import Iterable, Iterator
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf import Field, explain
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import source_of
from kaitai_gguf.cli.options import PIPES, file_argument, form_options
from kaitai_gguf.cli.output import describe_value, echo_all, in_columns, printable, terminal_width, value_width
from kaitai_gguf.cli.table import print_table
from kaitai_gguf.decimals import shortest

WIDTHS = {"start": 10, "size": 8, "head": 49, "path": 30, "type": 12, "value": 60}
"""The columns and their widths in a terminal. A longer cell shifts the rest of its row."""

OPTIONAL = ["head", "size", "type"]

FACTS = ("start", "end", "path", "type", "value", "meaning", "depth", "head")
DOCUMENTATION = ("original_name", "doc")


def offset(text: str) -> int:
    """Parse a position in decimal, or in hexadecimal as in error messages."""
    if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}", text):
        raise click.BadParameter(f"'{printable(text)}' is not a position: expected 8122 or 0x1fba, for example.")
    return int(text, 16 if "x" in text.lower() else 10)


@click.command(epilog=PIPES)
@file_argument
@click.option("--at", type=offset, help="Show the fields that contain this byte, the outermost first.")
@click.option("--path", help="Show the fields below a path as in error messages, such as /metadata/3.")
@click.option(
    "--elements", type=click.IntRange(min=0), default=3, show_default=True, help="How many elements of arrays to show."
)
@click.option("--all", "is_all", is_flag=True, help="Show all elements of arrays, up to eight levels deep.")
@click.option("--doc", "with_doc", is_flag=True, help="Add the schema's documentation and ggml's names.")
@form_options
def command(*, file: str, elements: int, is_all: bool, with_doc: bool, as_json: bool, **place: Any) -> None:
    """Show what each byte of FILE means.

    Prints a line for each field: position, size, bytes, path, type and value. By default, these are all fields
    of the header, followed by padding, the data of each tensor, and gaps. An array nested in eight others is
    one line; --path shows its elements. A broken file is shown up to the byte where it breaks.

    Exit status: 1 if FILE has no such byte or path, 2 if it is broken.

    \b
    Examples:
      kaitai-gguf explain model.gguf
      kaitai-gguf explain model.gguf --at 0x1fba
      kaitai-gguf explain model.gguf --path /metadata/3 --doc
      kaitai-gguf explain model.gguf --path /tensors/0/data --elements 1
    """
    if None not in place.values():
        raise click.UsageError("--at and --path can't be given together")
    fields = explain(source_of(file), **place, elements=None if is_all else elements)
    if as_json:
        echo_all(_json_lines(fields, with_doc))
    else:
        _print(fields, with_doc, is_short=place["at"] is not None and not with_doc)


def _print(fields: Iterable[Field], with_doc: bool, is_short: bool) -> None:
    """Print a line for each field as it comes; if there are few, in columns as wide as they need to be.

    A broken file ends with a line with the error.
    """
    terminal, width = terminal_width() if in_columns() else sys.maxsize, value_width()
    count = 16 if terminal >= 150 else 8 if terminal >= 120 else 4  # bytes: leaves room for the other columns
    widths = WIDTHS | {"head": 3 * count + 1} | ({"doc": 0} if with_doc else {})

    def rows() -> Iterator[list[str]]:
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

    cells = (row[: len(widths)] for row in rows())
    fixed = [] if is_short else [*widths.values()]
    print_table([*widths], cells, right=["size"], cut="value", widths=fixed, optional=OPTIONAL if is_short else [])


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
    document = {name: getattr(field, name) for name in (*FACTS, *(DOCUMENTATION if with_doc else ()))}
    value = field.value
    if isinstance(value, str):
        document["value"] = canonical.text(value)
    elif isinstance(value, float):
        document["value"] = canonical.number(shortest(value) if field.type in ("f4", "float32") else value)
    return document | {"head": field.head.hex()}
