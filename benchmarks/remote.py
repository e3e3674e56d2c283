"""Opening models on a web server: what is asked for, what is sent, and how long it takes.

    make bench-remote              headers of five sizes, made here
    make bench-remote MODELS=dir   and the vocabularies in a folder

Writes benchmarks/results/remote.json and .md. The server is on this machine, in a process of its own; it waits for 0 or
50 ms before each answer, and counts requests and the bytes that it sends. After each header come 40 MB of data. Three
ways to read the header are compared, each by the same reader, which first shows that all find the same:

ranges      ours: 1 MiB, and then as much as the index says is missing
one stream  a single GET of the whole file, closed when the index has all of the header; what is on its way by then
            was sent as well
read-ahead  the file object of fsspec for web servers, with its own cache
"""

import argparse
import json
import multiprocessing
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import models

import kaitai_gguf

HERE = Path(__file__).parent
RESULTS = HERE / "results"
SHAPES = {  # tokens, merges, tensors
    "1 kB": (0, 0, 15),
    "113 kB": (5_200, 0, 0),
    "2 MB": (42_000, 78_000, 291),
    "7 MB": (135_000, 290_000, 291),
    "15 MB": (310_000, 610_000, 434),
}
DATA = 40 << 20  # bytes after each header
ROUNDS = 5
LATENCIES = (0.0, 0.05)  # seconds
FILES, THREADS = 200, 32


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", type=Path, help="a folder with vocabularies to measure as well")
    arguments = parser.parse_args()
    with Server() as server, tempfile.TemporaryDirectory() as scratch:
        headers = {}
        for name, shape in SHAPES.items():
            path = Path(scratch) / "model.gguf"
            models.write(path, *shape)
            headers[name] = header(path)
        for path in sorted(arguments.models.glob("*vocab*.gguf")) if arguments.models else []:
            headers[path.stem] = path.read_bytes()
        results: dict[str, Any] = {"headers": {name: measure(server, name, data) for name, data in headers.items()}}
        results["many"] = many(server, headers["113 kB"])
        results["tensor"] = tensor(server)
    (RESULTS / "remote.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "remote.md").write_text(markdown(results))
    print((RESULTS / "remote.md").read_text())


def header(path: Path) -> bytes:
    with kaitai_gguf.open(path) as model:
        return bytes(model.buffer[: model.header_nbytes])


class Server:
    """A web server in another process."""

    def __enter__(self) -> "Server":
        context = multiprocessing.get_context("spawn")
        self._pipe, other = context.Pipe()
        self._process = context.Process(target=serve, args=(other,), daemon=True)
        self._process.start()
        self.start = self._pipe.recv()
        return self

    def __exit__(self, *exception: object) -> None:
        self.ask("stop")
        self._process.join()

    def ask(self, *question: Any) -> Any:
        self._pipe.send(question)
        return self._pipe.recv()


def serve(pipe: Connection) -> None:
    sys.path.insert(0, str(HERE.parent / "tests"))
    from support.fault_server import serving

    with serving() as server:
        pipe.send(server.url(""))
        while True:
            match pipe.recv():
                case ("put", name, data):
                    for folder, has_ranges in (("ranges", True), ("whole", False)):
                        server.put(data + bytes(DATA), f"/{folder}/{name}", has_ranges=has_ranges)
                    pipe.send(None)
                case ("latency", seconds):
                    server.latency = seconds
                    server.requests.clear()
                    pipe.send(None)
                case ("counts",):
                    pipe.send((len(server.requests), server.num_bytes))
                    server.requests.clear()
                case _:
                    pipe.send(None)
                    return


def by_ranges(start: str, name: str) -> kaitai_gguf.GGUFFile:
    return kaitai_gguf.open(f"{start}/ranges/{name}")


def by_one_stream(start: str, name: str) -> kaitai_gguf.GGUFFile:
    return kaitai_gguf.open(f"{start}/whole/{name}")


def by_read_ahead(start: str, name: str) -> kaitai_gguf.GGUFFile:
    import fsspec

    with fsspec.filesystem("http", skip_instance_cache=True).open(f"{start}/ranges/{name}") as file:
        return kaitai_gguf.open(file)


WAYS: dict[str, Callable[[str, str], kaitai_gguf.GGUFFile]] = {
    "ranges": by_ranges,
    "one stream": by_one_stream,
    "read-ahead": by_read_ahead,
}


def measure(server: Server, name: str, data: bytes) -> dict[str, Any]:
    print(name, flush=True)
    file = f"{len(data)}.gguf"
    server.ask("put", file, data)
    result: dict[str, Any] = {"header": len(data)}
    for latency in LATENCIES:
        server.ask("latency", latency)
        times: dict[str, list[float]] = {way: [] for way in WAYS}
        for number in range(ROUNDS + 1):
            for way, use in WAYS.items():
                start = time.perf_counter()
                model = use(server.start, file)
                taken = time.perf_counter() - start
                assert model.header_nbytes == len(data), way
                assert model.buffer[: len(data)] == data, way
                model.close()
                time.sleep(0.01)  # what is still being sent ends
                requests, sent = server.ask("counts")
                if number:
                    times[way].append(taken)
                    result.setdefault(way, {}).update(requests=requests, sent=sent)
        for way, seconds in times.items():
            result[way][f"{latency * 1000:.0f} ms"] = statistics.median(seconds)
    return result


def many(server: Server, data: bytes) -> dict[str, float]:
    """Seconds until the metadata of many files is read."""
    server.ask("latency", 0.05)
    server.ask("put", "many.gguf", data)
    urls = [f"{server.start}/ranges/many.gguf?{number}" for number in range(FILES)]

    def metadata(url: str) -> int:
        with kaitai_gguf.open(url) as model:
            return len(model.metadata)

    seconds = []
    for _ in range(3):
        start = time.perf_counter()
        with ThreadPoolExecutor(THREADS) as pool:
            assert min(pool.map(metadata, urls)) > 0
        seconds.append(time.perf_counter() - start)
    requests, _ = server.ask("counts")
    return {"seconds": statistics.median(seconds), "requests": requests / 3}


def tensor(server: Server) -> dict[str, float]:
    """What one tensor takes, and a few rows of it."""
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        import numpy as np

        filling = np.zeros(1 << 20, np.float32)
        array = np.arange(4096 * 1024, dtype=np.float32).reshape(4096, 1024)
        kaitai_gguf.write(file.name, {"general.architecture": "llama"}, {"first": filling, "t": array}, overwrite=True)
        server.ask("put", "tensor.gguf", Path(file.name).read_bytes())
    server.ask("latency", 0.0)
    model = by_ranges(server.start, "tensor.gguf")
    server.ask("counts")
    assert (model.tensors["t"].data == array).all()
    requests, sent = server.ask("counts")
    assert (model.tensors["t"][7:9] == array[7:9]).all()
    row_requests, row_sent = server.ask("counts")
    return {
        "size": array.nbytes, "requests": requests, "sent": sent,
        "row size": array[7:9].nbytes, "row requests": row_requests, "row sent": row_sent,
    }  # fmt: skip


def markdown(results: dict[str, Any]) -> str:
    lines = ["| header | way | requests | sent | sent ÷ header | 0 ms | 50 ms |", "|---|---|---|---|---|---|---|"]
    for name, result in results["headers"].items():
        for way in WAYS:
            row = result[way]
            share = row["sent"] / result["header"]
            times = " | ".join(f"{row[f'{latency * 1000:.0f} ms'] * 1000:.0f} ms" for latency in LATENCIES)
            shown = f"{name} ({result['header']:,} bytes)" if way == "ranges" else ""
            lines.append(f"| {shown} | {way} | {row['requests']} | {row['sent']:,} | {share:,.2f} | {times} |")
    made, one = results["many"], results["tensor"]
    lines += ["", f"Metadata of {FILES} files with 50 ms each, from {THREADS} threads of one process: "]
    lines[-1] += f"{made['seconds']:.2f} s, {made['requests']:.0f} requests."
    lines += ["", f"A tensor of {one['size']:,} bytes: {one['requests']} request, {one['sent']:,} bytes. "]
    lines[-1] += (
        f"Two of its rows, {one['row size']:,} bytes: {one['row requests']} request, {one['row sent']:,} bytes."
    )
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    main()
