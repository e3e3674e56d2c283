"""Opening models on a web server: number of requests, bytes sent, and time.

The server runs on the same machine in its own process. It waits 0 or 50 ms before each answer, and counts requests and
the bytes that it sends. Each file has 40 MB of data after its header.
"""

import multiprocessing
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import numpy as np

import kaitai_gguf
from benchmarks import models
from benchmarks.harness import Contender, Table, clock, contest, digest, timed

HERE = Path(__file__).parent
SHAPES = {  # tokens, merges, tensors
    "1 kB": (0, 0, 15),
    "113 kB": (5_200, 0, 0),
    "2 MB": (42_000, 78_000, 291),
    "15 MB": (310_000, 610_000, 434),
}
DATA = 40 << 20  # bytes after each header
ROUNDS = 5
LATENCIES = (0.0, 0.05)  # seconds
FILES, THREADS = 200, 32


def run(given: Path | None) -> list[Table]:
    if find_spec("aiohttp") is None:
        print("left out: read-ahead (fsspec reads from web servers if aiohttp is installed)", flush=True)
        WAYS.pop("read-ahead", None)
    with Server() as server, tempfile.TemporaryDirectory() as scratch:
        headers = {}
        for name, shape in SHAPES.items():
            path = Path(scratch) / "model.gguf"
            models.write(path, *shape)
            headers[name] = header(path)
        for path in sorted(given.glob("*vocab*.gguf")) if given else []:
            headers[path.stem] = path.read_bytes()
        times: dict[str, Any] = {}
        sent: dict[str, Any] = {}
        for name, data in headers.items():
            print(f"  {name}", flush=True)
            measure(server, name, data, times, sent)
        requests = {
            f"metadata of {FILES} files, {THREADS} threads of one process": many(server, headers["113 kB"]),
            **tensor(server),
        }
    text = """
        The server is on this machine and waits for 0 or 50 ms before each answer; 40 MB of data come after each header.
        All three use the same reader and were checked to give the same header. `ranges` is this library's way: it
        requests 1 MiB, and then the bytes that the index reports as missing. `one stream` is a GET of the whole file
        that is closed when the header is complete. `read-ahead` is the file object of fsspec for web servers."""
    return [
        Table("Opening on a web server", text, times, first="header, latency"),
        Table(
            "Requests and bytes sent", "For the same headers; the latency makes no difference.", sent, first="header"
        ),
        Table("Many remote files, and parts of one", "With 50 ms and 0 ms of latency.", requests),
    ]


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


def measure(server: Server, name: str, data: bytes, times: dict[str, Any], sent: dict[str, Any]) -> None:
    file = f"{len(data)}.gguf"
    server.ask("put", file, data)
    sent[name] = {"bytes of header": len(data)}

    def contender(way: str) -> Contender:
        def opened() -> str:
            server.ask("counts")
            with WAYS[way](server.start, file) as model:
                return digest(model.buffer[: model.header_nbytes])

        def seconds() -> float:
            taken = clock(lambda: WAYS[way](server.start, file).close())
            time.sleep(0.01)  # wait until the server has stopped sending
            requests, num_bytes = server.ask("counts")
            sent[name] |= {f"{way}: requests": requests, f"{way}: bytes": num_bytes}
            return taken

        return Contender(seconds, lambda: {"header": opened()})

    for latency in LATENCIES:
        server.ask("latency", latency)
        times[f"{name}, {latency * 1000:.0f} ms"] = contest({way: contender(way) for way in WAYS}, ROUNDS)


def many(server: Server, data: bytes) -> dict[str, Any]:
    """Measure reading the metadata of many files."""
    server.ask("latency", 0.05)
    server.ask("put", "many.gguf", data)
    urls = [f"{server.start}/ranges/many.gguf?{number}" for number in range(FILES)]

    def metadata(url: str) -> int:
        with kaitai_gguf.open(url) as model:
            return len(model.metadata)

    def read() -> set[int]:
        with ThreadPoolExecutor(THREADS) as pool:
            return set(pool.map(metadata, urls))

    result: dict[str, Any] = contest({"time": timed(read, "number of keys", of=sorted)}, ROUNDS)
    server.ask("counts")
    read()
    requests, num_bytes = server.ask("counts")
    return result | {"requests": requests, "bytes sent": num_bytes}


def tensor(server: Server) -> dict[str, Any]:
    """Measure reading one tensor, and a few of its rows."""
    with tempfile.NamedTemporaryFile(suffix=".gguf") as file:
        filling = np.zeros(1 << 20, np.float32)
        array = np.arange(4096 * 1024, dtype=np.float32).reshape(4096, 1024)
        kaitai_gguf.write(file.name, {"general.architecture": "llama"}, {"first": filling, "t": array}, overwrite=True)
        server.ask("put", "tensor.gguf", Path(file.name).read_bytes())
    server.ask("latency", 0.0)
    result = {}
    with by_ranges(server.start, "tensor.gguf") as model:
        for name, part in (("a tensor", slice(None)), ("two rows of it", slice(7, 9))):
            server.ask("counts")
            assert (model.tensors["t"][part] == array[part]).all()
            requests, sent = server.ask("counts")
            result[f"{name}, {array[part].nbytes:,} bytes"] = {"requests": requests, "bytes sent": sent}
    return result
