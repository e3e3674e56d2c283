"""Shared by the tests of the commands that write whole files: models, and a check of failures."""

from pathlib import Path

from support.commands import raw_characters, run

from cli.conftest import ROOT

MODELS = ROOT / "tests" / "data" / "models"
SOURCE = MODELS / "split-source.gguf"
SPLIT = sorted(MODELS.glob("split5-*.gguf"))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def fails(message: str, *arguments: object) -> None:
    result = run(str(arguments[0]), *arguments[1:])
    assert (result.exit_code, result.stdout) == (2, "")
    assert message in result.stderr, result.stderr
    assert not raw_characters(result.stderr)
