"""docs/regenerate.md: its edits, made in a copy of this project, have the effect that the page describes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.pages import ROOT, code_of
from support.tools import missing, require

NUMBER, BLOCK = code_of("regenerate.md", "yaml")
READ, DEQUANTIZE = code_of("regenerate.md", "python")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    """Copy the generator and the package; link to the dependencies that were already downloaded."""
    for name in ("schema", "generated", "javascript", "src", "tests/conformance/python"):
        ignored = shutil.ignore_patterns("node_modules", "*.so", "__pycache__")
        shutil.copytree(ROOT / name, tmp_path / name, ignore=ignored)
    for name in ("build", "schema/tools/node_modules"):
        if (ROOT / name).exists():
            (tmp_path / name).symlink_to(ROOT / name)
    return tmp_path


def run(copy: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(copy / "src"), str(copy / "generated" / "python")])
    environment = os.environ | {"PYTHONPATH": path, "KAITAI_GGUF_SCANNER": ""}
    command = [sys.executable, *arguments]
    return subprocess.run(command, cwd=copy, env=environment, capture_output=True, text=True, check=False)


def test_the_new_type_is_in_every_language_and_can_be_read(copy: Path) -> None:
    require("java", "mvn", "node")
    for name, lines in (("gguf.ksy", NUMBER), ("ggml_block.ksy", BLOCK)):
        with (copy / "schema" / name).open("a") as schema:
            schema.write(lines)
    done = run(copy, "schema/tools/generate.py")
    if "npm ci failed" in done.stderr:
        missing(["the packages that draw the diagram"])
    assert done.returncode == 0, done.stdout + done.stderr

    generated = copy / "generated"
    assert '"name": "Q3_0", "num_elements": 32, "size": 14' in (generated / "types.json").read_text()
    directories = [path for path in generated.iterdir() if path.is_dir() and path.name != "c"]
    assert len(directories) > 8
    for directory in directories:
        sources = [path for path in directory.rglob("*") if path.is_file() and path.stem.lower() == "gguf"]
        assert re.search("q3_?0", "".join(path.read_text() for path in sources), re.IGNORECASE), directory

    done = run(copy, "-c", READ + DEQUANTIZE + "else:\n    raise AssertionError\n")
    assert done.returncode == 0, done.stderr
    for program in (["-m", "kaitai_gguf", "dump", "--json"], ["tests/conformance/python/dump.py"]):
        done = run(copy, *program, "new.gguf")
        assert done.returncode == 0, done.stderr
        (tensor,) = json.loads(done.stdout)["tensors"]
        assert tensor == {"name": "x", "dims": [64, 4], "type": "Q3_0", "type_id": 43, "offset": 0, "nbytes": 112}
