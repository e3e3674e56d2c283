"""`expanded`: which files are scanned, and in which order."""

import io
import os
import zipfile
from pathlib import Path
from typing import ClassVar

import fsspec
import pytest
from fsspec.implementations.memory import MemoryFileSystem
from fsspec.utils import infer_storage_options

import kaitai_gguf
from kaitai_gguf.catalog import expanded


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name in ("b/z.gguf", "b/A.GGUF", "a.gguf", "c/d/e.gguf", "b/notes.txt", "[x].gguf"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.touch()
    return tmp_path


def names(folder: Path, *sources: object) -> list[str]:
    found = expanded(sources[0] if len(sources) == 1 else sources)  # type: ignore[arg-type]
    return [os.path.relpath(path, folder) for path in found]


def test_a_folder_in_the_order_of_names(folder: Path) -> None:
    assert names(folder, folder) == ["[x].gguf", "a.gguf", "b/A.GGUF", "b/z.gguf", "c/d/e.gguf"]


def test_each_file_comes_once(folder: Path) -> None:
    sources = [folder / "b" / "z.gguf", folder / "b", f"file://{folder}/b/z.gguf", str(folder / "c" / ".." / "b")]
    assert names(folder, *sources) == ["b/z.gguf", "b/A.GGUF"]


def test_patterns(folder: Path) -> None:
    assert names(folder, f"{folder}/*.gguf") == ["[x].gguf", "a.gguf"]
    assert names(folder, f"{folder}/**/*.gguf") == ["[x].gguf", "a.gguf", "b/z.gguf", "c/d/e.gguf"]
    assert names(folder, f"{folder}/?/") == ["b/A.GGUF", "b/z.gguf", "c/d/e.gguf"]
    assert names(folder, f"{folder}/[x].gguf") == ["[x].gguf"]


def test_a_file_may_have_any_name_and_need_not_exist(folder: Path) -> None:
    assert names(folder, folder / "b" / "notes.txt", folder / "missing", f"{folder}/no*.gguf") == [
        "b/notes.txt",
        "missing",
        "no*.gguf",
    ]


def test_relative_paths_become_absolute(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    first, *others = expanded(["a.gguf", "."])
    assert (first, len(others)) == (str(folder / "a.gguf"), 4)


def test_a_list_in_a_file(folder: Path) -> None:
    (folder / "list.txt").write_text(f"{folder}/c\n\n{folder}/a.gguf\r\nhttps://models.example/m.gguf?token=secret\n")
    found = list(expanded(f"@{folder}/list.txt"))
    assert found == [f"{folder}/c/d/e.gguf", f"{folder}/a.gguf", "https://models.example/m.gguf?token=secret"]


def test_a_list_with_a_byte_order_mark(folder: Path) -> None:
    (folder / "list.txt").write_text(f"{folder}/a.gguf\n", "utf-8-sig")
    assert names(folder, f"@{folder}/list.txt") == ["a.gguf"]


def test_a_list_that_is_missing(folder: Path) -> None:
    with pytest.raises(kaitai_gguf.FileError, match="the list can't be read"):
        list(expanded(f"@{folder}/list.txt"))


def test_links_to_folders_are_not_followed(folder: Path) -> None:
    (folder / "c" / "loop").symlink_to(folder)
    (folder / "c" / "link.gguf").symlink_to(folder / "a.gguf")
    assert names(folder, folder / "c") == ["c/link.gguf", "c/d/e.gguf"]


def test_patterns_do_not_follow_links_to_folders(folder: Path) -> None:
    for name in ("loop", "c/loop", "c/d/loop"):
        (folder / name).symlink_to(folder)
    assert names(folder, f"{folder}/c/**/*.gguf") == ["c/d/e.gguf"]
    assert names(folder, f"{folder}/loop/c/**") == ["loop/c/d/e.gguf"]
    assert len(names(folder, f"{folder}/**/**/*.gguf")) == 4


def test_a_folder_that_can_not_be_listed_comes_as_a_file(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    scandir = os.scandir

    def refuse(path: str) -> object:
        if os.path.basename(path) == "c":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr(os, "scandir", refuse)
    assert names(folder, folder) == ["[x].gguf", "a.gguf", "b/A.GGUF", "b/z.gguf", "c"]
    assert names(folder, folder / "c") == ["c"]


def test_folders_and_patterns_of_file_systems() -> None:
    files = MemoryFileSystem()
    for name in ("/bucket/b.gguf", "/bucket/a/c.gguf", "/bucket/notes.txt"):
        files.pipe_file(name, b"")
    assert list(expanded("memory://bucket/")) == ["memory:///bucket/a/c.gguf", "memory:///bucket/b.gguf"]
    assert list(expanded("memory://bucket/*.txt")) == ["memory:///bucket/notes.txt"]
    assert list(expanded("memory://bucket/b.gguf")) == ["memory://bucket/b.gguf"]
    MemoryFileSystem.store.clear()


class OfHost(MemoryFileSystem):  # type: ignore[misc]
    """A file system whose paths do not have the host, like those of sftp and ftp."""

    protocol = "ofhost"
    store: ClassVar[dict[str, object]] = {}
    pseudo_dirs: ClassVar[list[str]] = [""]

    @classmethod
    def _strip_protocol(cls, path: str) -> str:
        return str(infer_storage_options(path)["path"]).rstrip("/")


def test_listed_files_keep_host_and_chain() -> None:
    fsspec.register_implementation("ofhost", OfHost, clobber=True)
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("a.gguf", b"")
    OfHost().pipe_file("/models/b.gguf", b"")
    MemoryFileSystem().pipe_file("/models.zip", zipped.getvalue())
    expected = "ofhost://user:password@host:22/models/b.gguf"
    assert list(expanded("ofhost://user:password@host:22/models/")) == [expected]
    assert list(expanded("ofhost://user:password@host:22/models/*")) == [expected]
    assert list(expanded("zip://*.gguf::memory://models.zip")) == ["zip://a.gguf::memory://models.zip"]
    MemoryFileSystem.store.clear()


@pytest.mark.parametrize("url", ["https://models.example/", "hf://owner/repository/*.gguf"])
def test_what_can_not_be_listed(url: str) -> None:
    with pytest.raises(kaitai_gguf.CatalogError, match="can't be listed; list their URLs"):
        list(expanded(url))


@pytest.mark.parametrize("sources", [1, b"a.gguf", [b"a.gguf"], [1], None])
def test_what_is_not_a_path(sources: object) -> None:
    with pytest.raises(TypeError, match="expected paths and URLs, not"):
        list(expanded(sources))  # type: ignore[arg-type]
