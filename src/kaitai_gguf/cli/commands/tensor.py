"""`kaitai-gguf tensor`: the values of one tensor, in numbers and drawn."""

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import click
import numpy as np
from numpy.typing import NDArray

import kaitai_gguf
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.output import (
    file_argument,
    format_number,
    human_bytes,
    json_option,
    open_model,
    print_facts,
    print_json,
    print_table,
    printable,
)
from kaitai_gguf.cli.pieces import blocks, exact, is_quantized, shares
from kaitai_gguf.cli.progress import progress
from kaitai_gguf.cli.summary import Histogram, Summary, count, summarize
from kaitai_gguf.cli.threads import in_threads
from kaitai_gguf.reading.chunks import stored_blocks

SCALES = ["d", "dmin", "m", "e"]
"""The fields of blocks that scale or shift all of their elements."""

ROWS, BAR = 20, 40  # of the histogram in a terminal


@dataclass
class Findings:
    summary: Summary
    histogram: Histogram
    scales: dict[str, Summary] = field(default_factory=dict)
    scale_histograms: dict[str, Histogram] = field(default_factory=dict)


@click.command()
@file_argument
@click.argument("name")
@json_option
@click.option("--plot", type=click.Path(), metavar="SVG|PNG", help="Draw the histograms, of block scales as well.")
@click.option("--force", is_flag=True, help="Overwrite a plot that is there.")
def command(file: str, name: str, as_json: bool, plot: str | None, force: bool) -> None:
    """Show the values of the tensor NAME of FILE: range, mean, histogram.

    All values are read, a few megabytes at a time. min, max, mean and std are those of the
    finite ones. The histogram ends 4 standard deviations from the mean; what is further off
    is counted below and above it.

    --plot needs matplotlib: pip install 'kaitai-gguf[plot]'

    \b
    Examples:
      kaitai-gguf tensor model.gguf output.weight
      kaitai-gguf tensor model.gguf blk.0.attn_v.weight --json
      kaitai-gguf tensor model.gguf token_embd.weight --plot histogram.svg
    """
    if plot is not None:
        from kaitai_gguf.cli.plot import check  # before the work is done

        check(Path(plot), force)
    with open_model(file) as model:
        tensor = model.tensors[name]
        findings = examine(tensor)
        if plot is not None:
            from kaitai_gguf.cli.plot import draw

            draw(Path(plot), tensor, findings.histogram, findings.scale_histograms, force)
        if as_json:
            print_json(_json(tensor, findings))
        else:
            print_facts(_rows(tensor, findings))
            _print_histogram(findings.histogram)
            if plot is not None:
                click.echo(printable(plot))


def examine(tensor: kaitai_gguf.Tensor) -> Findings:
    """All values twice, since a histogram wants to know its bounds; the scales are few."""
    stored_blocks(tensor)  # says what is wrong with the tensor, if anything is
    with progress("reading", 2 * (tensor.nbytes or 0)) as advance:
        per_element = (tensor.nbytes or 0) / max(1, tensor.n_elements)

        def values(share: slice) -> Iterable[NDArray[Any]]:
            for piece in exact(tensor, share):
                yield piece
                advance(round(piece.size * per_element))

        findings = _measured(shares(tensor), values)
    for name in SCALES:
        if is_quantized(tensor) and name in (tensor.blocks.dtype.names or ()):
            measured = _measured(shares(tensor), partial(_scales, tensor, name))
            findings.scales[name], findings.scale_histograms[name] = measured.summary, measured.histogram
    return findings


def _scales(tensor: kaitai_gguf.Tensor, name: str, share: slice) -> Iterable[NDArray[np.float64]]:
    for piece in blocks(tensor, share):
        yield piece[name].reshape(-1).astype(np.float64)  # some have types that numpy can't compute with


def _measured(shares: list[slice], numbers: Callable[[slice], Iterable[NDArray[Any]]]) -> Findings:
    """What there is to say of the numbers of all shares. Each is read by one thread, once for each of the two."""
    summary = Summary()
    for part in in_threads(lambda share: summarize(numbers(share)), shares):
        summary.merge(part)
    histogram = Histogram(summary)
    for counts in in_threads(lambda share: count(numbers(share), summary), shares):
        histogram.merge(counts)
    return Findings(summary, histogram)


def _json(tensor: kaitai_gguf.Tensor, findings: Findings) -> dict[str, Any]:
    histogram = findings.histogram
    return canonical.tensor_info(tensor) | {
        "position": tensor.position,
        "shape": list(tensor.shape),
        "elements": tensor.n_elements,
        "statistics": _statistics(findings.summary),
        "scales": {name: _statistics(summary) for name, summary in findings.scales.items()},
        "histogram": {
            "edges": [canonical.number(edge) for edge in histogram.edges()],
            "counts": histogram.counts.tolist(),
            "below": histogram.below,
            "above": histogram.above,
        },
    }


def _statistics(summary: Summary) -> dict[str, Any]:
    return {
        "count": summary.count,
        "min": canonical.number(summary.min),
        "max": canonical.number(summary.max),
        "mean": canonical.number(summary.mean),
        "std": canonical.number(summary.std),
        "zeros": summary.zeros,
        "nan": summary.nan,
        "infinite": summary.infinite,
    }


def _rows(tensor: kaitai_gguf.Tensor, findings: Findings) -> list[tuple[str, str]]:
    summary = findings.summary
    return [
        ("name", tensor.name),
        ("type", tensor.type_name),
        ("shape", " × ".join(map(str, tensor.shape)) or "scalar"),
        ("elements", f"{tensor.n_elements:,}"),
        ("bytes", f"{tensor.nbytes:,} ({human_bytes(tensor.nbytes or 0)})"),
        ("offset", f"{tensor.offset:,} (byte {tensor.position:,} of the file)"),
        ("min", _words(summary.min)),
        ("max", _words(summary.max)),
        ("mean", _words(summary.mean)),
        ("std", _words(summary.std)),
        ("zeros", _share(summary.zeros, summary.count)),
        ("NaN", _share(summary.nan, summary.count)),
        ("Inf", _share(summary.infinite, summary.count)),
        *((f"scales {name}", _range(scale)) for name, scale in findings.scales.items()),
    ]


def _words(value: int | float | None) -> str:
    return "none" if value is None else format_number(value)


def _share(number: int, count: int) -> str:
    return f"{number:,} ({number / count:.2%})" if number else "0"


def _range(summary: Summary) -> str:
    odd = summary.nan + summary.infinite
    return f"{_words(summary.min)} to {_words(summary.max)}" + (f", {odd:,} not finite" if odd else "")


def _print_histogram(histogram: Histogram) -> None:
    """A bin a line; the bars are for people alone."""
    if not histogram.counts.any():
        return
    one = histogram.low == histogram.high
    counts = [int(histogram.counts.sum())] if one else histogram.coarse(ROWS)
    edges = [histogram.low, histogram.high] if one else histogram.edges(ROWS)
    texts = [f"{edge:.4g}" for edge in edges]
    rows = list(zip(texts[:-1], texts[1:], counts, strict=True))
    if histogram.below:
        rows.insert(0, ("", texts[0], histogram.below))
    if histogram.above:
        rows.append((texts[-1], "", histogram.above))
    most = max(count for _, _, count in rows)
    # A bar is a character that not every terminal's encoding has.
    bar = "█" if (sys.stdout.encoding or "").lower().startswith("utf") else "#"
    drawn = [bar * -(-BAR * count // most) for _, _, count in rows] if sys.stdout.isatty() else None
    cells = [(low, high, f"{count:,}" if drawn else str(count)) for low, high, count in rows]
    if drawn is not None:
        cells = [(*cell, line) for cell, line in zip(cells, drawn, strict=True)]  # type: ignore[misc]
    print_table(["from", "to", "count", ""], cells, right=["from", "to", "count"])
