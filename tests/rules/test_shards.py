"""Damage of a set of shards is found when any shard is checked, and only the headers of the others are read."""

import errno
import os
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

import numpy as np
import pytest
from support.commands import run
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, Finding, GGUFError, check
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.sources.journal_recovery import journal_head, journal_of
from rules.build import shard, shards, with_key

Files = dict[str, Model]
FIRST, SECOND, THIRD = shards(3)
NAN, OTHER_NAN = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)


def written(files: Files, folder: Path) -> list[Path]:
    for name, model in files.items():
        (folder / name).write_bytes(model.build())
    return [folder / name for name in files]


def found(path: Path) -> list[Finding]:
    return [finding for finding in check(path) if finding.rule in ("shard-set", "shard-missing")]


def keys(key: str, **values: tuple[str, Any]) -> Callable[[Files], None]:
    """Return what sets a key in some shards: `first`, `second` or `third`."""

    def damage(files: Files) -> None:
        for which, (type, value) in values.items():
            with_key(key, type, value, files[{"first": FIRST, "second": SECOND, "third": THIRD}[which]])

    return damage


def foreign_tensor(files: Files) -> None:
    files[THIRD].tensors[0].name = files[SECOND].tensors[0].name


def fewer_tensors(files: Files) -> None:
    files[THIRD].tensors.clear()
    files[THIRD].data = b""


def layout(**changes: Any) -> Callable[[Files], None]:
    return lambda files: vars(files[SECOND]).update(changes)


def differs(what: str, one: object, other: object, name: str = SECOND) -> str:
    return f"'{name}' is not a shard of the same model as '{FIRST}': its {what} is {one}, not {other}"


ONE, TWO = Array("string", ["1", "2"]), Array("int32", [1, 2])
NESTED = [Array("array", [Array("string", ["1"])]), Array("array", [Array("int32", [1])])]
MIXED = differs("general.x", "", "", THIRD).partition(" is , ")[0]
DAMAGES: dict[str, tuple[Callable[[Files], object], str, tuple[str, ...] | None]] = {
    "a name": (keys("general.name", first=("string", "a"), second=("string", "b")),
               differs("general.name", "'b'", "'a'"), ()),
    "strings and numbers": (keys("general.x", first=("array", ONE), third=("array", TWO)), MIXED, ()),
    "nested types": (keys("general.x", first=("array", NESTED[0]), third=("array", NESTED[1])), MIXED, ()),
    "an array and a number": (keys("general.x", first=("array", TWO), third=("int32", 1)), MIXED, ()),
    "bits of a NaN": (keys("general.x", first=("float32", NAN), third=("float32", OTHER_NAN)), MIXED, ()),
    "a count of tensors": (keys("split.tensors.count", third=("int32", 5)),
                           differs("split.tensors.count", 5, 4, THIRD), None),
    "a missing file": (lambda files: files.pop(SECOND), f"1 of 3 shards is missing: '{SECOND}'", None),
    "a tensor in two files": (foreign_tensor,
                              f"'{THIRD}' has a tensor 'blk.1.attn_norm.weight', and so does '{SECOND}'", None),
    "a missing tensor": (fewer_tensors, f"the shards of '{FIRST}' have 3 tensors together", None),
    "a number": (keys("split.no", third=("uint16", 1)),
                 f"'{THIRD}' is shard 2 of 3 by its split.no, but is named like shard 3", None),
    "a count": (keys("split.count", second=("uint16", 4)), differs("split.count", 4, 3), None),
    "byte order": (layout(byte_order="big"), differs("byte order", "big", "little"), ("llama.cpp",)),
    "version": (layout(version=2), differs("version", 2, 3), ()),
    "a file that can't be read": (layout(version=4), f"'{SECOND}' can't be read: version is 4", ("llama.cpp",)),
}  # fmt: skip
SILENT = {("a file that can't be read", SECOND), ("a count", SECOND)}  # their own rules report these


@pytest.mark.parametrize("name", DAMAGES)
def test_each_shard_reports_what_open_refuses(name: str, tmp_path: Path) -> None:
    damage, message, refused_by = DAMAGES[name]
    files = shards(3)
    damage(files)
    paths = written(files, tmp_path)
    assert len(paths) >= 2
    for path in paths:
        with pytest.raises(GGUFError) as caught:
            kaitai_gguf.open(path)
        if (name, path.name) not in SILENT:
            refusal = str(caught.value).replace(f"{tmp_path}{os.sep}", "")
            assert message.replace(" can't be read", "") in refusal or name == "a missing file"
            findings = found(path)
            (finding, *_) = [finding for finding in findings if finding.message.startswith(message)]
            assert refused_by in (None, finding.refused_by)
            assert {(finding.offset, finding.path) for finding in findings} == {(0, "/")}


def test_equal_values_of_other_types_and_data_missing_elsewhere_are_no_damage(tmp_path: Path) -> None:
    """Of the other shards, only the headers are read."""
    files = shards(3)
    keys("general.x", first=("uint8", 1), second=("float64", 1.0))(files)
    keys("general.y", first=("float32", NAN), third=("float32", NAN))(files)
    files[THIRD].data = b""
    for path in written(files, tmp_path):
        kaitai_gguf.open(path)
        assert found(path) == []


def test_an_interrupted_edit_of_any_shard(tmp_path: Path) -> None:
    first, second, third = written(shards(3), tmp_path)
    header = second.read_bytes()[:100]
    journal_of(second).write_bytes(journal_head(second.stat().st_size, header) + header)
    second.write_bytes(b"GGU~" + second.read_bytes()[4:])
    with kaitai_gguf.open(first) as model:
        for source in (first, third, model):
            (finding,) = (each for each in check(source) if each.rule == "interrupted-edit")
            assert finding.message.startswith(f"an edit of '{SECOND}' was interrupted")
            assert (finding.path, finding.refused_by) == ("/", ("llama.cpp",))
    (finding,) = (each for each in check(second) if each.rule == "interrupted-edit")
    assert (finding.path, "ggml" in finding.refused_by) == ("/magic", True)
    assert run("set", str(second), "split.no=1", "--in-place").exit_code == 0  # the fix in docs/rules.md
    assert "interrupted-edit" not in {each.rule for path in (first, second, third) for each in check(path)}


def test_only_paths_have_other_shards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first,) = written({FIRST: shards(3)[FIRST]}, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert [finding.rule for finding in found(first)] == ["shard-missing"] == [each.rule for each in found(Path(FIRST))]
    rules = {finding.rule for source in (first.read_bytes(), first.open("rb")) for finding in check(source)}
    assert rules.isdisjoint({"shard-missing", "shard-set"})


def test_a_count_is_never_counted_up_to(tmp_path: Path) -> None:
    path, model = tmp_path / "a-00001-of-99999.gguf", shard(0, 2, 3)
    path.write_bytes(with_key("split.count", "uint64", 99_999, model).build())
    check(path)
    tracemalloc.start()
    (finding,) = found(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert (finding.count, peak < 1 << 20) == (99_998, True)
    assert finding.message.startswith("99,998 of 99,999 shards are missing: 'a-00002-of-99999.gguf', ")
    assert finding.message.endswith(", 'a-00004-of-99999.gguf' and 99,995 more")
    path.write_bytes(with_key("split.count", "uint64", 1 << 40, model).build())
    (finding,) = found(path)
    assert finding.message.endswith(f"is one of 99999 shards by its name, but one of {1 << 40} by its split.count")


def test_many_tensors_in_two_files_are_one_finding(tmp_path: Path) -> None:
    files = shards(2)
    for model in files.values():
        model.tensors, model.data = [TensorSpec(f"t{number}", (0,), 0, 0) for number in range(100)], b""
        with_key("split.tensors.count", "int32", 100, model)
    for path in written(files, tmp_path):
        (finding,) = found(path)
        assert (finding.count, finding.message.endswith("(and 99 more like it)")) == (100, True)


UNREADABLE = FileError(errno.EACCES, "Permission denied", "another")
TOO_MANY = FileError(errno.EMFILE, "Too many open files", "another")


@pytest.mark.parametrize(
    ("owner", "function", "error", "messages"),
    [
        (os, "listdir", PermissionError("folder"), set()),
        (os, "listdir", OSError(errno.EMFILE, "Too many open files"), None),
        (Facts, "shard", UNREADABLE, {f"'{name}' can't be read: Permission denied" for name in (FIRST, SECOND, THIRD)}),
        (Facts, "shard", TOO_MANY, None),
    ],
)
def test_what_can_not_be_read(
    owner: Any, function: str, error: OSError, messages: set[str] | None, tmp_path: Path
) -> None:
    """Too many open files are not a fact about the model: that raises."""
    (first, *_) = written(shards(3), tmp_path)
    with patch.object(owner, function, side_effect=error):
        if messages is None:
            with pytest.raises(FileError, match="Too many open files"):
                found(first)
        else:
            assert {finding.message for finding in found(first)} == messages
