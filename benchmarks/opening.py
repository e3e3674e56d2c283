"""Opening a model and first reads from it, compared with other readers."""

import tempfile
from pathlib import Path
from typing import Any

from benchmarks import models
from benchmarks.harness import Ratio, Table, contest
from benchmarks.peers import Reader, readers

ROUNDS = 25
SCALE = [10**n for n in range(2, 6)]  # tensors; there are twenty times as many strings
OURS = ("kaitai_gguf", "pure Python")
PEERS = (
    "llama.cpp", *OURS, "C index", "JavaScript", "drop-in", "gguf-py", "@huggingface/gguf", "transformers",
    "gguf-parser-go", "ggus",
)  # fmt: skip


def run(given: Path | None) -> list[Table]:
    with readers(*PEERS) as contestants, tempfile.TemporaryDirectory() as scratch:
        files = models.collect(Path(scratch), given)
        tables = [opened(contestants, files), *used(contestants, files)]
        return [*tables, *scale(contestants, Path(scratch))]


def opened(contestants: dict[str, Reader], files: list[Path]) -> Table:
    return Table(
        "Opening a file",
        """
        The file is in the page cache and is opened, ready to ask for any key or tensor. First, all readers were checked
        to return the same keys, values and tensor infos, and the C index to find the same positions of key-values. Each
        round is the best of five in a row in a process of its own. `drop-in` is gguf-py's `GGUFReader` over
        kaitai_gguf. @huggingface/gguf drops U+FEFF at the start of a string, and gguf-parser-go drops white space at
        both ends, so their metadata were compared without it. transformers is its reader of headers,
        `GgufHeader.from_file`, which skips the elements of string arrays; the time does not include torch.
        gguf-parser-go is `ParseGGUFFile` with its fastest options, `UseMMap` and `SkipLargeMetadata`, which skip the
        elements of most arrays. Both were compared when told to read all elements. ggus is `GGuf::new` of a memory
        map.""",
        {path.stem: contested(contestants, "open", path, ROUNDS) for path in files},
        [Ratio(f"{name} ÷ llama.cpp", name, "llama.cpp") for name in contestants if name != "llama.cpp"],
        plot="times",
        first="file",
    )


def used(contestants: dict[str, Reader], files: list[Path]) -> list[Table]:
    ours = {name: contestants[name] for name in OURS}
    times: dict[str, dict[str, Any]] = {}
    memory: dict[str, dict[str, Any]] = {}
    for path in files:
        if "tensors" in path.stem:
            times[f"{path.stem}: `data` of all tensors"] = contested(ours, "views", path, ROUNDS)
            times[f"{path.stem}: `data` of the first tensor"] = contested(ours, "first view", path, ROUNDS)
        else:
            times[f"{path.stem}: all tokens as a list"] = contested(ours, "tokens", path, ROUNDS)
            times[f"{path.stem}: one token, from the array"] = contested(ours, "element", path, ROUNDS)
            memory[path.stem] = {name: f"{reader.ask('resident', path) / 1e6:.1f} MB" for name, reader in ours.items()}
    return [
        Table("Views, tokens and single values", "For a file that is already open.", times),
        Table(
            "Memory of an open file",
            "How much the process grows when it opens the file, including pages of the map.",
            memory,
        ),
    ]


def scale(contestants: dict[str, Reader], scratch: Path) -> list[Table]:
    """Measure files of growing size, with many tensors or many strings."""
    chosen = {name: each for name, each in contestants.items() if name in ("llama.cpp", *OURS)}
    rows: dict[str, dict[str, dict[str, Any]]] = {"tensors": {}, "strings": {}}
    for tensors in SCALE:
        strings = 20 * tensors
        for kind, count, shape in (("tensors", tensors, (0, 0, tensors)), ("strings", strings, (strings, 0, 0))):
            path = scratch / f"{kind}-{count}.gguf"
            models.write(path, *shape)
            rows[kind][f"{count:,}"] = contested(chosen, "open", path, rounds=5)
            path.unlink()
    return [
        Table(f"Files with more and more {kind}", "Opened as in the first table.", found, plot="lines", first=kind)
        for kind, found in rows.items()
    ]


def contested(contestants: dict[str, Reader], operation: str, path: Path, rounds: int) -> dict[str, Any]:
    print(f"  {path.name}: {operation}", flush=True)
    return contest({name: each.doing(operation, path) for name, each in contestants.items()}, rounds)
