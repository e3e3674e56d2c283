"""Many ranges of a file in few requests."""

import threading

import pytest
from hypothesis import given, strategies as st

from kaitai_gguf import FileError
from kaitai_gguf.sources import ranges
from kaitai_gguf.sources.ranges import Ranges, Span, read_many

DATA = bytes(range(251)) * 400


class Recorded(Ranges):
    """A file in memory that records the ranges read from it."""

    def __init__(self) -> None:
        super().__init__("recorded", len(DATA))
        self.reads: list[tuple[int, int]] = []

    def _read(self, start: int, end: int) -> bytes:
        self.reads.append((start, end))
        return DATA[start:end]


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "GAP", 10)
    monkeypatch.setattr(ranges, "MOST", 100)


@pytest.mark.parametrize(
    ("spans", "reads"),
    [
        ([], []),
        ([(5, 5)], []),
        ([(5, 9)], [(5, 9)]),
        ([(0, 10), (20, 30)], [(0, 30)]),  # a gap of 10
        ([(0, 10), (21, 30)], [(0, 10), (21, 30)]),  # a gap of 11
        ([(20, 30), (0, 10)], [(0, 30)]),
        ([(0, 50), (10, 20), (40, 60)], [(0, 60)]),
        ([(0, 250)], [(0, 100), (100, 200), (200, 250)]),
        ([(0, 60), (65, 130)], [(0, 100), (100, 130)]),
    ],
)
def test_requests(spans: list[tuple[int, int]], reads: list[tuple[int, int]]) -> None:
    file = Recorded()
    result = read_many(file, [Span(*span) for span in spans])
    assert [bytes(each) for each in result] == [DATA[start:end] for start, end in spans]
    assert sorted(file.reads) == reads
    assert all(each.readonly for each in result)


@given(st.lists(st.tuples(st.integers(0, 1000), st.integers(0, 300)), max_size=20))
def test_any_spans(pairs: list[tuple[int, int]]) -> None:
    file = Recorded()
    spans = [Span(start, start + length) for start, length in pairs]
    assert [bytes(each) for each in read_many(file, spans)] == [DATA[start:end] for start, end in spans]
    assert sum(end - start for start, end in file.reads) == len(
        {p for start, end in file.reads for p in range(start, end)}
    )
    assert all(0 < end - start <= ranges.MOST for start, end in file.reads)


def test_a_few_are_in_flight() -> None:
    together = threading.Barrier(ranges.AT_ONCE, timeout=20)

    class Slow(Recorded):
        def _read(self, start: int, end: int) -> bytes:
            together.wait()
            return super()._read(start, end)

    file = Slow()
    read_many(file, [Span(start, start + 5) for start in range(0, 50 * 2 * ranges.AT_ONCE, 50)])
    assert len(file.reads) == file.num_requests == 2 * ranges.AT_ONCE
    assert file.num_bytes == 10 * ranges.AT_ONCE


def test_the_first_failure_ends_it() -> None:
    class Failing(Recorded):
        def _read(self, start: int, end: int) -> bytes:
            return super()._read(start, end)[1:]

    file = Failing()
    with pytest.raises(FileError, match="recorded: 4 bytes were read instead of 5: the file was truncated or replaced"):
        read_many(file, [Span(start, start + 5) for start in range(0, 5000, 50)])
    assert 0 < len(file.reads) <= ranges.AT_ONCE
