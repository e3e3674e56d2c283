"""Looking up items by number and by name, in headers with more items than are read at once."""

from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.gguf_bytes import Model, TensorSpec
from support.scanners import PYTHON, each_scanner

import kaitai_gguf
from kaitai_gguf.errors import ClosedError
from kaitai_gguf.schema import NamedItems
from kaitai_gguf.schema.scanner import DEFAULT, PythonScanner, Scanner

COUNT = 40_000  # about 16,000 are read at once


class Page(NamedTuple):
    """Some items, as `NamedItems` needs them."""

    first: int
    name_starts: memoryview
    name_ends: memoryview


class Names:
    """What `NamedItems` needs of a header."""

    def __init__(self, names: list[bytes], scanner: Scanner = DEFAULT) -> None:
        self.buf, self.scanner = b"".join(names), scanner
        self.ends = np.cumsum([0, *map(len, names)])
        self.asked: list[tuple[int, int]] = []

    def page(self, first: int, last: int) -> Page:
        self.asked.append((first, last))
        return Page(first, self.ends[first:last].data, self.ends[first + 1 : last + 1].data)


def items_of(names: list[bytes], scanner: Scanner = DEFAULT) -> tuple[Any, NamedItems[Any, Page]]:
    reader = Names(names, scanner)
    return reader, NamedItems(reader, Names.page, len(names))


class WithHashes(PythonScanner):
    """A scanner that finds what another one finds, but with other hashes than Python's."""

    def __init__(self, scanner: Scanner, hash_of: Callable[[bytes], int]) -> None:
        self.find = scanner.find
        self.hash_of = hash_of

    def hashes(self, buf: Any, starts: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([self.hash_of(buf[start:end]) for start, end in spans], np.int64)


def number_of(found: tuple[Page, int] | None) -> int | None:
    return None if found is None else found[0].first + found[1]


@each_scanner
@given(names=st.lists(st.binary(max_size=2)))
def test_names_are_found_as_a_list_finds_them(scanner: Scanner, names: list[bytes]) -> None:
    reader, items = items_of(names, scanner)
    for name in [*names, b"", b"abc"]:
        assert number_of(items.find(reader, name)) == (names.index(name) if name in names else None)
    invalid = [number for number, name in enumerate(names) if not name or name in names[:number]]
    assert number_of(items.invalid(reader)) == (invalid[0] if invalid else None)


@each_scanner
def test_equal_hashes_are_not_equal_names(scanner: Scanner) -> None:
    names = [b"a", b"b", b"c", b"b"]
    reader, items = items_of(names, WithHashes(scanner, lambda _: hash(b"b")))
    assert number_of(items.find(reader, b"b")) == 1
    assert items.find(reader, b"a") is None  # has another hash
    assert number_of(items.invalid(reader)) == 3
    reader, items = items_of(names[:3], WithHashes(scanner, lambda _: hash(b"b")))
    assert items.invalid(reader) is None


@each_scanner
def test_a_map_that_was_just_closed(scanner: Scanner, tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_bytes(b"ab")
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as buf:
        reader, items = items_of([b"a", b"b"], scanner)
        reader.buf = buf
        assert number_of(items.find(reader, b"b")) == 1
    with pytest.raises(ClosedError, match="the file is closed"):
        items.find(reader, b"b")


class Counted(bytes):
    """Bytes that count how often they are looked at."""

    looks = 0

    def __getitem__(self, index: Any) -> Any:
        self.looks += 1
        return super().__getitem__(index)


def test_hashes_that_are_alike_cost_a_look_each() -> None:
    """With hashes of 20 bits, one in 30 of 2^16 names shares its hash with another name."""
    names = [b"%d" % number for number in range(1 << 16)]
    reader, items = items_of(names, WithHashes(PYTHON, lambda name: hash(name) & ~((1 << 44) - 1)))
    reader.buf = Counted(reader.buf)
    assert items.invalid(reader) is None
    assert len(names) // 100 < reader.buf.looks < 4 * len(names)


def test_items_are_read_when_asked_for() -> None:
    reader, items = items_of([b"%d" % number for number in range(COUNT)])
    pages = [(0, 16_384), (16_384, 32_768), (32_768, COUNT)]
    assert reader.asked == pages
    assert [(page.first, page.first + len(page.name_starts)) for page in items.pages(reader)] == pages
    reader.asked.clear()
    numbers = [COUNT - 1, 32_768, 0, 63, 64, 16_383, 16_384, COUNT - 1]
    assert [number_of(items.at(reader, number)) for number in numbers] == numbers
    assert reader.asked == [(0, 64), (64, 128), (16_320, 16_384), (16_384, 16_448), (39_936, COUNT)]
    reader, items = items_of([])
    assert list(items.pages(reader)) == []


def test_items_that_are_few_are_read_once() -> None:
    reader, items = items_of([b"%d" % number for number in range(16_384)])
    for _ in range(2):
        assert [page.first for page in items.pages(reader)] == [0]
        assert [number_of(items.at(reader, number)) for number in (0, 16_383, 5)] == [0, 16_383, 5]
    assert reader.asked == [(0, 16_384)]


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


@pytest.mark.parametrize(
    ("change", "path", "says"),
    [
        (("k5", "uint32", 0), "/metadata/39000/key", "the key 'k5' is duplicated"),
        (TensorSpec("t5", (1,), 24, 32 * 39_000), "/tensors/39000/name", "the name 't5' is duplicated"),
        (TensorSpec("t", (1,), 24, 1), "/tensors/39000/ofs_data", "is not a multiple of the alignment"),
        (TensorSpec("t", (64,), 24, 32 * 5), "/tensors/39000/ofs_data", "overlaps the data of tensor 't5'"),
        (TensorSpec("t", (1,), 2, 32 * 39_000), "/tensors/39000/dims", "row length 1 is not a multiple"),
    ],
)
def test_what_is_wrong_far_down_is_found(model: Model, change: Any, path: str, says: str) -> None:
    broken = Model(list(model.metadata), list(model.tensors))
    items: list[Any] = broken.tensors if isinstance(change, TensorSpec) else broken.metadata
    items[39_000] = change
    with pytest.raises(kaitai_gguf.FormatError, match=says) as refused:
        kaitai_gguf.open(broken.build())
    assert refused.value.path == path
