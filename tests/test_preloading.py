"""Importing everything before a program forks."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

SAMPLE = Path(__file__).parents[1] / "examples" / "sample.gguf"

USE = """
import os, sys, threading
import numpy as np
import kaitai_gguf
from kaitai_gguf import GGUFError

def use(sample):
    with kaitai_gguf.open(sample) as model:
        model.metadata.to_dict()
        model.kaitai()
        model._repr_html_()
        for tensor in model.tensors.values():
            tensor.dequantize(threads=2), tensor.role
        tensors = {"q": (np.ones((2, 256)), "Q8_0"), "b": (np.ones(32), "BF16")}
        kaitai_gguf.write("new.gguf", model.metadata, tensors)
        for value in ("short", "long" * 2000):
            with kaitai_gguf.edit("new.gguf") as editor:
                editor.metadata["general.name"] = value
        kaitai_gguf.convert(model, "other.gguf", byte_order="big", overwrite=True)
        for _ in range(2):
            kaitai_gguf.split(model, "part", max_tensors=10, overwrite=True)
        kaitai_gguf.diff(model, "other.gguf"), kaitai_gguf.digest(model)
    kaitai_gguf.merge("part-*.gguf", "merged.gguf", overwrite=True)
    list(kaitai_gguf.check(sample, deep=True)), list(kaitai_gguf.explain(sample))
    for wrong in (b"GGUF" + bytes(99), "missing.gguf", "http://127.0.0.1:1/x.gguf"):
        try:
            kaitai_gguf.open(wrong)
            raise AssertionError
        except GGUFError:
            pass
"""


EVERYTHING = """
kaitai_gguf.preload()
before = set(sys.modules)
use(sys.argv[1])
later = set(sys.modules) - before
assert not later, later
"""
# Without `preload`, the thread would wait in an import at the fork, and the child would wait for it forever.
FORKED = """
started, forked = threading.Event(), threading.Event()

class Slow:
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is not threading.main_thread():
            started.set()
            forked.wait()

def first_use():
    kaitai_gguf.open(sys.argv[1]).close()
    started.set()

kaitai_gguf.preload()
sys.meta_path.insert(0, Slow())
threading.Thread(target=first_use).start()
started.wait()
pid = os.fork()
if not pid:
    try:
        use(sys.argv[1])
        os._exit(0)
    finally:
        os._exit(1)
assert os.waitpid(pid, 0)[1] == 0
forked.set()
"""


@pytest.mark.parametrize("code", [EVERYTHING, FORKED], ids=["everything is imported", "a fork during the first use"])
def test_preload(code: str, tmp_path: Path) -> None:
    if code is FORKED and not hasattr(os, "fork"):
        pytest.skip("the system has no fork")
    subprocess.run([sys.executable, "-c", USE + code, str(SAMPLE)], cwd=tmp_path, timeout=120, check=True)
