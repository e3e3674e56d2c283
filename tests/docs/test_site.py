"""docs/extensions/: how docstrings, commands and links are converted, and that pages load nothing external."""

import runpy
from pathlib import Path

import pytest
from commands import page, prose
from docstrings import converted
from offline import check, loaded
from repository_links import replaced
from support.pages import ROOT

from kaitai_gguf.cli import COMMANDS, main


def test_arguments_become_definitions() -> None:
    lines = ["output     the path of", "           a file", "a, b  two *"]
    assert converted(lines) == ["``output``", "    the path of", "    a file", "``a``, ``b``", "    two \\*"]


@pytest.mark.parametrize("indent", ["", "    "])
def test_code_becomes_a_block(indent: str) -> None:
    code = ["with open() as file:", "    read(file)"]
    block = [".. code-block:: python", "", *(f"    {line}" for line in code)]
    assert converted(["Text.", "", *(indent + line for line in code)]) == ["Text.", "", *block]


@pytest.mark.parametrize("text", ["Return it.", "the largest", "A list: of what there is.", "`a` and `b*c`."])
def test_prose_stays_prose(text: str) -> None:
    assert converted([text]) == [text]


def test_prose_is_escaped() -> None:
    assert converted(["The largest |a - b|, or `a*b`."]) == ["The largest \\|a - b\\|, or `a*b`."]


def test_every_command_and_option_is_on_the_page() -> None:
    text, count = page(), 0
    for name in COMMANDS:
        assert f"\n## {name}\n" in text
        command = main.get_command(None, name)  # type: ignore[arg-type]
        assert command is not None
        for parameter in command.params:
            count += parameter.param_type_name == "option"
            assert parameter.param_type_name == "argument" or parameter.opts[-1] in text
    assert count > 50


def test_examples_of_help_are_shown_as_they_are() -> None:
    assert prose("Show <it>.\n\n\b\nExamples:\n  a *\n") == "Show \\<it\\>.\n\nExamples:\n\n```text\na *\n```"


def test_links_to_what_is_not_on_the_site() -> None:
    docs = ROOT / "docs"
    assert replaced("[a](../examples/languages)", docs) == "a"
    assert replaced("[a](../README.md)", docs) == "[a](index.md)"
    assert replaced("[a](../javascript/README.md#errors)", docs) == "[a](javascript.md)"
    assert replaced("[a](../schema/gguf.ksy)", docs) == "[a](../schema/gguf.ksy)"


def test_two_hyphens_stay_two_hyphens() -> None:
    """They start the names of options. By default, Sphinx turns them into an en dash."""
    settings = runpy.run_path(str(ROOT / "docs" / "conf.py"))
    assert set(settings.get("smartquotes_action", "qDe")) == set("qe")


LOADING = [
    '<script src="https://cdn.example/a.js"></script>',
    '<img alt="" src="//cdn.example/a.png">',
    '<link href="x" rel="stylesheet" href="http://fonts.example/a.css">',
    "<style>@import url(https://fonts.example/a.css);</style>",
    "<style>a { background: url('http://example/a.png') }</style>",
]


@pytest.mark.parametrize("text", LOADING)
def test_a_page_that_loads_from_elsewhere_is_found(text: str, tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(text)
    assert len(loaded(tmp_path)) == 1

    class App:
        outdir = tmp_path
        builder = type("Builder", (), {"format": "html"})

    with pytest.raises(RuntimeError, match=r"a\.html"):
        check(App, None)


def test_links_load_nothing(tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(
        '<a href="https://example/">x</a> <img src="a.png"> <link rel="index" href="i.html">'
    )
    assert loaded(tmp_path) == []
