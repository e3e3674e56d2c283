"""Names of hidden files."""

import os
from pathlib import Path

import pytest

from kaitai_gguf.sources.sidecar_names import beside, first_of_set


@pytest.mark.parametrize("name", ["m" * 255, "é" * 127, "m" * 232, "m" * 233, "m" * 234, "\udcff" * 255, "m.gguf"])
def test_any_file_can_have_hidden_files(tmp_path: Path, name: str) -> None:
    path = beside(tmp_path / name, "journal")
    path.write_bytes(b"")
    assert len(os.fsencode(path.name)) <= 255
    assert len(os.fsencode(name)) > 232 or path.name == f".{name}.kaitai-gguf-journal"


def test_long_names_are_told_apart() -> None:
    assert len({beside(Path("m" * 240 + str(number)), "lock") for number in range(100)}) == 100


@pytest.mark.parametrize(
    ("name", "first"),
    [("a-00002-of-00003.gguf", "a-00001-of-00003.gguf"), ("a.gguf", None), ("a-2-of-3.gguf", None)],
)
def test_the_first_shard(name: str, first: str | None) -> None:
    assert first_of_set(Path("folder", name)) == (Path("folder", first) if first else None)
