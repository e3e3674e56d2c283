"""`kaitai-gguf schema`: complete schemas in the right place, and nothing overwritten."""

from pathlib import Path

import pytest
from support.commands import fails, output, process

from cli.conftest import ROOT

SCHEMAS = {name: (ROOT / "schema" / f"{name}.ksy").read_bytes() for name in ("gguf", "ggml_block")}
schemas = pytest.mark.parametrize("name", SCHEMAS)


@schemas
def test_it_is_printed_byte_for_byte(name: str) -> None:
    done = process("schema", name)
    assert (done.returncode, done.stdout, done.stderr) == (0, SCHEMAS[name], b"")


@schemas
@pytest.mark.parametrize("option", ["-o", "--output"])
def test_it_is_written_to_a_file(option: str, name: str, tmp_path: Path) -> None:
    path = tmp_path / "copy.ksy"
    assert output("schema", name, option, path) == f"{path}\n"
    assert path.read_bytes() == SCHEMAS[name]


@pytest.mark.parametrize("into_directory", [False, True])
def test_a_file_that_is_there_stays_without_force(into_directory: bool, tmp_path: Path) -> None:
    path = tmp_path / "gguf.ksy"
    path.write_text("mine" * 100_000)
    target = tmp_path if into_directory else path
    fails(f"kaitai-gguf: {path}: already exists; --force overwrites it", "schema", "-o", target)
    assert path.read_text() == "mine" * 100_000
    assert output("schema", "--force", "-o", target) == f"{path}\n"
    assert path.read_bytes() == SCHEMAS["gguf"]
