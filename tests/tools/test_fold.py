"""What the skip compiler does not support is refused, with the construct and its place."""

import re
from typing import Any

import pytest
from skip_modules import unsupported

ATTRIBUTES = [
    ("size: 4, terminator: 0", "terminator"),
    ("type: strz, encoding: ASCII", "strz"),
    ("size-eos: true", "size-eos"),
    ("type: u1, repeat: eos", "eos"),
    ("type: inner, size: 4", "substream"),
    ("type: {switch-on: a, cases: {1: u1, 2: u2}}, valid: 4", "valid"),
    ("type: elsewhere", "elsewhere"),
    ("type: str, encoding: ASCII", "size"),
    ("type: inner, parent: _root", "parent"),
    ("type: u1, valid: {expr: _ > 3}", "valid/expr"),
    ("size: 4, valid: '[1, 2]'", "valid"),
    ("type: u1, enum: nowhere, valid: {in-enum: true}", "nowhere"),
    ("size: here", "here"),
    ("size: f", "float"),
    ("size: _io.size", "_io"),
    ("size: a.length", "length"),
    ("size: sub", "structure"),
    ("size: 'e::nothing'", "e::nothing"),
    ("size: 4 / a", "4 / a"),
    ("size: 2, if: _index == 1", "_index"),
    ("type: {switch-on: a, cases: {a: inner}}", "case a"),
    ("type: {switch-on: a, cases: {1: elsewhere}}", "elsewhere"),
    ("type: empty(a), repeat: expr, repeat-expr: a", "no bytes"),
    ("size: a, repeat: expr, repeat-expr: a", "no bytes"),
    ("type: {switch-on: a, cases: {1: u1}}, repeat: expr, repeat-expr: a", "no bytes"),
]
AROUND = """
seq:
  - {{id: a, type: u1}}
  - {{id: s, type: s1}}
  - {{id: f, type: f4}}
  - {{id: sub, type: inner}}
  - {{id: x, {attribute}}}
instances:
  here: {{pos: 4, type: u1}}
types:
  inner:
    seq: [{{id: n, type: u1}}, {{id: m, type: u1}}]
  empty:
    params: [{{id: count, type: u1}}]
    seq: [{{id: d, size: count}}]
enums:
  e: {{1: one}}
"""


@pytest.mark.parametrize(("attribute", "construct"), ATTRIBUTES)
def test_an_attribute_that_is_not_folded_is_named_with_its_place(attribute: str, construct: str) -> None:
    message = unsupported(AROUND.format(attribute=attribute))
    assert message.startswith("/types/t/seq/x")
    if construct not in ("float", "4 / a"):
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
ENDIAN = "endian: {switch-on: mark, cases: {1: le, 0: be}}"
CONDITIONAL = "seq: [{id: flag, type: u1}, {id: n, type: u1, if: flag == 1}, {id: x, size: n}]"
INNER = "{seq: [{id: a, type: inner}], types: {inner: {%s}}}"
SCHEMAS: dict[str, tuple[str, str, dict[str, Any]]] = {
    "the place is where it is written": (INNER % "seq: [{id: x, type: strz}]", "/types/inner/seq/x: .*strz", {}),
    "types in a type": (INNER % "types: {nested: {seq: []}}", "/types/inner/types", {}),
    "no id": ("seq: [{type: u1}]", "without an id", {}),
    "a condition of what takes bytes": ("seq: [{id: a, size: 1, if: _io.pos < 0}]", "_io", {}),
    "no byte order": ("seq: [{id: x, type: u2}]", "/types/t/seq/x: .*meta/endian", {"meta": "title: no endian"}),
    "a number that may not be there": (CONDITIONAL, "/types/t/seq/x", {}),
    "a length that is always negative": (
        "seq: [{id: n, type: u1}, {id: d, size: ~n}]", "^/types/t/seq/d: a size that is negative$", {},
    ),
    "positions of what is not repeated": ("seq: [{id: n, type: u1}]", "no repeated", {"index": {"t": ["n"]}}),
    "two limits of one name": (LIMITS, "MAX_A_B_C", {}),
    "recursion without a depth": (RECURSIVE % ("", "seq: [{id: n, type: u1}", ""), "/types/node: .*-max-depth", {}),
    "recursion with params": (
        RECURSIVE % ("(1)", "-max-depth: 3, params: [{id: p, type: u1}], seq: [{id: n, type: u1}", "(n)"),
        "/types/node: .*params", {},
    ),
    "recursion and numbers of the parent": (
        RECURSIVE % ("", "-max-depth: 3, seq: [{id: n, size: _parent.num}", ""), "/types/node: .*_parent", {},
    ),
    "a type inside of one that contains itself": (LEAF, "/types/.*_parent", {}),
    "a root of either byte order": (
        "{seq: [{id: a, type: u2}], instances: {mark: {pos: 0, type: u2le}}}", "/meta/endian", {"meta": ENDIAN},
    ),
    "a type named like the root": ("{seq: [{id: a, type: t}], types: {t: {seq: []}}}", "/types/t: ", {}),
    "too many arguments": (INNER.replace("type: inner", "type: inner(1)") % "seq: []", "1 arguments for the 0", {}),
    "contents with a size": ("seq: [{id: a, size: 2, contents: ab}]", "/types/t/seq/a: contents with a size", {}),
    "contents beyond a byte": ("seq: [{id: a, contents: [256]}]", "256, which is not a byte", {}),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_schema_that_is_not_folded(name: str) -> None:
    text, message, more = SCHEMAS[name]
    assert re.search(message, unsupported(text, **more))


# Values that can't choose the layout


@pytest.mark.parametrize(
    "instance",
    ["pos: 0, size: 2", "pos: 0, type: part", "pos: 0, type: b4", "pos: _io.size - 2, type: u2le", "value: other"],
)
def test_an_instance_that_is_not_a_number_at_a_place(instance: str) -> None:
    text = f"seq: [{{id: d, size: 2}}]\ninstances: {{x: {{{instance}}}}}\ntypes: {{part: {{seq: []}}}}"
    unsupported(text, constants={"x": [1]}, index={"t": []})


@pytest.mark.parametrize(
    ("on", "cases", "more"),
    [
        ("_parent.mark", "{1: be, 0: le}", ""),
        ("_root.mark", "{'[0x4d, 0x4d]': be, '[0x49, 0x49]': le}", ""),
        ("own", "{1: be, 0: le}", ", instances: {own: {value: 1}}"),  # of the type, not of the root
        ("_root.mark", "{1: be, 0: le}", "}, c: {meta: {endian: {switch-on: _root.mark, cases: {2: be, 0: le}}}"),
    ],
)
def test_a_byte_order_that_is_not_folded(on: str, cases: str, more: str) -> None:
    text = f"""
    seq: [{{id: b, type: b}}]
    instances: {{mark: {{pos: 0, type: u2le}}}}
    types: {{b: {{meta: {{endian: {{switch-on: {on}, cases: {cases}}}}}, seq: [{{id: n, type: u2, valid: 1}}]{more}}}}}
    """
    unsupported(text, meta="title: both")
