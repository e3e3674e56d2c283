"""Runs the fuzzers one after the other, from the corpus and the files of tests/attacks.

    python fuzz/run.py [minutes for each] [reader|index ...]

What they find on the way is kept in build/fuzz and is where the next run starts; an input that fails is written
there as well. Ends with 1 if there is one. Without clang only the Python is fuzzed, which is an error if CI is true.
"""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

FUZZ = Path(__file__).parent
ROOT = FUZZ.parent
BUILD = ROOT / "build" / "fuzz"
SEEDS = [FUZZ / "corpus", ROOT / "tests" / "attacks" / "files"]
LONGEST = 4096  # bytes of an input: more make it slow, and find no more


def reader() -> list[str]:
    return [sys.executable, str(FUZZ / "reader.py")]


def index() -> list[str]:
    """Nothing if there is no compiler for it."""
    clang = shutil.which("clang")
    if clang is None:
        return []
    variables = {
        "CC": clang,
        "CFLAGS": "-g -O1 -fsanitize=address,undefined -fno-sanitize-recover=all",
        "LIB_FUZZING_ENGINE": "-fsanitize=fuzzer",
        "OUT": str(BUILD / "programs"),
    }
    (BUILD / "programs").mkdir(parents=True, exist_ok=True)
    subprocess.run([FUZZ / "oss-fuzz" / "build.sh", "index"], cwd=ROOT, env=os.environ | variables, check=True)
    return [str(BUILD / "programs" / "index")]


FUZZERS: dict[str, Callable[[], list[str]]] = {"reader": reader, "index": index}


def run(name: str, minutes: float) -> bool:
    """Whether nothing was found."""
    corpus = BUILD / name
    corpus.mkdir(parents=True, exist_ok=True)
    options = [f"-max_total_time={round(60 * minutes)}", f"-max_len={LONGEST}", "-print_final_stats=1", "-timeout=60"]
    options += [f"-artifact_prefix={BUILD}/{name}-", "-verbosity=1"]
    command = FUZZERS[name]()
    if not command:
        print(f"{name}: skipped, no clang on this machine")
        return os.environ.get("CI") != "true"
    print(f"{name}: {minutes:g} minutes", flush=True)
    return subprocess.run([*command, *options, str(corpus), *map(str, SEEDS)], cwd=ROOT, check=False).returncode == 0


def main() -> int:
    minutes = float(sys.argv[1]) if len(sys.argv) > 1 else 10
    went_well = [run(name, minutes) for name in sys.argv[2:] or FUZZERS]
    return 0 if all(went_well) else 1


if __name__ == "__main__":
    sys.exit(main())
