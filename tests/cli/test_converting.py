"""The commands that write whole files: copy, convert, convert-endian, split, merge; models in several files."""

import shutil
from pathlib import Path

import pytest
from support.commands import cells, fails, output, run, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import SOURCE, SPLIT, Save, files
from kaitai_gguf.writing import sink

HEAD = "what\tname\tchange\n"
CHANGES = {
    "copy": "",
    "convert": f"{HEAD}header\tversion\t3 → 2\n",
    "convert-endian": f"{HEAD}header\tbyte order\tlittle → big\n",
}
WRITERS = [["copy"], ["convert", "--version", "2"], ["convert-endian"]]
each = pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])


# Common behaviour


@each
def test_what_changes_is_printed(command: list[str], model: Path) -> None:
    target = model.with_name("new.gguf")
    fails("specify --output FILE", *command, model)
    assert output(*command, model, "--dry-run") == CHANGES[command[0]]
    dry = strict_json(output(*command, model, "--dry-run", "--json"))
    assert files(model.parent) == ["model.gguf"]
    assert output(*command, model, "--output", target) == CHANGES[command[0]]
    document = strict_json(output(*command, model, "--output", target, "--force", "--json"))
    assert document == dry | {"written": {"file": str(target), "nbytes": target.stat().st_size}}
    assert (document["keys"], document["tensors"]) == (29, 12)
    assert document["changes"] == strict_json(run("diff", model, target, "--json").stdout)


@each
def test_a_shard_is_one_file(command: list[str], tmp_path: Path) -> None:
    output(*command, SPLIT[1], "--output", tmp_path / "x.gguf")
    assert kaitai_gguf.open(tmp_path / "x.gguf").metadata["split.no"] == 1


@pytest.mark.parametrize("command", WRITERS[1:], ids=lambda command: command[0])
def test_in_place(command: list[str], model: Path) -> None:
    fails("can't be given together", *command, model, "--in-place", "--output", "x")
    output(*command, model, "--in-place")
    with kaitai_gguf.open(model) as converted:
        assert (converted.version, converted.byte_order) != (3, "little")
    output("convert", model, "--version", "3", "--in-place")
    output("convert-endian", model, "--to", "little", "--in-place")
    assert model.read_bytes() == SOURCE.read_bytes()
    assert files(model.parent) == ["model.gguf"]


@pytest.mark.parametrize(
    "command", [["copy", "FILE"], ["split", "FILE", "--max-tensors", "1"], ["set", "FILE", "general.name=x"]], ids=str
)
def test_copied_data_is_compared_on_demand(command: list[str], save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a disk that returns other bytes than were written."""
    model = save(Model(tensors=[TensorSpec("t", (1 << 17,), 24, 0)], data=b"\1" * (1 << 17)))
    words = [model if word == "FILE" else word for word in command]
    monkeypatch.setattr(sink, "transfer", lambda _, start, end, target, __: target.write(bytes(end - start)))
    fails("was not written correctly", *words, "--output", model.with_name("new"), "--verify")
    assert files(model.parent) == ["model.gguf"]
    output(*words, "--output", model.with_name("new"))


# Single commands


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--type", "f32"], ["blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "output_norm.weight"]),
        (["--tensors", "*norm*", "--exclude", "blk*"], ["output_norm.weight"]),
        (["--tensors", "out*", "--tensors", "token*"], ["token_embd.weight", "output_norm.weight", "output.weight"]),
        (["--exclude", "blk*", "--exclude", "*norm*"], ["token_embd.weight", "output.weight"]),
        (["--tensors", ""], []),
        (["--exclude", "*weight"], None),
    ],
    ids=str,
)
def test_a_copy_of_some_tensors(options: list[str], expected: list[str] | None, model: Path) -> None:
    target = model.with_name("some.gguf")
    result = run("copy", model, *options, "--output", target)
    if expected is None:
        assert (result.exit_code, result.stdout, files(model.parent)) == (1, "", ["model.gguf"])
        assert "no tensor " in result.stderr
        return
    with kaitai_gguf.open(model) as before, kaitai_gguf.open(target) as after:
        assert list(after.tensors) == [name for name in before.tensors if name in expected]
        assert (len(after.tensors), list(after.metadata)) == (len(expected), list(before.metadata))
    assert result.stdout.count("\tremoved: ") == 12 - len(expected)


def test_a_copy_of_another_alignment(model: Path) -> None:
    target = model.with_name("aligned.gguf")
    output("copy", model, "--output", target)
    assert target.read_bytes() == model.read_bytes()
    printed = output("copy", model, "--alignment", "4096", "--output", target, "--force")
    assert "key\tgeneral.alignment\tadded: uint32 4096\n" in printed
    assert kaitai_gguf.open(target).alignment == 4096
    fails("power of two", "copy", model, "--alignment", "24", "--output", target, "--force")


@pytest.mark.parametrize(
    "command", [["copy", "--tensors", "blocks"], ["convert-endian"], ["set", "general.name=b"]], ids=" ".join
)
def test_the_quantization_version_that_is_added_is_shown(command: list[str], save: Save) -> None:
    model = Model([("general.name", "string", "a")], [TensorSpec("blocks", (32,), 8, 0)], bytes(64))
    changes = output(command[0], save(model), *command[1:], "--dry-run")
    assert "key\tgeneral.quantization_version\tadded: uint32 2\n" in changes


@pytest.mark.parametrize("command", [["copy", "--alignment", "1073741824"], ["set", "general.alignment=1073741824"]])
def test_padding_that_makes_a_large_file_of_a_small_one(command: list[str], save: Save) -> None:
    path, (name, *arguments) = save(Model(tensors=[TensorSpec("t", (1,), 0, 0)], data=bytes(4))), command
    words = [name, path, *arguments, "--output", path.with_name("new.gguf")]
    result = run(*words)
    assert (result.exit_code, result.stderr.endswith("; --allow-padding permits that\n")) == (2, True)
    assert files(path.parent) == [path.name]
    output(*words, "--allow-padding")
    assert path.with_name("new.gguf").stat().st_size > 1 << 30


# Several files


def test_merging_restores_the_file_that_was_split(tmp_path: Path) -> None:
    fails("the model is in one file: nothing to merge", "merge", SOURCE, "--output", tmp_path / "x.gguf")
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
    assert printed.splitlines()[0] == "file\ttensors\tdata_nbytes"
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


def test_sizes_that_are_not_valid(model: Path) -> None:
    for size in ("", "0.0000001", "-1", "2X", "1e3", "2 G", "9" * 400, "٣"):
        fails("expected a number of bytes", "split", model, "--max-size", size, "--dry-run")


def test_files_that_are_kept(model: Path) -> None:
    existing, prefix = model.with_name("x-00003-of-00003.gguf"), model.with_name("x")
    existing.write_bytes(b"mine")
    output("split", model, "--max-tensors", "5", "--output", prefix, "--force")
    again = ["--max-tensors", "4", "--output", prefix, "--force"]
    fails("is an input of this command: write to another file", "split", existing, *again)
    fails("choose another prefix", "split", model.with_name("x-*.gguf"), *again)
    assert existing.read_bytes() == SPLIT[2].read_bytes()


def test_info_is_of_the_whole_model(tmp_path: Path) -> None:
    facts, whole = (strict_json(output("info", path, "--json")) for path in (SPLIT[1], SOURCE))
    assert [facts[name] for name in ("parameters", "types")] == [whole[name] for name in ("parameters", "types")]
    assert facts["file_nbytes"] == sum(shard.stat().st_size for shard in SPLIT)
    assert (facts["files"], facts["shard"], facts["shard_count"], facts["missing_nbytes"]) == (3, None, 3, 0)
    assert len(cells(output("info", *reversed(SPLIT)))) == 1
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
