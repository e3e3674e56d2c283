"""generate.py: writing generated/, and checking that it is up to date."""

import shutil
import sys
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import generate
import pytest
import yaml
from compiler import ToolMissing
from skip import Unsupported, compile_c_index, compile_index

Run = Callable[..., tuple[int, str]]
compile_package = cache(generate.compile_package)
FILES = {"index.py": "a = 1\nb = 2\n", "go/gguf.go": "package gguf\n", "types.json": "[]\n"}


def write(directory: Path, files: dict[str, str]) -> Path:
    for name, text in files.items():
        path = directory / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return directory


@pytest.fixture
def wanted(tmp_path: Path) -> Path:
    return write(tmp_path / "wanted", FILES)


@pytest.fixture
def committed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, wanted: Path) -> Path:
    """Write a generated/ that is up to date, and replace the compiler by one that returns `wanted`."""
    monkeypatch.setattr(generate, "compile_package", compile_package)
    monkeypatch.setattr(generate, "generate", lambda out: shutil.copytree(wanted, out, dirs_exist_ok=True))
    monkeypatch.setattr(generate, "GENERATED", tmp_path / "generated")
    monkeypatch.setattr(generate, "PACKAGE", write(tmp_path / "javascript", compile_package()))
    monkeypatch.delenv("CI", raising=False)
    return write(tmp_path / "generated", FILES)


@pytest.fixture
def run(committed: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Run generate.py; return its exit code and output."""

    def call(*arguments: str) -> tuple[int, str]:
        monkeypatch.setattr(sys, "argv", ["generate.py", *arguments])
        code = generate.main()
        said = capsys.readouterr()
        return code, said.out + said.err

    return call


def contents(directory: Path) -> dict[str, str]:
    return {str(path.relative_to(directory)): path.read_text() for path in directory.rglob("*") if path.is_file()}


# differences()


def test_the_same_files_do_not_differ(wanted: Path, tmp_path: Path) -> None:
    assert generate.differences(wanted, write(tmp_path / "found", FILES)) == []


@pytest.mark.parametrize(
    ("change", "names"),
    [
        ({"index.py": "a = 1\nb = 3\n"}, ["index.py"]),
        ({"go/gguf.go": "package gguf"}, ["go/gguf.go"]),
        ({"rust/gguf.rs": ""}, ["rust/gguf.rs"]),
        ({"types.json": "", "index.py": ""}, ["index.py", "types.json"]),
    ],
)
def test_files_that_differ(wanted: Path, tmp_path: Path, change: dict[str, str], names: list[str]) -> None:
    found = write(tmp_path / "found", FILES | change)
    assert generate.differences(wanted, found) == names
    assert generate.differences(found, wanted) == names


def test_a_file_that_is_missing(wanted: Path, tmp_path: Path) -> None:
    found = write(tmp_path / "found", FILES)
    (found / "go" / "gguf.go").unlink()
    assert generate.differences(wanted, found) == ["go/gguf.go"]


def test_a_directory_that_is_missing(wanted: Path, tmp_path: Path) -> None:
    assert generate.differences(wanted, tmp_path / "nowhere") == sorted(FILES)


def test_what_python_keeps_of_its_own_does_not_count(wanted: Path, tmp_path: Path) -> None:
    found = write(tmp_path / "found", FILES | {"__pycache__/index.cpython-311.pyc": "", "go/__pycache__/x.pyc": ""})
    assert generate.differences(wanted, found) == []


# generate.py --check


def test_check_shows_what_changed_in_the_npm_package(run: Run) -> None:
    path = generate.PACKAGE / "types.js"
    path.write_text(path.read_text().replace('"GGUF"', '"GGML"'))
    code, output = run("--check")
    assert code == 1
    assert "javascript/types.js is not up to date with the schema" in output
    assert '+export const MAGIC = "GGUF";' in output
    assert "gguf_index.js" not in output


def test_without_check_the_npm_package_is_written_anew(run: Run) -> None:
    (generate.PACKAGE / "gguf_index.js").unlink()
    (generate.PACKAGE / "index.js").write_text("by hand")
    assert run() == (0, "")
    assert (generate.PACKAGE / "gguf_index.js").read_text() == compile_package()["gguf_index.js"]
    assert (generate.PACKAGE / "index.js").read_text() == "by hand"


def test_check_is_content_with_what_is_up_to_date(run: Run) -> None:
    code, output = run("--check")
    assert code == 0
    assert "is up to date with the schema" in output


def test_check_shows_what_changed_and_writes_nothing(committed: Path, run: Run) -> None:
    (committed / "index.py").write_text("a = 1\nb = 7\n")
    before = contents(committed)
    code, output = run("--check")
    assert code == 1
    assert "generated/index.py is not up to date with the schema" in output
    assert "-b = 7" in output
    assert "+b = 2" in output
    assert "make generate" in output
    assert "go/gguf.go" not in output
    assert contents(committed) == before


def test_check_shows_a_file_that_is_missing_and_one_too_many(committed: Path, run: Run) -> None:
    (committed / "types.json").unlink()
    write(committed, {"old.lua": "return nil\n"})
    code, output = run("--check")
    assert code == 1
    assert "generated/types.json is not" in output
    assert "generated/old.lua is not" in output
    assert "+[]" in output
    assert "-return nil" in output


def test_without_check_everything_is_written_anew(committed: Path, run: Run) -> None:
    write(committed, {"index.py": "stale", "old.lua": "stale"})
    assert run() == (0, "")
    assert contents(committed) == FILES


def test_files_that_are_right_are_not_touched(committed: Path, run: Run) -> None:
    write(committed, {"index.py": "stale"})
    before = {name: (committed / name).stat().st_mtime_ns for name in FILES}
    assert run() == (0, "")
    assert [name for name in FILES if (committed / name).stat().st_mtime_ns != before[name]] == ["index.py"]


def test_a_first_time(committed: Path, run: Run) -> None:
    shutil.rmtree(committed)
    assert [run("--check")[0], run()[0], run("--check")[0]] == [1, 0, 0]


# Failures


@pytest.fixture(params=[None, "true"], ids=["here", "in CI"])
def in_ci(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch, committed: Path) -> bool:
    if request.param:
        monkeypatch.setenv("CI", request.param)
    return bool(request.param)


@pytest.mark.parametrize("arguments", [[], ["--check"]])
def test_a_tool_that_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch, committed: Path, in_ci: bool, arguments: list[str]
) -> None:
    def no_java(out: Path) -> None:
        write(out, {"half": "done"})
        raise ToolMissing("java")

    monkeypatch.setattr(generate, "generate", no_java)
    code, output = run(*arguments)
    may_be_missing = arguments == ["--check"] and not in_ci
    assert code == (0 if may_be_missing else 1)
    assert ("skipped: java" if may_be_missing else "error: java") in output
    assert contents(committed) == FILES


def test_a_construct_that_is_not_folded(run: Run, monkeypatch: pytest.MonkeyPatch, committed: Path) -> None:
    def refuse(out: Path) -> None:
        raise Unsupported("/types/t/seq/x: repeat: eos")

    monkeypatch.setattr(generate, "generate", refuse)
    code, output = run("--check")
    assert code == 1
    assert "gguf.ksy" in output
    assert "/types/t/seq/x: repeat: eos" in output
    assert contents(committed) == FILES


# Classes that write


def test_classes_that_write_do_without_instances_that_read(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    compiled: list[dict[str, Any]] = []
    monkeypatch.setattr(
        generate, "compile_schema", lambda schemas, *_: compiled.append(yaml.safe_load(schemas[0].read_text()))
    )
    generate.compile_writable(generate.GGUF, tmp_path)
    whole = yaml.safe_load(generate.GGUF.read_text())
    body = compiled[0]["types"]["gguf_body"]
    assert set(whole["types"]["gguf_body"]["instances"]) - set(body["instances"]) == set(
        generate.NOT_WRITTEN["gguf_body"]
    )
    assert not [name for name, instance in body["instances"].items() if "value" not in instance]
    whole["types"]["gguf_body"]["instances"] = body["instances"]
    assert compiled == [whole]


# Committed files that can be generated without the official compiler


def test_the_index_of_this_repository_is_up_to_date() -> None:
    made = compile_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)
    assert made == (generate.GENERATED / "python" / "kaitai_gguf_schema" / "index.py").read_text()


def test_the_c_index_of_this_repository_is_up_to_date() -> None:
    made = compile_c_index(yaml.safe_load(generate.GGUF.read_text()), generate.INDEX)
    assert made == (generate.GENERATED / "c" / "gguf_index.h").read_text()


def test_the_types_of_this_repository_are_up_to_date() -> None:
    types, listed = generate.compile_types, generate.compile_type_list
    package = generate.GENERATED / "python" / "kaitai_gguf_schema"
    assert types(generate.GGUF, generate.GGML_BLOCK) == (package / "types.py").read_text()
    assert listed(generate.GGUF, generate.GGML_BLOCK) == (generate.GENERATED / "types.json").read_text()


def test_the_npm_package_has_what_is_made_of_the_schema() -> None:
    for name, text in compile_package().items():
        assert (generate.PACKAGE / name).read_text() == text
