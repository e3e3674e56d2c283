"""Fails the build if a page of the site would load anything from another place."""

import re
from pathlib import Path
from typing import Any

LOADED = re.compile(
    r"""<(?:script|img|iframe|source|embed|object|video|audio)\b[^>]*\b(?:src|srcset|data)=["'](?:https?:)?//[^"']*"""
    r"""|<link\b[^>]*\brel=["'](?:stylesheet|preload|preconnect|icon|manifest|modulepreload)[^>]*\bhref=["'](?:https?:)?//[^"']*"""
    r"""|@import\s+(?:url\()?["']?(?:https?:)?//[^"')]*|url\(\s*["']?(?:https?:)?//[^"')]*""",
    re.IGNORECASE,
)


def loaded(folder: Path) -> list[str]:
    """What the pages and styles in a folder load from elsewhere, each with its file."""
    return [
        f"{path.relative_to(folder)}: {match[0]}"
        for path in sorted(folder.rglob("*"))
        if path.suffix in {".html", ".css", ".svg"}
        for match in LOADED.finditer(path.read_text("utf-8"))
    ]


def check(app: Any, exception: Exception | None) -> None:
    if exception is None and app.builder.format == "html" and (found := loaded(Path(app.outdir))):
        raise RuntimeError("the site loads from elsewhere:\n" + "\n".join(found))


def setup(app: Any) -> dict[str, bool]:
    app.connect("build-finished", check)
    return {"parallel_read_safe": True}
