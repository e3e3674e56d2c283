"""compiler.py: it calls the official compiler, or names the tool that is missing."""

import shutil
from pathlib import Path

import compiler
import pytest


@pytest.mark.parametrize(
    ("tools", "version", "has_jar", "used"),
    [
        ([], "", False, "java is missing"),
        (["java"], "", False, "mvn is missing"),
        (["java"], "0.10", True, "java"),
        ([], "0.11", False, "kaitai-struct-compiler"),
    ],
)
def test_the_compiler_on_path_is_used_if_it_is_the_right_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, tools: list[str], version: str, has_jar: bool, used: str
) -> None:
    found = {tool: f"/usr/bin/{tool}" for tool in tools}
    if version:
        own = tmp_path / "kaitai-struct-compiler"
        own.write_text(f"#!/bin/sh\necho 'kaitai-struct-compiler {version}'\n")
        own.chmod(0o755)
        found["kaitai-struct-compiler"] = str(own)
    if has_jar:
        (tmp_path / "kaitai-struct-compiler_2.13-0.11.jar").touch()
    monkeypatch.setattr(shutil, "which", found.get)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    if used.endswith(" is missing"):
        with pytest.raises(compiler.ToolMissing, match=used.removesuffix(" is missing")):
            compiler.command()
    else:
        program, *arguments = compiler.command()
        assert program == found[used]
        assert arguments[-2:] == ([str(tmp_path / "*"), "io.kaitai.struct.JavaMain"] if has_jar else [])


@pytest.mark.parametrize(("script", "fails"), [("exit 0", False), ("echo warning >&2", True), ("exit 2", True)])
def test_a_warning_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, fails: bool) -> None:
    monkeypatch.setattr(compiler, "command", lambda: ["/bin/sh", "-c", script])
    if fails:
        with pytest.raises(SystemExit, match="target python"):
            compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
    else:
        compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
        assert (tmp_path / "out").is_dir()
