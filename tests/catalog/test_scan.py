"""`scan`: one row for each file, rows of unchanged files are kept, and what was committed survives an interruption."""

import gc
import os
import shutil
import signal
import subprocess
import sys
import threading
import weakref
from pathlib import Path
from typing import Any

import pytest
from deltalake import DeltaTable
from fsspec.implementations.memory import MemoryFileSystem
from support.fault_server import serving
from support.gguf_bytes import Model

import kaitai_gguf
from catalog.conftest import MODELS, contents, names_of, rows_of, small, write
from kaitai_gguf.catalog import TABLES, Summary, rows, runners, scan, scanning, table


@pytest.fixture(autouse=True)
def small_tasks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scanning, "TASK_FILES", 4)
    monkeypatch.setattr(scanning, "COMMIT_FILES", 8)


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the files that were read."""
    names: list[str] = []
    read = rows.opened_by_ranges

    def note(source: str, *arguments: Any) -> Any:
        names.append(os.path.basename(source))
        return read(source, *arguments)

    monkeypatch.setattr(rows, "opened_by_ranges", note)
    return names


def data_files(output: Path) -> set[str]:
    return set(DeltaTable(output).file_uris())


# Contents


@pytest.mark.parametrize("threads", [1, 3])
def test_a_catalog_has_the_rows_of_all_files(threads: int, tmp_path: Path) -> None:
    sources: list[Path] = [*MODELS, tmp_path / "missing.gguf", *write(tmp_path / "models", 20)]
    summary = scan(sources, tmp_path / "out", check=True, threads=threads)
    expected = [rows_of(source, check=True) for source in sources]
    found = contents(tmp_path / "out")
    for name in TABLES:
        in_order = sorted((row for each in expected for row in each[name]), key=lambda row: row.get("file", ""))
        if name == "files":
            in_order.sort(key=lambda row: row["source"])
        assert repr(found[name]) == repr(in_order)  # NaN is not equal to itself
    nbytes = sum(path.stat().st_size for path in sources if path.exists())
    assert summary == Summary(files=len(sources), nbytes=nbytes, errors=1, reused=0)


def test_lists_are_null_where_they_were_not_asked_for_and_empty_where_there_is_none(tmp_path: Path) -> None:
    (tmp_path / "a.gguf").write_bytes(Model().build())
    for check, findings in ((False, None), (True, 1)):
        scan(tmp_path, tmp_path / "out", check=check)
        (row,) = DeltaTable(tmp_path / "out").to_pyarrow_table().to_pylist()
        assert (row["metadata"], row["tensors"]) == ([], [])
        assert (row["findings"] and len(row["findings"])) == findings


def test_results_are_not_kept_and_a_slow_task_does_not_delay_others(monkeypatch: pytest.MonkeyPatch) -> None:
    others_completed = threading.Event()

    class Result:
        def __init__(self, task: int) -> None:
            self.task = task

    def read(task: int, **_: object) -> Result:
        assert task != 0 or others_completed.wait(60)
        return Result(task)

    monkeypatch.setattr(runners, "read_part", read)
    seen, kept = [], []
    gc.disable()
    try:
        with runners.Runner(None, 2) as runner:
            for part in runner.completed(range(10)):  # type: ignore[arg-type]
                seen.append(part.task)  # type: ignore[attr-defined]
                kept.append(weakref.ref(part))
                if len(seen) == 9:
                    others_completed.set()
        del part
        assert [reference() for reference in kept] == [None] * 10
    finally:
        gc.enable()
    assert seen[-1] == 0
    assert sorted(seen) == list(range(10))


def test_an_earlier_version_can_be_read(tmp_path: Path) -> None:
    write(tmp_path / "models", 3)
    scan(tmp_path / "models", tmp_path / "out")
    version = DeltaTable(tmp_path / "out").version()
    write(tmp_path / "models", 5)
    scan(tmp_path / "models", tmp_path / "out")
    earlier = DeltaTable(tmp_path / "out", version=version).to_pyarrow_dataset()
    assert (earlier.count_rows(), table(tmp_path / "out", "files").count_rows()) == (3, 5)


def test_progress(tmp_path: Path) -> None:
    seen: list[Summary] = []
    summary = scan(write(tmp_path / "models", 20), tmp_path / "out", progress=seen.append)
    assert seen[-1] == summary
    assert [each.files for each in seen] == [4, 8, 12, 16, 20]


def test_a_number_that_does_not_fit_is_an_error_in_its_row(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "models", 2)
    columns = rows.file_columns

    def too_large(model: Any, values: Any) -> dict[str, Any]:
        found = columns(model, values)
        return found | {"data_offset": 1 << 64} if found["name"] == "Model 1" else found

    monkeypatch.setattr(rows, "file_columns", too_large)
    assert scan(tmp_path / "models", tmp_path / "out") == Summary(2, 2 * len(small().build()), 1, 0)
    assert [row["error"] is None for row in contents(tmp_path / "out")["files"]] == [True, False]


# Unchanged, changed and missing files


def test_only_what_has_changed_is_read_and_written(tmp_path: Path, opened: list[str]) -> None:
    sources = write(tmp_path / "models", 20)
    scan(tmp_path / "models", tmp_path / "out")
    before, version, files = (
        contents(tmp_path / "out"),
        DeltaTable(tmp_path / "out").version(),
        data_files(tmp_path / "out"),
    )
    opened.clear()
    assert scan(tmp_path / "models", tmp_path / "out").reused == 20
    assert (opened, contents(tmp_path / "out"), DeltaTable(tmp_path / "out").version()) == ([], before, version)

    sources[3].write_bytes(small(100, **{"general.description": "longer"}).build())
    sources[4].unlink()
    (tmp_path / "models" / "0000a.gguf").write_bytes(small(101).build())
    summary = scan(tmp_path / "models", tmp_path / "out")
    assert (sorted(opened), summary.reused, summary.files) == (["0000a.gguf", "0003.gguf"], 18, 20)
    assert len(files & data_files(tmp_path / "out")) == len(files) - 1
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")

    opened.clear()
    assert scan(tmp_path / "models", tmp_path / "out", refresh=True).reused == 0
    assert len(opened) == 20
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


def test_rows_of_other_sources_are_kept(tmp_path: Path) -> None:
    for name in "abc":
        write(tmp_path / name, 3)
    scan([tmp_path / name for name in "abc"], tmp_path / "out")
    (tmp_path / "a" / "0000.gguf").unlink()
    (tmp_path / "b" / "0000.gguf").unlink()
    (tmp_path / "c" / "0000.gguf").unlink()
    scan([tmp_path / "a", f"{tmp_path}/b/*1.gguf"], tmp_path / "out")
    sources = [os.path.relpath(row["source"], tmp_path) for row in contents(tmp_path / "out")["files"]]
    rest = ["a/0001.gguf", "a/0002.gguf", "b/0001.gguf", "b/0002.gguf", "c/0000.gguf", "c/0001.gguf", "c/0002.gguf"]
    assert sources == rest


@pytest.mark.parametrize(
    ("source", "gone"),
    [("a/", {"a/0", "a/b/0"}), ("a/*.gguf", {"a/0"}), ("**/1.gguf", set())],
)
def test_rows_of_remote_files_that_are_gone(source: str, gone: set[str], tmp_path: Path) -> None:
    files = MemoryFileSystem()
    names = {f"{folder}/{number}" for folder in ("a", "a/b", "ab") for number in range(2)}
    for name in names:
        files.pipe_file(f"/bucket/{name}.gguf", small().build())
    scan("memory://bucket/", tmp_path / "out")
    for name in ("a/0", "a/b/0", "ab/0"):
        files.rm(f"/bucket/{name}.gguf")
    scan(f"memory://bucket/{source}", tmp_path / "out")
    rest = {row["source"].removeprefix("memory:///bucket/") for row in contents(tmp_path / "out")["files"]}
    MemoryFileSystem.store.clear()
    assert rest == {f"{name}.gguf" for name in names - gone}


def test_files_below_a_folder_that_can_not_be_listed_are_kept(tmp_path: Path) -> None:
    write(tmp_path / "models", 3)
    scan(tmp_path / "models", tmp_path / "out")
    (tmp_path / "models").rename(tmp_path / "unmounted")
    summary = scan(tmp_path / "models", tmp_path / "out")
    assert (summary.files, summary.errors) == (1, 1)
    assert len(contents(tmp_path / "out")["files"]) == 4
    (tmp_path / "unmounted").rename(tmp_path / "models")
    assert scan(tmp_path / "models", tmp_path / "out") == Summary(3, 3 * len(small().build()), 0, 3)
    assert len(contents(tmp_path / "out")["files"]) == 3


def test_files_that_could_not_be_opened_are_tried_again(tmp_path: Path, opened: list[str]) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    sources = [tmp_path / "broken.gguf", tmp_path / "missing.gguf"]
    assert scan(sources, tmp_path / "out").errors == 2
    opened.clear()
    assert scan(sources, tmp_path / "out") == Summary(files=2, nbytes=4, errors=2, reused=1)
    assert opened == ["missing.gguf"]


def test_files_that_were_not_checked_are_read_again_with_check(tmp_path: Path) -> None:
    write(tmp_path / "models", 5)
    checks = (False, True, True, False)
    reused = [scan(tmp_path / "models", tmp_path / "out", check=check).reused for check in checks]
    assert reused == [0, 0, 5, 5]


def test_remote_files_are_asked_whether_they_have_changed(tmp_path: Path) -> None:
    with serving() as server:
        urls = [server.put(small(number).build(), f"/{number}.gguf") for number in range(10)]
        scan(urls, tmp_path / "out")
        server.put(small(50).build(), "/3.gguf")
        server.requests.clear()
        assert scan(urls, tmp_path / "out").reused == 9
        assert [request.path for request in server.requests if request.span != (0, 1)] == ["/3.gguf"]
    names = [row["name"] for row in contents(tmp_path / "out")["files"]]
    assert names == [f"Model {50 if number == 3 else number}" for number in range(10)]


def test_urls_that_differ_in_their_queries_only(tmp_path: Path) -> None:
    with serving() as server:
        url = server.put(small().build(), "/m.gguf")
        for queries in (["?a", "?b", "?c"], ["?a", "?b"]):
            scan([url + query for query in queries], tmp_path / "out")
            assert [row["source"] for row in contents(tmp_path / "out")["files"]] == [url] * len(queries)


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system requires paths in UTF-8")
def test_files_whose_names_are_the_same_text(tmp_path: Path) -> None:
    write(tmp_path / "models", 2)
    for name in (b"m\xff.gguf", b"m\\xff.gguf"):
        shutil.copy2(tmp_path / "models" / "0000.gguf", os.fsencode(tmp_path / "models") + b"/" + name)
    for number in (9, 10):
        (tmp_path / "models" / "0001.gguf").write_bytes(small(number).build())
        scan(tmp_path / "models", tmp_path / "out")
        assert len(contents(tmp_path / "out")["files"]) == 4


# Interruptions


class StopError(Exception):
    pass


def test_an_interrupted_scan_leaves_what_it_committed(tmp_path: Path, opened: list[str]) -> None:
    write(tmp_path / "models", 30)

    def stop(summary: Summary) -> None:
        if summary.files >= 20:
            raise StopError

    with pytest.raises(StopError):
        scan(tmp_path / "models", tmp_path / "out", progress=stop)
    assert len(contents(tmp_path / "out")["files"]) == 16
    opened.clear()
    assert scan(tmp_path / "models", tmp_path / "out").reused == 16
    assert len(opened) == 14
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


KILLED = """
import os, signal, sys
from kaitai_gguf.catalog import scan, scanning
scanning.TASK_FILES, scanning.COMMIT_FILES = 4, 8

def kill(done):
    if done.files >= int(sys.argv[3]):
        os.kill(os.getpid(), signal.SIGKILL)

scan(sys.argv[1], sys.argv[2], progress=kill)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
@pytest.mark.parametrize("files", [4, 16, 36])
def test_a_scan_that_is_killed(files: int, tmp_path: Path) -> None:
    write(tmp_path / "models", 40)
    command = [sys.executable, "-c", KILLED, str(tmp_path / "models"), str(tmp_path / "out"), str(files)]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert scan(tmp_path / "models", tmp_path / "out").reused == files // 8 * 8
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


# Arguments and secrets


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"threads": 0}, ValueError),
        ({"threads": "two"}, TypeError),
        ({"max_header_nbytes": 0}, ValueError),
        ({"max_header_nbytes": 1.5}, TypeError),
    ],
)
def test_wrong_arguments(options: dict[str, Any], error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error):
        scan([], tmp_path / "out", **options)
    assert names_of(tmp_path) == []


@pytest.mark.parametrize(
    ("sources", "message"),
    [
        ("@missing.txt", "the list can't be read: no such file"),
        (["b\ud800"], r"^b\\ud800: is not a path"),
        (iter(["https://models.example/*.gguf"]), "can't be listed"),
    ],
)
def test_sources_that_can_not_be_read_change_nothing(sources: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(kaitai_gguf.GGUFError, match=message):
        scan(sources, tmp_path / "out")
    assert names_of(tmp_path) == []


def test_credentials_are_in_no_table(tmp_path: Path) -> None:
    with serving() as server:
        server.put(small().build(), "/m.gguf")
        url = server.url("/m.gguf").replace("http://", "http://user:secret-1@") + "?key=secret-2"
        summary = scan([url], tmp_path / "out", storage_options={"token": "secret-3"})
        assert summary.errors == 0
        assert server.requests[0].headers["authorization"]
        source = server.url("/m.gguf")
    assert contents(tmp_path / "out")["files"][0]["source"] == source
    written = b"".join(path.read_bytes() for path in (tmp_path / "out").rglob("*") if path.is_file())
    assert b"secret" not in written
    options = rows.Options(storage_options={"token": "secret-3"}, hub_token="secret-4")
    assert "secret" not in repr(runners.Task((runners.File(url, "", None),), options))
