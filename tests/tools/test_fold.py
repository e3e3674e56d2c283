"""What the skip compiler does not support is refused, with the construct and its place."""

import re
from typing import Any

import pytest
from skip_modules import unsupported

AROUND = """
seq:
  - {{id: a, type: u1}}
  - {{id: s, type: s1}}
  - {{id: f, type: f4}}
  - {{id: sub, type: inner}}
  - {{id: x, {attribute}}}
instances: {{here: {{pos: 4, type: u1}}}}
types:
  inner: {{seq: [{{id: n, type: u1}}, {{id: m, type: u1}}]}}
  empty: {{params: [{{id: count, type: u1}}], seq: [{{id: d, size: count}}]}}
enums: {{e: {{1: one}}}}
"""


@pytest.mark.parametrize(
    ("attribute", "construct"),
    [
        ("size: 4, terminator: 0", "terminator"),
        ("type: u1, repeat: eos", "eos"),
        ("type: inner, size: 4", "substream"),
        ("type: {switch-on: a, cases: {1: u1, 2: u2}}, valid: 4", "valid"),
        ("type: str, encoding: ASCII", "size"),
        ("type: u1, valid: {expr: _ > 3}", "valid/expr"),
        ("size: 4, valid: '[1, 2]'", "valid"),
        ("type: u1, enum: nowhere, valid: {in-enum: true}", "nowhere"),
        ("size: here", "here"),
        ("size: f", ""),
        ("size: _io.size", "_io"),
        ("size: a.length", "length"),
        ("size: sub", "structure"),
        ("size: 'e::nothing'", "e::nothing"),
        ("size: 4 / a", ""),
        ("size: 2, if: _index == 1", "_index"),
        ("type: {switch-on: a, cases: {a: inner}}", "case a"),
        ("type: empty(a), repeat: expr, repeat-expr: a", "no bytes"),
        ("size: a, repeat: expr, repeat-expr: a", "no bytes"),
        ("type: {switch-on: a, cases: {1: u1}}, repeat: expr, repeat-expr: a", "no bytes"),
        ("size: ~a", "a size that is negative"),
        ("type: inner(1)", "1 arguments for the 0"),
        ("size: 2, contents: ab", "contents with a size"),
        ("contents: [256]", "256, which is not a byte"),
    ],
)
def test_an_attribute_that_is_not_folded_is_named_with_its_place(attribute: str, construct: str) -> None:
    message = unsupported(AROUND.format(attribute=attribute))
    assert message.startswith("/types/t/seq/x")
    assert construct in message


RECURSIVE = (
    "seq: [{id: num, type: u1}, {id: top, type: node%s}]\ntypes: {node: {%s, {id: k, type: node%s, if: n > 1}]}}"
)
LIMITS = """
seq: [{id: x, type: a}, {id: y, type: a_b}]
types:
  a: {seq: [{id: b_c, type: u4, valid: {max: 70000}}, {id: d, type: u4}]}
  a_b: {seq: [{id: c, type: u4, valid: {max: 70001}}, {id: e, type: u4}]}
"""
LEAF = """
seq: [{id: num, type: u1}, {id: top, type: node}]
types:
  node: {-max-depth: 3, seq: [{id: n, type: u1}, {id: leaf, type: leaf}, {id: k, type: node, if: n > 1}]}
  leaf: {seq: [{id: d, size: _parent._parent.num}]}
"""
CONDITIONAL = "seq: [{id: flag, type: u1}, {id: n, type: u1, if: flag == 1}, {id: x, size: n}]"
INNER = "{seq: [{id: a, type: inner}], types: {inner: {%s}}}"
EITHER_ORDER = "endian: {switch-on: mark, cases: {1: le, 0: be}}"


@pytest.mark.parametrize(
    ("text", "message", "more"),
    [
        (INNER % "seq: [{id: x, type: strz}]", "/types/inner/seq/x: .*strz", {}),
        (INNER % "types: {nested: {seq: []}}", "/types/inner/types", {}),
        ("seq: [{type: u1}]", "without an id", {}),
        ("seq: [{id: a, size: 1, if: _io.pos < 0}]", "_io", {}),
        ("seq: [{id: x, type: u2}]", "/types/t/seq/x: .*meta/endian", {"meta": "title: no endian"}),
        (CONDITIONAL, "/types/t/seq/x", {}),
        ("seq: [{id: n, type: u1}]", "no repeated", {"index": {"t": ["n"]}}),
        (LIMITS, "MAX_A_B_C", {}),
        (RECURSIVE % ("", "seq: [{id: n, type: u1}", ""), "/types/node: .*-max-depth", {}),
        (
            RECURSIVE % ("(1)", "-max-depth: 3, params: [{id: p, type: u1}], seq: [{id: n, type: u1}", "(n)"),
            "/types/node: .*params",
            {},
        ),
        (RECURSIVE % ("", "-max-depth: 3, seq: [{id: n, size: _parent.num}", ""), "/types/node: .*_parent", {}),
        (LEAF, "/types/.*_parent", {}),
        ("{seq: [{id: a, type: u1}], instances: {mark: {pos: 0, type: u1}}}", "/meta/endian", {"meta": EITHER_ORDER}),
        ("{seq: [{id: a, type: t}], types: {t: {seq: []}}}", "/types/t: ", {}),
    ],
)
def test_a_schema_that_is_not_folded(text: str, message: str, more: dict[str, Any]) -> None:
    assert re.search(message, unsupported(text, **more))


NOT_A_NUMBER = ["pos: 0, size: 2", "pos: 0, type: t", "pos: 0, type: b4", "pos: _io.size - 2, type: u2", "value: other"]
ORDERS = [
    ("_parent.mark", "{1: be, 0: le}", ""),
    ("_root.mark", "{'[0x4d, 0x4d]': be, '[0x49, 0x49]': le}", ""),
    ("own", "{1: be, 0: le}", ", instances: {own: {value: 1}}"),  # of the type, not of the root
    ("_root.mark", "{1: be, 0: le}", "}, c: {meta: {endian: {switch-on: _root.mark, cases: {2: be, 0: le}}}"),
]


@pytest.mark.parametrize("instance", NOT_A_NUMBER)
def test_a_constant_that_is_not_a_number_at_a_place(instance: str) -> None:
    text = f"seq: [{{id: d, size: 2}}]\ninstances: {{x: {{{instance}}}}}"
    unsupported(text, constants={"x": [1]}, index={"t": []})


@pytest.mark.parametrize(("on", "cases", "more"), ORDERS)
def test_a_byte_order_that_is_not_folded(on: str, cases: str, more: str) -> None:
    text = f"""
    seq: [{{id: b, type: b}}]
    instances: {{mark: {{pos: 0, type: u2le}}}}
    types: {{b: {{meta: {{endian: {{switch-on: {on}, cases: {cases}}}}}, seq: [{{id: n, type: u2, valid: 1}}]{more}}}}}
    """
    unsupported(text, meta="title: both")


@pytest.mark.parametrize(
    ("choice", "fields", "message"),
    [
        ("type: u2", ["a", "missing", "d"], "missing"),
        ("type: u2", ["d", "a"], "not in their order"),
        ("type: u2, if: a == 1", ["a", "d"], "reading past"),
        ("size: _parent.n", ["d"], "_parent"),
    ],
)
def test_fields_that_no_table_can_have(choice: str, fields: list[str], message: str) -> None:
    text = f"seq: [{{id: a, type: u2}}, {{id: c, {choice}}}, {{id: d, type: u2}}]"
    assert re.search(f"^/types/t.*{message}", unsupported(text, table={"t": fields}))
