"""`kaitai-gguf tokens`: all tokens, search, and special tokens."""

from pathlib import Path

import pytest
from support.commands import cells, fails, output, run, strict_json
from support.gguf_bytes import Array, Model

from cli.conftest import Save

TEXTS = ["<unk>", "<s>", "</s>", "<0x0A>", "hello", "hello world", "what?", "a\tb", "[x]", "★"]
KEY = "tokenizer.ggml"


def model(**others: object) -> Model:
    metadata = [
        (f"{KEY}.tokens", "array", Array("string", TEXTS)),
        (f"{KEY}.scores", "array", Array("float32", [0.0, -0.1, float("nan"), *[-3.5] * 7])),
        (f"{KEY}.token_type", "array", Array("int32", [2, 3, 3, 6, 1, 4, 5, 1, 0, 77])),
        (f"{KEY}.bos_token_id", "uint32", 1),
        (f"{KEY}.eos_token_id", "uint32", 2),
        (f"{KEY}.eot_token_id", "uint32", 2),
    ]
    return Model([*metadata, *((f"{KEY}.{name}", "uint32", value) for name, value in others.items())])


@pytest.fixture
def path(save: Save) -> Path:
    return save(model())


def ids(path: Path, *arguments: str) -> list[int]:
    rows = cells(output("tokens", path, *arguments))
    found = strict_json(output("tokens", path, *arguments, "--json"))
    assert [row[0] for row in rows] == [str(row["id"]) for row in found]
    return [row["id"] for row in found]


def test_all_of_them(path: Path) -> None:
    assert output("tokens", path).splitlines()[:5] == [
        "id\ttoken\tscore\ttype",
        "0\t<unk>\t0\tunknown",
        "1\t<s>\t-0.1\tcontrol",
        "2\t</s>\tnan\tcontrol",
        "3\t<0x0A>\t-3.5\tbyte",
    ]
    rows = strict_json(output("tokens", path, "--json"))
    assert [row["token"] for row in rows] == TEXTS
    assert rows[2] == {"id": 2, "token": "</s>", "score": "NaN", "type": "control"}
    assert rows[1]["score"] == -0.1
    assert [row["type"] for row in rows[3:]] == [
        "byte", "normal", "user defined", "unused", "normal", "undefined", "type 77",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("arguments", "found"),
    [
        (["hello"], [4, 5]),
        (["hello*"], [4, 5]),
        (["*hello"], [4]),
        (["?s"], []),
        (["<?>"], [1]),
        (["[x]"], [8]),
        (["t?"], []),
        (["--regex", r"^<.*>$"], [0, 1, 2, 3]),
        (["--regex", "★|\t"], [7, 9]),
        (["--id", "5"], [5]),
        (["--id", "8-100", "--id", "0-1"], [8, 9, 0, 1]),
        (["--id", "0-4", "<"], [0, 1, 2, 3]),
        (["--special"], [1, 2]),
        (["--special", "--id", "2-9"], [2]),
    ],
    ids=lambda value: " ".join(map(str, value)),
)
def test_a_search(arguments: list[str], found: list[int], path: Path) -> None:
    if found:
        assert ids(path, *arguments) == found
        return
    for options in ([], ["--json"]):
        result = run("tokens", path, *arguments, *options)
        assert (result.exit_code, result.stdout) == (1, "")
        assert result.stderr == f"kaitai-gguf: {path}: no token matches {arguments[-1]!r}\n"


def test_a_search_for_the_text_of_byte_level_tokens(save: Save) -> None:
    """`é` is two bytes in UTF-8, which GPT-2's byte-level encoding writes as two characters."""
    texts = ["\u0120the", "the", "\u010a", "caf\u00c3\u00a9", "\u00c3", "<|end|>", "★"]
    path = save(
        Model([(f"{KEY}.model", "string", "gpt2"), (f"{KEY}.tokens", "array", Array("string", texts))]),
    )
    for pattern, found in {" the": [0], "\u0120the": [0], "the": [0, 1], "\n": [2], "café": [3], "★": [6]}.items():
        assert ids(path, pattern) == found
    assert ids(path, "--regex", r"^\s") == [0, 2]
    result = run("tokens", path, "▁the")
    assert (result.exit_code, result.stderr) == (1, f"kaitai-gguf: {path}: no token matches '▁the'\n")


def test_a_search_with_a_space_finds_what_sentencepiece_writes(save: Save) -> None:
    texts = ["▁the", "the", "▁the▁cat"]
    path = save(Model([(f"{KEY}.model", "string", "llama"), (f"{KEY}.tokens", "array", Array("string", texts))]))
    assert ids(path, " the") == [0, 2]
    assert ids(path, " the*") == [0, 2]
    assert ids(path, "▁the") == [0, 2]


def test_roles(path: Path) -> None:
    assert cells(output("tokens", path, "--special")) == [
        ["1", "<s>", "-0.1", "control", "bos"],
        ["2", "</s>", "nan", "control", "eos, eot"],
    ]
    assert [row["roles"] for row in strict_json(output("tokens", path, "--special", "--json"))] == [
        ["bos"], ["eos", "eot"],
    ]  # fmt: skip


def test_a_role_of_no_token(save: Save) -> None:
    result = run("tokens", save(model(padding_token_id=99)), "--special")
    assert result.exit_code == 0
    assert result.stderr == f"kaitai-gguf: {KEY}.padding_token_id is 99, but there are only 10 tokens\n"


def test_wrong_arguments(path: Path) -> None:
    for words, arguments in {
        "is not an id or a range of ids": ["--id", "x"],
        "'5-2' is not an id": ["--id", "5-2"],
        "--regex needs a PATTERN": ["--regex"],
        "is not a regular expression": ["--regex", "("],
    }.items():
        fails(words, "tokens", path, *arguments)
    assert output("tokens", path, "--id", "0-99999999999") == output("tokens", path)
    result = run("tokens", path, "--id", "99999999999")
    assert (result.exit_code, result.stderr.count("\n")) == (1, 1)
    assert "has no token 99999999999: there are 10, numbered from 0" in result.stderr
    result = run("tokens", path, "--id", "10")
    assert (result.exit_code, result.stderr) == (
        1,
        f"kaitai-gguf: {path}: has no token 10: there are 10, numbered from 0\n",
    )


def test_tokens_alone(save: Save) -> None:
    path = save(Model([(f"{KEY}.tokens", "array", Array("string", ["a", "b"]))]))
    assert output("tokens", path) == "id\ttoken\tscore\ttype\n0\ta\t\t\n1\tb\t\t\n"
    assert strict_json(output("tokens", path, "--json"))[1] == {"id": 1, "token": "b", "score": None, "type": None}


def test_scores_of_other_tokens(save: Save) -> None:
    metadata = [
        (f"{KEY}.tokens", "array", Array("string", ["a", "b"])),
        (f"{KEY}.scores", "array", Array("float32", [1.0])),
    ]
    result = run("tokens", save(Model(metadata)))
    assert (result.exit_code, len(cells(result.stdout))) == (0, 2)
    assert result.stderr == f"kaitai-gguf: {KEY}.scores has 1 elements for 2 tokens, and is ignored\n"


def test_no_tokens(save: Save) -> None:
    path = save(Model())
    result = run("tokens", path)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"kaitai-gguf: {path}: has no tokens: no key '{KEY}.tokens' in the metadata\n"
    result = run("tokens", save(Model([(f"{KEY}.tokens", "uint8", 1)])))
    assert f"the value of '{KEY}.tokens' is not an array of strings" in result.stderr


def test_a_tokenizer_that_is_not_a_string(save: Save) -> None:
    rows = [(f"{KEY}.model", "array", Array("uint32", [1, 2])), (f"{KEY}.tokens", "array", Array("string", ["a"]))]
    path = save(Model(rows))
    result = run("tokens", path, "a")
    assert "a" in output("tokens", path)
    line = f"kaitai-gguf: {path}: key '{KEY}.model' is not a string: its type is array of uint32\n"
    assert (result.exit_code, result.stdout, result.stderr) == (2, "", line)
