"""Plots of tables as SVG. The same results give the same bytes."""

from pathlib import Path
from typing import Any

import matplotlib as mpl
from matplotlib.ticker import LogLocator, NullFormatter, ScalarFormatter

from benchmarks.harness import Table
from benchmarks.page import quotient_of

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "kaitai_gguf"
mpl.rcParams["svg.fonttype"] = "none"  # keep text as text, not paths


def plot(table: Table, path: Path) -> None:
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(10, 4.5), layout="constrained")
    {"times": bars_of_times, "ratios": bars_of_ratios, "lines": lines}[table.plot](axes, table)
    figure.legend(fontsize="small", loc="outside right upper")
    figure.savefig(path, metadata={"Date": None, "Creator": None})
    plt.close(figure)


def bars_of_times(axes: Any, table: Table) -> None:
    names = list(dict.fromkeys(name for row in table.rows.values() for name in row))
    bars(axes, list(table.rows), {name: [seconds(row, name) for row in table.rows.values()] for name in names}, 0)
    axes.set_ylabel("seconds")


def bars_of_ratios(axes: Any, table: Table) -> None:
    """Draw the first three ratios of the rows that have the first one, as bars up or down from 1."""
    shown = [ratio for ratio in table.ratios if any(quotient_of(row, ratio) for row in table.rows.values())][:3]
    rows = {name: row for name, row in table.rows.items() if quotient_of(row, shown[0])} if shown else {}
    bars(axes, list(rows), {ratio.title: [quotient_of(row, ratio) or 1 for row in rows.values()] for ratio in shown}, 1)
    axes.axhline(1, color="black", linewidth=0.8)
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_major_formatter(ScalarFormatter())
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.set_ylabel("ratio of times")


def bars(axes: Any, names: list[str], series: dict[str, list[float]], bottom: float) -> None:
    axes.set_yscale("log")
    width = 0.8 / max(1, len(series))
    for number, (title, heights) in enumerate(series.items()):
        places = [place + number * width for place in range(len(names))]
        color = mpl.color_sequences["tab20" if len(series) > 10 else "tab10"][number % 20]
        axes.bar(places, [height - bottom for height in heights], width, bottom=bottom, label=title, color=color)
    axes.set_xticks([place + 0.4 - width / 2 for place in range(len(names))], names, rotation=45, ha="right")


def lines(axes: Any, table: Table) -> None:
    """Draw time over size on logarithmic axes, where linear time is a straight line."""
    sizes = [int(name.replace(",", "")) for name in table.rows]
    for name in next(iter(table.rows.values()), {}):
        axes.plot(sizes, [seconds(row, name) for row in table.rows.values()], "o-", label=name)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(table.first)
    axes.set_ylabel("seconds")


def seconds(row: dict[str, Any], name: str) -> float:
    return float(row[name]["min"]) if name in row else 0.0
