"""Print JSON, warnings and progress, and format values for people, escaping text that comes from a file."""

import json
import os
import shlex
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from typing import IO, TYPE_CHECKING, Any

import click

from kaitai_gguf.text import shorten

if TYPE_CHECKING:  # importing the package does without numpy
    import numpy as np

    from kaitai_gguf import Entry
    from kaitai_gguf.reading.arrays import Value
    from kaitai_gguf.types import Progress

TABLE = "kaitai_gguf.table"  # in the context's meta if --table was given

FALLBACK = (80, 24)  # the size of a terminal that does not tell

LARGE = 16 << 20  # bytes: smaller work is done before a progress bar could be read


def printable(text: str) -> str:
    """Return text from a file made safe for a terminal: control and format characters are escaped."""
    if text.isprintable():
        return text
    return "".join([char if char.isprintable() else _escaped(char) for char in text])


def quoted_for_shell(text: str) -> str:
    """Return an argument for a command line in a message."""
    return shlex.quote(printable(text))


@lru_cache(1 << 14)
def _escaped(char: str) -> str:
    return char.encode("unicode_escape", "surrogatepass").decode("ascii")


def warn(message: str) -> None:
    """Print a line to stderr. If that is a closed pipe, the exit status stays the same."""
    try:
        click.echo(f"kaitai-gguf: {printable(message)}", err=True)
    except BrokenPipeError:
        discard(sys.stderr)


def discard(stream: IO[str]) -> None:
    """Keep Python from writing the rest of the output again on exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())


def in_columns() -> bool:
    """Return whether output is laid out for people: in a terminal, or with --table."""
    context = click.get_current_context(silent=True)
    return sys.stdout.isatty() or (context is not None and TABLE in context.meta)


def terminal_width() -> int:
    """Return the number of columns. A pipe has no limit unless the variable COLUMNS sets one."""
    import shutil  # with its compressors, it takes longer to import than to show a file

    return shutil.get_terminal_size(FALLBACK if sys.stdout.isatty() else (sys.maxsize, 0)).columns


def print_json(document: Any, indent: int | None = 2) -> None:
    click.echo(json.dumps(document, indent=indent, allow_nan=False))


def echo_all(texts: Iterable[str]) -> None:
    """Print texts one after the other. If producing a text fails, those before it are printed."""
    try:
        sys.stdout.writelines(texts)  # click.echo would flush after each text, which is slow
    finally:
        sys.stdout.flush()


@contextmanager
def progress(label: str, nbytes: int) -> "Iterator[Progress]":
    """Show a progress bar on stderr, if it is a terminal and there are at least `LARGE` bytes to process."""
    if nbytes < LARGE or sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(True), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(label, total=nbytes)
        yield lambda done: bar.advance(task, done)


@contextmanager
def waiting(label: str) -> Iterator[None]:
    """Show a label on stderr while the block runs, if it is a terminal."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(label):
        yield


# Values as text


def counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def describe_shape(shape: Iterable[int]) -> str:
    return " × ".join(map(str, shape)) or "scalar"


def describe_type(entry: "Entry") -> str:
    """Return the type of a metadata value, for arrays with the count: `string[32000]`."""
    return str(entry.value_type) if entry.element_type is None else f"{entry.element_type}[{entry.count}]"


def value_width() -> int:
    """Return how many characters of a value are shown at most."""
    return terminal_width() if in_columns() else sys.maxsize


def describe_value(value: "Value | np.generic", width: int | None = None) -> str:
    """Return a value as text of at most `width` characters. Arrays are shown by their first elements.

    `width` defaults to that of the terminal; a pipe gets strings in full.
    """
    if width is None:
        width = value_width()
    if isinstance(value, str):
        return shorten(printable(json.dumps(value[: width + 1], ensure_ascii=False)), width)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return format_number(value)
    import numpy as np

    if isinstance(value, np.generic):
        return describe_value(value.item(), width)
    parts: list[str] = []
    for item in value[:16]:
        parts.append(describe_value(item, width))
        if sum(map(len, parts)) > width:
            break
    more = ", …" if len(parts) < len(value) else ""
    return shorten(f"[{', '.join(parts)}{more}]", width)


def format_number(value: int | float) -> str:
    return f"{value:.7g}" if isinstance(value, float) else str(value)
