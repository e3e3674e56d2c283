"""Operations on files with only the header in memory: the rest is read with range requests."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.remote_models import Foreign

import kaitai_gguf
from kaitai_gguf import Field, check, convert, diff, digest, explain, merge, split, write

MODELS = Path(__file__).parents[1] / "data" / "models"


def remote_file(data: bytes) -> Any:
    return Foreign(data)


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


def test_whole_models(data: bytes, tmp_path: Path) -> None:
    assert not diff(remote_file(data), data)
    assert not diff(data, remote_file(data))
    assert digest(remote_file(data)) == digest(data)
    convert(remote_file(data), tmp_path / "same.gguf")
    assert (tmp_path / "same.gguf").read_bytes() == data
    convert(remote_file(data), tmp_path / "big.gguf", byte_order="big")
    assert diff(data, tmp_path / "big.gguf").tensors == ()
    convert(remote_file(data), tmp_path / "aligned.gguf", alignment=64, tensors=["q"])
    assert list(kaitai_gguf.open(tmp_path / "aligned.gguf").tensors) == ["q"]
    paths = split(remote_file(data), tmp_path / "part", max_tensors=1)
    merge(paths, tmp_path / "merged.gguf")
    assert not diff(tmp_path / "merged.gguf", remote_file(data))


def test_a_remote_model_is_checked(data: bytes) -> None:
    findings = check(data, deep=True)
    assert "trailing-bytes" in {finding.rule for finding in findings}
    assert check(remote_file(data), deep=True) == findings
    with kaitai_gguf.open(remote_file(data)) as model:
        assert check(model, deep=True) == findings
    broken = data[: len(data) // 2]
    assert check(remote_file(broken)) == check(broken)


def test_a_remote_model_is_explained(data: bytes) -> None:
    expected = list(explain(data))
    assert without_heads(explain(remote_file(data))) == without_heads(expected)
    remote = remote_file(data)
    with kaitai_gguf.open(remote) as model:
        assert model.tensors["a"].is_remote
        assert len(model.buffer) < model.nbytes == len(data)
        assert without_heads(explain(model)) == without_heads(expected)
        assert remote.num_reads < 30  # 21 of them for the first MiB
        for question in ({"at": len(data) - 1}, {"path": "/tensors/2/data/7"}, {"path": "/tensors/0/data"}):
            found = without_heads(explain(model, **question))
            assert found == without_heads(explain(data, **question)) != []


def test_a_header_that_is_longer_than_what_is_read_at_first(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {"x": ["a" * 100] * (1 << 15)}, {"a": np.arange(5, dtype=np.int8)})
    data = path.read_bytes()
    assert list(explain(remote_file(data))) == list(explain(data))
    assert check(remote_file(data)) == check(data)
    truncated = data[: 2 << 20]
    assert check(remote_file(truncated)) == check(truncated)
    with pytest.raises(kaitai_gguf.TruncatedError):
        list(explain(remote_file(truncated)))
