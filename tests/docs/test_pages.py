"""README.md, docs/ and `--help`: every block of code and every command works, and what pages name or show exists."""

import importlib.util
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import kaitai_gguf_schema
import numpy as np
import pytest
from docs.run_blocks import TARGETS, check_arguments, perform, run
from fsspec.implementations.memory import MemoryFileSystem
from support import commands
from support.fault_server import FaultServer
from support.pages import PAGES, ROOT, Block, blocks, code_of, prose, text_of
from support.remote_models import far
from support.tools import c_compiler

import kaitai_gguf
from kaitai_gguf import catalog, gguf_py
from kaitai_gguf.cli import COMMANDS, main
from kaitai_gguf.sources import http, ranges, remote
from kaitai_gguf.tensor_names import KINDS, PARTS

SAMPLE = ROOT / "examples" / "sample.gguf"
BLOCKS = {page: blocks(page) for page in PAGES}
ALL = [block for found in BLOCKS.values() for block in found]
RUN = [page for page, found in BLOCKS.items() if any(block.is_run_here for block in found)]
PICTURES = runpy.run_path(str(ROOT / "docs" / "images" / "pictures.py"))
MOST_NOT_RUN = 3  # raise this only for blocks that no test can run
TO_BE_ADDED = {"tests/data/golden/Q3_0.npz"}  # the page tells the reader to create it

TOUR = re.findall(r"^\| `kaitai-gguf (.*?)` \|", text_of("tour.md"), re.MULTILINE)
GIVEN = [
    "kaitai-gguf split model.gguf --max-tensors 5 --output model",
    "kaitai-gguf hash model.gguf --output model.json",
    "kaitai-gguf metadata model.gguf tokenizer.chat_template --output chat.jinja",
]

SAME = {"converting.md": ["merged.gguf", "big.gguf", "copy.gguf"]}
"""The files of a page that end as the model they were made from."""


def label(page: Path) -> str:
    return str(page.relative_to(ROOT))


@pytest.fixture
def given(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Change to a folder with equal models: model.gguf, other.gguf, and sample.gguf in the folder `models`."""
    folder = tmp_path / "given"
    (folder / "models").mkdir(parents=True)
    for name in ("model.gguf", "other.gguf", "models/sample.gguf"):
        shutil.copy(SAMPLE, folder / name)
    monkeypatch.chdir(folder)
    return folder


@pytest.mark.parametrize("page", RUN, ids=label)
def test_code_runs(page: Path, given: Path) -> None:
    """Run the blocks in order, in a folder with a few models, the examples and the generated code."""
    (given / "parts").mkdir()
    shutil.copytree(ROOT / "examples", "examples")
    (given / "generated").symlink_to(ROOT / "generated")
    (given / "template.jinja").write_text("{{ messages[0] }}")
    if page.name == "c-index.md":
        c_compiler()
    names: dict[str, Any] = {}
    missing = set()
    for block in BLOCKS[page]:
        needed = block.mark.removeprefix("needs ").split() if block.mark.startswith("needs ") else []
        absent = {name for name in needed if importlib.util.find_spec(name) is None}
        missing |= absent
        if block.is_run_here and not absent:
            run(block, names)
    for name in SAME.get(page.name, []):
        assert (given / name).read_bytes() == SAMPLE.read_bytes(), name
    assert missing <= {"jax", "torch"}, "`make .venv/.installed-dev` installs these packages"


def test_every_block_is_accounted_for() -> None:
    kinds = Counter(block.mark.split()[0] if block.mark else block.language for block in ALL)
    assert kinds["python"] > 20
    assert kinds["sh"] > 10
    assert 0 < kinds["not"] <= MOST_NOT_RUN
    unknown = [block.place for block in ALL if not block.is_run_here and not block.mark and block.language != "text"]
    assert unknown == [], "set the language of the block, or name the test that runs it in a comment above"
    for mark in {block.mark for block in ALL if block.mark}:
        match mark.split():
            case ["run", "by", name]:
                assert (ROOT / name).is_file(), mark
            case [*words]:
                assert words[:2] == ["not", "run:"] or words[0] == "needs", mark


def test_output_has_no_commands() -> None:
    shown = {block.place: block.code for block in ALL if block.language == "text"}
    assert shown
    command = re.compile(r"^(\$|kaitai-gguf|pip|python) ", re.MULTILINE)
    assert [place for place, code in shown.items() if command.search(code)] == []
    indented = [page.name for page in PAGES if re.search(r"\n\n    (kaitai-gguf|pip|python|make) ", prose(page))]
    assert indented == ["rules.md"]  # tests/rules/test_fixes.py runs these


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_links_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)\s]+)\)", prose(page)):
        path, _, anchor = target.partition("#")
        if re.match(r"https?:|mailto:", path):
            continue
        file = (page.parent / path).resolve() if path else page
        assert file.exists(), target
        if anchor and file.suffix == ".md" and "commands.md" not in path:
            assert anchor in anchors(file), target


def anchors(page: Path) -> set[str]:
    """Return the anchors of the headings, formed as in GitHub and MyST."""
    headings = re.findall(r"^#+ (.*)$", prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading).strip().lower().replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("page", PAGES, ids=label)
def test_what_the_text_names_exists(page: Path) -> None:
    """Checks files, commands with their options, make targets, and names in the package."""
    words = re.sub(r"\s+", " ", prose(page))
    code = re.findall(r"`([^`]+)`", words)
    for each in code:
        if re.fullmatch(r"(tests|examples|docs|schema|benchmarks|generated|src)/[\w./*-]+", each):
            assert each in TO_BE_ADDED or list(ROOT.glob(each.rstrip("/"))), each
        elif match := re.match(r"kaitai-gguf ([a-z-]+)", each):
            assert match[1] in COMMANDS, each
            check_arguments([word.strip("[]…,") for word in each.split()], each)
        elif match := re.match(r"make ([a-z-]+)", each):
            assert match[1] in TARGETS, each
        elif match := re.match(r"kaitai_gguf\.(\w+)\(", each):
            assert match[1] in kaitai_gguf.__all__, each


def test_the_reference_has_every_public_name() -> None:
    documented = set()
    for page in [*(ROOT / "docs" / "api").glob("*.md"), ROOT / "docs" / "exceptions.md"]:
        module = ""
        for directive, name in re.findall(r"^\.\. ([\w:]+):: (\w[\w.]*)$", page.read_text(), re.MULTILINE):
            if directive == "currentmodule":
                module = name
            else:
                documented.add(f"{module}.{name}")
    public = {f"{module.__name__}.{name}" for module in (kaitai_gguf, catalog, gguf_py) for name in module.__all__}
    enums = {f"{gguf_py.__name__}.{name}" for name in ("GGMLQuantizationType", "GGUFEndian", "GGUFValueType")}
    assert public - documented == enums  # gguf-py defines these
    assert documented <= public


@pytest.mark.parametrize("name", PICTURES["PICTURES"])
def test_the_committed_picture_shows_what_the_command_prints(name: str) -> None:
    pictures = (ROOT / "docs" / "images" / name).read_text("utf-8"), PICTURES["drawn"](PICTURES["PICTURES"][name])
    committed, current = (re.findall(r"<text[^>]*>(.*?)</text>", picture) for picture in pictures)
    assert len(committed) > 10
    assert committed == current, "run `make pictures`"
    for picture in pictures:  # which load nothing
        loaded = picture.replace('xmlns="http://www.w3.org/2000/svg"', "")
        assert not re.search("http|@font-face|@import", re.sub(r"<!--.*?-->", "", loaded, flags=re.DOTALL))


def test_a_type_checker_accepts_the_examples(tmp_path: Path) -> None:
    """In strict mode, all Python blocks of a page together."""
    others = {"regenerate.md", "languages.md", "gguf-py.md", "catalog.md", "catalog-cluster.md"}  # use untyped packages
    for page, found in BLOCKS.items():
        code = "\n".join(block.code for block in found if block.language == "python")
        if code and page.name not in others:
            (tmp_path / f"{page.stem.replace('-', '_')}_page.py").write_text(code, "utf-8")
    options = ["--strict", "--allow-redefinition", "--ignore-missing-imports", "--follow-imports=silent"]
    sources = os.pathsep.join(
        str(folder)
        for package in (kaitai_gguf, kaitai_gguf_schema)
        if (folder := Path(package.__file__ or "").parents[1]).name != "site-packages"  # where mypy looks anyway
    )
    done = subprocess.run(
        [sys.executable, "-m", "mypy", *options, "--config-file=", "--no-error-summary", *sorted(tmp_path.iterdir())],
        env={**os.environ, "MYPYPATH": sources},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_tour_names_every_command() -> None:
    assert set(COMMANDS) - set(re.findall(r"`(?:kaitai-gguf )?([a-z-]+)[` ]", text_of("tour.md"))) == set()


def test_every_language_that_is_generated_is_listed_and_python_needs_nothing_else() -> None:
    names = {"cpp_stl": "C++", "csharp": "C#", "javascript": "JavaScript", "php": "PHP"}
    generated = [path.name for path in (ROOT / "generated").iterdir() if path.is_dir() and path.name != "c"]
    (table,) = re.findall(r"^\| language \| file.*?\n\n", text_of("languages.md"), re.DOTALL | re.MULTILINE)
    assert len(generated) > 8
    assert [name for name in generated if names.get(name, name.title()) not in table] == []
    modules = sorted((ROOT / "generated" / "python").rglob("*.py"))
    assert len(modules) > 8
    needs_this = re.compile(r"^\s*(from|import) kaitai_gguf\b", re.MULTILINE)
    assert [path for path in modules if needs_this.search(path.read_text())] == []


def test_lists_and_lengths() -> None:
    assert len((ROOT / "README.md").read_text("utf-8").splitlines()) <= 110
    parts_and_kinds = re.findall(r"^\| ([\w-]+) \|", text_of("tensor-names.md"), re.MULTILINE)
    assert parts_and_kinds == ["part", *PARTS, "kind", *KINDS]


def test_every_promise_names_its_tests() -> None:
    """That these exist: test_what_the_text_names_exists."""
    rows = re.findall(r"^\| (?!promise |---)(.+?) \|$", text_of("promises.md"), re.MULTILINE)
    assert len(rows) > 15
    assert [row for row in rows if not re.search(r"\| (`(tests/|make )[^`]+`(, )?)+$", row)] == []


# Blocks that are wrong


@pytest.mark.parametrize(
    ("language", "code"),
    [
        ("python", "1 + 1  # 3\n"),
        ("python", "for _ in [1]:\n    print('a', 3)  # a 4\n"),
        ("console", "$ echo a; echo b\nb\na\n"),
        ("console", "output\n$ true\n"),
        ("sh", "true  # exits with 1\n"),
        ("sh", "kaitai-gguf info no.gguf\n"),
        ("sh", "pip install 'kaitai-gguf[nothing]'\n"),
        ("sh", "pip install '.[nothing]'\n"),
        ("sh", "make nothing\n"),
        ("sh", "kaitai-gguf view no.gguf --nothing\n"),
        ("sh", "kaitai-gguf info https://models.example/a.gguf --nothing\n"),
    ],
)
def test_what_is_not_true_fails(language: str, code: str) -> None:
    with pytest.raises(AssertionError):
        run(Block(ROOT / "page.md", 1, language, code, ""), {})


# Commands of docs/tour.md, and examples in `--help`


@pytest.mark.parametrize("line", [line for line in TOUR if line.split()[0] not in commands.SERVERS])
def test_commands_of_the_tour(line: str, given: Path) -> None:
    result = commands.run(*shlex.split(line))
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_help(name: str, given: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (given / "models.txt").write_text("model.gguf\n")
    kaitai_gguf.write(given / "mmproj.gguf", {"general.architecture": "clip", "general.type": "mmproj"}, {})
    (given / "tokenizer_config.json").write_text('{"chat_template": "{{ messages }}"}')
    for command in GIVEN:
        perform(command, "given")
    lines = re.findall(r"^ *(kaitai-gguf .*)$", main.get_command(None, name).help, re.MULTILINE)  # type: ignore
    assert lines
    for number, line in enumerate(lines):
        example = line.partition(" | ")[0]
        check_arguments(example.split(), line)
        monkeypatch.chdir(shutil.copytree(given, tmp_path / str(number)))
        perform(example, "--help")


# docs/remote.md, with a local server


@pytest.mark.parametrize("code", code_of("remote.md", "python"))
def test_remote_examples(code: str, server: FaultServer) -> None:
    MemoryFileSystem().pipe_file("/bucket/model.gguf", far())
    names: dict[str, Any] = {}
    server.put(far())
    code = code.replace("https://models.example", server.url("")).replace("s3://", "memory://")
    exec(compile(code, "docs/remote.md", "exec"), names)
    assert "model" in names or tuple(names["options"]) == http.OPTIONS
    MemoryFileSystem.store.clear()


def test_numbers_of_remote_files() -> None:
    assert (http.RETRIES, http.TIMEOUT, http.BACK_OFF, http.LONGEST_WAIT, http.REDIRECTS) == (4, 30, 0.25, 60, 10)
    assert (remote.FIRST, ranges.GAP, ranges.MOST, ranges.AT_ONCE) == (1 << 20, 1 << 20, 16 << 20, 4)
    assert all(f"{status}" in text_of("remote.md") for status in http._TEMPORARY)


# docs/gguf-py.md: both columns of the table are equivalent

GGUF_PY = code_of("gguf-py.md", "python")


@pytest.fixture
def program(given: Path) -> Iterator[None]:
    """Write a program to the folder with models."""
    code = "import gguf, sys\nprint(gguf.GGUFReader(sys.argv[1]).__class__.__module__)\n"
    (given / "script.py").write_text(code)
    yield
    gguf_py.uninstall()


@pytest.mark.usefixtures("program")
def test_blocks_and_commands_about_gguf_py() -> None:
    lines = "".join(code_of("gguf-py.md", "sh")).splitlines()
    assert (len(GGUF_PY), len(lines)) == (4, 2)
    for code in GGUF_PY:
        exec(compile(code, "docs/gguf-py.md", "exec"), {})
    for command in lines:
        assert perform(command, "gguf-py.md").startswith(("kaitai_gguf.gguf_py.reader\n", "* File is LITTLE endian"))


@pytest.mark.usefixtures("program")
def test_the_rows_of_the_table() -> None:
    rows = re.findall(r"^\| `(.+?)` \| `(.+?)` \|$", text_of("gguf-py.md"), re.MULTILINE)
    left = " ".join(row[0] for row in rows)
    names = [*gguf.ReaderTensor._fields, "alignment", "data_offset", "endianess", "get_field", "get_tensor"]
    assert [name for name in names if name != "field" and f".{name}" not in left] == []
    assert len(rows) > 20
    both: dict[str, Any] = {}
    exec(next(code for code in GGUF_PY if code.startswith("import gguf")), both)
    for theirs, ours in rows:
        assert np.array_equal(np.asarray(eval(theirs, both)), np.asarray(eval(ours, both))), theirs
    both["model"].close()
