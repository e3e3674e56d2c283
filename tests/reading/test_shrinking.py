"""Files that another program truncates while they are open."""

import os
import signal
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf

MODEL = Model(
    [("general.name", "string", "m"), ("a", "array", Array("string", ["x", "y"]))],
    [TensorSpec("t", (20_000,), 0, 0)],
    np.arange(20_000, dtype="<f4").tobytes(),
)


@pytest.mark.parametrize("is_file_object", [False, True])
def test_what_was_read_into_memory_stays(is_file_object: bool, tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(MODEL.build())
    with path.open("rb") as file, kaitai_gguf.open(file if is_file_object else path, mmap=False) as model:
        tensor = model.tensors["t"]
        os.truncate(path, 0)
        assert (model.metadata["general.name"], model.metadata["a"].tolist()) == ("m", ["x", "y"])
        assert tensor.data.tolist() == list(range(20_000))
        assert tensor.dequantize()[-1] == 19_999


@pytest.mark.skipif(not hasattr(signal, "SIGBUS"), reason="the system has no SIGBUS")
@pytest.mark.parametrize("options", [[], ["--no-mmap"]])
def test_a_command_that_maps_dies_and_says_so(options: list[str], tmp_path: Path) -> None:
    """The file is truncated after its first field was printed."""
    path = tmp_path / "model.gguf"
    path.write_bytes(MODEL.build())
    whole = [field.path for field in kaitai_gguf.explain(path)]
    code = """if 1:
        import importlib, os, sys
        from kaitai_gguf.cli import main

        command = importlib.import_module("kaitai_gguf.cli.commands.explain")
        explain = command.explain

        def shrinking(file, *arguments, **options):
            fields = explain(file, *arguments, **options)
            yield next(fields)
            os.truncate(file, 0)
            yield from fields

        command.explain = shrinking
        main(["explain", *sys.argv[1:]])
    """
    done = subprocess.run([sys.executable, "-c", code, path, *options], capture_output=True, text=True, check=False)
    if options:
        assert (done.returncode, done.stderr) == (0, "")
        assert [line.split("\t")[3] for line in done.stdout.splitlines()[1:]] == whole
    else:
        assert done.returncode == -signal.SIGBUS
        assert "Bus error" in done.stderr
