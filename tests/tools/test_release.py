"""What the publishing workflow refuses."""

import json
import shutil
from pathlib import Path

import pytest
from release import ROOT, problems

ADDRESS = "https://github.com/someone/kaitai-gguf"
FILES = ["src/kaitai_gguf/version.py", "pyproject.toml", "javascript/package.json", "CHANGELOG.md"]


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """Return a folder with the files that a release needs, filled in."""
    for name in FILES:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
        text = (tmp_path / name).read_text("utf-8").replace("https://repository.invalid/kaitai-gguf", ADDRESS)
        (tmp_path / name).write_text(text, "utf-8")
    (tmp_path / "src/kaitai_gguf/version.py").write_text('__version__ = "9.8.7"\n')
    (tmp_path / "CHANGELOG.md").write_text("## [9.8.7] - 2026-12-01\n")
    package = json.loads((tmp_path / "javascript/package.json").read_text())
    (tmp_path / "javascript/package.json").write_text(json.dumps(package | {"version": "9.8.7"}))
    return tmp_path


def test_a_tree_that_is_filled_in_can_be_published(tree: Path) -> None:
    assert problems("v9.8.7", ADDRESS, tree) == []


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (("v9.8.8", ADDRESS), ["the tag is v9.8.8"]),
        (("v9.8.7", "https://github.com/other"), ["pyproject.toml has", "package.json has"]),
    ],
)
def test_another_tag_or_repository_is_refused(tree: Path, arguments: tuple[str, str], expected: list[str]) -> None:
    found = problems(*arguments, tree)
    assert len(found) == len(expected)
    assert all(part in sentence for part, sentence in zip(expected, found, strict=True))


@pytest.mark.parametrize(
    ("file", "old", "new", "expected"),
    [
        ("javascript/package.json", "9.8.7", "9.8.6", "package.json has version 9.8.6"),
        ("CHANGELOG.md", "9.8.7", "Unreleased", "no section [9.8.7]"),
        ("CHANGELOG.md", " - 2026-12-01", "", "no section [9.8.7] with a date"),
    ],
)
def test_files_of_another_version_are_refused(tree: Path, file: str, old: str, new: str, expected: str) -> None:
    text = (tree / file).read_text()
    assert old in text
    (tree / file).write_text(text.replace(old, new))
    (found,) = problems("v9.8.7", ADDRESS, tree)
    assert expected in found
