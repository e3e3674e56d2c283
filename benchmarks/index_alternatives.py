"""Compares ways to find the items of a GGUF header: python benchmarks/index_alternatives.py FILE...

The contenders are the index in C and in Python, a short reader written by hand, and the classes that Kaitai Struct's
compiler generates. All must find the same end of the header and the same keys before they are timed. The times are the
best of alternating rounds, as multiples of the index in Python. Files must be of version 3 and little-endian, because
the reader by hand knows nothing else.
"""

import gc
import struct
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
from kaitai_gguf_schema.gguf import Gguf

import kaitai_gguf
from kaitai_gguf.schema import Reader
from kaitai_gguf.schema.scanner import CompiledScanner, PythonScanner, Scanner

ROUNDS, SLOW_ROUNDS = 15, 2
PYTHON = PythonScanner()
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
STRING, ARRAY = 8, 9

Result = tuple[list[bytes], int]  # the keys, and the end of the header


def by_index(data: bytes, scanner: Scanner) -> Result:
    reader = Reader(data, scanner)
    keys = reader.key_values()
    reader.tensor_infos()
    spans = zip(keys.key_start.tolist(), keys.key_end.tolist(), strict=True)
    return [data[start:end] for start, end in spans], reader.end


def by_classes(data: bytes) -> Result:
    gguf = Gguf.from_bytes(data)
    keys = [item.key.data for item in gguf.body.metadata]
    return keys, gguf._io.pos()


def by_hand(data: bytes) -> Result:
    """Step over the header with `struct`, and check nothing."""
    num_tensors, num_metadata = struct.unpack_from("<QQ", data, 8)
    position = 24
    keys = {}
    for _ in range(num_metadata):
        (size,) = struct.unpack_from("<Q", data, position)
        key = data[position + 8 : position + 8 + size]
        position += 8 + size
        (type,) = struct.unpack_from("<I", data, position)
        keys[key] = type, position + 4
        position = after_value(data, type, position + 4)
    tensors = {}
    for _ in range(num_tensors):
        (size,) = struct.unpack_from("<Q", data, position)
        name = data[position + 8 : position + 8 + size]
        position += 8 + size
        (num_dims,) = struct.unpack_from("<I", data, position)
        tensors[name] = struct.unpack_from(f"<{num_dims}QIQ", data, position + 4)
        position += 16 + 8 * num_dims
    return list(keys), position


def after_value(data: bytes, type: int, position: int) -> int:
    """Return where a value ends."""
    if type == STRING:
        return position + 8 + int(struct.unpack_from("<Q", data, position)[0])
    if type != ARRAY:
        return position + SIZES[type]
    element_type, count = struct.unpack_from("<IQ", data, position)
    position += 12
    if element_type in SIZES:
        return position + int(count) * SIZES[element_type]
    if element_type == ARRAY:
        for _ in range(count):
            position = after_value(data, ARRAY, position)
        return position
    length = struct.Struct("<Q").unpack_from
    for _ in range(count):
        position += 8 + length(data, position)[0]
    return position


CONTENDERS: dict[str, Callable[[bytes], Result]] = {
    "index in C": lambda data: by_index(data, CompiledScanner(PYTHON)),
    "index in Python": lambda data: by_index(data, PYTHON),
    "written by hand": by_hand,
    "generated classes": by_classes,
}


def compare(name: str, data: bytes) -> None:
    """Print a table of one file."""
    results = {label: contender(data) for label, contender in CONTENDERS.items()}
    assert all(result == results["index in Python"] for result in results.values()), name
    times: dict[str, list[float]] = {label: [] for label in CONTENDERS}
    for turn in range(ROUNDS):
        for label, contender in CONTENDERS.items():
            if turn < SLOW_ROUNDS or label != "generated classes":
                start = time.perf_counter()
                contender(data)
                times[label].append(time.perf_counter() - start)
    best = {label: min(each) for label, each in times.items()}
    print(f"\n{name}, {len(data):,} bytes")
    for label, seconds in best.items():
        ratio, memory = seconds / best["index in Python"], peak(CONTENDERS[label], data) / len(data)
        print(f"  {label:20}{seconds * 1e3:10.2f} ms{ratio:10.2f} ×{memory:8.2f} bytes of memory for each of the file")
    scalar = one_scalar(data)
    print(f"  a scalar of an open file takes {scalar * 1e6:.1f} µs, {scalar / best['index in C']:.4f} × the index in C")


def peak(contender: Callable[[bytes], Result], data: bytes) -> int:
    gc.collect()
    tracemalloc.start()
    contender(data)
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def one_scalar(data: bytes) -> float:
    """Return how long it takes to read a number or string by its key once the file is open."""
    model = kaitai_gguf.open(data)
    keys = [key for key in model.metadata if model.metadata.entry(key).element_type is None]
    rounds = []
    for _ in range(ROUNDS):
        start = time.perf_counter()
        for key in keys:
            model.metadata[key]
        rounds.append((time.perf_counter() - start) / len(keys))
    return min(rounds)


def many_tensors(count: int) -> bytes:
    """Return a file of small tensors."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "tensors.gguf"
        row = np.zeros(32, np.float32)
        tensors = {f"blk.{i // 10}.ffn_{i % 10}.weight": row for i in range(count)}
        kaitai_gguf.write(path, {"general.architecture": "llama"}, tensors)
        return path.read_bytes()


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        compare(Path(argument).name, Path(argument).read_bytes())
    compare("10,000 tensors", many_tensors(10_000))
