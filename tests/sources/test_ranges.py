"""Many ranges of a file in few requests."""

import threading

import pytest
from hypothesis import given, strategies as st

from kaitai_gguf import FileError
from kaitai_gguf.sources import ranges
from kaitai_gguf.sources.ranges import Again, Span, read_many

DATA = bytes(range(251)) * 400


class Recorded:
    """A file in memory that records the ranges read from it."""

    name = "recorded"
    address: str | None = None
    start = b""
    num_requests = num_bytes = 0
    nbytes = len(DATA)
    version: str | None = None
    again: Again | None = None

    def __init__(self) -> None:
        self.reads: list[tuple[int, int]] = []
        self.most = self.active = 0
        self.lock = threading.Lock()

    def read(self, start: int, end: int) -> bytes:
        with self.lock:
            self.reads.append((start, end))
            self.active += 1
            self.most = max(self.most, self.active)
        with self.lock:
            self.active -= 1
        return DATA[start:end]

    def close(self) -> None: ...


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ranges, "GAP", 10)
    monkeypatch.setattr(ranges, "MOST", 100)


def test_limits() -> None:
    import importlib.util

    spec = importlib.util.find_spec("kaitai_gguf.sources.ranges")
    assert spec is not None
    assert spec.loader is not None
    fresh = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(fresh)
    assert (fresh.GAP, fresh.MOST) == (1 << 20, 16 << 20)
    assert 2 <= fresh.AT_ONCE <= 8


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
    found = read_many(file, [Span(*span) for span in spans])
    assert [bytes(each) for each in found] == [DATA[start:end] for start, end in spans]
    assert sorted(file.reads) == reads
    assert all(each.readonly for each in found)


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
    file = Recorded()
    together = threading.Barrier(ranges.AT_ONCE, timeout=20)

    class Slow(Recorded):
        def read(self, start: int, end: int) -> bytes:
            together.wait()
            return file.read(start, end)

    read_many(Slow(), [Span(start, start + 5) for start in range(0, 50 * 2 * ranges.AT_ONCE, 50)])
    assert len(file.reads) == 2 * ranges.AT_ONCE


def test_the_first_failure_ends_it() -> None:
    file = Recorded()

    class Failing(Recorded):
        def read(self, start: int, end: int) -> bytes:
            file.read(start, end)
            raise FileError(5, "fails", "name")

    with pytest.raises(FileError, match="fails"):
        read_many(Failing(), [Span(start, start + 5) for start in range(0, 5000, 50)])
    assert 0 < len(file.reads) <= ranges.AT_ONCE
