"""gguf-py's reader API over this reader, beside gguf-py itself.

    make bench-gguf-py              files of the shape of real ones, made here
    make bench-gguf-py MODELS=dir   the vocabularies in a folder instead, and files with many tensors

Writes benchmarks/results/gguf_py.json and .md. First both readers must agree on every attribute of a file. Then each
reads in a process of its own, in turn:

open         a reader is made, beside `kaitai_gguf.open`
tokens       also all tokens as `str`, through `parts[index]` for each index in `data`, as transformers reads them
all values   the same for all fields
all tensors  also the list of tensors
gguf-dump    a whole process: `python -m gguf.scripts.gguf_dump FILE`, and the same after `-m kaitai_gguf.gguf_py`

Ratios are of the best of the rounds. A contender that has taken 20 seconds gets no more rounds.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import timeit
from pathlib import Path
from typing import Any

import opening
from contest import BUDGET, Contender, compare

HERE = Path(__file__).parent
RESULTS = HERE / "results"
ROUNDS = 10
DUMP = ["-m", "gguf.scripts.gguf_dump"]
COMMANDS = {"gguf-py": DUMP, "drop-in": ["-m", "kaitai_gguf.gguf_py", *DUMP]}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--models", type=Path, help="a folder with vocabularies")
    arguments = parser.parse_args()
    contestants = [
        Contender(name, [sys.executable, str(HERE / "worker.py"), name]) for name in ("ours", "drop-in", "gguf-py")
    ]
    results: dict[str, Any] = {"machine": opening.machine(), "files": {}}
    with tempfile.TemporaryDirectory() as scratch:
        for path in opening.collect(Path(scratch), arguments.models):
            print(path.name, flush=True)
            results["files"][path.stem] = measure(contestants, path)
    for contender in contestants:
        contender.stop()
    (RESULTS / "gguf_py.json").write_text(json.dumps(results, indent=1) + "\n")
    (RESULTS / "gguf_py.md").write_text(markdown(results))
    print((RESULTS / "gguf_py.md").read_text())


def measure(contestants: list[Contender], path: Path) -> dict[str, Any]:
    found: dict[str, Any] = {"compared": compared(path), "open": compare(contestants, "open", path, ROUNDS)}
    for operation in ["all tensors"] if "tensors" in path.stem else ["tokens", "all values"]:
        found[operation] = compare(contestants[1:], operation, path, ROUNDS)
    return found | {"gguf-dump": dumped(path)}


def compared(path: Path) -> int:
    """How many fields and tensors are the same in both readers; raises AssertionError if one is not."""
    sys.path.insert(0, str(HERE.parent / "tests"))
    import gguf
    from gguf_py.compare import assert_same

    from kaitai_gguf.gguf_py import GGUFReader

    sys.path.pop(0)
    return assert_same(gguf.GGUFReader(path), GGUFReader(path))


def dumped(path: Path) -> dict[str, dict[str, float]]:
    """Whole processes, which print the same."""
    times: dict[str, list[float]] = {name: [] for name in COMMANDS}
    outputs: dict[str, bytes] = {}

    def run(name: str) -> None:
        command = [sys.executable, *COMMANDS[name], str(path)]
        outputs[name] = subprocess.run(command, check=True, capture_output=True).stdout

    for _ in range(ROUNDS):
        for name, row in times.items():
            if sum(row) < BUDGET:
                row.append(timeit.Timer(lambda: run(name)).timeit(number=1))  # noqa: B023
    assert outputs["gguf-py"] == outputs["drop-in"]
    return {name: {"best": min(row), "rounds": len(row)} for name, row in times.items()}


def markdown(results: dict[str, Any]) -> str:
    lines = ["| file | | gguf-py | drop-in | gguf-py ÷ drop-in | drop-in ÷ `kaitai_gguf.open` |", "|---" * 6 + "|"]
    for file, found in results["files"].items():
        for operation in [name for name in found if name != "compared"]:
            theirs, ours = (found[operation][name]["best"] for name in ("gguf-py", "drop-in"))
            opened = f"{ours / found['open']['ours']['best']:.2f}" if operation == "open" else ""
            cells = [operation, shown(theirs), shown(ours), f"{theirs / ours:,.1f}", opened]
            lines.append(f"| {file if operation == 'open' else ''} | {' | '.join(cells)} |")
    total = sum(found["compared"] for found in results["files"].values())
    files = len(results["files"])
    lines += [
        "",
        f"Before that, {total:,} fields and tensors of {files} files had the same attributes in both readers.",
    ]
    return "\n".join(lines) + "\n"


def shown(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1e3:.3g} ms"


if __name__ == "__main__":
    main()
