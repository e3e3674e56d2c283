"""skip.fields: reading the fields of many items at once. What a table can have: test_agreement.py."""

import numpy as np
import pytest
from skip_modules import module, unsupported


@pytest.mark.parametrize(
    ("choice", "fields", "message"),
    [
        ("type: u2", ["a", "missing", "d"], "missing"),
        ("type: u2", ["d", "a"], "not in their order"),
        ("type: u2, if: a == 1", ["a", "d"], "reading past"),
        ("type: part, repeat: expr, repeat-expr: a", ["a", "d"], "reading past"),
        ("type: {switch-on: a, cases: {1: u1, 2: u2}}", ["a", "d"], "reading past"),
        ("size: _parent.n", ["d"], "_parent"),
    ],
)
def test_fields_that_are_refused(choice: str, fields: list[str], message: str) -> None:
    part = "part: {seq: [{id: len_d, type: u1}, {id: d, size: len_d}]}"
    text = f"seq: [{{id: a, type: u2}}, {{id: c, {choice}}}, {{id: d, type: u2}}]\ntypes: {{{part}}}"
    reason = unsupported(text, table={"t": fields})
    assert reason.startswith("/types/t")
    assert message in reason


@pytest.mark.parametrize(
    ("length", "kind", "field"), [(2, 4, "/kind"), (4, 0, "/name"), (2**64 - 1, 0, "/name"), (3, 0, "")]
)
def test_data_that_changed_since_the_index_is_refused(length: int, kind: int, field: str) -> None:
    text = "seq: [{id: len_name, type: u8}, {id: name, size: len_name}, {id: kind, type: u1, valid: {max: 3}}]"
    made = module(text, table={"t": ["name", "kind"]})
    data = length.to_bytes(8, "little") + b"ab" + bytes([kind])
    with pytest.raises(made.Refused) as caught:
        made.layout(data).table_t(np.frombuffer(data, np.uint8), np.array([0]))
    assert caught.value.path == field
