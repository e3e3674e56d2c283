"""Staging: files appear complete or not at all."""

import errno
import os
import signal
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.writing.atomic import Staging, real_path

forks = pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")


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


# What dead processes leave


def write(path: Path, name: str = "x" * 100) -> None:
    kaitai_gguf.write(path, {"general.name": name}, {"t": np.zeros(64, np.float32)})


def rename(path: Path, name: str) -> None:
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["general.name"] = name


def split(path: Path) -> None:
    """Write the shards of a model with two tensors beside it; the path is that of the first shard."""
    tensors = {"a": np.zeros(64, np.float32), "b": np.zeros(64, np.float32)}
    source = path.with_name("source.gguf")
    kaitai_gguf.write(source, {}, tensors)
    kaitai_gguf.split(source, path.with_name("m"), max_tensors=1, tensors_in_first=True, overwrite=True)


def killed(action: Callable[[], object], number: int = 1) -> None:
    """Kill a process that does something when it has written the n-th file, which has no name yet."""
    pid = os.fork()
    if not pid:
        calls = iter(range(1, 9))
        os.fsync = lambda _: next(calls) == number and os.kill(os.getpid(), signal.SIGKILL)
        try:
            action()
        finally:
            os._exit(1)
    assert os.WIFSIGNALED(os.waitpid(pid, 0)[1])


LONG = "m" * 250


@forks
@pytest.mark.parametrize(
    ("name", "number", "action"),
    [
        ("m.gguf", 1, write),
        (LONG, 1, write),
        ("m.gguf", 1, lambda path: rename(path, "y" * 100)),
        ("m.gguf", 1, lambda path: rename(path, "y" * 200)),
        ("m-00001-of-00002.gguf", 3, split),
    ],
    ids=["a new file", "a long name", "a journal", "a changed file", "shards"],
)
def test_the_next_write_removes_what_a_killed_one_left(
    tmp_path: Path, name: str, number: int, action: Callable[[Path], None]
) -> None:
    path = tmp_path / name
    write(path)
    killed(lambda: action(path), number)
    assert len(list(tmp_path.glob(".*.tmp"))) == (2 if "of" in name else 1)
    rename(path, "z" * 100)
    assert [each.name for each in tmp_path.iterdir() if each.name != "source.gguf"] == [name]


@forks
def test_the_files_of_a_live_process_are_kept(tmp_path: Path) -> None:
    """Names may look alike, but only the files of the locked target are removed."""
    names = ["m.gguf", "m.gguf.bak", "M.gguf", ".m.gguf", "m", "m.gguf.kaitai-gguf", LONG, LONG[:-1], "m" * 101]
    names += ["m-00001-of-00002.gguf", "m-00001-of-00003.gguf"]
    others = [".m.gguf.tmp", ".m.gguf.kaitai-gguf-.tmp", ".m.gguf.kaitai-gguf-0123456789abcdef.tmp.gguf"]
    for name in others:
        (tmp_path / name).touch()
    writers = [kaitai_gguf.Writer(tmp_path / name) for name in names]
    for name in [f"{name}." for name in names]:
        write(tmp_path / name)
    for writer in writers:
        writer.close()
    assert {path.name for path in tmp_path.iterdir()} == {*names, *(f"{name}." for name in names), *others}


@forks
def test_nothing_is_removed_without_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system without locks, another process may still write what looks left over."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "m.gguf"
    killed(lambda: write(path))
    write(path)
    assert len(list(tmp_path.glob(".*.tmp"))) == 1
