"""Operations take an open model, or anything that `open()` takes."""

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import kaitai_gguf
from kaitai_gguf import convert, converted_header, diff, digest, merge, plan_split, split

MODELS = Path(__file__).parents[1] / "data" / "models"
SOURCE = MODELS / "split-source.gguf"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))

SOURCES: dict[str, Callable[[], Any]] = {
    "open model": lambda: kaitai_gguf.open(SOURCE),
    "path": lambda: SOURCE,
    "text": lambda: str(SOURCE),
    "bytes": SOURCE.read_bytes,
    "file": lambda: io.BytesIO(SOURCE.read_bytes()),
}


@pytest.fixture(params=SOURCES.values(), ids=SOURCES)
def source(request: pytest.FixtureRequest) -> Any:
    return request.param()


def test_everything_takes_it(source: Any, tmp_path: Path) -> None:
    assert not diff(source, SOURCE)
    assert not diff(SOURCE, source)
    with kaitai_gguf.open(SOURCE) as model:
        assert digest(source) == digest(model)
        assert plan_split(source, max_tensors=5) == plan_split(model, max_tensors=5)
    assert len(split(source, tmp_path / "part", max_tensors=5)) == len(SPLIT)
    convert(source, tmp_path / "big.gguf", byte_order="big")
    header = converted_header(source, byte_order="big")
    assert header.buffer == (tmp_path / "big.gguf").read_bytes()[: len(header.buffer)]
    assert not (isinstance(source, kaitai_gguf.GGUFFile) and source.closed)


@pytest.mark.parametrize("shards", [SPLIT[1], str(MODELS / "split5-*.gguf"), SPLIT[::-1]], ids=["one", "*", "all"])
def test_shards(shards: Any, tmp_path: Path) -> None:
    merge(shards, tmp_path / "merged.gguf")
    assert (tmp_path / "merged.gguf").read_bytes() == SOURCE.read_bytes()
    assert digest(shards, files=False) == digest(SOURCE, files=False)
    assert [each.key for each in diff(SOURCE, shards).keys] == ["split.no", "split.tensors.count", "split.count"]


def test_the_files_are_closed_again() -> None:
    (difference,) = (each for each in diff(SOURCE, MODELS / "v2.gguf").tensors[:1])
    assert difference.before is not None
    assert difference.before.shape
    with pytest.raises(kaitai_gguf.ClosedError):
        _ = difference.before.data
