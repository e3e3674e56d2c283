"""Local files that are read by ranges: `LocalRanges` and `opened_by_ranges`."""

import os
from pathlib import Path

import pytest

import kaitai_gguf
from kaitai_gguf.reading.file import read
from kaitai_gguf.sources.local_ranges import FIRST, LocalRanges, local_version
from kaitai_gguf.sources.opening import opened_by_ranges, version_of

SAMPLE = Path(__file__).parents[2] / "examples" / "sample.gguf"


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "file"
    path.write_bytes(bytes(range(256)) * 4)
    return path


@pytest.mark.parametrize("has_pread", [True, False])
def test_any_range(path: Path, has_pread: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    if not has_pread:
        monkeypatch.delattr(os, "pread", raising=False)
    with path.open("rb") as file:
        ranges = LocalRanges(file, "name", 10)
        assert (ranges.start, ranges.nbytes) == (bytes(range(10)), 1024)
        assert ranges.read(250, 260) == bytes([*range(250, 256), *range(4)])
        assert (ranges.num_requests, ranges.num_bytes) == (2, 20)
        with pytest.raises(kaitai_gguf.FileError, match="name: was truncated while it was being read: it had 1024"):
            ranges.read(1000, 1030)


def test_errors_of_the_system_are_ours(path: Path) -> None:
    with path.open("rb") as file:
        ranges = LocalRanges(file, "name", 10)
        descriptor = os.open(path.parent, os.O_RDONLY)
        os.dup2(descriptor, file.fileno())
        os.close(descriptor)
        with pytest.raises(kaitai_gguf.FileError, match="name: "):
            ranges.read(0, 10)


def test_reading_on_until_the_header_is_whole() -> None:
    with kaitai_gguf.open(SAMPLE) as model:
        expected = [*model.metadata], [*model.tensors], model.nbytes
        header_nbytes = model.header_nbytes

    def use(source: object) -> tuple[list[str], list[str], int]:
        model = read(source)  # type: ignore[arg-type]
        return [*model.metadata], [*model.tensors], model.nbytes

    assert opened_by_ranges(str(SAMPLE), use) == expected
    assert opened_by_ranges(SAMPLE.as_uri(), use) == expected
    assert header_nbytes < FIRST
    LocalRanges.__init__.__defaults__, defaults = (100,), LocalRanges.__init__.__defaults__
    try:
        assert opened_by_ranges(str(SAMPLE), use) == expected
        with pytest.raises(kaitai_gguf.FileError, match=r"its header is longer than the limit of 1,000 bytes"):
            opened_by_ranges(str(SAMPLE), use, limit=1000)
    finally:
        LocalRanges.__init__.__defaults__ = defaults


def test_the_version_changes_with_size_and_time(path: Path) -> None:
    os.utime(path, ns=(0, 5))
    assert version_of(str(path)) == version_of(path.as_uri()) == local_version(path.stat())
    before = local_version(path.stat())
    os.utime(path, ns=(0, 10**9))
    assert local_version(path.stat()) != before
    with pytest.raises(kaitai_gguf.FileMissingError):
        version_of(str(path.parent / "missing"))
