"""The pages of the documentation: their code blocks, and how each block is tested.

A block is run unless a comment above it says otherwise. A comment above the first heading applies to all blocks of
the page, or to all blocks in one language:

    <!-- run by tests/docs/test_catalog_page.py -->
    <!-- needs torch -->                              (run where the package is installed)
    <!-- not run: needs a cluster -->
    <!-- sql: run by tests/docs/test_catalog_page.py -->
"""

import re
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]

FENCE = re.compile(
    r"(?:^<!-- (?P<mark>[^\n]*) -->\n)?^(?P<indent> *)```(?P<language>[^\n`]*)\n(?P<code>.*?)^ *```$",
    re.DOTALL | re.MULTILINE,
)
FOR_ALL = re.compile(r"^<!-- (?:(\w+): )?((?:run by|not run:) .*?) -->$", re.MULTILINE)
COMMAND = re.compile(r"(kaitai-gguf|make|pip|python) ")


@dataclass(frozen=True)
class Block:
    """A block of code. `mark` is the comment above it; `line` is the number of its first line."""

    page: Path
    line: int
    language: str
    code: str
    mark: str

    @property
    def place(self) -> str:
        return f"{self.page.relative_to(ROOT)}:{self.line}"

    @property
    def is_run_here(self) -> bool:
        return self.language in ("python", "sh", "console") and not self.mark.startswith(("run by", "not run"))


def blocks(page: Path) -> list[Block]:
    text = page.read_text("utf-8")
    head, _, _ = re.split(r"^(?=# )", text, maxsplit=1, flags=re.MULTILINE)[0].partition("```")
    marks = dict(FOR_ALL.findall(head))
    result = []
    for match in FENCE.finditer(text):
        language = language_of(match)
        if not language.startswith("{"):  # a directive of Sphinx
            mark = match["mark"] or marks.get(language, marks.get("", ""))
            result.append(Block(page, text.count("\n", 0, match.start("code")) + 1, language, match["code"], mark))
    return result


def language_of(match: re.Match[str]) -> str:
    """Return the language of a block. Blocks of commands need not name theirs."""
    if match["language"]:
        return match["language"]
    lines = [line for line in match["code"].splitlines() if line.strip()]
    if lines and lines[0].startswith("$ "):
        return "console"
    return "sh" if lines and all(COMMAND.match(line) for line in lines) else ""


def text_of(name: str) -> str:
    return (ROOT / "docs" / name).read_text("utf-8")


def code_of(name: str, language: str) -> list[str]:
    """Return the blocks of a page of docs/ in one language."""
    return [block.code for block in blocks(ROOT / "docs" / name) if block.language == language]


def prose(page: Path) -> str:
    """The text of a page without its blocks of code."""
    return FENCE.sub("", page.read_text("utf-8"))
