"""A file is unmapped as soon as nothing refers to it, without waiting for the garbage collector."""

import gc
import os
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import ClosedError, GGUFFile

pytestmark = pytest.mark.skipif(not Path("/proc/self/maps").exists(), reason="the system does not list memory maps")


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "model.gguf"
    metadata = {"general.name": "a", "n": 5, "strings": ["a", "b"], "floats": [1.5, 2.5], "nested": [[1], [2]]}
    kaitai_gguf.write(path, metadata, {"t": np.arange(64, dtype=np.float32)})
    return path


@pytest.fixture(autouse=True)
def no_collector() -> Iterator[None]:
    gc.collect()
    gc.disable()
    yield
    gc.enable()


def uses(path: Path) -> int:
    """Return the number of maps and descriptors of a file in this process."""
    mapped = Path("/proc/self/maps").read_text().count(str(path))
    descriptors = (f"/proc/self/fd/{number}" for number in os.listdir("/proc/self/fd"))
    return mapped + sum(os.path.realpath(each) == str(path) for each in descriptors)


def touch(model: GGUFFile) -> None:
    """Read everything in the model."""
    for key in model.metadata:
        _ = model.metadata[key], model.metadata.entry(key), model.metadata.raw(key)
    _ = list(model.metadata["strings"]), model.metadata["strings"] == ["a", "b"], repr(model.metadata["nested"])
    _ = model.metadata["nested"].tolist()
    tensor = model.tensors["t"]
    _ = tensor.data.sum(), tensor.blocks, tensor.dequantize(), repr(tensor)


def read(path: Path) -> None:
    touch(kaitai_gguf.open(path))


def edit(path: Path) -> None:
    with kaitai_gguf.edit(path) as editor:
        touch(editor.model)
        editor.metadata["general.name"] = "b"
        editor.commit()
        editor.metadata["general.name"] = "long" * 50


def compare(path: Path) -> None:
    with kaitai_gguf.open(path) as one, kaitai_gguf.open(path) as other:
        kaitai_gguf.diff(one, other, values=True)
        kaitai_gguf.digest(one)
        kaitai_gguf.converted_header(other, version=2)


def rewrite(path: Path) -> None:
    with kaitai_gguf.open(path) as model:
        kaitai_gguf.write(path, model.metadata, model.tensors)
    with kaitai_gguf.open(path) as model:  # `convert` does not replace a file that changed since it was opened
        kaitai_gguf.convert(model, path, byte_order="big", overwrite=True)


def duplicated(data: bytes) -> bytes:
    """Return a file in which two keys are equal: its fields can be read."""
    return data.replace(b"floats", b"nested")


@pytest.mark.parametrize(
    "use",
    [
        read,
        edit,
        compare,
        rewrite,
        lambda path: list(kaitai_gguf.explain(path)),
        lambda path: kaitai_gguf.check(path, deep=True),
        lambda path: kaitai_gguf.open(path).close(),
    ],
)
def test_what_is_done_with(path: Path, use: Callable[[Path], Any]) -> None:
    use(path)
    assert uses(path) == 0


@pytest.mark.parametrize("use", [read, edit, kaitai_gguf.check, lambda path: list(kaitai_gguf.explain(path))])
@pytest.mark.parametrize("broken", [lambda data: data[:150], lambda data: b"nope" + data, lambda data: b"", duplicated])
def test_what_is_refused(path: Path, use: Callable[[Path], Any], broken: Callable[[bytes], bytes]) -> None:
    path.write_bytes(broken(path.read_bytes()))
    with suppress(kaitai_gguf.FormatError):
        use(path)
    assert uses(path) == 0


@pytest.mark.parametrize(
    "view",
    [
        lambda model: model.tensors["t"].data,
        lambda model: model.tensors["t"].blocks,
        lambda model: model.metadata["floats"],
        lambda model: model.metadata["strings"],
        lambda model: model.buffer,
    ],
)
def test_closing_unmaps_with_the_last_view(path: Path, view: Callable[[GGUFFile], Any]) -> None:
    with kaitai_gguf.open(path) as model:
        kept = view(model)
        touch(model)
    assert uses(path) == 2
    assert len(kept) > 1
    del kept
    assert uses(path) == 0
    with pytest.raises(ClosedError):
        _ = model.metadata["n"]
