"""Creating a file of 1 GB, beside gguf-py and `cp`, and changing a header of 10 GB, in turn and in the same folder.

    make bench-writing

Writes benchmarks/results/writing.json and .md. `Writer` makes sure that a file is on the disk before it gets its name;
gguf-py and `cp` leave that to the system. So each is measured both ways: `Writer` alone, with a file object of ours
that is not synced, and the others with a `sync` of the file as well. The times are the best of some rounds.

What a change of a header takes is given with what it takes to open the file: the header's own time. Peak memory is what
a process gets to have more than when it had imported the package, what it touched of files included.
"""

import json
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import gguf
import numpy as np

import kaitai_gguf
from kaitai_gguf import GGMLType, Writer

RESULTS = Path(__file__).parent / "results"
TENSORS, SHAPE = 200, (625, 4096)  # of F16: 1.02 GB
HUGE = 10 << 30
ROUNDS = 11

MEMORY = """
import re, sys
import numpy as np
import kaitai_gguf
from kaitai_gguf import GGMLType, Writer
def peak():  # of this program; getrusage() knows that of the one that started it, if it was more
    return int(re.search(r"VmHWM:\\s+(\\d+)", open("/proc/self/status").read())[1])

array = np.ones((625, 4096), np.float16)  # 5 MB
before = peak()
exec(sys.argv[1])
print((peak() - before) / 1024)
"""

ACTIONS = {
    "create 1 GB": """
with Writer("out.gguf") as writer:
    for number in range(200):
        writer.add_tensor(f"blk.{number}.weight", array.shape, GGMLType.F16)
    for number in range(200):
        writer.write_tensor(f"blk.{number}.weight", array)
""",
    "write 1 GB from another file": """
with kaitai_gguf.open("model.gguf") as model:
    kaitai_gguf.write("out.gguf", model.metadata, model.tensors)
""",
    "change a header of 10 GB": """
with kaitai_gguf.edit("huge.gguf") as editor:
    editor.metadata["x"] = "two"
    editor.commit()
""",
    "replace a file of 1 GB": """
with kaitai_gguf.edit("model.gguf") as editor:
    editor.metadata["x"] = "long" * 100
    editor.commit()
""",
}


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        os.chdir(folder)
        results = {"seconds": creating(), "header": header()}
        write_ours("model.gguf")
        results["peak MB"] = {name: peak(action) for name, action in ACTIONS.items()}
        os.chdir("/")
    print(json.dumps(results, indent=1))
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "writing.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "writing.md").write_text(markdown(results))


def creating() -> dict[str, float]:
    write_ours("model.gguf")
    contenders: dict[str, Callable[[], object]] = {
        "Writer": write_unsynced,
        "gguf-py": write_theirs,
        "cp": lambda: subprocess.run(["cp", "model.gguf", "out.gguf"], check=True),
        "Writer, synced": lambda: write_ours("out.gguf"),
        "gguf-py, synced": lambda: (write_theirs(), sync()),
        "cp, synced": lambda: (subprocess.run(["cp", "model.gguf", "out.gguf"], check=True), sync()),
    }
    times: dict[str, list[float]] = {name: [] for name in contenders}
    for _ in range(ROUNDS):
        # In another order each time: what comes first after the largest is slower, whatever it is.
        for name, action in random.sample(list(contenders.items()), len(contenders)):
            os.sync()  # what was written before is not to be paid for now
            start = time.perf_counter()
            action()
            times[name].append(time.perf_counter() - start)
            Path("out.gguf").unlink()
    return {name: min(row) for name, row in times.items()}


ARRAY = np.random.default_rng(0).standard_normal(SHAPE).astype(np.float16)


def fill(writer: Writer) -> None:
    writer.metadata["general.architecture"] = "llama"
    for number in range(TENSORS):
        writer.add_tensor(f"blk.{number}.weight", SHAPE, GGMLType.F16)
    for number in range(TENSORS):
        writer.write_tensor(f"blk.{number}.weight", ARRAY)


def write_ours(path: str) -> None:
    with Writer(path) as writer:
        fill(writer)


def write_unsynced() -> None:
    with Path("out.gguf").open("wb") as file, Writer(file) as writer:
        fill(writer)


def write_theirs() -> None:
    writer = gguf.GGUFWriter("out.gguf", "llama")
    for number in range(TENSORS):
        writer.add_tensor(f"blk.{number}.weight", ARRAY)
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()


def sync() -> None:
    with Path("out.gguf").open("rb") as file:
        os.fsync(file.fileno())


def header() -> dict[str, float]:
    """Milliseconds, to open a sparse file and to change its header where it is."""
    with Path("huge.gguf").open("wb") as file:
        writer = Writer(file)
        writer.metadata["x"] = "one"
        writer.add_tensor("t", (HUGE,), GGMLType.I8)
        with suppress(kaitai_gguf.WriteError):  # all of the data is a hole
            writer.write_tensor("t", [])
        file.truncate(file.tell() + HUGE)
    opening, changing = [], []
    for number in range(4 * ROUNDS):
        start = time.perf_counter()
        kaitai_gguf.open("huge.gguf").close()
        opening.append(time.perf_counter() - start)
        start = time.perf_counter()
        with kaitai_gguf.edit("huge.gguf") as editor:
            editor.metadata["x"] = ("two", "one")[number % 2]
            assert editor.fits
            editor.commit()
        changing.append(time.perf_counter() - start)
    return {"open, ms": 1e3 * min(opening), "change, ms": 1e3 * sorted(changing)[len(changing) // 2]}


def peak(action: str) -> float:
    done = subprocess.run([sys.executable, "-c", MEMORY, action], capture_output=True, check=True)
    return float(done.stdout)


def markdown(results: dict[str, dict[str, float]]) -> str:
    seconds, ms = results["seconds"], results["header"]
    lines = ["| 1.02 GB of F16 in 200 tensors | seconds | GB/s |", "|---|---|---|"]
    lines += [f"| {name} | {taken:.2f} | {1.024 / taken:.2f} |" for name, taken in seconds.items()]
    lines += ["", "| ratio | |", "|---|---|"]
    for suffix in ("", ", synced"):
        ours = seconds[f"Writer{suffix}"]
        lines.append(f"| speed of gguf-py's writer{suffix} | {seconds[f'gguf-py{suffix}'] / ours:.2f} × |")
        lines.append(f"| time of `cp`{suffix} | {ours / seconds[f'cp{suffix}']:.2f} × |")
    lines += ["", "| header of a sparse file of 10 GB | ms |", "|---|---|"]
    lines += [f"| {name.removesuffix(', ms')} | {taken:.1f} |" for name, taken in ms.items()]
    lines += ["", "| peak memory over that of the package | MB |", "|---|---|"]
    lines += [f"| {name} | {taken:.1f} |" for name, taken in results["peak MB"].items()]
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
