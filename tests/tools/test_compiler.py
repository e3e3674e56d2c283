"""compiler.py: it calls the official compiler, or names the tool that is missing."""

import shutil
from pathlib import Path

import compiler
import pytest


@pytest.mark.parametrize(
    ("tools", "version", "used"),
    [
        ([], "", "java is missing"),
        (["java"], "", "mvn is missing"),
        (["java"], "0.10", "java"),
        ([], "0.11", "kaitai-struct-compiler"),
    ],
)
def test_the_compiler_on_path_is_used_if_it_is_the_right_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, tools: list[str], version: str, used: str
) -> None:
    found = {tool: f"/usr/bin/{tool}" for tool in tools}
    if version:
        own = tmp_path / "kaitai-struct-compiler"
        own.write_text(f"#!/bin/sh\necho 'kaitai-struct-compiler {version}'\n")
        own.chmod(0o755)
        found[own.name] = str(own)
        (tmp_path / "kaitai-struct-compiler_2.13-0.11.jar").touch()
    monkeypatch.setattr(shutil, "which", found.get)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    if used.endswith(" is missing"):
        with pytest.raises(compiler.ToolMissing, match=used.removesuffix(" is missing")):
            compiler.command()
    else:
        assert compiler.command()[0] == found[used]


@pytest.mark.parametrize("script", ["exit 0", "echo warning >&2", "echo warning", "exit 2"])
def test_a_warning_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str) -> None:
    monkeypatch.setattr(compiler, "command", lambda: ["/bin/sh", "-c", script])
    if script == "exit 0":
        compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
    else:
        with pytest.raises(SystemExit, match="target python"):
            compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
