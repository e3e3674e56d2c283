"""Write the tables of docs/memory.md: llama.cpp's figures, ours, and those of other programs, for the same files.

python tools/memory/page.py   (needs Go and the package hf-mem)
"""

import csv
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path
from statistics import median
from typing import Any

from hf_mem.gguf.metadata import parse_gguf_metadata

import kaitai_gguf

ROOT = Path(__file__).parents[2]
DATA, PAGE = ROOT / "tests" / "data" / "memory", ROOT / "docs" / "memory.md"
START, END = "<!-- The tables are generated: `make memory-oracle`. -->\n", "<!-- end of the tables -->\n"
CONTEXTS = (4096, 32768)
KIND = "Q4_K_M"
MIB = 1 << 20
HEADS = "| model | weights | ours | context | ours | hf-mem | gguf-parser-go | compute | ours | gguf-parser-go |"


def measured(ctx_size: int) -> dict[str, tuple[int, int, int]]:
    """Return weights, context and compute by the name of the file, with the other settings at their defaults."""
    with (DATA / "figures.tsv").open(newline="", encoding="utf-8") as file:
        rows = list(csv.DictReader(file, delimiter="\t"))
    return {
        row["model"]: (int(row["weights"]), int(row["context"]), int(row["compute"]))
        for row in rows
        if row["model"].startswith("real/")
        and (row["ctx_size"], row["ubatch_size"], row["parallel"]) == (str(ctx_size), "512", "1")
        and (row["cache_type_k"], row["flash_attn"], row["swa_full"]) == ("f16", "auto", "0")
    }


def hf_mem(raw: bytes, ctx_size: int) -> tuple[int, int] | None:
    """Return weights and KV cache according to hf-mem."""
    try:
        result = parse_gguf_metadata(raw, experimental=True, max_model_len=ctx_size)
    except Exception:  # it has no error class of its own
        return None
    return result.bytes_count, result.kv_cache.cache_size if result.kv_cache else 0


def gguf_parser_go(folder: Path, ctx_size: int) -> dict[str, tuple[int, int, int]]:
    """Return weights, KV cache and computation according to gguf-parser-go."""
    program = folder / "memory"
    subprocess.run(["go", "build", "-o", program, "./memory"], cwd=ROOT / "benchmarks" / "go", check=True)
    result = {}
    for path in sorted(folder.glob("*.gguf")):
        found = subprocess.run([program, str(ctx_size), path], check=False, capture_output=True, text=True)
        for line in found.stdout.splitlines():
            name, *numbers = line.split("\t")
            weights, cache, compute = map(int, numbers)
            result[Path(name).name] = weights, cache, compute
    return result


def tables(folder: Path) -> Iterator[str]:
    with tarfile.open(DATA / "headers.tar.xz") as archive:
        raw = {
            member.name: archive.extractfile(member).read()  # type: ignore[union-attr]
            for member in archive
            if member.name.startswith("real/") and member.name.endswith(f"-{KIND}.gguf")
        }
    for name, header in raw.items():
        (folder / Path(name).name).write_bytes(header)
    for ctx_size in CONTEXTS:
        figures, go = measured(ctx_size), gguf_parser_go(folder, ctx_size)
        exact: dict[str, list[float]] = {"kaitai_gguf": [], "hf-mem": [], "gguf-parser-go": []}
        rows = []
        for name, header in raw.items():
            weights, context, compute = figures[name]
            ours = kaitai_gguf.memory(header, ctx_size=ctx_size)
            hf, other = hf_mem(header, ctx_size), go.get(Path(name).name)
            contexts = ours.context, hf and hf[1], other and other[1]
            for program, value in zip(exact, contexts, strict=True):
                exact[program].append(float("inf") if value is None else value / context if context else 1.0)
            low, high = ours.compute
            cells: list[Any] = [
                Path(name).name.removesuffix(f"-{KIND}.gguf"),
                f"{weights / MIB:,.0f}",
                f"{(ours.weights - weights) / MIB:+,.0f}" if ours.weights != weights else "=",
                f"{context / MIB:,.0f}",
                *(_compared(value, context) for value in contexts),
                f"{compute / MIB:,.0f}",
                f"{low / MIB:,.0f} to {high / MIB:,.0f}",
                "" if other is None else f"{other[2] / MIB:,.0f}",
            ]
            rows.append(f"| {' | '.join(cells)} |")
        yield f"\n### {ctx_size:,} tokens\n\n"
        yield f"{HEADS}\n|---{'|--:' * (HEADS.count('|') - 2)}|\n" + "\n".join(rows) + "\n\n"
        counts = [
            f"{program} {ratios.count(1)} ({sum(abs(ratio - 1) <= 0.01 for ratio in ratios)} within 1 %)"
            for program, ratios in exact.items()
        ]
        yield f"Contexts to the byte, of {len(rows)}: {', '.join(counts)}.\n"
    widths = [
        high / low for header in raw.values() for low, high in [kaitai_gguf.memory(header, ctx_size=4096).compute]
    ]
    yield f"The median of the widest over the narrowest of our intervals is {median(widths):.2f}.\n"


def _compared(value: int | None, expected: int) -> str:
    """Return how much of the measured size a program names."""
    if value is None:
        return "–"
    return "=" if value == expected else f"{value / expected:.3g} ×" if expected else f"{value / MIB:,.0f}"


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        text = "".join(tables(Path(folder)))
    before, _, rest = PAGE.read_text("utf-8").partition(START)
    PAGE.write_text(before + START + text + "\n" + END + rest.partition(END)[2], "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
