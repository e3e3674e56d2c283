"""How other projects use gguf-py's reader.

transformers, diffusers, sglang and vLLM read values through `parts[index]` for each index in `data`; ComfyUI-GGUF and
InvokeAI decode parts themselves; others step through the file by offsets.
"""

import gc
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
    result = {key: [value_by_type(f.parts[i], f.types) for i in f.data] for key, f in reader.fields.items()}
    return keys, result, all(tensor.name != "output.weight" for tensor in reader.tensors)


def texts_of_parts(path: Path) -> Any:
    reader = gguf.GGUFReader(path)
    result: dict[str, Any] = {"missing": reader.get_field("missing")}
    for key, field in reader.fields.items():
        if len(field.types) == 1 and field.types[0] == gguf.GGUFValueType.STRING:
            result[key] = str(field.parts[field.data[-1]], encoding="utf-8"), bytes(field.parts[-1]).decode()
        elif field.types[0] != gguf.GGUFValueType.ARRAY:
            result[key] = field.parts[field.data[-1]][0].item(), field.parts[-1].tolist()[0]
        elif field.types[-1] == gguf.GGUFValueType.STRING:
            result[key] = tuple(str(field.parts[index], encoding="utf-8") for index in field.data)
        else:
            result[key] = tuple(field.parts[index][0].item() for index in field.data)
    return result


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
@pytest.mark.parametrize("use", [by_index, texts_of_parts])
def test_it_gives_the_same(use: Any, path: Path) -> None:
    assert gguf.GGUFReader.__module__ == "kaitai_gguf.gguf_py.reader"
    ours = use(path)
    uninstall()
    assert gguf.GGUFReader.__module__ == "gguf.gguf_reader"
    assert repr(ours) == repr(use(path))  # repr, because the values contain NaNs
    assert ours


def test_the_file_can_be_deleted_when_its_data_was_copied(tmp_path: Path) -> None:
    """A wrapper flushes and deletes `data` and then the reader. The file must be closed after that."""
    path = Path(shutil.copy(EXAMPLE, tmp_path))
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
    path = Path(shutil.copy(EXAMPLE, tmp_path))
    reader = gguf.GGUFReader(path)
    tensor = next(each for each in reader.tensors if each.name == "output.weight")
    reader.data._mmap.close()
    del reader
    writer = gguf.GGUFReader(path, "r+")
    writer.data[tensor.field.offset + 8 : tensor.field.offset + 14] = np.frombuffer(b"lmhead", np.uint8)
    writer.data.flush()
    del writer
    assert "lmhead.weight" in [each.name for each in gguf.GGUFReader(path).tensors]
