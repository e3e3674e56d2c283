"""Which readers refuse a file according to `check`, compared with these readers and with `open()`."""

import os
import tarfile
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from gguf import GGUFReader
from hypothesis import HealthCheck, given, settings
from support.about import about
from support.gguf_bytes import Model, TensorSpec
from support.strategies import broken, models

import kaitai_gguf
from kaitai_gguf import RULES, FormatError, GGMLType, check
from kaitai_gguf.schema import BLOCKS
from rules.build import METADATA
from rules.cases import CASES, REFUSED_BY_OPEN
from rules.oracles import LLAMA_CPP, Ggml, ggml, ggml_validates, gguf_py_reads

FILES = {
    path.name: path.read_bytes() for path in sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
} | {f"{rule}-{i}": case.data for rule in CASES for i, case in enumerate(CASES[rule])}
FIXTURES = settings(suppress_health_check=[HealthCheck.function_scoped_fixture])

needs_ggml = pytest.mark.skipif(LLAMA_CPP is None, reason="llama-cpp-python is not installed")


def refusing(data: bytes) -> set[str]:
    """Return the readers that refuse a file according to the findings."""
    return {reader for finding in check(data) for reader in finding.refused_by}


@pytest.fixture(scope="module")
def llama_cpp() -> Iterator[Ggml]:
    with ggml() as process:
        yield process


def compare_with_ggml(data: bytes, process: Ggml, folder: Path) -> None:
    path, refused_by = folder / "model.gguf", refusing(data)
    path.write_bytes(data)
    assert process.reads(path) == ("ggml" not in refused_by, refused_by.isdisjoint({"ggml", "ggml (with data)"}))


def test_the_files_of_these_are_many() -> None:
    assert len(FILES) > 120


def test_what_llama_cpp_writes_and_loads_is_valid(tmp_path: Path) -> None:
    """The headers are those of all models that llama.cpp's own test of architectures saves and loads again."""
    paths = []
    with tarfile.open(Path(__file__).parents[1] / "data" / "llama-cpp-headers.tar.xz") as archive:
        for member in archive:
            header = archive.extractfile(member)
            if header is not None:
                paths.append(tmp_path / Path(member.name).name)
                paths[-1].write_bytes(header.read())
    assert len(paths) == 128
    for path in paths:
        with kaitai_gguf.open(path) as model:
            end = model.data_offset + model.tensors.data_nbytes
        os.truncate(path, end + -end % model.alignment)  # a hole takes no space
        findings = [each for each in check(path) if each.severity == "error" or each.refused_by]
        assert findings == [], path.name
        reader = GGUFReader(path)
        with kaitai_gguf.open(path) as model:
            assert [key for key in reader.fields if not key.startswith("GGUF.")] == list(model.metadata), path.name
            tensors = {each.name: (each.dims, each.offset + model.data_offset) for each in model.tensors.values()}
        assert tensors == {each.name: (tuple(each.shape.tolist()), each.data_offset) for each in reader.tensors}


@needs_ggml
def test_ggml_of_these(llama_cpp: Ggml, tmp_path: Path) -> None:
    for name, data in FILES.items():
        with about(name):
            compare_with_ggml(data, llama_cpp, tmp_path)


@needs_ggml
@FIXTURES
@given(models().map(Model.build) | broken())
def test_ggml_of_any_files(llama_cpp: Ggml, tmp_path: Path, data: bytes) -> None:
    compare_with_ggml(data, llama_cpp, tmp_path)


def compare_with_gguf_py(data: bytes, folder: Path) -> None:
    """Assert that gguf-py refuses a file if a finding says so, and otherwise reads it if we can open it."""
    is_refused = "gguf-py" in refusing(data)
    try:
        kaitai_gguf.open(data)
    except FormatError:
        if not is_refused:
            return
    (folder / "model.gguf").write_bytes(data)
    assert gguf_py_reads(folder / "model.gguf") != is_refused


def test_gguf_py_of_these(tmp_path: Path) -> None:
    for name, data in FILES.items():
        with about(name):
            compare_with_gguf_py(data, tmp_path)


@FIXTURES
@given(models().map(Model.build) | broken())
def test_gguf_py_of_any_files(tmp_path: Path, data: bytes) -> None:
    compare_with_gguf_py(data, tmp_path)


def compare_with_open(data: bytes) -> None:
    """Assert that `open()` refuses a file exactly if one of these rules is broken, and at the place of a finding."""
    found = {(finding.offset, finding.path) for finding in check(data) if finding.rule in REFUSED_BY_OPEN}
    if not found:
        kaitai_gguf.open(data)
        return
    with pytest.raises(FormatError) as caught:
        kaitai_gguf.open(data)
    assert (caught.value.offset, caught.value.path) in found


def test_open_of_these() -> None:
    for name, data in FILES.items():
        with about(name):
            compare_with_open(data)


@given(broken())
def test_open_of_broken_files(data: bytes) -> None:
    compare_with_open(data)
    for finding in check(data, deep=True):
        assert finding.rule in RULES
        assert finding.count > 0
        assert finding.path.startswith("/")


# Without Q8_1: ggml does not validate it, because its own files never contain it.
@needs_ggml
@pytest.mark.parametrize("type_id", sorted(set(BLOCKS) - {GGMLType.Q8_1}), ids=lambda id: GGMLType(id).name)
def test_ggml_of_tensor_data(type_id: int) -> None:
    """Random blocks, most of which have finite scales."""
    random, size, seen = np.random.default_rng(type_id), BLOCKS[type_id].size, set()
    for number in range(60):
        data = random.integers(0, 256, size * (1 + number % 4), np.uint8).tobytes()
        elements = len(data) // size * BLOCKS[type_id].num_elements
        file = Model(list(METADATA), [TensorSpec("t", (elements,), type_id, 0)], data).build()
        refused_by = {reader for finding in check(file, deep=True) for reader in finding.refused_by}
        assert ggml_validates(type_id, data) == ("llama.cpp --check-tensors" not in refused_by)
        seen.add("llama.cpp --check-tensors" in refused_by)
    assert False in seen
