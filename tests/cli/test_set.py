"""The commands that change a file: set, unset, rename-tensor."""

import os
import shlex
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from click.testing import CliRunner, Result
from support.commands import COMMAND, ENVIRONMENT, cells, output, process, raw_characters, run, terminal
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from cli.conftest import ROOT, Save
from kaitai_gguf.cli import main
from kaitai_gguf.cli.commands.set import LONGEST

ROWS: list[tuple[Any, ...]] = [
    ("general.name", "string", "Sample"),
    ("llama.context_length", "uint64", 4096),
    ("x.scale", "float32", 0.5),
    ("x.flag", "bool", 1),
    ("x.list", "array", Array("int8", [1, 2])),
    ("x.texts", "array", Array("string", ["a"])),
]
DATA = bytes(range(64))


@pytest.fixture
def path(save: Save) -> Path:
    return save(Model(ROWS, [TensorSpec("a", (64,), 24, 0)], DATA))


def types(path: Path) -> dict[str, str]:
    with kaitai_gguf.open(path) as model:
        entries = [model.metadata.entry(key) for key in model.metadata]
    names = {entry.key: entry.value_type.name.lower() for entry in entries}
    return names | {e.key: f"{e.element_type.name.lower()}[{e.count}]" for e in entries if e.element_type is not None}


def value(path: Path, key: str) -> Any:
    with kaitai_gguf.open(path) as model:
        found = model.metadata[key]
        return found if isinstance(found, str | int | float) else found.tolist()  # type: ignore[union-attr]


def fails(result: Result, words: str) -> None:
    assert result.exit_code == 2
    assert words in result.stderr
    assert result.stdout == ""


# Values


@pytest.mark.parametrize(
    ("assignment", "type", "expected"),
    [
        ("general.name=Other name", "string", "Other name"),
        ("general.name=", "string", ""),
        ("general.name=5", "string", "5"),
        ("general.name=a=b", "string", "a=b"),
        ("general.name=@@home", "string", "@home"),
        ('general.name="quoted"', "string", '"quoted"'),
        ("llama.context_length=8192", "uint64", 8192),
        ("x.scale=2", "float32", 2.0),
        ("x.scale=1e-3", "float32", 0.0010000000474974513),
        ("x.scale=-Infinity", "float32", float("-inf")),
        ("x.flag=false", "bool", False),
        ("x.list=[3, -4, 5]", "int8[3]", [3, -4, 5]),
        ("x.list=[]", "int8[0]", []),
        ('x.texts=["b", "c"]', "string[2]", ["b", "c"]),
        ("split.count=3", "uint16", 3),
        ("general.version=1.0", "string", "1.0"),
        ("new.number=-1", "int32", -1),
        ("new.number=5000000000", "uint64", 5000000000),
        ("new.text=some text", "string", "some text"),
        ("new.flag=true", "bool", True),
        ("new.list=[1, 0.5]", "float32[2]", [1.0, 0.5]),
    ],
)
def test_a_value(path: Path, assignment: str, type: str, expected: Any) -> None:
    key = assignment.partition("=")[0]
    shown = output("set", path, assignment, "--in-place")
    assert shown.startswith(f"what\tname\tchange\nkey\t{key}\t")
    assert len(cells(shown)) == 1
    assert value(path, key) == expected
    assert types(path)[key] == type
    with kaitai_gguf.open(path) as model:
        assert model.tensors["a"].data.tobytes() == DATA


@pytest.mark.parametrize(
    ("assignment", "wanted", "type", "expected"),
    [
        ("llama.context_length=8192", "uint32", "uint32", 8192),
        ("x.scale=5", "string", "string", "5"),
        ("new=1", "float64", "float64", 1.0),
        ("new=[1, 2]", "uint8[]", "uint8[2]", [1, 2]),
        ("new=[]", "string[]", "string[0]", []),
        ("new=[[1], []]", "uint8[]", "array[2]", [[1], []]),
        ("x.list=5", "int8", "int8", 5),
    ],
)
def test_a_type(path: Path, assignment: str, wanted: str, type: str, expected: Any) -> None:
    key = assignment.partition("=")[0]
    output("set", path, assignment, "--type", wanted, "--in-place")
    assert value(path, key) == expected
    assert types(path)[key] == type


def test_a_value_from_a_file(path: Path, tmp_path: Path) -> None:
    template = "{{ bos_token }}\n" * 20
    (tmp_path / "template").write_text(template)
    (tmp_path / "list").write_text("[7,\n 8]\n")
    output("set", path, f"tokenizer.chat_template=@{tmp_path}/template", f"x.list=@{tmp_path}/list", "--in-place")
    assert value(path, "tokenizer.chat_template") == template
    assert value(path, "x.list") == [7, 8]


def test_values_from_files_are_as_long_as_a_string_may_be() -> None:
    """Devices may have no end."""
    schema = yaml.safe_load((ROOT / "schema" / "gguf.ksy").read_text())
    assert schema["types"]["length"]["seq"][1]["valid"]["max"] == LONGEST


def test_a_value_from_a_file_without_end(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("kaitai_gguf.cli.commands.set.LONGEST", 5 << 20)
    before = path.read_bytes()
    says = "is too large to be a value: it has more than 5,242,880 bytes"
    large = tmp_path / "large"
    large.write_bytes(b"a" * ((5 << 20) + 1))
    for source in ("/dev/zero", large):
        for options in ([], ["--type", "string"], ["--type", "uint8[]"]):
            result = run("set", path, f"general.name=@{source}", *options, "--in-place")
            assert (result.exit_code, result.stderr) == (2, f"kaitai-gguf: {source}: {says}\n")
    result = CliRunner().invoke(main, ["set", str(path), "x.new=@-", "--in-place"], input=large.read_bytes())
    assert (result.exit_code, result.stderr) == (2, f"kaitai-gguf: -: {says}\n")
    assert path.read_bytes() == before
    os.truncate(large, 5 << 20)
    output("set", path, f"general.name=@{large}", "--in-place")
    assert value(path, "general.name") == "a" * (5 << 20)


def test_a_value_from_a_pipe(path: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("piped " * 50_000,))
    writer.start()
    output("set", path, f"general.name=@{pipe}", "--in-place")
    writer.join()
    assert value(path, "general.name") == "piped " * 50_000


def test_a_value_from_a_directory(path: Path, tmp_path: Path) -> None:
    result = run("set", path, f"general.name=@{tmp_path}", "--in-place")
    assert result.exit_code == 2
    assert f"{tmp_path}: " in result.stderr


def test_a_value_from_the_standard_input(path: Path) -> None:
    arguments = ["set", str(path), "general.name=@-", "--in-place"]
    result = CliRunner().invoke(main, arguments, input=b"any\xff bytes\n")
    assert result.exit_code == 0
    with kaitai_gguf.open(path) as model:
        assert model.metadata.raw("general.name") == b"any\xff bytes\n"


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="there is no shell")
def test_a_standard_input_that_is_closed(path: Path) -> None:
    line = f"{shlex.join([*COMMAND, 'set', str(path), 'general.name=@-', '--in-place'])} <&-"
    done = subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, b"kaitai-gguf: -: the standard input is closed\n")
    assert value(path, "general.name") == "Sample"


def test_several_values(path: Path) -> None:
    output("set", path, "general.name=x", "new.a=1", "new.b=2", "--in-place")
    assert [value(path, key) for key in ("general.name", "new.a", "new.b")] == ["x", 1, 2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["general.name"], "general.name is not KEY=VALUE"),
        (["=5"], "a key must not be empty"),
        (["x.scale=big"], "'big' is no number, true, false or list"),
        (["x.scale=1e400"], "'1e400' is no number"),
        (["x.scale=1e39"], "key 'x.scale': 1e+39 is too large for float32"),
        (["x.list=5"], "key 'x.list': 5 is not an array"),
        (["x.list=[300]"], "key 'x.list': 300 does not fit int8"),
        (["x.flag=1"], "key 'x.flag': 1 can't be bool"),
        (["llama.context_length=-1"], "-1 does not fit uint64"),
        (["llama.context_length=[1]"], "an array was given, and its type is uint64"),
        (["x.scale=null"], "None is of no type"),
        (['x.scale={"a": 1}'], "is of no type"),
        (["new=[]"], "an empty array does not say of what"),
        (["new=1", "--type", "uint8[]"], "1 is no array"),
        (["new=[1]", "--type", "uint8"], "[1] is an array"),
        (["new=x", "--type", "uint8"], "'x' is no number"),
        (["new=1", "--type", "uint128"], "'uint128' is not one of"),
        (["general.alignment=7"], "expected a power of two"),
        (["general.name=@/missing/file"], "/missing/file: No such file or directory"),
    ],
)
def test_values_that_can_not_be(path: Path, arguments: list[str], words: str) -> None:
    before = path.read_bytes()
    result = run("set", path, *arguments, "--in-place")
    fails(result, words)
    assert path.read_bytes() == before


def test_what_is_no_json_is_a_text(path: Path) -> None:
    text = "[" * 5000
    output("set", path, f"new={text}", "--in-place")
    assert value(path, "new") == text


# Keys and tensors


def test_unset(path: Path) -> None:
    assert output("unset", path, "x.scale", "x.list", "--in-place") == (
        "what\tname\tchange\nkey\tx.scale\tremoved: float32 0.5\nkey\tx.list\tremoved: int8[2] [1, 2]\n"
    )
    assert list(types(path)) == ["general.name", "llama.context_length", "x.flag", "x.texts"]
    before = path.read_bytes()
    fails(run("unset", path, "x.flag", "x.scale", "--in-place"), "no key 'x.scale' in the metadata")
    assert path.read_bytes() == before


def test_rename_tensor(path: Path) -> None:
    assert output("rename-tensor", path, "a", "b", "--in-place").splitlines()[1:] == [
        "tensor\ta\tremoved: I8 64",
        "tensor\tb\tadded: I8 64",
    ]
    with kaitai_gguf.open(path) as model:
        assert [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()] == [("b", DATA)]
    fails(run("rename-tensor", path, "a", "c", "--in-place"), "no tensor 'a' in the file")


# Where to


COMMANDS = [["set", "general.name=other"], ["unset", "x.flag"], ["rename-tensor", "a", "b"]]
each = pytest.mark.parametrize("command", COMMANDS, ids=lambda command: command[0])


def change(command: list[str], path: Path, *options: object) -> Result:
    return run(command[0], path, *command[1:], *options)


@each
def test_it_wants_to_be_told_where(command: list[str], path: Path) -> None:
    before = path.read_bytes()
    fails(change(command, path), "specify --output FILE or --in-place")
    fails(change(command, path, "--in-place", "--output", "x"), "two different places")
    assert path.read_bytes() == before


@each
def test_another_file(command: list[str], path: Path, tmp_path: Path) -> None:
    before, target = path.read_bytes(), tmp_path / "other.gguf"
    assert change(command, path, "--output", target).exit_code == 0
    written = target.read_bytes()
    assert path.read_bytes() == before != written
    target.write_bytes(b"mine")
    fails(change(command, path, "--output", target), f"{target}: already exists; --force overwrites it")
    assert target.read_bytes() == b"mine"
    assert change(command, path, "--output", target, "--force").exit_code == 0
    assert target.read_bytes() == written
    assert set(tmp_path.iterdir()) == {path, target}


@each
@pytest.mark.parametrize("where", [[], ["--in-place"], ["--output", "{folder}/other"]], ids=" ".join)
def test_a_dry_run_says_the_same_and_writes_nothing(command: list[str], path: Path, where: list[str]) -> None:
    before = path.read_bytes()
    result = change(command, path, "--dry-run", *(word.format(folder=path.parent) for word in where))
    assert (result.exit_code, result.stderr) == (0, "")
    assert path.read_bytes() == before
    assert list(path.parent.iterdir()) == [path]
    assert change(command, path, "--in-place").stdout == result.stdout


@each
def test_what_was_written_is_read_back(command: list[str], path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def commit(*_: object, **__: object) -> None:
        pass  # a disk that forgets

    monkeypatch.setattr(kaitai_gguf.Editor, "commit", commit)
    fails(change(command, path, "--in-place"), "the header that was written reads back as another one")


def test_data_that_was_written_is_read_back(path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    commit = kaitai_gguf.Editor.commit

    def spoil(self: kaitai_gguf.Editor, output: str, **options: Any) -> None:
        commit(self, output, **options)
        data = bytearray(Path(output).read_bytes())
        data[-1] ^= 1
        Path(output).write_bytes(data)

    monkeypatch.setattr(kaitai_gguf.Editor, "commit", spoil)
    result = run("set", path, "general.name=x", "--output", tmp_path / "other")
    fails(result, "the tensor data that was written reads back as another one")


def test_nothing_to_change(path: Path) -> None:
    before = path.stat().st_mtime_ns
    assert output("set", path, "general.name=Sample", "--in-place") == ""
    assert path.stat().st_mtime_ns == before


def test_what_is_shown_is_safe(path: Path) -> None:
    shown = process("set", path, "general.name=\x1b[31mred", "--dry-run").stdout.decode()
    assert "[31mred" in shown
    assert not raw_characters(shown)


def test_in_a_terminal(path: Path) -> None:
    status, shown = terminal("set", path, "general.name=other", "--in-place")
    assert status == 0
    assert "general.name" in shown
