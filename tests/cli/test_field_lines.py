"""Lines for many fields at once: the same as for each field alone, whatever its position, value and text."""

import json
from collections.abc import Iterator

import numpy as np
import pytest
from support.commands import cells, output
from support.gguf_bytes import Array, Model

from cli.conftest import Save
from kaitai_gguf import Field, TruncatedError, explain
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.field_lines import MANY, PIECE, json_lines, text_lines, together
from kaitai_gguf.cli.output import describe_texts, describe_value
from kaitai_gguf.explanation import Column, Columns, Paths
from kaitai_gguf.explanation.tree import alone, fields_of, heads
from kaitai_gguf.text import decode

INTEGERS = {f"{sign}int{bits}": (bits, sign) for bits in (8, 16, 32, 64) for sign in ("", "u")}


def column(starts: list[int], values: list[int], type: str = "u1") -> Column:
    """A column of fields of one byte each, which have not been fetched."""
    first = np.array(starts)
    paths = Paths("/a/", np.arange(len(starts)), "/b")
    like = Field(start=0, end=0, path="", type=type)
    return Column(like, first, first + 1, paths, np.array(values), heads(b"-", first, first + 1))


def texts(group: Columns) -> list[list[str]]:
    return [line.split("\t") for line in "".join(text_lines(group, 16, False)).splitlines()]


def documents(group: Columns) -> list[dict[str, object]]:
    found: list[dict[str, object]] = json.loads(f"[{''.join(json_lines(group, False))[1:]}]")
    return found


@pytest.mark.parametrize(
    "starts", [[0, 9, 10, 99, 100], [2**32 - 1, 2**32, 2**32 + 10], [2**63 - 2], [5, 2**60]], ids=str
)
def test_positions(starts: list[int]) -> None:
    group = Columns((column(starts, list(range(len(starts)))),))
    assert [row[0] for row in texts(group)] == [f"{start:#010x}" for start in starts]
    assert [each["start"] for each in documents(group)] == starts
    assert [row[3] for row in texts(group)] == [f"/a/{number}/b" for number in range(len(starts))]


@pytest.mark.parametrize("type", INTEGERS)
def test_integers(type: str, save: Save) -> None:
    bits, sign = INTEGERS[type]
    low, high = (0, 2**bits - 1) if sign else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    values = [low, low + 1, 0, 1, 9, 10, 99, 100, high - 1, high]
    path = save(Model([("a", "array", Array(type, values))]))
    shown = [row[5] for row in cells(output("explain", path, "--all", "--path", "/metadata/0/value/elements"))]
    assert shown == [str(value) for value in values]
    text = output("explain", path, "--all", "--json", "--path", "/metadata/0/value/elements")
    assert [each["value"] for each in json.loads(text)["fields"]] == values


def test_fields_of_several_columns_are_in_file_order() -> None:
    rows = column([0, 4, 8], [1, 2, 3], "even"), column([2, 6, 10], [4, 5, 6], "odd")
    for group in (Columns(rows), Columns(rows, np.array([0, 3, 1, 4, 2, 5]))):
        assert [(row[0][-1], row[4], row[5]) for row in texts(group)] == [
            ("0", "even", "1"), ("2", "odd", "4"), ("4", "even", "2"), ("6", "odd", "5"), ("8", "even", "3"),
            ("a", "odd", "6"),
        ]  # fmt: skip
        assert [each["value"] for each in documents(group)] == [1, 4, 2, 5, 3, 6]


def test_texts_are_what_they_are_one_by_one() -> None:
    values = ["", "plain", 'a "quote"', "\\", "\0\1\n\t\x1b", "\udcff", "é日🦊", "\u2028\u200b", "a\udc80"]
    assert describe_texts(values) == [describe_value(value, 1000) for value in values]
    assert describe_texts(values[1:2]) == ['"plain"']


def test_texts_that_are_not_utf8_are_json_in_base64(save: Save) -> None:
    values = ["", "a\nb", "é", b"\xff", b"\xff\n\0", "\0", b"\xed\xa0\x80", "z", bytes(range(256))]
    path = save(Model([("a", "array", Array("string", values))]))
    fields = json.loads(output("explain", path, "--all", "--json", "--path", "/metadata/0/value/elements"))["fields"]
    assert [each["value"] for each in fields[1::2]] == [
        canonical.text(value if isinstance(value, str) else decode(value)) for value in values
    ]


def test_lines_of_nested_arrays_are_those_of_their_fields(save: Save) -> None:
    inner = Array("array", [Array("string", ["x", b"\xff"]), Array("int32", [-1, 5]), Array("uint8", [])])
    for _ in range(3):
        inner = Array("array", [inner, Array("bool", [True]), Array("array", []), inner])
    path = save(Model([("a", "array", inner), ("b", "array", Array("array", [inner] * 20))]))
    fields = list(explain(path, elements=None))
    documents = json.loads(output("explain", path, "--all", "--json"))["fields"]
    assert [(each["path"], each["depth"], each["type"], each["meaning"]) for each in documents] == [
        (field.path, field.depth, field.type, field.meaning) for field in fields
    ]
    assert [each["value"] for each in documents] == [
        canonical.text(field.value) if isinstance(field.value, str) else field.value for field in fields
    ]
    rows = cells(output("explain", path, "--all"))
    assert [(row[3], row[4]) for row in rows] == [(field.path, field.type) for field in fields]
    assert len(rows) > 8 * PIECE


def test_small_groups_are_gathered() -> None:
    fields = [Field(start=i, end=i + 1, path=f"/{i}", type="ab"[i % 2], head=b"x") for i in range(2 * MANY + 1)]
    groups = list(together(map(alone, fields)))
    assert len(groups) == 3
    assert list(fields_of(groups)) == fields


def test_what_was_read_before_an_error_comes_first() -> None:
    field = Field(start=0, end=1, path="/0", type="u1", head=b"x")

    def fails() -> Iterator[Columns]:
        yield alone(field)
        raise TruncatedError("the end", offset=1, path="/1", needed=2, expected=2)

    groups = together(fails())
    assert list(fields_of([next(groups)])) == [field]
    with pytest.raises(TruncatedError):
        next(groups)
