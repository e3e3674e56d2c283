"""docs/languages.md lists every language, and is right about Python's package. tests/conformance tests its code."""

import os
import re
import subprocess
import sys

from support.pages import ROOT, text_of

ALONE = """
import importlib
import sys

sys.modules["kaitai_gguf"] = None  # importing it fails
for name in ("ggml_block", "index", "types", "fields", "positions.gguf", "read_write.gguf"):
    importlib.import_module(f"kaitai_gguf_schema.{name}")
from kaitai_gguf_schema.gguf import Gguf

with Gguf.from_file(sys.argv[1]) as gguf:
    print(gguf.version, gguf.body.alignment, gguf.body.ofs_tensor_data)
"""


def test_every_language_that_is_generated_is_listed() -> None:
    names = {"cpp_stl": "C++", "csharp": "C#", "javascript": "JavaScript", "php": "PHP"}
    generated = [path.name for path in (ROOT / "generated").iterdir() if path.is_dir() and path.name != "c"]
    (table,) = re.findall(r"^\| language \| file.*?\n\n", text_of("languages.md"), re.DOTALL | re.MULTILINE)
    assert len(generated) > 8
    assert [name for name in generated if names.get(name, name.title()) not in table] == []


def test_the_generated_package_works_alone() -> None:
    command = [sys.executable, "-c", ALONE, str(ROOT / "examples" / "sample.gguf")]
    environment = os.environ | {"PYTHONPATH": str(ROOT / "generated" / "python")}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("3 32 7648\n", "")
