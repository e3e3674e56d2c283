"""The scaling step that all quantized types share, compiled and in numpy."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from kaitai_gguf.dequantize.scaling import TERNARY, Packed, Scales, scale, scale_rows, unpack
from kaitai_gguf.dequantize.scratch import Scratch

RANDOM = np.random.default_rng(0)

_IN_FOURS = tuple(8 * byte + bit for bit in (3, 6) for byte in range(4))


def random_bytes(*shape: int) -> Any:
    """Return random bytes of blocks, in rows that are not contiguous in memory."""
    return RANDOM.integers(0, 256, (shape[0], shape[1] + 5), dtype=np.uint8)[:, 2:-3]


def in_order(field: Any, bits: int, group: int) -> Any:
    """Unpack the numbers of the blocks one by one."""
    return np.array(
        [
            [
                byte >> shift & (1 << bits) - 1
                for first in range(0, len(row), group)
                for shift in range(0, 8, bits)
                for byte in row[first : first + group]
            ]
            for row in field.tolist()
        ]
    )


def joined(parts: tuple[Packed, ...]) -> Any:
    """Combine the numbers of the blocks from all their parts."""
    codes, at = 0, 0
    for field, bits, group, positions in parts:
        if positions is None:
            numbers = in_order(field, bits, group)
        else:
            whole = [int.from_bytes(row.tobytes(), "little") for row in field]
            numbers = np.array([[row >> position & (1 << bits) - 1 for position in positions] for row in whole])
        codes, at = codes | numbers << at, at + bits
    return codes


def filled(shape: tuple[int, int], call: Any) -> Any:
    out = np.full(shape, np.nan, np.float32)
    call(out)
    return out


@pytest.mark.parametrize(("bits", "at"), [(1, 0), (1, 4), (2, 1), (4, 0), (4, 4)])
@pytest.mark.parametrize("group", [1, 8, 32])
def test_unpack(bits: int, group: int, at: int) -> None:
    field = random_bytes(3, 64)
    found = unpack(Packed(field, bits, group), Scratch(), at=at)
    assert found.tolist() == (in_order(field, bits, group) << at).tolist()


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("low", "high"),
    [
        ((8, 1), None), ((4, 16), None), ((4, 32), None), ((2, 32), None), ((1, 16), None),
        ((4, 16), (1, 1)), ((4, 32), (1, 32)), ((4, 64), (2, 32)), ((2, 32), (1, 32)), ((2, 16), (2, 16)),
    ],
)  # fmt: skip
@pytest.mark.parametrize(("runs", "minus"), [(1, 0), (2, 9), (8, 0), (16, 0)])
def test_scale(low: tuple[int, int], high: tuple[int, int] | None, runs: int, minus: int) -> None:
    count, scratch = 256, Scratch()
    field = random_bytes(3, count * low[0] // 8)
    codes = (Packed(field, *low),)
    expected = in_order(field, *low)
    if high:
        above = random_bytes(3, count * high[0] // 8)
        expected |= in_order(above, *high) << low[0]
        codes += (Packed(above, *high),)
    if low[0] == 8:
        expected, minus = expected.astype(np.int8), 0
    numbers = (expected - minus).astype(np.float32).reshape(3, runs, -1)
    scales = RANDOM.normal(size=(3, runs)).astype(np.float32)
    found = filled((3, count), lambda out: scale(codes, Scales(scales), out, scratch, minus=minus))
    np.testing.assert_array_equal(found, (numbers * scales[..., None]).reshape(3, count))
    if minus == 0 and low[0] < 8:
        shifts = Scales(-scales)
        found = filled((3, count), lambda out: scale(codes, Scales(scales), out, scratch, shifts=shifts))
        np.testing.assert_array_equal(found, (numbers * scales[..., None] - scales[..., None]).reshape(3, count))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("width", "kind", "signed"),
    [(1, "nibbles", False), *product((4, 8), ("bytes", "high", "higher", "positions", "above"), (False, True))],
)
def test_scale_rows(width: int, kind: str, signed: bool) -> None:
    count, scratch = 32, Scratch()
    table = RANDOM.integers(-128, 128, ({"nibbles": 16, "bytes": 256}.get(kind, 2048), width)).astype(np.int8)
    if kind == "nibbles":
        parts: tuple[Packed, ...] = (Packed(random_bytes(3, 16), 4, 8),)
    elif kind == "positions":  # numbers that cross byte boundaries, up to the last bit
        parts = (Packed(random_bytes(3, 40), 9, positions=(*range(0, 310, 10), 40 * 8 - 9)),)
    elif kind == "above":  # the low bits are bytes, the high ones at the same bits of each byte
        parts = (Packed(random_bytes(3, count)), Packed(random_bytes(3, count), 2, positions=tuple(range(3, 256, 8))))
    else:
        parts = (Packed(random_bytes(3, count)), Packed(random_bytes(3, count // 4), 2), Packed(random_bytes(3, 4), 1))
        parts = parts[: {"bytes": 1, "high": 2, "higher": 3}[kind]]
    codes = joined(parts)
    table[table == -128] = 0  # -(-128) does not fit in a signed byte
    numbers = table[codes].reshape(3, -1).astype(np.float32)
    signs = Packed(random_bytes(3, count * width // 8)) if signed else None
    if signs:
        numbers *= 1 - 2.0 * np.unpackbits(np.ascontiguousarray(signs.field), axis=1, bitorder="little")
    scales = RANDOM.normal(size=(3, 2)).astype(np.float32)
    found = filled(numbers.shape, lambda out: scale_rows(table, parts, Scales(scales), out, scratch, signs=signs))
    expected = numbers.reshape(3, 2, -1) * scales[..., None]
    np.testing.assert_array_equal(found, expected.reshape(numbers.shape))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("count", [16, 240, 256])
def test_ternary_digits(count: int) -> None:
    """Digits whose bytes are consecutive or scattered."""
    digits = RANDOM.integers(0, 3, (3, 60, 5))
    field = ((digits @ [81, 27, 9, 3, 1] * 256 + 242) // 243).astype(np.uint8)
    order = np.arange(300).reshape(60, 5).T.reshape(-1)[:count]
    order[-16:] = RANDOM.permutation(300)[:16]
    packed = Packed(field, TERNARY, positions=tuple((order // 5 * 8 + order % 5).tolist()))
    scales = Scales(np.ones((3, 1), np.float32))
    found = filled((3, count), lambda out: scale((packed,), scales, out, Scratch(), minus=1))
    assert (found == digits.reshape(3, 300)[:, order] - 1).all()


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize(
    ("kind", "plus"),
    [*product(("bytes", "nibbles", "parts", "fours", "apart"), (0, -32, 0.5)), ("int8", 0), ("int8", -32)],
)
@pytest.mark.parametrize("count", [1, 39])
def test_scales_are_the_half_of_a_block_times_integers(kind: str, plus: float, order: str, count: int) -> None:
    blocks = np.zeros(count, [("d", f"{order}f2"), ("sc", np.uint8, (8,)), ("qs", "u1", (128,))])
    blocks["d"] = np.resize([-6e-8, 0.1, 60000], count)
    blocks["sc"] = RANDOM.integers(0, 256, (count, 8))
    blocks["qs"] = 3
    integers = {
        "bytes": (Packed(blocks["sc"]),),
        "int8": (Packed(blocks["sc"].view(np.int8)),),
        "nibbles": (Packed(blocks["sc"][:, :4], 4),),
        "parts": (Packed(blocks["sc"][:, :4], 4, 4), Packed(blocks["sc"][:, 4:6], 2)),
        "fours": (Packed(blocks["sc"][:, :4], 4, 4), Packed(blocks["sc"][:, 4:], 2, positions=_IN_FOURS)),
        "apart": (Packed(blocks["sc"], 3, positions=tuple(range(0, 64, 8))[::-1]),),
    }[kind]
    expected = blocks["sc"].view(np.int8) if kind == "int8" else joined(integers)
    scales = Scales(blocks["d"], integers, -0.25, plus)
    found = filled((count, 128), lambda out: scale((Packed(blocks["qs"]),), scales, out, Scratch()))
    d = blocks["d"].astype(np.float32) * np.float32(-0.25)
    products = (expected.astype(np.float32) + np.float32(plus)) * d[:, None]
    np.testing.assert_array_equal(found.view(np.uint32)[:, ::16], (products * np.float32(3)).view(np.uint32))


@pytest.mark.usefixtures("kernels")
def test_scales_of_a_whole_block() -> None:
    blocks = np.zeros(40, [("d", np.float16), ("f", ">f4"), ("e", np.uint8), ("qs", "u1", (32,))])
    blocks["d"], blocks["f"], blocks["e"], blocks["qs"] = RANDOM.normal(size=40), np.arange(40), np.arange(40), 3
    table = RANDOM.normal(size=256).astype(np.float32)
    for scales, expected in (
        (Scales(blocks["d"], factor=2), blocks["d"].astype(np.float32) * 2),
        (Scales(blocks["f"][:, None]), blocks["f"]),
        (Scales(table, (Packed(blocks["e"][:, None]),)), table[:40]),
    ):
        found = filled((40, 32), lambda out, scales=scales: scale((Packed(blocks["qs"]),), scales, out, Scratch()))
        np.testing.assert_array_equal(found, np.repeat(expected[:, None] * np.float32(3), 32, axis=1))


@pytest.mark.usefixtures("kernels")
def test_the_product_is_rounded_before_the_sum() -> None:
    """A fused multiply-add would keep the bits that rounding the product discards."""
    factor, shift = np.float32(1 + 2**-23), np.float32(-3)
    codes = (Packed(np.full((1, 16), 0x33, np.uint8), 4, 16),)
    scales, shifts = Scales(np.array([[factor]])), Scales(np.array([[shift]]))
    found = filled((1, 32), lambda out: scale(codes, scales, out, Scratch(), shifts=shifts))
    assert (found == np.float32(3) * factor + shift).all()
    assert found[0, 0] != float(factor) * 3 - 3
