"""docs/languages.md: its commands, run in an empty folder, build and run the programs in examples/languages.

Four languages need only the tools that the other tests here need. The others run if KAITAI_RUNTIMES names a folder
with the official runtimes (`kaitai_struct_ruby_runtime` and so on), which are used instead of `git clone`.
"""

import os
import re
import subprocess
from pathlib import Path

import numpy as np
import pytest
from support.gguf_bytes import Model
from support.pages import blocks, text_of
from support.tools import require
from toolchains import ENVIRONMENT, GENERATED, ROOT, Language

import kaitai_gguf

PAGE = text_of("languages.md")
BLOCKS = blocks(ROOT / "docs" / "languages.md")
RUNTIMES = Path(os.environ.get("KAITAI_RUNTIMES", "/nowhere"))
SAMPLE = '"$CHECKOUT/examples/sample.gguf"'
MODELS = [ROOT / "tests" / "data" / "models" / f"{name}.gguf" for name in ("v1", "tiny-be", "nested-arrays")]


SECTIONS: dict[str, list[str]] = {}  # the commands and the program of each language
for block in BLOCKS:
    (*_, title) = re.findall(r"^##+ (.*)$", "\n".join(PAGE.splitlines()[: block.line]), re.MULTILINE)
    SECTIONS.setdefault(title, []).append(block.code)
SECTIONS = {title: code for title, code in SECTIONS.items() if SAMPLE in code[0]}
TESTED = {"python": "Python", "javascript": "JavaScript", "go": "Go", "java": "Java"}
LITTLE_ENDIAN = ("Nim", "Rust")
pytestmark = pytest.mark.xdist_group("conformance")


def shell(code: str, folder: Path) -> str:
    """Return what the commands print."""
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", code], cwd=folder, env=ENVIRONMENT | {"CHECKOUT": str(ROOT)},
        capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def expected(path: Path) -> str:
    with kaitai_gguf.open(path.read_bytes()) as model:
        if not model.tensors:
            return "no tensors\n"
        tensor = next(iter(model.tensors.values()))
        data = tensor.data.tobytes()
        return f"{tensor.name} {tensor.type_name} {list(tensor.shape)} {tensor.nbytes} {data[:8].hex()}\n"


def check(name: str, folder: Path) -> None:
    commands = re.sub(r"^git clone .*/", f"ln -s {RUNTIMES}/", SECTIONS[name][0], flags=re.MULTILINE)
    assert shell(commands, folder).endswith(expected(ROOT / "examples" / "sample.gguf"))
    exports = "".join(re.findall(r"^export .*\n", commands, re.MULTILINE))
    empty = folder / "empty.gguf"
    empty.write_bytes(Model([("general.architecture", "string", "llama")]).build())
    aligned = folder / "aligned.gguf"
    metadata = {"general.architecture": "llama", "general.alignment": 256, "general.name": "aligned"}
    kaitai_gguf.write(aligned, metadata, {"t": np.ones((2, 4), np.float32)})
    for path in (*MODELS, empty, aligned):
        run = commands.splitlines()[-1].replace(SAMPLE, f'"{path}"')
        if name in LITTLE_ENDIAN and path.stem == "tiny-be":
            with pytest.raises(AssertionError, match=r"NotAnyOf|value out of range"):
                shell(exports + run, folder)
            continue
        assert shell(exports + run, folder) == expected(path)


def test_a_language(language: Language, tmp_path: Path) -> None:
    check(TESTED[language.name], tmp_path)


@pytest.mark.skipif(not RUNTIMES.is_dir(), reason="needs KAITAI_RUNTIMES")
@pytest.mark.parametrize("name", sorted(SECTIONS.keys() - TESTED.values()))
def test_a_language_with_a_runtime_from_elsewhere(name: str, tmp_path: Path) -> None:
    check(name, tmp_path)


def test_the_page_shows_each_program_and_its_output() -> None:
    programs = sorted((ROOT / "examples" / "languages").glob("*irst*ensor.*"))
    assert len(programs) == len(SECTIONS) == 12
    assert sorted(path.read_text("utf-8") for path in programs) == sorted(program for _, program in SECTIONS.values())
    assert f"```text\n{expected(ROOT / 'examples' / 'sample.gguf')}```" in PAGE


def test_the_official_compiler(tmp_path: Path) -> None:
    """The commands on the page generate the same parser as the one in generated/."""
    require("java", "mvn")
    (commands,) = (block.code for block in BLOCKS if "io.kaitai.struct.JavaMain" in block.code)
    shell(commands, tmp_path)
    parser = (tmp_path / "out" / "gguf" / "gguf.go").read_text()
    assert parser == (GENERATED / "go" / "gguf" / "gguf.go").read_text()
