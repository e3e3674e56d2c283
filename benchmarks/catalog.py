"""Reading small headers into a catalog: on one processor, with Dask workers, and over a slow network.

The files are those of small_models.py. Each scan writes a new catalog.
"""

import cProfile
import json
import os
import pstats
import shutil
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import distributed
import pyarrow as pa

from benchmarks import small_models
from benchmarks.harness import Contender, Ratio, Table, clock, contest, digest
from kaitai_gguf.catalog import scan, table

ROOT = Path(__file__).parents[1]
FILES, MANY = 10_000, 10_000
SLOW_FILES, LATENCY = 1000, 0.05  # seconds before each answer
ROUNDS = 2

SCAN = """
import json, re, sys, time
from pathlib import Path
from kaitai_gguf.catalog import scan
sources, output, options = json.loads(sys.argv[1])
start, cpu = time.perf_counter(), time.process_time()
summary = scan(sources, output, **options)
seconds = time.perf_counter() - start
status = Path("/proc/self/status").read_text()
peak = int(re.search(r"VmHWM:\\s+(\\d+)", status)[1]) / 1024
assert not summary.errors
print(json.dumps([summary.files, seconds, time.process_time() - cpu, peak]))
"""


def run(_: Path | None) -> list[Table]:
    folder = Path(tempfile.mkdtemp())
    try:
        models = folder / "models"
        small_models.write(models, FILES)
        first, with_dask = local(models, folder)
        rows = {"first scan": first, **others(models, folder), "over a slow network": slow(folder)}
        rows[f"{MANY:,} names of one file"] = many(folder)
        steps = profile(models)
    finally:
        shutil.rmtree(folder)
    text = f"""
        Each file has {small_models.KEYS} keys and {small_models.TENSORS} tensors and is in the page cache. Local files
        were read by one thread on one processor, each scan in a process of its own. Those on the slow network are on a
        web server that waits {LATENCY * 1000:.0f} ms before each answer."""
    return [
        Table("Catalogs", text, rows, first="scan"),
        Table(
            "Catalogs with Dask",
            f"""
            The same {FILES:,} files, with workers that were started before and have one thread each. All three scans
            were checked to write the same rows.""",
            {"first scan": with_dask},
            [Ratio("1 worker ÷ 2 workers", "1 worker", "2 workers")],
        ),
        Table(
            "What a first scan spends its time on",
            "From a profile. Profiling slows Python code more than C code. Some of the time is in none of these steps.",
            {step: {"share": f"{share:.0%}"} for step, share in steps.items()},
        ),
    ]


class Scan:
    """Scans in separate processes. Keeps the figures of the fastest scan."""

    def __init__(self, sources: object, folder: Path, one_core: bool = True, **options: object) -> None:
        self.arguments = sources, options
        self.folder = folder
        self.one_core = one_core and shutil.which("taskset") is not None
        self.best: dict[str, float] = {}
        self.number = 0

    def contender(self) -> Contender:
        return Contender(self.seconds, self.output)

    def seconds(self, output: Path | None = None) -> float:
        sources, options = self.arguments
        self.number += 1
        output = output or self.folder / f"catalog-{id(self)}-{self.number}"
        pin = ["taskset", "-c", "0"] if self.one_core else []
        command = [*pin, sys.executable, "-c", SCAN, json.dumps([sources, str(output), options])]
        done = subprocess.run(command, capture_output=True, check=True, text=True)
        files, seconds, cpu, peak = json.loads(done.stdout)
        if seconds <= self.best.get("seconds", seconds):
            self.best = {"seconds": seconds, "files": files, "cpu": cpu, "peak": peak}
        return float(seconds)

    def output(self) -> dict[str, str]:
        output = self.folder / f"output-{id(self)}"
        self.seconds(output)
        return {"rows": rows_of(output)}

    def row(self, times: dict[str, float]) -> dict[str, Any]:
        best = self.best
        return {
            "files": best["files"], "time": times, "files/s": round(best["files"] / times["min"]),
            "CPU, ms per file": round(best["cpu"] / best["files"] * 1000, 2), "peak memory, MB": round(best["peak"]),
        }  # fmt: skip


def rows_of(output: Path) -> str:
    """Return the digest of the files and tensors in a catalog, sorted."""
    keys = {"files": ["source"], "tensors": ["file", "name"]}
    streams = []
    for name, columns in keys.items():
        rows = table(output, name).to_table().sort_by([(column, "ascending") for column in columns]).combine_chunks()
        streams.append(pa.BufferOutputStream())
        with pa.ipc.new_stream(streams[-1], rows.schema) as writer:
            writer.write_table(rows)
    return digest(*(stream.getvalue() for stream in streams))


def local(models: Path, folder: Path) -> tuple[dict[str, Any], dict[str, Any]]:
    with ExitStack() as stack:
        alone = Scan(str(models), folder)
        contenders = {"one processor": alone.contender()}
        cpu: dict[str, Any] = {}
        for count in (1, 2):
            cluster = distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=":0")
            client = stack.enter_context(distributed.Client(stack.enter_context(cluster)))
            assert len(client.run(os.getpid)) == count
            name = f"{count} worker{'s' * (count > 1)}"
            contenders[name] = on_cluster(name, client, models, folder, cpu)
        print("  threads and Dask", flush=True)
        times = contest(contenders, ROUNDS)
    return alone.row(times["one processor"]), times | cpu


def on_cluster(name: str, client: Any, models: Path, folder: Path, cpu: dict[str, Any]) -> Contender:
    """Return a contender that scans with a cluster, and stores the CPU seconds of its last scan in `cpu`."""

    def scanned() -> Path:
        output = Path(tempfile.mkdtemp(dir=folder))
        scan(str(models), output, client=client)
        return output

    def cpu_of_workers() -> float:
        return sum(client.run(time.process_time).values())

    def seconds() -> float:
        workers, here = cpu_of_workers(), time.process_time()
        taken = clock(scanned)
        here = time.process_time() - here
        cpu[f"{name}: CPU seconds of workers"] = cpu_of_workers() - workers
        cpu[f"{name}: CPU seconds of client and scheduler"] = here
        return taken

    return Contender(seconds, lambda: {"rows": rows_of(scanned())})


def others(models: Path, folder: Path) -> dict[str, Any]:
    rows = {}
    checked = Scan(str(models), folder, check=True)
    unchanged = Scan(str(models), folder)
    unchanged.seconds(folder / "again")
    unchanged.best = {}
    for name, each, action in (
        ("with check", checked, checked.seconds),
        ("again, when nothing has changed", unchanged, lambda: unchanged.seconds(folder / "again")),
    ):
        print(f"  {name}", flush=True)
        rows[name] = each.row(contest({"time": Contender(action, None)}, ROUNDS)["time"])
    return rows


def profile(models: Path) -> dict[str, float]:
    """Return the share of time that each step takes, from a profile of four tasks and their commit."""
    from kaitai_gguf.catalog.lake import Lake
    from kaitai_gguf.catalog.rows import Options
    from kaitai_gguf.catalog.runners import File, Task, read_part
    from kaitai_gguf.catalog.sources import key_of

    files = [File(str(path), key_of(str(path)), None) for path in sorted(models.rglob("*.gguf"))[:512]]
    read_part(Task(tuple(files[:128]), Options()))
    with tempfile.TemporaryDirectory() as output:
        lake = Lake.created(output, None)
        profiler = cProfile.Profile()
        profiler.enable()
        parts = [read_part(Task(tuple(files[first : first + 128]), Options())) for first in range(0, len(files), 128)]
        lake.put(pa.concat_tables([part.rows for part in parts]), {})
        profiler.disable()
    steps = {
        "open: index, names, layout rules": ("file.py", "read"),
        "columns of the file": ("columns.py", "file_columns"),
        "of which SHA-256 identities": ("identities.py", "identities"),
        "key-values": ("columns.py", "key_values"),
        "tensors": ("columns.py", "tensors"),
        "Arrow arrays of the row": ("rows.py", "_row"),
        "Delta Lake": ("lake.py", "put"),
    }
    stats = pstats.Stats(profiler)
    total = stats.total_tt  # type: ignore[attr-defined]
    times = stats.stats  # type: ignore[attr-defined]
    return {
        step: sum(row[3] for (path, _, name), row in times.items() if path.endswith(f"/{file}") and name == function)
        / total
        for step, (file, function) in steps.items()
    }


SERVER = """
import sys
sys.path.insert(0, sys.argv[1])
from benchmarks import small_models
from support.fault_server import serving
with serving(latency=float(sys.argv[3])) as server:
    for number in range(int(sys.argv[2])):
        server.put(small_models.model(number), f"/{number}.gguf")
    print(server.url(""), flush=True)
    sys.stdin.read()
"""


def slow(folder: Path) -> dict[str, Any]:
    print("  slow network", flush=True)
    command = [sys.executable, "-c", SERVER, str(ROOT / "tests"), str(SLOW_FILES), str(LATENCY)]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=ROOT) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        remote = Scan([f"{url}/{number}.gguf" for number in range(SLOW_FILES)], folder, one_core=False)
        result = remote.row(contest({"time": Contender(remote.seconds, None)}, ROUNDS)["time"])
        server.communicate("")
    return result


def many(folder: Path) -> dict[str, Any]:
    """Measure the memory for many files, which are hard links to one file."""
    links = folder / "links"
    links.mkdir()
    original = links / "000000.gguf"
    original.write_bytes(small_models.model(0))
    for number in range(1, MANY):
        os.link(original, links / f"{number:06}.gguf")
    print(f"  {MANY:,} files", flush=True)
    scanner = Scan(str(links), folder)
    seconds = scanner.seconds()
    return scanner.row({"min": seconds, "median": seconds, "rounds": 1})
