"""The step that all quantized types share, compiled and with numpy."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from kaitai_gguf.dequantize.scaling import Packed, Scales, scale, scale_rows, unpack
from kaitai_gguf.dequantize.scratch import Scratch

RANDOM = np.random.default_rng(0)


def random_bytes(*shape: int) -> Any:
    """Bytes of blocks: rows that are apart in memory."""
    return RANDOM.integers(0, 256, (shape[0], shape[1] + 5), dtype=np.uint8)[:, 2:-3]


def in_order(field: Any, bits: int, group: int) -> Any:
    """The numbers of the blocks, one by one."""
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
    codes, high_codes, scratch = 256, None, Scratch()
    field = random_bytes(3, codes * low[0] // 8)
    expected = in_order(field, *low)
    if high:
        above = random_bytes(3, codes * high[0] // 8)
        expected |= in_order(above, *high) << low[0]
        high_codes = Packed(above, *high)
    numbers = (expected - minus).astype(np.int8).astype(np.float32).reshape(3, runs, -1)
    scales = RANDOM.normal(size=(3, runs)).astype(np.float32)
    kwargs = {"high": high_codes, "minus": minus}
    found = filled((3, codes), lambda out: scale(Packed(field, *low), Scales(scales), out, scratch, **kwargs))
    np.testing.assert_array_equal(found, (numbers * scales[..., None]).reshape(3, codes))
    if minus == 0 and low[0] < 8:
        kwargs["shifts"] = Scales(-scales)
        found = filled((3, codes), lambda out: scale(Packed(field, *low), Scales(scales), out, scratch, **kwargs))
        np.testing.assert_array_equal(found, (numbers * scales[..., None] - scales[..., None]).reshape(3, codes))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize(
    ("width", "kind", "signed"), [(1, "nibbles", False), *product((4, 8), ("bytes", "high", "wide"), (False, True))]
)
def test_scale_rows(width: int, kind: str, signed: bool) -> None:
    count, scratch, high = 32, Scratch(), None
    table = RANDOM.integers(-128, 128, ({"nibbles": 16, "bytes": 256}.get(kind, 1024), width)).astype(np.int8)
    if kind == "nibbles":
        low = Packed(random_bytes(3, 16), 4, 8)
        codes = in_order(*low)
    elif kind == "wide":
        low = Packed(RANDOM.integers(0, 1 << 16, (3, count), dtype=np.uint16), 16)
        codes = low.field & 1023
    else:
        low = Packed(random_bytes(3, count))
        codes = low.field.astype(int)
    if kind == "high":
        high = Packed(random_bytes(3, count // 4), 2)
        codes |= in_order(*high) << 8
    table[table == -128] = 0  # which has no negative in a byte
    numbers = table[codes].reshape(3, -1).astype(np.float32)
    signs = random_bytes(3, count * width // 8) if signed else None
    if signed:
        numbers *= 1 - 2.0 * np.unpackbits(np.ascontiguousarray(signs), axis=1, bitorder="little")
    scales = RANDOM.normal(size=(3, 2)).astype(np.float32)
    found = filled(
        numbers.shape, lambda out: scale_rows(table, low, Scales(scales), out, scratch, high=high, signs=signs)
    )
    expected = numbers.reshape(3, 2, -1) * scales[..., None]
    np.testing.assert_array_equal(found, expected.reshape(numbers.shape))


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("order", ["<", ">"])
@pytest.mark.parametrize("dtype", [np.uint8, np.int8])
def test_scales_are_the_half_of_a_block_times_integers(dtype: Any, order: str) -> None:
    blocks = np.zeros(3, [("d", f"{order}f2"), ("sc", dtype, (4,)), ("qs", "u1", (64,))])
    blocks["d"] = [0.1, -6e-8, 60000]
    blocks["sc"] = RANDOM.integers(0, 256, (3, 4)).astype(np.uint8).view(dtype)
    blocks["qs"] = 3
    found = filled(
        (3, 64), lambda out: scale(Packed(blocks["qs"]), Scales(blocks["d"], blocks["sc"], -0.25), out, Scratch())
    )
    d = blocks["d"].astype(np.float32) * np.float32(-0.25)
    np.testing.assert_array_equal(found[:, ::16], blocks["sc"].astype(np.float32) * d[:, None] * np.float32(3))
    found = filled((3, 64), lambda out: scale(Packed(blocks["qs"]), Scales(blocks["d"]), out, Scratch()))
    np.testing.assert_array_equal(found[:, 0], blocks["d"].astype(np.float32) * np.float32(3))


@pytest.mark.usefixtures("kernels")
def test_the_product_is_rounded_before_the_sum() -> None:
    """A fused multiply-add would keep the bits that a product loses."""
    factor, shift = np.float32(1 + 2**-23), np.float32(-3)
    codes = Packed(np.full((1, 16), 3, np.uint8))
    scales, shifts = Scales(np.array([[factor]])), Scales(np.array([[shift]]))
    found = filled((1, 16), lambda out: scale(codes, scales, out, Scratch(), shifts=shifts))
    assert (found == np.float32(3) * factor + shift).all()
    assert found[0, 0] != float(factor) * 3 - 3
