"""Operations on files with only the header in memory: the rest is read with range requests."""

import io
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import Field, check, convert, diff, digest, explain, merge, split, write

MODELS = Path(__file__).parents[1] / "data" / "models"


class Remote(io.BufferedIOBase):
    """A file object that is not from `io`: neither a local file nor in memory."""

    def __init__(self, data: bytes) -> None:
        self._inner = io.BytesIO(data)
        self.num_reads = 0

    def seekable(self) -> bool:
        return True

    def tell(self) -> int:
        return self._inner.tell()

    def seek(self, position: int, whence: int = 0) -> int:
        return self._inner.seek(position, whence)

    def read(self, nbytes: int | None = -1) -> bytes:
        self.num_reads += 1
        return self._inner.read(nbytes)


def without_heads(fields: Iterable[Field]) -> list[Field]:
    return [replace(field, head=b"") for field in fields]


@pytest.fixture
def data(tmp_path: Path) -> bytes:
    """Return a model that is larger than the first read, with bytes after it."""
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
    assert without_heads(explain(Remote(data))) == without_heads(expected)
    remote = Remote(data)
    with kaitai_gguf.open(remote) as model:
        assert without_heads(explain(model)) == without_heads(expected)
        assert remote.num_reads < 10
        for question in ({"at": len(data) - 1}, {"path": "/tensors/2/data/7"}, {"path": "/tensors/0/data"}):
            found = without_heads(explain(model, **question))
            assert found == without_heads(explain(data, **question)) != []


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
