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
from support.commands import COMMAND, ENVIRONMENT, cells, output, refused, run
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
        ("x.flag=False", "bool", False),
        ("x.flag=FALSE", "bool", False),
        ("tokenizer.ggml.add_bos_token=True", "bool", True),
        ("x.list=[3, -4, 5]", "int8[3]", [3, -4, 5]),
        ("x.list=[]", "int8[0]", []),
        ('x.texts=["b", "c"]', "string[2]", ["b", "c"]),
        ("split.count=3", "uint16", 3),
        ('llama.block_count="4"', "uint32", 4),
        ("llama.block_count=5000000000", "uint64", 5000000000),
        ("llama.attention.head_count_kv=[4, 8]", "int32[2]", [4, 8]),
        ("llama.attention.sliding_window_pattern=[true, false]", "bool[2]", [True, False]),
        ("llama.rope.freq_base=10000", "float32", 10000.0),
        ('x.scale="2.5"', "float32", 2.5),
        ("general.version=1.0", "string", "1.0"),
        ("llama.my_number=-1", "int32", -1),
        ("llama.my_number=5000000000", "uint64", 5000000000),
        ("llama.my_text=some text", "string", "some text"),
        ("llama.my_flag=true", "bool", True),
        ("llama.my_list=[1, 0.5]", "float32[2]", [1.0, 0.5]),
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
        ("llama.my_key=1", "float64", "float64", 1.0),
        ("llama.my_key=[1, 2]", "uint8[]", "uint8[2]", [1, 2]),
        ("llama.my_key=[]", "string[]", "string[0]", []),
        ("llama.my_key=[[1], []]", "uint8[]", "array[2]", [[1], []]),
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
    """`set KEY=@FILE` reads at most as many bytes as the schema allows in a string, since devices may be endless."""
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


@pytest.mark.parametrize(
    ("type", "content"),
    [
        ("uint64", 2**63),
        ("bool", 1),
        ("float32", float("nan")),
        ("string", b"any\xff bytes\n"),
        ("array", Array("int8", [1, -2])),
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
    target = save(Model([("x.other", "uint8", 1)]), "target.gguf")
    (tmp_path / "value.json").write_text(output("metadata", source, "x.y", "--json"))
    assert run("set", target, f"x.y=@{tmp_path}/value.json", "--in-place").exit_code == 0
    with kaitai_gguf.open(source) as one, kaitai_gguf.open(target) as other:
        assert one.metadata.entry("x.y").element_type == other.metadata.entry("x.y").element_type
        assert one.metadata.entry("x.y").value_type == other.metadata.entry("x.y").value_type
        assert one.metadata.raw("x.y") == other.metadata.raw("x.y")


def test_a_document_for_a_text_stays_a_text(path: Path, tmp_path: Path) -> None:
    document = output("metadata", path, "x.list", "--json")
    (tmp_path / "value.json").write_text(document)
    output("set", path, f"general.name=@{tmp_path}/value.json", "--in-place")
    assert value(path, "general.name") == document


def test_the_standard_input_is_read_once(path: Path, tmp_path: Path) -> None:
    before = path.read_bytes()
    for arguments in (["x.a=@-", "x.b=@-"], ["--chat-template", "-", "x.a=@-"]):
        result = CliRunner().invoke(main, ["set", str(path), *arguments, "--in-place"], input=b"text")
        refused(result, "the standard input can be read only once")
    assert path.read_bytes() == before
    for arguments in (["diff", "-", "-"], ["check", "-", "/dev/null", "-"]):
        result = CliRunner().invoke(main, arguments, input=before)
        assert result.exit_code == (2 if arguments[0] == "diff" else result.exit_code)
        assert ("the standard input can be read only once" in result.stderr) == (arguments[0] == "diff")


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


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="/bin/sh does not exist")
def test_a_standard_input_that_is_closed(path: Path) -> None:
    line = f"{shlex.join([*COMMAND, 'set', str(path), 'general.name=@-', '--in-place'])} <&-"
    done = subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, b"kaitai-gguf: -: the standard input is closed\n")
    assert value(path, "general.name") == "Sample"


def test_several_values(path: Path) -> None:
    output("set", path, "general.name=x", "llama.my_a=1", "llama.my_b=2", "--in-place")
    assert [value(path, key) for key in ("general.name", "llama.my_a", "llama.my_b")] == ["x", 1, 2]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["general.name"], "general.name is not KEY=VALUE"),
        (["=5"], "a key must not be empty"),
        (["x.scale=big"], "key 'x.scale': expected float32, got 'big'; --type changes the type"),
        (["x.scale=1e400"], "key 'x.scale': expected float32, got '1e400'"),
        (["x.scale=1e39"], "key 'x.scale': 1e+39 is too large for float32"),
        (["x.list=5"], "key 'x.list': expected int8[] as JSON, such as [1, 2], got '5'; --type changes the type"),
        (["x.list=[300]"], "key 'x.list': 300 does not fit int8"),
        (["x.flag=1"], "key 'x.flag': expected bool: true or false, got '1'; --type changes the type"),
        (["llama.context_length=-1"], "-1 does not fit uint64"),
        (["llama.context_length=[1]"], "key 'llama.context_length': expected uint64, got '[1]'"),
        (["x.scale=null"], "key 'x.scale': expected float32, got 'null'"),
        (['x.scale={"a": 1}'], "key 'x.scale': expected float32"),
        (["llama.my_key=null"], "key 'llama.my_key': GGUF cannot store 'null'; --type string takes it as text"),
        (['llama.my_key=[{"a": 1}]'], "GGUF cannot store '[{\"a\": 1}]'; --type string takes it as text"),
        (["llama.my_key=[1,"], "key 'llama.my_key': '[1,' is not valid JSON; --type string takes it as text"),
        (["llama.my_key={{ messages }}"], "is not valid JSON; --type string takes it as text"),
        (['llama.my_key="quoted" text'], "is not valid JSON; --type string takes it as text"),
        (["llama.my_key=[1,", "--type", "int8[]"], "expected int8[] as JSON, such as [1, 2], got '[1,'"),
        (["llama.block_count=-1"], "key 'llama.block_count': -1 does not fit uint32"),
        (["llama.block_count=4.5"], "key 'llama.block_count': expected uint32 or uint64, got '4.5'"),
        (["llama.block_count=1e3"], "key 'llama.block_count': expected uint32 or uint64, got '1e3'"),
        (["llama.block_count=true"], "key 'llama.block_count': expected uint32 or uint64, got 'true'"),
        (["x.flag=yes"], "key 'x.flag': expected bool: true or false, got 'yes'"),
        (["x.list=[true]"], "key 'x.list': expected int8[] as JSON, such as [1, 2], got '[true]'"),
        (['x.list=[1, "a"]'], """key 'x.list': expected int8[] as JSON, such as [1, 2], got '[1, "a"]'"""),
        (
            ['llama.my_key=[1, "a"]'],
            "all elements of an array must have the same type, not number and string",
        ),
        (
            ["llama.my_key=[[1, true]]"],
            "all elements of an array must have the same type, not bool and number",
        ),
        (["llama.block_count=[4]"], "key 'llama.block_count': expected uint32 or uint64, got '[4]'"),
        (["tokenizer.ggml.tokens=a"], """expected string[] as JSON, such as ["a", "b"], got 'a'"""),
        (
            ['llama.my_key={"key": "a", "type": "array", "value": 1}'],
            "is not valid output of `metadata FILE KEY --json`",
        ),
        (["llama.my_key=[]"], "an empty array needs a type, such as --type string[]"),
        (["llama.my_key=1", "--type", "uint8[]"], "expected uint8[] as JSON, such as [1, 2], got '1'"),
        (["llama.my_key=[1]", "--type", "uint8"], "key 'llama.my_key': expected uint8, got '[1]'"),
        (["llama.my_key=x", "--type", "uint8"], "key 'llama.my_key': expected uint8, got 'x'"),
        (["llama.my_key=1", "--type", "uint128"], "'uint128' is not one of"),
        (["general.alignment=7"], "expected a power of two"),
        (["general.name=@/missing/file"], "/missing/file: no such file"),
    ],
)
def test_values_that_can_not_be(path: Path, arguments: list[str], words: str) -> None:
    before = path.read_bytes()
    result = run("set", path, *arguments, "--in-place")
    refused(result, words)
    assert path.read_bytes() == before


@pytest.mark.parametrize("text", ["[" * 5000, "{{ messages }}", "null"])
def test_what_is_not_json_can_be_a_text(text: str, path: Path) -> None:
    output("set", path, f"llama.my_key={text}", "--type", "string", "--in-place")
    assert value(path, "llama.my_key") == text
    output("set", path, f"general.name={text}", "--in-place")
    assert value(path, "general.name") == text


# Warnings


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("y.a", ", and does not begin with the architecture, 'llama'"),
        ("block_count", ", and does not begin with the architecture, 'llama'; did you mean 'llama.block_count'?"),
        ("qwen.block_count", ", and does not begin with the architecture, 'llama'; did you mean 'llama.block_count'?"),
        ("llama.vocab_sise", "; did you mean 'llama.vocab_size'?"),
        ("general.licence", "; did you mean 'general.license'"),
    ],
)
def test_a_new_key_that_is_not_documented(key: str, words: str, path: Path) -> None:
    (line,) = warnings(path, f"{key}=1")
    if key == "general.licence":
        assert line.startswith(f"the key {key!r} is not documented, and does not begin with the architecture")
        assert words in line
    else:
        assert line == f"the key {key!r} is not documented{words}"


@pytest.mark.parametrize(
    "assignment",
    [
        "x.scale=1",
        "llama.my_key=1",
        "llama.rope.scaling.type=yarn",
        "general.base_model.0.name=a",
        "general.file_type=7",
    ],
)
def test_nothing_to_warn_of(assignment: str, path: Path) -> None:
    assert warnings(path, assignment) == []


def test_a_model_without_an_architecture(save: Save) -> None:
    assert warnings(save(Model()), "y.a=1", "llama.block_count=4") == [
        "the key 'y.a' is not documented",
        "the key 'llama.block_count' is not documented",
    ]


@pytest.mark.parametrize(
    ("assignment", "words"),
    [
        (
            "llama.rope.scaling.type=bogus",
            "'bogus' is not a documented value; the documented ones are none, linear,",
        ),
        ("llama.pooling_type=9", "9 is not a documented value; the documented ones are 0, 1, 2, 3, 4"),
        ("tokenizer.ggml.model=gtp2", "'gtp2' is not a documented value; the documented ones are llama, gpt2, "),
        ("general.file_type=4", "4 is not a documented value; the documented ones are 0, 1, 2, 3, 7, "),
    ],
)
def test_a_value_that_is_not_documented(assignment: str, words: str, path: Path) -> None:
    (line,) = warnings(path, assignment)
    assert line.startswith(f"key {assignment.partition('=')[0]!r}: {words}")


def test_a_key_that_is_set_twice(path: Path) -> None:
    assert warnings(path, "general.name=a", "general.name=b") == [
        "the key 'general.name' is set 2 times; the last value is used"
    ]
    run("set", path, "general.name=a", "general.name=b", "--in-place")
    assert value(path, "general.name") == "b"


def test_a_new_text_that_looks_like_a_bool(path: Path) -> None:
    assert warnings(path, "llama.x=True") == ["key 'llama.x': 'True' is a string; write true for a bool"]
    for arguments in (["llama.x=true"], ["llama.x=True", "--type", "STRING"], ["general.description=True"]):
        assert warnings(path, *arguments) == []


def test_a_new_number_that_is_too_large(path: Path) -> None:
    line = "key 'llama.x': '-1e400' is a string: the number is too large for a float64"
    assert warnings(path, "llama.x=-1e400") == [line]
    for arguments in (["llama.x=1e400", "--type", "string"], ["llama.x=1e400x"], ["llama.x=Infinity"]):
        assert warnings(path, *arguments) == []
