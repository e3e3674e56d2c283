"""docs/extensions/: how docstrings, commands and links are converted, and that pages load nothing external."""

import runpy
from pathlib import Path
from types import SimpleNamespace

import pytest
from commands import page, prose
from docstrings import converted
from offline import check
from repository_links import replaced
from support.pages import ROOT

from kaitai_gguf.cli import COMMANDS, main


@pytest.mark.parametrize(
    ("lines", "expected"),
    [
        (
            ["output     the path of", "           a file", "a, b  two *"],
            ["``output``", "    the path of", "    a file", "``a``, ``b``", "    two \\*"],
        ),
        (
            ["Text.", "", "with open() as file:", "    read(file)"],
            ["Text.", "", ".. code-block:: python", "", "    with open() as file:", "        read(file)"],
        ),
        (["The largest |a - b|, or `a*b`."], ["The largest \\|a - b\\|, or `a*b`."]),
    ],
)
def test_docstrings(lines: list[str], expected: list[str]) -> None:
    assert converted(lines) == expected


def test_every_command_and_option_is_on_the_page() -> None:
    text, count = page(), 0
    for name in COMMANDS:
        assert f"\n## {name}\n" in text
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        options = [parameter.opts[-1] for parameter in command.params if parameter.param_type_name == "option"]
        assert [option for option in options if option not in text] == []
        count += len(options)
    assert count > 50
    assert prose("Show <it>.\n\n\b\nExamples:\n  a *\n") == "Show \\<it\\>.\n\nExamples:\n\n```text\na *\n```"


def test_links_to_what_is_not_on_the_site() -> None:
    links = "[a](../examples/languages) [b](../README.md) [c](../javascript/README.md#errors) [d](../schema/gguf.ksy)"
    expected = "a [b](index.md) [c](javascript.md) [d](../schema/gguf.ksy)"
    assert replaced(links, ROOT / "docs") == expected


def test_two_hyphens_stay_two_hyphens() -> None:
    """They start the names of options. By default, Sphinx turns them into an en dash."""
    settings = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    assert set(settings.get("smartquotes_action", "qDe")) == set("qe")


@pytest.mark.parametrize(
    "text",
    [
        '<script src="https://cdn.example/a.js"></script>',
        '<img alt="" src="//cdn.example/a.png">',
        '<link href="x" rel="stylesheet" href="http://fonts.example/a.css">',
        "<style>@import url(https://fonts.example/a.css);</style>",
        "<style>a { background: url('http://example/a.png') }</style>",
    ],
)
def test_a_page_that_loads_from_elsewhere_is_refused(text: str, tmp_path: Path) -> None:
    site = SimpleNamespace(outdir=tmp_path, builder=SimpleNamespace(format="html"))
    links = '<a href="https://example/">x</a> <img src="a.png"> <link rel="index" href="i.html">'
    (tmp_path / "a.html").write_text(links)
    check(site, None)
    (tmp_path / "a.html").write_text(links + text)
    with pytest.raises(RuntimeError, match=r"a\.html"):
        check(site, None)
