"""The commands on models in several files, complete or with missing shards."""

import shutil
from pathlib import Path

import pytest
from support.commands import output, run, strict_json

from cli.conftest import MODELS, SOURCE, SPLIT


@pytest.fixture
def lonely(tmp_path: Path) -> Path:
    """Copy one shard to a folder without the others."""
    path = tmp_path / SPLIT[1].name
    shutil.copy(SPLIT[1], path)
    return path


@pytest.mark.parametrize("path", [*SPLIT, MODELS / "split5-*.gguf"], ids=lambda path: path.stem)
def test_info_is_of_the_whole_model(path: Path) -> None:
    found, whole = (strict_json(output("info", each, "--json")) for each in (path, SOURCE))
    for fact in ("parameters", "tensors", "types", "architecture", "general", "hyperparameters"):
        assert found[fact] == whole[fact]
    assert found["file_nbytes"] == sum(shard.stat().st_size for shard in SPLIT)
    assert (found["files"], found["shard"], found["shard_count"], found["missing_nbytes"]) == (3, None, 3, 0)
    words = output("info", path)
    assert "shards\tall 3, 21.1 KiB together\n" in words
    assert "in the first shard, 12.5 KiB of tensor data in all of them\n" in words


def test_data_that_is_missing_in_a_shard(tmp_path: Path) -> None:
    for path in SPLIT:
        shutil.copy(path, tmp_path)
    with (tmp_path / SPLIT[1].name).open("r+b") as file:
        file.truncate(3000)
    found = strict_json(output("info", tmp_path / SPLIT[0].name, "--json"))
    assert found["missing_nbytes"] == 416 + 3424 - 3000


def test_tensors_say_where_they_are() -> None:
    rows = strict_json(output("tensors", SPLIT[0], "--json"))
    whole = strict_json(output("tensors", SOURCE, "--json"))
    assert [row["name"] for row in rows] == [row["name"] for row in whole]
    assert [row["shard"] for row in rows] == [1] * 5 + [2] * 5 + [3] * 2
    assert output("tensors", SPLIT[0]).splitlines()[-1] == "blk.0.ffn_down.weight\t4 × 256\tQ6_K\t840\t2048\t3"


def test_a_tensor_of_another_shard() -> None:
    mine, theirs = (output("tensor", path, "blk.0.ffn_up.weight", "--json") for path in (SPLIT[0], SOURCE))
    assert strict_json(mine)["statistics"] == strict_json(theirs)["statistics"]


def test_dump_is_of_one_file(lonely: Path) -> None:
    assert output("dump", SPLIT[1]) == output("dump", lonely)
    assert len(strict_json(output("dump", SPLIT[1]))["tensors"]) == 5


@pytest.mark.parametrize(
    "command",
    [["info"], ["metadata"], ["tensors"], ["tensor", "blk.0.attn_k.weight"], ["export", "--to", "x.safetensors"]],
    ids=lambda command: command[0],
)
def test_without_the_others(command: list[str], lonely: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(lonely.parent)
    result = run(command[0], lonely, *command[1:])
    assert result.exit_code == 0
    assert result.stdout
    assert result.stderr == (
        f"kaitai-gguf: {lonely}: of 3 shards, 2 are missing: '{lonely.parent}/split5-00001-of-00003.gguf', "
        f"'{lonely.parent}/split5-00003-of-00003.gguf'; reading this file alone\n"
    )
