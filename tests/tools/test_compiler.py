"""compiler.py: it calls the official compiler, or names the tool that is missing."""

import shutil
from pathlib import Path

import compiler
import pytest


def test_a_tool_that_is_missing_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(compiler.ToolMissing, match="java"):
        compiler.command()


def test_jars_that_are_missing_need_maven(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/java" if name == "java" else None)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    with pytest.raises(compiler.ToolMissing, match="mvn"):
        compiler.command()


def test_jars_that_are_there_need_no_maven(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "kaitai-struct-compiler_2.13-0.11.jar").touch()
    monkeypatch.setattr(shutil, "which", lambda name: "/usr/bin/java" if name == "java" else None)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    assert compiler.command() == [
        "/usr/bin/java",
        *compiler.SHORT_RUN,
        "-cp",
        str(tmp_path / "*"),
        "io.kaitai.struct.JavaMain",
    ]


@pytest.mark.parametrize(
    ("version", "used"), [("kaitai-struct-compiler 0.11", True), ("kaitai-struct-compiler 0.10", False)]
)
def test_the_compiler_on_path_is_used_if_it_is_the_right_one(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, version: str, used: bool
) -> None:
    own = tmp_path / "kaitai-struct-compiler"
    own.write_text(f"#!/bin/sh\necho '{version}'\n")
    own.chmod(0o755)
    (tmp_path / "kaitai-struct-compiler_2.13-0.11.jar").touch()
    found = {"kaitai-struct-compiler": str(own), "java": "/usr/bin/java"}
    monkeypatch.setattr(shutil, "which", found.get)
    monkeypatch.setattr(compiler, "JARS", tmp_path)
    assert (compiler.command() == [str(own)]) is used


@pytest.mark.parametrize(
    ("script", "fails"), [("exit 0", False), ("echo warning >&2", True), ("echo x", True), ("exit 2", True)]
)
def test_a_warning_is_an_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, fails: bool) -> None:
    monkeypatch.setattr(compiler, "command", lambda: ["/bin/sh", "-c", script])
    if fails:
        with pytest.raises(SystemExit, match="target python"):
            compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
    else:
        compiler.compile_schema([tmp_path / "x.ksy"], tmp_path / "out", ["python"])
        assert (tmp_path / "out").is_dir()
