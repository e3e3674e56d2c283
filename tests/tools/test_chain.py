"""`chain` in generated modules: the positions of many length-prefixed items, computed with numpy."""

import struct
from itertools import accumulate
from random import Random
from typing import Any

import pytest
from skip_modules import index, module, refusal

TEXT = """
seq: [{{id: n, type: u4}}, {{id: items, type: text, repeat: expr, repeat-expr: n}}]
types: {{text: {{seq: [{{id: len_data, type: {}, valid: {{max: 70000}}}}, {{id: data, size: len_data}}]}}}}
"""
CODES = {("u2", "be"): ">H", ("u4", "le"): "<I", ("u8", "le"): "<Q"}
MADE = {kind: module(TEXT.format(kind[0]), f"endian: {kind[1]}", index={"t": ["items"]}) for kind in CODES}
ITEMS: dict[str, Any] = {
    "short": lambda random: random.randbytes(random.randrange(1, 20)),
    "empty": lambda _: b"",
    "zeros": lambda random: bytes(random.randrange(30)),
    "like lengths": lambda random: bytes([5, *bytes(7)]) * random.randrange(4),
    "of 255": lambda _: b"x" * 255,
    "of 256": lambda _: b"x" * 256,
    "long": lambda random: b"x" * random.choice([257, 300, 65_535]),
}
MIXED = ["short"] * 20 + [kind for kind in ITEMS if kind != "long"]
each_kind = pytest.mark.parametrize("kind", CODES, ids="-".join)


def packed(items: list[bytes], code: str) -> tuple[bytes, list[int]]:
    """Return the data, and the position of each item and of the end."""
    data = [struct.pack(code[0] + "I", len(items)), *(struct.pack(code, len(item)) + item for item in items)]
    return b"".join(data), list(accumulate(map(len, data)))


@each_kind
@pytest.mark.parametrize("names", [*([name] for name in ITEMS), MIXED], ids=[*ITEMS, "mixed"])
def test_items(kind: tuple[str, str], names: list[str]) -> None:
    for seed in range(1 if len(names) == 1 else 5):
        random = Random(seed)
        count = 2_100 if names == ["long"] else 6_000
        data, positions = packed([ITEMS[random.choice(names)](random) for _ in range(count)], CODES[kind])
        assert index(MADE[kind], data + bytes(40 * (seed % 2))) == (positions[:-1], positions[-1])


@each_kind
def test_refusals(kind: tuple[str, str]) -> None:
    made, code = MADE[kind], CODES[kind]
    items = [b"abcd"] * 9_000
    data, _ = packed(items, code)
    for missing in (1, 3, 5_000):
        refused = refusal(made, data[:-missing])
        assert refused.kind == "end"
        assert 0 <= len(data) - missing - refused.pos < struct.calcsize(code) + 4
    if kind[0] != "u2":
        items[8_000] = bytes(70_001)
        data, positions = packed(items, code)
        refused = refusal(made, data)
        assert (refused.pos, refused.kind) == (positions[8_000], "invalid")
