"""The functions that run the documentation fail if a page shows something other than what happens."""

from pathlib import Path

import pytest
from docs.run_blocks import Session
from support.pages import ROOT, Block, blocks


def run(language: str, code: str) -> None:
    Session().run(Block(ROOT / "page.md", 1, language, code, ""))


def test_what_is_true_passes() -> None:
    run("python", "1 + 1  # 2\nprint('a', 3)  # a …\nlen([1])  # how many there are\n")
    run("console", "$ echo 'a   b'; echo c\na b\n$ false  # exits with 1\n")
    run("sh", "kaitai-gguf --version\npip install '.[remote]'\nmake test\nkaitai-gguf view no.gguf --port 1\n")


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "1 + 1  # 3\n"),
        ("python", "for _ in [1]:\n    print('a', 3)  # a 4\n"),
        ("console", "$ echo a; echo b\nb\na\n"),
        ("console", "output\n$ true\n"),
        ("sh", "true  # exits with 1\n"),
        ("sh", "kaitai-gguf info no.gguf\n"),
        ("sh", "pip install 'kaitai-gguf[remote]'\n"),
        ("sh", "pip install '.[nothing]'\n"),
        ("sh", "make nothing\n"),
        ("sh", "kaitai-gguf view no.gguf --nothing\n"),
        ("sh", "kaitai-gguf info https://models.example/a.gguf --nothing\n"),
    ],
)
def test_what_is_not_true_fails(language: str, code: str) -> None:
    with pytest.raises(AssertionError):
        run(language, code)


def test_blocks_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "<!-- c: run by tests/a.py -->\n\n# Page\n\n```c\nint a;\n```\n\n"
        "<!-- needs torch -->\n```python\nimport torch\n```\n\n"
        "```\nkaitai-gguf info\n```\n\n```\n$ a\n```\n\n```{toctree}\n```\n\n```\nwhat\n```\n"
    )
    assert [(block.line, block.language, block.mark, block.is_run_here) for block in blocks(page)] == [
        (6, "c", "run by tests/a.py", False),
        (11, "python", "needs torch", True),
        (15, "sh", "", True),
        (19, "console", "", True),
        (26, "", "", False),
    ]
