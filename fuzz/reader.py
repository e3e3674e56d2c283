"""Fuzzes all that the package does with a file, guided by the coverage of its Python code.

    python fuzz/reader.py [libFuzzer options] CORPUS...

Every exception but a `GGUFError` is a failure, and so is an input that takes more than a second of processor time. The
scanner is the one in Python, where coverage can be seen; the compiled one has to find the same.
"""

import os
import sys
import time
from pathlib import Path
from random import Random

import atheris

os.environ["KAITAI_GGUF_SCANNER"] = "python"
sys.path[:0] = [str(Path(__file__).parents[1] / "tests")]

with atheris.instrument_imports(include=["kaitai_gguf", "kaitai_gguf_schema"]):
    from attacks.corpus import CASES
    from attacks.exercise import exercise
    from attacks.mutate import changed
    from support.scanners import PYTHON, compiled_alone, findings

    for case in CASES.values():  # what is imported late is to be seen as well
        exercise(case.data)

SLOW = 1.0  # seconds
COMPILED = compiled_alone()


def one_input(data: bytes) -> None:
    start = time.process_time()
    exercise(data)
    if time.process_time() - start > SLOW:
        raise TimeoutError(f"{time.process_time() - start:.1f} s for {len(data)} bytes")
    assert findings(data, COMPILED) == findings(data, PYTHON)


def mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Half of the changes know the format, the others are libFuzzer's."""
    random = Random(seed)
    if random.random() < 0.5:
        return atheris.Mutate(data, max_size)
    return changed(random, data)[:max_size]


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutator)
    atheris.Fuzz()
