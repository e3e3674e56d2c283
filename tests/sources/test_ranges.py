"""Files read by ranges: many ranges in few requests, and local files that are not mapped."""

import os
import threading
from pathlib import Path

import pytest
from hypothesis import given, strategies as st

import kaitai_gguf
from kaitai_gguf import FileError
from kaitai_gguf.reading.file import read
from kaitai_gguf.sources import opening, ranges
from kaitai_gguf.sources.file_ranges import FileRanges
from kaitai_gguf.sources.opening import opened_by_ranges, version_of
from kaitai_gguf.sources.ranges import Ranges, Span, read_many

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"

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
    positions = [position for start, end in file.reads for position in range(start, end)]
    assert len(positions) == len(set(positions))  # no byte is read twice
    assert all(0 < end - start <= ranges.MOST for start, end in file.reads)


def test_a_few_are_in_flight() -> None:
    together = threading.Barrier(ranges.AT_ONCE, timeout=20)

    class Slow(Recorded):
        def _read(self, start: int, end: int) -> bytes:
            together.wait()
            return super()._read(start, end)

    file = Slow()
    read_many(file, [Span(start, start + 5) for start in range(0, 50 * 2 * ranges.AT_ONCE, 50)])
    assert len(file.reads) == 2 * ranges.AT_ONCE


def test_the_first_failure_ends_it() -> None:
    class Failing(Recorded):
        def _read(self, start: int, end: int) -> bytes:
            return super()._read(start, end)[1:]

    file = Failing()
    with pytest.raises(FileError, match="recorded: 4 bytes were read instead of 5: the file was truncated or replaced"):
        read_many(file, [Span(start, start + 5) for start in range(0, 5000, 50)])
    assert 0 < len(file.reads) <= ranges.AT_ONCE


# Local files


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 4)
    return path


def test_any_range(path: Path) -> None:
    with path.open("rb", buffering=0) as file:
        ranges = FileRanges(file, 10, "name")
        assert (ranges.start, ranges.nbytes) == (bytes(range(10)), 1024)
        assert ranges.read(250, 260) == bytes([*range(250, 256), *range(4)])
        assert (ranges.num_requests, ranges.num_bytes) == (2, 20)
        with pytest.raises(FileError, match=r"name: 24 bytes were read instead of 30: .* truncated"):
            ranges.read(1000, 1030)
        descriptor = os.open(path.parent, os.O_RDONLY)
        os.dup2(descriptor, file.fileno())
        os.close(descriptor)
        with pytest.raises(FileError, match="name: "):
            ranges.read(0, 10)


@pytest.mark.parametrize("first", [1 << 17, 100])
def test_reading_on_until_the_header_is_whole(first: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(opening, "_FIRST", first)
    with kaitai_gguf.open(SAMPLE) as model:
        expected = [*model.metadata], [*model.tensors], model.nbytes
    for path in (str(SAMPLE), SAMPLE.as_uri()):
        model = opened_by_ranges(path, read)
        assert ([*model.metadata], [*model.tensors], model.nbytes) == expected
    if first == 100:
        with pytest.raises(FileError, match=r"its header is longer than the limit of 1,000 bytes"):
            opened_by_ranges(str(SAMPLE), read, limit=1000)


def test_the_version_changes_with_size_and_time(path: Path) -> None:
    os.utime(path, ns=(0, 5))
    assert version_of(str(path)) == version_of(path.as_uri()) == "1024-5"
    path.write_bytes(b"shorter")
    os.utime(path, ns=(0, 10**9))
    assert version_of(str(path)) == "7-1000000000"
    with pytest.raises(kaitai_gguf.FileMissingError):
        version_of(str(path.parent / "missing"))
