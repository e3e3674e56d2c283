"""docs/gguf-py.md: every command and every block of code works, and both columns of the table are equivalent."""

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import numpy as np
import pytest
from docs.run_blocks import perform
from support.pages import ROOT, code_of, text_of

from kaitai_gguf.gguf_py import uninstall

PYTHON, COMMANDS = code_of("gguf-py.md", "python"), "".join(code_of("gguf-py.md", "sh")).splitlines()
ROWS = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", text_of("gguf-py.md"), re.MULTILINE)


@pytest.fixture(autouse=True)
def _here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Change to a folder with a model and a program."""
    shutil.copy(ROOT / "examples" / "sample.gguf", tmp_path / "model.gguf")
    program = "import gguf, sys\nprint(gguf.GGUFReader(sys.argv[1]).__class__.__module__)\n"
    (tmp_path / "script.py").write_text(program)
    monkeypatch.chdir(tmp_path)
    yield
    uninstall()


def test_every_block_and_command() -> None:
    assert (len(PYTHON), len(COMMANDS)) == (4, 2)
    for code in PYTHON:
        exec(compile(code, "docs/gguf-py.md", "exec"), {})
    for command in COMMANDS:
        assert perform(command, "gguf-py.md").startswith(("kaitai_gguf.gguf_py.reader\n", "* File is LITTLE endian"))


def test_the_rows_of_the_table() -> None:
    left = " ".join(row[0] for row in ROWS)
    names = [*gguf.ReaderTensor._fields, "alignment", "data_offset", "endianess", "get_field", "get_tensor"]
    assert [name for name in names if name != "field" and f".{name}" not in left] == []
    assert len(ROWS) > 20
    both: dict[str, Any] = {}
    exec(next(code for code in PYTHON if code.startswith("import gguf")), both)
    for theirs, ours in ROWS:
        assert np.array_equal(np.asarray(eval(theirs, both)), np.asarray(eval(ours, both))), theirs
    both["model"].close()
