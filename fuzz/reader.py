"""Fuzzes all that the package does with a file, guided by the coverage of its Python code.

    python fuzz/reader.py [libFuzzer options] CORPUS...

Every exception but a `GGUFError` is a failure, and so is an input that takes more than a second of processor time. The
walks run in Python, where coverage can be seen; the compiled scanner has to find the same.
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
    from attacks.cases import CASES
    from attacks.exercise import exercise, outcome
    from attacks.mutate import changed

    import kaitai_gguf
    from kaitai_gguf import _scanner
    from kaitai_gguf.schema import walk

    for case in CASES.values():  # what is imported late is to be seen as well
        exercise(case.data)

SLOW = 1.0  # seconds


def one_input(data: bytes) -> None:
    start = time.process_time()
    exercise(data)
    if time.process_time() - start > SLOW:
        raise TimeoutError(f"{time.process_time() - start:.1f} s for {len(data)} bytes")
    in_python = header(data)
    walk._compiled = _scanner
    compiled = header(data)
    walk._compiled = None
    assert compiled == in_python


def header(data: bytes) -> object:
    """What the scanners have found: where all is, or what is wrong."""
    model, error = outcome(lambda: kaitai_gguf.open(data))
    if model is None:
        return repr(error)
    entries = [model.metadata.entry(key) for key in model.metadata]
    tensors = [(each.name, each.dims, each.type_id, each.position) for each in model.tensors.values()]
    return entries, tensors, model.data_offset


def mutator(data: bytes, max_size: int, seed: int) -> bytes:
    """Half of the changes know the format, the others are libFuzzer's."""
    random = Random(seed)
    if random.random() < 0.5:
        return atheris.Mutate(data, max_size)
    return changed(random, data)[:max_size]


if __name__ == "__main__":
    atheris.Setup(sys.argv, one_input, custom_mutator=mutator)
    atheris.Fuzz()
