"""Fail if this package became twice as slow as before, relative to another program in the same run.

    mv benchmarks/results build/before && make bench-all && python -m benchmarks.regressions build/before

Times differ between machines, so only ratios to `PEERS` are compared.
"""

import json
import sys
from pathlib import Path

from benchmarks.page import RESULTS, loaded, quotient_of

LIMIT = 2.0

PEERS = {
    *("@huggingface/gguf", "ggus", "gguf-parser-go", "gguf-py", "llama.cpp", "transformers"),
    *("ggml", "ggml native", "ggml, out", "classes", "cp", "cp and sync", "import numpy"),
}
"""Columns that a change of this package does not change. The generated classes are the compiler's, not ours."""

Ratios = dict[tuple[str, str, str], float]


def ratios(results: Path) -> Ratios:
    """Return our time divided by that of a peer, by section and table, row, and columns."""
    found: Ratios = {}
    for path in sorted(results.glob("*.json")):
        for table in map(loaded, json.loads(path.read_text("utf-8"))["tables"]):
            for ratio in table.ratios:
                if (ratio.over in PEERS) == (ratio.under in PEERS):
                    continue
                is_ours_over = ratio.under in PEERS
                ours, peer = (ratio.over, ratio.under) if is_ours_over else (ratio.under, ratio.over)
                for row, times in table.rows.items():
                    if value := quotient_of(times, ratio):
                        key = (f"{path.stem}, {table.title}", row, f"{ours} ÷ {peer}")
                        found[key] = value if is_ours_over else 1 / value
    return found


def slower(before: Ratios, now: Ratios, limit: float = LIMIT) -> list[str]:
    """Return a sentence for each ratio that grew to `limit` times its value or more."""
    return [
        f"{': '.join(key)} was {before[key]:.2g} and is {now[key]:.2g}"
        for key in before.keys() & now.keys()
        if now[key] >= limit * before[key]
    ]


def main(before: Path, now: Path = RESULTS) -> int:
    old, new = ratios(before), ratios(now)
    compared = len(old.keys() & new.keys())
    if not compared:
        print(f"{now} and {before} have no ratio in common", file=sys.stderr)
        return 2
    found = sorted(slower(old, new))
    print(*found, f"{compared} ratios compared: {len(found)} doubled", sep="\n")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1])))
