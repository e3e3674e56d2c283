"""Links in the pages to what is in the repository, but not on the site.

A link to a file becomes a download, which MyST does by itself; one to a folder becomes plain text. A file that is a
page of the site too is linked as that page.
"""

import re
from pathlib import Path
from typing import Any

PAGES = {
    "../README.md": "index.md",
    "../CHANGELOG.md": "changelog.md",
    "../javascript/README.md": "javascript.md",
}
LINK = re.compile(r"\[([^\]]*)\]\((\.\./[^)#]*)(#[^)]*)?\)")


def replaced(text: str, folder: Path) -> str:
    def link(match: re.Match[str]) -> str:
        words, target, _ = match.groups()
        for start, page in PAGES.items():
            if target.startswith(start) and (folder / page).exists():
                return f"[{words}]({page})"
        return match[0] if (folder / target).is_file() and not target.endswith(".md") else words

    return LINK.sub(link, text)


def process(app: Any, _name: str, source: list[str]) -> None:
    source[0] = replaced(source[0], Path(app.srcdir))


def setup(app: Any) -> dict[str, bool]:
    app.connect("source-read", process)
    return {"parallel_read_safe": True}
