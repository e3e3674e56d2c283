"""Models in several files, read as one."""

import shutil
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.gguf_bytes import Array, Model
from support.remote_models import shard_model

import kaitai_gguf
from kaitai_gguf import MissingShardError, ShardError, shard_names
from kaitai_gguf.sources import Source, locks

MODELS = Path(__file__).parents[1] / "data" / "models"
SPLIT = [MODELS / f"split5-0000{number}-of-00003.gguf" for number in (1, 2, 3)]

Change = Callable[[list[Model]], object]


@pytest.fixture
def shards() -> list[Model]:
    return [shard_model(number, 3) for number in range(3)]


def save(models: list[Model], folder: Path, name: str = "model-{:05d}-of-{:05d}.gguf") -> list[Path]:
    paths = [folder / name.format(number, len(models)) for number in range(1, len(models) + 1)]
    for path, model in zip(paths, models, strict=True):
        path.write_bytes(model.build())
    return paths


def is_one_file(source: Any, **options: Any) -> bool:
    with kaitai_gguf.open(source, **options) as model:
        return model.shards == (model,) and all(model.file_of(name) is model for name in model.tensors)


# The model


@pytest.mark.parametrize("source", [*SPLIT, MODELS / "split5-*.gguf", SPLIT[::-1], tuple(SPLIT)], ids=str)
def test_a_split_model_reads_as_before(source: Any) -> None:
    with kaitai_gguf.open(source) as model, kaitai_gguf.open(MODELS / "split-source.gguf") as whole:
        assert list(model.tensors) == list(whole.tensors)
        for name, tensor in whole.tensors.items():
            own = model.tensors[name]
            assert (own.type, own.dims, own.data.tobytes()) == (tensor.type, tensor.dims, tensor.data.tobytes())
            assert own is model.file_of(name).tensors[name]
        assert list(model.tensors.values()) == [model.tensors[name] for name in model.tensors]
        added = {"split.no", "split.count", "split.tensors.count"}
        assert [key for key in model.metadata if key not in added] == list(whole.metadata)
        assert {model.metadata.raw(key) == whole.metadata.raw(key) for key in whole.metadata} == {True}
        assert [file.name for file in model.shards] == list(map(str, SPLIT))
        for missing in (model, model.shards[1]):
            with pytest.raises(kaitai_gguf.TensorNotFound, match="'nope' in"):
                missing.file_of("nope")


@pytest.mark.parametrize("mmap", [True, False])
def test_facts_are_those_of_the_first_shard_and_sizes_those_of_all(mmap: bool) -> None:
    with kaitai_gguf.open(SPLIT[1], mmap=mmap) as model, kaitai_gguf.open(SPLIT[0], shards=False) as first:
        for fact in ("name", "version", "byte_order", "alignment", "data_offset", "header_nbytes"):
            assert getattr(model, fact) == getattr(first, fact)
        tensors, data = model.tensors, model.tensors["blk.0.ffn_up.weight"].data
        assert tensors.data_offset == first.tensors.data_offset
        assert tensors.data_nbytes == sum(file.tensors.data_nbytes for file in model.shards)
        assert model.nbytes == sum(path.stat().st_size for path in SPLIT)
        assert repr(model).endswith("12 tensors in 3 shards>")
        before = data.tobytes()
    assert all(file.closed for file in (model, *model.shards))
    assert data.tobytes() == before
    for use in (lambda: "x" in tensors, lambda: list(tensors), lambda: tensors["blk.0.ffn_up.weight"]):
        with pytest.raises(kaitai_gguf.ClosedError):
            use()


def test_alignments_and_spellings_of_names(shards: list[Model], tmp_path: Path) -> None:
    shards[0].metadata.append(("general.alignment", "uint32", 64))
    shards[0].alignment = 64
    shards[1].tensors[0].name = "é"
    with kaitai_gguf.open(save(shards, tmp_path)[2]) as model:
        assert model.alignment == 64
        assert model.tensors["é"].data.tolist() == [[1] * 32] * 4
        assert model.tensors["\udcc3\udca9"] is model.tensors["é"]
        assert "\udcc3\udca9" in model.tensors
        assert 5 not in model.tensors


# Which files are opened


@pytest.mark.parametrize(("type", "count"), [("none", 0), ("uint16", 0), ("uint16", 1), ("int64", -5)])
def test_a_count_below_two_makes_no_shard(type: str, count: int, tmp_path: Path) -> None:
    metadata = [] if type == "none" else [("split.no", "uint16", 0), ("split.count", type, count)]
    path = tmp_path / "model-00002-of-00003.gguf"
    path.write_bytes(Model(metadata).build())  # type: ignore[arg-type]
    assert is_one_file(path)
    assert is_one_file([path])
    assert all(is_one_file(path, shards=False) for path in SPLIT)


def test_patterns(shards: list[Model], tmp_path: Path) -> None:
    save(shards, tmp_path)
    (tmp_path / "alone.gguf").write_bytes(Model().build())
    (tmp_path / "like[1]*.gguf").write_bytes(Model().build())
    (tmp_path / "like1.gguf").write_bytes(Model([("matches", "bool", 1)]).build())
    with kaitai_gguf.open(tmp_path / "*-00002-of-*") as model:
        assert len(model.shards) == 3
    assert is_one_file(tmp_path / "a?one.gguf")
    assert not kaitai_gguf.open(tmp_path / "like[1]*.gguf").metadata  # a file of this name comes first
    with pytest.raises(kaitai_gguf.FileMissingError, match="no such file"):
        kaitai_gguf.open(tmp_path / "other-*.gguf")
    with pytest.raises(ShardError, match=r"alone.gguf' is not a shard, and 6 files"):
        kaitai_gguf.open(tmp_path / "*.gguf")


def test_names_do_not_matter_in_a_list(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path, "part{}.gguf")
    for source in (tmp_path / "part*.gguf", paths[::-1]):
        with kaitai_gguf.open(source) as model:
            assert list(model.tensors) == ["t0", "t1", "t2"]
    for name in ("second.gguf", "model-0000\N{ARABIC-INDIC DIGIT ONE}-of-00003.gguf"):
        assert is_one_file(shutil.copy(paths[1], tmp_path / name))
    with pytest.raises(MissingShardError, match="of 3 shards, 1 is missing: 'shard 2'"):
        kaitai_gguf.open([paths[0], paths[2]])
    with pytest.raises(ShardError, match=r"part1.gguf' is shard 1 of 3, and so is '.*part1.gguf'"):
        kaitai_gguf.open([paths[0], paths[0], paths[1]])
    with pytest.raises(ValueError, match="at least one path"):
        kaitai_gguf.open([])


def test_names_have_five_digits() -> None:
    assert shard_names("a/b", 2) == ["a/b-00001-of-00002.gguf", "a/b-00002-of-00002.gguf"]
    assert [len(shard_names(Path("b"), count)) for count in (0, 99_999)] == [0, 99_999]
    for count in (100_000, 1 << 40, -1):
        with pytest.raises(ValueError, match=f"a number of shards from 0 to 99999, .* not {count}"):
            shard_names("b", count)
    with pytest.raises(TypeError):
        shard_names("b", 1.5)


# Missing shards


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_a_missing_shard_is_named(gone: int, shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path)
    paths[gone - 1].unlink()
    others = [path for path in paths if path.exists()]
    for source in (*others, others, tmp_path / "model-*.gguf"):
        with pytest.raises(MissingShardError, match=f"of 3 shards, 1 is missing: '.*-0000{gone}-of-") as caught:
            kaitai_gguf.open(source)
        assert caught.value.missing == [str(paths[gone - 1])]


@pytest.mark.parametrize(("type", "count"), [("uint64", (1 << 64) - 1), ("int64", (1 << 63) - 1)])
def test_a_count_costs_no_more_than_the_files_that_exist(
    type: str, count: int, shards: list[Model], tmp_path: Path
) -> None:
    for number in range(3):
        changed(number, "split.count", type, count)(shards)
    changed(2, "split.no", "uint64", count - 1)(shards)
    paths = save(shards, tmp_path, "part{}.gguf")
    message = rf"of {count} shards, {count - 3} are missing: 'shard 3', 'shard 4', 'shard 5' and "
    tracemalloc.start()
    with pytest.raises(MissingShardError, match=message) as caught:
        kaitai_gguf.open(paths)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert caught.value.missing == [f"shard {number}" for number in range(3, 1003)]
    assert peak < 4 << 20
    named = shutil.copy(paths[0], tmp_path / "model-00001-of-00003.gguf")
    with pytest.raises(ShardError, match=f"one of 3 shards by its name, but one of {count} by its split.count"):
        kaitai_gguf.open(named)


# Files that do not belong together


def changed(number: int, key: str, *type_and_value: Any) -> Change:
    """Return what gives a key in a shard another type and value, or removes the key."""

    def change(models: list[Model]) -> None:
        rows = [row for row in models[number].metadata if row[0] != key]
        models[number].metadata = [*rows, (key, *type_and_value)] if type_and_value else rows  # type: ignore[list-item]

    return change


BREACHES: list[tuple[Change, str]] = [  # more of them, and what check() reports: tests/rules/test_shards.py
    (changed(1, "split.no", "uint16", 0), r"00002-.* is shard 1 of 3 by its split.no, but is named like shard 2"),
    (changed(1, "split.no", "uint16", 3), r"00002-of-00003.gguf' has split.no 3, but the 3 shards are"),
    (changed(1, "split.no"), r"00002-of-00003.gguf' has split.no None"),
    (changed(1, "split.count"), r"00002-.*' is not a shard(, and 3 files| .*: its split.count is missing, .* 3)"),
    (changed(0, "split.count"), r"00001-.*' is not a shard(: its split\.count is missing$|, and 3 files)"),
    (changed(2, "general.tags", "array", Array("string", ["a", "a"])), r"00003-.* is not a shard .* general.tags is"),
    (lambda models: setattr(models[2].tensors[0], "name", "t0"), r"00003-.* tensor 't0', and so does '.*00001-"),
    (lambda models: models[2].tensors.pop(), r"00001-.* have 2 tensors together, but their split.tensors.count is 3"),
    (lambda models: setattr(models[2], "byte_order", "big"), r"00003-.* its byte order is big, not little"),
    (lambda models: setattr(models[2], "version", 2), r"00003-.* of the same model as '.*00001-.*: its version is 2, "),
]


@pytest.mark.parametrize(("change", "message"), BREACHES)
def test_shards_that_do_not_belong_together(change: Change, message: str, shards: list[Model], tmp_path: Path) -> None:
    change(shards)
    paths = save(shards, tmp_path)
    for source in (paths[2], paths, tmp_path / "model-*.gguf"):
        with pytest.raises(ShardError, match=message) as caught:
            kaitai_gguf.open(source)
        assert not isinstance(caught.value, MissingShardError)


def test_check_names_a_first_shard_that_is_a_whole_model(shards: list[Model], tmp_path: Path) -> None:
    changed(0, "split.count")(shards)
    messages = [finding.message for finding in kaitai_gguf.check(save(shards, tmp_path)[1])]
    assert any(message.endswith("is not a shard: its split.count is missing") for message in messages)


def test_a_shard_that_is_not_gguf_is_named(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path)
    paths[1].write_bytes(b"nothing of the kind")
    with pytest.raises(ShardError, match=r"00002-of-00003.gguf': not a GGUF file") as caught:
        kaitai_gguf.open(paths[0])
    assert isinstance(caught.value.__cause__, kaitai_gguf.FormatError)


def test_a_set_that_keeps_changing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locks, "WAIT", 0)
    monkeypatch.setattr(Source, "is_current", lambda _: False)
    with pytest.raises(kaitai_gguf.FileError, match="is being changed by another program"):
        kaitai_gguf.open(SPLIT[0])
