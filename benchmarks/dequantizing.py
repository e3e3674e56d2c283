"""Dequantizing a 4096 × 4096 tensor of each type, compared with ggml's C and gguf-py, in one process."""

import ctypes
import importlib
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gguf
import numpy as np

import kaitai_gguf
from benchmarks import ggml
from benchmarks.harness import Contender, Ratio, Table, contest, timed
from kaitai_gguf import GGMLType

GOLDEN = Path(__file__).parents[1] / "tests" / "data" / "golden"
SIDE = 4096
ROUNDS = 9
OURS = "kaitai_gguf"
NUMPY = "numpy alone"

compiled = importlib.import_module("kaitai_gguf.dequantize.compiled")


def run(_: Path | None) -> list[Table]:
    libraries = {"ggml": loaded("portable"), "ggml native": loaded("native")}
    times, memory = {}, {}
    for type in GGMLType:
        raw = blocks_of(type)
        if raw is not None:
            print(f"  {type.name}", flush=True)
            times[type.name] = contest(contenders(type, raw, libraries), ROUNDS)
            memory[type.name] = {"MB": peak(type, raw)}
    ratios = [Ratio(f"{name} ÷ ours", name, OURS) for name in ("ggml", "ggml native", "gguf-py")]
    ratios += [Ratio("1 thread ÷ 2", OURS, "2 threads")]
    ratios += [Ratio("gguf-py ÷ numpy alone", "gguf-py", NUMPY), Ratio("gguf-py ÷ numpy, 2", "gguf-py", f"{NUMPY}, 2")]
    most = max(memory, key=lambda name: memory[name]["MB"])
    text = f"""
        {SIDE} × {SIDE} elements, quantized by ggml, into new memory, on one thread unless stated. More is faster here.
        Before that, all had the same numbers bit for bit. `ggml` was built with `-O3` for any processor of this kind,
        as `GGML_NATIVE=OFF` does, and so was kaitai_gguf; `ggml native` was built with `-march=native`. `numpy alone`
        is kaitai_gguf where it was built without a C compiler. It took at most {memory[most]["MB"]:.1f} MB of memory
        more than input and output, for {most} on two threads."""
    return [Table("Dequantizing", text, times, ratios, plot="ratios", first="type")]


def loaded(name: str) -> ctypes.CDLL | None:
    path = ggml.library(name)
    if path is None:
        print(f"left out: ggml, {name} (see benchmarks/ggml.py)", flush=True)
    return ctypes.CDLL(str(path)) if path else None


def blocks_of(type: GGMLType) -> np.ndarray[Any, Any] | None:
    """Return rows that ggml quantized, repeated to fill the tensor."""
    path = GOLDEN / f"{type.name}.npz"
    if not path.exists():
        return None
    rows = np.load(path)["raw"][:4]
    return np.ascontiguousarray(np.tile(rows, (SIDE // 4, SIDE // 1024)))


def contenders(
    type: GGMLType, raw: np.ndarray[Any, Any], libraries: dict[str, ctypes.CDLL | None]
) -> dict[str, Contender]:
    one, two = (lambda n=n: kaitai_gguf.dequantize(raw, type, threads=n) for n in (1, 2))
    actions = {OURS: one, "2 threads": two, NUMPY: with_numpy(one), f"{NUMPY}, 2": with_numpy(two)}
    if not compiled.KERNELS:
        print("left out: the compiled kernels, which this installation does not have", flush=True)
        actions = {name: action for name, action in actions.items() if name.startswith(NUMPY)}
    for name, library in libraries.items():
        function = in_c(library, type, raw)
        if function:
            actions[name] = function
    try:
        theirs = gguf.GGMLQuantizationType(type)
        gguf.quants.dequantize(raw[:1], theirs)
        actions["gguf-py"] = lambda: gguf.quants.dequantize(raw, theirs)
    except (NotImplementedError, ValueError, KeyError):
        pass  # gguf-py does not have this type
    return {name: timed(action) for name, action in actions.items()}


def in_c(library: ctypes.CDLL | None, type: GGMLType, raw: np.ndarray[Any, Any]) -> Callable[[], Any] | None:
    """Return a call of ggml's function for the type, or None if there is none."""
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


def peak(type: GGMLType, raw: np.ndarray[Any, Any]) -> float:
    """Return the peak memory in MB beyond input and output. tracemalloc counts numpy's arrays."""
    tracemalloc.start()
    result = kaitai_gguf.dequantize(raw, type, threads=2)
    _, highest = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return (highest - result.nbytes) / 1e6
