"""What an installation brings along."""

import tomllib
from importlib.resources import files
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
TOP = {"kaitai_gguf": ROOT / "src" / "kaitai_gguf", "kaitai_gguf_schema": ROOT / "generated/python/kaitai_gguf_schema"}


def test_every_package_is_installed() -> None:
    listed = set(tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["setuptools"]["packages"])
    found = {
        ".".join([name, *path.parent.relative_to(top).parts])
        for name, top in TOP.items()
        for path in top.rglob("__init__.py")
    }
    assert listed == found


@pytest.mark.parametrize("name", ["gguf.ksy", "ggml_block.ksy"])
def test_the_schemas_come_along(name: str) -> None:
    assert files("kaitai_gguf_schema").joinpath(name).read_bytes() == (ROOT / "schema" / name).read_bytes()


def test_it_is_typed() -> None:
    assert files("kaitai_gguf").joinpath("py.typed").is_file()


def test_the_generated_parser_needs_nothing_of_ours() -> None:
    for path in TOP["kaitai_gguf_schema"].rglob("*.py"):
        assert "import kaitai_gguf." not in path.read_text()
        assert "from kaitai_gguf." not in path.read_text()
