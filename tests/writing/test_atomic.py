"""Files appear complete or not at all: staging, writers, and what killed processes leave."""

import errno
import gc
import os
import signal
import stat
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from support.faults import child, forks

import kaitai_gguf
from kaitai_gguf import FileError, Writer
from kaitai_gguf.writing.atomic import Staging, real_path

ARRAY = np.arange(64, dtype=np.float32)


def write(path: Path, name: str = "x" * 100) -> None:
    kaitai_gguf.write(path, {"general.name": name}, {"t": ARRAY})


def refuse(*_: object) -> None:
    raise OSError(errno.EIO, "Input/output error")


# Paths


@pytest.mark.skipif(os.name == "nt", reason="Windows does not delete the current folder")
def test_current_folder_that_is_deleted(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    monkeypatch.chdir(gone)
    gone.rmdir()
    with pytest.raises(FileError, match="relative to the current folder, which no longer exists"):
        real_path("model.gguf")
    monkeypatch.chdir(tmp_path)  # so that pytest can restore the folder


@pytest.mark.parametrize("overwrite", [False, True])
def test_targets_that_cannot_be(tmp_path: Path, overwrite: bool) -> None:
    folder, file = tmp_path / "folder", tmp_path / "file"
    folder.mkdir()
    file.write_bytes(b"mine")
    for path, message, name in (
        (folder, "is not a regular file, and can't be overwritten" if overwrite else "already exists", folder),
        (tmp_path / "missing" / "one", "no such folder", tmp_path / "missing"),
        (file / "one", "is not a folder", file),
    ):
        with pytest.raises(FileError, match=message) as caught:
            Staging(overwrite).create(path)
        assert caught.value.filename == str(name)
    staging = Staging(overwrite)
    staging.create(tmp_path / "first")
    staging.create(tmp_path / ("x" * 300))  # the name of the temporary file is shorter
    with pytest.raises(FileError, match="xxx") as caught:
        staging.commit()
    assert caught.value.errno == errno.ENAMETOOLONG
    assert sorted(tmp_path.iterdir()) == [file, folder]


@pytest.mark.parametrize("protected", ["file", "folder"])
def test_write_protected_targets(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, protected: str) -> None:
    """A rename could replace a write-protected file, but an edit in place could not change it. Both are refused."""
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")
    # root has access to all files
    monkeypatch.setattr(os, "access", lambda path, mode: Path(path).is_dir() == (protected == "file"))
    with pytest.raises(PermissionError, match=r"no permission to write the file|write-protected"):
        write(path)
    assert path.read_bytes() == b"mine"
    assert list(tmp_path.iterdir()) == [path]


# Files that appear


def test_files_appear_when_all_are_complete(tmp_path: Path) -> None:
    one, other = tmp_path / "folder" / "one", tmp_path / "folder" / "other"
    for is_complete in (False, True):
        staging = Staging(False)
        for _ in range(2):
            staging.folder(tmp_path / "folder")
        staging.create(one).write(b"1")
        with staging.file(other) as file:
            file.write(b"2")
        assert not one.exists()
        assert not other.exists()
        staging.__exit__(None if is_complete else ZeroDivisionError)
        assert (tmp_path / "folder").exists() == is_complete
    assert (one.read_bytes(), other.read_bytes(), len(list(one.parent.iterdir()))) == (b"1", b"2", 2)
    with pytest.raises(FileError, match="is not a folder"):
        Staging(False).folder(one)


@pytest.mark.parametrize("mode", [None, 0o600, 0o751])
def test_permissions_and_attributes_are_kept(tmp_path: Path, mode: int | None) -> None:
    path, usual = tmp_path / "one", tmp_path / "usual"
    usual.touch()
    has_attributes = False
    if mode is not None:
        path.write_bytes(b"mine")
        path.chmod(mode)
        try:
            os.setxattr(path, "user.origin", b"https://example.org")
            has_attributes = True
        except (OSError, AttributeError):
            pass
    with Staging(True) as staging:
        staging.create(path).write(b"1")
        (temporary,) = tmp_path.glob(".*.tmp")
        expected = stat.S_IMODE(usual.stat().st_mode) if mode is None else mode
        assert stat.S_IMODE(temporary.stat().st_mode) == expected
    assert (path.read_bytes(), stat.S_IMODE(path.stat().st_mode)) == (b"1", expected)
    assert not has_attributes or os.getxattr(path, "user.origin") == b"https://example.org"


@pytest.mark.parametrize("refusal", [0, errno.EPERM, errno.EIO])
@pytest.mark.parametrize("is_taken", [False, True])
def test_a_new_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, refusal: int, is_taken: bool) -> None:
    """Another program may create the file after the last check. Not all file systems have links."""
    path, link = tmp_path / "one", os.link

    def late(source: Path, target: Path) -> None:
        if is_taken:
            target.write_bytes(b"theirs")
        if refusal:
            raise OSError(refusal, os.strerror(refusal))
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    if refusal == errno.EIO:
        monkeypatch.setattr(os, "replace", refuse)
    staging = Staging(False)
    staging.create(path).write(b"mine")
    if is_taken or refusal == errno.EIO:
        with pytest.raises(FileError, match="already exists" if is_taken else "Input/output error"):
            staging.commit()
        assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"theirs"] * is_taken
    else:
        staging.commit()
        assert [each.read_bytes() for each in tmp_path.iterdir()] == [b"mine"]


# Writers


def test_a_file_is_replaced_when_a_writer_is_closed(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    for is_complete in (False, True):
        path.write_bytes(b"mine")
        writer = Writer(path)
        writer.add_tensor("t", (1 << 20,), np.int8)
        writer.write_tensor("t", bytes(1 << 20))
        assert path.read_bytes() == b"mine"
        writer.__exit__(None if is_complete else ZeroDivisionError)
        assert (path.read_bytes() == b"mine") != is_complete
        assert list(tmp_path.iterdir()) == [path]
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # it is not forgotten
        del writer
        gc.collect()


def test_a_writer_that_nobody_closes(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")
    with pytest.warns(ResourceWarning, match="unclosed Writer of .*model.gguf: nothing was written"):
        Writer(path)  # no reference is left
    code = f"import kaitai_gguf, sys; sys.modules['keep'] = kaitai_gguf.Writer({str(path)!r})"
    done = subprocess.run([sys.executable, "-Wall", "-c", code], capture_output=True, text=True, check=True)
    assert "ResourceWarning: unclosed Writer of " in done.stderr
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"mine", [path])


@forks
@pytest.mark.parametrize("leave", ["writer.abort()", "del writer; gc.collect()", "sys.exit()", "os._exit(0)"])
def test_a_fork_that_leaves_the_block_of_a_writer(tmp_path: Path, leave: str) -> None:
    """Neither the child's buffers nor its cleanup affect the file."""
    code = (
        "import gc, kaitai_gguf, os, sys\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    for name in 'xy':\n"
        "        writer.add_tensor(name, (4,), 'I8')\n"
        "    writer.write_tensor('x', b'1234')\n"
        "    if os.fork() == 0:\n"
        f"        {leave}\n"
        "        os._exit(0)\n"
        "    assert os.wait()[1] == 0\n"
        "    writer.write_tensor('y', b'5678')\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    with kaitai_gguf.open(tmp_path / "x") as model:
        assert [tensor.data.tobytes() for tensor in model.tensors.values()] == [b"1234", b"5678"]
    assert len(list(tmp_path.iterdir())) == 1


@forks
def test_a_fork_can_not_complete_a_file(tmp_path: Path) -> None:
    def run() -> None:
        with pytest.raises(FileError, match="can only be completed by the process that created it"):
            writer.close()

    with Writer(tmp_path / "x") as writer:
        assert child(run) == 0
    assert kaitai_gguf.open(tmp_path / "x").version == 3


# What killed processes leave


def rename(path: Path, name: str) -> None:
    with kaitai_gguf.edit(path) as editor:
        editor.metadata["general.name"] = name


def split(path: Path) -> None:
    """Write the shards of a model with two tensors beside it; the path is that of the first shard."""
    source = path.with_name("source.gguf")
    kaitai_gguf.write(source, {}, {"a": ARRAY, "b": ARRAY})
    kaitai_gguf.split(source, path.with_name("m"), max_tensors=1, tensors_in_first=True, overwrite=True)


def kill(action: Callable[[], object], number: int = 1) -> None:
    """Kill a process that does something when it has written the n-th file, which has no name yet."""

    def run() -> None:
        calls = iter(range(1, 9))
        os.fsync = lambda _: next(calls) == number and os.kill(os.getpid(), signal.SIGKILL)
        action()

    assert child(run) == -signal.SIGKILL


LONG = "m" * 250


@forks
@pytest.mark.parametrize(
    ("name", "number", "action"),
    [
        (LONG, 1, write),
        ("m[1]*?.gguf", 1, lambda path: rename(path, "y" * 100)),
        ("m.gguf", 1, lambda path: rename(path, "y" * 200)),
        ("m-00001-of-00002.gguf", 3, split),
    ],
    ids=["a new file", "a journal", "a changed file", "shards"],
)
def test_the_next_write_removes_what_a_killed_one_left(
    tmp_path: Path, name: str, number: int, action: Callable[[Path], None]
) -> None:
    path = tmp_path / name
    write(path)
    kill(lambda: action(path), number)
    assert len(list(tmp_path.glob(".*.tmp"))) == (2 if "of" in name else 1)
    rename(path, "z" * 100)
    assert [each.name for each in tmp_path.iterdir() if each.name != "source.gguf"] == [name]


def test_the_files_of_other_writers_are_kept(tmp_path: Path) -> None:
    """Names may look alike, but only the files of the locked target are removed."""
    names = ["m.gguf", "m.gguf.bak", "M.gguf", ".m.gguf", "m", "m.gguf.kaitai-gguf", LONG, LONG[:-1], "m" * 101]
    names += ["m-00001-of-00002.gguf", "m-00001-of-00003.gguf"]
    others = [".m.gguf.tmp", ".m.gguf.kaitai-gguf-.tmp", ".m.gguf.kaitai-gguf-0123456789abcdef.tmp.gguf"]
    others += [".m.gguf..kaitai-gguf-lock"]  # of a killed process
    for name in others:
        (tmp_path / name).touch()
    writers = [Writer(tmp_path / name) for name in names]
    for name in [f"{name}." for name in names]:
        write(tmp_path / name)
    for writer in writers:
        writer.close()
    assert {path.name for path in tmp_path.iterdir()} == {*names, *(f"{name}." for name in names), *others[:-1]}


@forks
def test_nothing_is_removed_without_a_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """On a file system without locks, another process may still write what looks left over."""
    fcntl = pytest.importorskip("fcntl")

    def refuse(*_: object) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = tmp_path / "m.gguf"
    kill(lambda: write(path))
    write(path)
    assert len(list(tmp_path.glob(".*.tmp"))) == 1
