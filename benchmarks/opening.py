"""Opening a model, and what comes next, beside the peers.

    make bench [MODELS=directory]

Writes benchmarks/results/opening.json, opening.md and two plots. With MODELS the vocabulary files of that directory are
used, without it files of the same shape. Ratios are to llama.cpp's `gguf_init_from_file`, from the best of the rounds.
"""

import argparse
import json
import os
import platform
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from typing import Any

import matplotlib as mpl
import models
from contest import Contender, compare, contenders

RESULTS = Path(__file__).parent / "results"
ROUNDS = 25
SCALE = [(10**n, 20 * 10**n) for n in range(2, 7)]  # tensors, strings

mpl.use("Agg")
mpl.rcParams["svg.hashsalt"] = "kaitai_gguf"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, help="a directory with vocabulary files")
    parser.add_argument("--skip-scale", action="store_true", help="leave out the files of growing size")
    arguments = parser.parse_args()
    RESULTS.mkdir(exist_ok=True)
    contestants = contenders()
    with tempfile.TemporaryDirectory() as scratch:
        files = collect(Path(scratch), arguments.models)
        results: dict[str, Any] = {"machine": machine(), "files": {}}
        for path in files:
            print(path.name, flush=True)
            results["files"][path.stem] = measure(contestants, path)
        results["processes"] = processes(files[0])
        if not arguments.skip_scale:
            results["scale"] = scale(contestants, Path(scratch))
    for contender in contestants:
        contender.stop()
    (RESULTS / "opening.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "opening.md").write_text(markdown(results))
    plot_ratios(results)
    if "scale" in results:
        plot_scale(results["scale"])
    print((RESULTS / "opening.md").read_text())


def collect(scratch: Path, given: Path | None) -> list[Path]:
    """The files to open, the largest vocabulary first."""
    real = sorted(given.glob("*vocab*.gguf"), key=lambda path: -path.stat().st_size) if given else []
    made = []
    for name, shape in models.SHAPES.items():
        if shape[2] or not real:
            made.append(scratch / f"{name}.gguf")
            models.write(made[-1], *shape)
    return [*real, *made]


def measure(contestants: list[Contender], path: Path) -> dict[str, Any]:
    operations = ["open"]
    operations += ["views", "first view"] if "tensors" in path.stem else ["tokens", "element", "resident"]
    found = {"nbytes": path.stat().st_size}
    for operation in operations:
        # The peers are asked to open only: what they do then is not the same.
        asked = contestants if operation == "open" else [each for each in contestants if each.name.startswith("ours")]
        found[operation] = compare(asked, operation, path, ROUNDS)
    return found


def processes(path: Path) -> dict[str, float]:
    """Whole processes, best of ten, in turn; with their bytecode cached, as an installed package has it."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    commands = {
        "python -c 'import numpy'": [sys.executable, "-c", "import numpy"],
        "python -c 'import kaitai_gguf'": [sys.executable, "-c", "import kaitai_gguf"],
        "kaitai-gguf info": [sys.executable, "-m", "kaitai_gguf", "info", str(path)],
    }
    times: dict[str, list[float]] = {name: [] for name in commands}
    for _ in range(10):
        for name, command in commands.items():
            run = timeit.Timer(lambda: subprocess.run(command, check=True, stdout=subprocess.DEVNULL, env=env))  # noqa: B023
            times[name].append(run.timeit(number=1))
    return {name: min(row) for name, row in times.items()}


def scale(contestants: list[Contender], scratch: Path) -> dict[str, Any]:
    """Files of growing size: many tensors, many strings."""
    chosen = [each for each in contestants if each.name in ("ours", "ours, pure Python", "llama.cpp")]
    found: dict[str, Any] = {"tensors": [], "strings": []}
    for tensors, strings in SCALE:
        for kind, shape in (("tensors", (0, 0, tensors)), ("strings", (strings, 0, 0))):
            path = scratch / f"{kind}.gguf"
            models.write(path, *shape)
            print(kind, max(shape), flush=True)
            times = compare(chosen, "open", path, rounds=5)
            best = {name: row["best"] for name, row in times.items()}
            found[kind].append({"count": max(shape), "nbytes": path.stat().st_size, "seconds": best})
            path.unlink()
    return found


def machine() -> dict[str, Any]:
    return {"python": platform.python_version(), "system": platform.system(), "cpus": os.cpu_count()}


def markdown(results: dict[str, Any]) -> str:
    names = list(next(iter(results["files"].values()))["open"])
    lines = [f"| open | {' | '.join(names)} |", "|---" * (len(names) + 1) + "|"]
    for file, found in results["files"].items():
        base = found["open"].get("llama.cpp", found["open"]["ours"])["best"]
        cells = [f"{row['best'] * 1e3:.3g} ms ({row['best'] / base:.2g} ×)" for row in found["open"].values()]
        lines.append(f"| {file} | {' | '.join(cells)} |")
    lines += ["", "| ours, then | compiled | pure Python |", "|---|---|---|"]
    units = {"resident": (1e-6, "MB more memory"), "element": (1e6, "µs"), "first view": (1e6, "µs")}
    for file, found in results["files"].items():
        for operation in [key for key in found if key not in ("nbytes", "open")]:
            factor, unit = units.get(operation, (1e3, "ms"))
            cells = [f"{row['best'] * factor:.3g} {unit}" for row in found[operation].values()]
            lines.append(f"| {file}: {operation} | {' | '.join(cells)} |")
    lines += ["", "| whole process | seconds |", "|---|---|"]
    lines += [f"| {name} | {seconds:.3f} |" for name, seconds in results["processes"].items()]
    return "\n".join(lines) + "\n"


def plot_ratios(results: dict[str, Any]) -> None:
    """How long each takes to open each file, as a multiple of llama.cpp."""
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(figsize=(9, 4), layout="constrained")
    files = list(results["files"])
    names = list(results["files"][files[0]]["open"])
    for i, name in enumerate(names):
        heights = [results["files"][file]["open"].get(name, {}).get("best", 0) * 1e3 for file in files]
        axes.bar([j + i * 0.8 / len(names) for j in range(len(files))], heights, 0.8 / len(names), label=name)
    axes.set_yscale("log")
    axes.set_ylabel("milliseconds to open")
    axes.set_xticks([j + 0.35 for j in range(len(files))], files, rotation=15)
    axes.legend()
    figure.savefig(RESULTS / "opening.svg", metadata={"Date": None})


def plot_scale(found: dict[str, Any]) -> None:
    """Time over size: straight lines on these axes are linear."""
    from matplotlib import pyplot as plt

    figure, pair = plt.subplots(1, 2, figsize=(9, 4), layout="constrained", sharey=True)
    for axes, kind in zip(pair, ("tensors", "strings"), strict=True):
        rows = found[kind]
        for name in rows[0]["seconds"]:
            axes.plot([row["count"] for row in rows], [row["seconds"][name] for row in rows], "o-", label=name)
        axes.set_xscale("log")
        axes.set_yscale("log")
        axes.set_xlabel(kind)
        axes.legend()
    pair[0].set_ylabel("seconds to open")
    figure.savefig(RESULTS / "opening-scale.svg", metadata={"Date": None})


if __name__ == "__main__":
    main()
