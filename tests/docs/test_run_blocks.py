"""The functions that run the documentation fail if a page shows something other than what happens."""

import pytest
from docs.run_blocks import run
from support.pages import ROOT, Block


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
        run(Block(ROOT / "page.md", 1, language, code, ""), {})
