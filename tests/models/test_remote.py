"""Operations on files of which only the header is in memory: the rest is read by ranges."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import check, convert, diff, digest, explain, merge, split, write

MODELS = Path(__file__).parents[1] / "data" / "models"


class Remote(io.BytesIO):
    """A file object of another package than Python's own."""


@pytest.fixture
def data(tmp_path: Path) -> bytes:
    """A model with more than is read at first, with bytes after it."""
    path = tmp_path / "model.gguf"
    floats = np.linspace(-1, 1, 1 << 19, dtype=np.float32).reshape(-1, 1 << 10)
    tensors: dict[str, Any] = {"a": floats, "b": np.arange(5, dtype=np.int8), "q": (floats, "Q8_0")}
    write(path, {"general.architecture": "llama", "x": list(range(9))}, tensors)
    return path.read_bytes() + b"more"


def test_it_is_remote(data: bytes) -> None:
    with kaitai_gguf.open(Remote(data)) as model:
        assert model.tensors["a"].is_remote
        assert len(model.buffer) < model.nbytes == len(data)


def test_whole_models(data: bytes, tmp_path: Path) -> None:
    assert not diff(Remote(data), data)
    assert not diff(data, Remote(data))
    assert digest(Remote(data)) == digest(data)
    convert(Remote(data), tmp_path / "same.gguf")
    assert (tmp_path / "same.gguf").read_bytes() == data
    convert(Remote(data), tmp_path / "big.gguf", byte_order="big")
    assert diff(data, tmp_path / "big.gguf").tensors == ()
    convert(Remote(data), tmp_path / "aligned.gguf", alignment=64, tensors=["q"])
    assert list(kaitai_gguf.open(tmp_path / "aligned.gguf").tensors) == ["q"]
    paths = split(Remote(data), tmp_path / "part", max_tensors=1)
    merge(paths, tmp_path / "merged.gguf")
    assert not diff(tmp_path / "merged.gguf", Remote(data))


def test_a_remote_model_is_checked(data: bytes) -> None:
    findings = check(data, deep=True)
    assert "trailing-bytes" in {finding.rule for finding in findings}
    assert check(Remote(data), deep=True) == findings
    with kaitai_gguf.open(Remote(data)) as model:
        assert check(model, deep=True) == findings
    broken = data[: len(data) // 2]
    assert check(Remote(broken)) == check(broken)


def test_a_remote_model_is_explained(data: bytes) -> None:
    expected = list(explain(data))
    assert list(explain(Remote(data))) == expected
    with kaitai_gguf.open(Remote(data)) as model:
        assert list(explain(model)) == expected
        assert list(explain(model, at=len(data) - 1)) == list(explain(data, at=len(data) - 1))
        assert list(explain(model, path="/tensors/2/data/7")) == list(explain(data, path="/tensors/2/data/7")) != []


def test_a_header_that_is_longer_than_what_is_read_at_first(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {"x": ["a" * 100] * (1 << 15)}, {"a": np.arange(5, dtype=np.int8)})
    data = path.read_bytes()
    assert list(explain(Remote(data))) == list(explain(data))
    assert check(Remote(data)) == check(data)
    truncated = data[: 2 << 20]
    assert check(Remote(truncated)) == check(truncated)
    with pytest.raises(kaitai_gguf.TruncatedError):
        list(explain(Remote(truncated)))
