"""docs/images/*.svg: each shows the current output of its command, and loads nothing."""

import re
import sys
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest
from rich.text import Text

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT / "docs" / "images"))

from pictures import COLUMNS, PICTURES, drawn, printed  # noqa: E402

SVG = "{http://www.w3.org/2000/svg}"


def lines(svg: str) -> list[str]:
    """Return the lines of text in a picture, without the window title."""
    texts: dict[float, dict[float, str]] = {}
    for text in ElementTree.fromstring(svg).iter(f"{SVG}text"):
        if "line" in text.get("clip-path", ""):
            texts.setdefault(float(text.get("y", 0)), {})[float(text.get("x", 0))] = unescape(text.text or "")
    rows = ["".join(parts[x] for x in sorted(parts)) for _, parts in sorted(texts.items())]
    return [row.replace("\xa0", " ").rstrip() for row in rows]


@pytest.mark.parametrize("name", PICTURES)
def test_the_committed_picture_shows_what_the_command_prints(name: str) -> None:
    output = Text.from_ansi(printed(PICTURES[name])).plain
    picture = (ROOT / "docs" / "images" / name).read_text("utf-8")
    expected = [line.rstrip() for line in output.rstrip().splitlines()]
    assert len(expected) > 10
    assert max(map(len, output.splitlines())) <= COLUMNS
    assert lines(picture) == [f"$ kaitai-gguf {PICTURES[name]}", *expected], "run `make pictures`"
    for svg in (picture, drawn(PICTURES[name])):  # which load nothing
        loaded = re.sub(r'xmlns="http://www\.w3\.org/2000/svg"', "", svg)
        assert not re.search("http|@font-face|@import", re.sub(r"<!--.*?-->", "", loaded, flags=re.DOTALL))
