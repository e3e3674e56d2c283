"""`kaitai-gguf explain`: show what each byte of a file means."""

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, repeat
from json.encoder import encode_basestring_ascii as quoted
from pathlib import Path
from typing import Any, TypeVar

import click

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, print_written, source_of
from kaitai_gguf.cli.options import PIPES, OutputFile, dry_run_option, file_argument, force_option, json_option
from kaitai_gguf.cli.output import describe_value, echo_all, printable, terminal_width, value_width
from kaitai_gguf.cli.table import print_lines, print_table
from kaitai_gguf.explanation import Column, Columns, explain_columns
from kaitai_gguf.types import shortest

WIDTHS = {"position": 10, "size": 8, "bytes": 49, "path": 30, "type": 12, "value": 60}
"""The columns and their widths in a terminal. A longer cell shifts the rest of its row."""


def offset(text: str) -> int:
    """Parse a position in decimal, or in hexadecimal as in error messages."""
    if not re.fullmatch(r"0[xX][0-9a-fA-F]{1,16}|[0-9]{1,20}", text):
        raise click.BadParameter(f"'{printable(text)}' is not a position: expected 8122 or 0x1fba, for example.")
    return int(text, 16 if text[:2] in ("0x", "0X") else 10)


_SPECIAL = re.compile(r"[^ !#-\[\]-~]")
"""What is escaped, or may have to be."""

Row = TypeVar("Row")


@click.command(epilog=PIPES)
@file_argument
@click.option("--at", type=offset, help="Show the fields that contain this byte, the outermost first.")
@click.option("--path", help="Show the fields below a path as in error messages, such as /metadata/3.")
@click.option(
    "--elements", type=click.IntRange(min=0), default=3, show_default=True, help="How many elements of arrays to show."
)
@click.option("--all", "is_all", is_flag=True, help="Show all elements of all arrays.")
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
    of the header, followed by padding, the data of each tensor, and gaps. A broken file is shown up to the
    byte where it breaks.

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
    groups = explain_columns(source_of(file), at, path, elements=None if is_all else elements, mmap=not no_mmap)
    if as_json:
        echo_all(_json_lines(groups, with_doc))
    else:
        _print(groups, with_doc)


def _print(groups: Iterable[Columns], with_doc: bool) -> None:
    """Print a line for each field as it comes. A broken file ends with a line with the error."""
    names = [*WIDTHS, "doc"] if with_doc else [*WIDTHS]
    if not sys.stdout.isatty():
        print_lines(names, ("\n".join(rows) + "\n" for rows in _rows(groups, 16, with_doc, "\t".join)))
        return
    terminal = terminal_width()
    count = 16 if terminal >= 150 else 8 if terminal >= 120 else 4  # leaves room for the other columns
    widths = WIDTHS | {"bytes": 3 * count + 1, "doc": terminal}  # doc is on a line of its own
    rows = chain.from_iterable(_rows(groups, count, with_doc, tuple))
    print_table(names, rows, right=["size"], cut=["value"], widths=[widths[name] for name in names])


def _rows(
    groups: Iterable[Columns], count: int, with_doc: bool, row_of: Callable[[Iterable[str]], Row]
) -> Iterator[Iterable[Row]]:
    """Yield the rows of each group, made of the printable cells of each field, which show its first `count` bytes."""
    try:
        for group in groups:
            yield group.in_order(map(row_of, _cells(column, count, with_doc)) for column in group.columns)
    except kaitai_gguf.FormatError as error:
        row = [f"{error.offset:#010x}", "", "", error.path, "error", printable(str(error))]
        yield [row_of([*row, ""] if with_doc else row)]
        raise


def _cells(column: Column, count: int, with_doc: bool) -> Iterator[tuple[str, ...]]:
    like, kind = column.like, printable(column.like.type)
    sizes = [end - start for start, end in zip(column.starts, column.ends, strict=True)]
    starts = [f"{start:#010x}" for start in column.starts]
    heads = [head[:count].hex(" ") for head in column.heads]
    if max(sizes) > count:
        heads = [f"{head} …" if size > count else head for head, size in zip(heads, sizes, strict=True)]
    cells = zip(starts, map(str, sizes), heads, column.paths, repeat(kind), _described(column))
    doc = ". ".join(text for text in (f"{like.original_name} in ggml" if like.original_name else "", like.doc) if text)
    return ((*row, printable(doc)) for row in cells) if with_doc else cells


def _described(column: Column) -> list[str]:
    values: Sequence[Any] = _shortest(column)
    width = value_width()
    kinds = set(map(type, values))
    if kinds == {int}:
        texts = list(map(str, values))  # what describe_value returns, only faster
    elif kinds == {str} and width == sys.maxsize and not _SPECIAL.search("".join(values)):
        texts = [f'"{value}"' for value in values]  # likewise
    else:
        texts = ["" if value is None else describe_value(value, width) for value in values]
    if column.meanings is not None:
        return [_with_meaning(text, printable(meaning)) for text, meaning in zip(texts, column.meanings, strict=True)]
    meaning = printable(column.like.meaning)
    return [_with_meaning(text, meaning) for text in texts] if meaning else texts


def _with_meaning(text: str, meaning: str) -> str:
    return f"{text} ({meaning})" if text and meaning else text or meaning


def _json_lines(groups: Iterable[Columns], with_doc: bool) -> Iterator[str]:
    """Yield the lines of a JSON document, one for each field, as they come: there may be millions."""
    yield '{"fields": ['
    separator = "\n"
    try:
        for group in groups:
            documents = group.in_order(_documents(column, with_doc) for column in group.columns)
            yield separator + ",\n".join(documents)
            separator = ",\n"
    except kaitai_gguf.FormatError as error:
        reason = {"offset": error.offset, "path": error.path, "message": str(error)}
        yield f'\n], "error": {json.dumps(reason)}}}\n'
        raise
    yield '\n], "error": null}\n'


_VALUES = json.JSONEncoder(allow_nan=False, separators=("\n", ": "))
"""Encodes a list with one line for each item: newlines in strings are escaped."""


def _documents(column: Column, with_doc: bool) -> list[str]:
    like = column.like
    texts = _VALUES.encode(_canonical(_shortest(column)))[1:-1].split("\n")
    type, name, doc = map(quoted, (like.type, like.original_name, like.doc))
    meanings = repeat(quoted(like.meaning)) if column.meanings is None else map(quoted, column.meanings)
    last = f', "original_name": {name}, "doc": {doc}}}' if with_doc else "}"
    # The parts that all have in common are joined first: there may be millions of fields.
    middle, between, after = f'", "type": {type}, "value": ', ', "meaning": ', f', "depth": {like.depth}, "head": "'
    rows = zip(column.starts, column.ends, column.paths, texts, column.heads, meanings, strict=False)
    return [
        f'{{"start": {start}, "end": {end}, "path": "{path}{middle}{value}{between}{meaning}{after}{head.hex()}"{last}'
        for start, end, path, value, head, meaning in rows
    ]


def _canonical(values: Sequence[Any]) -> list[Any]:
    """Return values that JSON can have."""
    kinds = set(map(type, values))
    if kinds == {int} or (kinds == {str} and "".join(values).isascii()):
        return list(values)  # what the functions below return, only faster
    return [canonical.text(value) if isinstance(value, str) else canonical.number(value) for value in values]


def _shortest(column: Column) -> Sequence[int | float | str | None]:
    """Return the values, float32 as the shortest decimal that round-trips."""
    if column.like.type not in ("f4", "float32"):
        return column.values
    return [shortest(value) if isinstance(value, float) else value for value in column.values]
