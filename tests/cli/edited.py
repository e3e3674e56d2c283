"""A small file to edit, and helpers that read it afterwards."""

from pathlib import Path
from typing import Any

from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from cli.conftest import Save

ROWS: list[tuple[Any, ...]] = [
    ("general.architecture", "string", "llama"),
    ("general.name", "string", "Sample"),
    ("llama.context_length", "uint64", 4096),
    ("x.scale", "float32", 0.5),
    ("x.flag", "bool", 1),
    ("x.list", "array", Array("int8", [1, 2])),
    ("x.texts", "array", Array("string", ["a"])),
]
DATA = bytes(range(64))


def small(save: Save) -> Path:
    """Write a file with a value of each kind, and a tensor."""
    return save(Model(ROWS, [TensorSpec("a", (64,), 24, 0)], DATA))


def types(path: Path) -> dict[str, str]:
    with kaitai_gguf.open(path) as model:
        entries = [model.metadata.entry(key) for key in model.metadata]
    names = {entry.key: entry.value_type.name.lower() for entry in entries}
    return names | {e.key: f"{e.element_type.name.lower()}[{e.count}]" for e in entries if e.element_type is not None}


def value(path: Path, key: str) -> Any:
    with kaitai_gguf.open(path) as model:
        result = model.metadata[key]
        return result if isinstance(result, str | int | float) else result.tolist()  # type: ignore[union-attr]
