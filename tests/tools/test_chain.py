"""`chain` in generated modules: the positions of many length-prefixed items, computed with numpy."""

import struct
from random import Random
from typing import Any

import pytest
from hypothesis import given, strategies as st
from skip_modules import listed, module

TEXT = """
seq: [{{id: n, type: u4}}, {{id: items, type: text, repeat: expr, repeat-expr: n}}]
types: {{text: {{seq: [{{id: len_data, type: {type}, valid: {{max: 70000}}}}, {{id: data, size: len_data}}]}}}}
"""
CODES = {"u2": "H", "u4": "I", "u8": "Q"}
LAYOUTS = [(type, endian) for type in CODES for endian in ("le", "be")]
MADE = {
    (type, endian): (
        module(TEXT.format(type=type), f"endian: {endian}", index={"t": ["items"]}),
        module(TEXT.format(type=type), f"endian: {endian}"),
        ("<" if endian == "le" else ">") + CODES[type],
    )
    for type, endian in LAYOUTS
}

KINDS: dict[str, Any] = {
    "short": lambda random: random.randbytes(random.randrange(1, 20)),
    "empty": lambda _: b"",
    "zeros": lambda random: bytes(random.randrange(30)),
    "like lengths": lambda random: bytes([5, *bytes(7)]) * random.randrange(4),
    "of 255": lambda _: b"x" * 255,
    "of 256": lambda _: b"x" * 256,
    "long": lambda random: b"x" * random.choice([257, 300, 65_535]),
}


def packed(items: list[bytes], code: str) -> bytes:
    return struct.pack(code[0] + "I", len(items)) + b"".join(struct.pack(code, len(item)) + item for item in items)


def positions(items: list[bytes], code: str) -> tuple[list[int], int]:
    found, pos = [], 4
    for item in items:
        found.append(pos)
        pos += struct.calcsize(code) + len(item)
    return found, pos


def check(items: list[bytes], type: str, endian: str) -> None:
    with_items, without, code = MADE[type, endian]
    data = packed(items, code)
    found, end = positions(items, code)
    assert listed(with_items.layout(data).index_t(data, 0)) == (found, end)
    assert without.layout(data).index_t(data, 0) == end
    assert without.layout(data).index_t(data + bytes(40), 0) == end


@pytest.mark.parametrize("kind", KINDS)
def test_items_of_a_kind(kind: str) -> None:
    for type, endian in (("u2", "be"), ("u8", "le")):
        random = Random(kind)
        check([KINDS[kind](random) for _ in range(2_100 if kind == "long" else 6_000)], type, endian)


@given(st.sampled_from(LAYOUTS), st.integers(0, 1 << 32), st.integers(2_000, 9_000))
def test_items_of_all_kinds(layout: tuple[str, str], seed: int, count: int) -> None:
    random = Random(seed)
    kinds = [KINDS["short"]] * random.choice([0, 20, 2_000]) + [KINDS[kind] for kind in KINDS if kind != "long"]
    check([random.choice(kinds)(random) for _ in range(count)], *layout)


@pytest.mark.parametrize(("type", "endian"), LAYOUTS)
def test_refusals(type: str, endian: str) -> None:
    made, _, code = MADE[type, endian]
    items = [b"abcd"] * 9_000
    data = packed(items, code)
    for missing in (1, 3, 5_000):
        with pytest.raises(made.Refused) as refused:
            made.layout(data).index_t(data[:-missing], 0)
        assert refused.value.kind == "end"
        assert 0 <= len(data) - missing - refused.value.pos < struct.calcsize(code) + 4
    if type != "u2":
        items[8_000] = bytes(70_001)
        data = packed(items, code)
        with pytest.raises(made.Refused) as refused:
            made.layout(data).index_t(data, 0)
        assert (refused.value.pos, refused.value.kind) == (positions(items, code)[0][8_000], "invalid")
