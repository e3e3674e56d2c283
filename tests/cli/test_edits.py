"""The commands that edit a file: set, unset, rename-key and rename-tensor."""

import json
import shlex
import subprocess
from pathlib import Path
from typing import Any

import gguf
import pytest
import yaml
from click.testing import CliRunner
from support.commands import COMMAND, ENVIRONMENT, cells, fails, output, refused, run, strict_json
from support.gguf_bytes import Array, Model, TensorSpec

import kaitai_gguf
from cli.conftest import ROOT, Save
from kaitai_gguf.cli import main
from kaitai_gguf.cli.commands.set import LONGEST

TOKENS, EOS, TEMPLATE = "tokenizer.ggml.tokens", "tokenizer.ggml.eos_token_id", "tokenizer.chat_template"
ROWS: list[tuple[Any, ...]] = [
    ("general.architecture", "string", "llama"),
    ("general.name", "string", "Sample"),
    ("llama.context_length", "uint64", 4096),
    ("x.scale", "float32", 0.5),
    ("x.flag", "bool", 1),
    ("x.list", "array", Array("int8", [1, 2])),
    (TOKENS, "array", Array("string", ["<unk>", "<s>", "</s>", "<|im_end|>", "im_end", "</s>"])),
    (EOS, "uint32", 0),
    ("tokenizer.ggml.bos_token_id", "string", "zero"),
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
        result = model.metadata[key]
        return result if isinstance(result, str | int | float) else result.tolist()  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "command",
    [
        ["set", "general.name=other"],
        ["unset", "x.flag"],
        ["rename-key", "x.flag", "llama.x"],
        ["rename-tensor", "a", "b"],
    ],
    ids=lambda command: command[0],
)
def test_output_in_place_and_dry_runs(command: list[str], path: Path) -> None:
    name, *arguments = command
    before, target = path.read_bytes(), path.with_name("other.gguf")
    fails("specify --output FILE or --in-place", name, path, *arguments)
    fails("can't be given together", name, path, *arguments, "--in-place", "--output", "x")
    fails("--rewrite needs --in-place", name, path, *arguments, "--output", target, "--rewrite")
    wheres = ([], ["--in-place"], ["--output", target])
    printed = {run(name, path, *arguments, "--dry-run", *where).stdout for where in wheres}
    assert list(path.parent.iterdir()) == [path]
    assert run(name, path, *arguments, "--output", target).stdout in printed
    assert path.read_bytes() == before
    assert run(name, path, *arguments, "--output", path, "--force").stdout in printed
    assert path.read_bytes() == target.read_bytes() != before
    path.write_bytes(before)
    document = strict_json(output(name, path, *arguments, "--in-place", "--json"))
    assert document["written"] == {"file": str(path), "nbytes": path.stat().st_size}
    assert path.read_bytes() == target.read_bytes()
    assert len(printed) == 1


def test_what_was_written_is_read_back(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kaitai_gguf.Editor, "commit", lambda *_, **__: None)  # like a disk that loses the write
    fails("the header was not written correctly", "unset", path, "x.flag", "--in-place")


@pytest.mark.parametrize("command", [["set", "general.name=Sample"], ["rename-key", "x.flag", "x.flag"]])
def test_nothing_to_change(command: list[str], path: Path) -> None:
    before = path.stat().st_mtime_ns
    result = run(command[0], path, *command[1:], "--in-place")
    assert (result.exit_code, result.stdout, path.stat().st_mtime_ns) == (0, "", before)
    assert result.stderr.endswith("kaitai-gguf: nothing changes\n")


# unset and rename


def test_unset(path: Path) -> None:
    assert output("unset", path, "x.scale", "x.list", "--in-place") == (
        "what\tname\tchange\nkey\tx.scale\tremoved: float32 0.5\nkey\tx.list\tremoved: int8[2] [1, 2]\n"
    )
    fails("no key 'x.scale' in the metadata", "unset", path, "x.flag", "x.scale", "--in-place", status=1)
    fails("no key matches 'y.*'", "unset", path, "llama.*", "y.*", "--in-place", status=1)
    assert list(types(path))[:5] == ["general.architecture", "general.name", "llama.context_length", "x.flag", TOKENS]
    output("unset", path, "x.*", "x.flag", "general.n?me", "tokenizer.*", "--in-place")
    assert list(types(path)) == ["general.architecture", "llama.context_length"]


def test_rename_key(path: Path) -> None:
    before, names = types(path), ["x.list", "llama.x_list"]
    changes = strict_json(output("rename-key", path, *names, "--dry-run", "--json"))["changes"]
    assert [(row["key"], row["before"] is None) for row in changes["keys"]] == [
        ("x.list", False),
        ("llama.x_list", True),
    ]
    assert cells(output("rename-key", path, *names, "--in-place")) == [["key", "x.list", "renamed to llama.x_list"]]
    assert list(types(path).items()) == [(key.replace("x.list", "llama.x_list"), type) for key, type in before.items()]
    assert value(path, "llama.x_list") == [1, 2]
    words = "no key 'lama.x_list' in the metadata; did you mean 'llama.x_list'?"
    fails(words, "rename-key", path, "lama.x_list", "z", "--in-place", status=1)
    result = run("rename-key", path, "llama.context_length", "context_len", "--dry-run")
    assert "the key 'context_len' is not documented, and does not begin with the architecture" in result.stderr


def test_a_renamed_family_of_keys(path: Path) -> None:
    result = run("set", path, "general.architecture=qwen2", "--in-place")
    command = f"kaitai-gguf rename-key {path} 'llama.*' 'qwen2.*' --in-place"
    assert result.stderr == f"kaitai-gguf: readers of qwen2 ignore llama.context_length; rename them: {command}\n"
    changed = cells(output(*shlex.split(command)[1:]))
    assert changed == [["key", "llama.context_length", "renamed to qwen2.context_length"]]
    assert value(path, "qwen2.context_length") == 4096
    assert list(types(path))[:3] == ["general.architecture", "general.name", "qwen2.context_length"]


def test_rename_tensor(path: Path) -> None:
    assert cells(output("rename-tensor", path, "a", "b", "--in-place")) == [["tensor", "a", "renamed to b"]]
    with kaitai_gguf.open(path) as model:
        assert [(name, tensor.data.tobytes()) for name, tensor in model.tensors.items()] == [("b", DATA)]
    fails("no tensor 'B' in the file; did you mean 'b'?", "rename-tensor", path, "B", "c", "--in-place", status=1)


# set: values


@pytest.mark.parametrize(
    ("assignment", "options", "type", "expected"),
    [
        # A key keeps its type.
        ("general.name=a=b", "", "string", "a=b"),
        ("general.name=@@home", "", "string", "@home"),
        ('general.name="quoted"', "", "string", '"quoted"'),
        ("x.scale=-Infinity", "", "float32", float("-inf")),
        ('x.scale="2.5"', "", "float32", 2.5),
        ("x.flag=FALSE", "", "bool", False),
        ("x.list=[3, -4, 5]", "", "int8[3]", [3, -4, 5]),
        ("llama.context_length=1e3", "", "uint64", 1000),
        # A new key gets its documented type.
        ("tokenizer.ggml.add_bos_token=True", "", "bool", True),
        ('llama.block_count="4"', "", "uint32", 4),
        # Any other key gets the type that its value looks like.
        ("llama.my_text=some text", "", "string", "some text"),
        ("llama.my_list=[1, 0.5]", "", "float32[2]", [1.0, 0.5]),
        # The type is given.
        ("llama.context_length=8192", "--type uint32", "uint32", 8192),
        (f"llama.my_key={'[' * 5000}", "--type string", "string", "[" * 5000),
        ("llama.my_key=[1, 2]", "--type uint8[]", "uint8[2]", [1, 2]),
        ("llama.my_key=[]", "--type string[]", "string[0]", []),
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
        (["x.scale=null"], "key 'x.scale': GGUF cannot store 'null'; --type string takes it as text"),
        (["llama.my_key={{ messages }}"], "is not valid JSON; --type string takes it as text"),
        (["llama.my_key=[]"], "an empty array has no element type: give it one, for example with --type string[]"),
        (["llama.my_key=[1,", "--type", "int8[]"], "expected int8[] as JSON, such as [1, 2], got '[1,'"),
        (["llama.my_key=a", "--type", "string[]"], """expected string[] as JSON, such as ["a", "b"], got 'a'"""),
        (["--special-token", "end", "</s>"], "--special-token takes one of bos, "),
        (
            ["--special-token", "eos", "<im_end>"],
            f"key {EOS!r}: no token '<im_end>' in the vocabulary; did you mean '<|im_end|>'?",
        ),
        (
            [f"{TOKENS}=x", "--type", "string", "--special-token", "eos", "x"],
            f"the file has no vocabulary to look up 'x' in; set {EOS}=ID",
        ),
    ],
)
def test_a_value_that_is_refused(path: Path, arguments: list[str], words: str) -> None:
    before = path.read_bytes()
    fails(words, "set", path, *arguments, "--in-place")
    assert path.read_bytes() == before


# set: values from files


def test_values_from_files(path: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """At most as many bytes are read as the schema allows in a string."""
    schema = yaml.safe_load((ROOT / "schema" / "gguf.ksy").read_text())
    assert schema["types"]["length"]["seq"][1]["valid"]["max"] == LONGEST
    monkeypatch.setattr("kaitai_gguf.cli.commands.set.LONGEST", 2 << 20)
    words = "/dev/zero: is too large to be a value: it has more than 2,097,152 bytes"
    fails(words, "set", path, "general.name=@/dev/zero", "--in-place")
    (tmp_path / "large").write_bytes(b"a" * (2 << 20))
    (tmp_path / "list").write_text("[7,\n 8]\n")
    output("set", path, f"general.name=@{tmp_path}/large", f"x.list=@{tmp_path}/list", "--in-place")
    assert (value(path, "general.name"), value(path, "x.list")) == ("a" * (2 << 20), [7, 8])


@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="/bin/sh does not exist")
def test_the_standard_input(path: Path) -> None:
    for arguments in (["x.a=@-", "x.b=@-"], ["--chat-template", "-", "x.a=@-"]):
        result = CliRunner().invoke(main, ["set", str(path), *arguments, "--dry-run"], input=b"text")
        refused(result, "the standard input can be read only once")
    result = CliRunner().invoke(main, ["set", str(path), "general.name=@-", "--in-place"], input=b"text")
    assert (result.exit_code, value(path, "general.name")) == (0, "text")
    line = f"{shlex.join([*COMMAND, 'set', str(path), 'general.name=@-', '--in-place'])} <&-"
    done = subprocess.run(["/bin/sh", "-c", line], env=ENVIRONMENT, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (2, b"kaitai-gguf: -: the standard input is closed\n")


# set: warnings


def warnings(path: Path, *arguments: str) -> list[str]:
    result = run("set", path, *arguments, "--dry-run")
    assert result.exit_code == 0
    return [line.removeprefix("kaitai-gguf: ") for line in result.stderr.splitlines()]


@pytest.mark.parametrize(
    ("assignment", "warning"),
    [
        ("y.a=1", "the key 'y.a' is not documented, and does not begin with the architecture, 'llama'"),
        ("llama.vocab_sise=1", "the key 'llama.vocab_sise' is not documented; did you mean 'llama.vocab_size'"),
        ("llama.pooling_type=9", "key 'llama.pooling_type': 9 is not a documented value; the documented ones are 0, 1"),
        ("llama.x=True", "key 'llama.x': 'True' is a string; write true for a bool"),
        ("llama.x=-1e400", "key 'llama.x': '-1e400' is a string: the number is too large for a float64"),
        ("llama.my_key=1", None),
    ],
)
def test_a_warning(assignment: str, warning: str | None, path: Path) -> None:
    assert [line[: len(warning or "")] for line in warnings(path, assignment)] == ([warning] if warning else [])


# set: special tokens and chat templates


def test_special_tokens_by_their_text(path: Path) -> None:
    tokens = {"eos": "<|im_end|>", "sep": "</s>", "pad": "im_end", "bos": "<s>"}
    options = [word for item in tokens.items() for word in ("--special-token", *item)]
    assert cells(output("set", path, *options, "--dry-run")) == [
        ["key", EOS, "uint32 0 → uint32 3"],
        ["key", "tokenizer.ggml.bos_token_id", 'string "zero" → uint32 1'],
        ["key", "tokenizer.ggml.seperator_token_id", "added: uint32 2"],
        ["key", "tokenizer.ggml.padding_token_id", "added: uint32 4"],
    ]
    shown = output("set", path, f'{TOKENS}=["a", "b"]', "--special-token", "eos", "b", "--dry-run")
    assert f"{EOS}\tuint32 0 → uint32 1" in shown  # the new vocabulary counts


@pytest.mark.parametrize(
    ("name", "content"),
    [("template", "a {{ b }}\r\n"), ("x.JSON", json.dumps({"eos_token": "</s>", "chat_template": "a {{ b }}\r\n"}))],
)
def test_a_chat_template_from_a_file(name: str, content: str, path: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(content.encode())
    output("set", path, "--chat-template", tmp_path / name, "--in-place")
    assert value(path, TEMPLATE) == "a {{ b }}\r\n"


def test_several_chat_templates_are_set_the_way_gguf_py_does_and_replace_all_others(path: Path, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    for names in (("default", "tool-use", "rag"), ("rag",), ("default",)):
        named = [{"name": name, "template": f"{{{{ {name} }}}}"} for name in names]
        config.write_text(json.dumps({"chat_template": named}))
        output("set", path, "--chat-template", config, "--in-place")
        writer = gguf.GGUFWriter(tmp_path / "other.gguf", "llama")
        writer.add_chat_template(named)
        expected = {key: field.value for key, field in writer.kv_data[0].items() if key.startswith("tokenizer")}
        result = {key: value(path, key) for key in types(path) if key.startswith("tokenizer.chat")}
        for values in (result, expected):
            values["tokenizer.chat_templates"] = sorted(values.get("tokenizer.chat_templates", []))
        assert result == expected


def test_a_document_without_a_chat_template(path: Path, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    for text in ("[]", '{"chat_template": [1, {"name": 5}, {"name": "", "template": "a"}]}', "{"):
        config.write_text(text)
        words = "is not valid JSON" if text == "{" else "has no chat_template"
        fails(f"kaitai-gguf: {config}: {words}", "set", path, "--chat-template", config, "--in-place")


def test_the_last_of_several_values_of_a_key_is_used(path: Path, tmp_path: Path) -> None:
    """Options are applied after assignments."""
    (tmp_path / "chat").write_text("new")
    arguments = ["--special-token", "eos", "</s>", f"{EOS}=1", "--chat-template", str(tmp_path / "chat")]
    arguments += [f"{TEMPLATE}=old", "general.name=a", "general.name=b"]
    assert warnings(path, *arguments) == [
        f"the key {EOS!r} is set 2 times; the value of --special-token is used",
        f"the key {TEMPLATE!r} is set 2 times; the value of --chat-template is used",
        "the key 'general.name' is set 2 times; the last value is used",
    ]
    run("set", path, *arguments, "--in-place")
    assert [value(path, key) for key in (EOS, TEMPLATE, "general.name")] == [2, "new", "b"]
