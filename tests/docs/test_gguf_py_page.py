"""docs/gguf-py.md: every command and every block of code works, and both columns of the table are equivalent."""

import re
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest

from kaitai_gguf.gguf_py import uninstall

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "gguf-py.md").read_text("utf-8")
BLOCKS = re.findall(r"^```(\w+)\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)
PYTHON = [code for language, code in BLOCKS if language == "python"]
COMMANDS = [line for language, code in BLOCKS if language == "sh" for line in code.splitlines()]
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", PAGE, re.MULTILINE)
(BOTH,) = [code for code in PYTHON if code.startswith("import gguf")]


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Change to a folder with a model and a program."""
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    program = "import gguf, sys\nprint(gguf.GGUFReader(sys.argv[1]).__class__.__module__)\n"
    (tmp_path / "script.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    uninstall()


def test_every_block_and_command() -> None:
    assert len(PYTHON) == 4
    for code in PYTHON:
        exec(compile(code, "docs/gguf-py.md", "exec"), {})
    assert len(COMMANDS) == 2
    for command in COMMANDS:
        program, *words = shlex.split(command)
        assert program == "python"
        done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=True, timeout=60)
        assert done.stdout.startswith(("kaitai_gguf.gguf_py.reader\n", "* File is LITTLE endian"))


def test_the_table_has_what_there_is() -> None:
    left = " ".join(row[0] for row in ROWS)
    for name in (*gguf.ReaderTensor._fields, "alignment", "data_offset", "endianess", "get_field", "get_tensor"):
        assert name in ("field",) or f".{name}" in left, name
    assert len(ROWS) > 20


def test_the_rows_of_the_table() -> None:
    names: dict[str, Any] = {}
    exec(BOTH, names)
    for theirs, ours in ROWS:
        before, after = eval(theirs, names), eval(ours, names)
        assert np.array_equal(np.asarray(before), np.asarray(after)), theirs
    names["model"].close()
