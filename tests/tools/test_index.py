"""The index in Python: what each construct means, what is refused and why, and how a layout is chosen.

Small schemas, each with data and what the index finds in it. test_agreement.py has larger ones.
"""

import math
import struct

import numpy as np
import pytest
from skip_modules import index, listed, module, refusal

Outcome = int | str  # the end, or the path of the refusal
TEXT = "text: {seq: [{id: len_data, type: u1, valid: {max: 3}}, {id: data, size: len_data}]}"

# Constructs


def negative(type: str, size: str) -> str:
    return f"seq: [{{id: a, type: u1}}, {{id: n, type: {type}}}, {{id: d, size: {size}}}, {{id: e, size: a}}]"


CONSTRUCTS: dict[str, tuple[str, list[tuple[bytes, Outcome]]]] = {
    "signed numbers and floats with limits": (
        """
        seq:
          - {id: a, type: s1, valid: {min: -2, max: 2}}
          - {id: b, type: f4, valid: {min: 0, max: 1000}}
          - {id: c, type: s2, valid: {min: -5}, repeat: expr, repeat-expr: 2}
        """,
        [
            *((struct.pack("<bf2h", 2, b, -5, 0), 9) for b in (0, -0.0, 1000)),
            *((struct.pack("<bf2h", a, 0, 0, 0), "/a") for a in (-128, -3, 3)),
            *((struct.pack("<bf2h", -2, b, 0, 0), "/b") for b in (math.nan, math.inf, -math.inf, -1e-45, 1000.0001)),
            (struct.pack("<bf2h", 0, 0, 0, -6), "/c/1"),
        ],
    ),
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
}  # fmt: skip


@pytest.mark.parametrize("name", CONSTRUCTS)
def test_a_construct(name: str) -> None:
    text, outcomes = CONSTRUCTS[name]
    made = module(text)
    for data, expected in outcomes:
        outcome = index(made, data) if isinstance(expected, int) else refusal(made, data).path
        assert outcome == expected, data


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
    assert index(made, data) == ([2, 3], [9, 11], 13)
    assert listed(made.layout(data).index_part(data, 9, 2)) == ([9, 11], 13)
    assert refusal(made, b"\x0a\0").path == f"/{name}"


# Refusals


@pytest.mark.parametrize(
    ("attribute", "data", "reason"),
    [
        ("type: u1, valid: 3", b"\4", "is 4, expected 3"),
        ("type: u1, valid: {any-of: [1, 0x10]}", b"\4", "is 4, expected 1 or 16"),
        ("type: u1, valid: {any-of: ['e::one', 'e::nine']}, enum: e", b"\2", "is 2, expected 1 or 9"),
        ("type: u1, valid: {min: 5}", b"\4", "is 4, expected at least 5"),
        ("type: u1, valid: {min: 1, max: 3}", b"\4", "is 4, expected at most 3"),
        ("type: s1, valid: {min: -3}", b"\xfc", "is -4, expected at least -3"),
        ("type: u1, enum: e, valid: {in-enum: true}", b"\4", "is 4, expected a e"),
        ("type: u1, enum: dense, valid: {in-enum: true}", b"\2", "is 2, expected a dense"),
        ("type: s1, enum: dense, valid: {in-enum: true}", b"\xff", "is -1, expected a dense"),
        ("type: f4, valid: {max: 1}", b"\0\0\0\x40", "is 2.0, expected at most 1"),
        ("type: u1, valid: {max: n + 1}", b"\4", "is 4, expected at most 3"),
        ("contents: [1, ab]", b"\1ac", r"is b'\x01ac', expected b'\x01ab'"),
        ("""contents: [0x22, "'", 0x5c, 0x0a]""", b"\"'\\.", r"""is b'"\'\\.', expected b'"\'\\\n'"""),
        ("type: u4", b"\0\0", "needs 4 bytes, and 2 are left"),
        ("size: n * 3", b"abcd", "needs 6 bytes, and 4 are left"),
        ("type: u2, repeat: expr, repeat-expr: n", b"abc", "needs 4 bytes, and 3 are left"),
        ("type: text, repeat: expr, repeat-expr: n", b"\0", "needs 2 bytes, and 1 are left"),
    ],
)
def test_reasons(attribute: str, data: bytes, reason: str) -> None:
    enums = "enums: {e: {1: one, 2: two, 9: nine}, dense: {0: a, 1: b}}"
    text = f"seq: [{{id: n, type: u1}}, {{id: x, {attribute}}}]\n{enums}\ntypes: {{{TEXT}}}"
    error = refusal(module(text), b"\2" + data)
    kind = "end" if "needs" in reason else "invalid"
    assert (error.kind, error.pos, error.path, error.reason) == (kind, 1, "/x", reason)


def test_a_refusal_has_its_path_and_what_was_found_before() -> None:
    text = f"""
    seq: [{{id: groups, type: group, repeat: expr, repeat-expr: 3}}]
    types:
      group: {{seq: [{{id: n, type: u1}}, {{id: texts, type: text, repeat: expr, repeat-expr: n}}]}}
      {TEXT}
    """
    refused = refusal(module(text, index={"t": ["groups", "groups.texts"]}), b"\1\2ab\2\0\4....")
    assert (refused.pos, refused.path) == (6, "/groups/1/texts/1/len_data")
    assert [list(each) for each in refused.found] == [[0, 4], [1, 5, 6]]
    within = refused.within("items/2").within("body")
    assert (within.pos, within.path) == (6, "/body/items/2/groups/1/texts/1/len_data")


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


# Layouts


@pytest.mark.parametrize(
    ("on", "cases", "has_default"),
    [
        ("_root.is_be", "{true: be, false: le}", True),
        ("_root.is_be and _root.mark > 0", "{true: be, false: le}", True),
        ("_root.mark", "{'0x4d4d': be, _: le}", True),
        ("_root.mark", "{'order::motorola': be, 'order::intel': le}", False),
        ("_root.mark & 0xff", "{0x4d: be, 0x49: le}", False),
    ],
)
def test_the_byte_order_that_data_decides_on(on: str, cases: str, has_default: bool) -> None:
    text = f"""
    seq: [{{id: b, type: b}}]
    instances: {{mark: {{pos: 0, type: u2le}}, is_be: {{value: mark == 0x4d4d}}}}
    types:
      b:
        meta: {{endian: {{switch-on: {on}, cases: {cases}}}}}
        seq: [{{id: mark, type: u2}}, {{id: n, type: u2, valid: {{max: 3}}}}]
    enums: {{order: {{0x4949: intel, 0x4d4d: motorola}}}}
    """
    made = module(text, meta="title: both")
    assert [index(made, data) for data in (b"MM\0\3", b"II\3\0")] == [4, 4]
    if not has_default:
        refused = refusal(made, b"XX\0\0")
        assert refused.kind == "invalid"
        assert refused.path
