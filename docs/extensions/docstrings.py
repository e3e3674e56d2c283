"""Turns the plain text of this project's docstrings into reStructuredText, for autodoc.

- A paragraph that is Python becomes a block of code, and one that is indented a literal block.
- `name   what it is`, one or more lines each, becomes a list of definitions.
"""

import ast
import re
from itertools import groupby
from typing import Any

ENTRY = re.compile(r"(?P<names>\w+(?:, \w+)*) {2,}(?P<text>\S.*)")


def is_code(text: str) -> bool:
    """Whether a paragraph is Python, and not prose that happens to be valid."""
    if not re.search(r"[(=\[:]", text):
        return False
    try:
        ast.parse(text)
    except SyntaxError:
        return False
    return True


def definitions(lines: list[str]) -> list[str] | None:
    """A list of definitions, if each line starts or continues one."""
    result: list[str] = []
    for line in lines:
        if entry := ENTRY.fullmatch(line):
            names = ", ".join(f"``{name}``" for name in entry["names"].split(", "))
            result += [names, f"    {escaped(entry['text'])}"]
        elif result and line.startswith("  "):
            result.append(f"    {escaped(line.strip())}")
        else:
            return None
    return result


def literal(kind: str, lines: list[str]) -> list[str]:
    return [f".. code-block:: {kind}", "", *(f"    {line}" for line in lines)]


def paragraph(lines: list[str]) -> list[str]:
    if is_code("\n".join(lines)):
        return literal("python", lines)
    if all(line.startswith("    ") for line in lines):
        bare = [line[4:] for line in lines]
        return literal("python" if is_code("\n".join(bare)) else "text", bare)
    return definitions(lines) or [escaped(line) for line in lines]


def escaped(line: str) -> str:
    """A line of prose, in which `code` is the only markup."""
    parts = re.split(r"(`[^`]+`)", line)
    return "".join(part if part.startswith("`") else re.sub(r"([*|])", r"\\\1", part) for part in parts)


def converted(lines: list[str]) -> list[str]:
    """A docstring, as autodoc gives it, line by line."""
    result: list[str] = []
    for is_blank, group in groupby(lines, lambda line: not line.strip()):
        result += [""] if is_blank else paragraph(list(group))
    return result


def process(_app: Any, _what: str, _name: str, _object: object, _options: object, lines: list[str]) -> None:
    lines[:] = converted(lines)


def setup(app: Any) -> dict[str, bool]:
    app.connect("autodoc-process-docstring", process)
    return {"parallel_read_safe": True}
