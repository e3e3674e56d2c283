"""`kaitai-gguf explain`: lines and JSON, for valid, broken and hostile files."""

import re
from pathlib import Path

import pytest
from attacks import hostile
from support.commands import cells, output, raw_characters, run, strict_json, terminal
from support.gguf_bytes import Array, Model, file, header, key_value, string, tensor

import kaitai_gguf
from cli.conftest import Save

BROKEN = header([key_value(8, string(b"fine")), key_value(13, b"\7", b"bad")])


def lines(*arguments: object) -> list[list[str]]:
    return cells(output("explain", *arguments))


# Lines


def test_a_line_for_each_field(save: Save) -> None:
    text = b"a text that is too long to be shown in full, byte by byte"
    path = save(file([key_value(8, string(text))], [tensor()]))
    rows = lines(path)
    assert rows[0] == ["0x00000000", "4", "47 47 55 46", "/magic", "bytes", '"GGUF"']
    assert [row[3] for row in rows] == [field.path for field in kaitai_gguf.explain(path)]
    assert ["0x00000021", "4", "08 00 00 00", "/metadata/0/value_type", "u4", "8 (string)"] in rows
    (row,) = (row for row in rows if row[3] == "/metadata/0/value/data")
    assert row[1:3] == ["57", "61 20 74 65 78 74 20 74 68 61 74 20 69 73 20 74 …"]
    assert rows[-1][3:] == ["/tensors/0/data", "F32", '"t" (1, 4 of 4 bytes are missing)']


def test_some_of_the_fields(sample: Path, save: Save) -> None:
    rows = lines(sample, "--at", "0x1fba")
    assert [row[3] for row in rows] == [f"/tensors/0/data{more}" for more in ("", "/26", "/26/qs", "/26/qs/4")]
    assert rows[1][5] == "elements [3, 64:96]"
    assert lines(sample, "--at", "8122") == rows
    path = save(Model([("a", "array", Array("float32", [0.1] * 10))]))
    few, more, everything = (
        lines(path, "--path", "/metadata/0", *options) for options in ([], ["--elements", "5"], ["--all"])
    )
    assert few[-1][3:] == ["/metadata/0/value/elements/3:10", "float32[7]", "7 more"]
    assert (len(more) - len(few), len(everything) - len(few)) == (2, 6)
    assert few[-2][5] == "0.1"


@pytest.mark.parametrize(("columns", "count"), [(80, 4), (120, 8), (200, 16)])
def test_a_narrow_terminal_gets_fewer_bytes(columns: int, count: int, sample: Path) -> None:
    status, seen = terminal("explain", sample, "--path", "/metadata/0/key", "--doc", columns=columns)
    shown = " ".join(seen[seen.index("0x00000020") :].split())
    head = b"general.architecture"[:count].hex(" ")
    words = f'0x00000020 20 {head} … /metadata/0/key/data bytes "general.architecture" string in ggml.'
    assert (status, shown[: len(words)]) == (0, words)


@pytest.mark.parametrize("position", ["0x1fba", "0x800"])
def test_the_fields_at_a_byte_fit_a_terminal(position: str, sample: Path) -> None:
    status, seen = terminal("explain", sample, "--at", position, columns=80)
    shown = [re.sub("\x1b[^m]*m", "", line) for line in seen.splitlines()]
    assert (status, len(shown)) == (0, 1 + len(lines(sample, "--at", position)))
    assert max(map(len, shown)) <= 80


# JSON


def test_json_has_what_the_library_gives(sample: Path, save: Save) -> None:
    document = strict_json(output("explain", sample, "--json", "--doc"))
    assert document["error"] is None
    for row, field in zip(document["fields"], kaitai_gguf.explain(sample), strict=True):
        names = ("start", "end", "path", "type", "meaning", "depth", "original_name", "doc")
        assert [row[name] for name in names] == [getattr(field, name) for name in names]
        assert row["head"] == field.head.hex()
    path = save(Model([("f", "float32", float("-inf")), ("t", "string", b"\xff"), ("e", "float32", 0.1)]))
    values = {row["path"]: row["value"] for row in strict_json(output("explain", path, "--json"))["fields"]}
    paths = [f"/metadata/{place}" for place in ("0/value", "1/value/data", "2/value")]
    assert [values[path] for path in paths] == ["-Infinity", {"base64": "/w=="}, 0.1]


# Failures


def test_a_broken_file_is_shown_up_to_the_byte(save: Save) -> None:
    path = save(BROKEN)
    at, error_path = BROKEN.index(b"bad") + 3, "/metadata/1/value_type"
    message = f"value_type of key-value 1 is 13, expected a value_type (at byte {at:#x})"
    result, in_json = run("explain", path), run("explain", path, "--json")
    assert (result.exit_code, in_json.exit_code) == (2, 2)
    assert result.stderr == in_json.stderr == f"kaitai-gguf: {path}: {message}\n"
    *_, last, error = cells(result.stdout)
    assert (last[3], error) == ("/metadata/1/key/data", [f"{at:#010x}", "", "", error_path, "error", message])
    document = strict_json(in_json.stdout)
    assert document["error"] == {"offset": at, "path": error_path, "message": message}
    assert document["fields"][-1]["end"] == at


@pytest.mark.parametrize("data", hostile.broken().values(), ids=hostile.broken())
def test_hostile_text_in_a_broken_file(data: bytes, save: Save) -> None:
    """tests/attacks has valid files."""
    path = save(data)
    for options in ([], ["--json"]):
        result = run("explain", path, *options)
        assert (result.exit_code, raw_characters(result.stdout + result.stderr)) == (2, set())
