"""Catalogs written by a local Dask cluster with two workers, one of which is killed."""

import os
import signal
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import dask
import distributed
import pytest
from fsspec import AbstractFileSystem
from fsspec.implementations.memory import MemoryFileSystem
from integration.conftest import S3
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.catalog import TABLES, Summary, scan, table

FILES = 1500
KILLED = "the workers that read it were killed, or ran out of memory"
TESTS = Path(__file__).parents[1]


@pytest.fixture(scope="module")
def client() -> Iterator[Any]:
    with dask.config.set({"distributed.scheduler.allowed-failures": 1, "distributed.comm.timeouts.connect": "30s"}):
        cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
        with cluster, distributed.Client(cluster) as client:
            yield client


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("models")
    for number in range(FILES):
        tokens = Array("string", ["a", str(number % 3)])
        metadata = [("general.name", "string", f"Model {number}"), ("tokenizer.ggml.tokens", "array", tokens)]
        model = Model(metadata, [TensorSpec("t", (number + 1,), 24, 0)], bytes(number + 1))  # type: ignore[list-item]
        (folder / f"{number:05}.gguf").write_bytes(model.build())
    return folder


def contents(directory: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table, ordered by file."""
    tables = {name: table(directory, name).to_table().to_pylist() for name in TABLES}
    return {name: sorted(rows, key=lambda row: row.get("file") or row.get("source")) for name, rows in tables.items()}


def test_workers_write_the_rows_that_threads_write(client: Any, models: Path, tmp_path: Path) -> None:
    sources = [models, tmp_path / "missing.gguf"]
    assert scan(sources, tmp_path / "dask", client=client) == scan(sources, tmp_path / "threads")
    assert contents(tmp_path / "dask") == contents(tmp_path / "threads")
    assert scan(sources, tmp_path / "dask", client=client).reused == FILES


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_worker_that_is_killed_changes_nothing(client: Any, models: Path, tmp_path: Path) -> None:
    killed: list[int] = []

    def kill(_: Summary) -> None:
        if not killed:
            killed.append(next(iter(client.run(os.getpid).values())))
            os.kill(killed[0], signal.SIGKILL)

    assert scan(models, tmp_path / "dask", client=client, progress=kill).errors == 0
    scan(models, tmp_path / "threads")
    assert contents(tmp_path / "dask") == contents(tmp_path / "threads")
    assert len(killed) == 1


class Poison(MemoryFileSystem):
    """A file system with a file that kills the process that opens it."""

    protocol = "poison"

    def info(self, path: str, **_: Any) -> dict[str, Any]:
        if path.endswith("bad.gguf"):
            os.kill(os.getpid(), signal.SIGKILL)
        return {"name": path, "size": 24, "type": "file"}

    def cat_file(self, path: str, start: int | None = None, end: int | None = None, **_: Any) -> bytes:
        return Model().build()[start:end]


class Plugin(distributed.WorkerPlugin):
    """Registers the file system in each worker, replacements of killed workers included."""

    def setup(self, worker: Any) -> None:
        sys.path.insert(0, str(TESTS))
        from fsspec import register_implementation

        register_implementation("poison", "integration.test_dask.Poison", clobber=True)


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_file_that_kills_its_workers_is_a_row_with_an_error(client: Any, tmp_path: Path) -> None:
    assert issubclass(Poison, AbstractFileSystem)
    client.register_plugin(Plugin(), name="poison")
    sources = [f"poison://bucket/{name}.gguf" for name in ("a", "bad", "b")]
    summary = scan(sources, tmp_path / "out", client=client)
    errors = {row["source"]: row["error"] for row in contents(tmp_path / "out")["files"]}
    assert errors == dict(zip(sources, [None, KILLED, None], strict=True))
    assert summary.errors == 1


def test_credentials_reach_the_workers_and_no_log(client: Any, s3: S3, tmp_path: Path) -> None:
    for number in range(4):
        s3.put(f"catalog/{number}.gguf", Model([("general.name", "string", str(number))]).build())
    scan("s3://models/catalog/", tmp_path / "out", client=client, storage_options=s3.options)
    rows = contents(tmp_path / "out")["files"]
    assert [(row["source"], row["name"], row["error"]) for row in rows] == [
        (f"s3://models/catalog/{number}.gguf", str(number), None) for number in range(4)
    ]
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    logs = repr(client.get_worker_logs()) + repr(client.get_scheduler_logs())
    assert "integration-secret" not in written.decode("latin-1") + logs


def test_a_cluster_that_ends_leaves_the_old_catalog(models: Path, tmp_path: Path) -> None:
    scan(models / "00000.gguf", tmp_path / "out")
    cluster = distributed.LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=None)
    client = distributed.Client(cluster)
    with cluster, client, pytest.raises(kaitai_gguf.CatalogError, match="the workers can't be used"):
        scan(models, tmp_path / "out", client=client, progress=lambda _: cluster.close())
    assert table(tmp_path / "out", "files").count_rows() == 1
