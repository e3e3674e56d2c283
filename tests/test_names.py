"""Looking up items by number and by name, in headers with more items than are read at once."""

from collections.abc import Callable
from random import Random

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.schema import Names, Pages

COUNT = 40_000  # about 16,000 are read at once


def names_of(items: list[bytes]) -> Names:
    return Names([np.array([hash(name) for name in items], np.int64)], len(items))


@given(st.lists(st.binary(max_size=2)))
def test_names_are_found_as_a_list_finds_them(items: list[bytes]) -> None:
    names = names_of(items)
    for name in [*items, b"", b"abc"]:
        assert names.find(name, items.__getitem__) == (items.index(name) if name in items else None)
    repeated = [number for number, name in enumerate(items) if name in items[:number]]
    assert names.repeated(items.__getitem__) == (repeated[0] if repeated else None)


def test_equal_hashes_are_not_equal_names() -> None:
    items = [b"a", b"b", b"c", b"b"]
    hashes = np.full(4, hash(b"b"))
    names = Names([hashes[:3], hashes[3:]], 4)
    assert names.find(b"b", items.__getitem__) == 1
    assert names.find(b"a", items.__getitem__) is None  # has another hash
    assert names.repeated(items.__getitem__) == 3
    assert Names([hashes[:3]], 3).repeated(items.__getitem__) is None


def test_pages_are_read_when_asked_for() -> None:
    asked: list[tuple[int, int]] = []

    def read(first: int, last: int) -> range:
        asked.append((first, last))
        return range(first, last)

    pages = Pages(read, COUNT)
    assert [number for page in pages for number in page] == list(range(COUNT))
    assert asked == [(0, 16_384), (16_384, 32_768), (32_768, COUNT)]
    asked.clear()
    numbers = [COUNT - 1, 32_768, 0, 63, 64, 16_383, 16_384, COUNT - 1]
    assert [page[row] for page, row in map(pages.at, numbers)] == numbers
    few = [(0, 64), (64, 128), (16_320, 16_384), (16_384, 16_448), (39_936, COUNT)]
    assert asked == few
    assert list(Pages(read, 0)) == []


def test_pages_that_hold_all_are_read_once() -> None:
    asked: list[tuple[int, int]] = []
    pages = Pages(lambda first, last: asked.append((first, last)) or range(first, last), 16_384)
    for _ in range(2):
        assert [number for page in pages for number in page] == list(range(16_384))
        assert [page[row] for page, row in map(pages.at, (0, 16_383, 5))] == [0, 16_383, 5]
    assert asked == [(0, 16_384)]


@pytest.fixture(scope="module")
def model() -> Model:
    metadata = [(f"k{number}", "uint32", number) for number in range(COUNT)]
    tensors = [TensorSpec(f"t{number}", (number % 7 + 1,), 24, 32 * number) for number in range(COUNT)]
    return Model(metadata, tensors, data=bytes(32 * COUNT))


def test_many_keys_and_tensors(model: Model) -> None:
    with kaitai_gguf.open(model.build()) as opened:
        assert list(opened.metadata) == [f"k{number}" for number in range(COUNT)]
        assert list(opened.tensors) == [f"t{number}" for number in range(COUNT)]
        for number in Random(0).sample(range(COUNT), 200):
            assert opened.metadata[f"k{number}"] == number
            tensor = opened.tensors[f"t{number}"]
            assert (tensor.shape, tensor.offset) == ((number % 7 + 1,), 32 * number)
        assert "k40000" not in opened.metadata
        assert "t-1" not in opened.tensors
        assert opened.tensors.data_nbytes == 32 * (COUNT - 1) + (COUNT - 1) % 7 + 1


def same_key(model: Model) -> None:
    model.metadata[39_000] = ("k5", "uint32", 0)


def same_name(model: Model) -> None:
    model.tensors[39_000] = TensorSpec("t5", (1,), 24, 32 * 39_000)


def not_aligned(model: Model) -> None:
    model.tensors[39_000] = TensorSpec("t39000", (1,), 24, 32 * 39_000 + 1)


def overlap(model: Model) -> None:
    model.tensors[39_000] = TensorSpec("t39000", (64,), 24, 32 * 5)


def empty_row(model: Model) -> None:
    model.tensors[39_000] = TensorSpec("t39000", (1,), 2, 32 * 39_000)


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (same_key, "/metadata/39000/key", "the key 'k5' is duplicated"),
        (same_name, "/tensors/39000/name", "the name 't5' is duplicated"),
        (not_aligned, "/tensors/39000/ofs_data", "is not a multiple of the alignment"),
        (overlap, "/tensors/39000/ofs_data", "overlaps the data of tensor 't5'"),
        (empty_row, "/tensors/39000/dims", "row length 1 is not a multiple of the Q4_0 block size 32"),
    ],
)
def test_what_is_wrong_far_down_is_found(model: Model, change: Callable[[Model], None], path: str, says: str) -> None:
    broken = Model(list(model.metadata), list(model.tensors), data=b"")
    change(broken)
    with pytest.raises(kaitai_gguf.FormatError, match=says) as refused:
        kaitai_gguf.open(broken.build())
    assert refused.value.path == path
