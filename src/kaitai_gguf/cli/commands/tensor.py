"""`kaitai-gguf tensor`: show the values of one tensor, as statistics and a histogram."""

import errno
import io
import sys
import warnings
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import click
import numpy as np
from numpy.typing import NDArray

import kaitai_gguf
from kaitai_gguf import FileError, Tensor
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import check_target, new_file, open_model
from kaitai_gguf.cli.options import PIPES, OutputFile, dry_run_option, file_argument, force_option, form_options
from kaitai_gguf.cli.output import (
    describe_shape,
    format_number,
    human_bytes,
    in_columns,
    print_json,
    printable,
    progress,
    terminal_width,
)
from kaitai_gguf.cli.statistics import Histogram, Summary
from kaitai_gguf.cli.table import print_facts, print_table
from kaitai_gguf.cli.tensor_data import blocks, exact
from kaitai_gguf.reading.chunks import stored_blocks
from kaitai_gguf.text import shorten
from kaitai_gguf.threads import in_order, usable_processors
from kaitai_gguf.types import Progress

Result = TypeVar("Result")

FORMATS = {".svg": "svg", ".png": "png"}

# A user's settings may pass text to TeX, which can run commands. With a fixed salt, equal pictures give equal files.
_SETTINGS: Any = {"text.usetex": False, "svg.fonttype": "none", "svg.hashsalt": "kaitai-gguf"}

MOST_THREADS = 4  # bounds the memory use

SCALES = ["d", "dmin", "m", "e"]
"""The fields of a block that scale or shift all of its elements."""

ROWS, BAR = 20, 40  # the rows of the histogram in a terminal, and the length of the longest bar
NUMBERS = 40  # characters to leave for the numbers beside a bar


class Statistics(NamedTuple):
    summary: Summary
    histogram: Histogram


@click.command(epilog=PIPES)
@file_argument
@click.argument("name")
@form_options
@click.option("--plot", type=OutputFile(), metavar="SVG|PNG", help="Draw histograms of the values and block scales.")
@force_option
@dry_run_option
def command(*, file: str, name: str, as_json: bool, plot: str | None, force: bool, dry_run: bool) -> None:
    """Show the values of a tensor: range, mean, histogram.

    NAME is the name of a tensor in FILE. All values are read, a few megabytes at a time. min, max, mean and
    std cover the finite values. The histogram reaches at most 4 standard deviations from the mean; values beyond it
    are counted separately, below and above.

    --plot needs matplotlib: pip install 'kaitai-gguf[plot]'

    \b
    Examples:
      kaitai-gguf tensor model.gguf output.weight
      kaitai-gguf tensor model.gguf blk.0.attn_v.weight --json
      kaitai-gguf tensor model.gguf token_embd.weight --plot histogram.svg
    """
    if plot is not None:
        _check_plot(Path(plot), force)
    with open_model(file) as model:
        tensor = model.tensors[name]
        if tensor.is_remote:  # the statistics read the data more than once
            copy = io.BytesIO()
            kaitai_gguf.write(copy, {}, {name: tensor}, byte_order=tensor.byte_order)
            tensor = kaitai_gguf.open(copy.getbuffer()).tensors[name]
        values, scales = examine(tensor)
    if plot is not None and not dry_run:
        of_scales = {f"{field} of the blocks": scale.histogram for field, scale in scales.items()}
        _plot(Path(plot), tensor, {"value": values.histogram} | of_scales, force)
    if as_json:
        print_json(_document(tensor, values, scales))
        return
    _print(tensor, values, scales)
    if plot is not None:
        click.echo(printable(plot))


def examine(tensor: Tensor) -> tuple[Statistics, dict[str, Statistics]]:
    """Return the statistics of the values, and those of each kind of scale."""
    names = stored_blocks(tensor).dtype.names or ()  # a type without blocks only has "value"
    with progress("reading", 2 * (tensor.nbytes or 0)) as advance:
        values = _measured(tensor, partial(exact, tensor), advance)
    # numpy can't compute with the types of some scales
    scales = {name: lambda chunk, name=name: chunk[name].reshape(-1).astype(np.float64) for name in SCALES}
    return values, {name: _measured(tensor, scales[name]) for name in SCALES if name in names}


def _measured(
    tensor: Tensor, numbers: Callable[[NDArray[Any]], NDArray[Any]], advance: Progress = lambda _: None
) -> Statistics:
    """Return the statistics of the numbers in all blocks, which are read twice: the first pass finds the bounds."""

    def results(examined: Callable[[NDArray[Any]], Result]) -> Iterator[Result]:
        jobs = in_order(lambda chunk: pool.submit(lambda: examined(numbers(chunk))), blocks(tensor), 2 * threads)
        for chunk, result in jobs:
            advance(chunk.nbytes)
            yield result

    threads = min(usable_processors(), MOST_THREADS)
    with ThreadPoolExecutor(threads) as pool:
        histogram = Histogram(summary := Summary.joined(results(Summary.of)))
        for counts in results(histogram.counted):
            histogram.add(counts)
    return Statistics(summary, histogram)


def _document(tensor: Tensor, values: Statistics, scales: dict[str, Statistics]) -> dict[str, Any]:
    def facts(summary: Summary) -> dict[str, Any]:
        return {name: canonical.number(value) for name, value in vars(summary).items()}

    histogram = values.histogram
    return canonical.tensor_row(tensor) | {
        "position": tensor.position,
        "shape": list(tensor.shape),
        "elements": tensor.n_elements,
        "statistics": facts(values.summary),
        "scales": {name: facts(scale.summary) for name, scale in scales.items()},
        "histogram": {
            "edges": histogram.edges(),
            "counts": histogram.counts.tolist(),
            "below": histogram.below,
            "above": histogram.above,
        },
    }


def _print(tensor: Tensor, values: Statistics, scales: dict[str, Statistics]) -> None:
    """Print the facts, then the histogram: with bars in a terminal, as more rows in a pipe."""
    facts, bins = list(_rows(tensor, values.summary, scales)), _bins(values.histogram)
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


def _rows(tensor: Tensor, summary: Summary, scales: dict[str, Statistics]) -> Iterator[tuple[str, str]]:
    def text(value: int | float | None) -> str:
        return "none" if value is None else format_number(value)

    yield "name", tensor.name
    yield "role", kaitai_gguf.tensor_role(tensor.name).description or "unknown"
    yield "type", tensor.type_name
    yield "shape", describe_shape(tensor.shape)
    yield "elements", f"{tensor.n_elements:,}"
    yield "bytes", f"{tensor.nbytes:,} ({human_bytes(tensor.nbytes or 0)})"
    yield "offset", f"{tensor.offset:,} (byte {tensor.position:,} of the file)"
    yield from ((name, text(getattr(summary, name))) for name in ("min", "max", "mean", "std"))
    for name, number in {"zeros": summary.zeros, "NaN": summary.nan, "Inf": summary.infinite}.items():
        yield name, f"{number:,} ({number / summary.count:.2%})" if number else "0"
    for name, (of_scales, _) in scales.items():
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


# Pictures


def _check_plot(path: Path, force: bool) -> None:
    """Raise errors early that would otherwise come after all values have been read."""
    if path.suffix.lower() not in FORMATS:
        raise click.UsageError("the file of --plot must end with .svg or .png")
    check_target(path, force)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        message = "a plot needs matplotlib: pip install 'kaitai-gguf[plot]'"
        raise FileError(errno.ENOSYS, message, str(path)) from None


def _plot(path: Path, tensor: Tensor, histograms: dict[str, Histogram], force: bool) -> None:
    """Plot the histograms, by label, to a file, which is written whole or not at all."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings(), new_file(path, force=force) as file:
        warnings.simplefilter("ignore")  # the font may lack characters of the name
        figure = Figure(figsize=(8, 0.6 + 2.4 * len(histograms)), layout="constrained")
        title = f"{tensor.name}: {tensor.type_name}, {describe_shape(tensor.shape)}"
        # A name is text, not a formula: without parse_math `$` would make it one, or fail.
        figure.suptitle(shorten(printable(title), 90), parse_math=False, fontsize=10)
        all_axes = figure.subplots(len(histograms), squeeze=False)[:, 0]
        for axes, (label, histogram) in zip(all_axes, histograms.items(), strict=True):
            axes.set(xlabel=label, ylabel="count")
            axes.stairs(histogram.counts, histogram.edges(), fill=True)
            outside = f"{histogram.below:,} below, {histogram.above:,} above"
            if histogram.below or histogram.above:
                axes.annotate(outside, (0.99, 0.95), xycoords="axes fraction", ha="right", va="top", fontsize=8)
        kind = FORMATS[path.suffix.lower()]
        figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
