"""Models in several files, read as one."""

import inspect
import os
import shutil
import tempfile
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import event, given, settings, strategies as st
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import (
    RULES,
    ClosedError,
    FileMissingError,
    FormatError,
    GGUFError,
    MissingShardError,
    ShardError,
    TensorNotFound,
    Tensors,
    shard_names,
)

MODELS = Path(__file__).parents[1] / "data" / "models"
SPLIT = [MODELS / f"split5-0000{number}-of-00003.gguf" for number in (1, 2, 3)]

Change = Callable[[list[Model]], None]


@pytest.fixture
def shards() -> list[Model]:
    """Return three shards of two tensors each."""
    models = []
    for number in range(3):
        metadata: list[tuple[str | bytes, str, Any]] = [
            ("split.no", "uint16", number),
            ("split.tensors.count", "int32", 6),
            ("split.count", "uint16", 3),
        ]
        if number == 0:
            metadata = [("general.name", "string", "it"), ("general.tags", "array", Array("string", ["a"])), *metadata]
        tensors = [TensorSpec(f"{number}.{i}", (8,), 0, 32 * i) for i in range(2)]
        data = np.arange(16, dtype="<f4") + 100 * number
        models.append(Model(metadata, tensors, data.tobytes()))
    return models


def save(models: list[Model], folder: Path, name: str = "model-{:05d}-of-{:05d}.gguf") -> list[Path]:
    paths = [folder / name.format(number, len(models)) for number in range(1, len(models) + 1)]
    for path, model in zip(paths, models, strict=True):
        path.write_bytes(model.build())
    return paths


@pytest.mark.parametrize("source", [*SPLIT, MODELS / "split5-*.gguf", SPLIT, SPLIT[::-1], tuple(SPLIT)], ids=str)
def test_what_was_split_reads_as_before(source: Any) -> None:
    with kaitai_gguf.open(source) as model, kaitai_gguf.open(MODELS / "split-source.gguf") as whole:
        assert list(model.tensors) == list(whole.tensors)
        for name, tensor in whole.tensors.items():
            found = model.tensors[name]
            assert (found.type, found.dims, found.data.tobytes()) == (tensor.type, tensor.dims, tensor.data.tobytes())
        added = {"split.no", "split.count", "split.tensors.count"}
        assert [key for key in model.metadata if key not in added] == list(whole.metadata)
        assert {model.metadata.raw(key) == whole.metadata.raw(key) for key in whole.metadata} == {True}
        assert [file.name for file in model.shards] == list(map(str, SPLIT))


def test_facts_are_those_of_the_first_shard() -> None:
    with kaitai_gguf.open(SPLIT[1]) as model, kaitai_gguf.open(SPLIT[0], shards=False) as first:
        for fact in ("name", "version", "byte_order", "alignment", "data_offset", "header_nbytes"):
            assert getattr(model, fact) == getattr(first, fact)
        assert model.tensors.data_offset == first.tensors.data_offset
        assert list(model.metadata) == list(first.metadata)


def test_sizes_are_those_of_all_shards() -> None:
    with kaitai_gguf.open(SPLIT[0]) as model:
        assert model.nbytes == sum(path.stat().st_size for path in SPLIT)
        assert model.tensors.data_nbytes == sum(file.tensors.data_nbytes for file in model.shards)
        assert (len(model.tensors), len(model.shards)) == (12, 3)


def test_a_tensor_is_in_the_file_that_has_it() -> None:
    with kaitai_gguf.open(SPLIT[0]) as model:
        for name, tensor in model.tensors.items():
            file = model.file_of(name)
            assert tensor is file.tensors[name]
            assert Path(file.name).read_bytes()[tensor.position :].startswith(tensor.data.tobytes())
        assert list(model.tensors.values()) == [model.tensors[name] for name in model.tensors]
        with pytest.raises(TensorNotFound, match="'nope' in any of the 3 shards"):
            model.file_of("nope")


def test_a_single_file_is_its_own_shard() -> None:
    with kaitai_gguf.open(MODELS / "v2.gguf") as model:
        assert model.shards == (model,)
        assert model.file_of("plain.f32.1d") is model
        with pytest.raises(TensorNotFound):
            model.file_of("nope")


def test_all_that_tensors_can_is_there() -> None:
    """The class for shards overrides everything that it inherits except the handle."""
    kind = type(kaitai_gguf.open(SPLIT[0]).tensors)
    own = {name for name in vars(Tensors) if not name.startswith("_")} - {"values", "items"}  # these call _each()
    magic = {"__getitem__", "__contains__", "__iter__", "__len__", "_each"}
    assert own | magic <= {name for name, _ in inspect.getmembers(kind) if name in vars(kind)}


@pytest.mark.parametrize("mmap", [True, False])
def test_closing_closes_all(mmap: bool) -> None:
    model = kaitai_gguf.open(SPLIT[0], mmap=mmap)
    tensors, data = model.tensors, model.tensors["blk.0.ffn_up.weight"].data
    before = data.tobytes()
    model.close()
    assert model.closed
    assert all(file.closed for file in model.shards)
    assert data.tobytes() == before
    for use in (lambda: "x" in tensors, lambda: list(tensors), lambda: tensors["blk.0.ffn_up.weight"]):
        with pytest.raises(ClosedError):
            use()


def test_one_file_alone() -> None:
    for path in SPLIT:
        with kaitai_gguf.open(path, shards=False) as model:
            assert (model.name, model.shards) == (str(path), (model,))
            assert model.nbytes == path.stat().st_size


@pytest.mark.parametrize("count", [None, 0, 1])
def test_a_name_alone_makes_no_shard(count: int | None, tmp_path: Path) -> None:
    metadata = [] if count is None else [("split.count", "uint16", count)]
    path = tmp_path / "model-00002-of-00003.gguf"
    path.write_bytes(Model(metadata).build())
    with kaitai_gguf.open(path) as model:
        assert model.shards == (model,)


def test_another_name_makes_it_a_single_file(shards: list[Model], tmp_path: Path) -> None:
    path = tmp_path / "second.gguf"
    path.write_bytes(shards[1].build())
    with kaitai_gguf.open(path) as model:
        assert list(model.tensors) == ["1.0", "1.1"]


def test_a_pattern_that_matches_one_file(shards: list[Model], tmp_path: Path) -> None:
    save(shards, tmp_path)
    with kaitai_gguf.open(tmp_path / "*-00002-of-*") as model:
        assert len(model.shards) == 3
    (tmp_path / "alone.gguf").write_bytes(Model().build())
    with kaitai_gguf.open(tmp_path / "a?one.gguf") as model:
        assert model.shards == (model,)


def test_a_pattern_that_matches_nothing(tmp_path: Path) -> None:
    with pytest.raises(FileMissingError, match="no such file"):
        kaitai_gguf.open(tmp_path / "model-*.gguf")


def test_a_file_whose_name_looks_like_a_pattern(tmp_path: Path) -> None:
    path = tmp_path / "model[1]*.gguf"
    path.write_bytes(Model([("k", "uint8", 7)]).build())
    with kaitai_gguf.open(path) as model:
        assert model.metadata["k"] == 7


def test_names_do_not_matter_in_a_list(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path, "part{}.gguf")
    for source in (tmp_path / "part*.gguf", paths[::-1]):
        with kaitai_gguf.open(source) as model:
            assert list(model.tensors) == ["0.0", "0.1", "1.0", "1.1", "2.0", "2.1"]


def test_shards_may_have_alignments_of_their_own(shards: list[Model], tmp_path: Path) -> None:
    shards[0].metadata.append(("general.alignment", "uint32", 64))
    shards[0].alignment = 64
    shards[0].tensors[1].offset = 64
    shards[0].data = bytes(96)
    with kaitai_gguf.open(save(shards, tmp_path)[2]) as model:
        assert model.tensors["1.0"].data.tolist() == [100, 101, 102, 103, 104, 105, 106, 107]
        assert model.alignment == 64


@pytest.mark.parametrize(("fact", "values"), [("byte_order", ("big", "little")), ("version", (2, 3))])
def test_shards_of_a_model_are_stored_alike(fact: str, values: Any, shards: list[Model], tmp_path: Path) -> None:
    """Shards in different byte orders or versions are refused, because a merged file can have only one of each."""
    setattr(shards[2], fact, values[0])
    paths = save(shards, tmp_path)
    difference = f"its {fact.replace('_', ' ')} is {values[0]}, not {values[1]}"
    message = rf"00003-of-00003.gguf' is not a shard of the same model as '.*00001-of-00003.gguf': {difference}"
    for source in (paths[0], paths, tmp_path / "model-*.gguf"):
        with pytest.raises(ShardError, match=message):
            kaitai_gguf.open(source)


@pytest.mark.parametrize("gone", [1, 2, 3])
def test_a_missing_shard_is_named(gone: int, shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path)
    paths[gone - 1].unlink()
    there = [path for path in paths if path.exists()]
    for source in (there[0], there[1], there, tmp_path / "model-*.gguf"):
        with pytest.raises(
            MissingShardError, match=f"of 3 shards, 1 is missing: '.*-0000{gone}-of-00003.gguf'"
        ) as raised:
            kaitai_gguf.open(source)
        assert raised.value.missing == [str(paths[gone - 1])]


def test_many_missing_shards_are_not_all_named(shards: list[Model], tmp_path: Path) -> None:
    shards[0].metadata[-1] = ("split.count", "uint16", 9)
    path = tmp_path / "model-00001-of-00009.gguf"
    path.write_bytes(shards[0].build())
    with pytest.raises(
        MissingShardError, match=r"of 9 shards, 8 are missing: .*-00004-of-00009.gguf' and 5 more"
    ) as raised:
        kaitai_gguf.open(path)
    assert len(raised.value.missing) == 8


def test_without_names_missing_shards_are_numbered(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path, "part{}.gguf")
    with pytest.raises(MissingShardError, match="of 3 shards, 1 is missing: 'shard 2'"):
        kaitai_gguf.open([paths[0], paths[2]])


LARGE = [
    ("uint64", 1 << 40),
    ("uint64", (1 << 64) - 1),
    ("int64", (1 << 63) - 1),
    ("uint32", 100_000),
    ("uint32", 65_536),
]


@pytest.mark.parametrize(("type", "count"), LARGE)
def test_a_count_costs_no_more_than_the_files_that_exist(
    type: str, count: int, shards: list[Model], tmp_path: Path
) -> None:
    for model in shards:
        model.metadata[-1] = ("split.count", type, count)
    shards[2].metadata[-3] = ("split.no", "uint64", count - 1)
    paths = save(shards, tmp_path, "part{}.gguf")
    tracemalloc.start()
    try:
        for source in (paths, paths[:1], tmp_path / "part*.gguf"):
            with pytest.raises(
                MissingShardError, match=rf"of {count} shards, {count - 3 + 2 * (source == paths[:1])} are "
            ):
                kaitai_gguf.open(source)
        with pytest.raises(MissingShardError, match=r"missing: 'shard 3', 'shard 4', 'shard 5' and ") as raised:
            kaitai_gguf.open(paths)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert raised.value.missing == [f"shard {number}" for number in range(3, 1003)]
    assert peak < 4 << 20
    named = tmp_path / "model-00001-of-00003.gguf"
    named.write_bytes(shards[0].build())
    with pytest.raises(ShardError, match=f"one of 3 shards by its name, but one of {count} by its split.count"):
        kaitai_gguf.open(named)


@pytest.mark.parametrize(("type", "count"), [("int64", -5), ("int32", -1), ("uint64", 0), ("int8", 1)])
def test_a_count_below_two_makes_no_shard(type: str, count: int, tmp_path: Path) -> None:
    path = tmp_path / "model-00001-of-00003.gguf"
    path.write_bytes(Model([("split.no", "uint16", 0), ("split.count", type, count)]).build())
    for source in (path, [path]):
        with kaitai_gguf.open(source) as model:
            assert model.shards == (model,)


def test_names_are_made_for_counts_of_five_digits() -> None:
    assert shard_names("a/b", 2) == ["a/b-00001-of-00002.gguf", "a/b-00002-of-00002.gguf"]
    assert len(shard_names(Path("b"), 99_999)) == 99_999
    for count in (100_000, 1 << 40, -1):
        with pytest.raises(ValueError, match=f"a number of shards from 0 to 99999, .* not {count}"):
            shard_names("b", count)
    with pytest.raises(TypeError):
        shard_names("b", 1.5)


def test_digits_of_names_are_those_of_ascii(shards: list[Model], tmp_path: Path) -> None:
    path = tmp_path / "model-0000\N{ARABIC-INDIC DIGIT ONE}-of-00003.gguf"
    path.write_bytes(shards[0].build())
    with kaitai_gguf.open(path) as model:
        assert model.shards == (model,)


def test_arrays_of_other_lengths_are_not_the_same(shards: list[Model], tmp_path: Path) -> None:
    for number, sizes in enumerate(([1, 1], [1, 1, 1])):
        set_value(number, "general.sizes", "array", Array("uint8", sizes))(shards)
    with pytest.raises(ShardError, match=r"its general\.sizes is"):
        kaitai_gguf.open(save(shards, tmp_path)[0])


def test_numbers_of_other_types_are_the_same(shards: list[Model], tmp_path: Path) -> None:
    for number, type in enumerate(("uint32", "int64", "uint8")):
        set_value(number, "general.size", type, 1)(shards)
    assert len(kaitai_gguf.open(save(shards, tmp_path)[0]).shards) == 3


def test_a_name_may_be_spelled_as_its_bytes(shards: list[Model], tmp_path: Path) -> None:
    shards[1].tensors[0].name = "é"
    with kaitai_gguf.open(save(shards, tmp_path)[0]) as model:
        assert model.tensors["\udcc3\udca9"] is model.tensors["é"]
        assert "\udcc3\udca9" in model.tensors
        assert 5 not in model.tensors


def set_value(number: int, key: str, type: str, value: Any) -> Change:
    def change(models: list[Model]) -> None:
        kept = [row for row in models[number].metadata if row[0] != key]
        models[number].metadata = [*kept, (key, type, value)]

    return change


def drop(number: int, key: str) -> Change:
    def change(models: list[Model]) -> None:
        models[number].metadata = [row for row in models[number].metadata if row[0] != key]

    return change


def rename_tensor(models: list[Model]) -> None:
    models[2].tensors[0].name = "0.1"


def drop_tensor(models: list[Model]) -> None:
    models[2].tensors.pop()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (set_value(1, "split.no", "uint16", 0), r"00002-.* is shard 1 of 3 by its split.no, but is named like shard 2"),
        (set_value(1, "split.no", "uint16", 3), r"00002-of-00003.gguf' has split.no 3, but the 3 shards are"),
        (drop(1, "split.no"), r"00002-of-00003.gguf' has split.no None"),
        (set_value(1, "split.count", "uint16", 4), r"00002-.*' is not a shard .*: its split.count is 4, .* 3"),
        (drop(1, "split.count"), r"00002-.*' is not a shard .*: its split.count is missing, .* 3"),
        (
            set_value(2, "split.tensors.count", "int32", 5),
            r"00003.* is not a shard .*: its split.tensors.count is 5, .* 6",
        ),
        (
            set_value(2, "general.name", "string", "us"),
            r"00003-.* is not a shard .* general.name is 'us', .*'it'",
        ),
        (set_value(2, "general.tags", "array", Array("string", ["b"])), r"00003-.* is not a shard .* general.tags is"),
        (rename_tensor, r"00003-of-00003.gguf' has a tensor '0.1', and so does '.*00001-of-00003.gguf'"),
        (drop_tensor, r"00001-of-00003.gguf' have 5 tensors together, but their split.tensors.count is 6"),
    ],
)
def test_shards_that_do_not_belong_together(change: Change, message: str, shards: list[Model], tmp_path: Path) -> None:
    change(shards)
    with pytest.raises(ShardError, match=message) as raised:
        kaitai_gguf.open(save(shards, tmp_path)[0])
    assert not isinstance(raised.value, MissingShardError)


def test_what_others_say_as_well_may_be_the_same(shards: list[Model], tmp_path: Path) -> None:
    for number in (1, 2):
        set_value(number, "general.name", "string", "it")(shards)
        set_value(number, "general.tags", "array", Array("string", ["a"]))(shards)
    assert len(kaitai_gguf.open(save(shards, tmp_path)[0]).tensors) == 6


def test_names_in_another_order_than_numbers(shards: list[Model], tmp_path: Path) -> None:
    first, second, _ = save(shards, tmp_path)
    aside = tmp_path / "aside"
    os.rename(first, aside)
    os.rename(second, first)
    os.rename(aside, second)
    with pytest.raises(ShardError, match=r"00001-of-00003.gguf' is shard 2 of 3 by its split.no"):
        kaitai_gguf.open(first)


def test_a_name_of_another_count(shards: list[Model], tmp_path: Path) -> None:
    path = tmp_path / "model-00001-of-00004.gguf"
    path.write_bytes(shards[0].build())
    with pytest.raises(ShardError, match=r"one of 4 shards by its name, but one of 3 by its split.count"):
        kaitai_gguf.open(path)


def test_a_pattern_that_matches_more_than_a_model(shards: list[Model], tmp_path: Path) -> None:
    save(shards, tmp_path)
    shutil.copy(MODELS / "v2.gguf", tmp_path / "model-other.gguf")
    with pytest.raises(ShardError, match=r"model-other.gguf' is not a shard, and 4 files"):
        kaitai_gguf.open(tmp_path / "model-*.gguf")


def test_a_first_shard_that_is_a_whole_model(tmp_path: Path) -> None:
    for path in SPLIT[1:]:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / SPLIT[0].name).write_bytes((SPLIT[0].parent / "split-source.gguf").read_bytes())
    with pytest.raises(
        ShardError, match=r"00001-of-00003\.gguf' is not a shard .*: its split\.count is missing, not 3$"
    ):
        kaitai_gguf.open(tmp_path / SPLIT[1].name)


def test_a_shard_that_is_no_gguf_is_named(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path)
    paths[1].write_bytes(b"nothing of the kind")
    with pytest.raises(ShardError, match=r"00002-of-00003.gguf': not a GGUF file") as raised:
        kaitai_gguf.open(paths[0])
    assert isinstance(raised.value.__cause__, FormatError)


def test_no_files_at_all() -> None:
    with pytest.raises(ValueError, match="at least one path"):
        kaitai_gguf.open([])


def test_the_same_file_twice(shards: list[Model], tmp_path: Path) -> None:
    paths = save(shards, tmp_path, "part{}.gguf")
    with pytest.raises(ShardError, match=r"part1.gguf' is shard 1 of 3, and so is '.*part1.gguf'"):
        kaitai_gguf.open([paths[0], paths[0], paths[1]])


QUIET, OTHER = np.array([0x7FC00000, 0x7FC00001], np.uint32).view(np.float32)
VALUES: list[tuple[str, Any]] = [
    ("uint8", 1),
    ("float64", 1.0),
    ("float32", QUIET),
    ("float32", OTHER),
    ("string", "1"),
    ("array", Array("uint8", [1, 2])),
    ("array", Array("float32", [1, 2])),
    ("array", Array("float32", [QUIET, 2])),
    ("array", Array("float32", [OTHER, 2])),
    ("array", Array("string", ["1", "2"])),
    ("array", Array("array", [Array("uint8", [1]), Array("string", ["2"])])),
    ("array", Array("array", [Array("uint8", [1]), Array("uint8", [2])])),
]


@st.composite
def disagreeing(draw: st.DrawFn) -> dict[str, Model]:
    """Generate the files of a model in one to three shards by name. About half of the sets are not in order."""
    count = draw(st.integers(1, 3))
    files = {}
    rare = st.sampled_from([False] * 9 + [True])
    for number in range(count):
        split: list[tuple[str | bytes, str, Any]] = [
            ("split.no", "uint16", draw(st.integers(0, 3)) if draw(rare) else number),
            ("split.tensors.count", "int32", draw(st.integers(0, 4)) if draw(rare) else count),
            ("split.count", "uint16", draw(st.integers(0, 4)) if draw(rare) else count),
        ]
        metadata = [row for row in split if not draw(rare)]
        if draw(st.booleans()):
            metadata.append(
                ("general.x", *draw(st.sampled_from(VALUES) if draw(st.booleans()) else st.just(VALUES[2])))
            )
        name = "same" if draw(rare) else f"t{number}"
        version, byte_order = (draw(rare) and 2) or 3, (draw(rare) and "big") or "little"
        model = Model(metadata, [TensorSpec(name, (1,), 0, 0)], bytes(4), version, byte_order)
        if draw(rare):
            model.metadata += [("twice", "uint8", 1)] * 2  # open() refuses the file, and check() reads on
        of = draw(st.integers(1, 4)) if draw(rare) else count
        if not draw(rare):
            files[f"m-{number + 1:05d}-of-{of:05d}.gguf"] = model
    return files


@settings(max_examples=150, deadline=None)
@given(disagreeing())
def test_open_refuses_exactly_what_check_reports(files: dict[str, Model]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for name, model in files.items():
            Path(folder, name).write_bytes(model.build())
        for name in files:
            refusal = None
            try:
                kaitai_gguf.open(Path(folder, name))
            except GGUFError as error:
                refusal = error
            found = [each for each in kaitai_gguf.check(Path(folder, name)) if RULES[each.rule].family == "whole_set"]
            event(type(refusal).__name__)
            if isinstance(refusal, MissingShardError):
                assert "shard-missing" in {finding.rule for finding in found}
            elif isinstance(refusal, ShardError):
                assert {finding.severity for finding in found} == {"error"}
                reason = str(refusal).replace(f"{folder}{os.sep}", "")
                messages = [finding.message.replace(" can't be read", "") for finding in found]
                assert reason in [message.partition(" (and ")[0] for message in messages]
            else:
                assert [finding.message for finding in found if finding.rule == "shard-set"] == []
