"""`kaitai-gguf tokens`: all tokens, search, and special tokens."""

from pathlib import Path
from typing import Any

import pytest
from support.commands import cells, fails, output, run, strict_json
from support.gguf_bytes import Array, Model

from cli.conftest import Save

TEXTS = ["<unk>", "<s>", "</s>", "<0x0A>", "hello", "hello world", "what?", "a\tb", "[x]", "★"]
# `é` is two bytes in UTF-8, which GPT-2's byte-level encoding writes as two characters.
BYTE_LEVEL = ["\u0120the", "the", "\u010a", "caf\u00c3\u00a9", "\u00c3", "<|end|>", "★"]
KEY = "tokenizer.ggml"


def model(texts: list[str], **others: Any) -> Model:
    """Return a model with tokens and other keys of the tokenizer: strings, numbers, and arrays."""
    types = {str: "string", int: "uint32", Array: "array"}
    rows = [(f"{KEY}.{name}", types[type(value)], value) for name, value in others.items()]
    return Model([(f"{KEY}.tokens", "array", Array("string", texts)), *rows])


@pytest.fixture
def path(save: Save) -> Path:
    scores = Array("float32", [0.0, -0.1, float("nan"), *[-3.5] * 7])
    types = Array("int32", [2, 3, 3, 6, 1, 4, 5, 1, 0, 77])
    return save(model(TEXTS, scores=scores, token_type=types, bos_token_id=1, eos_token_id=2, eot_token_id=2))


def ids(path: Path, *arguments: str) -> list[int]:
    rows = strict_json(output("tokens", path, *arguments, "--json"))
    assert [row[0] for row in cells(output("tokens", path, *arguments))] == [str(row["id"]) for row in rows]
    return [row["id"] for row in rows]


def test_all_tokens(path: Path) -> None:
    assert output("tokens", path).splitlines()[:4] == [
        "id\ttoken\tscore\ttype",
        "0\t<unk>\t0\tunknown",
        "1\t<s>\t-0.1\tcontrol",
        "2\t</s>\tnan\tcontrol",
    ]
    rows = strict_json(output("tokens", path, "--json"))
    assert [row["token"] for row in rows] == TEXTS
    assert rows[1] == {"id": 1, "token": "<s>", "score": -0.1, "type": "control"}
    assert rows[2]["score"] == "NaN"
    types = ["byte", "normal", "user defined", "unused", "normal", "undefined", "type 77"]
    assert [row["type"] for row in rows[3:]] == types


def test_tokens_without_scores_and_types(save: Save) -> None:
    path = save(model(["a", "b"]))
    assert output("tokens", path) == "id\ttoken\tscore\ttype\n0\ta\t\t\n1\tb\t\t\n"
    assert strict_json(output("tokens", path, "--json"))[1] == {"id": 1, "token": "b", "score": None, "type": None}
    shown = output("tokens", path)
    result = run("tokens", save(model(["a", "b"], scores=Array("float32", [1.0]))))
    assert (result.exit_code, result.stdout) == (0, shown)
    assert result.stderr == f"kaitai-gguf: {KEY}.scores has 1 elements for 2 tokens, and is ignored\n"


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["hello"], [4, 5]),
        (["*hello"], [4]),
        (["<?>"], [1]),
        (["[x]"], [8]),
        (["--regex", r"^<.*>$"], [0, 1, 2, 3]),
        (["--id", "8-99999999999", "--id", "9", "--id", "0-1"], [8, 9, 0, 1]),
        (["--id", "0-4", "<"], [0, 1, 2, 3]),
        (["--special", "--id", "2-9"], [2]),
    ],
    ids=str,
)
def test_a_search(arguments: list[str], expected: list[int], path: Path) -> None:
    assert ids(path, *arguments) == expected


def test_a_search_for_decoded_text(save: Save) -> None:
    path = save(model(BYTE_LEVEL, model="gpt2"))
    searches = {" the": [0], "\u0120the": [0], "the": [0, 1], "\n": [2], "café": [3], "★": [6]}
    assert {pattern: ids(path, pattern) for pattern in searches} == searches
    path = save(model(["▁the", "the", "▁the▁cat"], model="llama"))
    assert [ids(path, pattern) for pattern in (" the", " the*", "▁the")] == [[0, 2]] * 3


def test_roles(path: Path, save: Save) -> None:
    assert cells(output("tokens", path, "--special")) == [
        ["1", "<s>", "-0.1", "control", "bos"],
        ["2", "</s>", "nan", "control", "eos, eot"],
    ]
    roles = [row["roles"] for row in strict_json(output("tokens", path, "--special", "--json"))]
    assert roles == [["bos"], ["eos", "eot"]]
    result = run("tokens", save(model(["a"], bos_token_id=0, padding_token_id=1)), "--special")
    assert (result.exit_code, cells(result.stdout)) == (0, [["0", "a", "", "", "bos"]])
    assert result.stderr == f"kaitai-gguf: {KEY}.padding_token_id is 1, but there are only 1 tokens\n"


def test_files_without_a_vocabulary(save: Save) -> None:
    fails(f"has no tokens: no key '{KEY}.tokens' in the metadata", "tokens", save(Model()), status=1)
    path = save(Model([(f"{KEY}.tokens", "uint8", 1)]))
    fails(f"the value of '{KEY}.tokens' is not an array of strings", "tokens", path, status=1)
    path = save(model(["a"], model=Array("uint32", [1])))
    fails(f"key '{KEY}.model' is not a string: its type is array of uint32", "tokens", path, "a")
