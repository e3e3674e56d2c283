"""Whole commands on a file of 1 GB, beside `cp`, in turn, in the same folder.

    make bench-converting

Writes benchmarks/results/converting.json and .md. The commands make sure that what they wrote is on the disk, and read
it back, before it gets its name; so they are held against `cp` and `sync` of that file. Ratios are their time over
that: less is better. Peak memory is that of the process, what it touched of files included, over that of `--version`.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

import kaitai_gguf
from kaitai_gguf import GGMLType, Writer
from kaitai_gguf.types import block_size, type_size

RESULTS = Path(__file__).parent / "results"
NBYTES = 1_000_000_000
TENSORS, ROW = 200, 4096
ROUNDS = 5
TYPES = [GGMLType.F16, GGMLType.Q4_K]
COMMAND = [sys.executable, "-m", "kaitai_gguf"]

WRITERS = {
    "convert-endian": ["convert-endian", "model.gguf", "--output", "out.gguf"],
    "convert": ["convert", "model.gguf", "--version", "2", "--output", "out.gguf"],
    "copy": ["copy", "model.gguf", "--output", "out.gguf"],
    "split": ["split", "model.gguf", "--max-size", "300M", "--output", "out"],
    "merge": ["merge", "part-00001-of-00004.gguf", "--output", "out.gguf"],
}
READERS = {
    "hash xxh3": ["hash", "model.gguf", "--algorithm", "xxh3", "--only", "tensors"],
    "hash sha256": ["hash", "model.gguf", "--only", "tensors"],
    "hash sha256, one thread": ["hash", "model.gguf", "--only", "file"],
    "diff": ["diff", "model.gguf", "copy.gguf"],
}

STOPWATCH = """
import resource, subprocess, sys, time
start = time.perf_counter()
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
taken = time.perf_counter() - start
print(taken, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


def main() -> None:
    results = {}
    for type in TYPES:
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            nbytes = make(type)
            results[type.name] = row = measure() | {"bytes": nbytes}
            print(type.name, json.dumps(row), flush=True)
            os.chdir("/")
    RESULTS.mkdir(exist_ok=True)
    (RESULTS / "converting.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "converting.md").write_text(markdown(results))


def make(type: GGMLType) -> int:
    row_bytes = ROW // block_size(type) * type_size(type)
    rows = NBYTES // TENSORS // row_bytes
    data = np.random.default_rng(0).integers(0, 256, (rows, row_bytes), np.uint8).data
    with Writer("model.gguf") as writer:
        writer.metadata["general.architecture"] = "llama"
        for number in range(TENSORS):
            writer.add_tensor(f"blk.{number}.weight", (rows, ROW), type)
        for number in range(TENSORS):
            writer.write_tensor(f"blk.{number}.weight", data)
    shutil.copy("model.gguf", "copy.gguf")
    with kaitai_gguf.open("model.gguf") as model:
        kaitai_gguf.split(model, "part", max_nbytes=300_000_000)
        return model.nbytes


def measure() -> dict[str, dict[str, float]]:
    times: dict[str, list[float]] = {}
    peaks: dict[str, float] = {}
    for _ in range(ROUNDS):
        times.setdefault("--version", []).append(run([*COMMAND, "--version"], peaks, "--version"))
        times.setdefault("cp", []).append(run(["cp", "model.gguf", "out.gguf"], peaks, "cp"))
        clean()
        times.setdefault("cp, sync", []).append(
            run(["sh", "-c", "cp model.gguf out.gguf && sync out.gguf"], peaks, "cp, sync")
        )
        clean()
        for name, words in (WRITERS | READERS).items():
            times.setdefault(name, []).append(run([*COMMAND, *words], peaks, name))
            clean()
    return {name: {"seconds": min(row), "peak MB": peaks[name] - peaks["--version"]} for name, row in times.items()}


def run(words: list[str], peaks: dict[str, float], name: str) -> float:
    """Seconds; from a small process, since a new one starts with the memory of the one that starts it."""
    done = subprocess.run([sys.executable, "-S", "-c", STOPWATCH, *words], capture_output=True, check=True)
    taken, peak = done.stdout.split()
    peaks[name] = max(peaks.get(name, 0), int(peak) / 1024)
    return float(taken)


def clean() -> None:
    for path in Path().glob("out*"):
        path.unlink()
    os.sync()  # nobody's writing is to be charged to the next one


def markdown(results: dict[str, dict[str, dict[str, float]]]) -> str:
    lines = []
    for type, row in results.items():
        size = row["bytes"]
        lines += [f"{type}, {size / 1e9:.2f} GB in {TENSORS} tensors", ""]  # type: ignore[operator]
        lines += ["| | seconds | of cp, sync | of cp | GB/s | MB more |", "|---|---|---|---|---|---|"]
        for name, found in row.items():
            if name == "bytes":
                continue
            seconds = found["seconds"]
            is_writer = name in WRITERS or name.startswith("cp")
            ratios = [f"{seconds / row[other]['seconds']:.2f}" if is_writer else "" for other in ("cp, sync", "cp")]
            speed = (
                ""
                if is_writer or name == "--version"
                else f"{size / (seconds - row['--version']['seconds']) / 1e9:.1f}"
            )
            more = "" if name.startswith("cp") else f"{found['peak MB']:.0f}"
            lines.append(f"| {name} | {seconds:.2f} | {ratios[0]} | {ratios[1]} | {speed} | {more} |")
        lines.append("")
    return "\n".join([*lines, "GB/s are without the time that `--version` takes, which is Python's start.", ""])


if __name__ == "__main__":
    main()
