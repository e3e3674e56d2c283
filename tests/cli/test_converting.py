"""The commands that write whole files: copy, convert, convert-endian, split, merge."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from support.commands import ENVIRONMENT, fails, output, process, run, strict_json
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from cli.conftest import MODELS, SOURCE, SPLIT, Save, files
from kaitai_gguf.writing import sink

WRITERS = [["copy"], ["convert", "--version", "2"], ["convert-endian"]]
HEAD = "what\tname\tchange\n"
writers = pytest.mark.parametrize("command", WRITERS, ids=lambda command: command[0])


# Common behaviour


@writers
def test_what_changes_is_printed(command: list[str], model: Path) -> None:
    said = {
        "copy": "",
        "convert": f"{HEAD}header\tversion\t3 → 2\n",
        "convert-endian": f"{HEAD}header\tbyte order\tlittle → big\n",
    }
    assert output(*command, model, "--output", model.with_name("new.gguf")) == said[command[0]]
    assert output("diff", model, model.with_name("new.gguf")) == said[command[0]]


@writers
def test_a_dry_run_writes_nothing(command: list[str], model: Path) -> None:
    said = output(*command, model, "--dry-run")
    assert files(model.parent) == ["model.gguf"]
    assert said == output(*command, model, "--output", model.with_name("new.gguf"))


@writers
def test_one_has_to_say_where(command: list[str], model: Path) -> None:
    fails("--output", *command, model)


@writers
def test_it_is_about_one_file(command: list[str], tmp_path: Path) -> None:
    output(*command, SPLIT[1], "--output", tmp_path / "x.gguf")
    assert kaitai_gguf.open(tmp_path / "x.gguf").metadata["split.no"] == 1


@pytest.mark.parametrize("command", WRITERS[1:], ids=lambda command: command[0])
def test_in_place(command: list[str], model: Path) -> None:
    fails("can't be given together", *command, model, "--in-place", "--output", "x")
    output(*command, model, "--in-place")
    with kaitai_gguf.open(model) as found:
        assert (found.version, found.byte_order) != (3, "little")
    output("convert", model, "--version", "3", "--in-place")
    output("convert-endian", model, "--to", "little", "--in-place")
    assert model.read_bytes() == SOURCE.read_bytes()
    assert files(model.parent) == ["model.gguf"]


@pytest.mark.parametrize("command", WRITERS[1:], ids=lambda command: command[0])
@pytest.mark.parametrize("options", [[], ["--dry-run"]], ids=["write", "dry run"])
def test_a_shard_in_place(command: list[str], options: list[str], tmp_path: Path) -> None:
    for path in SPLIT:
        shutil.copy(path, tmp_path)
    shard = tmp_path / SPLIT[1].name
    fails("the model could not be opened with this change", *command, shard, "--in-place", *options)
    assert shard.read_bytes() == SPLIT[1].read_bytes()


@pytest.mark.parametrize("options", [["--force"], ["--force", "--dry-run"]], ids=["write", "dry run"])
def test_a_merge_over_its_input(options: list[str], tmp_path: Path) -> None:
    for path in SPLIT:
        shutil.copy(path, tmp_path)
    for path in SPLIT:
        shard = tmp_path / path.name
        fails("is one of the 3 shards that the model is read from", "merge", shard, "--output", shard, *options)
        assert shard.read_bytes() == path.read_bytes()


MOVERS = [
    ["copy", "model.gguf", "--output", "new.gguf"],
    ["convert", "model.gguf", "--version", "2", "--output", "new.gguf"],
    ["split", "model.gguf", "--max-tensors", "1", "--output", "new"],
    ["merge", "part-00001-of-00002.gguf", "--output", "new.gguf"],
    ["set", "model.gguf", "general.name=x", "--output", "new.gguf"],
]


@pytest.mark.parametrize("command", MOVERS, ids=lambda command: command[0])
def test_copied_data_is_compared_on_demand(command: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """After the copy, simulate a disk that returns other bytes than were written."""
    monkeypatch.chdir(tmp_path)
    tensors = [TensorSpec(name, (1 << 17,), 24, number << 17) for number, name in enumerate("ab")]
    Path("model.gguf").write_bytes(Model(tensors=tensors, data=bytes(1 << 18)).build())
    kaitai_gguf.split("model.gguf", "part", max_tensors=1)
    before = files(tmp_path)
    assert output(*command, "--verify") == output(*command, "--force")
    for name in set(files(tmp_path)) - set(before):
        Path(name).unlink()

    transfer = sink.transfer

    def wrong(source: Any, start: int, end: int, target: Any, progress: Any) -> None:
        transfer(source, start, end, target, progress)
        target.seek(-100, os.SEEK_END)
        target.write(b"x")
        target.seek(0, os.SEEK_END)

    monkeypatch.setattr(sink, "transfer", wrong)
    fails("was not written correctly", *command, "--verify")
    assert files(tmp_path) == before
    output(*command)


# JSON, folders, pipes


@writers
def test_what_was_written_as_json(command: list[str], model: Path) -> None:
    target = model.with_name("new.gguf")
    dry = strict_json(output(*command, model, "--dry-run", "--json"))
    done = strict_json(output(*command, model, "--output", target, "--json"))
    assert done["written"] == {"file": str(target), "nbytes": target.stat().st_size}
    assert dry == done | {"written": None}
    with kaitai_gguf.open(target) as written:
        assert (done["keys"], done["tensors"]) == (len(written.metadata), len(written.tensors))
    compared = strict_json(run("diff", model, target, "--json").stdout)
    assert done["changes"] == compared


def test_json_of_split_and_merge(model: Path) -> None:
    words = ["split", model, "--max-tensors", "5", "--output", model.with_name("x"), "--json"]
    dry, done = strict_json(output(*words, "--dry-run")), strict_json(output(*words))
    assert dry["written"] is None
    assert dry["shards"] == done["shards"]
    assert [shard["tensors"] for shard in done["shards"]] == [5, 5, 2]
    paths = [file["file"] for file in done["written"]]
    assert [Path(path).stat().st_size for path in paths] == [file["nbytes"] for file in done["written"]]
    target = model.with_name("merged.gguf")
    merged = strict_json(output("merge", *paths, "--output", target, "--json"))
    assert merged["written"] == {"file": str(target), "nbytes": model.stat().st_size}


def test_json_of_edits(model: Path) -> None:
    commands = (["set", "general.url=a"], ["unset", "general.url"], ["rename-tensor", "output.weight", "x"])
    for command, *words in commands:
        done = strict_json(output(command, model, *words, "--in-place", "--json"))
        assert done["written"] == {"file": str(model), "nbytes": model.stat().st_size}
        assert done["tensors"] == 12
        changes = done["changes"]
        assert changes["keys"] or changes["renamed"] == [{"what": "tensor", "before": words[0], "after": words[1]}]


FROM_PIPES = [
    ["copy", "--output", "{}/new.gguf"],
    ["convert", "--version", "2", "--output", "{}/new.gguf"],
    ["convert-endian", "--output", "{}/new.gguf"],
    ["copy", "--tensors", "blk*", "--output", "{}/new.gguf"],
    ["export", "--output", "{}/new.safetensors"],
    ["explain", "--svg", "{}/new.svg"],
    ["split", "--max-tensors", "50", "--output", "{}/new"],
]


@pytest.mark.parametrize("command", FROM_PIPES, ids=lambda command: " ".join(command[:2]))
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
    data = model.read_bytes()
    expected = output("hash", model)
    assert process("hash", "-", input=data).stdout.decode() == expected.replace("model.gguf", "-")
    manifest = model.with_name("manifest.json")
    output("hash", model, "--output", manifest)
    assert process("hash", "-", "--check", manifest, input=data).returncode == 0
    assert process("diff", "-", model, input=data).stdout == b""
    assert process("diff", model, "-", input=data).returncode == 0


def test_a_pipe_is_not_changed_in_place(model: Path) -> None:
    done = process("convert", "-", "--version", "2", "--in-place", input=model.read_bytes())
    assert done.returncode == 2
    assert b"can't be changed in place" in done.stderr


def test_a_dry_run_of_hashes_and_pictures(model: Path) -> None:
    target = model.with_name("new.svg")
    for words in (["hash", model, "-o"], ["explain", model, "--svg"], ["schema", "-o"]):
        assert output(*words, target, "--dry-run") == f"{target}\n"
    for words in (["hash", model, "-o"], ["explain", model, "--svg"]):
        assert strict_json(output(*words, target, "--dry-run", "--json")) == {"written": None}
    assert strict_json(output("tensor", model, "output.weight", "--plot", target, "--dry-run", "--json"))["name"]
    assert files(model.parent) == ["model.gguf"]


# Single commands


def test_a_copy_is_the_same(model: Path) -> None:
    output("copy", model, "--output", model.with_name("copy.gguf"))
    assert model.with_name("copy.gguf").read_bytes() == model.read_bytes()


def test_a_copy_of_some_tensors(model: Path) -> None:
    target = model.with_name("some.gguf")
    said = output("copy", model, "--tensors", "blk.0.ffn_*", "--output", target)
    assert list(kaitai_gguf.open(target).tensors) == [
        "blk.0.ffn_norm.weight", "blk.0.ffn_gate.weight", "blk.0.ffn_up.weight", "blk.0.ffn_down.weight",
    ]  # fmt: skip
    assert "tensor\ttoken_embd.weight\tremoved: Q8_0 8 × 256\n" in said
    output("copy", model, "--tensors", "", "--output", target, "--force")
    assert len(kaitai_gguf.open(target).tensors) == 0
    result = run("copy", model, "--tensors", "nope*", "--output", target, "--force")
    assert (result.exit_code, result.stdout) == (1, "")
    assert "no tensor matches 'nope*'" in result.stderr


FILTERS: list[tuple[list[str], list[str]]] = [
    (["--type", "f32"], ["blk.0.attn_norm.weight", "blk.0.ffn_norm.weight", "output_norm.weight"]),
    (["--tensors", "*norm*", "--exclude", "blk*"], ["output_norm.weight"]),
    (["--tensors", "out*", "--tensors", "token*"], ["token_embd.weight", "output_norm.weight", "output.weight"]),
    (["--exclude", "blk*", "--exclude", "*norm*"], ["token_embd.weight", "output.weight"]),
    (["--exclude", "*weight"], []),
    (["--type", "tq1_0"], []),
    (["--tensors", "out*", "--type", "F32", "--exclude", "*norm*"], []),
]


@pytest.mark.parametrize(("options", "expected"), FILTERS, ids=" ".join)
def test_filters_of_a_copy(options: list[str], expected: list[str], model: Path) -> None:
    target = model.with_name("some.gguf")
    result = run("copy", model, *options, "--output", target)
    if not expected:
        assert (result.exit_code, result.stdout, files(model.parent)) == (1, "", ["model.gguf"])
        assert "no tensor " in result.stderr
        return
    with kaitai_gguf.open(model) as before, kaitai_gguf.open(target) as after:
        assert sorted(after.tensors) == sorted(expected)
        assert list(after.tensors) == [name for name in before.tensors if name in expected]
        assert list(after.metadata) == list(before.metadata)
        for name, tensor in after.tensors.items():
            assert tensor.data.tobytes() == before.tensors[name].data.tobytes()


def test_a_copy_of_another_alignment(model: Path) -> None:
    target = model.with_name("aligned.gguf")
    said = output("copy", model, "--alignment", "4096", "--output", target)
    assert "key\tgeneral.alignment\tadded: uint32 4096\n" in said
    assert kaitai_gguf.open(target).alignment == 4096
    fails("power of two", "copy", model, "--alignment", "24", "--output", target, "--force")


def test_byte_order_there_and_back(tmp_path: Path) -> None:
    there, back = tmp_path / "there.gguf", tmp_path / "back.gguf"
    output("convert-endian", MODELS / "tiny-be.gguf", "--output", there)
    assert kaitai_gguf.open(there).byte_order == "little"
    output("convert-endian", there, "--to", "big", "--output", back)
    assert back.read_bytes() == (MODELS / "tiny-be.gguf").read_bytes()


def test_a_type_that_is_not_known(save: Save) -> None:
    path = save(Model(tensors=[TensorSpec("new", (32,), 77, 0)], data=bytes(64)))
    fails("tensor 'new': its type 77 is unknown", "convert-endian", path, "--in-place")
    assert output("convert", path, "--version", "1", "--in-place") == f"{HEAD}header\tversion\t3 → 1\n"


def test_versions_that_are_none(model: Path) -> None:
    fails("'4' is not one of", "convert", model, "--version", "4", "--in-place")
    fails("--version", "convert", model, "--in-place")


# Padding


@pytest.fixture
def bomb(save: Save) -> Path:
    """Write a file of a few bytes whose tensor data would start at 2 GiB."""
    return save(Model([("general.alignment", "uint32", 1 << 31), ("x", "uint8", 1)]).header() + b"\0", "bomb.gguf")


PEAK = """
import sys
from kaitai_gguf.cli import main
from support.memory import peak
try:
    main(sys.argv[1:])
finally:
    print(peak(), file=sys.stderr)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows does not report the peak memory")
@pytest.mark.parametrize(
    ("command", "is_refused"),
    [
        (["copy", "{}", "--output", "{}.new"], False),
        (["convert", "{}", "--version", "1", "--output", "{}.new"], True),
        (["copy", "{}", "--alignment", "1073741824", "--output", "{}.new"], False),
        (["set", "{}", "general.name=x", "--output", "{}.new"], True),
        (["set", "{}", "general.name=x", "--in-place"], True),
        (["unset", "{}", "x", "--in-place"], True),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_an_alignment_that_makes_a_large_file_of_a_small_one(command: list[str], is_refused: bool, bomb: Path) -> None:
    words = [word.format(bomb) for word in command]
    before = bomb.read_bytes()
    code = [sys.executable, "-c", PEAK, *words]
    done = subprocess.run(code, env=ENVIRONMENT, capture_output=True, text=True, timeout=60, check=False)
    *errors, peak = done.stderr.splitlines()
    assert int(peak) < 300 << 20
    assert bomb.read_bytes() == before
    if is_refused:
        (error,) = errors
        assert "bytes of padding to" in error
        assert "--allow-padding" in error
        assert files(bomb.parent) == [bomb.name]
        allowed = [*code, "--allow-padding"]
        subprocess.run(allowed, env=ENVIRONMENT, capture_output=True, timeout=60, check=True)
        written = bomb if "--in-place" in command else Path(f"{bomb}.new")
        assert written.stat().st_size == 1 << 31
        assert written.stat().st_blocks * 512 < 1 << 20
    else:
        assert (done.returncode, errors) == (0, [])
        assert Path(f"{bomb}.new").stat().st_size < 1 << 20


# A key that the format requires


@pytest.mark.parametrize(
    "command",
    [
        ["copy"],
        ["copy", "--alignment", "64"],
        ["copy", "--tensors", "blocks"],
        ["convert", "--version", "1"],
        ["convert", "--version", "3"],
        ["convert-endian"],
        ["set", "general.name=b"],
        ["unset", "general.name"],
        ["rename-key", "general.name", "general.basename"],
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
