"""`kaitai-gguf set`: special tokens by their text, and chat templates from files."""

import json
from pathlib import Path

import gguf
import pytest
from support.commands import cells, fails, output, run
from support.gguf_bytes import Array, Model

from cli.conftest import Save
from cli.edited import small, types, value, warnings

EOS = "tokenizer.ggml.eos_token_id"


@pytest.fixture
def path(save: Save) -> Path:
    """A file with a vocabulary."""
    tokens = ["<unk>", "<s>", "</s>", "<|im_end|>", "im_end", "</s>"]
    return save(
        Model(
            [
                ("general.architecture", "string", "llama"),
                ("tokenizer.ggml.tokens", "array", Array("string", tokens)),
                (EOS, "uint32", 0),
                ("tokenizer.ggml.bos_token_id", "string", "zero"),
            ]
        ),
        "with_tokens.gguf",
    )


def test_special_tokens_by_their_text(path: Path) -> None:
    tokens = {"eos": "<|im_end|>", "sep": "</s>", "pad": "im_end", "bos": "<s>"}
    options = [word for item in tokens.items() for word in ("--special-token", *item)]
    assert cells(output("set", path, *options, "--in-place")) == [
        ["key", EOS, "uint32 0 → uint32 3"],
        ["key", "tokenizer.ggml.bos_token_id", 'string "zero" → uint32 1'],
        ["key", "tokenizer.ggml.seperator_token_id", "added: uint32 2"],
        ["key", "tokenizer.ggml.padding_token_id", "added: uint32 4"],
    ]


def test_a_special_token_of_a_vocabulary_that_is_set_as_well(path: Path) -> None:
    shown = output("set", path, 'tokenizer.ggml.tokens=["a", "b"]', "--special-token", "eos", "b", "--dry-run")
    assert f"{EOS}\tuint32 0 → uint32 1" in shown


def test_a_special_token_that_does_not_exist(path: Path, save: Save) -> None:
    words = f"key {EOS!r}: no token '<im_end>' in the vocabulary; did you mean '<|im_end|>'?"
    fails(words, "set", path, "--special-token", "eos", "<im_end>", "--dry-run")
    fails("--special-token takes one of bos, ", "set", path, "--special-token", "end", "</s>", "--dry-run")
    words = f"the file has no vocabulary to look up '</s>' in; set {EOS}=ID"
    fails(words, "set", small(save), "--special-token", "eos", "</s>", "--dry-run")


TEMPLATE = "{{ messages }}\r\n"


@pytest.mark.parametrize(
    ("name", "text"),
    [
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


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("[]", "has no chat_template"),
        ('{"chat_template": 5}', "has no chat_template"),
        ('{"chat_template": [1, {"name": 5}, {"name": "", "template": "a"}]}', "has no chat_template"),
        ("{", "is not valid JSON"),
    ],
)
def test_a_document_without_a_chat_template(text: str, words: str, path: Path, tmp_path: Path) -> None:
    config = tmp_path / "tokenizer_config.json"
    config.write_text(text)
    fails(f"kaitai-gguf: {config}: {words}", "set", path, "--chat-template", config, "--in-place")


def test_options_win_over_assignments(path: Path, tmp_path: Path) -> None:
    (tmp_path / "chat").write_text("new")
    arguments = ["--special-token", "eos", "</s>", f"{EOS}=1", "--chat-template", str(tmp_path / "chat")]
    arguments.append("tokenizer.chat_template=old")
    assert warnings(path, *arguments) == [
        f"the key {EOS!r} is set 2 times; the value of --special-token is used",
        "the key 'tokenizer.chat_template' is set 2 times; the value of --chat-template is used",
    ]
    run("set", path, *arguments, "--in-place")
    assert (value(path, EOS), value(path, "tokenizer.chat_template")) == (2, "new")
