"""skip.module: the layouts of a format, and how one is chosen."""

import struct
from typing import Any

import pytest
from skip_modules import load, module, source, unsupported

SIZES = """
seq:
  - {id: head, size: 4}
  - {id: one, type: u2, if: _root.version == 1}
  - {id: two, type: u4, if: _root.version != 1}
  - {id: more, type: u1, if: _root.is_long}
instances:
  version: {pos: 0, type: u2le}
  flags: {pos: 2, type: u2be}
  is_long: {value: flags & 1 == 1}
"""
PLAN: dict[str, Any] = {"index": {"t": []}}


def header(version: int, flags: int) -> bytes:
    return struct.pack("<H", version) + struct.pack(">H", flags) + bytes(5)


def test_without_constants_there_is_one_layout() -> None:
    made = module("seq: [{id: a, type: u4}]")
    assert type(made.layout(b"")) is made.Layout
    assert made.layout(b"").index_t(bytes(4), 0) == 4


@pytest.mark.parametrize("kind", ["u1", "s1", "u2", "u8"])
def test_a_layout_of_fixed_byte_order_needs_no_byte_order(kind: str) -> None:
    made = module(f"seq: [{{id: len_d, type: {kind}, valid: {{min: 1, max: 9}}}}, {{id: d, size: len_d}}]")
    size = int(kind[1])
    assert made.layout(b"").index_t(b"\2" + bytes(size - 1) + b"ab", 0) == size + 2


def test_one_constant_chooses_the_layout() -> None:
    text = SIZES.replace("_root.is_long", "false")
    made = module(text, constants={"version": [1, 2]}, **PLAN)
    assert made.layout(header(1, 0)).index_t(header(1, 0), 0) == 6
    assert made.layout(header(2, 0)).index_t(header(2, 0), 0) == 8


def test_several_constants_choose_the_layout() -> None:
    made = module(SIZES, constants={"version": [1, 2], "is_long": [False, True]}, **PLAN)
    for version, flags, size in [(1, 0, 6), (1, 1, 7), (2, 2, 8), (2, 0xFFFF, 9)]:
        data = header(version, flags)
        assert made.layout(data).index_t(data, 0) == size


def test_values_that_make_no_difference_share_a_layout() -> None:
    text = SIZES.replace("_root.is_long", "false")
    made = module(text, constants={"version": [1, 2, 3]}, **PLAN)
    one, two, three = (type(made.layout(header(version, 0))) for version in (1, 2, 3))
    assert one is not two
    assert two is three
    assert two.__doc__ == "The layout of t where version is 2 or version is 3."


def test_each_choice_of_constants_has_its_own_class() -> None:
    text = """
    seq: [{id: head, size: 4}, {id: x, size: _root.a}, {id: y, size: _root.b * 2}]
    instances: {a: {pos: 0, type: u2le}, b: {pos: 2, type: u2le}}
    """
    made = module(text, constants={"a": [1, 11], "b": [1, 11]}, **PLAN)
    for a in (1, 11):
        for b in (1, 11):
            data = struct.pack("<HH", a, b) + bytes(40)
            assert made.layout(data).index_t(data, 0) == 4 + a + 2 * b


def test_a_negative_constant() -> None:
    text = "seq: [{id: x, size: _root.a + 3}]\ninstances: {a: {pos: 0, type: s2le}}"
    made = module(text, constants={"a": [-1, 1]}, **PLAN)
    assert made.layout(b"\xff\xff..").index_t(b"\xff\xff..", 0) == 2


def test_other_values_are_refused() -> None:
    made = module(SIZES, constants={"version": [1, 2], "is_long": [False]}, **PLAN)
    for data in (header(3, 0), header(1, 1)):
        with pytest.raises(made.Refused) as caught:
            made.layout(data)
        assert (caught.value.kind, caught.value.pos, caught.value.path) == ("invalid", 0, "/version")
        assert "expected" in caught.value.reason


@pytest.mark.parametrize("size", range(4))
def test_data_too_short_to_choose_is_refused(size: int) -> None:
    made = module(SIZES, constants={"version": [1, 2], "is_long": [False, True]}, **PLAN)
    with pytest.raises(made.Refused) as caught:
        made.layout(bytes(size))
    assert caught.value.kind == "end"
    assert caught.value.path in ("/version", "/flags")


# Byte order

SWITCH = """
seq: [{{id: b, type: b}}]
instances: {{mark: {{pos: 0, type: u2le}}, is_be: {{value: mark == 0x4d4d}}}}
types:
  b:
    meta: {{endian: {{switch-on: {on}, cases: {cases}}}}}
    seq: [{{id: mark, type: u2}}, {{id: n, type: u2, valid: {{max: 3}}}}]
enums: {{order: {{0x4949: intel, 0x4d4d: motorola}}}}
"""
CASES = [
    ("_root.is_be", "{true: be, false: le}"),
    ("_root.mark", "{0x4d4d: be, 0x4949: le}"),
    ("_root.mark", "{'0x4d4d': be, '0x4949': le}"),
    ("_root.mark", "{0x4d4d: be, _: le}"),
    ("_root.mark", "{'order::motorola': be, 'order::intel': le}"),
    ("_root.mark & 0xff", "{0x4d: be, 0x49: le}"),
]


@pytest.mark.parametrize(("on", "cases"), CASES)
def test_the_byte_order_that_data_decides_on(on: str, cases: str) -> None:
    made = module(SWITCH.format(on=on, cases=cases), meta="title: both")
    for data in (b"MM\0\3", b"II\3\0"):
        assert made.layout(data).index_t(data, 0) == 4


def test_a_mark_of_no_byte_order_is_refused() -> None:
    made = module(SWITCH.format(on="_root.mark", cases="{0x4d4d: be, 0x4949: le}"), meta="title: both")
    with pytest.raises(made.Refused) as caught:
        made.layout(b"XX\0\0")
    assert caught.value.kind == "invalid"
    assert caught.value.path


def test_the_byte_order_of_what_is_never_read() -> None:
    text = SWITCH.format(on="_root.is_be", cases="{true: be, false: le}").replace(", valid: {max: 3}", "")
    made = module(text, meta="title: both")
    assert made.layout(b"MM\0\0").index_t(b"MM\0\0", 0) == 4


def test_only_one_of_the_layouts_needs_the_byte_order() -> None:
    text = """
    seq: [{id: head, size: 4}, {id: b, type: b}]
    instances: {is_be: {pos: 0, type: u2le}, version: {pos: 2, type: u2le}}
    types:
      b:
        meta: {endian: {switch-on: _root.is_be, cases: {1: be, 0: le}}}
        seq: [{id: len_d, type: u2, if: _root.version == 1}, {id: d, size: '_root.version == 1 ? len_d : 2'}]
    """
    made = module(text, meta="title: both", constants={"version": [1, 2]}, **PLAN)
    for data, end in [(b"\1\0\1\0\0\3abc", 9), (b"\0\0\2\0ab", 6)]:
        assert made.layout(data).index_t(data, 0) == end


@pytest.mark.parametrize(
    "text",
    [
        SWITCH.format(on="_parent.mark", cases="{1: be, 0: le}"),
        SWITCH.format(on="missing", cases="{1: be, 0: le}"),
        SWITCH.format(on="_root.mark", cases="{'[0x4d, 0x4d]': be, '[0x49, 0x49]': le}"),
        # the type's own `mark` hides that of the root
        SWITCH.format(on="mark", cases="{1: be, 0: le}") + "    instances: {mark: {value: 1}}\n",
    ],
)
def test_byte_orders_that_are_not_folded(text: str) -> None:
    if "    instances" in text:
        text = text.replace("    instances: {mark: {value: 1}}\n", "").replace(
            "    seq: [{id: mark", "    instances: {mark: {value: 1}}\n    seq: [{id: order"
        )
    unsupported(text, meta="title: both")


def test_a_root_of_either_byte_order_is_refused() -> None:
    # the official Python classes can't read such a root
    text = "seq: [{id: a, type: u2, valid: 1}]\ninstances: {mark: {pos: 0, type: u2le}}"
    unsupported(text, meta="endian: {switch-on: mark, cases: {1: le, 0: be}}")


def test_two_different_choices_of_byte_order_are_refused() -> None:
    text = SWITCH.format(on="_root.is_be", cases="{true: be, false: le}") + "other: x\n"
    other = "  c: {meta: {endian: {switch-on: _root.mark, cases: {1: be, 0: le}}}}\nenums"
    unsupported(text.replace("other: x\n", "").replace("enums", other), meta="title: both")


# Instances that can't be used to choose the layout


@pytest.mark.parametrize(
    "instance",
    [
        "pos: 0, size: 2",
        "pos: 0, type: {switch-on: 1, cases: {1: u2}}",
        "pos: 0, type: part",
        "pos: 0, type: b4",
        "pos: '1 + 1', type: u2le",
        "pos: _io.size - 2, type: u2le",
        "value: d",
        "value: other",
        "value: 'd.to_i(16)'",
    ],
)
def test_an_instance_that_is_not_a_number_at_a_place_is_refused(instance: str) -> None:
    text = f"seq: [{{id: d, size: 2}}]\ninstances: {{x: {{{instance}}}}}\ntypes: {{part: {{seq: []}}}}"
    unsupported(text, constants={"x": [1]}, **PLAN)


@pytest.mark.parametrize("name", ["endian", "found", "buf", "need", "is", "u2le", "len"])
def test_an_instance_of_any_name(name: str) -> None:
    text = f"""
    seq: [{{id: head, size: 2}}, {{id: b, type: b}}, {{id: c, type: u2, if: _root.{name} == 1}}]
    instances: {{{name}: {{pos: 0, type: u2le}}}}
    types:
      b:
        meta: {{endian: {{switch-on: _root.{name}, cases: {{1: be, 0: le}}}}}}
        seq: [{{id: n, type: u2, valid: 7}}]
    """
    made = module(text, constants={name: [0, 1]}, **PLAN)
    for data in (b"\0\0\7\0", b"\1\0\0\7.."):
        assert made.layout(data).index_t(data, 0) == len(data)


# Limits

LIMITS = """
seq: [{id: a, type: u4, valid: {max: 0x40000000}}, {id: n, type: length}, {id: m, type: u4, valid: {max: 70001}}]
types: {length: {seq: [{id: v, type: u4, valid: {max: 0x40000000}}]}}
"""


def test_large_limits_have_names() -> None:
    text = source(LIMITS)
    assert [line for line in text.splitlines() if line.startswith("MAX_")] == [
        "MAX_T_A = 1 << 30",
        "MAX_T_M = 70001",
        "MAX_LENGTH = 1 << 30",
    ]
    assert text.count("1073741824") == 0
    data = struct.pack("<III", 5, (1 << 30) + 1, 0)
    made = load(text)
    with pytest.raises(made.Refused) as caught:
        made.layout(data).index_t(data, 0)
    assert (caught.value.path, caught.value.reason) == ("/n", "is 1073741825, expected at most 1073741824")


def test_two_limits_of_one_name_are_refused() -> None:
    fields = "{id: b_c, type: u4, valid: {max: 70000}}, {id: d, type: u4}"
    others = "{id: c, type: u4, valid: {max: 70001}}, {id: e, type: u4}"
    text = f"""
    seq: [{{id: x, type: a}}, {{id: y, type: a_b}}]
    types: {{a: {{seq: [{fields}]}}, a_b: {{seq: [{others}]}}}}
    """
    assert "MAX_A_B_C" in unsupported(text)


def test_a_number_that_the_layout_was_chosen_by_is_not_checked_again() -> None:
    text = "seq: [{id: version, type: u2, valid: {any-of: [1, 2]}}]\ninstances: {version: {pos: 0, type: u2le}}"
    plan: dict[str, Any] = {"constants": {"version": [1, 2]}, **PLAN}
    checked = source(text, **plan)
    assert "expected 1 or 2" in checked[: checked.index("def layout")]
    made = module(text, decided={"t": ["version"]}, **plan)
    assert made.layout(b"\2\0").index_t(b"\7\0", 0) == 2
    with pytest.raises(made.Refused, match="expected 1 or 2"):
        made.layout(b"\7\0")


# The generated source


def test_the_source_says_where_it_comes_from() -> None:
    text = source("seq: [{id: a, type: u2, valid: 1}]")
    assert text.startswith("# This is a generated file! Please edit schema/t.ksy")


def test_only_the_numbers_that_are_read_have_readers() -> None:
    text = source("seq: [{id: a, type: u2, valid: 1}, {id: b, type: u4}, {id: c, type: u8be}]")
    assert "u2le = Struct" in text
    assert "u4le" not in text
    assert "u8be" not in text


def test_the_same_schema_gives_the_same_source() -> None:
    plan: dict[str, Any] = {"constants": {"version": [1, 2], "is_long": [False, True]}, **PLAN}
    assert source(SIZES, **plan) == source(SIZES, **plan)
    load(source(SIZES, **plan))
