"""docs/languages.md: its commands, run in an empty folder, build and run the programs in examples/languages.

Four languages need only the tools that the other tests here need. The others run if KAITAI_RUNTIMES names a folder
with the official runtimes (`kaitai_struct_ruby_runtime` and so on), which are used instead of `git clone`.
"""

import os
import re
import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest
from support.gguf_bytes import Model
from support.pages import blocks
from toolchains import ENVIRONMENT, GENERATED, ROOT, Language

import kaitai_gguf

PAGE = ROOT / "docs" / "languages.md"
RUNTIMES = Path(os.environ.get("KAITAI_RUNTIMES", "/nowhere"))
SAMPLE = '"$CHECKOUT/examples/sample.gguf"'
MODELS = [ROOT / "tests" / "data" / "models" / f"{name}.gguf" for name in ("v1", "tiny-be", "nested-arrays")]


@dataclass(frozen=True)
class Section:
    """The section about one language: the commands, and the program that they run."""

    commands: str
    program: str

    @property
    def run(self) -> str:
        """Return the last command, which runs the program."""
        return self.commands.splitlines()[-1]


def sections() -> dict[str, Section]:
    titles = [(match.start(), match[1]) for match in re.finditer(r"^##+ (.*)$", PAGE.read_text("utf-8"), re.MULTILINE)]
    starts = [(PAGE.read_text("utf-8").count("\n", 0, start) + 1, title) for start, title in titles]
    code: dict[str, list[str]] = {}
    for block in blocks(PAGE):
        title = [title for line, title in starts if line < block.line][-1]
        code.setdefault(title, []).append(block.code)
    return {title: Section(*parts) for title, parts in code.items() if SAMPLE in parts[0]}


SECTIONS = sections()
TESTED = {"python": "Python", "javascript": "JavaScript", "go": "Go", "java": "Java"}
OTHERS = sorted(SECTIONS.keys() - TESTED.values())


def shell(code: str, folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code],
        cwd=folder,
        env=ENVIRONMENT | {"CHECKOUT": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def expected(path: Path) -> str:
    with kaitai_gguf.open(path.read_bytes()) as model:
        if not model.tensors:
            return "no tensors\n"
        tensor = next(iter(model.tensors.values()))
        data = tensor.data.tobytes()
        return f"{tensor.name} {tensor.type_name} {list(tensor.shape)} {tensor.nbytes} {data[:8].hex()}\n"


def check(name: str, folder: Path) -> None:
    section = SECTIONS[name]
    commands = re.sub(r"^git clone .*/", f"ln -s {RUNTIMES}/", section.commands, flags=re.MULTILINE)
    done = shell(commands, folder)
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(expected(ROOT / "examples" / "sample.gguf"))
    exports = "".join(re.findall(r"^export .*\n", commands, re.MULTILINE))
    empty = folder / "empty.gguf"
    empty.write_bytes(Model([("general.architecture", "string", "llama")]).build())
    for path in (*MODELS, empty):
        done = shell(exports + section.run.replace(SAMPLE, f'"{path}"'), folder)
        assert (done.stdout, done.returncode) == (expected(path), 0), done.stderr


def test_a_language(language: Language, tmp_path: Path) -> None:
    check(TESTED[language.name], tmp_path)


if RUNTIMES.is_dir():

    @pytest.mark.parametrize("name", OTHERS)
    def test_a_language_with_a_runtime_from_elsewhere(name: str, tmp_path: Path) -> None:
        check(name, tmp_path)


def test_the_page_shows_each_program() -> None:
    programs = sorted((ROOT / "examples" / "languages").glob("*irst*ensor.*"))
    assert len(programs) == len(SECTIONS) == 10
    assert sorted(path.read_text("utf-8") for path in programs) == sorted(each.program for each in SECTIONS.values())


def test_the_page_shows_what_is_printed() -> None:
    assert f"```text\n{expected(ROOT / 'examples' / 'sample.gguf')}```" in PAGE.read_text("utf-8")


def test_the_official_compiler(tmp_path: Path) -> None:
    """The commands on the page generate the same parser as the one in generated/."""
    if os.environ.get("CI") != "true" and not (shutil.which("java") and shutil.which("mvn")):
        pytest.skip("java and mvn are not installed")
    (commands,) = (block.code for block in blocks(PAGE) if "io.kaitai.struct.JavaMain" in block.code)
    done = shell(commands, tmp_path)
    assert done.returncode == 0, done.stderr
    parser = (tmp_path / "out" / "gguf" / "gguf.go").read_text()
    assert parser == (GENERATED / "go" / "gguf" / "gguf.go").read_text()
