"""`kaitai-gguf catalog`: the headers of many files as tables."""

import dataclasses
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import click

from kaitai_gguf import CatalogError
from kaitai_gguf.catalog import Summary, scan
from kaitai_gguf.catalog.tables import distributed
from kaitai_gguf.cli.options import SAYS_NO, OutputPath, json_option, output_option
from kaitai_gguf.cli.output import counted, print_json
from kaitai_gguf.text import human_bytes

CONNECT = 30  # seconds in which a scheduler has to answer
SECRETS = ("secret", "password", "token", "sas", "account_key")  # in names of options


def storage_option(text: str) -> tuple[str, str]:
    """Parse an option for object storage. A secret on the command line would show in lists of processes."""
    name, is_pair, value = text.partition("=")
    if not name or not is_pair:
        raise click.BadParameter(f"expected NAME=VALUE, not {text!r}")
    if any(word in name.lower() for word in SECRETS):
        raise click.BadParameter(f"{name}: secrets are read from the environment, such as AWS_SECRET_ACCESS_KEY")
    return name, value


@click.command()
@click.argument("sources", metavar="SOURCE...", nargs=-1, required=True)
@output_option("DIR", "The folder or URL of the catalog.", type=OutputPath())
@click.option("--check", is_flag=True, help="Check the rules of the format, and fill the table findings.")
@click.option("--refresh", is_flag=True, help="Read all files, even if they have not changed.")
@click.option("--threads", type=click.IntRange(1), default=1, help="How many threads read local files.")
@click.option("--scheduler", metavar="ADDRESS", help="Read on the workers of a Dask cluster: tcp://HOST:PORT.")
@click.option(
    "--storage-option",
    "storage_options",
    metavar="NAME=VALUE",
    multiple=True,
    type=storage_option,
    help="An option for object storage, such as endpoint_url=URL; secrets are read from the environment.",
)
@json_option
def command(
    *, sources: tuple[str, ...], output: str | None, scheduler: str | None, as_json: bool, **options: Any
) -> None:
    """Write tables about many files, for queries in SQL.

    SOURCE is a file, a folder (all files below it whose names end with .gguf), a pattern, a
    URL, or @FILE for a file with one of these on each line. DIR is a Delta Lake table with one
    row for each file; it may be a URL (s3://, gs://, abfs://). docs/catalog.md lists all
    columns, and has example queries.

    The next scan into the same table reads only files that have changed, and removes the rows
    of files that no longer exist under the sources. A scan that is interrupted leaves what it
    has committed. With --scheduler, the workers of a Dask cluster read the files: see
    docs/catalog-cluster.md.

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
    from rich.console import Console  # `--help` does without

    options["storage_options"] = dict(options["storage_options"]) or None
    with _client(scheduler) as client, Console(stderr=True).status("") as status:
        options["progress"] = lambda summary: status.update(f"reading {_words(summary)}")
        summary = scan(sources, output, client=client, **options)
    if as_json:
        print_json(dataclasses.asdict(summary) | {"output": output})
    else:
        click.echo(_words(summary))
    if summary.errors:
        click.get_current_context().exit(SAYS_NO)


def _words(summary: Summary) -> str:
    words = f"{counted(summary.files, 'file')}, {human_bytes(summary.nbytes)}"
    if summary.reused:
        words += f", {summary.reused} unchanged"
    return words + (f", {counted(summary.errors, 'error')}" if summary.errors else "")


def _client(scheduler: str | None) -> AbstractContextManager[Any]:
    """Return a client of the scheduler, if there is one. Raises `CatalogError`."""
    try:
        return nullcontext() if scheduler is None else distributed().Client(scheduler, timeout=CONNECT)
    except (OSError, ValueError, TypeError) as error:
        raise CatalogError(f"the scheduler {scheduler} does not answer: {error}") from None
