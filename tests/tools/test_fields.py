"""skip.fields: reading the fields of many items of a type at once, and what is refused."""

import struct

import numpy as np
import pytest
from skip_modules import module, unsupported

PAIR = "seq: [{id: kind, type: u1}, {id: skipped, type: u2}, {id: pair, type: s2, repeat: expr, repeat-expr: 2}]"


def test_table_of_fixed_size() -> None:
    """What else a table can have: test_index_and_class.py."""
    made = module(PAIR, table={"t": ["kind", "pair"]})
    for rows in (0, 3):
        data = b"".join(struct.pack("<BHhh", row, 7, 5, -row) for row in range(rows))
        table = made.layout(data).table_t(np.frombuffer(data, np.uint8), np.arange(rows) * 7)
        assert [column.tolist() for column in table] == [[*range(rows)], [[5, -row] for row in range(rows)]]


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
