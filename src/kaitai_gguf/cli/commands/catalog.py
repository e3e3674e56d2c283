"""`kaitai-gguf catalog`: the headers of many files as tables."""

import dataclasses
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import click

from kaitai_gguf import CatalogError
from kaitai_gguf.catalog import Summary, scan
from kaitai_gguf.catalog.packages import distributed
from kaitai_gguf.cli.files import note_written
from kaitai_gguf.cli.options import SAYS_NO, OutputPath, json_option, output_option
from kaitai_gguf.cli.output import counted, human_bytes, print_json

CONNECT = 30  # seconds in which a scheduler has to answer


@click.command()
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@output_option("DIR", "The folder of the catalog.", type=OutputPath())
@click.option("--check", is_flag=True, help="Check the rules of the format, and fill the table findings.")
@click.option("--refresh", is_flag=True, help="Read all files, even if they have not changed.")
@click.option("--threads", type=click.IntRange(1), default=1, help="How many threads read local files.")
@click.option("--scheduler", metavar="ADDRESS", help="Read on the workers of a Dask cluster: tcp://HOST:PORT.")
@json_option
@click.pass_context
def command(
    ctx: click.Context,
    *,
    sources: tuple[str, ...],
    output: str | None,
    check: bool,
    refresh: bool,
    threads: int,
    scheduler: str | None,
    as_json: bool,
) -> None:
    """Write tables about many files, for queries in SQL.

    SOURCE is a file, a folder (all files below it whose names end with .gguf), a pattern, a
    URL, or @FILE for a file with one of these on each line. The tables files, metadata,
    tensors, tokenizers and findings are Parquet files in DIR/GENERATION; findings is empty
    without --check. DIR/CURRENT has the name of the generation. docs/catalog.md lists all columns, and
    has example queries.

    The next scan into the same folder reads only files that have changed. Until it is
    complete, and if it is interrupted, the old catalog remains. With --scheduler, the workers
    of a Dask cluster read the files: see docs/catalog-cluster.md.

    Exit status: 0 if all files were read, 1 if some are rows with an error, 2 if no catalog
    was written, 130 if Ctrl-C ended the scan.

    \b
    Examples:
      kaitai-gguf catalog . --output catalog
      kaitai-gguf catalog '**/*.gguf' --check --output catalog
      kaitai-gguf catalog @models.txt --output catalog --refresh
    """
    if output is None:
        raise click.UsageError("specify --output DIR")
    with _client(scheduler) as client, _bar() as progress:
        summary = scan(sources, output, client=client, progress=progress, check=check, refresh=refresh, threads=threads)
    note_written(output)
    if as_json:
        print_json(dataclasses.asdict(summary) | {"output": output})
    else:
        click.echo(_words(summary))
    if summary.errors:
        ctx.exit(SAYS_NO)


def _words(summary: Summary) -> str:
    words = f"{counted(summary.files, 'file')}, {human_bytes(summary.nbytes)}"
    if summary.reused:
        words += f", {summary.reused} unchanged"
    return words + (f", {counted(summary.errors, 'error')}" if summary.errors else "")


@contextmanager
def _client(scheduler: str | None) -> Iterator[Any]:
    """Yield a client of the scheduler, or None without an address. Raises `CatalogError`."""
    if scheduler is None:
        yield None
        return
    try:
        client = distributed().Client(scheduler, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        words = f"the scheduler {scheduler} does not answer: {error}"
        raise CatalogError(words) from None
    with client:
        yield client


@contextmanager
def _bar() -> Iterator[Callable[[Summary], None]]:
    """Show on stderr how many files were read, in a terminal only."""
    if sys.stderr is None or not sys.stderr.isatty():
        yield lambda _: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (TextColumn("{task.description}"), BarColumn(), TimeElapsedColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task("reading", total=None)  # the number of files is unknown until the end
        yield lambda summary: bar.update(task, description=_words(summary))
