"""Names of key-values and tensors: which item has one, and which name is empty or duplicated."""

from collections.abc import Callable
from mmap import ACCESS_READ, mmap
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from support.scanners import PYTHON, each_scanner

from kaitai_gguf.errors import ClosedError
from kaitai_gguf.schema.names import Names
from kaitai_gguf.schema.scanner import PythonScanner, Scanner


def names_of(names: list[bytes], scanner: Scanner) -> tuple[bytes, Names]:
    """Return a buffer with the names, and an index of them."""
    buf, ends = b"".join(names), np.cumsum([0, *map(len, names)])
    return buf, Names(scanner, buf, ends[:-1], ends[1:])


class WithHashes(PythonScanner):
    """A scanner that finds what another one finds, but with other hashes than Python's."""

    def __init__(self, scanner: Scanner, hash_of: Callable[[bytes], int]) -> None:
        self.find = scanner.find
        self.hash_of = hash_of

    def hashes(self, buf: Any, starts: np.ndarray[Any, Any], ends: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        spans = zip(starts.tolist(), ends.tolist(), strict=True)
        return np.array([self.hash_of(buf[start:end]) for start, end in spans], np.int64)


@each_scanner
@given(names=st.lists(st.binary(max_size=2)))
def test_names_are_found_as_a_list_finds_them(scanner: Scanner, names: list[bytes]) -> None:
    buf, index = names_of(names, scanner)
    for name in [*names, b"", b"abc"]:
        assert index.find(buf, name) == (names.index(name) if name in names else None)
    invalid = [number for number, name in enumerate(names) if not name or name in names[:number]]
    assert index.invalid(buf) == (invalid[0] if invalid else None)


@each_scanner
def test_equal_hashes_are_not_equal_names(scanner: Scanner) -> None:
    names = [b"a", b"b", b"c", b"b"]
    same = WithHashes(scanner, lambda _: hash(b"b"))
    buf, index = names_of(names, same)
    assert index.find(buf, b"b") == 1
    assert index.find(buf, b"a") is None  # has another hash
    assert index.invalid(buf) == 3
    buf, index = names_of(names[:3], same)
    assert index.invalid(buf) is None


@each_scanner
def test_a_map_that_was_just_closed(scanner: Scanner, tmp_path: Path) -> None:
    path = tmp_path / "names"
    path.write_bytes(b"ab")
    with path.open("rb") as file, mmap(file.fileno(), 0, access=ACCESS_READ) as buf:
        _, index = names_of([b"a", b"b"], scanner)
        assert index.find(buf, b"b") == 1
    with pytest.raises(ClosedError, match="the file is closed"):
        index.find(buf, b"b")


def test_equal_hashes_cost_a_look_each() -> None:
    """With hashes of 20 bits, one in 30 of 2^16 names shares its hash with another name."""

    class Counted(bytes):
        looks = 0

        def __getitem__(self, index: Any) -> Any:
            self.looks += 1
            return super().__getitem__(index)

    names = [b"%d" % number for number in range(1 << 16)]
    buf, index = names_of(names, WithHashes(PYTHON, lambda name: hash(name) & ~((1 << 44) - 1)))
    counted = Counted(buf)
    assert index.invalid(counted) is None
    assert len(names) // 100 < counted.looks < 4 * len(names)
