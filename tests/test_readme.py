"""What the README shows works when it is pasted."""

import re
import shutil
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
README = (ROOT / "README.md").read_text()
EXAMPLES = re.findall(r"```python\n(.*?)```", README, re.DOTALL)


def test_the_python_example_gives_what_its_comments_say(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    example, _ = EXAMPLES
    exec(example, {})
    scope: dict[str, object] = {}
    exec("import kaitai_gguf\nmodel = kaitai_gguf.open('examples/sample.gguf')", scope)
    values = re.findall(r"^    (\S[^#\n]*?) +# ([\d', a-z]+)$", example, re.MULTILINE)
    assert len(values) >= 3
    assert [repr(eval(code, scope)).strip("()") for code, _ in values] == [shown for _, shown in values]


def test_the_example_of_writing_works(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    exec("import kaitai_gguf\n" + EXAMPLES[1], {})
    assert (tmp_path / "new.gguf").stat().st_size > 100_000


def test_commands_named_are_commands() -> None:
    from kaitai_gguf.cli import COMMANDS

    named = set(re.findall(r"^kaitai-gguf ([\w-]+)", README, re.MULTILINE))
    assert len(named) > 5
    assert named <= set(COMMANDS)


def test_targets_named_are_targets() -> None:
    makefile = (ROOT / "Makefile").read_text()
    targets = re.findall(r"`make ([a-z-]+)", README)
    assert targets
    for target in targets:
        assert re.search(rf"^{target}:.*## ", makefile, re.MULTILINE), target


def test_files_named_are_there() -> None:
    names = re.findall(r"`((?:tests|examples|docs|schema)/[\w./*]+)`", README)
    assert names
    for name in names:
        assert list(ROOT.glob(name.rstrip("/"))), name


def test_it_fits_on_two_screens() -> None:
    assert len(README.splitlines()) <= 110
