"""`kaitai-gguf schema`: complete schemas in the right place, and nothing overwritten."""

from pathlib import Path

import pytest
from support.commands import fails, output, process

from cli.conftest import ROOT


@pytest.mark.parametrize("name", ["gguf", "ggml_block"])
def test_a_schema_is_printed_or_written_byte_for_byte(name: str, tmp_path: Path) -> None:
    schema, path = (ROOT / "schema" / f"{name}.ksy").read_bytes(), tmp_path / f"{name}.ksy"
    done = process("schema", name)
    assert (done.returncode, done.stdout, done.stderr) == (0, schema, b"")
    for target in (path, tmp_path):
        path.write_text("mine")
        fails(f"kaitai-gguf: {path}: already exists; --force overwrites it", "schema", name, "--output", target)
        assert path.read_text() == "mine"
        assert output("schema", name, "--force", "-o", target) == f"{path}\n"
        assert path.read_bytes() == schema
