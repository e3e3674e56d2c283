"""skip.fields: reading the fields of many items of a type at once."""

import struct

import numpy as np
import pytest
from skip_modules import module, unsupported

RECORD = """
seq:
  - {id: head, type: head}
  - {id: ignored, type: u2}
  - {id: num_values, type: u2}
  - {id: values, type: s2, repeat: expr, repeat-expr: num_values}
  - {id: pair, type: s2, repeat: expr, repeat-expr: 2}
  - {id: level, type: s8}
  - {id: choice, type: {switch-on: head.kind, cases: {1: u1, 2: u2}}}
  - {id: after, type: u1}
types:
  head:
    seq:
      - {id: kind, type: u1}
      - {id: len_name, type: u1}
      - {id: name, size: len_name}
"""
ENDIANS = pytest.mark.parametrize("endian", ["<", ">"])
FIELDS = ["head.kind", "head.name", "num_values", "values", "pair", "level", "choice"]


def schema_of(endian: str) -> str:
    """Return the `meta` for a record in this byte order."""
    return "endian: le" if endian == "<" else "endian: be"


def record(endian: str, kind: int, name: bytes, values: list[int], level: int) -> bytes:
    head = bytes([kind, len(name)]) + name
    return head + struct.pack(f"{endian}HH{len(values)}h2hqB", 7, len(values), *values, 5, -6, level, 9)


@ENDIANS
def test_table(endian: str) -> None:
    made = module(RECORD, schema_of(endian), table={"t": FIELDS})
    records = [
        record(endian, 1, b"abc", [4, -5], -3),
        record(endian, 2, b"", [], 1 << 40),
        record(endian, 255, b"x" * 9, [7], 0),
    ]
    data = b"".join(records)
    starts = [0, len(records[0]), len(records[0]) + len(records[1])]
    kind, name, name_end, count, values, pair, level, choice = (
        column.tolist() for column in made.layout(data).table_t(np.frombuffer(data, np.uint8), np.array(starts))
    )
    assert kind == [1, 2, 255]
    assert [data[start:end] for start, end in zip(name, name_end, strict=True)] == [b"abc", b"", b"x" * 9]
    assert count == [2, 0, 1]
    assert values == [[4, -5], [0, 0], [7, 0]]
    assert pair == [[5, -6]] * 3
    assert level == [-3, 1 << 40, 0]
    assert choice == [start + len(one) - 1 for start, one in zip(starts, records, strict=True)]


def test_table_of_nothing() -> None:
    made = module(RECORD, table={"t": FIELDS})
    columns = made.layout(b"").table_t(np.zeros(0, np.uint8), np.zeros(0, np.int64))
    assert [len(column) for column in columns] == [0] * 8


@pytest.mark.parametrize(
    ("choice", "fields", "message"),
    [
        ("type: u2", ["a", "missing", "d"], "missing"),
        ("type: u2", ["d", "a"], ""),
        ("type: u2, if: a == 1", ["a", "d"], "reading past"),
        ("type: part, repeat: expr, repeat-expr: a", ["a", "d"], "reading past"),
        ("type: {switch-on: a, cases: {1: u1, 2: u2}}", ["a", "d"], "reading past"),
        ("size: _parent.n", ["d"], "_parent"),
    ],
)
def test_fields_that_are_refused(choice: str, fields: list[str], message: str) -> None:
    part = "part: {seq: [{id: len_d, type: u1}, {id: d, size: len_d}]}"
    text = f"seq: [{{id: a, type: u2}}, {{id: c, {choice}}}, {{id: d, type: u2}}]\ntypes: {{{part}}}"
    said = unsupported(text, table={"t": fields})
    assert said.startswith("/types/t")
    assert message in said


TEXT = "seq: [{id: len_name, type: u8}, {id: name, size: len_name}, {id: kind, type: u1, valid: {max: 3}}]"


@pytest.mark.parametrize(
    ("length", "kind", "field"), [(2, 4, "/kind"), (4, 0, "/name"), (2**64 - 1, 0, "/name"), (3, 0, "")]
)
def test_data_that_changed_since_the_index_is_refused(length: int, kind: int, field: str) -> None:
    made = module(TEXT, table={"t": ["name", "kind"]})
    data = length.to_bytes(8, "little") + b"ab" + bytes([kind])
    with pytest.raises(made.Refused) as caught:
        made.layout(data).table_t(np.frombuffer(data, np.uint8), np.array([0]))
    assert caught.value.path == field
