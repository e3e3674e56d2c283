"""`scan`: catalogs are replaced atomically, and rows of unchanged files are reused."""

import errno
import os
import shutil
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from support.fault_server import serving

import kaitai_gguf
from catalog.conftest import MODELS, contents, rows_of, small, write
from kaitai_gguf.catalog import TABLES, Summary, generations, parts, rows, scan, scanning, table
from kaitai_gguf.catalog.generations import current


@pytest.fixture(autouse=True)
def small_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(parts, "MEAN_FILES", 4)
    monkeypatch.setattr(parts, "MOST_FILES", 8)


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


def names_of(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir() if not path.name.startswith("."))


# Contents


def test_tables_have_the_rows_of_all_files_in_their_order(tmp_path: Path) -> None:
    sources: list[Path] = [*MODELS, tmp_path / "missing.gguf", *write(tmp_path / "models", 20)]
    summary = scan(sources, tmp_path / "out", check=True)
    expected = [rows_of(source, check=True) for source in sources]
    found = contents(tmp_path / "out", check=True)
    for name in ("files", "metadata", "tensors", "findings"):
        assert repr(found[name]) == repr([row for each in expected for row in each[name]])  # NaN is not equal to itself
    nbytes = sum(path.stat().st_size for path in sources if path.exists())
    assert summary == Summary(files=len(sources), nbytes=nbytes, errors=1, reused=0)


def test_the_findings_of_files_that_were_not_checked_are_an_empty_table(tmp_path: Path) -> None:
    scan(MODELS, tmp_path / "out")
    findings = table(tmp_path / "out", "findings")
    assert (findings.count_rows(), findings.schema.names) == (0, [column.name for column in TABLES["findings"]])


def test_each_list_of_tokens_is_there_once(tmp_path: Path) -> None:
    scan(write(tmp_path / "models", 20), tmp_path / "out")
    found = contents(tmp_path / "out")
    assert sorted(row["tokens"] for row in found["tokenizers"]) == [["<s>", "a", "b0"], ["<s>", "a", "b1"]]
    assert {row["tokens_sha256"] for row in found["files"]} == {row["sha256"] for row in found["tokenizers"]}


def test_the_files_do_not_depend_on_the_number_of_threads(tmp_path: Path) -> None:
    sources = write(tmp_path / "models", 30)
    for threads in (1, 3):
        scan(sources, tmp_path / str(threads), threads=threads)
    one, three = (sorted((tmp_path / name).rglob("*.parquet")) for name in "13")
    assert [path.read_bytes() for path in one] == [path.read_bytes() for path in three]
    assert len(one) > 10


def test_a_slow_file_does_not_delay_the_other_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sources = write(tmp_path / "models", 40)
    others_completed = threading.Event()
    read = rows.opened_by_ranges
    seen: list[Summary] = []

    def read_slowly(source: str, *arguments: Any) -> Any:
        if source == str(sources[0]):
            assert others_completed.wait(60)
        return read(source, *arguments)

    def note(summary: Summary) -> None:
        seen.append(summary)
        if len(seen) == len(list(parts.slices(map(str, sources)))) - 1:
            others_completed.set()

    monkeypatch.setattr(rows, "opened_by_ranges", read_slowly)
    summary = scan(sources, tmp_path / "out", threads=2, progress=note)
    assert (summary.files, summary.errors) == (40, 0)
    assert len(seen) > 4
    scan(sources, tmp_path / "fast")
    assert contents(tmp_path / "out") == contents(tmp_path / "fast")


def test_no_files_are_empty_tables(tmp_path: Path) -> None:
    assert scan([], tmp_path / "out", check=True) == Summary()
    assert contents(tmp_path / "out", check=True) == {name: [] for name in TABLES}


def test_progress(tmp_path: Path) -> None:
    seen: list[Summary] = []
    summary = scan(write(tmp_path / "models", 20), tmp_path / "out", progress=seen.append)
    assert seen[-1] == summary
    assert [each.files for each in seen] == sorted({each.files for each in seen})
    assert len(seen) > 2


# Unchanged files


def test_what_has_not_changed_is_not_read_again(tmp_path: Path, opened: list[str]) -> None:
    sources = write(tmp_path / "models", 20)
    scan(tmp_path / "models", tmp_path / "out")
    before = contents(tmp_path / "out")
    opened.clear()
    assert scan(tmp_path / "models", tmp_path / "out").reused == 20
    assert (opened, contents(tmp_path / "out")) == ([], before)

    sources[3].write_bytes(small(100, **{"general.description": "longer"}).build())
    sources[7].unlink()
    (tmp_path / "models" / "0000a.gguf").write_bytes(small(101).build())
    summary = scan(tmp_path / "models", tmp_path / "out")
    assert (sorted(opened), summary.reused, summary.files) == (["0000a.gguf", "0003.gguf"], 18, 20)
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")

    opened.clear()
    assert scan(tmp_path / "models", tmp_path / "out", refresh=True).reused == 0
    assert len(opened) == 20


def test_files_that_could_not_be_opened_are_tried_again(tmp_path: Path, opened: list[str]) -> None:
    (tmp_path / "broken.gguf").write_bytes(b"GGUF")
    sources = [tmp_path / "broken.gguf", tmp_path / "missing.gguf"]
    assert scan(sources, tmp_path / "out").errors == 2
    opened.clear()
    assert scan(sources, tmp_path / "out") == Summary(files=2, nbytes=4, errors=2, reused=1)
    assert opened == ["missing.gguf"]


@pytest.mark.parametrize("options", [{"check": True}, {"max_header_nbytes": 1 << 20}])
def test_rows_of_other_options_are_not_reused(tmp_path: Path, options: dict[str, Any]) -> None:
    write(tmp_path / "models", 5)
    scan(tmp_path / "models", tmp_path / "out")
    assert scan(tmp_path / "models", tmp_path / "out", **options).reused == 0


def test_remote_files_are_asked_whether_they_have_changed(tmp_path: Path) -> None:
    with serving() as server:
        urls = [server.put(small(number).build(), f"/{number}.gguf") for number in range(10)]
        scan(urls, tmp_path / "out")
        before = contents(tmp_path / "out")
        server.put(small(50).build(), "/3.gguf")
        server.requests.clear()
        assert scan(urls, tmp_path / "out").reused == 9
        assert [request.path for request in server.requests if request.span != (0, 1)] == ["/3.gguf"]
    after = contents(tmp_path / "out")
    assert [row["name"] for row in after["files"]] == [f"Model {50 if n == 3 else n}" for n in range(10)]
    changed = [one["source"] for one, other in zip(before["files"], after["files"], strict=True) if one != other]
    assert changed == [urls[3]]


def test_a_damaged_part_is_read_again(tmp_path: Path) -> None:
    write(tmp_path / "models", 20)
    scan(tmp_path / "models", tmp_path / "out")
    before = contents(tmp_path / "out")
    damaged = sorted((tmp_path / "out").rglob("files/*.parquet"))[0]
    damaged.unlink()
    damaged.write_bytes(b"PAR1")
    assert 0 < scan(tmp_path / "models", tmp_path / "out").reused < 20
    assert contents(tmp_path / "out") == before


@pytest.mark.parametrize("name", ["metadata", "tensors"])
def test_a_part_without_one_of_its_files_is_read_again(name: str, tmp_path: Path) -> None:
    write(tmp_path / "models", 20)
    scan(tmp_path / "models", tmp_path / "out")
    before = contents(tmp_path / "out")
    sorted((tmp_path / "out").rglob(f"{name}/*.parquet"))[0].unlink()
    assert 0 < scan(tmp_path / "models", tmp_path / "out").reused < 20
    assert contents(tmp_path / "out") == before


@pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="the system requires paths in UTF-8")
def test_files_whose_names_are_the_same_text(tmp_path: Path) -> None:
    write(tmp_path / "models", 5)
    for name in (b"m\xff.gguf", b"m\\xff.gguf"):
        shutil.copy2(tmp_path / "models" / "0000.gguf", os.fsencode(tmp_path / "models") + b"/" + name)
        scan(tmp_path / "models", tmp_path / "out")
    for number in (9, 10):
        (tmp_path / "models" / "0001.gguf").write_bytes(small(number).build())
        scan(tmp_path / "models", tmp_path / "out")
        scan(tmp_path / "models", tmp_path / f"fresh-{number}")
        assert contents(tmp_path / "out") == contents(tmp_path / f"fresh-{number}")
    assert len(contents(tmp_path / "out")["files"]) == 7


# Interruptions


class StopError(Exception):
    pass


def test_an_interrupted_scan_leaves_the_old_catalog_and_its_parts(tmp_path: Path, opened: list[str]) -> None:
    write(tmp_path / "models", 30)
    scan(tmp_path / "models" / "0000.gguf", tmp_path / "out")
    before = contents(tmp_path / "out")

    def stop(summary: Summary) -> None:
        if summary.files >= 10:
            raise StopError

    with pytest.raises(StopError):
        scan(tmp_path / "models", tmp_path / "out", progress=stop)
    assert contents(tmp_path / "out") == before
    opened.clear()
    summary = scan(tmp_path / "models", tmp_path / "out")
    assert 10 <= summary.reused < 30
    assert len(opened) == 30 - summary.reused
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")
    assert names_of(tmp_path / "out") == ["CURRENT", "generation-000001", "generation-000003"]


SCAN = """
import os, signal, sys
from kaitai_gguf.catalog import parts, scan
parts.MEAN_FILES, parts.MOST_FILES = 4, 8
scan(sys.argv[1], sys.argv[2], progress=lambda done: done.files > 20 and os.kill(os.getpid(), signal.SIGKILL))
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no SIGKILL")
def test_a_scan_that_is_killed(tmp_path: Path) -> None:
    write(tmp_path / "models", 100)
    scan(tmp_path / "models" / "0000.gguf", tmp_path / "out")
    before = contents(tmp_path / "out")
    command = [sys.executable, "-c", SCAN, str(tmp_path / "models"), str(tmp_path / "out")]
    assert subprocess.run(command, check=False).returncode == -signal.SIGKILL
    assert contents(tmp_path / "out") == before
    assert scan(tmp_path / "models", tmp_path / "out").reused > 1
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


def test_what_is_left_of_a_generation_is_not_reused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "models", 5)
    scan(tmp_path / "models", tmp_path / "out")
    scan(tmp_path / "models" / "0000.gguf", tmp_path / "out")

    def stop(path: Path, **_: Any) -> None:
        for tokenizer in (path / "tokenizers").iterdir():
            tokenizer.unlink()
        raise StopError

    with monkeypatch.context() as patch:
        patch.setattr(shutil, "rmtree", stop)
        with pytest.raises(StopError):
            scan(tmp_path / "models" / "0000.gguf", tmp_path / "out")
    scan(tmp_path / "models", tmp_path / "out")
    scan(tmp_path / "models", tmp_path / "fresh")
    assert contents(tmp_path / "out") == contents(tmp_path / "fresh")


def test_two_at_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "models", 10)
    errors: list[Exception] = []

    def second(_: Summary) -> None:
        def run() -> None:
            try:
                scan(tmp_path / "models", tmp_path / "out")
            except kaitai_gguf.GGUFError as error:
                errors.append(error)

        if not errors:
            thread = threading.Thread(target=run)
            thread.start()
            thread.join()

    lock = scanning.WriterLock
    monkeypatch.setattr(scanning, "WriterLock", lambda path: lock(path, wait=0.0))
    scan(tmp_path / "models", tmp_path / "out", progress=second)
    assert [type(error) for error in errors] == [kaitai_gguf.FileError]
    assert "is being written by another program" in str(errors[0])
    assert len(contents(tmp_path / "out")["files"]) == 10


def test_a_reader_keeps_its_generation_over_one_scan(tmp_path: Path) -> None:
    write(tmp_path / "models", 5)
    scan(tmp_path / "models", tmp_path / "out")
    files = table(tmp_path / "out", "files")
    write(tmp_path / "models", 9)
    scan(tmp_path / "models", tmp_path / "out")
    assert (files.count_rows(), table(tmp_path / "out", "files").count_rows()) == (5, 9)
    scan(tmp_path / "models", tmp_path / "out")
    assert names_of(tmp_path / "out") == ["CURRENT", "generation-000002", "generation-000003"]


# Folders and arguments


def test_a_folder_of_something_else_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "thesis.tex").touch()
    with pytest.raises(kaitai_gguf.CatalogError, match=r"has other files, such as 'thesis\.tex'"):
        scan([], tmp_path / "out")
    assert names_of(tmp_path / "out") == ["thesis.tex"]


def test_a_file_in_the_place_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "out").touch()
    with pytest.raises(kaitai_gguf.GGUFError, match="can't be read"):
        scan([], tmp_path / "out")


@pytest.mark.parametrize("name", ["", "../etc", "generation-000009"])
def test_a_pointer_to_nowhere(name: str, tmp_path: Path) -> None:
    scan([], tmp_path / "out")
    (tmp_path / "out" / "CURRENT").write_text(name)
    with pytest.raises(kaitai_gguf.CatalogError, match="does not name a generation"):
        table(tmp_path / "out", "files")


def test_a_pointer_of_another_program_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "CURRENT").write_text("MANIFEST-000005\n")
    with pytest.raises(kaitai_gguf.CatalogError, match="does not name a generation"):
        scan([], tmp_path)
    assert names_of(tmp_path) == ["CURRENT"]


def test_tables_that_are_not_there(tmp_path: Path) -> None:
    with pytest.raises(kaitai_gguf.CatalogError, match="no complete catalog"):
        table(tmp_path, "files")
    scan([], tmp_path / "out")
    shutil.rmtree(current(tmp_path / "out").path / "findings")  # type: ignore[union-attr]
    with pytest.raises(kaitai_gguf.CatalogError, match="has no table 'findings'; scan again"):
        table(tmp_path / "out", "findings")
    with pytest.raises(ValueError, match="'models' is not one of the tables files, metadata"):
        table(tmp_path / "out", "models")


@pytest.mark.parametrize(
    ("options", "error"),
    [
        ({"threads": 0}, ValueError),
        ({"threads": "two"}, TypeError),
        ({"max_header_nbytes": 0}, ValueError),
        ({"max_header_nbytes": 1.5}, TypeError),
        ({"client": "tcp://scheduler:8786"}, TypeError),
    ],
)
def test_wrong_arguments(options: dict[str, Any], error: type[Exception], tmp_path: Path) -> None:
    with pytest.raises(error):
        scan([], tmp_path / "out", **options)
    assert names_of(tmp_path) == []


def test_a_list_that_is_missing_leaves_the_old_catalog(tmp_path: Path) -> None:
    write(tmp_path / "models", 3)
    scan(tmp_path / "models", tmp_path / "out")
    with pytest.raises(kaitai_gguf.FileError, match="the list can't be read"):
        scan("@missing.txt", tmp_path / "out")
    assert len(contents(tmp_path / "out")["files"]) == 3


def test_a_text_that_can_not_be_a_path(tmp_path: Path) -> None:
    with pytest.raises(kaitai_gguf.FileError, match=r"^b\\ud800: is not a path"):
        scan([tmp_path, "b\ud800"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_a_scan_that_fails_before_its_first_part_leaves_no_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write(tmp_path / "models", 3)
    with pytest.raises(kaitai_gguf.FileError, match="the list can't be read"):
        scan(iter(["@missing.txt"]), tmp_path / "out")  # only found while scanning
    assert names_of(tmp_path / "out") == []

    def fail(path: Path, data: bytes) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(generations, "_write", fail)
    with pytest.raises(kaitai_gguf.FileError, match="No space left on device"):
        scan(tmp_path / "models", tmp_path / "out")
    assert names_of(tmp_path / "out") == []


def test_file_systems_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "models", 12)
    scan(tmp_path / "models", tmp_path / "out")

    def refuse(*_: object) -> None:
        raise PermissionError(1, "no links")

    monkeypatch.setattr(os, "link", refuse)
    assert scan(tmp_path / "models", tmp_path / "out").reused == 12
    shutil.rmtree(tmp_path / "out" / "generation-000001")
    assert len(contents(tmp_path / "out")["files"]) == 12


# Secrets


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
    assert "secret" not in repr(parts.Task((url,), options))


def test_the_generation_that_readers_take(tmp_path: Path) -> None:
    assert current(tmp_path) is None
    scan([], tmp_path / "out")
    generation = current(tmp_path / "out")
    assert generation is not None
    assert generation.path.name == (tmp_path / "out" / "CURRENT").read_text().strip()
