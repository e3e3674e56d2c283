"""`kaitai-gguf tensor`: show the values of one tensor, as statistics and a histogram."""

import io
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import kaitai_gguf
from kaitai_gguf import Tensor
from kaitai_gguf.cli import canonical, completion
from kaitai_gguf.cli.files import open_model
from kaitai_gguf.cli.options import PIPES, file_argument, form_options
from kaitai_gguf.cli.output import describe_shape, format_number, in_columns, print_json, progress, terminal_width
from kaitai_gguf.cli.statistics import Histogram, Summary
from kaitai_gguf.cli.table import print_facts, print_table
from kaitai_gguf.cli.tensor_data import blocks, exact
from kaitai_gguf.reading.chunks import stored_blocks
from kaitai_gguf.text import human_bytes
from kaitai_gguf.threads import in_order, usable_processors

MOST_THREADS = 4  # bounds the memory use

SCALES = ["d", "dmin", "m", "e"]
"""The fields of a block that scale or shift all of its elements."""

ROWS, BAR = 20, 40  # the rows of the histogram in a terminal, and the length of the longest bar
NUMBERS = 40  # characters to leave for the numbers beside a bar


@click.command(epilog=PIPES)
@file_argument
@click.argument("name", shell_complete=completion.tensors)
@form_options
def command(file: str, name: str, as_json: bool) -> None:
    """Show the values of a tensor: range, mean, histogram.

    NAME is the name of a tensor in FILE. All values are read, a few megabytes at a time. min, max, mean and
    std cover the finite values. The histogram reaches at most 4 standard deviations from the mean; values beyond it
    are counted separately, below and above.

    \b
    Examples:
      kaitai-gguf tensor model.gguf output.weight
      kaitai-gguf tensor model.gguf blk.0.attn_v.weight --json
    """
    with open_model(file) as model:
        tensor = model.tensors[name]
        if tensor.is_remote:  # the statistics read the data more than once
            copy = io.BytesIO()
            kaitai_gguf.write(copy, {}, {name: tensor}, byte_order=tensor.byte_order)
            tensor = kaitai_gguf.open(copy.getbuffer()).tensors[name]
        statistics = examine(tensor)
    if as_json:
        print_json(_document(tensor, *statistics))
    else:
        _print(tensor, *statistics)


def examine(tensor: Tensor) -> tuple[Summary, Histogram, dict[str, Summary]]:
    """Return the statistics of the values, and a summary of each kind of scale.

    The values are read twice: the first pass finds the bounds of the histogram.
    """
    names = stored_blocks(tensor).dtype.names or ()  # a type without blocks only has "value"
    scales = [name for name in SCALES if name in names]
    threads = min(usable_processors(), MOST_THREADS)
    passes = progress("reading", (2 + len(scales)) * (tensor.nbytes or 0))
    with passes as advance, ThreadPoolExecutor(threads) as pool:

        def results(examined: Callable[[NDArray[Any]], Any]) -> Iterator[Any]:
            for chunk, result in in_order(lambda chunk: pool.submit(examined, chunk), blocks(tensor), 2 * threads):
                advance(chunk.nbytes)
                yield result

        def scale(name: str) -> Summary:  # numpy can't compute with some types
            return Summary.joined(results(lambda chunk: Summary.of(chunk[name].reshape(-1).astype(np.float64))))

        summary = Summary.joined(results(lambda chunk: Summary.of(exact(tensor, chunk))))
        histogram = Histogram(summary)
        for counts in results(lambda chunk: histogram.counted(exact(tensor, chunk))):
            histogram.add(counts)
        return summary, histogram, {name: scale(name) for name in scales}


def _document(tensor: Tensor, summary: Summary, histogram: Histogram, scales: dict[str, Summary]) -> dict[str, Any]:
    def facts(summary: Summary) -> dict[str, Any]:
        return {name: canonical.number(value) for name, value in vars(summary).items()}

    return canonical.tensor_row(tensor) | {
        "position": tensor.position,
        "shape": list(tensor.shape),
        "elements": tensor.n_elements,
        "statistics": facts(summary),
        "scales": {name: facts(scale) for name, scale in scales.items()},
        "histogram": {"edges": histogram.edges(), "counts": histogram.counts.tolist()}
        | {"below": histogram.below, "above": histogram.above},
    }


def _print(tensor: Tensor, summary: Summary, histogram: Histogram, scales: dict[str, Summary]) -> None:
    """Print the facts, then the histogram: with bars in a terminal, as more rows in a pipe."""
    facts, bins = list(_rows(tensor, summary, scales)), _bins(histogram)
    if not in_columns():
        print_facts(facts + [(f"from {low} to {high}", str(count)) for low, high, count in bins])
        return
    print_facts(facts)
    if bins:
        click.echo()
        most = max(count for _, _, count in bins)
        # Not every terminal's encoding has a block character.
        bar = "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
        longest = max(1, min(BAR, terminal_width() - NUMBERS))
        drawn = [(low, high, f"{count:,}", bar * -(-longest * count // most)) for low, high, count in bins]
        print_table(["from", "to", "count", ""], drawn, right=["from", "to", "count"])


def _rows(tensor: Tensor, summary: Summary, scales: dict[str, Summary]) -> Iterator[tuple[str, str]]:
    def text(value: int | float | None) -> str:
        return "none" if value is None else format_number(value)

    yield "name", tensor.name
    yield "role", kaitai_gguf.tensor_role(tensor.name).description or "unknown"
    yield "type", tensor.type_name
    yield "shape", describe_shape(tensor.shape)
    yield "elements", f"{tensor.n_elements:,}"
    yield "nbytes", f"{tensor.nbytes:,} ({human_bytes(tensor.nbytes or 0)})"
    yield "offset", f"{tensor.offset:,} (byte {tensor.position:,} of the file)"
    yield from ((name, text(getattr(summary, name))) for name in ("min", "max", "mean", "std"))
    for name, number in {"zeros": summary.zeros, "nan": summary.nan, "infinite": summary.infinite}.items():
        yield name, f"{number:,} ({number / summary.count:.2%})" if number else "0"
    for name, of_scales in scales.items():
        not_finite = of_scales.nan + of_scales.infinite
        more = f", {not_finite:,} not finite" if not_finite else ""
        yield f"scales {name}", f"{text(of_scales.min)} to {text(of_scales.max)}{more}"


def _bins(histogram: Histogram) -> list[tuple[str, str, int]]:
    """Return the bounds of each bin and the number of values in it."""
    if not histogram.counts.any():
        return []
    rows = 1 if histogram.low == histogram.high else ROWS
    edges = ["-inf", *(f"{edge:.4g}" for edge in histogram.edges(rows)), "inf"]
    counts = [histogram.below, *histogram.counts.reshape(rows, -1).sum(axis=1).tolist(), histogram.above]
    bins = list(zip(edges[:-1], edges[1:], counts, strict=True))
    return bins[not histogram.below : len(bins) - (not histogram.above)]
