"""`kaitai-gguf metadata`: all keys at a glance, or one value in full."""

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pytest
from hypothesis import example, given, settings, strategies as st
from support.commands import ENVIRONMENT, cells, fails, output, process, run, strict_json, terminal
from support.gguf_bytes import Array, Model

import kaitai_gguf
from cli.conftest import Save


def one(save: Save, type: str, value: Any) -> str:
    """Return what the command prints for a single value."""
    return output("metadata", save(Model([("other", "uint8", 9), ("k", type, value)])), "k")


# All keys


def test_rows_of_a_pipe(save: Save) -> None:
    model = Model(
        [
            ("general.name", "string", "A model"),
            ("count", "uint64", 2**64 - 1),
            ("rate", "float32", 0.1),
            ("flag", "bool", 1),
            ("list", "array", Array("int8", [-1, 2])),
            ("words", "array", Array("string", ["a", "b"])),
            ("nested", "array", Array("array", [Array("int8", [1]), Array("string", [])])),
            ("none", "array", Array("float64", [])),
        ]
    )
    assert output("metadata", save(model)) == (
        "key\ttype\tvalue\n"
        'general.name\tstring\t"A model"\n'
        "count\tuint64\t18446744073709551615\n"
        "rate\tfloat32\t0.1\n"
        "flag\tbool\ttrue\n"
        "list\tint8[2]\t[-1, 2]\n"
        'words\tstring[2]\t["a", "b"]\n'
        "nested\tarray[2]\t[[1], []]\n"
        "none\tfloat64[0]\t[]\n"
    )


def test_long_values_are_cut_in_a_terminal_alone(save: Save) -> None:
    model = Model([("text", "string", "x" * 500), ("list", "array", Array("float64", [1 / 3] * 500))])
    path = save(model)
    for columns in (60, 80, 150):
        _, seen = terminal("metadata", path, columns=columns)
        assert max(map(len, seen.replace("\x1b[1m", "").replace("\x1b[0m", "").splitlines())) == columns
        assert seen.count("…") == 2
    text, numbers = (value for _, _, value in cells(output("metadata", path)))
    assert text == f'"{"x" * 500}"'
    assert numbers == f"[{'0.3333333, ' * 16}…]"


def test_all_keys_as_json_are_those_of_a_dump(sample: Path) -> None:
    assert strict_json(output("metadata", sample, "--json")) == strict_json(output("dump", sample))["metadata"]


# One key


def test_a_pipe_gets_the_bytes_of_a_text(save: Save) -> None:
    text = b"\xef\xbb\xbfone\r\ntwo\rthree\n\n\ttab \xe2\x80\xa8 \x1b[2J\0 \xff not UTF-8 \xed\xa0\x80 \xc3"
    path = save(Model([("k", "string", text)]))
    for options in ([], ["--raw"]):
        assert run("metadata", path, "k", *options).stdout_bytes == text
    assert process("metadata", path, "k", env=ENVIRONMENT | {"PYTHONUNBUFFERED": "1"}).stdout == text


def test_a_file_gets_the_bytes_of_a_text(save: Save, tmp_path: Path) -> None:
    path, target = save(Model([("k", "string", b"a\r\n\xff"), ("n", "uint8", 5)])), tmp_path / "k.txt"
    assert output("metadata", path, "k", "--output", target) == f"{target}\n"
    assert target.read_bytes() == b"a\r\n\xff"
    output("metadata", path, "n", "-o", target, "--force")
    assert target.read_bytes() == b"5\n"
    assert run("metadata", path, "missing", "-o", tmp_path / "other").exit_code == 2
    assert sorted(tmp_path.iterdir()) == [target, path]


def test_a_terminal_gets_text_escaped_but_for_its_lines(save: Save) -> None:
    path = save(Model([("k", "string", "a\x1b[2J\r\nb\u202e")]))
    assert terminal("metadata", path, "k") == (0, "a\\x1b[2J\\r\r\nb\\u202e\r\n")
    assert terminal("metadata", path, "k", "--raw") == (0, "a\x1b[2J\r\r\nb\u202e")


@pytest.mark.parametrize(
    "options", [["--raw"], ["-o", "x"], ["*", "--raw"], ["k", "--raw", "--json"], ["k", "-o", "x", "--json"]]
)
def test_options_that_need_a_text(options: list[str], sample: Path) -> None:
    fails("--raw", "metadata", sample, *options)


# There and back


def round_trip(text: bytes, folder: Path) -> None:
    source, target, value = folder / "source", folder / "target", folder / "value"
    source.write_bytes(Model([("k", "string", text)]).build())
    target.write_bytes(Model([("k", "string", "before")]).build())
    value.write_bytes(run("metadata", source, "k").stdout_bytes)
    assert run("set", target, f"k=@{value}", "--in-place").exit_code == 0
    with kaitai_gguf.open(target) as model:
        assert model.metadata.raw("k") == text


@settings(max_examples=40, deadline=None)
@given(st.binary(max_size=100))
@example(b"\r\n")
@example(b"\xef\xbb\xbf\n\n")
@example("\u200b\t\x85\u2029".encode())
def test_a_text_goes_to_a_file_and_back(text: bytes) -> None:
    with TemporaryDirectory() as folder:
        round_trip(text, Path(folder))


@pytest.mark.parametrize(
    ("type", "value", "text"),
    [
        ("int64", -(2**63), "-9223372036854775808"),
        ("float32", 0.1, "0.1"),
        ("float64", float("nan"), "NaN"),
        ("bool", 1, "true"),
    ],
)
def test_a_scalar_is_a_line(type: str, value: Any, text: str, save: Save) -> None:
    assert one(save, type, value) == f"{text}\n"


@pytest.mark.parametrize(
    ("type", "items", "lines"),
    [
        ("string", ["a", "", "b c"], ["a", "", "b c"]),
        ("string", ["a\nb", "\x07"], ["a\\nb", "\\x07"]),
        ("int16", [1, -2], ["1", "-2"]),
        ("bool", [0, 1], ["false", "true"]),
        ("float32", [0.1, 1e30, 1 / 3], ["0.1", "1e+30", "0.33333334"]),
        ("float64", [0.1234567890123, float("inf")], ["0.1234567890123", "Infinity"]),
        ("array", [Array("int8", [1, 2]), Array("string", ["x"]), Array("int8", [])], ["[1, 2]", '["x"]', "[]"]),
        ("array", [Array("array", [Array("bool", [1])])], ["[[true]]"]),
        ("uint8", [], []),
    ],
)
def test_an_array_is_an_element_a_line(type: str, items: list[Any], lines: list[str], save: Save) -> None:
    assert one(save, "array", Array(type, items)) == "".join(f"{line}\n" for line in lines)


def test_json_of_one_key_is_whole(save: Save) -> None:
    path = save(Model([("k", "array", Array("uint16", list(range(99))))]))
    row = strict_json(output("metadata", path, "k", "--json"))
    assert row == {"key": "k", "type": "array", "element_type": "uint16", "count": 99, "value": list(range(99))}


def test_a_key_that_is_not_utf8_can_be_asked_for(save: Save) -> None:
    path = save(Model([(b"k\xff", "uint8", 7)]))
    assert output("metadata", path, "k\udcff") == "7\n"


@pytest.mark.parametrize("option", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("zzz", ""),
        ("general", "; did you mean 'general.*'?"),
        ("llama.contxt_length", "; did you mean 'llama.context_length'?"),
    ],
)
def test_a_key_that_does_not_exist(key: str, words: str, option: list[str], sample: Path) -> None:
    result = run("metadata", sample, key, *option)
    assert (result.exit_code, result.stdout) == (2, "")
    assert result.stderr == f"kaitai-gguf: {sample}: no key {key!r} in the metadata{words}\n"


def test_a_pattern_lists_what_matches(sample: Path) -> None:
    found = cells(output("metadata", sample, "llama.*"))
    assert found == [row for row in cells(output("metadata", sample)) if row[0].startswith("llama.")]
    assert len(found) > 3
    rows = strict_json(output("metadata", sample, "general.[nl]*", "--json"))
    assert [row["key"] for row in rows] == ["general.name", "general.license"]


def test_a_pattern_that_matches_nothing(sample: Path) -> None:
    result = run("metadata", sample, "x.*")
    assert (result.exit_code, result.stdout) == (1, "")
    assert result.stderr == f"kaitai-gguf: {sample}: no key matches 'x.*'\n"


def test_a_key_that_looks_like_a_pattern_is_itself(save: Save) -> None:
    path = save(Model([("a*", "uint8", 1), ("ab", "uint8", 2)]))
    assert output("metadata", path, "a*") == "1\n"
    output("unset", path, "a*", "--in-place")
    assert cells(output("metadata", path, "a*")) == [["ab", "uint8", "2"]]
