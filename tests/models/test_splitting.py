"""Models split into several files, and merged again."""

import itertools
import shutil
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, strategies as st
from support.faults import fails_at, full_disk
from support.gguf_bytes import Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import FileError, ShardError, UnknownTypeError, diff, merge, plan_split, split

MODELS = Path(__file__).parents[1] / "data" / "models"
SOURCE = MODELS / "split-source.gguf"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


def parts(source: Path | bytes, folder: Path, **options: Any) -> list[Path]:
    return [Path(path) for path in split(source, folder / "model", **options)]


def test_the_shards_are_those_of_llama_cpp(tmp_path: Path) -> None:
    paths = parts(SOURCE, tmp_path, max_tensors=5)
    assert [path.name for path in paths] == [path.name.replace("split5", "model") for path in SPLIT]
    assert [path.read_bytes() for path in paths] == [path.read_bytes() for path in SPLIT]


@given(models(), st.integers(1, 3), st.booleans())
def test_any_model_there_and_back(
    tmp_path_factory: pytest.TempPathFactory, model: Model, max_tensors: int, tensors_in_first: bool
) -> None:
    folder = tmp_path_factory.mktemp("model")
    with kaitai_gguf.open(model.build()) as one:
        paths = split(one, folder / "x", max_tensors=max_tensors, tensors_in_first=tensors_in_first)
        with kaitai_gguf.open(paths) as shards:
            assert {each.key for each in diff(one, shards).keys} <= {"split.no", "split.count", "split.tensors.count"}
            assert {change for each in diff(one, shards).tensors for change in each.changes} <= {"offset"}
            if len(paths) > 1:
                merge(shards, folder / "merged.gguf")
                merged = diff(one, kaitai_gguf.open(folder / "merged.gguf"))
                assert merged.keys == ()
                assert {change for each in merged.tensors for change in each.changes} <= {"offset"}


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"max_tensors": 5}, [5, 5, 2]),
        ({"max_tensors": 12}, [12]),
        ({"max_tensors": 5, "tensors_in_first": False}, [0, 5, 5, 2]),
        # Padding counts towards the limit, metadata does not. A tensor above the limit gets its own shard.
        ({"max_nbytes": 3200}, [2, 2, 4, 2, 2]),
        ({"max_nbytes": 3199}, [1, 2, 4, 3, 2]),
        ({"max_nbytes": 1}, [1] * 12),
        ({"max_nbytes": 1 << 40, "tensors_in_first": False}, [0, 12]),
    ],
    ids=str,
)
def test_limits(options: dict[str, Any], expected: list[int]) -> None:
    assert [len(shard.tensors) for shard in plan_split(SOURCE, **options)] == expected


def test_shards_are_split_anew(tmp_path: Path) -> None:
    again = parts(SPLIT[0], tmp_path, max_tensors=4)
    assert len(again) == 3
    with kaitai_gguf.open(again[0]) as model:
        assert [len(file.tensors) for file in model.shards] == [4, 4, 4]
        merge(model, tmp_path / "merged.gguf")
    assert (tmp_path / "merged.gguf").read_bytes() == SOURCE.read_bytes()


def test_keys_of_an_earlier_split_are_dropped(tmp_path: Path) -> None:
    """llama.cpp's merge keeps these keys, with a count of 0."""
    model = Model([("split.count", "uint16", 0), ("k", "uint8", 1)], [TensorSpec("t", (4,), 24, 0)], bytes(4))
    (path,) = parts(model.build(), tmp_path, max_tensors=5)
    assert list(kaitai_gguf.open(path).metadata) == ["k", "split.no", "split.tensors.count", "split.count"]


def test_an_alignment_is_that_of_all_shards(tmp_path: Path) -> None:
    tensors = [TensorSpec("a", (4,), 24, 0), TensorSpec("b", (4,), 24, 64)]
    original = Model([("general.alignment", "uint32", 64)], tensors, bytes(128), alignment=64).build()
    first, _ = parts(original, tmp_path, max_tensors=1)
    with kaitai_gguf.open(first) as model:
        assert {file.alignment for file in model.shards} == {64}
        merge(model, tmp_path / "merged.gguf")
    assert (tmp_path / "merged.gguf").read_bytes() == original


# Failures


def test_nothing_is_overwritten_unasked(tmp_path: Path) -> None:
    there = tmp_path / "model-00002-of-00003.gguf"
    there.write_bytes(b"mine")
    with pytest.raises(FileError, match="already exists"):
        parts(SOURCE, tmp_path, max_tensors=5)
    assert {each.name: each.read_bytes() for each in tmp_path.iterdir()} == {there.name: b"mine"}
    assert len(parts(SOURCE, tmp_path, max_tensors=5, overwrite=True)) == 3


def test_one_file_replaces_the_file_that_it_is_made_from(tmp_path: Path) -> None:
    """Only a single one can: several can't be renamed at once."""
    (path,) = parts(SOURCE, tmp_path, max_tensors=50)
    before = path.read_bytes()
    assert parts(path, tmp_path, max_tensors=50, overwrite=True) == [path]
    assert path.read_bytes() == before


def test_shards_that_another_program_changed(tmp_path: Path) -> None:
    for path in SPLIT:
        shutil.copy(path, tmp_path / path.name.replace("split5", "model"))
    first = tmp_path / "model-00001-of-00003.gguf"
    with kaitai_gguf.open(first) as model:
        with kaitai_gguf.edit(first) as editor:
            editor.metadata["x.new"] = "x"
            editor.commit(rewrite=True)
        with pytest.raises(FileError, match="was changed by another program since it was opened"):
            split(model, tmp_path / "model", max_tensors=4, overwrite=True)
    with kaitai_gguf.open(first) as model:
        assert model.metadata["x.new"] == "x"


def test_an_error_at_any_step_leaves_no_half_of_a_set(tmp_path: Path) -> None:
    counts = set()
    for number in itertools.count(1):
        folder = tmp_path / str(number)
        folder.mkdir()
        if not fails_at(number, full_disk, lambda folder=folder: parts(SOURCE, folder, max_tensors=5)):
            break
        counts.add(len(list(folder.glob("*.gguf"))))
    assert counts == {0, 3}


def test_splits_and_merges_that_are_refused(tmp_path: Path) -> None:
    unknown = Model(tensors=[TensorSpec("new", (32,), 77, 0)], data=bytes(64)).build()
    with pytest.raises(UnknownTypeError, match="tensor 'new'"):
        split(unknown, tmp_path / "x", max_tensors=1)
    for options in ({}, {"max_nbytes": 1, "max_tensors": 1}):
        with pytest.raises(TypeError, match="max_nbytes or max_tensors"):
            plan_split(SOURCE, **options)
    for name in ("max_nbytes", "max_tensors"):
        with pytest.raises(ValueError, match="at least 1"):
            plan_split(SOURCE, **{name: 0})
    for path in (SOURCE, SPLIT[0]):
        with kaitai_gguf.open(path, shards=False) as model, pytest.raises(ShardError, match="is in one file"):
            merge(model, tmp_path / "x.gguf")
    assert list(tmp_path.iterdir()) == []


def test_the_first_shard_gets_the_quantization_version(tmp_path: Path) -> None:
    """It describes the tensors of all shards, and a merged file has it, too."""
    source = tmp_path / "source.gguf"
    tensors = [TensorSpec("plain", (32,), 24, 0), TensorSpec("blocks", (32,), 8, 32)]
    source.write_bytes(Model([("general.name", "string", "x")], tensors, bytes(96)).build())
    first, second = parts(source, tmp_path, max_tensors=1)
    with kaitai_gguf.open(first, shards=False) as one, kaitai_gguf.open(second, shards=False) as other:
        assert one.metadata["general.quantization_version"] == 2
        assert list(other.metadata) == ["split.no", "split.tensors.count", "split.count"]
    merge(first, tmp_path / "merged.gguf")
    assert [each.key for each in diff(source, tmp_path / "merged.gguf").keys] == ["general.quantization_version"]
