"""The commands split and merge."""

from pathlib import Path

import pytest
from support.commands import cells, fails, output, run

from cli.conftest import MODELS, SOURCE, SPLIT, files


@pytest.mark.parametrize("given", [[SPLIT[2]], SPLIT, SPLIT[::-1], [MODELS / "split5-*.gguf"]], ids=len)
def test_merged_it_is_the_file_that_was_split(given: list[Path], tmp_path: Path) -> None:
    said = output("merge", *given, "--output", tmp_path / "x.gguf")
    assert (tmp_path / "x.gguf").read_bytes() == SOURCE.read_bytes()
    assert said.splitlines()[1:] == [
        "key\tsplit.no\tremoved: uint16 0",
        "key\tsplit.tensors.count\tremoved: int32 12",
        "key\tsplit.count\tremoved: uint16 3",
    ]
    assert output("merge", *given, "--dry-run") == said


def test_split_is_what_llama_cpp_makes(model: Path) -> None:
    said = output("split", model, "--max-tensors", "5", "--output", model.with_name("x"))
    assert said.splitlines() == [
        "file\ttensors\tbytes",
        f"{model.parent}/x-00001-of-00003.gguf\t5\t6480",
        f"{model.parent}/x-00002-of-00003.gguf\t5\t3424",
        f"{model.parent}/x-00003-of-00003.gguf\t2\t2888",
    ]
    for mine, theirs in zip(sorted(model.parent.glob("x-*")), SPLIT, strict=True):
        assert mine.read_bytes() == theirs.read_bytes()


def test_a_dry_run_tells_the_files(model: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(model.parent)
    assert output("split", "model.gguf", "--max-size", "1K", "--no-tensor-first-split", "--dry-run").startswith(
        "file\ttensors\tbytes\nmodel-00001-of-00013.gguf\t0\t0\nmodel-00002-of-00013.gguf\t1\t2176\n"
    )
    assert files(model.parent) == ["model.gguf"]


@pytest.mark.parametrize(
    ("size", "count"), [("4000", 4), ("4K", 4), ("4KB", 4), ("3.2K", 5), ("12.8K", 2), ("12.54Ki", 1), ("1Ti", 1)]
)
def test_sizes(size: str, count: int, model: Path) -> None:
    assert len(cells(output("split", model, "--max-size", size, "--dry-run"))) == count


@pytest.mark.parametrize(
    "size", ["", "0", "0.0000001", "-1", "2X", "1e3", "G", "2 G", "nan", "9" * 400, "٣"], ids=ascii
)
def test_sizes_that_are_none(size: str, model: Path) -> None:
    fails("expected a number of bytes", "split", model, "--max-size", size, "--dry-run")


def test_options_of_split(model: Path) -> None:
    fails("how large", "split", model, "--output", "x")
    both = ["--max-size", "1G", "--max-tensors", "1"]
    fails("--max-size and --max-tensors can't be given together", "split", model, "--output", "x", *both)
    fails("specify --output PREFIX", "split", model, "--max-size", "1G")


def test_split_leaves_what_is_there(model: Path) -> None:
    there = model.with_name("x-00003-of-00003.gguf")
    there.write_bytes(b"mine")
    fails("already exists", "split", model, "--max-tensors", "5", "--output", model.with_name("x"))
    assert files(model.parent) == ["model.gguf", there.name]
    output("split", model, "--max-tensors", "5", "--output", model.with_name("x"), "--force")
    assert there.read_bytes() == SPLIT[2].read_bytes()


def test_split_does_not_replace_its_own_input(tmp_path: Path) -> None:
    for path in SPLIT:
        (tmp_path / path.name).write_bytes(path.read_bytes())
    options = ["--max-tensors", "4", "--output", tmp_path / "split5", "--force"]
    fails("is an input of this command: write to another file", "split", tmp_path / SPLIT[0].name, *options)
    fails("choose another prefix", "split", tmp_path / "split5-*.gguf", *options)
    assert [(tmp_path / path.name).read_bytes() for path in SPLIT] == [path.read_bytes() for path in SPLIT]


def test_shards_that_do_not_belong_together(tmp_path: Path) -> None:
    target = tmp_path / "x.gguf"
    fails("kaitai-gguf: of 3 shards, 1 is missing: ", "merge", *SPLIT[:2], "--output", target)
    fails("is shard 1 of 3, and so is", "merge", SPLIT[0], SPLIT[0], SPLIT[1], "--output", target)
    fails("tiny-be.gguf' is not a shard, and 4 files", "merge", *SPLIT, MODELS / "tiny-be.gguf", "--output", target)
    fails("the model is in one file: nothing to merge", "merge", SOURCE, "--output", target)
    assert files(tmp_path) == []


def test_no_file_at_all() -> None:
    assert run("merge").exit_code == 2
