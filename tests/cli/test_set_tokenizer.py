"""`kaitai-gguf set`: special tokens by their text, and chat templates from files."""

import json
from pathlib import Path

import pytest
from support.commands import cells, output, refused, run
from support.gguf_bytes import Array, Model

from cli.conftest import Save
from cli.edited import small, types, value, warnings


@pytest.fixture
def path(save: Save) -> Path:
    return small(save)


# Tokenizers


@pytest.fixture
def with_tokens(save: Save) -> Path:
    tokens = ["<unk>", "<s>", "</s>", "<|im_end|>", "im_end", "</s>"]
    return save(
        Model(
            [
                ("general.architecture", "string", "llama"),
                ("tokenizer.ggml.tokens", "array", Array("string", tokens)),
                ("tokenizer.ggml.token_type", "array", Array("int32", [2, 3, 3, 4, 1, 1])),
                ("tokenizer.ggml.eos_token_id", "uint32", 0),
            ]
        ),
        "with_tokens.gguf",
    )


def test_a_special_token_by_its_text(with_tokens: Path) -> None:
    tokens = ["--special-token", "eos", "<|im_end|>", "--special-token", "sep", "</s>"]
    assert cells(output("set", with_tokens, *tokens, "--special-token", "pad", "im_end", "--in-place")) == [
        ["key", "tokenizer.ggml.eos_token_id", "uint32 0 → uint32 3"],
        ["key", "tokenizer.ggml.seperator_token_id", "added: uint32 2"],
        ["key", "tokenizer.ggml.padding_token_id", "added: uint32 4"],
    ]


def test_a_special_token_that_does_not_exist(with_tokens: Path, path: Path) -> None:
    result = run("set", with_tokens, "--special-token", "eos", "<im_end>", "--dry-run")
    words = "key 'tokenizer.ggml.eos_token_id': no token '<im_end>' in the vocabulary; did you mean '<|im_end|>'?"
    refused(result, words)
    refused(
        run("set", with_tokens, "--special-token", "end", "</s>", "--dry-run"), "--special-token takes one of bos, "
    )
    result = run("set", path, "--special-token", "eos", "</s>", "--dry-run")
    refused(result, "the file has no vocabulary to look up '</s>' in; set tokenizer.ggml.eos_token_id=ID")


def test_a_special_token_of_a_vocabulary_that_is_set_as_well(with_tokens: Path) -> None:
    shown = output("set", with_tokens, 'tokenizer.ggml.tokens=["a", "b"]', "--special-token", "eos", "b", "--dry-run")
    assert "tokenizer.ggml.eos_token_id\tuint32 0 → uint32 1" in shown


TEMPLATE = "{{ messages }}\r\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("chat_template.jinja", TEMPLATE),
        ("template", TEMPLATE),
        ("tokenizer_config.json", json.dumps({"eos_token": "</s>", "chat_template": TEMPLATE})),
        ("chat_template.json", json.dumps({"chat_template": [{"name": "default", "template": TEMPLATE}]})),
    ],
)
def test_a_chat_template_from_a_file(name: str, text: str, path: Path, tmp_path: Path) -> None:
    (tmp_path / name).write_bytes(text.encode())
    output("set", path, "--chat-template", tmp_path / name, "--in-place")
    assert value(path, "tokenizer.chat_template") == TEMPLATE
    assert "tokenizer.chat_templates" not in types(path)


def test_several_chat_templates_are_set_the_way_gguf_py_does(path: Path, tmp_path: Path) -> None:
    import gguf

    named = [{"name": name, "template": f"{{{{ {name} }}}}"} for name in ("default", "tool-use", "rag")]
    config = tmp_path / "tokenizer_config.json"
    config.write_text(json.dumps({"chat_template": named}))
    output("set", path, "--chat-template", config, "--in-place")
    writer = gguf.GGUFWriter(tmp_path / "other.gguf", "llama")
    writer.add_chat_template(named)
    expected = {key: field.value for key, field in writer.kv_data[0].items() if key.startswith("tokenizer")}
    assert len(expected) == 4
    found = {key: value(path, key) for key in expected}
    for values in (found, expected):
        values["tokenizer.chat_templates"] = sorted(values["tokenizer.chat_templates"])
    assert found == expected


def test_chat_templates_replace_all_that_there_are(path: Path, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    for names in (("default", "tool_use"), ("rag",), ("default",)):
        config.write_text(json.dumps({"chat_template": [{"name": name, "template": name} for name in names]}))
        output("set", path, "--chat-template", config, "--in-place")
        keys = {"tokenizer.chat_template" + (f".{name}" if name != "default" else "") for name in names}
        others = [name for name in names if name != "default"]
        found = {key for key in types(path) if key.startswith("tokenizer.chat_template")}
        assert found == keys | ({"tokenizer.chat_templates"} if others else set())


def test_a_special_token_is_an_id_whatever_was_there(with_tokens: Path) -> None:
    output("set", with_tokens, "tokenizer.ggml.bos_token_id=zero", "--type", "string", "--in-place")
    output("set", with_tokens, "--special-token", "bos", "</s>", "--in-place")
    assert (types(with_tokens)["tokenizer.ggml.bos_token_id"], value(with_tokens, "tokenizer.ggml.bos_token_id")) == (
        "uint32",
        2,
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("{}", "has no chat_template"),
        ("[]", "has no chat_template"),
        ('{"chat_template": 5}', "has no chat_template"),
        ('{"chat_template": [{"name": 5}]}', "has no chat_template"),
        ("{", "is not valid JSON"),
    ],
)
def test_a_document_without_a_chat_template(text: str, words: str, path: Path, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    config.write_text(text)
    refused(run("set", path, "--chat-template", config, "--in-place"), f"kaitai-gguf: {config}: {words}")


def test_nothing_to_set(path: Path) -> None:
    refused(run("set", path, "--in-place"), "specify KEY=VALUE, --special-token or --chat-template")


def test_options_win_over_assignments(with_tokens: Path, tmp_path: Path) -> None:
    (tmp_path / "chat").write_text("new")
    key = "tokenizer.ggml.eos_token_id"
    arguments = ["--special-token", "eos", "</s>", f"{key}=1", "--chat-template", str(tmp_path / "chat")]
    arguments.append("tokenizer.chat_template=old")
    assert warnings(with_tokens, *arguments) == [
        f"the key {key!r} is set 2 times; the value of --special-token is used",
        "the key 'tokenizer.chat_template' is set 2 times; the value of --chat-template is used",
    ]
    run("set", with_tokens, *arguments, "--in-place")
    assert (value(with_tokens, key), value(with_tokens, "tokenizer.chat_template")) == (2, "new")
