"""Quantizing a tensor to each type, compared with ggml's C, in one process."""

import ctypes
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

import kaitai_gguf
from benchmarks import ggml
from benchmarks.harness import Ratio, Table, contest, timed
from kaitai_gguf import GGMLType
from kaitai_gguf.quantize.k_quants import BY_ROW, K_QUANTS
from kaitai_gguf.quantize.kernels import KERNELS

ROWS, COLUMNS = 1024, 4096
ROUNDS = 5
OURS, GGML = "kaitai_gguf", "ggml"


def run(_: Path | None) -> list[Table]:
    path = ggml.library("portable")
    library = ctypes.CDLL(str(path)) if path else None
    if library is None:
        print("left out: ggml (see benchmarks/ggml.py)", flush=True)
    random = np.random.default_rng(0)
    numbers = random.standard_normal((ROWS, COLUMNS), np.float32)
    imatrix = random.gamma(1, 1, COLUMNS).astype(np.float32)
    times = {}
    for type in KERNELS:
        if type is GGMLType.F32:
            continue
        for weights in (None, imatrix) if type in BY_ROW or type in K_QUANTS else (None,):
            name = type.name if weights is None else f"{type.name}, matrix"
            print(f"  {name}", flush=True)
            actions: dict[str, Callable[[], Any]] = {
                OURS: lambda t=type, w=weights: kaitai_gguf.quantize(numbers, t, imatrix=w, threads=1),
                f"{OURS}, 2": lambda t=type, w=weights: kaitai_gguf.quantize(numbers, t, imatrix=w, threads=2),
            }
            if library is not None:
                actions[GGML] = lambda t=type, w=weights: in_c(library, numbers, t, w)
            times[name] = contest({name: timed(action) for name, action in actions.items()}, ROUNDS)
    text = f"""
        {ROWS} × {COLUMNS} normally distributed float32 numbers, on one thread and on two; ggml on one. `matrix` is with
        an importance matrix. More is faster here. First, all were checked to give the same bytes. `ggml` was built with
        `-O3` for any processor of this kind, as `GGML_NATIVE=OFF` does; kaitai_gguf uses numpy."""
    ratios = [Ratio("ggml ÷ ours", GGML, OURS), Ratio("1 ÷ 2 threads", OURS, f"{OURS}, 2")]
    return [Table("Quantizing", text, times, ratios, first="type")]


def in_c(library: ctypes.CDLL, numbers: np.ndarray[Any, Any], type: GGMLType, imatrix: Any) -> np.ndarray[Any, Any]:
    out = np.empty((ROWS, kaitai_gguf.quantize(numbers[:1], type).shape[1]), np.uint8)
    rows, columns = map(ctypes.c_int64, numbers.shape)
    pointer = None if imatrix is None else imatrix.ctypes
    function = library.ggml_quantize_chunk
    function.restype = ctypes.c_size_t
    function(ctypes.c_int(type), numbers.ctypes, out.ctypes, ctypes.c_int64(0), rows, columns, pointer)
    return out
