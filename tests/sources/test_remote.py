"""Opening remote models: how much is requested, and what is refused."""

import errno
import io
import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from fsspec.implementations.memory import MemoryFileSystem
from support.fault_server import FaultServer
from support.gguf_bytes import key_value, u4, u8
from support.remote_models import NAMES, Foreign, shard, small, vocabulary

import kaitai_gguf
from kaitai_gguf import FileError, FormatError, MissingShardError, TruncatedError
from kaitai_gguf.reading.handle import source_of
from kaitai_gguf.sources import remote

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"


# How much is requested


def test_a_header_without_a_vocabulary_is_one_request(server: FaultServer) -> None:
    data = vocabulary(5_000, data=2 << 20)
    assert 100_000 < len(data) - (2 << 20) < 130_000
    with kaitai_gguf.open(server.put(data)):
        assert (server.spans, server.num_bytes) == ([(0, 1 << 20)], 1 << 20)
        assert [request.headers.get("method") for request in server.requests] == [None]


SHAPES = [  # tokens, merges; headers of 1.1 to 15.8 MB
    (50_000, 0), (262_144, 0), (50_000, 50_000), (128_256, 128_256), (151_936, 151_387), (262_144, 262_144),
    (128_256, 280_147), (200_000, 392_000), (262_144, 514_906),
]  # fmt: skip


@pytest.mark.parametrize("merges_first", [False, True])
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_a_header_with_a_vocabulary(server: FaultServer, shape: tuple[int, int], merges_first: bool) -> None:
    """At most 4 requests and 1.07 times its bytes, none of them twice."""
    tokens, merges = shape
    with kaitai_gguf.open(server.put(vocabulary(tokens, merges, 40 << 20, merges_first=merges_first))) as model:
        assert len(model.metadata["tokenizer.ggml.tokens"]) == tokens
        ends = [0, *(end for _, end in server.spans)]
        assert [start for start, _ in server.spans] == ends[:-1]
        assert len(model.buffer) == ends[-1] == server.num_bytes
        assert 2 <= len(server.requests) <= 4
        assert server.num_bytes <= 1.07 * model.header_nbytes


def test_numbers_are_fetched_as_far_as_they_go(server: FaultServer) -> None:
    count = 20 << 20
    data = b"GGUF" + u4(3) + u8(0) + u8(1) + key_value(9, u4(6) + u8(count), b"k") + bytes(4 * count + 100)
    with kaitai_gguf.open(server.put(data)) as model:
        assert model.metadata["k"].shape == (count,)
    assert max(end - start for start, end in server.spans) <= remote.MOST


class Endless(Foreign):
    """A file object of 1 TiB with a header that never ends."""

    position = end = 0

    def tell(self) -> int:
        return self.position

    def seek(self, position: int, whence: int = 0) -> int:
        self.position = position + (1 << 40 if whence == 2 else 0)
        return self.position

    def read(self, nbytes: int = -1) -> bytes:
        self.end = self.position + nbytes
        head = b"GGUF" + u4(3) + u8(0) + u8(1) + key_value(9, u4(0) + u8(1 << 30), b"k")
        return (head[self.position :] + bytes(nbytes))[:nbytes]


@pytest.mark.parametrize("limit", [None, 3 << 20])
def test_a_header_that_never_ends(limit: int | None) -> None:
    file: Any = Endless(b"")
    words = f"than the limit of {limit or 128 << 20:,} bytes, which max_header_nbytes raises"
    with pytest.raises(FileError, match=words) as caught:
        kaitai_gguf.open(file, storage_options={"max_header_nbytes": limit} if limit else None)
    assert (caught.value.errno, file.end) == (errno.EFBIG, limit or 128 << 20)


@pytest.mark.parametrize("others", [{}, {"timeout": 7, "retries": 1}], ids=["fsspec", "http"])
def test_a_pickle_has_the_options_and_the_version(server: FaultServer, others: dict[str, Any]) -> None:
    def put(data: bytes) -> str:
        MemoryFileSystem().pipe_file("/m.gguf", data)
        return server.put(data) if others else "memory://m.gguf"

    url = put(vocabulary(300_000))
    for limit in (1 << 20, "1", 0, True):
        with pytest.raises((FileError, TypeError, ValueError), match="max_header_nbytes"):
            kaitai_gguf.open(url, storage_options={"max_header_nbytes": limit})
    options = others | {"max_header_nbytes": 9 << 20}
    with kaitai_gguf.open(url, storage_options=options) as model:
        pickled = pickle.dumps(model)
    again = pickle.loads(pickled)
    assert again.metadata["tokenizer.ggml.tokens"][-1]
    assert dict(source_of(again).reopening().options) == options
    put(vocabulary(300_000) + b"x")
    with pytest.raises(FileError, match="changed since the model was pickled"):
        pickle.loads(pickled)


@pytest.mark.parametrize(
    "data",
    [b"", b"GGUF", small()[:100], b"<html>" + bytes(50), vocabulary(150_000)[: 1 << 20], vocabulary(150_000)[:2500000]],
    ids=len,
)
def test_what_is_not_a_whole_header(server: FaultServer, data: bytes) -> None:
    with pytest.raises(FormatError) as there:
        kaitai_gguf.open(server.put(data))
    with pytest.raises(FormatError) as here:
        kaitai_gguf.open(data)
    assert (type(there.value), str(there.value)) == (type(here.value), str(here.value))
    assert len(server.requests) <= (1 if len(data) <= 1 << 20 else 4)
    if isinstance(here.value, TruncatedError):
        assert here.value.needed > len(data)


# Shards


def test_shards(server: FaultServer) -> None:
    names = [f"/m-{number + 1:05d}-of-00003.gguf?key=secret-key" for number in range(3)]
    urls = [server.put(shard(number, 3), name) for number, name in enumerate(names)]
    shown = [url.partition("?")[0] for url in urls]
    with kaitai_gguf.open(urls[1]) as model:
        assert [array.flat[0] for array in model.fetch(["t2", "t0", "t1"]).values()] == [2, 0, 1]
        assert [file.name for file in model.shards] == shown
        assert "secret-key" not in f"{model!r} {model.shards}"
    with kaitai_gguf.open([urls[2], urls[0], urls[1]]) as model:
        assert list(model.tensors) == ["t0", "t1", "t2"]
    assert len(server.requests) == 6
    with pytest.raises(MissingShardError):
        kaitai_gguf.open(urls[:2])
    assert len(server.requests) == 8
    del server.files[names[2]]
    with pytest.raises(MissingShardError, match="a shard is missing") as caught:
        kaitai_gguf.open(urls[0])
    assert caught.value.missing == shown[2:]
    assert "secret-key" not in str(caught.value)
    server.requests.clear()
    with pytest.raises(MissingShardError):
        kaitai_gguf.open(server.put(shard(0, 60_000), "/m-00001-of-60000.gguf"))
    assert len(server.requests) < 50


def test_shards_are_of_one_commit(server: FaultServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HF_ENDPOINT", server.url(""))
    commit = "a" * 40
    for revision, number, name in ((commit, 1, "old"), ("main", 0, "old"), ("main", 1, "new")):
        path = f"/o/r/resolve/{revision}/m-{number + 1:05d}-of-00002.gguf"
        server.put(shard(number, 2, name), path, headers={"X-Repo-Commit": commit})
    for options in (None, {"token": "t"}):
        with kaitai_gguf.open("hf://o/r/m-00001-of-00002.gguf", storage_options=options) as model:
            assert [file.metadata["general.name"] for file in model.shards] == ["old", "old"]


# Imports, local files and options


def test_packages_are_imported_when_they_are_needed(server: FaultServer) -> None:
    code = "import kaitai_gguf, sys; kaitai_gguf.open(sys.argv[1]).close(); print(*sys.modules)"

    def imported(source: object) -> set[str]:
        command = [sys.executable, "-c", code, str(source)]
        return set(subprocess.run(command, capture_output=True, text=True, check=True).stdout.split())

    clients = {"httpx", "fsspec", "ssl", "urllib.request", "asyncio", "kaitai_gguf.sources.http"}
    assert not clients & imported(SAMPLE)
    assert {"httpx", "fsspec"} & imported(server.put(small())) == {"httpx"}


def test_paths_that_look_like_urls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("model::q4.gguf").write_bytes(small())
    with kaitai_gguf.open("model::q4.gguf") as model:
        assert not model.tensors[NAMES[0]].is_remote
    paths = [tmp_path / f"m x-{number + 1:05d}-of-00002.gguf" for number in range(2)]
    for number, path in enumerate(paths):
        path.write_bytes(shard(number, 2))
    for given in (paths[0].as_uri(), [paths[0].as_uri(), str(paths[1])]):
        with kaitai_gguf.open(given) as model:
            assert (len(model.shards), model.shards[0].name) == (2, str(paths[0]))
            assert not model.tensors["t0"].is_remote
    for source in (paths[0], small(), io.BytesIO(small())):
        with pytest.raises(ValueError, match="storage_options apply to URLs only"):
            kaitai_gguf.open(source, storage_options={"token": "x"})


@pytest.mark.parametrize(
    ("options", "kind", "words"),
    [
        ({"anon": True}, ValueError, "unknown storage option 'anon': .* take headers, token, timeout, retries, max_h"),
        ({"headers": ["secret-key"]}, TypeError, "headers as a mapping of str to str"),
        ({"headers": {"X": 5}}, TypeError, "headers as a mapping of str to str"),
        ({"token": 5}, TypeError, "the token as a str, not int"),
        ({"timeout": 0}, ValueError, "a timeout of more than 0 seconds, not 0"),
        ({"timeout": "1"}, ValueError, "a timeout of more than 0 seconds"),
        ({"retries": -1}, ValueError, "retries as an integer of at least 0, not -1"),
    ],
)
def test_an_option_that_is_not_valid(server: FaultServer, options: Any, kind: type[Exception], words: str) -> None:
    with pytest.raises(kind, match=words) as caught:
        kaitai_gguf.open(server.put(small()), storage_options=options)
    assert "secret-key" not in str(caught.value)
    assert server.requests == []
