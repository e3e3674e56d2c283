"""`kaitai-gguf set`: values from arguments, files and pipes, and warnings."""

import os
import shlex
import subprocess
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from support.commands import COMMAND, ENVIRONMENT, cells, fails, output, refused, run
from support.gguf_bytes import Array, Model

import kaitai_gguf
from cli.conftest import ROOT, Save
from cli.edited import DATA, small, types, value, warnings
from kaitai_gguf.cli import main
from kaitai_gguf.cli.commands.set import LONGEST


@pytest.fixture
def path(save: Save) -> Path:
    return small(save)


# Values


@pytest.mark.parametrize(
    ("assignment", "options", "type", "expected"),
    [
        # A key keeps its type.
        ("general.name=", "", "string", ""),
        ("general.name=5", "", "string", "5"),
        ("general.name=a=b", "", "string", "a=b"),
        ("general.name=@@home", "", "string", "@home"),
        ('general.name="quoted"', "", "string", '"quoted"'),
        ("general.name={{ messages }}", "", "string", "{{ messages }}"),
        ("x.scale=2", "", "float32", 2.0),
        ("x.scale=-Infinity", "", "float32", float("-inf")),
        ('x.scale="2.5"', "", "float32", 2.5),
        ("x.flag=FALSE", "", "bool", False),
        ("x.list=[3, -4, 5]", "", "int8[3]", [3, -4, 5]),
        ("x.list=[]", "", "int8[0]", []),
        ("llama.context_length=1e3", "", "uint64", 1000),
        # A new key gets its documented type.
        ("tokenizer.ggml.add_bos_token=True", "", "bool", True),
        ("split.count=3", "", "uint16", 3),
        ('llama.block_count="4"', "", "uint32", 4),
        ("llama.block_count=5000000000", "", "uint64", 5000000000),
        ("llama.attention.head_count_kv=[4, 8]", "", "int32[2]", [4, 8]),
        ("llama.rope.freq_base=10000", "", "float32", 10000.0),
        ("general.version=1.0", "", "string", "1.0"),
        # Any other key gets the type that its value looks like.
        ("llama.my_number=-1", "", "int32", -1),
        ("llama.my_text=some text", "", "string", "some text"),
        ("llama.my_flag=true", "", "bool", True),
        ("llama.my_list=[1, 0.5]", "", "float32[2]", [1.0, 0.5]),
        # The type is given.
        ("llama.context_length=8192", "--type uint32", "uint32", 8192),
        ("x.scale=5", "--type STRING", "string", "5"),
        ("llama.my_key=[1,", "--type string", "string", "[1,"),
        (f"llama.my_key={'[' * 5000}", "--type string", "string", "[" * 5000),
        ("llama.my_key=[1, 2]", "--type uint8[]", "uint8[2]", [1, 2]),
        ("llama.my_key=[]", "--type string[]", "string[0]", []),
        ("llama.my_key=[[1], []]", "--type uint8[]", "array[2]", [[1], []]),
        ("x.list=5", "--type int8", "int8", 5),
    ],
)
def test_a_value(path: Path, assignment: str, options: str, type: str, expected: Any) -> None:
    key = assignment.partition("=")[0]
    shown = output("set", path, assignment, *options.split(), "--in-place")
    assert [row[:2] for row in cells(shown)] == [["key", key]]
    assert (types(path)[key], value(path, key)) == (type, expected)
    with kaitai_gguf.open(path) as model:
        assert model.tensors["a"].data.tobytes() == DATA


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["general.name"], "general.name is not KEY=VALUE"),
        ([], "specify KEY=VALUE, --special-token or --chat-template"),
        (["=5"], "a key must not be empty"),
        (["x.scale=big"], "key 'x.scale': 'big' is a string, but the type is float32; --type changes the type"),
        (["x.scale=1e400"], "key 'x.scale': '1e400' is a string, but the type is float32"),
        (["x.scale=null"], "key 'x.scale': GGUF cannot store 'null'; --type string takes it as text"),
        (["x.list=5"], "key 'x.list': 5 is an integer, but the type is array of int8; --type changes the type"),
        (["x.list=[300]"], "key 'x.list': 300 does not fit int8"),
        (["x.flag=1"], "key 'x.flag': 1 is an integer, but the type is bool"),
        (["x.flag=yes"], "key 'x.flag': 'yes' is a string, but the type is bool"),
        (["llama.block_count=4.5"], "4.5 is a float, but the documented type is uint32 or uint64"),
        (["llama.my_key={{ messages }}"], "is not valid JSON; --type string takes it as text"),
        (['llama.my_key={"a": 1}'], "GGUF cannot store '{\"a\": 1}'; --type string takes it as text"),
        (['llama.my_key=[1, "a"]'], "the elements of an array must have one type, not int and str"),
        (["llama.my_key=[]"], "an empty array has no element type: give it one, for example with --type string[]"),
        (
            ['llama.my_key={"key": "a", "type": "array", "value": 1}'],
            "is not valid output of `metadata FILE KEY --json`",
        ),
        (["llama.my_key=[1,", "--type", "int8[]"], "expected int8[] as JSON, such as [1, 2], got '[1,'"),
        (["llama.my_key=a", "--type", "string[]"], """expected string[] as JSON, such as ["a", "b"], got 'a'"""),
        (["llama.my_key=[1]", "--type", "uint8"], "key 'llama.my_key': expected uint8, got '[1]'"),
        (["llama.my_key=x", "--type", "uint8"], "key 'llama.my_key': 'x' can't be uint8"),
        (["llama.my_key=1", "--type", "uint128"], "'uint128' is not one of"),
        (["general.alignment=7"], "expected a power of two"),
        (["general.name=@/missing/file"], "/missing/file: no such file"),
        (["general.name=@."], ".: Is a directory"),
    ],
)
def test_a_value_that_is_refused(path: Path, arguments: list[str], words: str) -> None:
    before = path.read_bytes()
    fails(words, "set", path, *arguments, "--in-place")
    assert path.read_bytes() == before


# Values from files


def test_values_from_files(path: Path, tmp_path: Path) -> None:
    (tmp_path / "template").write_bytes(b"any\xff bytes\n")
    (tmp_path / "list").write_text("[7,\n 8]\n")
    output("set", path, f"general.name=@{tmp_path}/template", f"x.list=@{tmp_path}/list", "--in-place")
    assert value(path, "x.list") == [7, 8]
    with kaitai_gguf.open(path) as model:
        assert model.metadata.raw("general.name") == b"any\xff bytes\n"


def test_values_from_files_are_as_long_as_a_string_may_be() -> None:
    """`set KEY=@FILE` reads at most as many bytes as the schema allows in a string, since devices may be endless."""
    schema = yaml.safe_load((ROOT / "schema" / "gguf.ksy").read_text())
    assert schema["types"]["length"]["seq"][1]["valid"]["max"] == LONGEST


def test_a_value_from_a_file_without_end(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr("kaitai_gguf.cli.commands.set.LONGEST", 5 << 20)
    large = tmp_path / "large"
    large.write_bytes(b"a" * ((5 << 20) + 1))
    for source in ("/dev/zero", large):
        words = f"{source}: is too large to be a value: it has more than 5,242,880 bytes"
        fails(words, "set", path, f"general.name=@{source}", "--in-place")
    os.truncate(large, 5 << 20)
    output("set", path, f"general.name=@{large}", "--in-place")
    assert value(path, "general.name") == "a" * (5 << 20)


@pytest.mark.parametrize(
    ("type", "content"),
    [
        ("uint64", 2**63),
        ("float32", float("nan")),
        ("string", b"any\xff bytes\n"),
        ("array", Array("float32", [0.1, float("-inf"), float("nan")])),
        ("array", Array("string", ["a", b"\xff", ""])),
        ("array", Array("string", [])),
        ("array", Array("array", [Array("int8", [1]), Array("string", ["a"]), Array("array", [])])),
        ("array", Array("uint16", list(range(100)))),
    ],
    ids=str,
)
def test_metadata_as_json_restores_a_value_and_its_type(type: str, content: Any, save: Save, tmp_path: Path) -> None:
    source = save(Model([("x.y", type, content)]), "source.gguf")
    target = save(Model([("x.other", "uint8", 1), ("x.text", "string", "")]), "target.gguf")
    document = output("metadata", source, "x.y", "--json")
    (tmp_path / "value.json").write_text(document)
    values = [f"{key}=@{tmp_path}/value.json" for key in ("x.y", "x.text")]
    assert run("set", target, *values, "--in-place").exit_code == 0
    with kaitai_gguf.open(source) as one, kaitai_gguf.open(target) as other:
        assert types(target)["x.y"] == types(source)["x.y"]
        assert one.metadata.raw("x.y") == other.metadata.raw("x.y")
        assert other.metadata["x.text"] == document


def test_the_standard_input_is_read_once(path: Path) -> None:
    for arguments in (["x.a=@-", "x.b=@-"], ["--chat-template", "-", "x.a=@-"]):
        result = CliRunner().invoke(main, ["set", str(path), *arguments, "--dry-run"], input=b"text")
        refused(result, "the standard input can be read only once")
    result = CliRunner().invoke(main, ["set", str(path), "general.name=@-", "--in-place"], input=b"text")
    assert (result.exit_code, value(path, "general.name")) == (0, "text")


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="the system has no named pipes")
def test_a_value_from_a_pipe(path: Path, tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = Thread(target=pipe.write_text, args=("piped " * 50_000,))
    writer.start()
    output("set", path, f"general.name=@{pipe}", "--in-place")
    writer.join()
    assert value(path, "general.name") == "piped " * 50_000
    fails(f"{pipe}: is a pipe that no program writes to", "set", path, f"general.name=@{pipe}", "--dry-run")


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="/bin/sh does not exist")
def test_a_standard_input_that_is_closed(path: Path) -> None:
    line = f"{shlex.join([*COMMAND, 'set', str(path), 'general.name=@-', '--in-place'])} <&-"
    done = subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, b"kaitai-gguf: -: the standard input is closed\n")


# Warnings


NOT_OURS = "and does not begin with the architecture, 'llama'"


@pytest.mark.parametrize(
    ("assignment", "warning"),
    [
        ("y.a=1", f"the key 'y.a' is not documented, {NOT_OURS}"),
        (
            "qwen.block_count=1",
            f"the key 'qwen.block_count' is not documented, {NOT_OURS}; did you mean 'llama.block_count'?",
        ),
        ("llama.vocab_sise=1", "the key 'llama.vocab_sise' is not documented; did you mean 'llama.vocab_size'?"),
        ("llama.pooling_type=9", "key 'llama.pooling_type': 9 is not a documented value; the documented ones are 0, 1"),
        ("tokenizer.ggml.model=gtp2", "key 'tokenizer.ggml.model': 'gtp2' is not a documented value; the documented"),
        ("llama.x=True", "key 'llama.x': 'True' is a string; write true for a bool"),
        ("llama.x=-1e400", "key 'llama.x': '-1e400' is a string: the number is too large for a float64"),
        ("x.scale=1", None),
        ("llama.my_key=1", None),
        ("llama.rope.scaling.type=yarn", None),
        ("general.base_model.0.name=a", None),
        ("general.description=True", None),
        ("llama.x=1e400x", None),
        ("llama.x=Infinity", None),
    ],
)
def test_a_warning(assignment: str, warning: str | None, path: Path) -> None:
    lines = warnings(path, assignment)
    assert [line[: len(warning or "")] for line in lines] == ([] if warning is None else [warning])


def test_a_model_without_an_architecture(save: Save) -> None:
    assert warnings(save(Model()), "y.a=1", "llama.block_count=4") == [
        "the key 'y.a' is not documented",
        "the key 'llama.block_count' is not documented",
    ]


def test_a_key_that_is_set_twice(path: Path) -> None:
    twice = ["general.name=a", "general.name=b"]
    assert warnings(path, *twice) == ["the key 'general.name' is set 2 times; the last value is used"]
    run("set", path, *twice, "--in-place")
    assert value(path, "general.name") == "b"
