"""The headers of models whose memory llama.cpp was asked for, and its figures (tools/memory/oracle.py)."""

import csv
import tarfile
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parents[1] / "data" / "memory"


@cache
def headers() -> dict[str, bytes]:
    """Return the headers of all models by name: `real/mistral-Q8_0.gguf`."""
    with tarfile.open(FOLDER / "headers.tar.xz") as archive:
        files = {member.name: archive.extractfile(member) for member in archive}
        return {name: file.read() for name, file in files.items() if file is not None}


@cache
def figures() -> list[dict[str, str]]:
    """Return a row for each model and setting: the arguments of `memory`, and llama.cpp's numbers of bytes."""
    with (FOLDER / "figures.tsv").open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file, delimiter="\t"))


def arguments(row: dict[str, str]) -> dict[str, Any]:
    """Return the arguments of `memory` for a row."""
    numbers = {name: int(row[name]) for name in ("ctx_size", "ubatch_size", "batch_size", "parallel")}
    flags = {name: row[name] == "1" for name in ("swa_full", "kv_unified")}
    return numbers | flags | {name: row[name] for name in ("cache_type_k", "cache_type_v", "flash_attn")}
