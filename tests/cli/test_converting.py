"""The commands that write whole files: copy, convert, convert-endian, split, merge."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result
from support.commands import fails, output, process, refused, run, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import SOURCE, SPLIT, Save, files
from kaitai_gguf.cli import main
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


@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["write", "dry run"])
def test_a_shard_is_not_replaced_by_one_that_does_not_fit(options: list[str], tmp_path: Path) -> None:
    shards = [Path(shutil.copy(path, tmp_path)) for path in SPLIT]
    for command in WRITERS[1:]:
        fails("the model could not be opened with this change", *command, shards[1], "--in-place", *options)
    words = "is one of the 3 shards that the model is read from"
    fails(words, "merge", shards[2], "--output", shards[2], "--force", *options)
    assert [path.read_bytes() for path in shards] == [path.read_bytes() for path in SPLIT]


@pytest.mark.parametrize(
    "command", [["copy", "FILE"], ["split", "FILE", "--max-tensors", "1"], ["set", "FILE", "general.name=x"]], ids=str
)
def test_copied_data_is_compared_on_demand(command: list[str], save: Save, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the copy, simulate a disk that returns other bytes than were written."""
    tensors = [TensorSpec(name, (1 << 17,), 24, number << 17) for number, name in enumerate("ab")]
    model = save(Model(tensors=tensors, data=bytes(1 << 18)))
    words = [model if word == "FILE" else word for word in command]
    transfer = sink.transfer

    def wrong(source: Any, start: int, end: int, target: Any, progress: Any) -> None:
        transfer(source, start, end, target, progress)
        target.seek(-100, os.SEEK_END)
        target.write(b"wrong")
        target.seek(0, os.SEEK_END)

    monkeypatch.setattr(sink, "transfer", wrong)
    fails("was not written correctly", *words, "--output", model.with_name("new"), "--verify")
    assert files(model.parent) == ["model.gguf"]
    output(*words, "--output", model.with_name("new"))


def test_json_of_edits(model: Path) -> None:
    for command, *words in (
        ["set", "general.url=a"],
        ["unset", "general.url"],
        ["rename-tensor", "output.weight", "x"],
    ):
        document = strict_json(output(command, model, *words, "--in-place", "--json"))
        assert document["written"] == {"file": str(model), "nbytes": model.stat().st_size}
        changes = document["changes"]
        assert changes["keys"] or changes["renamed"] == [{"what": "tensor", "before": words[0], "after": words[1]}]


# Pipes


@pytest.mark.parametrize(
    "command",
    [
        ["copy", "--tensors", "blk*", "--output", "{}/new.gguf"],
        ["convert-endian", "--output", "{}/new.gguf"],
        ["export", "--output", "{}/new.safetensors"],
        ["explain", "--svg", "{}/new.svg"],
        ["split", "--max-tensors", "50", "--output", "{}/new"],
    ],
    ids=lambda command: command[0],
)
def test_a_pipe_is_as_good_as_a_file(command: list[str], model: Path) -> None:
    of_file, of_pipe = (model.with_name(name) for name in ("of-file", "of-pipe"))
    for folder in (of_file, of_pipe):
        folder.mkdir()
    output(command[0], model, *(word.format(of_file) for word in command[1:]))
    done = process(command[0], "-", *(word.format(of_pipe) for word in command[1:]), input=model.read_bytes())
    assert (done.returncode, done.stderr) == (0, b"")
    (expected,), (written,) = of_file.iterdir(), of_pipe.iterdir()
    assert written.name == expected.name
    assert written.read_bytes().replace(b"model.gguf", b"-") == expected.read_bytes().replace(b"model.gguf", b"-")


def test_hashes_and_differences_of_a_pipe(model: Path) -> None:
    manifest = model.with_name("manifest.json")
    output("hash", model, "--output", manifest)

    def piped(*words: object) -> Result:
        return CliRunner().invoke(main, list(map(str, words)), input=model.read_bytes())

    assert piped("hash", "-").stdout == output("hash", model).replace("model.gguf", "-")
    assert piped("hash", "-", "--check", manifest).exit_code == 0
    assert piped("diff", "-", model).exit_code == 0
    refused(piped("diff", "-", "-"), "the standard input can be read only once")
    refused(piped("convert", "-", "--version", "2", "--in-place"), "can't be changed in place")


# Single commands


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        (["--type", "f32"], ["blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "output_norm.weight"]),
        (["--tensors", "*norm*", "--exclude", "blk*"], ["output_norm.weight"]),
        (["--tensors", "out*", "--tensors", "token*"], ["token_embd.weight", "output_norm.weight", "output.weight"]),
        (["--exclude", "blk*", "--exclude", "*norm*"], ["token_embd.weight", "output.weight"]),
        (["--tensors", ""], []),
        (["--tensors", "nope*"], None),
        (["--exclude", "*weight"], None),
        (["--type", "tq1_0"], None),
        (["--tensors", "out*", "--type", "F32", "--exclude", "*norm*"], None),
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
        assert sorted(after.tensors) == sorted(expected)
        assert list(after.metadata) == list(before.metadata)
        for name, tensor in after.tensors.items():
            assert tensor.data.tobytes() == before.tensors[name].data.tobytes()
    assert result.stdout.count("\tremoved: ") == 12 - len(expected)


def test_a_copy_of_another_alignment(model: Path) -> None:
    target = model.with_name("aligned.gguf")
    output("copy", model, "--output", target)
    assert target.read_bytes() == model.read_bytes()
    printed = output("copy", model, "--alignment", "4096", "--output", target, "--force")
    assert "key\tgeneral.alignment\tadded: uint32 4096\n" in printed
    assert kaitai_gguf.open(target).alignment == 4096
    fails("power of two", "copy", model, "--alignment", "24", "--output", target, "--force")


def test_a_type_or_a_version_that_is_unknown(save: Save) -> None:
    path = save(Model(tensors=[TensorSpec("new", (32,), 77, 0)], data=bytes(64)))
    fails("tensor 'new': its type 77 is unknown", "convert-endian", path, "--in-place")
    assert output("convert", path, "--version", "1", "--in-place") == f"{HEAD}header\tversion\t3 → 1\n"
    fails("'4' is not one of", "convert", path, "--version", "4", "--in-place")
    fails("--version", "convert", path, "--in-place")


@pytest.mark.parametrize("command", [["copy", "--alignment", "1073741824"], ["set", "general.alignment=1073741824"]])
def test_padding_that_makes_a_large_file_of_a_small_one(command: list[str], save: Save) -> None:
    path, (name, *arguments) = save(Model(tensors=[TensorSpec("t", (1,), 0, 0)], data=bytes(4))), command
    words = [name, path, *arguments, "--output", path.with_name("new.gguf")]
    result = run(*words)
    assert (result.exit_code, result.stderr.endswith("; --allow-padding permits that\n")) == (2, True)
    assert files(path.parent) == [path.name]
    output(*words, "--allow-padding")
    assert path.with_name("new.gguf").stat().st_size > 1 << 30


# A key that the format requires


@pytest.mark.parametrize(
    "command",
    [
        ["copy"],
        ["copy", "--tensors", "blocks"],
        ["convert", "--version", "3"],
        ["convert-endian"],
        ["set", "general.name=b"],
        ["rename-tensor", "blocks", "other"],
    ],
    ids=" ".join,
)
def test_every_command_adds_the_quantization_version(command: list[str], save: Save) -> None:
    model = Model([("general.name", "string", "a")], [TensorSpec("blocks", (32,), 8, 0)], bytes(64))
    path, target = save(model), save(b"", "new.gguf")
    name, *arguments = command
    changes = output(name, path, *arguments, "--dry-run")
    assert "general.quantization_version" in changes
    assert output(name, path, *arguments, "--output", target, "--force") == changes
    assert kaitai_gguf.open(target).metadata["general.quantization_version"] == 2
    assert output(name, path, *arguments, *(["--output", path, "--force"] if name == "copy" else ["--in-place"]))
    assert path.read_bytes() == target.read_bytes()
