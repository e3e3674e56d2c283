"""How other projects use gguf-py's reader.

transformers, diffusers, sglang and vLLM read values through `parts[index]` for each index in `data`; ComfyUI-GGUF and
InvokeAI decode parts themselves; others step through the file by offsets.
"""

import gc
import json
import os
import shutil
from array import array
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from gguf_py.files import EXAMPLE, MODELS
from kaitai_gguf.gguf_py import install, uninstall

FILES = [EXAMPLE, MODELS / "tiny-be.gguf", MODELS / "empty-arrays.gguf", MODELS / "tiny-allquants.gguf"]


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    install()
    yield
    uninstall()


def value_by_type(part: Any, types: list[Any]) -> Any:
    """Convert a part to a Python value, using the numeric types of its field."""
    kind = types[-1] if types[0] == 9 else types[0]
    if kind in (6, 12):
        return float(part[0])
    if kind == 7:
        return bool(part[0])
    return array("B", list(part)).tobytes().decode() if kind == 8 else int(part[0])


def by_index(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    keys = list(reader.fields.keys())
    found = {key: [value_by_type(f.parts[i], f.types) for i in f.data] for key, f in reader.fields.items()}
    return keys, found, all(tensor.name != "output.weight" for tensor in reader.tensors)


def names_and_types(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    known = [gguf.GGMLQuantizationType.F32, gguf.GGMLQuantizationType.F16]
    return {t.name: (t.tensor_type in known, t.tensor_type.name, str(t.tensor_type)) for t in reader.tensors}


def weights(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    found = {}
    for tensor in reader.tensors:
        copied = tensor.data.copy()
        shape = tuple(int(size) for size in reversed(tensor.shape))
        found[tensor.name] = (type(copied.base).__name__, copied.dtype.str, copied.tobytes(), shape)
    return found


def numbers_of_tensors(path: Path) -> Any:
    found = {}
    for tensor in gguf.GGUFReader(path).tensors:
        try:
            found[tensor.name] = gguf.dequantize(tensor.data, tensor.tensor_type).tobytes()
        except NotImplementedError as error:
            found[tensor.name] = str(error)
    return found


def texts_of_parts(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    found: dict[str, Any] = {"missing": reader.get_field("missing")}
    for key, field in reader.fields.items():
        if len(field.types) == 1 and field.types[0] == gguf.GGUFValueType.STRING:
            found[key] = str(field.parts[field.data[-1]], encoding="utf-8"), bytes(field.parts[-1]).decode()
        elif field.types[0] != gguf.GGUFValueType.ARRAY:
            found[key] = field.parts[field.data[-1]][0].item(), field.parts[-1].tolist()[0]
        elif field.types[-1] == gguf.GGUFValueType.STRING:
            found[key] = tuple(str(field.parts[index], encoding="utf-8") for index in field.data)
        else:
            found[key] = tuple(field.parts[index][0].item() for index in field.data)
    return found


def from_the_end(path: Path) -> Any:
    """Return elements, indexed backwards from the last part."""
    found = {}
    for key, field in gguf.GGUFReader(path).fields.items():
        step = 2 if field.types[-1] == gguf.GGUFValueType.STRING else 1
        total = len(field.data)
        parts = [field.parts[-1 - (total - position - 1) * step] for position in range(min(5, total))]
        found[key] = [part.tobytes() for part in parts]
    return found


def all_parts(path: Path) -> Any:
    found = {}
    for key, field in gguf.GGUFReader(path).fields.items():
        values: list[Any] = []
        for part in field.parts:
            values.extend(part.tolist() if hasattr(part, "tolist") else [part])
        found[key] = values, sum(int(part.nbytes) for part in field.parts)
    return found


def by_offset(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    whole = path.read_bytes()
    for tensor in reader.tensors:
        start = tensor.data_offset
        assert bytes(reader.data[start : start + tensor.n_bytes]) == tensor.data.tobytes()
        assert whole[tensor.field.offset + 8 :].startswith(tensor.name.encode())
    return reader.data_offset, reader.alignment, reader.byte_order, reader.endianess.name


def as_json(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    values = {key: field.contents() for key, field in reader.fields.items()}
    return json.dumps([values, {t.name: t.shape.tolist() for t in reader.tensors}, int(reader.alignment)])


def tensors_unpacked(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    found = []
    for name, kind, shape, n_elements, n_bytes, offset, data, field in reader.tensors:
        length, raw_name, n_dims, dims, raw_type, raw_offset = field.parts
        found.append([name, kind, shape.tolist(), n_elements, n_bytes, offset, data.shape, length[0], bytes(raw_name)])
        found[-1] += [n_dims[0], dims.tolist(), raw_type[0], reader.data_offset + raw_offset[0]]
    return found, reader.tensors[:2] == reader.tensors[:2], sorted(t.name for t in reversed(reader.tensors))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize(
    "use",
    [
        by_index, names_and_types, weights, numbers_of_tensors, texts_of_parts, from_the_end, all_parts, by_offset,
        as_json, tensors_unpacked,
    ],
)  # fmt: skip
def test_it_gives_the_same(use: Any, path: Path) -> None:
    assert gguf.GGUFReader.__module__ == "kaitai_gguf.gguf_py.reader"
    ours = use(path)
    uninstall()
    assert gguf.GGUFReader.__module__ == "gguf.gguf_reader"
    assert repr(ours) == repr(use(path))  # repr, because the values contain NaNs
    assert ours


def test_the_file_can_be_deleted_when_its_data_was_copied(tmp_path: Path) -> None:
    """A wrapper flushes and deletes `data` and then the reader. The file must be closed after that."""
    path = tmp_path / "model.gguf"
    shutil.copy(EXAMPLE, path)
    reader: Any = gguf.GGUFReader(path)
    copies = [np.array(tensor.data) for tensor in reader.tensors]
    assert hasattr(reader, "data")
    reader.data.flush()
    del reader.data
    del reader
    gc.collect()
    path.unlink()
    assert len(copies) > 10
    maps = Path("/proc/self/maps")
    assert not maps.exists() or str(path) not in maps.read_text()


def test_a_file_is_looked_at_and_then_changed(tmp_path: Path) -> None:
    """A program closes the map while it still holds a tensor, and then opens the file for writing."""
    path = tmp_path / "model.gguf"
    shutil.copy(EXAMPLE, path)
    reader = gguf.GGUFReader(path)
    try:
        tensor = next((each for each in reader.tensors if each.name == "output.weight"), None)
        assert tensor is not None
    finally:
        reader.data._mmap.close()
        del reader
    writer = gguf.GGUFReader(path, "r+")
    writer.data[tensor.field.offset + 8 : tensor.field.offset + 14] = np.frombuffer(b"lmhead", np.uint8)
    writer.data.flush()
    del writer
    assert "lmhead.weight" in [each.name for each in gguf.GGUFReader(path).tensors]


def test_a_value_is_patched(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    shutil.copy(EXAMPLE, path)
    reader = gguf.GGUFReader(path, "r+")
    field = reader.fields["general.file_type"]
    before = field.contents()
    field.parts[field.data[0]][0] = before + 1
    assert field.contents() == before + 1
    del reader, field
    assert gguf.GGUFReader(path).fields["general.file_type"].contents() == before + 1
    assert os.path.getsize(path) == EXAMPLE.stat().st_size
