"""README.md: its programs do what their comments say, and it fits on two screens."""

import re
import shlex
import shutil
from pathlib import Path

import pytest
from support.commands import SERVERS, output

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "README.md").read_text("utf-8")
READING, WRITING = re.findall(r"^```python\n(.*?)^```$", PAGE, re.DOTALL | re.MULTILINE)


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    monkeypatch.chdir(tmp_path)


def test_reading_gives_what_the_comments_say() -> None:
    names: dict[str, object] = {}
    exec("import kaitai_gguf\nmodel = kaitai_gguf.open('examples/sample.gguf')", names)
    values = re.findall(r"^    (\S[^#\n]*?) +# ([\d', a-z]+)$", READING, re.MULTILINE)
    assert len(values) >= 3
    assert [repr(eval(code, names)).strip("()") for code, _ in values] == [shown for _, shown in values]


def test_both_programs_run(tmp_path: Path) -> None:
    names: dict[str, object] = {}
    exec(READING, names)
    exec(WRITING, names)
    assert (tmp_path / "new.gguf").stat().st_size > 100_000


def test_the_commands_work() -> None:
    shutil.copy("examples/sample.gguf", "model.gguf")
    lines = re.findall(r"^kaitai-gguf (.*)$", PAGE, re.MULTILINE)
    assert len(lines) > 5
    for line in lines:
        command, *words = shlex.split(line)
        assert command in SERVERS or output(command, *words)


def test_it_fits_on_two_screens() -> None:
    assert len(PAGE.splitlines()) <= 110
