"""`kaitai-gguf explain`: what each byte of a file is."""

import json
import re
import shutil
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click
import numpy as np

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import describe_value, echo_all, file_argument, json_option, print_table, printable

PATH_WIDTH, TYPE_WIDTH = 36, 14  # of lines in a terminal; what is longer moves the rest


class Offset(click.ParamType):  # type: ignore[type-arg]  # older versions of click have no type for it
    """A position in decimal, or in hexadecimal as error messages have it."""

    name = "offset"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        if isinstance(value, int):
            return value
        if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}", value):
            self.fail(f"'{printable(value)}' is no position: 8122 or 0x1fba expected.", param, ctx)
        return int(value, 16 if value[:2] in ("0x", "0X") else 10)


@click.command()
@file_argument
@click.option("--at", type=Offset(), help="Show what holds this byte, from the outermost to the innermost field.")
@click.option("--path", help="Show one field and what is in it, e.g. /metadata/3 (as in error messages).")
@click.option("--elements", type=click.IntRange(min=0), default=3, show_default=True, help="Of each array.")
@click.option("--all", "is_all", is_flag=True, help="Show all elements of all arrays.")
@click.option("--doc", "with_doc", is_flag=True, help="Add what the schema says, and ggml's names.")
@json_option
@click.option("--svg", type=click.Path(), help="Draw a map of the file instead.")
@click.option("--force", is_flag=True, help="Overwrite a map that is there.")
@click.option("--no-mmap", is_flag=True, help="Read the file into memory first: it may be cut short meanwhile.")
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
    no_mmap: bool,
) -> None:
    """Show what each byte of FILE is: offset, size, bytes, path, type, value.

    All of the header by default, then what follows it: padding, the data of each
    tensor, gaps. A broken file is shown up to the byte that it breaks at, and the
    exit status is 2.

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
            raise click.UsageError("--svg is of the whole file: it takes no --at and no --path")
        from kaitai_gguf.cli.file_map import write

        write(Path(svg), file, force=force, mmap=not no_mmap)
        click.echo(printable(svg))
        return
    fields = kaitai_gguf.explain(file, at, path, elements=None if is_all else elements, mmap=not no_mmap)
    if as_json:
        _print_json(fields, with_doc)
    else:
        _print(fields, with_doc)


def _print(fields: Iterable[kaitai_gguf.Field], with_doc: bool) -> None:
    """A line for each field as it comes; a broken file ends with a line that says why."""
    if not sys.stdout.isatty():
        print_table([], ([*row, doc] if with_doc else row for row, doc in _rows(fields)))
        return
    columns = shutil.get_terminal_size().columns
    count = 16 if columns >= 150 else 8 if columns >= 120 else 4  # of bytes: the rest of a line matters more
    for (offset, size, head, path, type, value), doc in _rows(fields, count):
        line = f"{offset} {size:>8}  {head:<{3 * count + 1}}  {path:<{PATH_WIDTH}}  {type:<{TYPE_WIDTH}}  {value}"
        click.echo(printable(line.rstrip()))
        if with_doc and doc:
            click.echo(f"{'':<21}{doc}")


def _rows(fields: Iterable[kaitai_gguf.Field], count: int = 16) -> Iterator[tuple[list[str], str]]:
    """The cells of each field, with so many of its bytes, and what there is to read about it."""
    try:
        for field in fields:
            head = field.head[:count].hex(" ") + (" …" if field.end - field.start > count else "")
            size = str(field.end - field.start)
            yield [f"{field.start:#010x}", size, head, field.path, field.type, _value(field)], _doc(field)
    except kaitai_gguf.FormatError as error:
        yield [f"{error.offset:#010x}", "", "", error.path, "error", str(error)], ""
        raise


def _value(field: kaitai_gguf.Field) -> str:
    value = _shortest(field)
    shown = "" if value is None else describe_value(value)
    return f"{shown} ({field.meaning})" if shown and field.meaning else shown or field.meaning


def _doc(field: kaitai_gguf.Field) -> str:
    name = f"{field.original_name} in ggml" if field.original_name else ""
    return ". ".join(text for text in (name, field.doc) if text)


def _print_json(fields: Iterable[kaitai_gguf.Field], with_doc: bool) -> None:
    """One document, a field a line, written as they come: there may be millions."""
    failed: list[kaitai_gguf.FormatError] = []
    echo_all(_json_lines(fields, with_doc, failed))
    if failed:
        raise failed[0]


def _json_lines(
    fields: Iterable[kaitai_gguf.Field], with_doc: bool, failed: list[kaitai_gguf.FormatError]
) -> Iterator[str]:
    """The document; the error that ends it is added to `failed`."""
    yield '{"fields": ['
    separator = "\n"
    try:
        for field in fields:
            yield separator + json.dumps(_json(field, with_doc), allow_nan=False)
            separator = ",\n"
    except kaitai_gguf.FormatError as error:
        failed.append(error)
    reason = [{"offset": error.offset, "path": error.path, "message": str(error)} for error in failed]
    yield f'\n], "error": {json.dumps(reason[0] if reason else None)}}}\n'


def _json(field: kaitai_gguf.Field, with_doc: bool) -> dict[str, Any]:
    value = _shortest(field)
    document = {
        "start": field.start,
        "end": field.end,
        "path": field.path,
        "type": field.type,
        "value": canonical.text(value) if isinstance(value, str) else canonical.number(value),
        "meaning": field.meaning,
        "depth": field.depth,
        "head": field.head.hex(),
    }
    return document | ({"original_name": field.original_name, "doc": field.doc} if with_doc else {})


def _shortest(field: kaitai_gguf.Field) -> int | float | str | None:
    """The value; of a float32 the shortest decimal that a reader takes for the same."""
    if field.type in ("f4", "float32") and isinstance(field.value, float):
        return float(str(np.float32(field.value)))
    return field.value
