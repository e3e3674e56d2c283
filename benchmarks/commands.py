"""Whole processes: importing the package, and running commands, compared with `import numpy` and `cp`."""

import os
import shutil
import subprocess
import sys
import tempfile
from contextlib import chdir
from functools import cache
from pathlib import Path
from typing import Any

import gguf
import numpy as np

import kaitai_gguf
from benchmarks import models
from benchmarks.harness import Contender, Ratio, Table, clean_output, clock, contest, digest, yardstick
from kaitai_gguf import GGMLType, Writer

NBYTES, TENSORS, ROW = 1_000_000_000, 200, 4096
ROUNDS = 5
COMMAND = [sys.executable, "-m", "kaitai_gguf"]
# Bytecode is cached, as for an installed package.
ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}

# Each command writes out*.gguf.
WRITERS = {
    "copy": ["copy", "model.gguf", "--output", "out.gguf"],
    "convert --version 2": ["convert", "model.gguf", "--version", "2", "--output", "out.gguf"],
    "convert-endian": ["convert-endian", "model.gguf", "--output", "out.gguf"],
    "convert --version 2 --verify": ["convert", "model.gguf", "--version", "2", "--verify", "--output", "out.gguf"],
    "split": ["split", "model.gguf", "--max-size", "300M", "--output", "out"],
    "merge": ["merge", "part-00001-of-00004.gguf", "--output", "out.gguf"],
}
READERS = {
    "hash --algorithm xxh3": ["hash", "model.gguf", "--algorithm", "xxh3", "--only", "tensors"],
    "hash": ["hash", "model.gguf", "--only", "tensors"],
    "hash --only file, on one thread": ["hash", "model.gguf", "--only", "file"],
    "diff": ["diff", "model.gguf", "copy.gguf"],
}
BASE = ["info", "model.gguf"]
"""A command that starts, and reads only the header: its time and memory are subtracted from those of others."""
PEAK = """
import resource, subprocess, sys
subprocess.run(sys.argv[1:], stdout=subprocess.DEVNULL, check=True)
print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""
VOCABULARY = [
    "info",
    "check",
    "explain",
    "explain --json",
    "explain --all --json",
    "dump --json",
]


def run(given: Path | None) -> list[Table]:
    with tempfile.TemporaryDirectory() as folder:
        vocabulary, *_ = models.collect(Path(folder), given)
        tables = [starting(vocabulary), on_vocabulary(vocabulary)]
    with tempfile.TemporaryDirectory() as folder, chdir(folder):
        make()
        return [*tables, writers(), readers()]


def starting(vocabulary: Path) -> Table:
    def python(code: str) -> Contender:
        return process([sys.executable, "-c", code])

    rows = {
        "import kaitai_gguf": contest(
            {"time": python("import kaitai_gguf"), "import numpy": python("import numpy")}, 3 * ROUNDS
        ),
        f"kaitai-gguf info {vocabulary.name}": contest(
            {"time": process([*COMMAND, "info", str(vocabulary)]), "import numpy": python("import numpy")}, 3 * ROUNDS
        ),
    }
    text = "Each runs in its own process, compared with `python -c 'import numpy'`."
    return Table("Starting", text, rows, [Ratio("÷ import numpy", "time", "import numpy")], first="process")


def on_vocabulary(vocabulary: Path) -> Table:
    rows = {}
    for words in VOCABULARY:
        print(f"  {words}", flush=True)
        command = [*COMMAND, *words.split(), str(vocabulary)]
        scanners = {"compiled": process(command, output="--all" not in words, KAITAI_GGUF_SCANNER="compiled")}
        if "--all" not in words:  # --all takes too long for a second scanner
            scanners["pure Python"] = process(command, output=True, KAITAI_GGUF_SCANNER="python")
        rows[f"kaitai-gguf {words}"] = contest(scanners, ROUNDS)
    size = vocabulary.stat().st_size / 1e6
    text = f"On {vocabulary.name}, {size:.1f} MB of header. First, both scanners were checked to give the same output."
    return Table("Commands on a large header", text, rows, first="command")


def writers() -> Table:
    cp = ["sh", "-c", "cp --reflink=never model.gguf out.gguf && sync out.gguf"]
    copied = Contender(lambda: clock(lambda: execute(cp)), cache(lambda: written(cp)))
    rows = {}
    for name, words in WRITERS.items():
        print(f"  {name}", flush=True)
        command = [*COMMAND, *words]
        if "--verify" in words and b"--verify" not in execute([*COMMAND, words[0], "--help"]):
            print(f"left out: {name}, which this version does not have", flush=True)
            continue
        contender = Contender(lambda: clock(lambda: execute(command)), lambda: written(command))  # noqa: B023
        rows[name] = contest({"time": contender, "cp and sync": copied}, ROUNDS, before=clean_output)
        rows[name]["MB"] = peak(words)
    text = f"""
        A file of {NBYTES / 1e9:.2f} GB with {TENSORS} tensors of F16. First, gguf-py was used to check that the output
        of each command has the same tensors as a copy made with `cp`. `cp and sync` is `cp --reflink=never` followed by
        `sync` of the copy, in turn with the command: the commands sync as well before a file gets its name. MB is peak
        memory beyond that of `info`, including pages of mapped files."""
    return Table(
        "Commands that write whole files", text, rows, [Ratio("÷ cp and sync", "time", "cp and sync")], first="command"
    )


def written(command: list[str]) -> dict[str, str]:
    """Return the digest of all names and numbers that gguf-py reads from the files that a command writes."""
    clean_output()
    execute(command)
    tensors = [tensor for path in sorted(Path().glob("out*.gguf")) for tensor in gguf.GGUFReader(path).tensors]
    return {"tensors": digest(*(part for each in tensors for part in (each.name, each.data.astype("<f2"))))}


def readers() -> Table:
    start = yardstick(lambda: execute([*COMMAND, *BASE]))
    rows = {}
    for name, words in READERS.items():
        print(f"  {name}", flush=True)
        rows[name] = contest({"time": process([*COMMAND, *words]), "info": start}, ROUNDS)
        seconds = rows[name]["time"]["min"] - rows[name]["info"]["min"]
        rows[name]["GB/s"] = NBYTES / 1e9 / seconds
        rows[name]["MB"] = peak(words)
    text = "On the same file, in the page cache. GB/s exclude the time of `info`."
    return Table("Commands that read whole files", text, rows, first="command")


def make() -> None:
    rows = NBYTES // TENSORS // ROW // 2
    data = np.random.default_rng(0).standard_normal((rows, ROW), np.float32).astype(np.float16)
    with Writer("model.gguf") as writer:
        writer.metadata["general.architecture"] = "llama"
        for number in range(TENSORS):
            writer.add_tensor(f"blk.{number}.weight", (rows, ROW), GGMLType.F16)
        for number in range(TENSORS):
            writer.write_tensor(f"blk.{number}.weight", data)
    shutil.copy("model.gguf", "copy.gguf")
    with kaitai_gguf.open("model.gguf") as model:
        kaitai_gguf.split(model, "part", max_nbytes=300_000_000)


def process(command: list[str], output: bool = False, **environment: str) -> Contender:
    def action() -> Any:
        return execute(command, **environment)

    return Contender(lambda: clock(action), (lambda: {"output": digest(action())}) if output else None)


def execute(command: list[str], **environment: str) -> bytes:
    try:
        return subprocess.run(command, check=True, env=ENVIRONMENT | environment, capture_output=True).stdout
    except subprocess.CalledProcessError as error:
        print(error.stderr.decode(errors="replace"), file=sys.stderr)
        raise


def peak(words: list[str]) -> float:
    """Return the peak memory of a command in MB, minus that of `info`."""

    def measured(words: list[str]) -> float:
        # Started from a small process, because the peak of a new process starts at the memory of its parent.
        clean_output()
        done = subprocess.run([sys.executable, "-S", "-c", PEAK, *COMMAND, *words], capture_output=True, check=True)
        return int(done.stdout) / 1024

    return measured(words) - measured(BASE)
