"""Run the code blocks of a page the way a reader would: in order, in one folder and one Python session."""

import ast
import os
import re
import shlex
import subprocess
import sys
import tomllib
from collections.abc import Callable, Iterator
from contextlib import redirect_stdout, suppress
from io import StringIO
from pathlib import Path
from typing import Any

import click
from click.testing import CliRunner
from support.commands import SERVERS
from support.pages import ROOT, Block

from kaitai_gguf.cli import main

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
TARGETS = set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(), re.MULTILINE))
SHELL = re.compile(r"[|<>;&$`]|\*\*")


def run(block: Block, names: dict[str, Any]) -> None:
    """Run a block. `names` are the Python names that the blocks of a page share."""
    if block.language == "python":
        run_python(block, names)
    elif block.language == "console":
        for command, shown in transcript(block):
            compare(perform(command, block.place), shown, f"{block.place}: {command}")
    else:
        for command in commands(block.code):
            perform(command, block.place)


def run_python(block: Block, names: dict[str, Any]) -> None:
    """Run the code, and check the value or output of an expression against the comment after it, if there is one."""
    tree = ast.parse("\n" * (block.line - 1) + block.code)
    lines = block.code.encode().splitlines()
    for node in ast.walk(tree):
        if isinstance(node, ast.Expr) and node.end_lineno is not None:
            comment = lines[node.end_lineno - block.line][node.end_col_offset :].decode().strip()
            if comment.startswith("#"):
                shown = ast.Constant(comment[1:].strip())
                called = ast.parse("_check(lambda: None, None)", mode="eval").body
                called.args[0].body, called.args[1] = node.value, shown
                node.value = ast.copy_location(called, node.value)
                ast.fix_missing_locations(node)
    names |= {"__name__": "page", "_check": check}
    exec(compile(tree, str(block.page), "exec"), names)


def check(evaluate: Callable[[], object], shown: str) -> None:
    """Check that an expression prints what the page shows, or has that value. Other comments are not checked."""
    with redirect_stdout(StringIO()) as output:
        value = evaluate()
    if output.getvalue():
        compare(output.getvalue(), [shown], "print()")
    else:
        with suppress(SyntaxError, ValueError):  # the comment is not a value
            assert value == ast.literal_eval(shown), f"is {value!r}, not {shown}"


def commands(code: str) -> list[str]:
    """Return the commands of a block without comments. A backslash at the end of a line continues it."""
    lines = code.replace("\\\n", " ").splitlines()
    return [line for line in lines if shlex.split(line, comments=True)]


def transcript(block: Block) -> Iterator[tuple[str, list[str]]]:
    """Yield each command after a `$`, and the lines of its output."""
    first, *parts = re.split(r"^\$ ", block.code, flags=re.MULTILINE)
    assert not first, f"{block.place}: output before the first command"
    for part in parts:
        command, _, shown = part.partition("\n")
        yield command, [line for line in shown.splitlines() if line.strip()]


def compare(output: str, shown: list[str], about: str) -> None:
    """Check that the output has each line shown, in this order. `…` matches anything; spaces match any gap or none."""
    lines = (" ".join(line.split()) for line in output.splitlines())
    for line in shown:
        words = ".*".join(re.escape(part.strip()) for part in " ".join(line.split()).split("…"))
        pattern = re.compile(words.replace("\\ ", " ?"))
        assert any(map(pattern.search, lines)), f"{about}: does not print {line!r} there:\n{output}"


def perform(command: str, place: str) -> str:
    """Run a command. If it would not end, install something or need a network, check only its arguments."""
    words = shlex.split(command, comments=True)
    about = f"{place}: {command}"
    if words[0] == "make":
        assert set(words[1:]) <= TARGETS, about
    elif words[0] == "pip":
        check_pip(words, about)
    elif words[0] == "kaitai-gguf" and (words[1] in SERVERS or "://" in command):
        check_arguments(words, about)
    elif words[0] == "kaitai-gguf" and not SHELL.search(re.sub(r"'[^']*'", "", command)):
        result = CliRunner().invoke(main, words[1:])
        assert result.exit_code == expected_status(command), f"{about}\n{result.output}{result.exception or ''}"
        return result.output
    else:
        path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])
        done = subprocess.run(
            ["bash", "-euo", "pipefail", "-c", command],
            env=os.environ | {"PATH": path}, capture_output=True, text=True, check=False, timeout=120,
        )  # fmt: skip
        assert done.returncode == expected_status(command), f"{about}\n{done.stdout}{done.stderr}"
        return done.stdout + done.stderr
    return ""


def expected_status(command: str) -> int:
    status = re.search(r"# exits with (\d)$", command)
    return int(status[1]) if status else 0


def check_pip(words: list[str], about: str) -> None:
    """Check that the extras of this package exist."""
    assert words[1] == "install", about
    for word in words[2:]:
        name, _, extras = word.rstrip("]").partition("[")
        if name in (".", PROJECT["project"]["name"]) and extras:
            assert set(extras.split(",")) <= PROJECT["project"]["optional-dependencies"].keys(), about


def check_arguments(words: list[str], about: str) -> None:
    """Check that the command exists and has these options."""
    command = main.get_command(click.Context(main), words[1])
    assert command is not None, about
    options = {option for parameter in command.params for option in parameter.opts}
    assert {word for word in words[2:] if word.startswith("--")} <= options, about
