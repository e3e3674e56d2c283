"""`kaitai-gguf memory`: show how much memory llama.cpp needs to run models."""

from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import click

import kaitai_gguf
from kaitai_gguf.cli import error_message
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import FAILED, PIPES, SAYS_NO, GGUFPath, form_options, size
from kaitai_gguf.cli.output import print_json, warn
from kaitai_gguf.cli.safe_names import as_text
from kaitai_gguf.cli.table import Nbytes, NbytesRange, print_table
from kaitai_gguf.sources.urls import shown
from kaitai_gguf.text import human_bytes

STEP = 256  # tokens: llama.cpp rounds contexts up to multiples of it
COUNT, FLASH = click.IntRange(1), click.Choice(["auto", "on", "off"])
COLUMNS = ["file", "ctx_size", "weights", "context", "compute", "total"]


@click.command(epilog=PIPES)
@click.argument("files", metavar="FILE...", nargs=-1, required=True, type=GGUFPath())
@click.option("-c", "--ctx-size", multiple=True, type=COUNT, metavar="N", help="Context, in tokens. Repeatable.")
@click.option("--fit", type=size, metavar="SIZE", help="Find the longest context that fits into 24GiB, 16G, …")
@click.option("--ubatch-size", default=512, show_default=True, type=COUNT, metavar="N", help="Tokens computed at once.")
@click.option("--batch-size", default=2048, show_default=True, type=COUNT, metavar="N", help="Tokens in a batch.")
@click.option("--parallel", default=1, show_default=True, type=COUNT, metavar="N", help="Sequences.")
@click.option("--cache-type-k", default="f16", show_default=True, metavar="TYPE", help="Type of the K cache.")
@click.option("--cache-type-v", default="f16", show_default=True, metavar="TYPE", help="Type of the V cache.")
@click.option("--flash-attn", default="auto", show_default=True, type=FLASH, help="Flash attention.")
@click.option("--swa-full", is_flag=True, help="Keep the whole context in layers with a sliding window.")
@click.option("--kv-unified", is_flag=True, help="One cache for all sequences.")
@form_options
def command(
    *, files: tuple[str, ...], ctx_size: tuple[int, ...], fit: int | None, as_json: bool, **options: Any
) -> None:
    """Show how much memory llama.cpp needs to run FILE.

    Reads the header alone, of URLs as well. Weights and context are exact for a CPU; compute is a range.
    Without --ctx-size, the context is the one that the model was trained for. The options are llama.cpp's.

    Exit status: 1 if a model does not fit into --fit; 2 for errors. The other files are still shown.

    \b
    Examples:
      kaitai-gguf memory model.gguf --ctx-size 4096 --ctx-size 32768
      kaitai-gguf memory model.gguf --cache-type-k q8_0 --fit 24GiB
    """
    if fit is not None and ctx_size:
        raise click.UsageError("--fit and --ctx-size can't be given together")
    found: list[tuple[str, kaitai_gguf.Memory]] = []
    status = 0
    for file in files:
        try:
            with open_model(file) as model:
                results = list(_results(model, ctx_size, fit, options))
        except ValueError as error:  # the file can't be read, is no model, or llama.cpp refuses an option for it
            warn(error_message(error, file) if isinstance(error, kaitai_gguf.GGUFError) else f"{shown(file)}: {error}")
            status = FAILED
            continue
        if not results:
            warn(f"{shown(file)} does not fit into {human_bytes(fit or 0)}, even with a context of {STEP} tokens")
            status = status or SAYS_NO
        found += [(shown(file), result) for result in results]
    if as_json:
        print_json([{"file": as_text(name), **asdict(memory), "total": memory.total} for name, memory in found])
    elif found:
        rows = [_row(name, memory) for name, memory in found]
        print_table(COLUMNS, rows, right=COLUMNS[1:], cut="file", optional=COLUMNS[4:1:-1])
        for sentence in dict.fromkeys(sentence for _, memory in found for sentence in memory.assumptions):
            click.echo(sentence, err=True)
    click.get_current_context().exit(status)


def _results(
    model: kaitai_gguf.GGUFFile, ctx_sizes: tuple[int, ...], fit: int | None, options: dict[str, Any]
) -> Iterator[kaitai_gguf.Memory]:
    """Yield the memory for each context, or for the longest one that fits, if any does."""
    if fit is None:
        for each in ctx_sizes or [None]:
            yield kaitai_gguf.memory(model, ctx_size=each, **options)
        return
    sizes = range(STEP, kaitai_gguf.memory(model, **options).ctx_size + 1, STEP)
    count = bisect_right(sizes, fit, key=lambda n: kaitai_gguf.memory(model, ctx_size=n, **options).total[1])
    if count:
        yield kaitai_gguf.memory(model, ctx_size=sizes[count - 1], **options)


def _row(name: str, memory: kaitai_gguf.Memory) -> list[object]:
    ranges = map(NbytesRange, (memory.context_range, memory.compute, memory.total))
    return [name, memory.ctx_size, Nbytes(memory.weights), *ranges]
