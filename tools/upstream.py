"""Write folders that can be submitted to other projects as they are: `make upstream`.

    python tools/upstream.py build/upstream

kaitai_struct_formats/  the schemas for the format library, a sample, and the text of the pull request
kaitai_struct_tests/    a test of that format, with the bytes that it reads
kaitai_struct/          the proposal of a skipping index, the schema, and what our compiler makes of it
oss-fuzz/               the project, with the address of the repository
"""

import io
import re
import shutil
import sys
import tomllib
from pathlib import Path
from typing import Literal

import numpy as np

import kaitai_gguf

ROOT = Path(__file__).parents[1]
SCHEMA = ROOT / "schema"
INDEXES = ["python/kaitai_gguf_schema/index.py", "c/gguf_index.h"]
SLOT = 256
"""The size of each file of the test in bytes, as gguf_byte_orders.ksy states it."""


def main(out: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    pull_request, proposal = texts((ROOT / "docs" / "upstream.md").read_text("utf-8"))

    formats = out / "kaitai_struct_formats"
    copy(SCHEMA / "gguf.ksy", formats / "ml")
    copy(SCHEMA / "ggml_block.ksy", formats / "ml")
    copy(ROOT / "examples" / "sample.gguf", out)
    (out / "kaitai_struct_formats.md").write_text(pull_request, "utf-8")

    tests = out / "kaitai_struct_tests"
    shutil.copytree(SCHEMA / "upstream", tests)
    (tests / "src").mkdir()
    (tests / "src" / "gguf_byte_orders.bin").write_bytes(sample("little") + sample("big"))

    copy(SCHEMA / "gguf.ksy", out / "kaitai_struct")
    for name in INDEXES:
        copy(ROOT / "generated" / name, out / "kaitai_struct")
    (out / "kaitai_struct.md").write_text(proposal, "utf-8")

    address = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["urls"]["Repository"]
    for source in sorted((ROOT / "fuzz" / "oss-fuzz").iterdir()):
        target = copy(source, out / "oss-fuzz" / "projects" / "kaitai-gguf")
        target.write_text(target.read_text("utf-8").replace("https://repository.invalid/kaitai-gguf", address), "utf-8")


def copy(source: Path, folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return Path(shutil.copy(source, folder))


def texts(page: str) -> list[str]:
    """Return what docs/upstream.md quotes, one text for each section, and the tables that follow before the next title.

    Each paragraph is one line, because GitHub shows line ends in comments.
    """
    found = []
    for section in re.split(r"^## ", page, flags=re.MULTILINE)[1:]:
        quoted = "\n".join(line[2:] for line in section.splitlines() if line == ">" or line.startswith("> "))
        joined = re.sub(r"(?<!\n)\n(?!\n|- ) *", " ", quoted)
        table = "\n".join(line for line in section.partition("\n### ")[0].splitlines() if line.startswith("|"))
        found.append("\n\n".join(part for part in (joined, table) if part) + "\n")
    return found


def sample(byte_order: Literal["little", "big"]) -> bytes:
    """Return a small file with the items that the test reads, padded to `SLOT` bytes."""
    file = io.BytesIO()
    metadata = {"general.alignment": 16, "a": "▁a", "b": ["one", "two"]}
    tensors = {"weight": np.arange(6, dtype=np.float16).reshape(2, 3)}
    kaitai_gguf.write(file, metadata, tensors, byte_order=byte_order, alignment=16)
    return file.getvalue().ljust(SLOT, b"\0")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
