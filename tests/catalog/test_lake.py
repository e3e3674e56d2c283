"""The Delta Lake table of a catalog: several scans at once, and outputs that are not a catalog."""

import multiprocessing
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import deltalake
import pyarrow as pa
import pyarrow.fs
import pytest

import kaitai_gguf
from catalog.conftest import contents, names_of, small, write
from kaitai_gguf.catalog import TABLES, Summary, lake, scan, scanning, table


def test_pyarrow_reads_local_tables_itself(tmp_path: Path) -> None:
    """Programs whose threads read through the file system of deltalake may abort when they end."""
    scan(write(tmp_path / "models", 3), tmp_path / "a b")
    files = table(tmp_path / "a b", "files")
    assert isinstance(files.filesystem, pyarrow.fs.SubTreeFileSystem)
    assert files.count_rows() == 3


# Several scans and readers at once

SCAN = """
import sys
from kaitai_gguf.catalog import scan, scanning
scanning.TASK_FILES, scanning.COMMIT_FILES = 4, 8
sys.stdin.readline()
scan(sys.argv[2:], sys.argv[1])
"""


def test_scans_in_processes_that_also_create_the_table(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / name, 24)
    folders = [[tmp_path / name for name in names] for names in ("ab", "bc", "ca")]
    children = [
        subprocess.Popen([sys.executable, "-c", SCAN, tmp_path / "out", *each], stdin=subprocess.PIPE)
        for each in folders
    ]
    for child in children:
        assert child.stdin is not None
        child.stdin.write(b"\n")
        child.stdin.flush()
    seen = []
    while any(child.poll() is None for child in children):
        if deltalake.DeltaTable.is_deltatable(str(tmp_path / "out")):
            sources = table(tmp_path / "out", "files").to_table()["source"].to_pylist()
            assert len(sources) == len(set(sources))
            seen.append(len(sources))
    assert [child.wait() for child in children] == [0, 0, 0]
    assert seen == sorted(seen)
    assert len(seen) > 1
    assert len(contents(tmp_path / "out")["files"]) == 72
    assert scan(tmp_path / "a", tmp_path / "out").reused == 24


def test_a_commit_that_lost_is_repeated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "TASK_FILES", 4)
    paths = write(tmp_path / "models", 12)
    scans: list[Summary] = []

    def scan_too(_: Summary) -> None:
        if not scans:
            scans.append(Summary())
            paths[0].write_bytes(small(50).build())
            (tmp_path / "models" / "new.gguf").write_bytes(small(51).build())
            scans.append(scan(tmp_path / "models", tmp_path / "out"))

    scan(tmp_path / "models", tmp_path / "out", progress=scan_too)
    assert scans[1].files == 13
    assert len(contents(tmp_path / "out")["files"]) == 13


def test_a_commit_that_always_loses_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "models", 2)
    scan([], tmp_path / "out")

    def lose(*_: object, **__: object) -> None:
        raise deltalake.exceptions.CommitFailedError("Failed to commit transaction")

    monkeypatch.setattr(deltalake, "write_deltalake", lose)
    monkeypatch.setattr(lake, "_TRIES", 3)
    with pytest.raises(kaitai_gguf.CatalogError, match="Failed to commit transaction"):
        scan(tmp_path / "models", tmp_path / "out")
    assert contents(tmp_path / "out")["files"] == []


def test_small_data_files_are_compacted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lake, "_SMALL_FILES", 3)
    numbers = []
    for count in range(1, 6):
        scan(write(tmp_path / str(count), 1), tmp_path / "out")
        numbers.append(len(deltalake.DeltaTable(tmp_path / "out").file_uris()))
        assert len(contents(tmp_path / "out")["files"]) == count
    assert numbers == [1, 2, 3, 1, 2]


def test_a_compaction_that_loses_is_left_to_the_other_scan(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def lose(*_: object, **__: object) -> None:
        raise deltalake.exceptions.CommitFailedError("Failed to commit transaction")

    monkeypatch.setattr(lake, "_SMALL_FILES", 0)
    monkeypatch.setattr(deltalake.table.TableOptimizer, "compact", lose)
    assert scan(write(tmp_path / "models", 1), tmp_path / "out").files == 1


def test_a_table_that_another_scan_creates_meanwhile(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    create = deltalake.DeltaTable.create

    def lose(*arguments: Any, **options: Any) -> None:
        create(*arguments, **options)
        create(*arguments, **options)

    monkeypatch.setattr(deltalake.DeltaTable, "create", lose)
    assert scan(write(tmp_path / "models", 1), tmp_path / "out").files == 1
    assert table(tmp_path / "out", "files").count_rows() == 1


# What a table of a catalog looks like


def test_a_catalog_without_files_has_empty_tables(tmp_path: Path) -> None:
    assert scan([], tmp_path / "out", check=True) == Summary()
    assert contents(tmp_path / "out") == {name: [] for name in TABLES}
    for name, columns in TABLES.items():
        assert table(tmp_path / "out", name).schema.names == [column.name for column in columns]


def test_a_dataset_can_be_read_twice(tmp_path: Path) -> None:
    scan(write(tmp_path / "models", 3), tmp_path / "out")
    for name in ("files", "tensors"):
        dataset = table(tmp_path / "out", name)
        assert dataset.to_table() == dataset.to_table()
        assert dataset.count_rows() == (3 if name == "files" else 6)


# Outputs that are not a catalog


def another_table(folder: Path) -> None:
    deltalake.write_deltalake(folder, pa.table({"a": [1]}))


def an_older_catalog(folder: Path) -> None:
    deltalake.DeltaTable.create(
        folder, pa.schema([("a", pa.int64())]), configuration={lake._VERSION: "1"}, raise_if_key_not_exists=False
    )


def other_files(folder: Path) -> None:
    folder.mkdir()
    (folder / "thesis.tex").touch()


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (another_table, "has a Delta Lake table of another program"),
        (an_older_catalog, "has a catalog of version 1; this release writes version 4: scan into a new folder"),
        (other_files, r"has other files, such as 'thesis\.tex', and no catalog"),
        (Path.touch, "can't be read: Not a directory"),
    ],
)
def test_what_is_not_a_catalog_is_left_alone(make: Any, message: str, tmp_path: Path) -> None:
    make(tmp_path / "out")
    before = sorted((tmp_path / "out").rglob("*"))
    with pytest.raises(kaitai_gguf.CatalogError, match=message):
        scan([], tmp_path / "out")
    assert sorted((tmp_path / "out").rglob("*")) == before


def test_tables_that_do_not_exist(tmp_path: Path) -> None:
    with pytest.raises(kaitai_gguf.CatalogError, match="is not a catalog"):
        table(tmp_path, "files")
    with pytest.raises(ValueError, match="'models' is not one of the tables files, metadata"):
        table(tmp_path, "models")
    assert names_of(tmp_path) == []


@pytest.mark.skipif(not os.path.isdir("/proc/self"), reason="the system has no /proc")
def test_a_folder_that_can_not_be_created() -> None:
    with pytest.raises(kaitai_gguf.CatalogError, match=r"^/proc/self/catalog: "):
        scan([], "/proc/self/catalog")


@pytest.mark.parametrize("name", ["a b", "a#b?c", "ü", "100%"])
def test_any_name_of_a_folder(name: str, tmp_path: Path) -> None:
    write(tmp_path / "models", 1)
    scan(tmp_path / "models", tmp_path / name)
    assert table(tmp_path / name, "files").count_rows() == 1
    assert names_of(tmp_path) == sorted(["models", name])


def scan_in_child(folder: Path, results: Any) -> None:
    try:
        scan(folder / "models", folder / "out")
    except BaseException as error:
        results.put(f"{type(error).__name__}: {error}")
    else:
        results.put("no error")


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_scan_in_a_forked_child_is_refused_with_a_sentence(tmp_path: Path) -> None:
    write(tmp_path / "models", 1)
    scan(tmp_path / "models", tmp_path / "out")
    context = multiprocessing.get_context("fork")
    results = context.Queue()
    child = context.Process(target=scan_in_child, args=(tmp_path, results))
    child.start()
    assert results.get(timeout=60) == (
        "CatalogError: a process that was forked after a catalog was used can't use one; "
        "start it with spawn or forkserver"
    )
    child.join()


def test_an_error_of_rust_is_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    class PanicException(BaseException):
        pass

    def panic(*_: object, **__: object) -> None:
        raise PanicException("index out of bounds")

    scan([], tmp_path / "out")
    monkeypatch.setattr(deltalake, "write_deltalake", panic)
    with pytest.raises(kaitai_gguf.CatalogError, match="out: deltalake failed: index out of bounds"):
        scan(write(tmp_path / "models", 1), tmp_path / "out")


def test_options_of_object_storage() -> None:
    given = {"key": "a", "secret": "b", "endpoint_url": "http://storage.example", "client_kwargs": {"region": "x"}}
    expected = {"access_key_id": "a", "secret_access_key": "b", "endpoint_url": "http://storage.example"}
    assert lake._options("s3://bucket/catalog", given) == expected | {"allow_http": "true"}
    assert lake._options("catalog", given) is None


def test_threads_share_a_catalog(tmp_path: Path) -> None:
    write(tmp_path / "models", 20)
    threads = [threading.Thread(target=scan, args=(tmp_path / "models", tmp_path / "out")) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(contents(tmp_path / "out")["files"]) == 20
