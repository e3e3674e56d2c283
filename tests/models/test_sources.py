"""Operations take an open model, or anything that `open()` takes, such as a remote file that is read in parts."""

import io
from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.remote_models import Foreign

import kaitai_gguf
from kaitai_gguf import (
    Field,
    check,
    convert,
    converted_header,
    diff,
    digest,
    explain,
    merge,
    plan_split,
    quantize_model,
    split,
    write,
)

MODELS = Path(__file__).parents[1] / "data" / "models"
SOURCE = MODELS / "split-source.gguf"


@pytest.fixture(scope="module")
def data(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """Return a model that is larger than the first read of a remote file, with bytes after it."""
    path = tmp_path_factory.mktemp("large") / "model.gguf"
    floats = np.linspace(-1, 1, 1 << 19, dtype=np.float32).reshape(-1, 1 << 10)
    tensors: dict[str, Any] = {"a.weight": floats, "b": np.arange(5, dtype=np.int8), "q": (floats, "Q8_0")}
    write(path, {"general.architecture": "llama", "x": list(range(9))}, tensors)
    return path.read_bytes() + b"more"


def file_of(data: bytes, folder: Path) -> Path:
    (folder / "model.gguf").write_bytes(data)
    return folder / "model.gguf"


SOURCES: dict[str, Callable[[bytes, Path], Any]] = {
    "open model": lambda data, _: kaitai_gguf.open(data),
    "path": file_of,
    "text": lambda data, folder: str(file_of(data, folder)),
    "bytes": lambda data, _: data,
    "file": lambda data, _: io.BytesIO(data),
    "remote file": lambda data, _: Foreign(data),
}


@pytest.mark.parametrize("make", SOURCES.values(), ids=SOURCES)
def test_everything_takes_it(make: Callable[[bytes, Path], Any], data: bytes, tmp_path: Path) -> None:
    source = make(data, tmp_path)
    assert not diff(source, data)
    assert not diff(data, source)
    assert digest(source) == digest(data)
    assert plan_split(source, max_tensors=1) == plan_split(data, max_tensors=1)
    paths = split(source, tmp_path / "part", max_tensors=1)
    merge(paths, tmp_path / "merged.gguf")
    assert not diff(tmp_path / "merged.gguf", source)
    convert(source, tmp_path / "same.gguf")
    assert (tmp_path / "same.gguf").read_bytes() == data
    convert(source, tmp_path / "big.gguf", byte_order="big")
    assert diff(data, tmp_path / "big.gguf").tensors == ()
    header = converted_header(source, byte_order="big")
    assert header.buffer == (tmp_path / "big.gguf").read_bytes()[: len(header.buffer)]
    convert(source, tmp_path / "aligned.gguf", alignment=64, tensors=["q"])
    assert list(kaitai_gguf.open(tmp_path / "aligned.gguf").tensors) == ["q"]
    quantize_model(source, tmp_path / "quantized.gguf", "Q4_K")
    quantize_model(data, tmp_path / "expected.gguf", "Q4_K")
    assert (tmp_path / "quantized.gguf").read_bytes() == (tmp_path / "expected.gguf").read_bytes()
    assert not (isinstance(source, kaitai_gguf.GGUFFile) and source.closed)


def test_the_files_are_closed_again() -> None:
    difference = diff(SOURCE, MODELS / "v2.gguf").tensors[0]
    assert difference.before is not None
    with pytest.raises(kaitai_gguf.ClosedError):
        _ = difference.before.data


# Remote files


def without_heads(fields: Iterable[Field]) -> list[Field]:
    return [replace(field, head=b"") for field in fields]


def test_a_remote_model_is_checked(data: bytes) -> None:
    findings = check(data, deep=True)
    assert "trailing-bytes" in {finding.rule for finding in findings}
    assert check(Foreign(data), deep=True) == findings
    broken = data[: len(data) // 2]
    assert check(Foreign(broken)) == check(broken)


def test_a_remote_model_is_explained(data: bytes) -> None:
    expected, remote = without_heads(explain(data)), Foreign(data)
    assert without_heads(explain(Foreign(data))) == expected
    with kaitai_gguf.open(remote) as model:
        assert len(model.buffer) < model.nbytes == len(data)
        assert without_heads(explain(model)) == expected
        assert remote.num_reads < 30  # 21 of them for the first MiB
        for question in ({"at": len(data) - 1}, {"path": "/tensors/2/data/7"}, {"path": "/tensors/0/data"}):
            result = without_heads(explain(model, **question))
            assert result == without_heads(explain(data, **question)) != []


def test_a_header_that_is_longer_than_what_is_read_at_first(tmp_path: Path) -> None:
    write(tmp_path / "model.gguf", {"x": ["a" * 100] * (1 << 15)}, {"a": np.arange(5, dtype=np.int8)})
    data = (tmp_path / "model.gguf").read_bytes()
    assert list(explain(Foreign(data))) == list(explain(data))
    truncated = data[: 2 << 20]
    for each in (data, truncated):
        assert check(Foreign(each)) == check(each)
    with pytest.raises(kaitai_gguf.TruncatedError):
        list(explain(Foreign(truncated)))
