"""Dequantizing a 4096 × 4096 tensor of each type, compared with ggml's C and gguf-py, in one process."""

import ctypes
import importlib
import tracemalloc
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import gguf
import numpy as np

import kaitai_gguf
from benchmarks import ggml
from benchmarks.harness import Contender, Ratio, Table, contest, timed, yardstick
from kaitai_gguf import GGMLType

GOLDEN = Path(__file__).parents[1] / "tests" / "data" / "golden"
SIDE = 4096
SHARED_SIDE = 8192  # of what two threads share
CACHED_SIDE = 1024  # of tensors that fit the cache
CACHED_TENSORS = 64
ROUNDS = 25
OURS = "kaitai_gguf"
NUMPY = "numpy alone"
CACHED = f"{OURS}, cached"
SHARED = (CACHED, "roots", f"{OURS}, new", "fill, new", f"{OURS}, out", "fill, out")  # work for one thread or two
ROOTS = 1024  # how often they are computed: takes about as long as dequantizing

RUNNING = ThreadPoolExecutor(2)  # threads that need not be started

compiled = importlib.import_module("kaitai_gguf.dequantize.compiled")


def run(_: Path | None) -> list[Table]:
    libraries = {"ggml": loaded("portable"), "ggml native": loaded("native")}
    times, threads, memory = {}, {}, {}
    for type in GGMLType:
        raw = blocks_of(type, SIDE)
        if raw is not None:
            print(f"  {type.name}", flush=True)
            times[type.name] = contest(contenders(type, raw, libraries), ROUNDS)
            if compiled.KERNELS:
                threads[type.name] = contest(on_threads(type, blocks_of(type, SHARED_SIDE)), ROUNDS)
            memory[type.name] = {"MB": peak(type, raw)}
    ratios = [Ratio(f"{name} ÷ ours", name, OURS) for name in ("ggml", "ggml native", "gguf-py")]
    ratios += [Ratio("ggml ÷ ours, out", "ggml, out", f"{OURS}, out")]
    ratios += [Ratio("gguf-py ÷ numpy alone", "gguf-py", NUMPY), Ratio("gguf-py ÷ numpy, 2", "gguf-py", f"{NUMPY}, 2")]
    most = max(memory, key=lambda name: memory[name]["MB"])
    text = f"""
        {SIDE} × {SIDE} elements, quantized by ggml, on one thread unless stated. New memory is filled, which the system
        clears first: for ggml it comes from `numpy.empty`; kaitai_gguf aligns its results to huge pages, which the
        system clears faster. `out` is memory that is used again. More is faster here. First, all were checked to give
        the same numbers bit for bit. `ggml` was built with `-O3` for any processor of this kind, as `GGML_NATIVE=OFF`
        does, and so was kaitai_gguf, of which GCC also builds a version for AVX2 that is selected at run time;
        `ggml native` was built with `-march=native`. `numpy alone` is kaitai_gguf where it was built without a C
        compiler. It took at most {memory[most]["MB"]:.1f} MB of memory more than input and output,
        for {most} on two threads."""
    tables = [Table("Dequantizing", text, times, ratios, plot="ratios", first="type")]
    return [*tables, table_of_threads(threads)] if threads else tables


def table_of_threads(times: dict[str, dict[str, Any]]) -> Table:
    text = f"""
        `cached` is {CACHED_TENSORS} tensors of {CACHED_SIDE} × {CACHED_SIDE} elements, one after the other or half of
        them on each thread, each thread with an `out` that stays in the cache. The others are one tensor of
        {SHARED_SIDE} × {SHARED_SIDE} elements, into new memory, which the system fills with zeros first, and into an
        array that is used again (`out`): there, the memory limits what two threads can gain. So each row also has the
        time that numpy takes to fill as much memory with a number, and to compute square roots in the cache (`roots`),
        both by halves. The threads are already running, except for those of `new` and `out`."""
    ratios = [Ratio(f"{what}: 1 ÷ 2", f"{what}, 1", f"{what}, 2") for what in SHARED]
    return Table("Dequantizing on two threads", text, times, ratios, first="type")


def loaded(name: str) -> ctypes.CDLL | None:
    path = ggml.library(name)
    if path is None:
        print(f"left out: ggml, {name} (see benchmarks/ggml.py)", flush=True)
    return ctypes.CDLL(str(path)) if path else None


def blocks_of(type: GGMLType, side: int) -> np.ndarray[Any, Any] | None:
    """Return rows that ggml quantized, repeated to fill a square tensor."""
    path = GOLDEN / f"{type.name}.npz"
    if not path.exists():
        return None
    rows = np.load(path)["raw"][:4]
    return np.ascontiguousarray(np.tile(rows, (side // 4, side // 1024)))


def contenders(
    type: GGMLType, raw: np.ndarray[Any, Any], libraries: dict[str, ctypes.CDLL | None]
) -> dict[str, Contender]:
    one, two = (lambda n=n: kaitai_gguf.dequantize(raw, type, threads=n) for n in (1, 2))
    again = np.zeros((SIDE, SIDE), np.float32)
    actions = {OURS: one, NUMPY: with_numpy(one), f"{NUMPY}, 2": with_numpy(two)}
    actions[f"{OURS}, out"] = lambda: kaitai_gguf.dequantize(raw, type, threads=1, out=again)
    if not compiled.KERNELS:
        print("left out: the compiled kernels, which this installation does not have", flush=True)
        actions = {name: action for name, action in actions.items() if name.startswith(NUMPY)}
    for name, library in libraries.items():
        function = in_c(library, type)
        if function:
            actions[name] = lambda f=function: f(raw, np.empty((SIDE, SIDE), np.float32))
            if name == "ggml":
                actions["ggml, out"] = lambda f=function: f(raw, again)
    try:
        theirs = gguf.GGMLQuantizationType(type)
        gguf.quants.dequantize(raw[:1], theirs)
        actions["gguf-py"] = lambda: gguf.quants.dequantize(raw, theirs)
    except (NotImplementedError, ValueError, KeyError):
        pass  # gguf-py does not have this type
    return {name: timed(action) for name, action in actions.items()}


def on_threads(type: GGMLType, raw: np.ndarray[Any, Any]) -> dict[str, Contender]:
    """One thread and two, into new memory and into memory that is used again, and beside that what numpy does."""
    again = np.zeros((SHARED_SIDE, SHARED_SIDE), np.float32)
    small = np.ones((2, 1 << 17), np.float32)
    cached = blocks_of(type, CACHED_SIDE)
    places = [(cached.copy(), np.zeros((CACHED_SIDE, CACHED_SIDE), np.float32)) for _ in range(2)]

    def fill(out: np.ndarray[Any, Any], threads: int) -> Any:
        share(lambda part: part.fill(1), np.split(out, threads))
        return out

    def dequantize_cached(threads: int) -> None:
        count = CACHED_TENSORS // threads
        share(
            lambda place: [kaitai_gguf.dequantize(place[0], type, threads=1, out=place[1]) for _ in range(count)],
            places[:threads],
        )

    def compute(part: np.ndarray[Any, Any], times: int) -> None:
        for _ in range(times):
            np.sqrt(part, out=part)

    result = {}
    for n in (1, 2):
        result[f"{OURS}, new, {n}"] = timed(lambda n=n: kaitai_gguf.dequantize(raw, type, threads=n))
        result[f"{OURS}, out, {n}"] = timed(lambda n=n: kaitai_gguf.dequantize(raw, type, threads=n, out=again))
        result[f"fill, new, {n}"] = yardstick(lambda n=n: fill(np.empty_like(again), n))
        result[f"fill, out, {n}"] = yardstick(lambda n=n: fill(again, n))
        result[f"{CACHED}, {n}"] = yardstick(lambda n=n: dequantize_cached(n))
        result[f"roots, {n}"] = yardstick(lambda n=n: share(lambda part: compute(part, ROOTS // n), small[:n]))
    return result


def share(work: Callable[[Any], None], parts: Any) -> None:
    if len(parts) == 1:
        work(parts[0])
    else:
        list(RUNNING.map(work, parts))


def in_c(library: ctypes.CDLL | None, type: GGMLType) -> Callable[..., Any] | None:
    """Return a call of ggml's function for the type, or None if there is none."""
    name = type.name[:-1].lower() + "K" if type.name.endswith("_K") else type.name.lower()
    names = {"F16": "ggml_fp16_to_fp32_row", "BF16": "ggml_bf16_to_fp32_row"}
    function = getattr(library, names.get(type.name, f"dequantize_row_{name}"), None)
    if function is None:
        return None
    function.restype = None

    def action(raw: np.ndarray[Any, Any], out: np.ndarray[Any, Any]) -> Any:
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
