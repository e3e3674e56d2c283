"""compiler.py: it calls the official compiler, or names the tool that is missing."""

import shutil
from pathlib import Path

import compiler
import pytest

JAR = "kaitai-struct-compiler_2.13-0.11.jar"


@pytest.mark.parametrize(
    ("tools", "version", "jar", "used"),
    [
        ([], "", "", "java"),
        (["java"], "", "", "mvn"),
        (["java"], "kaitai-struct-compiler 0.10", JAR, None),
        ([], "kaitai-struct-compiler 0.11", "", "own"),
    ],
)
def test_the_command(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, *, tools: list[str], version: str, jar: str, used: str | None
) -> None:
    """The compiler on PATH is used if it is the right one, otherwise a jar. What is missing is named."""
    found = {tool: f"/usr/bin/{tool}" for tool in tools}
    if version:
        own = tmp_path / "kaitai-struct-compiler"
        own.write_text(f"#!/bin/sh\necho '{version}'\n")
        own.chmod(0o755)
        found["kaitai-struct-compiler"] = str(own)
    if jar:
        (tmp_path / jar).touch()
    monkeypatch.setattr(shutil, "which", found.get)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    if used in ("java", "mvn"):
        with pytest.raises(compiler.ToolMissing, match=used):
            compiler.command()
    elif used == "own":
        assert compiler.command() == [found["kaitai-struct-compiler"]]
    else:
        main = ["-cp", str(tmp_path / "*"), "io.kaitai.struct.JavaMain"]
        assert compiler.command() == ["/usr/bin/java", *compiler.SHORT_RUN, *main]


@pytest.mark.parametrize(("script", "fails"), [("exit 0", False), ("echo warning >&2", True), ("exit 2", True)])
def test_a_warning_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, fails: bool) -> None:
    monkeypatch.setattr(compiler, "command", lambda: ["/bin/sh", "-c", script])
    if fails:
        with pytest.raises(SystemExit, match="target python"):
            compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
    else:
        compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
        assert (tmp_path / "out").is_dir()
