"""file(1) recognizes GGUF with schema/gguf.magic."""

import shutil
import subprocess
from pathlib import Path

import pytest
from support.gguf_bytes import F32, Model, TensorSpec

MAGIC = Path(__file__).parents[2] / "schema" / "gguf.magic"


def described(data: bytes, folder: Path) -> str:
    if shutil.which("file") is None:
        pytest.skip("file(1) is not installed")
    (folder / "x").write_bytes(data)
    command = ["file", "--brief", "--magic-file", str(MAGIC), "x"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True)
    assert done.stderr == ""
    return done.stdout.strip()


@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("version", [1, 2, 3])
def test_every_version_and_byte_order(version: int, byte_order: str, tmp_path: Path) -> None:
    model = Model(
        [("a", "uint32", 1), ("b", "bool", True)], [TensorSpec("c", (4,), F32, 0)], bytes(16), version, byte_order
    )
    expected = f"GGUF model, {byte_order}-endian, version {version}, 1 tensors, 2 key-value pairs"
    assert described(model.build(), tmp_path) == expected


@pytest.mark.parametrize("data", [b"GGUF is a format", b"GGML\x03\0\0\0", b"GGUF"])
def test_other_files(data: bytes, tmp_path: Path) -> None:
    assert "model" not in described(data, tmp_path)
