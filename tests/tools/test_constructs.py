"""What each supported construct means: small schemas, with data and the end or the refusal that the index finds."""

import pytest
from skip_modules import listed, module

Outcome = int | str  # the end, or the path of the refusal
TEXT = "text: {seq: [{id: len_data, type: u1, valid: {max: 3}}, {id: data, size: len_data}]}"


def switch(cases: str, types: str, more: str = "") -> str:
    seq = "{id: a, type: u1}, {id: b, type: u1}, {id: s, type: u1}"
    return f"{{seq: [{seq}, {{id: v, type: {{switch-on: s, cases: {cases}}}}}{more}], types: {{{types}}}}}"


def negative(type: str, size: str) -> str:
    return f"seq: [{{id: a, type: u1}}, {{id: n, type: {type}}}, {{id: d, size: {size}}}, {{id: e, size: a}}]"


SCHEMAS: dict[str, tuple[str, list[tuple[bytes, Outcome]]]] = {
    # Numbers and names
    "a type named like a number": (
        "{seq: [{id: x, type: u4_pair}], types: {u4_pair: {seq: [{id: a, type: u4}, {id: b, type: u4}]}}}",
        [(bytes(8), 8)],
    ),
    "arguments are expressions": (
        """
        seq: [{id: n, type: u1}, {id: x, type: 'part((n + 1) * (n + 2), n * (2 + 1))'}]
        types: {part: {params: [{id: a, type: u1}, {id: b, type: u1}], seq: [{id: d, size: a}, {id: e, size: b}]}}
        """,
        [(b"\1" + bytes(9), 10)],
    ),
    "a name like _parent is not the parent": (
        """
        seq: [{id: top, type: node}]
        types:
          node:
            -max-depth: 3
            seq:
              - {id: num_parents, type: u1}
              - {id: kids, type: node, repeat: expr, repeat-expr: num_parents}
              - {id: x, type: u1, doc: See _parent.}
        """,
        [(b"\1\0xy", 4)],
    ),
    "contents are text and numbers": (
        'seq: [{id: a, contents: [0x89, PNG, "\\n", 0]}, {id: b, contents: Zoë}]',
        [(b"\x89PNG\n\0" + "Zoë".encode(), 10), (b"\x89PNG\n\0" + b"Zoeee", "/b")],
    ),
    "what takes no bytes is left out, whatever its condition": (
        """
        seq: [{id: a, type: u1}, {id: mark, size: 0, if: position < 0}]
        instances: {position: {value: _io.pos}}
        """,
        [(b"\0\1", 1)],
    ),
    "a type in itself, as deep as -max-depth": (
        """
        seq: [{id: n, type: node}]
        types: {node: {-max-depth: 3, seq: [{id: n, type: u1}, {id: kid, type: node, if: n == 1}]}}
        """,
        [(b"\1\1\0", 3), (b"\1\1\1\0", "/n/kid/kid/kid")],
    ),
    # Lengths and counts
    "a huge length": (
        "seq: [{id: n, type: u8}, {id: d, size: n * 8}, {id: m, type: u2}, {id: e, size: m}]",
        [(b"\xff" * 8 + bytes(100), "/d")],
    ),
    "a negative length": (negative("s1", "n"), [(b"\2\xff" + bytes(8), "/d"), (b"\2\1" + bytes(8), 5)]),
    "a negative sum": (negative("u1", "(n - 4) * 3 + 2"), [(b"\2\1" + bytes(8), "/d")]),
    "a negative number": (negative("u1", "-n"), [(b"\2\4" + bytes(8), "/d")]),
    "a negative count means that there are no items": (
        f"""
        seq: [{{id: n, type: s2}}, {{id: d, type: u4, repeat: expr, repeat-expr: n}},
              {{id: f, type: text, repeat: expr, repeat-expr: n}}]
        types: {{{TEXT}}}
        """,
        [(b"\xff\xff" + bytes(8), 2)],
    ),
    # Conditions
    "a negated condition": (
        """
        seq: [{id: a, type: u1}, {id: b, type: u1}, {id: x, type: u1, if: not a == 1},
              {id: y, type: u2, if: (not (a == 1)) == (b == 2)}, {id: z, type: u4, if: not (a == 1) or b == 2}]
        """,
        [(b"\1\2" + bytes(8), 6), (b"\2\2" + bytes(8), 9), (b"\1\1" + bytes(8), 4)],
    ),
    "a condition on nothing": (
        """
        seq:
          - {id: n, type: u1}
          - {id: x, size: 0, if: n == 1}
          - {id: y, type: u4, repeat: expr, repeat-expr: 0, if: n == 1}
          - {id: z, type: empty, if: n == 1}
        types: {empty: {seq: []}}
        """,
        [(b"\0.", 1), (b"\1.", 1)],
    ),
    "a number that is not there is not that of the item before": (
        """
        seq: [{id: n, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: n}]
        types: {item: {seq: [{id: f, type: u1}, {id: len_d, type: u1, if: f == 1}, {id: d, size: len_d, if: f == 1}]}}
        """,
        [(b"\3\1\2ab\0\1\1x", 9)],
    ),
    # Switches
    "cases of like types with their own parents": (
        switch("{1: one, 2: two}", ", ".join(
            f"{name}: {{seq: [{{id: p, type: u1}}, {{id: q, type: u1}}, {{id: i, type: inner}}], "
            f"instances: {{n: {{value: {value}}}}}}}" for name, value in [("one", "p"), ("two", "q")]
        ) + ", inner: {seq: [{id: d, size: _parent.n}]}"),
        [(bytes([0, 0, 1, 1, 3]) + bytes(3), 6), (bytes([0, 0, 2, 1, 3]) + bytes(3), 8)],
    ),
    "a default like every case": (
        switch("{0: u2, 1: s2, _: u2}", "x: {}"), [(bytes([0, 0, 9, 0, 0]), 5), (bytes([0, 0, 1, 0]), "/v")],
    ),
    "cases that can not be": (
        """
        seq:
          - {id: s, type: u1, valid: {min: 1, max: 3}}
          - {id: v, type: {switch-on: s, cases: {0: u2, 1: u4, 2: u4, 3: u4, _: u2}}}
          - {id: w, type: {switch-on: s, cases: {0: u2, _: u4}}, repeat: expr, repeat-expr: 1}
        """,
        [(b"\1" + bytes(9), 9), (b"\3" + bytes(9), 9)],
    ),
    "a switch on a condition": (
        "seq: [{id: s, type: u1}, {id: v, type: {switch-on: s > 4, cases: {true: u2, false: u4}}}]",
        [(b"\5" + bytes(9), 3), (b"\4" + bytes(9), 5), (b"\5.", "/v")],
    ),
    "numbers inside of structures that are used around them": (
        """
        seq: [{id: a, type: head}, {id: b, type: head}, {id: d, size: a.n * b.n}]
        types: {head: {seq: [{id: n, type: u1, valid: {max: 3}}, {id: m, type: u1}]}}
        """,
        [(b"\1\1\4\1", "/b/n"), (b"\1\1\2", "/b/m"), (b"\2\1\2\1abc", "/d"), (b"\2\1\2\1abcd", 8)],
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", SCHEMAS)
def test_a_construct(name: str) -> None:
    text, outcomes = SCHEMAS[name]
    made = module(text)
    for data, expected in outcomes:
        try:
            found = made.layout(data).index_t(data, 0)
        except made.Refused as refused:
            found = refused.path
        assert found == expected, data


WORDS = "len need error pos buf self depth start refused class u2 u2le each_u2 np layout items endian"


@pytest.mark.parametrize("name", WORDS.split())
def test_fields_instances_and_arguments_of_any_name(name: str) -> None:
    text = f"""
    seq:
      - {{id: {name}, type: u2, valid: {{max: 9}}}}
      - {{id: items, type: text, repeat: expr, repeat-expr: {name}}}
      - {{id: rest, size: {name} * 2, if: {name} != 0}}
      - {{id: p, type: part}}
    instances: {{choice_{name}: {{pos: 0, type: u2le}}, {name}: {{pos: 0, type: u2le}}}}
    types:
      {TEXT}
      part: {{seq: [{{id: {name}, type: num, repeat: expr, repeat-expr: _parent.{name}}}]}}
      num:
        meta: {{endian: {{switch-on: _root.{name}, cases: {{2: be, 10: le}}}}}}
        seq: [{{id: v, type: u2, valid: 5}}]
    """
    made = module(text, index={"t": ["items", "p." + name], "part": [name]})
    data = b"\2\0\0\1aABCD\0\5\0\5"
    assert listed(made.layout(data).index_t(data, 0)) == ([2, 3], [9, 11], 13)
    assert listed(made.layout(data).index_part(data, 9, 2)) == ([9, 11], 13)
    with pytest.raises(made.Refused) as caught:
        made.layout(b"\x0a\0").index_t(b"\x0a\0", 0)
    assert caught.value.path == f"/{name}"
