"""Replacing a set of shards: at any moment all shards are old, all are new, or the first is missing."""

import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, MissingShardError
from kaitai_gguf.sources import set_manifest

NAMES = [f"m-{number:05}-of-00003.gguf" for number in (1, 2, 3)]


def make(path: Path, value: int) -> None:
    kaitai_gguf.write(path, {"general.name": "m"}, {f"t{i}": np.full(64, value + i, np.float32) for i in range(6)})


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Return a folder with a set of three shards. A model to replace it is in `new.gguf` next to the folder."""
    folder = tmp_path / "models"
    folder.mkdir()
    for name, value in (("old", 0), ("new", 1000)):
        make(tmp_path / f"{name}.gguf", value)
    split(tmp_path / "old.gguf", folder)
    return folder


def split(path: Path, folder: Path) -> None:
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.split(model, folder / "m", max_tensors=2, overwrite=True)


def value_of(path: Path, **options: bool) -> list[float]:
    with kaitai_gguf.open(path, **options) as model:
        return [float(tensor.data[0]) for tensor in model.tensors.values()]


OLD, NEW = [0.0, 1, 2, 3, 4, 5], [1000.0, 1001, 1002, 1003, 1004, 1005]


def seen_by_others(folder: Path) -> Any:
    """Return what a program reads that knows only the file names, or None if a shard is missing."""
    if not all((folder / name).exists() for name in NAMES):
        return None
    return [value for name in NAMES for value in value_of_one(folder / name)]


def value_of_one(path: Path) -> list[float]:
    with kaitai_gguf.open(path.read_bytes()) as model:
        return [float(tensor.data[0]) for tensor in model.tensors.values()]


def test_the_steps(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After each step, this library reads one of the two models, and other programs read one or none."""
    found: list[tuple[Any, Any]] = []

    def look(name: str) -> None:
        original = getattr(os, name)

        def step(*args: Any, **options: Any) -> Any:
            result = original(*args, **options)
            found.append((value_of(folder / NAMES[0]), seen_by_others(folder)))
            assert value_of(folder / NAMES[2]) == found[-1][0]
            return result

        monkeypatch.setattr(os, name, step)

    for name in ("replace", "unlink", "link"):
        look(name)
    split(tmp_path / "new.gguf", folder)
    monkeypatch.undo()
    assert found[0] == (OLD, OLD) or found[0] == (NEW, OLD)
    assert found[-1] == (NEW, NEW)
    assert {tuple(each) for each, _ in found} <= {tuple(OLD), tuple(NEW)}
    assert [each for _, each in found if each is not None and each not in (OLD, NEW)] == []
    assert None in [each for _, each in found]
    assert sorted(path.name for path in folder.iterdir()) == NAMES


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_killed_at_any_step(folder: Path, tmp_path: Path) -> None:
    seen = set()
    for number in range(1, 40):
        split(tmp_path / "old.gguf", folder)
        if not killed_at(number, tmp_path / "new.gguf", folder):
            break
        found = value_of(folder / NAMES[0])
        assert found in (OLD, NEW)
        assert seen_by_others(folder) in (None, OLD, NEW)
        assert value_of(folder / NAMES[1], shards=False) == found[2:4]
        seen.add((found == NEW, seen_by_others(folder) is None))
        if number % 2:  # the next edit completes the set
            with kaitai_gguf.edit(folder / NAMES[0]) as editor:
                editor.metadata["x.new"] = "x" * 100
            assert (value_of(folder / NAMES[0]), seen_by_others(folder)) == (found, found)
    else:
        raise AssertionError("the split has more steps than this test tries")
    assert seen >= {(False, False), (True, True), (True, False)}


def killed_at(number: int, path: Path, folder: Path) -> bool:
    """Run a split that is killed at its n-th call to rename, remove or link. Return whether it was killed."""
    pid = os.fork()
    if not pid:
        count = 0

        def audit(event: str, args: Any) -> None:
            nonlocal count
            if event in ("os.rename", "os.remove", "os.link"):
                count += 1
                if count == number:
                    os.kill(os.getpid(), signal.SIGKILL)

        try:
            sys.addaudithook(audit)
            split(path, folder)
            os._exit(0)
        finally:
            os._exit(1)
    status = os.waitpid(pid, 0)[1]
    assert os.WIFSIGNALED(status) or status == 0
    return os.WIFSIGNALED(status)


def test_a_reader_is_not_given_shards_of_two_models(
    folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The set is replaced after its first shard was opened, and before the second."""
    from kaitai_gguf.reading import shards

    opened, calls = shards._open_shard, []

    def open_shard(path: str, open_one: Any) -> kaitai_gguf.GGUFFile:
        if path.endswith(tuple(NAMES)):
            calls.append(path)
            if len(calls) == 1:
                split(tmp_path / "new.gguf", folder)
        return opened(path, open_one)

    monkeypatch.setattr(shards, "_open_shard", open_shard)
    assert value_of(folder / NAMES[0]) == NEW
    assert len(calls) == 4


def test_missing_shards_are_missing(folder: Path) -> None:
    (folder / NAMES[1]).unlink()
    with pytest.raises(MissingShardError, match="00002-of-00003"):
        kaitai_gguf.open(folder / NAMES[0])
    with pytest.raises(FileNotFoundError):
        kaitai_gguf.open(folder / NAMES[1])


TEMPORARY = ".m-00001-of-00003.gguf.kaitai-gguf-0123456789abcdef.tmp"  # of any shard


def manifest_with(folder: Path, files: object, version: int = 1) -> Path:
    manifest = set_manifest.manifest_of(folder / NAMES[0])
    assert manifest is not None
    manifest.write_text(json.dumps({"version": version, "files": files}))
    return manifest


def everything_in(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize(
    "files",
    [
        "x",
        ["x"],
        {NAMES[0]: 7},
        {NAMES[0]: "../../secret"},
        {NAMES[0]: "/etc/.passwd"},
        {NAMES[0]: ".."},
        {NAMES[0]: ".env"},
        {NAMES[0]: ".a\0b"},
        {NAMES[0]: ".\ud800"},
        {NAMES[0]: f"{TEMPORARY}\n"},
        {NAMES[0]: TEMPORARY, NAMES[1]: ".env"},
        {"another.gguf": ".another.gguf.kaitai-gguf-0123456789abcdef.tmp"},
        {"../m-00001-of-00003.gguf": TEMPORARY},
        {NAMES[0] + "\0": TEMPORARY},
        {"m-00001-of-00004.gguf": ".m-00001-of-00004.gguf.kaitai-gguf-0123456789abcdef.tmp"},
    ],
    ids=str,
)
def test_a_manifest_with_other_names(folder: Path, files: object) -> None:
    """Such a manifest is ignored: it could rename any file of a user who downloaded it."""
    manifest_with(folder, files)
    for name in (".env", ".another.gguf.kaitai-gguf-0123456789abcdef.tmp", TEMPORARY):
        (folder / name).write_bytes(b"not to be touched")
    before = everything_in(folder)
    assert set_manifest.current(folder / NAMES[0]) == folder / NAMES[0]
    assert not set_manifest.is_published(str(folder / NAMES[0]))
    assert value_of(folder / NAMES[0]) == OLD
    set_manifest.complete(folder / NAMES[0])
    assert everything_in(folder) == before


@pytest.mark.parametrize("text", ["", "{", "[]", "[" * 400, '{"version": 2, "files": {}}', " " * 400], ids=repr)
def test_a_manifest_that_is_not_one_of_ours(folder: Path, text: str) -> None:
    manifest_with(folder, {}).write_text(text)
    set_manifest.complete(folder / NAMES[0])
    assert value_of(folder / NAMES[0]) == OLD


def test_a_manifest_that_is_too_large(folder: Path) -> None:
    """It can only be as large as the names of three shards."""
    names = dict.fromkeys(NAMES, TEMPORARY)
    manifest = manifest_with(folder, names)
    assert set_manifest.is_published(str(folder / NAMES[0]))
    manifest.write_text(manifest.read_text() + "\n" * 3)
    assert not set_manifest.is_published(str(folder / NAMES[0]))


@pytest.mark.parametrize("kind", ["folder", "link"])
def test_a_temporary_file_that_is_not_a_file(folder: Path, kind: str) -> None:
    manifest_with(folder, {NAMES[0]: TEMPORARY})
    if kind == "folder":
        (folder / TEMPORARY).mkdir()
    else:
        (folder / TEMPORARY).symlink_to(folder.parent / "new.gguf")
    assert set_manifest.current(folder / NAMES[0]) == folder / NAMES[0]
    set_manifest.complete(folder / NAMES[0])
    assert value_of(folder / NAMES[0]) == OLD
    assert os.path.lexists(folder / TEMPORARY)


def test_a_command_in_a_folder_with_a_hostile_manifest(folder: Path) -> None:
    manifest_with(folder, {NAMES[0]: ".x", NAMES[1]: ".env"})
    (folder / ".env").write_text("SECRET=1")
    with kaitai_gguf.edit(folder / NAMES[0]) as editor:
        editor.metadata["general.name"] = "new"
    assert (folder / ".env").read_text() == "SECRET=1"
    assert value_of(folder / NAMES[0]) == OLD


def test_a_manifest_that_cannot_be_read(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is an error, and the manifest stays: otherwise the new set would be lost."""
    manifest = manifest_with(folder, dict.fromkeys(NAMES, TEMPORARY))

    def fail(*_: Any, **__: Any) -> str:
        raise OSError(24, "Too many open files")

    monkeypatch.setattr(Path, "read_text", fail)
    for action in (
        lambda: set_manifest.complete(folder / NAMES[1]),
        lambda: kaitai_gguf.open(folder / NAMES[1]),
        lambda: kaitai_gguf.edit(folder / NAMES[1]),
    ):
        with pytest.raises(FileError, match="can't be read: Too many open files"):
            action()
    assert manifest.exists()


def test_a_manifest_whose_files_are_gone(folder: Path) -> None:
    manifest = manifest_with(folder, dict.fromkeys(NAMES, TEMPORARY))
    assert value_of(folder / NAMES[0]) == OLD
    set_manifest.complete(folder / NAMES[1])
    assert (value_of(folder / NAMES[0]), manifest.exists()) == (OLD, False)


def test_a_new_set_needs_no_manifest(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make(tmp_path / "old.gguf", 0)
    monkeypatch.setattr(set_manifest, "write_manifest", lambda staged: pytest.fail("a manifest was written"))
    with kaitai_gguf.open(tmp_path / "old.gguf") as model:
        kaitai_gguf.split(model, tmp_path / "m", max_tensors=2)
    assert value_of(tmp_path / NAMES[0]) == OLD


def test_names_as_long_as_they_get(folder: Path, tmp_path: Path) -> None:
    """With this prefix, the name of the manifest has 255 bytes; that of its temporary file must not be longer."""
    prefix = folder / ("n" * 218)
    for name in ("old", "new"):
        with kaitai_gguf.open(tmp_path / f"{name}.gguf") as model:
            first, *_ = kaitai_gguf.split(model, prefix, max_tensors=2, overwrite=True)
    assert len(os.fsencode(set_manifest.manifest_of(Path(first)).name)) == 255  # type: ignore[union-attr]
    assert value_of(Path(first)) == NEW


@pytest.mark.parametrize("prefix", ["é" * 60, "\U0001f600" * 45, 'a"\\' * 30, "\udcff" * 150, "a\n"])
def test_names_that_json_escapes(folder: Path, tmp_path: Path, prefix: str) -> None:
    """The names take up to six times as many bytes in the manifest."""
    try:
        (folder / prefix).touch()
    except OSError:
        pytest.skip("the file system has no such names")
    for name in ("old", "new"):
        with kaitai_gguf.open(tmp_path / f"{name}.gguf") as model:
            first, *_ = kaitai_gguf.split(model, folder / prefix, max_tensors=2, overwrite=True)
    assert value_of(Path(first)) == NEW
    assert not [path for path in folder.iterdir() if path.name.startswith(".")]


def test_two_who_split_to_the_same_place(folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from kaitai_gguf.sources import locks

    monkeypatch.setattr(locks, "WAIT", 0.02)
    monkeypatch.setattr(locks.WriterLock.__init__, "__defaults__", (0.02,))
    with locks.WriterLock(folder / NAMES[2]), pytest.raises(FileError, match="is being written by another program"):
        split(tmp_path / "new.gguf", folder)
    assert value_of(folder / NAMES[0]) == OLD
