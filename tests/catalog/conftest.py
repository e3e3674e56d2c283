"""Catalogs of small models."""

from pathlib import Path
from typing import Any

from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf.catalog
from kaitai_gguf.catalog import TABLES, table

ROOT = Path(__file__).parents[2]
SAMPLE = ROOT / "examples" / "sample.gguf"
MODELS = sorted((ROOT / "tests" / "data" / "models").glob("*.gguf"))


def small(number: int = 0, **metadata: str) -> Model:
    """Return a model with a tokenizer and two tensors. Its name contains the number."""
    pairs = {"general.architecture": "llama", "general.name": f"Model {number}"} | metadata
    return Model(
        metadata=[
            *((key, "string", value) for key, value in pairs.items()),
            ("tokenizer.ggml.tokens", "array", Array("string", ["<s>", "a", f"b{number % 2}"])),
        ],
        tensors=[TensorSpec("blk.0.attn_q.weight", (32, 2), 0, 0), TensorSpec("output.weight", (32,), 1, 256)],
        data=bytes(320),
    )


def write(folder: Path, count: int) -> list[Path]:
    folder.mkdir(exist_ok=True)
    paths = [folder / f"{number:04}.gguf" for number in range(count)]
    for number, path in enumerate(paths):
        path.write_bytes(small(number).build())
    return paths


def rows_of(source: object, **options: Any) -> dict[str, list[dict[str, Any]]]:
    """Return what `read_rows` returns as lists of dicts."""
    batches = kaitai_gguf.catalog.read_rows(source, **options)  # type: ignore[arg-type]
    return {name: batch.to_pylist() for name, batch in batches.items()}


def file_row(source: object, **options: Any) -> dict[str, Any]:
    (row,) = rows_of(source, **options)["files"]
    return row


def contents(directory: Path) -> dict[str, list[dict[str, Any]]]:
    """Return the rows of each table of a catalog, ordered by file."""
    tables = {name: table(directory, name).to_table().to_pylist() for name in TABLES}
    return {name: sorted(rows, key=lambda row: row.get("file") or row.get("source")) for name, rows in tables.items()}


def names_of(directory: Path) -> list[str]:
    return sorted(path.name for path in directory.iterdir())
