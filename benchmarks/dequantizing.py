"""Dequantizing a 4096 × 4096 tensor of each type, beside gguf-py and ggml's C, in turn within one process.

    make bench-dequantize

Writes benchmarks/results/dequantizing.json and .md. Ratios are gguf-py's time over ours: more is better. "numpy" is
what the package does where it was built without a C compiler. ggml's C fills new memory on one thread, as all do; its
library is that of llama-cpp-python, or the one that KAITAI_GGUF_LIBGGML names. Peak memory is what is taken over input
and output, by tracemalloc, which knows of numpy's arrays.
"""

import ctypes
import importlib
import importlib.util
import json
import os
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

compiled = importlib.import_module("kaitai_gguf.dequantize.compiled")


def main() -> None:
    results = {}
    library = ggml()
    for type in GGMLType:
        raw = blocks_of(type)
        if raw is None:
            continue
        results[type.name] = row = measure(type, raw, library)
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


def ggml() -> ctypes.CDLL | None:
    path = os.environ.get("KAITAI_GGUF_LIBGGML")
    spec = importlib.util.find_spec("llama_cpp")
    folders = list(spec.submodule_search_locations or []) if spec else []
    found = [path] if path else [str(file) for each in folders for file in Path(each, "lib").glob("*ggml-base*")]
    return ctypes.CDLL(found[0]) if found else None


def in_c(library: ctypes.CDLL | None, type: GGMLType, raw: np.ndarray[Any, Any]) -> Callable[[], Any] | None:
    """ggml's function for the type, if it has one."""
    name = type.name[:-1].lower() + "K" if type.name.endswith("_K") else type.name.lower()
    names = {"F16": "ggml_fp16_to_fp32_row", "BF16": "ggml_bf16_to_fp32_row"}
    function = getattr(library, names.get(type.name, f"dequantize_row_{name}"), None)
    if function is None:
        return None
    function.restype = None

    def action() -> Any:
        out = np.empty((SIDE, SIDE), np.float32)
        function(raw.ctypes, out.ctypes, ctypes.c_int64(out.size))
        return out

    return action


def with_numpy(action: Callable[[], Any]) -> Callable[[], Any]:
    def without_what_is_compiled() -> Any:
        kernels, compiled.KERNELS = compiled.KERNELS, None
        try:
            return action()
        finally:
            compiled.KERNELS = kernels

    return without_what_is_compiled


def measure(type: GGMLType, raw: np.ndarray[Any, Any], library: ctypes.CDLL | None) -> dict[str, float]:
    one, two = (lambda n=n: kaitai_gguf.dequantize(raw, type, threads=n) for n in (1, 2))
    contenders: dict[str, Callable[[], Any]] = {"numpy, one thread": with_numpy(one), "numpy, two": with_numpy(two)}
    if compiled.KERNELS:
        contenders |= {"one thread": one, "two threads": two}
    try:
        theirs = gguf.GGMLQuantizationType(type)
        gguf.quants.dequantize(raw[:1], theirs)
        contenders["gguf-py"] = lambda: gguf.quants.dequantize(raw, theirs)
    except (NotImplementedError, ValueError, KeyError):
        pass  # it doesn't know how
    function = in_c(library, type, raw)
    if function:
        contenders["ggml"] = function
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
    heads = ["type", "one thread", "two threads", "numpy, one", "numpy, two", "Melem/s, one", "ggml's C", "MB more"]
    lines = [f"| {' | '.join(heads)} |", "|---" * len(heads) + "|"]
    for name, row in results.items():
        keys = ("one thread", "two threads", "numpy, one thread", "numpy, two")
        ratios = [f"{row['gguf-py'] / row[key]:.2f} ×" if {"gguf-py", key} <= set(row) else "" for key in keys]
        speeds = [f"{SIDE * SIDE / row[key] / 1e6:.0f}" if key in row else "" for key in ("one thread", "ggml")]
        lines.append(f"| {' | '.join([name, *ratios, *speeds])} | {row['peak MB']:.1f} |")
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
