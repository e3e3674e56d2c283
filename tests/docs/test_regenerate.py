"""docs/regenerate.md: its edits, made in a copy of this project, have the effect that the page describes."""

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from support.gguf_bytes import Model, TensorSpec

ROOT = Path(__file__).parents[2]
BLOCKS = re.findall(
    r"^```(\w+)\n(.*?)^```$", (ROOT / "docs" / "regenerate.md").read_text("utf-8"), re.DOTALL | re.MULTILINE
)
NUMBER, BLOCK = (code for language, code in BLOCKS if language == "yaml")
pytestmark = pytest.mark.xdist_group("regenerate")  # so that the copy is made once

READ, DEQUANTIZE = (code for language, code in BLOCKS if language == "python")


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the generator and the package; link to the dependencies that were already downloaded."""
    copy = tmp_path_factory.mktemp("copy")
    for name in ("schema", "generated", "javascript", "src"):
        shutil.copytree(ROOT / name, copy / name, ignore=shutil.ignore_patterns("node_modules", "*.so", "__pycache__"))
    for name in ("build", "schema/tools/node_modules"):
        if (ROOT / name).exists():
            (copy / name).symlink_to(ROOT / name)
    return copy


def run(copy: Path, *arguments: str | Path) -> subprocess.CompletedProcess[str]:
    path = os.pathsep.join([str(copy / "src"), str(copy / "generated" / "python")])
    return subprocess.run(
        [sys.executable, *map(str, arguments)],
        cwd=copy,
        env=os.environ | {"PYTHONPATH": path, "KAITAI_GGUF_SCANNER": ""},
        capture_output=True,
        text=True,
        check=False,
    )


def generate(copy: Path) -> subprocess.CompletedProcess[str]:
    return run(copy, "schema/tools/generate.py")


def edit(path: Path, added: str) -> None:
    text = path.read_text()
    assert added not in text
    path.write_text(text + added)


@pytest.fixture(scope="module")
def refusals(copy: Path) -> list[str]:
    """Return the errors for each edit without the other. Neither of them changes generated/."""
    gguf, block = copy / "schema" / "gguf.ksy", copy / "schema" / "ggml_block.ksy"
    said = []
    for path, added in ((gguf, NUMBER), (block, BLOCK)):
        before = path.read_text()
        edit(path, added)
        done = generate(copy)
        assert done.returncode != 0
        said.append(done.stderr)
        path.write_text(before)
    assert (copy / "generated" / "types.json").read_text() == (ROOT / "generated" / "types.json").read_text()
    return said


@pytest.fixture(scope="module")
def regenerated(copy: Path, refusals: list[str]) -> Path:
    missing = [tool for tool in ("java", "mvn", "node") if shutil.which(tool) is None]
    if missing and os.environ.get("CI") != "true":
        pytest.skip(f"{', '.join(missing)} missing: `make generate` needs them")
    edit(copy / "schema" / "gguf.ksy", NUMBER)
    edit(copy / "schema" / "ggml_block.ksy", BLOCK)
    done = generate(copy)
    if "npm ci failed" in done.stderr and os.environ.get("CI") != "true":
        pytest.skip("npm could not install the packages that draw the diagram")
    assert done.returncode == 0, done.stdout + done.stderr
    model = Model(tensors=[TensorSpec("x", (64, 4), 43, 0)], data=bytes(range(4 * 28)))
    (copy / "new.gguf").write_bytes(model.build())
    return copy


def test_one_edit_without_the_other_is_refused(refusals: list[str]) -> None:
    assert ["q3_0" in said for said in refusals] == [True, True]


def test_the_new_type_is_read_but_cannot_be_dequantized(regenerated: Path) -> None:
    done = run(regenerated, "-c", READ + DEQUANTIZE + "else:\n    raise AssertionError\n")
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("program", ["-m kaitai_gguf dump --json new.gguf", "conformance"])
def test_it_is_in_the_json(regenerated: Path, program: str) -> None:
    arguments = program.split()
    if program == "conformance":
        script = regenerated / "tests" / "conformance" / "python" / "dump.py"
        script.parent.mkdir(parents=True)
        shutil.copy(ROOT / "tests" / "conformance" / "python" / "dump.py", script)
        arguments = [str(script), "new.gguf"]
    done = run(regenerated, *arguments)
    assert done.returncode == 0, done.stderr
    (tensor,) = json.loads(done.stdout)["tensors"]
    assert tensor == {"name": "x", "dims": [64, 4], "type": "Q3_0", "type_id": 43, "offset": 0, "nbytes": 112}


def test_every_language_knows_it(regenerated: Path) -> None:
    generated = regenerated / "generated"
    assert '"name": "Q3_0", "num_elements": 32, "size": 14' in (generated / "types.json").read_text()
    directories = [path for path in generated.iterdir() if path.is_dir() and path.name != "c"]
    assert len(directories) > 8
    for directory in directories:
        sources = [path for path in directory.rglob("*") if path.is_file() and path.stem.lower() == "gguf"]
        assert re.search("q3_?0", "".join(path.read_text() for path in sources), re.IGNORECASE), directory
