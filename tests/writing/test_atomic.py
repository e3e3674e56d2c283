"""Staging: files appear complete or not at all."""

import errno
import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.writing.atomic import Staging, real_path


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete the current folder")
def test_a_current_folder_that_is_gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileError, match="relative to the current folder, which no longer exists"):
        real_path("model.gguf")
    monkeypatch.chdir(tmp_path)  # so that pytest can restore the folder


def test_files_are_there_when_all_are_complete(tmp_path: Path) -> None:
    one, other = tmp_path / "one", tmp_path / "other"
    with Staging(False) as staging:
        staging.create(one).write(b"1")
        with staging.file(other) as file:
            file.write(b"2")
        assert not one.exists()
        assert not other.exists()
    assert (one.read_bytes(), other.read_bytes(), len(list(tmp_path.iterdir()))) == (b"1", b"2", 2)


def test_an_exception_leaves_nothing(tmp_path: Path) -> None:
    with pytest.raises(ZeroDivisionError), Staging(False) as staging:  # noqa: PT012
        staging.folder(tmp_path / "folder")
        staging.create(tmp_path / "folder" / "one").write(b"1")
        _ = 1 / 0
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_there(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"mine")
    with pytest.raises(FileError, match="already exists"):
        Staging(False).create(path)
    with Staging(True) as staging:
        staging.create(path).write(b"1")
        assert path.read_bytes() == b"mine"
    assert path.read_bytes() == b"1"


def test_a_file_that_came_meanwhile(tmp_path: Path) -> None:
    path = tmp_path / "one"
    staging = Staging(False)
    staging.create(path).write(b"1")
    path.write_bytes(b"theirs")
    with pytest.raises(FileError, match="already exists"):
        staging.commit()
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs"]


@pytest.mark.parametrize("overwrite", [False, True])
def test_what_is_no_file(tmp_path: Path, overwrite: bool) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    with pytest.raises(FileError, match="is not a regular file" if overwrite else "already exists"):
        Staging(overwrite).create(folder)


@pytest.mark.parametrize("mode", [0o600, 0o644, 0o751])
def test_permissions_are_kept(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"mine")
    path.chmod(mode)
    with Staging(True) as staging:
        file = staging.create(path)
        (temporary,) = tmp_path.glob(".*.tmp")
        assert stat.S_IMODE(os.fstat(file.fileno()).st_mode) == stat.S_IMODE(temporary.stat().st_mode) == mode
    assert stat.S_IMODE(path.stat().st_mode) == mode


def test_new_files_have_the_permissions_that_files_have(tmp_path: Path) -> None:
    (tmp_path / "usual").write_bytes(b"")
    with Staging(False) as staging:
        staging.create(tmp_path / "one")
    assert (tmp_path / "one").stat().st_mode == (tmp_path / "usual").stat().st_mode


def test_a_folder_that_is_not_there(tmp_path: Path) -> None:
    path = tmp_path / "missing" / "one"
    with pytest.raises(FileError, match="no such folder") as caught:
        Staging(False).create(path)
    assert caught.value.filename == str(path.parent)


def test_a_file_that_came_at_the_last_moment(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another program creates the file after the last check and before the rename."""
    path = tmp_path / "one"
    link = os.link

    def late(source: Path, target: Path) -> None:
        target.write_bytes(b"theirs")
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    with pytest.raises(FileError, match="already exists"), Staging(False) as staging:
        staging.create(path).write(b"1")
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs"]


@pytest.mark.parametrize("is_taken", [False, True])
def test_a_file_system_without_links(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_taken: bool) -> None:
    path = tmp_path / "one"

    def refuse(source: Path, target: Path) -> None:
        if is_taken:
            target.write_bytes(b"theirs")
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    staging = Staging(False)
    staging.create(path).write(b"mine")
    if is_taken:
        with pytest.raises(FileError):
            staging.commit()
    else:
        staging.commit()
    assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs" if is_taken else b"mine"]


def test_many_who_want_one_new_name(tmp_path: Path) -> None:
    """Of many writers of one new name, exactly one succeeds, and no file is replaced."""

    def attempt(number: int) -> bool:
        try:
            with Staging(False) as staging:
                staging.create(tmp_path / "one").write(b"%d" % number)
        except FileError:
            return False
        return True

    for _ in range(20):
        with ThreadPoolExecutor(4) as pool:
            results = list(pool.map(attempt, range(4)))
        assert results.count(True) == 1
        assert (tmp_path / "one").read_bytes() == b"%d" % results.index(True)
        (tmp_path / "one").unlink()
        assert list(tmp_path.iterdir()) == []


def test_extended_attributes_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "one"
    path.write_bytes(b"mine")
    try:
        os.setxattr(path, "user.origin", b"https://example.org")
    except (AttributeError, OSError):
        pytest.skip("the file system has no extended attributes")
    with Staging(True) as staging:
        staging.create(path).write(b"1")
    assert os.getxattr(path, "user.origin") == b"https://example.org"


def test_who_is_refused_leaves_nothing(tmp_path: Path) -> None:
    staging = Staging(False)
    with pytest.raises(FileError):
        staging.create(tmp_path / "missing" / "one")
    (tmp_path / "one").write_bytes(b"mine")
    with pytest.raises(FileError):
        staging.create(tmp_path / "one")
    assert [path.name for path in tmp_path.iterdir()] == ["one"]


def test_a_write_protected_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A rename could replace it, but an edit in place could not change it. Both are refused."""
    path, model = tmp_path / "model.gguf", kaitai_gguf.open(Path(__file__).parents[1] / "data" / "models" / "v1.gguf")
    path.write_bytes(b"mine")
    monkeypatch.setattr(os, "access", lambda *_: False)  # root may write to all files
    for action in (
        lambda: kaitai_gguf.convert(model, path, overwrite=True),
        lambda: kaitai_gguf.write(path, {}, {}),
    ):
        with pytest.raises(PermissionError, match="no permission to write the file"):
            action()
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]
