"""Work (rows read, and function calls) is proportional to the number of items, in any order of access.

The files have more items than are read at once, so a reader that goes back and forth would read some of them again.
"""

import sys
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.schema.scanner import DEFAULT
from kaitai_gguf.schema.writing import Serializer
from kaitai_gguf.writing.editable import EditableTensors
from kaitai_gguf.writing.writable import WritableMetadata

COUNT = 17_000
EACH = 200  # maximum of rows read for one item: rows are read in groups, and an item is looked up more than once


def model_of(numbers: list[int]) -> Model:
    metadata = [(f"k{number}", "uint32", number) for number in numbers]
    tensors = [TensorSpec(f"t{number}", (1,), 24, 32 * place) for place, number in enumerate(numbers)]
    return Model(metadata, tensors, data=bytes(32 * len(numbers)))


@pytest.fixture(scope="module")
def shuffled() -> list[int]:
    return Random(0).sample(range(COUNT), COUNT)


@pytest.fixture(scope="module")
def in_order() -> bytes:
    return model_of(list(range(COUNT))).build()


@pytest.fixture(scope="module")
def reordered(shuffled: list[int]) -> bytes:
    return model_of(shuffled).build()


@pytest.fixture
def rows(monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Return a function that returns how many rows of tables were read since its previous call."""
    read, table = [0], DEFAULT.table

    def counted(layout: Any, type: str, buf: Any, positions: Any) -> Any:
        read[0] += len(positions)
        return table(layout, type, buf, positions)

    def since() -> int:
        count, read[0] = read[0], 0
        return count

    monkeypatch.setattr(DEFAULT, "table", counted)
    return since


def test_items_in_order_are_read_together(in_order: bytes, rows: Callable[[], int]) -> None:
    with kaitai_gguf.open(in_order) as model:
        assert 2 * COUNT <= rows() <= 4 * COUNT  # for names, and for tensor sizes
        assert [tensor.name for tensor in model.tensors.values()] == [f"t{number}" for number in range(COUNT)]
        assert list(model.metadata.values()) == list(range(COUNT))
        assert 0 < rows() <= 2 * COUNT
        assert all(f"t{number}" in model.tensors for number in range(COUNT))
        assert [model.metadata.entry(f"k{number}").key for number in range(COUNT)]
        assert 0 < rows() <= 2 * COUNT


def test_items_in_any_order_are_read_by_themselves(
    in_order: bytes, shuffled: list[int], rows: Callable[[], int]
) -> None:
    with kaitai_gguf.open(in_order) as model:
        rows()
        some = shuffled[:2000]
        assert [model.tensors[f"t{number}"].offset for number in some] == [32 * number for number in some]
        assert [model.metadata[f"k{number}"] for number in some] == some
        assert len(some) < rows() <= EACH * len(some)


def test_models_in_different_orders_are_compared_and_checked(
    in_order: bytes, reordered: bytes, rows: Callable[[], int]
) -> None:
    with kaitai_gguf.open(in_order) as before, kaitai_gguf.open(reordered) as after:
        rows()
        assert not kaitai_gguf.diff(before, after, data=False).keys
        assert 2 * COUNT < rows() <= 2 * EACH * COUNT
    assert "duplicate-key" not in {finding.rule for finding in kaitai_gguf.check(reordered)}
    assert 2 * COUNT <= rows() <= 5 * COUNT
    assert [field.path for field in kaitai_gguf.explain(reordered, path="/tensors/15000/name")]
    assert rows() <= 6 * COUNT  # opening the file takes that many


def test_shards_with_many_tensors(rows: Callable[[], int], tmp_path: Path) -> None:
    paths = []
    for number in range(2):
        half = model_of(list(range(number * COUNT // 2, (number + 1) * COUNT // 2)))
        half.metadata = [("split.no", "uint16", number), ("split.count", "uint16", 2)]
        paths.append(tmp_path / f"{number}.gguf")
        paths[-1].write_bytes(half.build())
    with kaitai_gguf.open(paths) as model:
        assert rows() <= 4 * COUNT
        for number in Random(1).sample(range(COUNT), 2000):
            assert model.tensors[f"t{number}"].name == f"t{number}"
            assert model.file_of(f"t{number}") is model.shards[number >= COUNT // 2]
        assert rows() <= EACH * 2000


def calls(work: Callable[[], object]) -> int:
    """Return the number of function calls, C functions included."""
    count = 0

    def profile(frame: object, event: str, argument: object) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    sys.setprofile(profile)
    try:
        work()
    finally:
        sys.setprofile(None)
    return count


def rename_keys(model: kaitai_gguf.GGUFFile) -> None:
    metadata = WritableMetadata(Serializer(3, "little"))
    metadata.update(model.metadata)
    for key in reversed(list(metadata)):
        metadata.rename(key, f"new.{key}")
    assert list(metadata) == [f"new.{key}" for key in model.metadata]


def copy_keys(model: kaitai_gguf.GGUFFile) -> None:
    metadata = WritableMetadata(Serializer(3, "little"))
    for key in reversed(list(model.metadata)):
        metadata.copy(model.metadata, key)
    for key in list(metadata):
        del metadata[key]
    assert not metadata


def rename_tensors(model: kaitai_gguf.GGUFFile) -> None:
    tensors = EditableTensors(model.tensors)
    for name in reversed(list(tensors)):
        tensors.rename(name, f"new.{name}")
    assert len(tensors.renamed()) == len(model.tensors)


def explain_all(model: kaitai_gguf.GGUFFile) -> None:
    assert len(list(kaitai_gguf.explain(model.buffer))) > 10 * len(model.tensors)


@pytest.mark.parametrize("work", [rename_keys, copy_keys, rename_tensors, explain_all])
def test_calls_grow_with_the_items(work: Callable[[kaitai_gguf.GGUFFile], None]) -> None:
    first, few, many = (kaitai_gguf.open(model_of(list(range(count))).build()) for count in (1, 100, 800))
    work(first)  # triggers the imports
    before, after = calls(lambda: work(few)), calls(lambda: work(many))
    assert before > 100
    assert after < 8 * 1.5 * before
