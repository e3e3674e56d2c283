"""skip.index: the kind, position, path and reason of refusals."""

import pytest
from skip_modules import module, refused

ENUM = "enums: {e: {1: one, 2: two, 9: nine}, dense: {0: a, 1: b}}"


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
        ("type: u1, valid: {max: n + 1}", b"\3", "is 3, expected at most 2"),
        ("contents: [1, ab]", b"\1ac", "is b'\\x01ac', expected b'\\x01ab'"),
        (
            """contents: [0x22, "'", 0x5c, 0x0a]""",
            b"\"'\\.",
            f"is {bytes([34, 39, 92, 46])!r}, expected {bytes([34, 39, 92, 10])!r}",
        ),
    ],
)
def test_a_value_that_is_not_allowed(attribute: str, data: bytes, reason: str) -> None:
    error = refused(f"seq: [{{id: n, type: u2}}, {{id: x, {attribute}}}]\n{ENUM}", b"\1\0" + data)
    assert (error.kind, error.pos, error.path, error.reason) == ("invalid", 2, "/x", reason)


@pytest.mark.parametrize(
    ("attribute", "data", "reason"),
    [
        ("type: u4", b"\0\0", "needs 4 bytes, and 2 are left"),
        ("size: n * 3", b"abcd", "needs 6 bytes, and 4 are left"),
        ("type: u2, repeat: expr, repeat-expr: n", b"abc", "needs 4 bytes, and 3 are left"),
        ("type: text, repeat: expr, repeat-expr: n", b"\0", "needs 2 bytes, and 1 are left"),
    ],
)
def test_data_that_is_too_short(attribute: str, data: bytes, reason: str) -> None:
    text = "types: {text: {seq: [{id: len_data, type: u1}, {id: data, size: len_data}]}}"
    error = refused(f"seq: [{{id: n, type: u1}}, {{id: x, {attribute}}}]\n{text}", b"\2" + data)
    assert (error.kind, error.pos, error.path, error.reason) == ("end", 1, "/x", reason)


GROUPS = """
seq:
  - {id: n, type: u1}
  - {id: groups, type: group, repeat: expr, repeat-expr: n}
types:
  group:
    seq:
      - {id: count, type: u1}
      - {id: texts, type: text, repeat: expr, repeat-expr: count}
      - {id: numbers, type: u1, repeat: expr, repeat-expr: 2, valid: {max: 5}}
      - {id: marks, contents: M, repeat: expr, repeat-expr: 2}
      - {id: choices, type: {switch-on: count, cases: {1: u1, _: text}}, repeat: expr, repeat-expr: 2}
  text: {seq: [{id: len_data, type: u1, valid: {max: 9}}, {id: data, size: len_data}]}
"""


@pytest.mark.parametrize(
    ("data", "path", "found"),
    [
        (b"", "/n", [[], []]),
        (b"\2\0\0\1MM\0\0\2\0\x09....", "/groups/1/texts/1/data", [[1, 8], [9, 10]]),
        (b"\1\2\0\x0a" + bytes(9), "/groups/0/texts/1/len_data", [[1], [2, 3]]),
        (b"\1\0\0\6" + bytes(9), "/groups/0/numbers/1", [[1], []]),
        (b"\1\0\0\5MN" + bytes(9), "/groups/0/marks/1", [[1], []]),
        (b"\1\0\0\5MM\0\x0a", "/groups/0/choices/1/len_data", [[1], []]),
        (b"\1\1\0\0\5MM\0", "/groups/0/choices", [[1], [2]]),
    ],
)
def test_a_refusal_has_its_path_and_what_was_found_before(data: bytes, path: str, found: list[list[int]]) -> None:
    made = module(GROUPS, index={"t": ["groups", "groups.texts"]})
    with pytest.raises(made.Refused) as caught:
        made.layout(data).index_t(data, 0)
    assert (caught.value.path, [list(each) for each in caught.value.found]) == (path, found)
    within = caught.value.within("items/2").within("body")
    assert (within.pos, within.path) == (caught.value.pos, f"/body/items/2{path}")


VERSION = "instances: {version: {pos: 0, type: u2le}}"
NODE = "node: {-max-depth: 3, seq: [{id: n, type: u1, valid: {max: 3}}, {id: kid, type: node, if: n == 1}]}"
PART = "part: {seq: [{id: len_d, type: u1}, {id: d, size: len_d}]}"


@pytest.mark.parametrize("repeat", ["", ", repeat: expr, repeat-expr: 2"])
@pytest.mark.parametrize(
    ("case", "good", "bad", "path"),
    [("node", b"\0", b"\1\4", "/kid/n"), ("part", b"\0", b"\1", "/d"), ("u2", b"..", b".", "")],
)
def test_a_choice_that_a_constant_makes(repeat: str, case: str, good: bytes, bad: bytes, path: str) -> None:
    choice = f"type: {{switch-on: _root.version, cases: {{1: {case}, _: u8}}}}{repeat}"
    text = f"seq: [{{id: head, size: 2}}, {{id: v, {choice}}}]\n{VERSION}\ntypes: {{{NODE}, {PART}}}"
    made = module(text, index={"t": []}, constants={"version": [1]})
    data = b"\1\0" + (good if repeat else b"") + bad
    with pytest.raises(made.Refused) as caught:
        made.layout(data).index_t(data, 0)
    item = "/1" if repeat and path else ""
    assert caught.value.path == f"/v{item}{path}"
