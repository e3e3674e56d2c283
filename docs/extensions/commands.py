"""Fills the page of the commands from their `--help`."""

import inspect
import re
from typing import Any

import click

from kaitai_gguf.cli import COMMANDS, main

PAGE = "commands"
PROGRAM = "kaitai-gguf"


def escaped(text: str) -> str:
    """Plain text as Markdown: nothing in it is markup but `code`."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") else re.sub(r"([\\*_|<>\[\]#$~])", r"\\\1", part) for part in parts)


def prose(text: str) -> str:
    """The text of `--help`: paragraphs, and what click is told by `\\b` not to wrap."""
    result = []
    for paragraph in inspect.cleandoc(text).split("\n\n"):
        lines = paragraph.splitlines()
        if lines[0] != "\b":
            result.append(escaped(paragraph))
            continue
        shown = lines[1:]
        if shown[0].endswith(":") and not shown[0].startswith(" "):
            result.append(escaped(shown.pop(0)))
        result.append("```text\n" + inspect.cleandoc("\n".join(shown)) + "\n```")
    return "\n\n".join(result)


def options(command: click.Command, context: click.Context) -> str:
    shown = [param for param in command.get_params(context) if isinstance(param, click.Option)]
    records = [param.get_help_record(context) for param in shown]
    rows = [f"| `{record[0].replace('|', chr(92) + '|')}` | {escaped(record[1])} |" for record in records if record]
    return "\n".join(["| option | |", "|---|---|", *rows])


def section(name: str, command: click.Command, parent: click.Context) -> str:
    context = click.Context(command, parent, name)
    usage = f"{PROGRAM} {name} {' '.join(command.collect_usage_pieces(context))}"
    return f"## {name}\n\n```text\n{usage}\n```\n\n{prose(command.help or '')}\n\n{options(command, context)}\n"


def page() -> str:
    context = click.Context(main, info_name=PROGRAM)
    commands = {name: command for name in COMMANDS if (command := main.get_command(context, name))}
    rows = [f"| [{name}](#{name}) | {escaped(each.get_short_help_str(200))} |" for name, each in commands.items()]
    table = "\n".join(["| command | |", "|---|---|", *rows])
    sections = [section(name, each, context) for name, each in commands.items()]
    return "\n\n".join([prose(main.help or ""), table, *sections])


def process(_app: Any, name: str, source: list[str]) -> None:
    if name == PAGE:
        source[0] += "\n" + page()


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", process)
    return {"parallel_read_safe": True}
