"""Draws what a command prints in a terminal as SVG: `python docs/images/pictures.py`, or `make pictures`."""

import contextlib
import io
import os
import re
from pathlib import Path
from unittest import mock

from rich.console import Console
from rich.text import Text

from kaitai_gguf.cli import main as command_line

IMAGES = Path(__file__).parent
ROOT = IMAGES.parents[1]
COLUMNS = 100
PICTURES = {"info.svg": "info examples/sample.gguf"}
"""The command that each picture shows."""


class Terminal(io.StringIO):
    """A buffer that a command takes for a terminal."""

    def isatty(self) -> bool:
        return True


def printed(command: str) -> str:
    """Return what a command prints in a terminal of `COLUMNS` columns, escape sequences included."""
    screen = Terminal()
    environment = {"COLUMNS": str(COLUMNS), "LINES": "50", "TERM": "xterm-256color"}
    with mock.patch.dict(os.environ, environment), contextlib.chdir(ROOT), contextlib.redirect_stdout(screen):
        command_line(command.split(), standalone_mode=False)
    return screen.getvalue()


def drawn(command: str) -> str:
    """Return an SVG of a terminal with a command and what it prints. It loads no fonts from elsewhere."""
    console = Console(record=True, file=io.StringIO(), width=COLUMNS, force_terminal=True)
    console.print(Text.from_ansi(f"$ kaitai-gguf {command}\n{printed(command)}".rstrip()))
    svg = console.export_svg(title="kaitai-gguf", unique_id="terminal")
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    svg = svg.replace("font-family: Fira Code, monospace", "font-family: monospace").replace("arial", "sans-serif")
    return re.sub(r"[ \t]+$", "", svg, flags=re.MULTILINE)


if __name__ == "__main__":
    for name, command in PICTURES.items():
        (IMAGES / name).write_text(drawn(command), "utf-8")
