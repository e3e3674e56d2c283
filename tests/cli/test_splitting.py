"""The commands split and merge, and others on models in several files."""

import shutil
from pathlib import Path

import pytest
from support.commands import cells, fails, output, run, strict_json

from cli.conftest import SOURCE, SPLIT, files


def test_merging_restores_the_file_that_was_split(tmp_path: Path) -> None:
    printed = output("merge", *SPLIT[::-1], "--output", tmp_path / "x.gguf")
    assert (tmp_path / "x.gguf").read_bytes() == SOURCE.read_bytes()
    assert cells(printed) == [
        ["key", "split.no", "removed: uint16 0"],
        ["key", "split.tensors.count", "removed: int32 12"],
        ["key", "split.count", "removed: uint16 3"],
    ]
    assert output("merge", SPLIT[2], "--dry-run") == printed


def test_split_is_what_llama_cpp_makes(model: Path) -> None:
    paths = [f"{model.parent}/x-0000{number}-of-00003.gguf" for number in (1, 2, 3)]
    words = ["split", model, "--max-tensors", "5", "--output", model.with_name("x")]
    dry = strict_json(output(*words, "--dry-run", "--json"))
    printed = output(*words)
    assert printed.splitlines()[0] == "file\ttensors\tbytes"
    assert cells(printed) == [[paths[0], "5", "6480"], [paths[1], "5", "3424"], [paths[2], "2", "2888"]]
    for ours, theirs in zip(paths, SPLIT, strict=True):
        assert Path(ours).read_bytes() == theirs.read_bytes()
    document = strict_json(output(*words, "--force", "--json"))
    assert dry == document | {"written": None}
    assert document["written"] == [{"file": path, "nbytes": Path(path).stat().st_size} for path in paths]
    assert document["shards"][0] == {"file": paths[0], "tensors": 5, "data_nbytes": 6480}


@pytest.mark.parametrize(
    ("size", "count"), [("4000", 4), ("4KB", 4), ("3.2K", 5), ("12.8K", 2), ("12.54Ki", 1), ("1Ti", 1)]
)
def test_sizes(size: str, count: int, model: Path) -> None:
    rows = cells(output("split", model, "--max-size", size, "--no-tensor-first-split", "--dry-run"))
    assert rows[0] == [f"model-00001-of-{count + 1:05}.gguf", "0", "0"]
    assert files(model.parent) == ["model.gguf"]


def test_options_of_split(model: Path) -> None:
    for size in ("", "0", "0.0000001", "-1", "2X", "1e3", "G", "2 G", "9" * 400, "٣"):
        fails("expected a number of bytes", "split", model, "--max-size", size, "--dry-run")
    fails("how large", "split", model, "--output", "x")
    both = ["--max-size", "1G", "--max-tensors", "1"]
    fails("--max-size and --max-tensors can't be given together", "split", model, "--output", "x", *both)
    fails("specify --output PREFIX", "split", model, "--max-size", "1G")


def test_files_that_are_kept(model: Path) -> None:
    existing, words = model.with_name("x-00003-of-00003.gguf"), ["split", model, "--max-tensors", "5", "--output"]
    existing.write_bytes(b"mine")
    fails("already exists", *words, model.with_name("x"))
    assert files(model.parent) == ["model.gguf", existing.name]
    output(*words, model.with_name("x"), "--force")
    again = ["--max-tensors", "4", "--output", model.with_name("x"), "--force"]
    fails("is an input of this command: write to another file", "split", existing, *again)
    fails("choose another prefix", "split", model.with_name("x-*.gguf"), *again)
    assert existing.read_bytes() == SPLIT[2].read_bytes()


def test_files_that_are_not_merged(tmp_path: Path) -> None:
    fails("Missing argument", "merge")
    fails("kaitai-gguf: of 3 shards, 1 is missing: ", "merge", *SPLIT[:2], "--output", tmp_path / "x.gguf")
    fails("the model is in one file: nothing to merge", "merge", SOURCE, "--output", tmp_path / "x.gguf")
    assert files(tmp_path) == []


# Other commands


def test_info_is_of_the_whole_model(tmp_path: Path) -> None:
    facts, whole = (strict_json(output("info", path, "--json")) for path in (SPLIT[1], SOURCE))
    for name in ("parameters", "tensors", "types", "architecture", "general", "hyperparameters"):
        assert facts[name] == whole[name]
    assert facts["file_nbytes"] == sum(shard.stat().st_size for shard in SPLIT)
    assert (facts["files"], facts["shard"], facts["shard_count"], facts["missing_nbytes"]) == (3, None, 3, 0)
    words = output("info", SPLIT[1])
    assert "shards\tall 3, 21.1 KiB together\n" in words
    assert "in the first shard, 12.5 KiB of tensor data in all of them\n" in words
    first, second, _ = (Path(shutil.copy(path, tmp_path)) for path in SPLIT)
    second.write_bytes(second.read_bytes()[:3000])
    assert strict_json(output("info", first, "--json"))["missing_nbytes"] == 416 + 3424 - 3000


@pytest.mark.parametrize(
    "command",
    [["info"], ["metadata"], ["tensors"], ["tensor", "blk.0.attn_k.weight"], ["export", "--to", "x.safetensors"]],
    ids=lambda command: command[0],
)
def test_a_shard_without_the_others(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    path = Path(shutil.copy(SPLIT[1], tmp_path))
    assert output("dump", SPLIT[1]) == output("dump", path)
    result = run(command[0], path, *command[1:])
    assert (result.exit_code, result.stdout != "") == (0, True)
    assert result.stderr == (
        f"kaitai-gguf: {path}: of 3 shards, 2 are missing: '{tmp_path}/split5-00001-of-00003.gguf', "
        f"'{tmp_path}/split5-00003-of-00003.gguf'; reading this file alone\n"
    )
