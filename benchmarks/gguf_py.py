"""gguf-py's reader API on top of this reader, compared with gguf-py itself, each in its own process."""

import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

from benchmarks import models
from benchmarks.harness import Contender, Ratio, Table, clock, contest, digest
from benchmarks.peers import readers

TESTS = Path(__file__).parents[1] / "tests"
ROUNDS = 9
LARGE, HUGE = 1_000_000, 10_000_000  # bytes: above these sizes, operations that are slow in gguf-py are left out
DUMP = ["-m", "gguf.scripts.gguf_dump"]
OPERATIONS = {"tokens": "all tokens as `str`", "all values": "all values", "all tensors": "all tensors"}


def run(given: Path | None) -> list[Table]:
    rows: dict[str, Any] = {}
    compared = 0
    with readers("drop-in", "gguf-py") as contestants, tempfile.TemporaryDirectory() as scratch:
        files = [path for path in models.collect(Path(scratch), given) if path.stat().st_size < HUGE]
        for path in files:
            print(f"  {path.name}", flush=True)
            is_small = "tensors" in path.stem or path.stat().st_size < LARGE
            compared += num_same(path) if is_small else 0
            for operation in operations(path.stem, is_small):
                timings = {name: each.doing(operation, path) for name, each in contestants.items()}
                rows[f"{path.stem}: {OPERATIONS[operation]}"] = contest(timings, ROUNDS)
            if is_small:
                rows[f"{path.stem}: gguf-dump"] = contest(
                    {
                        "drop-in": dumping("-m", "kaitai_gguf.gguf_py", *DUMP, str(path)),
                        "gguf-py": dumping(*DUMP, str(path)),
                    },
                    ROUNDS,
                )
    text = f"""
        Opening is part of each. First, both readers were checked to have the same metadata and tensors. In the smaller
        files, all {compared:,} fields and tensors had equal attributes, and gguf-dump printed the same. Strings are
        read as transformers reads them, by `parts[index]` for each index in `data`; gguf-dump is a whole process. How
        long opening alone takes is in the table "Opening a file"."""
    return [Table("gguf-py's API", text, rows, [Ratio("gguf-py ÷ drop-in", "gguf-py", "drop-in")], first="file")]


def operations(name: str, is_small: bool) -> list[str]:
    if "tensors" in name:
        return ["all tensors"]
    return ["tokens", "all values"] if is_small else ["tokens"]


def num_same(path: Path) -> int:
    """Return the number of fields and tensors, which must be equal in both readers."""
    import gguf

    from kaitai_gguf.gguf_py import GGUFReader

    sys.path.insert(0, str(TESTS))
    try:
        from gguf_py.compare import assert_same
    finally:
        sys.path.remove(str(TESTS))
    return int(assert_same(gguf.GGUFReader(path), GGUFReader(path)))


def dumping(*words: str) -> Contender:
    def action() -> bytes:
        return subprocess.run([sys.executable, *words], check=True, capture_output=True).stdout

    return Contender(lambda: clock(action), lambda: {"output": digest(action())})
