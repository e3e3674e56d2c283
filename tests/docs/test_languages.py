"""docs/languages.md lists every language, and is right about Python's package. tests/conformance tests its code."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "languages.md").read_text("utf-8")
MODULES = ["gguf", "ggml_block", "index", "types", "fields", "positions.gguf", "read_write.gguf"]

WITHOUT = """
import sys

class Refuse:
    def find_spec(self, name, *_):
        if name.partition(".")[0] == "kaitai_gguf":
            raise ModuleNotFoundError(name)

sys.meta_path.insert(0, Refuse())
"""


def run(code: str) -> subprocess.CompletedProcess[str]:
    path = str(ROOT / "generated" / "python")
    arguments = [sys.executable, "-c", WITHOUT + code, str(ROOT / "examples" / "sample.gguf")]
    return subprocess.run(arguments, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, check=False)


def test_every_language_that_is_generated_is_spoken_of() -> None:
    names = {"cpp_stl": "C++", "csharp": "C#", "javascript": "JavaScript", "php": "PHP"}
    generated = [path.name for path in (ROOT / "generated").iterdir() if path.is_dir() and path.name != "c"]
    (table,) = re.findall(r"^\| language \| file.*?\n\n", PAGE, re.DOTALL | re.MULTILINE)
    assert len(generated) > 8
    assert [name for name in generated if names.get(name, name.title()) not in table] == []


@pytest.mark.parametrize("module", MODULES)
def test_the_generated_package_is_importable_alone(module: str) -> None:
    done = run(f"import kaitai_gguf_schema.{module}\nassert 'kaitai_gguf' not in sys.modules")
    assert done.returncode == 0, done.stderr


def test_it_reads_alone() -> None:
    done = run(
        "from kaitai_gguf_schema.gguf import Gguf\n"
        "with Gguf.from_file(sys.argv[1]) as gguf:\n"
        "    print(gguf.version, gguf.body.alignment, gguf.body.ofs_tensor_data)\n"
    )
    assert (done.stdout, done.stderr) == ("3 32 7648\n", "")
