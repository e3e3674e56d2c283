"""skip.index: the index skips fields that nothing depends on, and never accepts what the class refuses."""

import math
import mmap
import struct
import tempfile
import time

import pytest
from skip_modules import end, listed, module, refused, source, unsupported

RUN = "seq: [{id: n, type: u1}, {id: items, type: text, repeat: expr, repeat-expr: n}]\n"
TEXT = "text: {seq: [{id: len_data, type: u1, valid: {max: 3}}, {id: data, size: len_data}]}"


def test_a_run_of_fixed_size_items_is_not_looped_over() -> None:
    types = "types: {pair: {seq: [{id: a, type: u4}, {id: b, size: 2}]}}"
    made = source(f"seq: [{{id: n, type: u2}}, {{id: p, type: pair, repeat: expr, repeat-expr: n}}]\n{types}")
    assert "for " not in made[made.index("class Layout") : made.index("def layout")].replace("layout for", "")


@pytest.mark.parametrize("wrap", [bytes, bytearray, memoryview])
def test_buffers(wrap: type) -> None:
    made = module('seq: [{id: m, contents: "ab"}, {id: n, type: u2}, {id: d, size: n}]')
    data = wrap(b"ab\1\0x")
    assert made.layout(data).index_t(data, 0) == 5
    with pytest.raises(made.Refused):
        made.layout(data).index_t(wrap(b"ac\1\0x"), 0)


def test_a_memory_map() -> None:
    made = module('seq: [{id: m, contents: "ab"}, {id: n, type: u2}, {id: d, size: n}]')
    with tempfile.TemporaryFile() as file:
        file.write(b"ab\1\0x")
        file.flush()
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            assert made.layout(data).index_t(data, 0) == 5


def test_it_starts_anywhere() -> None:
    made = module(f"{RUN}types: {{{TEXT}}}", index={"t": ["items"]})
    assert listed(made.layout(b"").index_t(b"....\2\1a\0", 4)) == ([5, 7], 8)
    with pytest.raises(made.Refused):
        made.layout(b"").index_t(b"....", 4)


def test_positions_of_items_in_items() -> None:
    text = """
    seq: [{id: n, type: u1}, {id: groups, type: group, repeat: expr, repeat-expr: n}]
    types:
      group: {seq: [{id: num, type: u1}, {id: texts, type: text, repeat: expr, repeat-expr: num}]}
      text: {seq: [{id: len_data, type: u1}, {id: data, size: len_data}]}
    """
    made = module(text, index={"t": ["groups", "groups.texts"]})
    assert listed(made.layout(b"").index_t(b"\2\2\0\1a\1\0", 0)) == ([1, 5], [2, 3, 6], 7)


def test_positions_of_lists_of_one_name() -> None:
    lists = "list: {seq: [{id: n, type: u1}, {id: items, type: text, repeat: expr, repeat-expr: n}]}"
    text = f"seq: [{{id: a, type: list}}, {{id: b, type: list}}]\ntypes: {{{lists}, {TEXT}}}"
    made = module(text, index={"t": ["a.items", "b.items"]})
    assert listed(made.layout(b"").index_t(b"\1\0\2\0\0", 0)) == ([1], [3, 4], 5)


def test_positions_of_what_is_not_repeated_are_refused() -> None:
    assert "no repeated" in unsupported("seq: [{id: n, type: u1}]", index={"t": ["n"]})


# Lengths and counts are compared with the number of bytes left


@pytest.mark.parametrize("kind", ["u4", "u8"])
def test_a_huge_count_is_refused_at_once(kind: str) -> None:
    text = f"seq: [{{id: n, type: {kind}}}, {{id: items, type: text, repeat: expr, repeat-expr: n}}]\ntypes: {{{TEXT}}}"
    size = int(kind[1])
    before = time.perf_counter()
    assert refused(text, b"\xff" * size + bytes(1000)).path == "/items"
    assert time.perf_counter() - before < 2


def test_a_huge_length_is_refused() -> None:
    text = "seq: [{id: n, type: u8}, {id: d, size: n * 8}, {id: m, type: u2}, {id: e, size: m}]"
    assert refused(text, b"\xff" * 8 + bytes(100)).path == "/d"


@pytest.mark.parametrize("excess", range(1, 4))
def test_a_length_in_a_run_can_not_be_over_the_limit(excess: int) -> None:
    data = bytes([3, 3]) + b"abc" + bytes([3 + excess]) + b"abcdefgh"[: 3 + excess] + b"\0"
    error = refused(f"{RUN}types: {{{TEXT}}}", data)
    assert (error.kind, error.pos) == ("invalid", 5)


def test_lengths_in_a_run_can_be_over_the_limit_together() -> None:
    assert end(f"{RUN}types: {{{TEXT}}}", b"\4" + b"\3abc" * 4) == 17


NEGATIVE = [
    ("seq: [{id: n, type: s2}, {id: d, size: n}]", b"\xff\xff" + bytes(8)),
    ("seq: [{id: n, type: s1}, {id: d, size: n * 2}]", b"\xff" + bytes(8)),
    ("seq: [{id: n, type: u1}, {id: d, size: n - 4}]", b"\1" + bytes(8)),
    ("seq: [{id: n, type: u1}, {id: d, size: 2 - n}]", b"\4" + bytes(8)),
    ("seq: [{id: n, type: u1}, {id: d, size: -n}]", b"\4" + bytes(8)),
    ("seq: [{id: n, type: u1}, {id: d, size: 'n == 1 ? -1 : n'}]", b"\1" + bytes(8)),
    ("seq: [{id: n, type: u1}, {id: d, size: (n - 4) * 3 + 2}]", b"\1" + bytes(8)),
    ("seq: [{id: a, type: u1}, {id: n, type: s1}, {id: d, size: n}, {id: e, size: a}]", b"\2\xff" + bytes(8)),
]


@pytest.mark.parametrize(("text", "data"), NEGATIVE)
def test_a_negative_length_never_goes_back(text: str, data: bytes) -> None:
    assert refused(text, data).path == "/d"


def test_a_length_that_is_always_negative_is_not_compiled() -> None:
    message = unsupported("seq: [{id: n, type: u1}, {id: d, size: ~n}]")
    assert message == "/types/t/seq/d: a size that is negative"


@pytest.mark.parametrize("item", ["u4", "text"])
def test_a_negative_count_is_no_items(item: str) -> None:
    text = f"seq: [{{id: n, type: s2}}, {{id: d, type: {item}, repeat: expr, repeat-expr: n}}, {{id: e, type: u1}}]"
    assert end(f"{text}\ntypes: {{{TEXT}}}", b"\xff\xff" + bytes(8)) == 3


def test_a_signed_length_with_a_minimum() -> None:
    text = "seq: [{id: n, type: s2, valid: {min: 0}}, {id: d, size: n}]"
    assert end(text, b"\2\0ab") == 4
    assert refused(text, b"\xff\xffab").path == "/n"


# Values


def test_nan_is_in_no_range() -> None:
    nan = struct.pack("<f", math.nan)
    for limit in ("min: 0", "max: 3", "min: 0, max: 3"):
        assert refused(f"seq: [{{id: x, type: f4, valid: {{{limit}}}}}]", nan).path == "/x"


def test_a_condition_that_is_negated() -> None:
    text = "seq: [{id: a, type: u1}, {id: b, type: u1}, {id: x, type: u2, if: %s}]"
    for condition, size in [("not a == 1", 2), ("(not (a == 1)) == (b == 2)", 2), ("not (a == 1) or b == 2", 4)]:
        assert end(text % condition, b"\1\2..") == size


@pytest.mark.parametrize("nothing", ["size: 0", "type: u4, repeat: expr, repeat-expr: 0", "type: empty"])
def test_a_condition_on_nothing(nothing: str) -> None:
    text = f"seq: [{{id: n, type: u1}}, {{id: x, {nothing}, if: n == 1}}, {{id: y, type: u1}}]"
    for data in (b"\0.", b"\1."):
        assert end(f"{text}\ntypes: {{empty: {{seq: []}}}}", data) == 2


def test_a_number_that_is_not_there_is_not_that_of_the_item_before() -> None:
    text = """
    seq: [{id: n, type: u1}, {id: items, type: item, repeat: expr, repeat-expr: n}]
    types: {item: {seq: [{id: f, type: u1}, {id: len_d, type: u1, if: f == 1}, {id: d, size: len_d, if: f == 1}]}}
    """
    assert end(text, b"\3\1\2ab\0\1\1x") == 9


# Switches


def switch(cases: str, types: str, more: str = "") -> str:
    seq = "{id: a, type: u1}, {id: b, type: u1}, {id: s, type: u1}"
    return f"seq: [{seq}, {{id: v, type: {{switch-on: s, cases: {cases}}}}}{more}]\ntypes: {{{types}}}"


BLOB = "blob: {params: [{id: len_d, type: u1}], seq: [{id: d, size: len_d}]}"


def test_cases_of_one_type_have_their_own_arguments() -> None:
    text = switch("{1: blob(a), 2: blob(b), 3: blob(a + b), 4: blob(a)}", BLOB)
    for case, size in [(1, 1), (2, 3), (3, 4), (4, 1), (5, 0)]:
        assert end(text, bytes([1, 3, case]) + bytes(4)) == 3 + size


def test_cases_of_one_type_have_their_own_parents() -> None:
    head = "seq: [{id: p, type: u1}, {id: q, type: u1}, {id: i, type: inner}], instances"
    types = f"one: {{{head}: {{n: {{value: p}}}}}}, two: {{{head}: {{n: {{value: q}}}}}}"
    text = switch("{1: one, 2: two}", f"{types}, inner: {{seq: [{{id: d, size: _parent.n}}]}}")
    assert end(text, bytes([0, 0, 1, 1, 3]) + bytes(3)) == 6
    assert end(text, bytes([0, 0, 2, 1, 3]) + bytes(3)) == 8


def test_cases_of_like_types_have_their_own_byte_order() -> None:
    types = [f"{name}: {{seq: [{{id: n, type: u2{name}}}, {{id: i, type: inner}}]}}, " for name in ("le", "be")]
    text = switch("{1: le, 2: be}", "".join(types) + "inner: {seq: [{id: d, size: _parent.n}]}")
    assert end(text, bytes([0, 0, 1, 2, 0]) + bytes(2)) == 7
    assert end(text, bytes([0, 0, 2, 0, 2]) + bytes(2)) == 7


def test_cases_of_like_types_have_their_own_conditions() -> None:
    part = (
        "part: {params: [{id: p, type: u1}], seq: [{id: n, type: u1}, {id: d, size: n}, {id: e, size: 2, if: p == 1}]}"
    )
    text = switch("{1: part(1), 2: part(2)}", part)
    assert end(text, bytes([0, 0, 1, 1]) + bytes(3)) == 7
    assert end(text, bytes([0, 0, 2, 1]) + bytes(3)) == 5


def test_the_default_is_for_all_other_values() -> None:
    text = switch("{1: u2, _: u4}", "x: {}", more=", {id: e, type: u1}")
    assert end(text, bytes([0, 0, 1]) + bytes(9)) == 6
    assert end(text, bytes([0, 0, 77]) + bytes(9)) == 8


@pytest.mark.parametrize("cases", ["{_: u2}", "{0: u2, _: u2}", "{0: u2, 1: s2, _: u2}", "{0: part, _: part}"])
def test_a_default_that_is_like_every_case(cases: str) -> None:
    text = switch(cases, "part: {seq: [{id: n, type: u2}]}")
    for case in (0, 1, 9):
        assert end(text, bytes([0, 0, case]) + bytes(9)) == 5
        error = refused(text, bytes([0, 0, case, 0]))
        assert (error.kind, error.pos) == ("end", 3)
        assert error.path in ("/v", "/v/n")


@pytest.mark.parametrize("cases", ["{0: u2, _: u4}", "{0: u2, 1: u4, 2: u4, 3: u4, _: u2}"])
@pytest.mark.parametrize("repeat", ["", ", repeat: expr, repeat-expr: 1"])
def test_a_case_that_can_not_be(cases: str, repeat: str) -> None:
    choice = f"{{id: v, type: {{switch-on: s, cases: {cases}}}{repeat}}}"
    text = f"seq: [{{id: s, type: u1, valid: {{min: 1, max: 3}}}}, {choice}]"
    for case in (1, 3):
        assert end(text, bytes([case]) + bytes(9)) == 5


# Names


@pytest.mark.parametrize(
    "name",
    ["len", "range", "bytes", "need", "error", "max", "int64", "struct", "pos", "buf", "self", "depth", "start", "item",
     "refused", "class", "in", "u1", "u2", "u2le", "each_u2", "each", "runs", "np", "layout", "items", "list", "int"],
)  # fmt: skip
def test_fields_of_any_name(name: str) -> None:
    text = f"""
    seq:
      - {{id: {name}, type: u2, valid: {{max: 9}}}}
      - {{id: items, type: text, repeat: expr, repeat-expr: {name}}}
      - {{id: rest, size: {name} * 2, if: {name} != 0}}
    types: {{{TEXT}}}
    """
    made = module(text, index={"t": ["items"]})
    assert listed(made.layout(b"").index_t(b"\2\0\0\1aABCD", 0)) == ([2, 3], 9)
    for data, path in [(b"\2\0\0\1aABC", "/rest"), (b"\x0a\0", f"/{name}"), (b"\2\0\0\4", "/items/1/len_data")]:
        with pytest.raises(made.Refused) as caught:
            made.layout(b"").index_t(data, 0)
        assert caught.value.path == path


@pytest.mark.parametrize("name", ["items", "len", "error", "buf", "pos"])
def test_lists_and_arguments_of_any_name(name: str) -> None:
    text = f"""
    seq: [{{id: {name}, type: u2}}, {{id: p, type: part}}]
    types:
      part: {{seq: [{{id: {name}, type: num, repeat: expr, repeat-expr: _parent.{name}}}, {{id: e, type: u1}}]}}
      num: {{seq: [{{id: v, type: u2, valid: {{max: 5}}}}]}}
    """
    made = module(text, index={"t": ["p." + name], "part": [name]})
    assert listed(made.layout(b"").index_t(b"\2\0\1\0\5\0.", 0)) == ([2, 4], 7)
    assert listed(made.layout(b"").index_part(b"\1\0\5\0.", 0, 2)) == ([0, 2], 5)
    with pytest.raises(made.Refused) as caught:
        made.layout(b"").index_part(b"\1\0\6\0.", 0, 2)
    assert caught.value.pos == 2


# Types that contain themselves

NODE = "node: {-max-depth: 3, seq: [{id: n, type: u1}, {id: kids, type: node, repeat: expr, repeat-expr: n}]}"


def test_depth() -> None:
    text = f"seq: [{{id: top, type: node}}]\ntypes: {{{NODE}}}"
    assert end(text, b"\2\1\0\1\0") == 5
    error = refused(text, b"\1\1\1\0")
    assert (error.kind, error.pos, error.path) == ("depth", 3, "/top/kids/0/kids/0/kids/0")


@pytest.mark.parametrize("targets", [[], ["kids"]])
def test_a_recursive_type_is_indexed_on_its_own(targets: list[str]) -> None:
    made = module(f"seq: [{{id: top, type: node}}]\ntypes: {{{NODE}}}", index={"node": targets})
    layout = made.layout(b"")
    assert listed(layout.index_node(b"..\2\1\0\0", 2)) == (([3, 5], 6) if targets else 6)
    with pytest.raises(made.Refused) as caught:
        layout.index_node(b"\2\1\0", 0)
    assert caught.value.path
    with pytest.raises(made.Refused):
        layout.index_node(b"\1\1\1\1\1\0", 0)


def test_a_type_indexed_inside_of_another_and_on_its_own() -> None:
    text = """
    seq: [{id: n, type: u1}, {id: p, type: part}]
    instances: {twice: {value: n * 2}}
    types: {part: {seq: [{id: d, size: _parent.twice}, {id: z, type: u1, valid: 7}]}}
    """
    for order in (["t", "part"], ["part", "t"]):
        made = module(text, index={name: [] for name in order})
        layout = made.layout(b"")
        assert layout.index_t(b"\1ab\7", 0) == 4
        assert layout.index_part(b"ab\7", 0, 2) == 3
        with pytest.raises(made.Refused) as caught:
            layout.index_part(b"ab\6", 0, 2)
        assert (caught.value.pos, caught.value.path) == (2, "/z")
        with pytest.raises(made.Refused) as caught:
            layout.index_t(b"\1ab\6", 0)
        assert (caught.value.pos, caught.value.path) == (3, "/p/z")
