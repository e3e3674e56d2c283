"""skip.fold: what the skip compiler supports, and refusals, which name the construct and its place."""

import pytest
from skip.fold import Folder
from skip.steps import Bytes, Call, If, Loop, Number, Struct, Switch
from skip_modules import end, module, schema, unsupported

ATTRIBUTES = [
    ("size: 4, process: xor(5)", "process"),
    ("size: 4, terminator: 0", "terminator"),
    ("type: str, encoding: ASCII, terminator: 0", "terminator"),
    ("type: strz, encoding: ASCII", "strz"),
    ("size: 4, pad-right: 0", "pad-right"),
    ("size-eos: true", "size-eos"),
    ("type: u1, repeat: eos", "eos"),
    ("type: u1, repeat: until, repeat-until: _ == 0", "until"),
    ("type: inner, size: 4", "substream"),
    ("type: {switch-on: a, cases: {1: inner}}, size: 4", "substream"),
    ("type: {switch-on: a, cases: {1: u1, 2: u2}}, valid: 4", "valid"),
    ("type: b1", "b1"),
    ("type: b12le", "b12le"),
    ("type: elsewhere", "elsewhere"),
    ("type: 'inner::nested'", "inner::nested"),
    ("type: str, encoding: ASCII", "size"),
    ("type: inner, parent: _root", "parent"),
    ("type: inner, io: _io", "io"),
    ("type: inner, valid: {expr: _.n == 1}", "valid"),
    ("type: u1, valid: {expr: _ > 3}", "valid/expr"),
    ("size: 4, valid: '[1, 2]'", "valid"),
    ("type: u1, enum: nowhere, valid: {in-enum: true}", "nowhere"),
    ("type: u1, enum: 'inner::e', valid: {in-enum: true}", "inner::e"),
    ("size: missing", "missing"),
    ("size: '1.5'", "1.5"),
    ("size: here", "here"),
    ("size: f", "float"),
    ("size: f.to_i", "float"),
    ("size: 4, if: f > 1", "float"),
    ("size: _io.size", "_io"),
    ("size: a.length", "length"),
    ("size: sub", "structure"),
    ("size: sub.missing", "missing"),
    ("size: _root.a", "_root"),
    ("size: 'e::nothing'", "e::nothing"),
    ("size: 4 / 0", "4 / 0"),
    ("size: 4 / a", "4 / a"),
    ("size: 4 % a", "4 % a"),
    ("size: 1 << a", "1 << a"),
    ("type: u1, repeat: expr, repeat-expr: 256 >> s", "256 >> s"),
    ("size: 2, if: _index == 1", "_index"),
    ("type: {switch-on: a, cases: {a: inner}}", "case a"),
    ("type: {switch-on: a, cases: {'\"text\"': inner}}", "text"),
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
    if construct not in ("float", "4 / 0", "4 / a", "4 % a", "1 << a", "256 >> s", "_root"):
        assert construct in message


def test_the_place_is_where_the_construct_is_written() -> None:
    inner = "types: {inner: {seq: [{id: n, type: u1}, {id: x, type: strz, encoding: ASCII}]}}"
    assert unsupported(f"seq: [{{id: a, type: inner}}]\n{inner}").startswith("/types/inner/seq/x")


@pytest.mark.parametrize(
    ("types", "place"),
    [
        ("inner: {types: {nested: {seq: []}}}", "/types/inner/types"),
        ("inner: {enums: {e: {1: a}}, seq: [{id: n, type: u1, enum: e, valid: {in-enum: true}}]}", "/types/inner"),
    ],
)
def test_what_is_declared_inside_a_type_is_refused(types: str, place: str) -> None:
    assert unsupported(f"seq: [{{id: a, type: inner}}]\ntypes: {{{types}}}\nenums: {{e: {{2: b}}}}").startswith(place)


def test_an_attribute_without_an_id_is_refused() -> None:
    assert "without an id" in unsupported("seq: [{type: u1}]")


def test_what_takes_no_bytes_is_left_out_whatever_it_asks_for() -> None:
    text = """
    seq:
      - {id: a, type: u1}
      - {id: mark, size: 0, if: position < 0}
    instances: {position: {value: _io.pos}}
    """
    assert [step.id for step in Folder(schema(text), {}).fold("t")[1]] == ["a"]
    assert end(text, b"\x00\x01") == 1


def test_the_condition_of_what_takes_bytes_is_not_left_out() -> None:
    assert "_io" in unsupported("seq: [{id: a, size: 1, if: _io.pos < 0}]")


def test_a_number_of_no_byte_order_is_refused() -> None:
    message = unsupported("seq: [{id: x, type: u2}]", meta="title: no endian")
    assert message.startswith("/types/t/seq/x")
    assert "meta/endian" in message


def test_a_number_that_may_not_be_there_decides_nothing() -> None:
    seq = "{id: flag, type: u1}, {id: n, type: u1, if: flag == 1}"
    assert unsupported(f"seq: [{seq}, {{id: x, size: n}}]").startswith("/types/t/seq/x")


def test_two_numbers_of_one_name_alike_are_not_confused() -> None:
    head = "head: {seq: [{id: a, type: u1}, {id: b, type: u1}]}"
    part = "part: {seq: [{id: x, size: _parent.head.a}, {id: y, size: _parent.head.b}]}"
    text = f"seq: [{{id: head, type: head}}, {{id: p, type: part}}]\ntypes: {{{head}, {part}}}"
    made = module(text, index={"part": []})
    assert made.layout(b"").index_part(bytes(9), 0, 2, 3) == 5


# Types that contain themselves


def test_a_recursive_type_needs_a_depth() -> None:
    types = "node: {seq: [{id: n, type: u1}, {id: kids, type: node, repeat: expr, repeat-expr: n}]}"
    message = unsupported(f"seq: [{{id: top, type: node}}]\ntypes: {{{types}}}")
    assert message.startswith("/types/node")
    assert "-max-depth" in message


def test_a_recursive_type_has_no_params() -> None:
    seq = "[{id: n, type: u1}, {id: k, type: node(n), if: n > 1}]"
    types = f"node: {{-max-depth: 3, params: [{{id: p, type: u1}}], seq: {seq}}}"
    message = unsupported(f"seq: [{{id: top, type: node(1)}}]\ntypes: {{{types}}}")
    assert message.startswith("/types/node")
    assert "params" in message


def test_a_recursive_type_takes_nothing_from_its_parent() -> None:
    types = "node: {-max-depth: 3, seq: [{id: n, size: _parent.n}, {id: k, type: node, if: _parent.n > 1}]}"
    message = unsupported(f"seq: [{{id: n, type: u1}}, {{id: top, type: node}}]\ntypes: {{{types}}}")
    assert message.startswith("/types/node")
    assert "_parent" in message


def test_nor_does_a_type_inside_of_it() -> None:
    node = "node: {-max-depth: 3, seq: [{id: n, type: u1}, {id: leaf, type: leaf}, {id: k, type: node, if: n > 1}]}"
    leaf = "leaf: {seq: [{id: d, size: _parent._parent.num}]}"
    message = unsupported(f"seq: [{{id: num, type: u1}}, {{id: top, type: node}}]\ntypes: {{{node}, {leaf}}}")
    assert message.startswith("/types/")
    assert "_parent" in message


def test_a_name_like_parent_is_not_the_parent() -> None:
    seq = "{id: num_parents, type: u1}, {id: kids, type: node, repeat: expr, repeat-expr: num_parents}"
    doc = "See _parent."
    types = f"node: {{-max-depth: 3, seq: [{seq}, {{id: x, type: u1, doc: {doc}}}]}}"
    assert end(f"seq: [{{id: top, type: node}}]\ntypes: {{{types}}}", b"\1\0xy") == 4


def test_a_recursive_type_is_a_call() -> None:
    types = "node: {-max-depth: 7, seq: [{id: n, type: u2}, {id: kids, type: node, repeat: expr, repeat-expr: n}]}"
    folder = Folder(schema(f"seq: [{{id: top, type: node}}]\ntypes: {{{types}}}"), {})
    assert folder.depths == {"node": 7}
    assert folder.fold("t")[1] == [Call("top", "node", 2)]


# Folding


def fold(text: str, meta: str = "endian: le", **constants: int | bool) -> list[object]:
    return list(Folder(schema(text, meta), constants).fold("t")[1])


def test_conditions_on_constants_are_decided() -> None:
    seq = "seq: [{id: a, type: u2, if: _root.version == 1}, {id: b, type: u4, if: _root.version != 1}]"
    text = f"{seq}\ninstances: {{version: {{pos: 0, type: u2le}}}}"
    [one], [other] = fold(text, version=1), fold(text, version=2)
    assert isinstance(one, Number)
    assert isinstance(other, Number)
    assert (one.id, other.id) == ("a", "b")


def test_a_switch_on_a_constant_is_its_case() -> None:
    cases = "{1: u2, 2: u4, _: u8}"
    text = f"seq: [{{id: a, type: {{switch-on: _root.v, cases: {cases}}}}}]\ninstances: {{v: {{pos: 0, type: u2le}}}}"
    for version, size in [(1, 2), (2, 4)]:
        [step] = fold(text, v=version)
        assert isinstance(step, Struct)
        [number] = step.steps
        assert isinstance(number, Number)
        assert number.size == size


def test_a_repeat_of_fixed_size_is_one_multiplication() -> None:
    types = "types: {point: {seq: [{id: x, type: u2}, {id: y, type: f8}, {id: tag, size: 2}]}}"
    [_, run] = fold(f"seq: [{{id: n, type: u1}}, {{id: p, type: point, repeat: expr, repeat-expr: n}}]\n{types}")
    assert isinstance(run, Bytes)
    assert "12" in str(run.size)


def test_a_repeat_of_what_is_checked_is_a_loop() -> None:
    [_, loop] = fold("seq: [{id: n, type: u1}, {id: p, type: u2, repeat: expr, repeat-expr: n, valid: {max: 3}}]")
    assert isinstance(loop, Loop)
    assert loop.item_size == 2


def test_a_condition_on_data_stays() -> None:
    [_, step] = fold("seq: [{id: n, type: u1}, {id: p, type: u2, if: n == 1}]")
    assert isinstance(step, If)


def test_cases_of_equal_steps_are_one() -> None:
    types = "types: {one: {seq: [{id: a, type: u4}]}, other: {seq: [{id: b, type: f4}]}}"
    cases = "{1: one, 2: other, 3: u2}"
    [_, step] = fold(f"seq: [{{id: n, type: u1}}, {{id: p, type: {{switch-on: n, cases: {cases}}}}}]\n{types}")
    assert isinstance(step, Switch)


def test_a_type_may_be_named_like_a_number() -> None:
    types = "u4_pair: {seq: [{id: a, type: u4}, {id: b, type: u4}]}, s1x: {seq: [{id: a, type: u8}]}"
    assert end(f"seq: [{{id: x, type: u4_pair}}, {{id: y, type: s1x}}]\ntypes: {{{types}}}", bytes(16)) == 16


def test_the_byte_order_is_that_of_the_declaration() -> None:
    text = """
    seq: [{id: x, type: outer}]
    types:
      outer: {meta: {endian: be}, seq: [{id: i, type: inner}]}
      inner: {seq: [{id: len_d, type: u4}, {id: d, size: len_d}]}
    """
    assert end(text, b"\3\0\0\0abc") == 7


def test_numbers_of_a_written_byte_order() -> None:
    text = "seq: [{id: a, type: u2be}, {id: b, type: u2le}, {id: x, size: a}, {id: y, size: b}]"
    assert end(text, b"\0\1\2\0xyy", meta="title: no endian") == 7


def test_arguments_are_expressions() -> None:
    text = """
    seq: [{id: n, type: u1}, {id: x, type: 'part((n + 1) * (n + 2), n * (2 + 1))'}]
    types: {part: {params: [{id: a, type: u1}, {id: b, type: u1}], seq: [{id: d, size: a}, {id: e, size: b}]}}
    """
    assert end(text, b"\1" + bytes(9)) == 10


def test_numbers_of_a_structure_that_was_read() -> None:
    text = """
    seq: [{id: head, type: head}, {id: x, size: head.len.value}, {id: y, size: head.twice}]
    types:
      head: {seq: [{id: len, type: num}], instances: {twice: {value: len.value * 2}}}
      num: {seq: [{id: value, type: u1}]}
    """
    assert end(text, b"\2" + bytes(6)) == 7


def test_contents_are_text_and_numbers() -> None:
    text = 'seq: [{id: a, contents: [0x89, PNG, "\\n", 0]}, {id: b, contents: Zoë}]'
    assert end(text, b"\x89PNG\n\0" + "Zoë".encode()) == 10
