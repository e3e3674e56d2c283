"""`kaitai-gguf metadata`: all keys at a glance, or one value in full."""

from pathlib import Path
from typing import Any

import pytest
from support.commands import ENVIRONMENT, cells, fails, output, process, run, strict_json, terminals
from support.gguf_bytes import Array, Model

import kaitai_gguf
from cli.conftest import Save

# All keys, or those that match a pattern


def test_rows_of_a_pipe(save: Save) -> None:
    cases: list[tuple[str, str, Any, str]] = [
        ("general.name", "string", "A model", 'string\t"A model"'),
        ("rate", "float32", 0.1, "float32\t0.1"),
        ("words", "array", Array("string", ["a", "b"]), 'string[2]\t["a", "b"]'),
        ("nested", "array", Array("array", [Array("int8", [1]), Array("string", [])]), "array[2]\t[[1], []]"),
        ("none", "array", Array("float64", []), "float64[0]\t[]"),
    ]
    lines = output("metadata", save(Model([case[:3] for case in cases]))).splitlines()
    assert lines == ["key\ttype\tvalue", *(f"{key}\t{shown}" for key, _, _, shown in cases)]


def test_a_pattern_lists_what_matches_unless_it_is_a_key(sample: Path, save: Save) -> None:
    assert output("metadata", save(Model([("a*", "uint8", 1), ("ab", "uint8", 2)])), "a*") == "1\n"
    every = strict_json(output("metadata", sample, "--json"))
    assert every == strict_json(output("dump", sample))["metadata"]
    rows = cells(output("metadata", sample, "llama.*"))
    assert rows == [row for row in cells(output("metadata", sample)) if row[0].startswith("llama.")]
    keys = [row["key"] for row in strict_json(output("metadata", sample, "general.[nl]*", "--json"))]
    assert keys == ["general.name", "general.license"]
    fails(f"kaitai-gguf: {sample}: no key matches 'x.*'", "metadata", sample, "x.*", status=1)


# One key


def test_a_pipe_and_a_file_get_the_bytes_of_a_text(save: Save, tmp_path: Path) -> None:
    text = b"\xef\xbb\xbfone\r\ntwo\rthree\n\n\ttab \xe2\x80\xa8\x85 \x1b[2J\0 \xff not UTF-8 \xed\xa0\x80 \xc3"
    path, target = save(Model([("k", "string", text), ("n", "uint8", 5)])), tmp_path / "k.txt"
    assert run("metadata", path, "k").stdout_bytes == text + b"\n"
    assert run("metadata", path, "k", "--raw").stdout_bytes == text
    assert process("metadata", path, "k", "--raw", env=ENVIRONMENT | {"PYTHONUNBUFFERED": "1"}).stdout == text
    assert output("metadata", path, "k", "--output", target) == f"{target}\n"
    assert target.read_bytes() == text
    output("set", path, "k=other", "--in-place")
    output("set", path, f"k=@{target}", "--in-place")
    with kaitai_gguf.open(path) as model:
        assert model.metadata.raw("k") == text
    output("metadata", path, "n", "-o", target, "--force")
    assert target.read_bytes() == b"5\n"
    assert run("metadata", path, "missing", "-o", tmp_path / "other").exit_code == 1
    assert sorted(tmp_path.iterdir()) == [target, path]


def test_a_terminal_gets_text_escaped_but_for_its_lines(save: Save) -> None:
    path = save(Model([("k", "string", "a\x1b[2J\r\nb\u202e")]))
    assert terminals([["metadata", path, "k"], ["metadata", path, "k", "--raw"]]) == [
        (0, "a\\x1b[2J\\r\r\nb\\u202e\r\n"),
        (0, "a\x1b[2J\r\r\nb\u202e"),
    ]


@pytest.mark.parametrize(
    ("type", "value", "lines"),
    [
        ("int64", -(2**63), ["-9223372036854775808"]),
        ("float64", float("nan"), ["NaN"]),
        ("array", Array("string", ["a\nb", "", "\x07 c"]), ["a\\nb", "", "\\x07 c"]),
        ("array", Array("bool", [0, 1]), ["false", "true"]),
        ("array", Array("float32", [0.1, 1e30, 1 / 3]), ["0.1", "1e+30", "0.33333334"]),
        ("array", Array("array", [Array("int8", [1, 2]), Array("string", ["x"])]), ["[1, 2]", '["x"]']),
        ("array", Array("uint8", []), []),
    ],
    ids=str,
)
def test_a_line_for_a_scalar_and_for_each_element(type: str, value: Any, lines: list[str], save: Save) -> None:
    path = save(Model([("other", "uint8", 9), ("k", type, value)]))
    assert output("metadata", path, "k") == "".join(f"{line}\n" for line in lines)


def test_json_of_one_key_is_whole(save: Save) -> None:
    path = save(Model([("k", "array", Array("uint16", list(range(99)))), (b"k\xff", "uint8", 7)]))
    row = strict_json(output("metadata", path, "k", "--json"))
    assert row == {"key": "k", "type": "array", "element_type": "uint16", "count": 99, "value": list(range(99))}
    assert output("metadata", path, "k\udcff") == "7\n"


def test_an_object_for_jq(save: Save) -> None:
    nested = Array("array", [Array("int8", [1, 2]), Array("string", ["a"])])
    pairs = [
        ("a", "float32", 0.1),
        ("b", "string", b"\xff"),
        ("c", "array", nested),
        ("d", "array", Array("uint8", [7] * 99)),
    ]
    path = save(Model(pairs))
    expected = {"a": 0.1, "b": {"base64": "/w=="}, "c": [[1, 2], ["a"]], "d": [7] * 99}
    assert strict_json(output("metadata", path, "--json-object")) == expected
    assert strict_json(output("metadata", path, "a", "--json-object")) == {"a": 0.1}


def test_a_key_that_does_not_exist(sample: Path) -> None:
    hint = "; did you mean 'llama.context_length'?"
    for key, words in {"zzz": "", "general": "; did you mean 'general.*'?", "llama.contxt_length": hint}.items():
        fails(f"kaitai-gguf: {sample}: no key {key!r} in the metadata{words}\n", "metadata", sample, key, status=1)
