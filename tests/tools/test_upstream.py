"""`make upstream`: what is sent to other projects compiles, and its test passes."""

import importlib
import re
from pathlib import Path
from typing import Any

import pytest
import upstream
import yaml
from formats import compile_officially


@pytest.fixture(scope="module")
def out(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("upstream")
    upstream.main(folder)
    return folder


def test_the_test_passes(out: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Compile it as kaitai_struct_tests does, with the format library as import path, and evaluate its asserts."""
    tests, formats = out / "kaitai_struct_tests", out / "kaitai_struct_formats"
    (spec,) = [yaml.safe_load(path.read_text("utf-8")) for path in (tests / "spec" / "ks").iterdir()]
    compile_officially(
        [tests / "formats" / f"{spec['id']}.ksy"],
        tmp_path / "testformats",
        *("--import-path", str(formats), "--python-package", "testformats"),
    )
    monkeypatch.syspath_prepend(tmp_path)
    module: Any = importlib.import_module(f"testformats.{spec['id']}")
    parsed = module.GgufByteOrders.from_file(str(tests / "src" / spec["data"]))
    gguf = importlib.import_module("testformats.gguf").Gguf
    names = {"gguf": gguf, "true": True, "false": False, "little": parsed.little, "big": parsed.big}
    names["value_type"], names["ggml_type"] = gguf.ValueType, gguf.GgmlType
    assert len(spec["asserts"]) == 30
    for check in spec["asserts"]:
        assert evaluated(check["actual"], names) == evaluated(check["expected"], names), check["actual"]


def evaluated(expression: Any, names: dict[str, Any]) -> Any:
    """Evaluate an expression of Kaitai Struct in Python."""
    if not isinstance(expression, str):
        return expression
    without_casts = re.sub(r"\.as<[\w:]*>", "", expression)
    python = re.sub(r"\bgguf::(\w+)::(\w+)", r"\1.\2", without_casts)
    python = re.sub(r"^(.*)\.size$", r"len(\1)", python)
    return eval(python, {}, names)


def test_texts_are_whole_and_need_no_page(out: Path) -> None:
    texts = [(out / f"{name}.md").read_text("utf-8") for name in ("kaitai_struct_formats", "kaitai_struct")]
    assert [text.splitlines()[0][:20] for text in texts] == ["**Add GGUF (`ml/gguf", "**A skipping index, "]
    assert "| pull request #698 | here |" in texts[0]
    for text in texts:
        assert not re.search(r"\]\((?!https:)", text)
        for paragraph in text.split("\n\n"):
            assert paragraph.startswith(("- ", "|")) or "\n" not in paragraph.strip()


def test_the_project_of_oss_fuzz_has_the_address(out: Path) -> None:
    folder = out / "oss-fuzz" / "projects" / "kaitai-gguf"
    project = yaml.safe_load((folder / "project.yaml").read_text("utf-8"))
    assert f"git clone --depth 1 {project['main_repo']} " in (folder / "Dockerfile").read_text("utf-8")
    assert (folder / "build.sh").stat().st_mode & 0o100
