"""Local files that are read by ranges: `FileRanges` and `opened_by_ranges`."""

import os
from pathlib import Path

import pytest

import kaitai_gguf
from kaitai_gguf.reading.file import read
from kaitai_gguf.sources import opening
from kaitai_gguf.sources.file_ranges import FileRanges
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
        ranges = FileRanges(file, 10, "name")
        assert (ranges.start, ranges.nbytes) == (bytes(range(10)), 1024)
        assert ranges.read(250, 260) == bytes([*range(250, 256), *range(4)])
        assert (ranges.num_requests, ranges.num_bytes) == (2, 20)
        with pytest.raises(kaitai_gguf.FileError, match=r"name: 24 bytes were read instead of 30: .* truncated"):
            ranges.read(1000, 1030)
        descriptor = os.open(path.parent, os.O_RDONLY)
        os.dup2(descriptor, file.fileno())
        os.close(descriptor)
        with pytest.raises(kaitai_gguf.FileError, match="name: "):
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
        with pytest.raises(kaitai_gguf.FileError, match=r"its header is longer than the limit of 1,000 bytes"):
            opened_by_ranges(str(SAMPLE), read, limit=1000)


def test_the_version_changes_with_size_and_time(path: Path) -> None:
    os.utime(path, ns=(0, 5))
    assert version_of(str(path)) == version_of(path.as_uri()) == "1024-5"
    path.write_bytes(b"shorter")
    os.utime(path, ns=(0, 10**9))
    assert version_of(str(path)) == "7-1000000000"
    with pytest.raises(kaitai_gguf.FileMissingError):
        version_of(str(path.parent / "missing"))
