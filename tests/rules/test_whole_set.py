"""Damage of a set of shards is found when any shard is checked, and only the headers of the others are read."""

import errno
import os
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.commands import run
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, Finding, GGUFError, ShardError, check
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.sources.journal_recovery import journal_head, journal_of
from rules.cases import shard, shards

Files = dict[str, Model]
FIRST, SECOND, THIRD = shards(3)
RULES = {"shard-set", "shard-missing"}


def written(files: Files, folder: Path) -> list[Path]:
    for name, model in files.items():
        (folder / name).write_bytes(model.build())
    return [folder / name for name in files]


def found(path: Path) -> list[Finding]:
    return [finding for finding in check(path) if finding.rule in RULES]


def with_key(key: str, type: str, value: object, *names: str) -> Callable[[Files], None]:
    def damage(files: Files) -> None:
        for name in names:
            model = files[name]
            model.metadata = [row for row in model.metadata if row[0] != key] + [(key, type, value)]

    return damage


def names_differ(files: Files) -> None:
    with_key("general.name", "string", "a", FIRST)(files)
    with_key("general.name", "string", "b", SECOND)(files)


def missing(files: Files) -> None:
    del files[SECOND]


def foreign_tensor(files: Files) -> None:
    files[THIRD].tensors[0].name = files[SECOND].tensors[0].name


def fewer_tensors(files: Files) -> None:
    files[THIRD].tensors.clear()
    files[THIRD].data = b""


def with_layout(**layout: Any) -> Callable[[Files], None]:
    return lambda files: files.update({SECOND: replace(files[SECOND], **layout)})


def of_another(what: str, one: object, other: object, name: str = SECOND) -> str:
    return f"'{name}' is not a shard of the same model as '{FIRST}': its {what} is {one}, not {other}"


DAMAGES: dict[str, tuple[Callable[[Files], None], str]] = {
    "a name that differs": (names_differ, of_another("general.name", "'b'", "'a'")),
    "a missing file": (missing, f"1 of 3 shards is missing: '{SECOND}'"),
    "a tensor in two files": (
        foreign_tensor,
        f"'{THIRD}' has a tensor 'blk.1.attn_norm.weight', and so does '{SECOND}'",
    ),
    "a missing tensor": (fewer_tensors, f"the shards of '{FIRST}' have 3 tensors together"),
    "another count of tensors": (
        with_key("split.tensors.count", "int32", 5, THIRD),
        of_another("split.tensors.count", 5, 4, THIRD),
    ),
    "a number that another has": (
        with_key("split.no", "uint16", 1, THIRD),
        f"'{THIRD}' is shard 2 of 3 by its split.no, but is named like shard 3",
    ),
    "a file that can't be read": (with_layout(version=4), f"'{SECOND}' can't be read: version is 4"),
}


@pytest.mark.parametrize("name", DAMAGES)
def test_each_shard_reports_what_open_refuses(name: str, tmp_path: Path) -> None:
    damage, message = DAMAGES[name]
    files = shards(3)
    damage(files)
    paths = [path for path in written(files, tmp_path) if path.exists()]
    assert len(paths) >= 2
    for path in paths:
        with pytest.raises(GGUFError):
            kaitai_gguf.open(path)
        if name == "a file that can't be read" and path.name == SECOND:
            continue  # nothing else is known about this file
        findings = found(path)
        assert any(finding.message.startswith(message) for finding in findings), [each.message for each in findings]
        assert {(finding.offset, finding.path) for finding in findings} == {(0, "/")}


@pytest.mark.parametrize(
    ("damage", "message", "refused_by"),
    [
        (with_layout(byte_order="big"), of_another("byte order", "big", "little"), ("llama.cpp",)),
        (with_layout(version=2), of_another("version", 2, 3), ()),
    ],
)
def test_each_shard_reports_the_layout_of_others(
    damage: Callable[[Files], None], message: str, refused_by: tuple[str, ...], tmp_path: Path
) -> None:
    files = shards(3)
    damage(files)
    for path in written(files, tmp_path):
        (finding,) = found(path)
        assert (finding.message, finding.refused_by) == (message, refused_by)


def test_a_shard_of_another_model_by_its_count(tmp_path: Path) -> None:
    files = shards(3)
    with_key("split.count", "uint16", 4, SECOND)(files)
    first, second, third = written(files, tmp_path)
    for path in (first, third):
        assert of_another("split.count", 4, 3) in [finding.message for finding in found(path)]
    assert "shard-name" in {finding.rule for finding in check(second)}


def test_equal_values_of_other_types_are_no_damage(tmp_path: Path) -> None:
    files = shards(3)
    with_key("general.x", "uint8", 1, FIRST)(files)
    with_key("general.x", "float64", 1.0, SECOND)(files)
    with_key("general.y", "float32", float("nan"), FIRST, THIRD)(files)
    for path in written(files, tmp_path):
        kaitai_gguf.open(path)
        assert found(path) == []


NAN, OTHER_NAN = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("array", Array("string", ["1", "2"])), ("array", Array("int32", [1, 2]))),
        (("array", Array("array", [Array("string", ["1"])])), ("array", Array("array", [Array("int32", [1])]))),
        (("array", Array("int32", [1, 2])), ("int32", 1)),
        (("float32", NAN), ("float32", OTHER_NAN)),
        (("array", Array("float32", [NAN, 1])), ("array", Array("float32", [OTHER_NAN, 1]))),
    ],
)
def test_values_of_different_kinds_are_damage(one: tuple[str, Any], other: tuple[str, Any], tmp_path: Path) -> None:
    files = shards(3)
    with_key("general.x", *one, FIRST)(files)
    with_key("general.x", *other, THIRD)(files)
    for path in written(files, tmp_path):
        with pytest.raises(ShardError, match=r"00003.* is not a shard of the same model .*: its general\.x is"):
            kaitai_gguf.open(path)
        assert [finding.rule for finding in found(path)] == ["shard-set"]


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


def test_only_paths_have_other_shards(tmp_path: Path) -> None:
    (first,) = written({FIRST: shards(3)[FIRST]}, tmp_path)
    assert [finding.rule for finding in found(first)] == ["shard-missing"]
    assert [finding for finding in check(first.read_bytes()) if finding.rule in RULES] == []
    with first.open("rb") as file:
        assert [finding for finding in check(file) if finding.rule in RULES] == []


def test_a_path_without_a_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    files = shards(3)
    names_differ(files)
    written(files, tmp_path)
    monkeypatch.chdir(tmp_path)
    assert [finding.rule for finding in found(Path(FIRST))] == ["shard-set"]


def test_only_headers_are_read(tmp_path: Path) -> None:
    """Missing data of another shard is found only when that shard is checked."""
    files = shards(3)
    for path in written(files, tmp_path)[1:]:
        path.write_bytes(path.read_bytes()[:-128])
    assert found(tmp_path / FIRST) == []
    assert "missing-data" in {finding.rule for finding in check(tmp_path / SECOND)}


def test_a_count_is_never_counted_up_to(tmp_path: Path) -> None:
    model = shard(0, 2, 3)
    model.metadata = [row if row[0] != "split.count" else ("split.count", "uint64", 99_999) for row in model.metadata]
    path = tmp_path / "a-00001-of-99999.gguf"
    path.write_bytes(model.build())
    check(path)
    tracemalloc.start()
    (finding,) = found(path)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert finding.count == 99_998
    assert finding.message == (
        "99,998 of 99,999 shards are missing: "
        "'a-00002-of-99999.gguf', 'a-00003-of-99999.gguf', 'a-00004-of-99999.gguf' and 99,995 more"
    )
    assert peak < 1 << 20
    model.metadata = [row if row[0] != "split.count" else ("split.count", "uint64", 1 << 40) for row in model.metadata]
    path.write_bytes(model.build())
    (finding,) = found(path)
    assert finding.message.endswith(f"is one of 99999 shards by its name, but one of {1 << 40} by its split.count")
    assert "shard-name" in {finding.rule for finding in check(path)}


def test_many_tensors_in_two_files_are_one_finding(tmp_path: Path) -> None:
    files = shards(2)
    for model in files.values():
        model.tensors = [TensorSpec(f"t{number}", (0,), 0, 0) for number in range(100)]
        model.data = b""
    with_key("split.tensors.count", "int32", 100, *files)(files)
    for path in written(files, tmp_path):
        (finding,) = found(path)
        assert (finding.count, finding.message.endswith("(and 99 more like it)")) == (100, True)


def test_a_folder_that_can_not_be_listed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (first, *_) = written(shards(3), tmp_path)

    def refuse(path: str) -> list[str]:
        raise PermissionError(path)

    monkeypatch.setattr(os, "listdir", refuse)
    assert found(first) == []


@pytest.mark.parametrize(
    ("owner", "function", "error"),
    [
        (os, "listdir", OSError(errno.EMFILE, "Too many open files")),
        (Facts, "shard", FileError(errno.EMFILE, "Too many open files", "another")),
    ],
    ids=["folder", "shard"],
)
def test_too_many_open_files(
    owner: object, function: str, error: OSError, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """That is not a fact about the model."""
    (first, *_) = written(shards(3), tmp_path)

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(owner, function, fail)
    with pytest.raises(FileError, match="Too many open files"):
        found(first)
