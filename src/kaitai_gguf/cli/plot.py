"""Plot the histograms of a tensor as SVG or PNG."""

import errno
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from kaitai_gguf import FileError, Tensor
from kaitai_gguf.cli.files import check_target, note_written
from kaitai_gguf.cli.output import describe_shape, printable
from kaitai_gguf.cli.statistics import Histogram
from kaitai_gguf.text import shorten
from kaitai_gguf.writing.atomic import Staging, real_path
from kaitai_gguf.writing.paths import as_given

if TYPE_CHECKING:
    from matplotlib.axes import Axes

FORMATS = {".svg": "svg", ".png": "png"}
MISSING = "a plot needs matplotlib: pip install matplotlib"

# A user's settings may pass text to TeX, which can run commands. With a fixed salt, equal pictures give equal files.
_SETTINGS: Any = {"text.usetex": False, "svg.fonttype": "none", "svg.hashsalt": "kaitai-gguf"}


def check(path: Path, force: bool) -> None:
    """Raise errors early that would otherwise come after all values have been read."""
    if path.suffix.lower() not in FORMATS:
        raise click.UsageError("the file of --plot must end with .svg or .png")
    check_target(path, force)
    try:
        import matplotlib  # noqa: F401
    except ImportError:
        raise FileError(errno.ENOSYS, MISSING, str(path)) from None


def draw(path: Path, tensor: Tensor, histograms: dict[str, Histogram], force: bool) -> None:
    """Plot the histograms, by label, to a file, which is written whole or not at all."""
    import matplotlib
    from matplotlib.figure import Figure

    with matplotlib.rc_context(_SETTINGS), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the font may lack characters of the name
        figure = Figure(figsize=(8, 0.6 + 2.4 * len(histograms)), layout="constrained")
        axes = figure.subplots(len(histograms), squeeze=False)[:, 0]
        title = f"{tensor.name}: {tensor.type_name}, {describe_shape(tensor.shape)}"
        # A name is text, not a formula: without parse_math `$` would make it one, or fail.
        axes[0].set_title(shorten(printable(title), 90), parse_math=False, fontsize=10)
        for axis, (label, histogram) in zip(axes, histograms.items(), strict=True):
            _draw(axis, histogram, label)
        with as_given(path), Staging(force) as staging, staging.file(real_path(path)) as file:
            kind = FORMATS[path.suffix.lower()]
            figure.savefig(file, format=kind, dpi=150, metadata={"Date": None} if kind == "svg" else None)
        note_written(path)


def _draw(axes: "Axes", histogram: Histogram, label: str) -> None:
    unit = histogram.scale  # matplotlib can't scale axes near the limits of float64
    axes.set_xlabel(label if unit == 1 else f"{label} / {unit:.4g}", parse_math=False)
    axes.set_ylabel("count")
    if histogram.low == histogram.high:
        axes.bar([histogram.low / unit], [int(histogram.counts.sum())])
    else:
        axes.stairs(histogram.counts, [edge / unit for edge in histogram.edges()], fill=True)
    outside = f"{histogram.below:,} below, {histogram.above:,} above"
    if histogram.below or histogram.above:
        axes.annotate(outside, (0.99, 0.95), xycoords="axes fraction", ha="right", va="top", fontsize=8)
