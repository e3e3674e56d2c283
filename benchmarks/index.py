"""Ways to find the items of a header: the index in C and in Python, handwritten code, and the generated classes."""

import gc
import struct
import tempfile
import tracemalloc
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kaitai_gguf_schema.gguf import Gguf

import kaitai_gguf
from benchmarks import models
from benchmarks.harness import Contender, Ratio, Table, clock, contest, timed
from kaitai_gguf.schema import Reader
from kaitai_gguf.schema.scanner import CompiledScanner, PythonScanner, Scanner

ROUNDS = 15
HUGE = 10_000_000  # bytes: for larger files, the classes take a minute and gigabytes
PYTHON = PythonScanner()
SIZES = {0: 1, 1: 1, 2: 2, 3: 2, 4: 4, 5: 4, 6: 4, 7: 1, 10: 8, 11: 8, 12: 8}
STRING, ARRAY = 8, 9

Result = tuple[list[bytes], int]  # the keys, and the end of the header


def run(given: Path | None) -> list[Table]:
    times, memory = {}, {}
    with tempfile.TemporaryDirectory() as scratch:
        for path in models.collect(Path(scratch), given):
            data = path.read_bytes()
            if len(data) < HUGE:
                print(f"  {path.name}", flush=True)
                actions = {name: partial(find, data) for name, find in CONTENDERS.items()}
                times[path.stem] = contest({name: whole(each) for name, each in actions.items()}, ROUNDS)
                times[path.stem]["one value"] = contest({"one value": reading(data)}, ROUNDS)["one value"]
                memory[path.stem] = {name: peak(each) / len(data) for name, each in actions.items()}
    text = """
        The file is in memory, and all keys, all tensor infos and the end of the header are found. First, all were
        checked to find the same. The reader written by hand has 50 lines of Python, knows version 3 in little-endian
        files only, and checks nothing. `one value` is a number or string of an open file, read by its key, on
        average."""
    ratios = [Ratio(f"{name} ÷ index in Python", name, IN_PYTHON) for name in CONTENDERS if name != IN_PYTHON]
    return [
        Table("Finding the items of a header", text, times, ratios, plot="times", first="file"),
        Table("Memory to find them", "The peak, as a multiple of the size of the file.", memory, first="file"),
    ]


def whole(action: Callable[[], Result]) -> Contender:
    return timed(action, of=lambda result: result)


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
    """Step through the header with `struct`, without any checks."""
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
    """Return the end of a value."""
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


IN_PYTHON = "index in Python"
CONTENDERS: dict[str, Callable[[bytes], Result]] = {
    "index in C": partial(by_index, scanner=CompiledScanner(PYTHON)),
    IN_PYTHON: partial(by_index, scanner=PYTHON),
    "by hand": by_hand,
    "classes": by_classes,
}


def peak(action: Callable[[], Result]) -> int:
    """Return the peak of allocated memory in bytes."""
    gc.collect()
    tracemalloc.start()
    action()
    _, most = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return most


def reading(data: bytes) -> Contender:
    """Time looking up a number or string of an open file by key: the mean over all keys."""
    model = kaitai_gguf.open(data)
    keys = [key for key in model.metadata if model.metadata.entry(key).element_type is None]
    return Contender(lambda: clock(lambda: [model.metadata[key] for key in keys]) / len(keys), None)
