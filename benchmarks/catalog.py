"""Reading 10,000 small headers into a catalog: on one processor, by Dask's workers, and over a slow network.

    make bench-catalog (ROUNDS=1 for one run of each instead of three)

Writes benchmarks/results/catalog.json and .md. The files are those of small_models.py: 30 keys and 300 tensors each.
Each row is the best of ROUNDS runs. The cases take turns, and each local scan runs in a new process.
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
from pathlib import Path

import distributed
import small_models

HERE = Path(__file__).parent
RESULTS = HERE / "results"
FILES = 10_000
MANY = 100_000
SLOW_FILES, LATENCY = 1000, 0.05  # seconds that each answer takes
ROUNDS = int(os.environ.get("ROUNDS", "3"))

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


def main() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        models = folder / "models"
        small_models.write(models, FILES)
        load = {"load average": os.getloadavg()[0]}  # over one minute: how busy the machine was
        results = local(models, folder) | {"machine": load}
        for name, measure in {
            "profile": lambda: profile(models),
            "slow network": lambda: slow(folder),
            "dask": lambda: dask(models, folder),
            "100,000 files": lambda: many(folder),
        }.items():
            print(results, flush=True)
            results[name] = measure()
    finally:
        shutil.rmtree(folder)
    RESULTS.joinpath("catalog.json").write_text(json.dumps(results, indent=1) + "\n")
    RESULTS.joinpath("catalog.md").write_text(report(results))
    print(report(results))


def scanned(sources: object, output: Path, one_core: bool = True, **options: object) -> dict[str, float]:
    """Run a scan in a new process, on one processor."""
    pin = ["taskset", "-c", "0"] if one_core and shutil.which("taskset") else []
    arguments = json.dumps([sources, str(output), options])
    command = [*pin, sys.executable, "-c", SCAN, arguments]
    files, seconds, cpu, peak = json.loads(subprocess.run(command, capture_output=True, check=True, text=True).stdout)
    return {"files": files, "seconds": seconds, "cpu seconds": cpu, "peak MB": peak}


def local(models: Path, folder: Path) -> dict[str, dict[str, float]]:
    cases: dict[str, dict[str, object]] = {"first scan": {}, "with check": {"check": True}}
    best: dict[str, dict[str, float]] = {}
    for number in range(ROUNDS):
        for name, options in cases.items():
            _keep(best, name, scanned(str(models), folder / f"{name}-{number}", **options))
        _keep(best, "nothing has changed", scanned(str(models), folder / f"first scan-{number}"))
    return best


def _keep(best: dict[str, dict[str, float]], name: str, result: dict[str, float]) -> None:
    if name not in best or result["seconds"] < best[name]["seconds"]:
        best[name] = result


def profile(models: Path) -> dict[str, float]:
    """Return the share of time that each step takes, from a profile of four parts read in turn."""
    from kaitai_gguf.catalog.parts import Task, read_part
    from kaitai_gguf.catalog.rows import Options

    sources = tuple(map(str, sorted(models.rglob("*.gguf"))[:512]))
    read_part(Task(sources[:128], Options()))
    profiler = cProfile.Profile()
    profiler.enable()
    for first in range(0, len(sources), 128):
        read_part(Task(sources[first : first + 128], Options()))
    profiler.disable()
    steps = {
        "open: index, names, layout rules": ("file.py", "read"),
        "facts of the file": ("file_facts.py", "facts_of"),
        "of which SHA-256 identities": ("identities.py", "identities"),
        "key-values": ("header_columns.py", "__init__"),
        "columns": ("header_columns.py", "columns"),
        "Arrow arrays": ("rows.py", "batch"),
        "Parquet": ("core.py", "write_batch"),
    }
    stats = pstats.Stats(profiler)
    total = stats.total_tt  # type: ignore[attr-defined]
    times = stats.stats  # type: ignore[attr-defined]
    return {
        step: sum(row[3] for (path, _, name), row in times.items() if path.endswith(f"/{file}") and name == function)
        / total
        for step, (file, function) in steps.items()
    }


def dask(models: Path, folder: Path) -> dict[str, float]:
    """Return the seconds with one worker and with two, and the CPU seconds of workers and of client with scheduler."""
    best: dict[str, float] = {}
    for number in range(ROUNDS):
        for workers in (1, 2):
            name = f"{workers} worker{'s' if workers > 1 else ''}"
            result = _with_workers(workers, models, folder / f"dask-{number}-{workers}")
            if name not in best or result[0] < best[name]:
                best |= dict(zip((name, f"{name}, CPU", f"{name}, CPU of client and scheduler"), result, strict=True))
    return best


def _with_workers(count: int, models: Path, output: Path) -> tuple[float, float, float]:
    from kaitai_gguf.catalog import scan
    from kaitai_gguf.catalog.parts import Task, read_part
    from kaitai_gguf.catalog.rows import Options

    cluster = distributed.LocalCluster(n_workers=count, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        first = str(next(models.rglob("*.gguf")))
        assert len(client.run(read_part, Task((first,), Options()))) == count  # each worker has imported its packages
        start, workers, here = time.perf_counter(), _cpu_of_workers(client), time.process_time()
        scan(str(models), output / "out", client=client)
        return time.perf_counter() - start, _cpu_of_workers(client) - workers, time.process_time() - here


def _cpu_of_workers(client: distributed.Client) -> float:
    return sum(client.run(time.process_time).values())


SERVER = """
import sys
sys.path.insert(0, sys.argv[1])
import small_models
from support.fault_server import serving
with serving(latency=float(sys.argv[3])) as server:
    for number in range(int(sys.argv[2])):
        server.put(small_models.model(number), f"/{number}.gguf")
    print(server.url(""), flush=True)
    sys.stdin.read()
"""


def slow(folder: Path) -> dict[str, float]:
    command = [sys.executable, "-c", SERVER, str(HERE.parent / "tests"), str(SLOW_FILES), str(LATENCY)]
    environment = os.environ | {"PYTHONPATH": str(HERE)}
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as server:
        assert server.stdout is not None
        url = server.stdout.readline().strip()
        urls = [f"{url}/{number}.gguf" for number in range(SLOW_FILES)]
        result = scanned(urls, folder / "slow", one_core=False)
        server.communicate("")
    return result


def many(folder: Path) -> dict[str, float]:
    """Measure the memory that 100,000 files take. They are hard links to a few files."""
    links = folder / "links"
    links.mkdir()
    original = links / "000000.gguf"
    original.write_bytes(small_models.model(0))
    place = original
    for number in range(1, MANY):
        if number % 30_000 == 0:  # some file systems have a limit of links
            place = links / f"{number:06}.gguf"
            place.write_bytes(small_models.model(number))
        else:
            os.link(place, links / f"{number:06}.gguf")
    return scanned(str(links), folder / "many", one_core=False)


def report(results: dict[str, dict[str, float]]) -> str:
    first = results["first scan"]
    rows = [
        f"| {name} | {row['files']:,.0f} | {row['seconds']:.1f} | {row['files'] / row['seconds']:,.0f} "
        f"| {row['peak MB']:.0f} |"
        for name, row in results.items()
        if "peak MB" in row
    ]
    steps = [f"| {step} | {share:.0%} |" for step, share in results["profile"].items()]
    dask = results["dask"]
    one, two = dask["1 worker"], dask["2 workers"]
    lines = [
        "# Catalogs of small files",
        "",
        f"Written by `make bench-catalog` on a machine with {os.cpu_count()} processors. Each file has "
        f"{small_models.KEYS} keys and {small_models.TENSORS} tensors. Local files were read by one thread on one "
        f"processor; those behind a slow network had {LATENCY * 1000:.0f} ms of latency. The load average at the start "
        f"was {results['machine']['load average']:.1f}; if it is above 0, other programs shared the processors.",
        "",
        "| scan | files | seconds | files/s | peak memory, MB |",
        "|---|---:|---:|---:|---:|",
        *rows,
        "",
        f"Dask: {one:.1f} s with one worker, {two:.1f} s with two: {one / two:.2f} times as fast. The two workers took "
        f"{dask['2 workers, CPU']:.1f} s of CPU time, the client and the scheduler together "
        f"{dask['2 workers, CPU of client and scheduler']:.1f} s.",
        "",
        f"A first scan takes {first['cpu seconds'] / first['files'] * 1000:.2f} ms of CPU time for each file.",
        "",
        "Share of a first scan that each step takes, from a profile. Profiling slows Python code more than C code:",
        "",
        "| step | share |",
        "|---|---:|",
        *steps,
        "",
    ]
    return "\n".join(lines)


if __name__ == "__main__":
    main()
