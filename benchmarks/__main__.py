"""Run the benchmarks and write docs/benchmarks.md.

make bench-all                         everything
make bench-all ONLY="opening writing"  some sections; the page keeps the last results of the others
make bench-all MODELS=directory        with the vocabularies in a directory instead of generated files of the same shape
make bench-all RENDER=1                write the page again, without running anything
"""

import argparse
import importlib
import sys
import time
import traceback
from pathlib import Path

from benchmarks.environment import Environment
from benchmarks.page import RESULTS, render, save

SECTIONS = {
    "opening": "Opening files",
    "index": "The index",
    "dequantizing": "Dequantizing",
    "quantizing": "Quantizing",
    "writing": "Writing",
    "commands": "Commands",
    "gguf_py": "gguf-py's API",
    "remote": "Remote files",
    "catalog": "Catalogs",
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--only", default="", help=f"sections, separated by spaces: {', '.join(SECTIONS)}")
    parser.add_argument("--models", type=Path, help="a directory with vocabulary files")
    parser.add_argument("--render", action="store_true", help="write the page from the last results")
    arguments = parser.parse_args()
    chosen = arguments.only.replace(",", " ").split() or list(SECTIONS)
    if unknown := set(chosen) - set(SECTIONS):
        parser.error(f"no section {', '.join(sorted(unknown))}; there are {', '.join(SECTIONS)}")
    if arguments.models and not list(arguments.models.glob("*vocab*.gguf")):
        parser.error(f"no vocabularies (*vocab*.gguf) in {arguments.models}")
    if arguments.render and not list(RESULTS.glob("*.json")):
        parser.error(f"no results in {RESULTS}")
    failed = [] if arguments.render else [name for name in chosen if not measured(name, arguments.models)]
    render(list(SECTIONS))
    print("written: docs/benchmarks.md")
    if failed:
        print(f"failed: {', '.join(failed)}; their last results were kept", file=sys.stderr)
    return 1 if failed else 0


def measured(name: str, models: Path | None) -> bool:
    """Run a section and save its results. Return whether it succeeded."""
    print(f"{name}:", flush=True)
    start = time.monotonic()
    environment = Environment()
    try:
        tables = importlib.import_module(f"benchmarks.{name}").run(models)
    except Exception:
        traceback.print_exc()
        return False
    save(name, SECTIONS[name], tables, environment.facts())
    print(f"{name}: {time.monotonic() - start:.0f} s", flush=True)
    return True


if __name__ == "__main__":
    sys.exit(main())
