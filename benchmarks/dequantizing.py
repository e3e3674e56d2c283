"""Dequantizing a 4096 × 4096 tensor of each type, beside gguf-py, in turn within one process.

    make bench-dequantize

Writes benchmarks/results/dequantizing.json and .md. Ratios are gguf-py's time over ours: more is better. Peak memory is
what is taken over input and output, by tracemalloc, which knows of numpy's arrays.
"""

import json
import timeit
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np

import kaitai_gguf
from kaitai_gguf import GGMLType

RESULTS = Path(__file__).parent / "results"
GOLDEN = Path(__file__).parents[1] / "tests" / "data" / "golden"
SIDE = 4096
ROUNDS = 7


def main() -> None:
    results = {}
    for type in GGMLType:
        raw = blocks_of(type)
        if raw is None:
            continue
        results[type.name] = row = measure(type, raw)
        print(type.name, {key: f"{value:.3g}" for key, value in row.items()}, flush=True)
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "dequantizing.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "dequantizing.md").write_text(markdown(results))


def blocks_of(type: GGMLType) -> np.ndarray[Any, Any] | None:
    """Rows that ggml quantized, over and over."""
    path = GOLDEN / f"{type.name}.npz"
    if not path.exists():
        return None
    rows = np.load(path)["raw"][:4]
    return np.ascontiguousarray(np.tile(rows, (SIDE // 4, SIDE // 1024)))


def measure(type: GGMLType, raw: np.ndarray[Any, Any]) -> dict[str, float]:
    contenders: dict[str, Callable[[], Any]] = {
        "one thread": lambda: kaitai_gguf.dequantize(raw, type, threads=1),
        "two threads": lambda: kaitai_gguf.dequantize(raw, type, threads=2),
    }
    try:
        theirs = gguf.GGMLQuantizationType(type)
        gguf.quants.dequantize(raw[:1], theirs)
        contenders["gguf-py"] = lambda: gguf.quants.dequantize(raw, theirs)
    except (NotImplementedError, ValueError, KeyError):
        pass  # it doesn't know how
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        for name, action in contenders.items():
            times[name].append(timeit.Timer(action).timeit(number=1))
    return {name: min(row) for name, row in times.items()} | {"peak MB": peak(type, raw)}


def peak(type: GGMLType, raw: np.ndarray[Any, Any]) -> float:
    tracemalloc.start()
    result = kaitai_gguf.dequantize(raw, type, threads=2)
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (highest - result.nbytes) / 1e6


def markdown(results: dict[str, dict[str, float]]) -> str:
    lines = ["| type | one thread | two threads | Melem/s, one thread | MB more |", "|---|---|---|---|---|"]
    for name, row in results.items():
        ratios = [
            f"{row['gguf-py'] / row[key]:.2f} ×" if "gguf-py" in row else "" for key in ("one thread", "two threads")
        ]
        speed = SIDE * SIDE / row["one thread"] / 1e6
        lines.append(f"| {name} | {ratios[0]} | {ratios[1]} | {speed:.0f} | {row['peak MB']:.1f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
