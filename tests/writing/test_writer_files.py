"""When a writer's file appears, and what is left if it is never completed."""

import gc
import io
import os
import subprocess
import sys
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FileError, WriteError, Writer, write


def test_a_file_is_replaced_when_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {"x": 1}, {})
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), Writer(path) as writer:  # noqa: PT012
        writer.add_tensor("t", (1 << 20,), np.int8)
        writer.write_tensor("t", bytes(1 << 20))
        assert path.read_bytes() == before
        _ = 1 / 0
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    write(path, {"x": 2}, {})
    assert kaitai_gguf.open(path).metadata["x"] == 2


def forgotten(path: Path) -> None:
    """Use a writer without closing it."""
    writer = Writer(path)
    writer.add_tensor("t", (4,), np.int8)
    writer.write_tensor("t", b"abcd")
    del writer
    gc.collect()


def test_a_writer_that_nobody_closes(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")
    with pytest.warns(ResourceWarning, match="unclosed Writer of .*model.gguf: nothing was written"):
        forgotten(path)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"mine", [path])


def test_a_writer_that_a_program_ends_with(tmp_path: Path) -> None:
    code = f"import kaitai_gguf, sys; sys.modules['keep'] = kaitai_gguf.Writer({str(tmp_path / 'x')!r})"
    done = subprocess.run([sys.executable, "-Wall", "-c", code], capture_output=True, text=True, check=True)
    assert "ResourceWarning: unclosed Writer of " in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("leave", ["sys.exit()", "writer.abort()", "os._exit(0)", "del writer; gc.collect()"])
def test_a_fork_that_leaves_the_block_of_a_writer(tmp_path: Path, leave: str) -> None:
    """Neither the child's buffers nor its cleanup affect the file."""
    code = (
        "import gc, kaitai_gguf, numpy as np, os, sys\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    writer.metadata['a'] = 'b'\n"
        "    for name in 'xy':\n"
        "        writer.add_tensor(name, (4,), np.int8)\n"
        "    writer.write_tensor('x', np.arange(4, dtype=np.int8))\n"
        "    if os.fork() == 0:\n"
        f"        {leave}\n"
        "        os._exit(0)\n"
        "    assert os.wait()[1] == 0\n"
        "    writer.write_tensor('y', np.arange(4, dtype=np.int8))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    kaitai_gguf.write(tmp_path / "y", {"a": "b"}, dict.fromkeys("xy", np.arange(4, dtype=np.int8)))
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_can_not_complete_a_file(tmp_path: Path) -> None:
    code = (
        "import kaitai_gguf, os\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    if os.fork() == 0:\n"
        "        try:\n"
        "            writer.close()\n"
        "        except kaitai_gguf.FileError as error:\n"
        "            os._exit(7 if 'the process that created it' in str(error) else 1)\n"
        "    assert os.waitstatus_to_exitcode(os.wait()[1]) == 7\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert kaitai_gguf.open(tmp_path / "x").version == 3


def test_a_writer_that_is_closed_or_given_up_is_not_forgotten(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Writer(tmp_path / "a"):
            pass
        Writer(tmp_path / "b").abort()
        with pytest.raises(ZeroDivisionError), Writer(tmp_path / "c"):
            _ = 1 / 0
        gc.collect()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_the_root_is_not_a_file_to_write(tmp_path: Path) -> None:
    with pytest.raises(FileError, match="is not a regular file, and can't be overwritten"):
        write(Path(tmp_path.anchor), {}, {})


@pytest.mark.parametrize("target", [5, None, io.StringIO(), b"path"], ids=["number", "none", "text", "bytes"])
def test_what_is_not_a_target(target: Any) -> None:
    with pytest.raises(TypeError, match="target must be a path or a binary file object"):
        Writer(target)


def test_a_region_that_is_cut_off_is_never_completed(tmp_path: Path) -> None:
    whole = Model([], [TensorSpec("a", (64,), 24, 0)], bytes(64)).build()
    with kaitai_gguf.open(whole[:-32]) as model, Writer(tmp_path / "model.gguf") as writer:
        writer.copy_tensors(model.tensors)
        writer.add_tensor("b", (1,), np.int8)
        with pytest.raises(WriteError, match="is cut off"):
            writer.write_tensor("b", b"x")
        with pytest.raises(WriteError, match="closed"):
            writer.write_tensor("b", b"x")
    assert list(tmp_path.iterdir()) == []
