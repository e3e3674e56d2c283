"""The compiled kernels equal the formulas, and refuse arguments that would make them read or write out of bounds."""

import ctypes
from typing import Any

import numpy as np
import pytest

from dequantize.oracles import TYPES, assert_same, random_blocks
from kaitai_gguf.dequantize.compiled import KERNELS, fill, is_supported
from kaitai_gguf.dequantize.formulas import FORMULAS
from kaitai_gguf.types import GGMLType, block_dtype, block_size

pytestmark = pytest.mark.usefixtures("only_compiled")


@pytest.mark.parametrize("order", ["little", "big"])
@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.name)
def test_equal_the_formulas_for_any_number_of_blocks(type: GGMLType, order: Any) -> None:
    """Kernels work on 4 and on 32 blocks at a time. The blocks have gaps between them."""
    assert is_supported(type)
    for count in (1, 6, 39):
        blocks = random_blocks(type, 1, 2 * count).view(block_dtype(type, order))[0, ::2]
        out = np.full((count, block_size(type)), np.nan, np.float32)
        fill(type, blocks, out)
        with np.errstate(all="ignore"):
            expected = FORMULAS[type](blocks).astype(np.float32).reshape(out.shape)
        assert_same(out, expected)


def floats(count: int) -> Any:
    return np.ones(count, np.float32)


def unaligned(count: int) -> Any:
    return np.zeros(4 * count + 1, np.uint8)[1:]


def codes(blocks: int, size: int, dtype: Any = np.uint8) -> Any:
    return np.zeros((blocks, size), dtype)


def field(array: Any, bits: int = 8, positions: Any = None, count: int | None = None) -> Any:
    """Describe packed numbers: consecutive ones, unless positions are given."""
    if positions is None:
        positions = range(0, array.shape[-1] * 8 if count is None else bits * count, bits)
    return array, bits, np.array(positions, np.uint16)


def planes(array: Any, bits: int, group: int) -> Any:
    """Describe numbers that are interleaved in groups of bytes."""
    size = array.shape[-1]
    order = [
        8 * byte + bit
        for first in range(0, size, group)
        for bit in range(0, 8, bits)
        for byte in range(first, min(size, first + group))
    ]
    return field(array, bits, order)


SCALES = (np.ones((2, 2), np.float32), None, 0, 1)
TABLE = np.zeros((256, 8), np.int8)
FITS: dict[str, Any] = {
    "codes": (planes(codes(2, 16), 4, 16),), "minus": 0, "table": None, "width": 1, "signs": None, "flips": None,
    "scales": SCALES, "shifts": None, "out": floats(64),
}  # fmt: skip
BYTES = FITS | {"codes": (field(codes(2, 32)),)}
BITS = FITS | {"codes": (planes(codes(2, 16), 4, 16), field(codes(2, 4), 1))}
TERNARY = FITS | {"codes": (field(codes(2, 32), -1, range(0, 256, 8)),)}
ROWS = FITS | {"codes": (field(codes(2, 8)),), "table": TABLE, "width": 8, "out": floats(128)}
SIGNED = ROWS | {"signs": (field(codes(2, 8)),), "flips": np.zeros(256, np.uint64)}
ENTRIES = FITS | {"table": np.zeros(16, np.int8)}
HALVES = np.ones(2, np.float16)
INTEGERS = (field(codes(2, 2)),)
SCALED = FITS | {"scales": (HALVES, INTEGERS, 0, 1)}
LOOKED_UP = FITS | {"scales": (floats(256), INTEGERS, 0, 1)}
HUGE = np.broadcast_to(np.zeros(4, np.uint8), (2**59, 4))
MISFITS = [
    BYTES | {"codes": (field(codes(3, 32)),)},
    BYTES | {"codes": (field(codes(2, 31)),)},
    BYTES | {"codes": (field(codes(2, 31), count=32),)},
    BYTES | {"codes": (field(codes(2, 32, np.uint16), count=32),)},
    BYTES | {"codes": (field(codes(2, 64)[:, ::2]),)},
    BYTES | {"codes": (field(np.zeros(64, np.uint8), count=32),)},
    BYTES | {"codes": (field(codes(2, 512)),), "out": floats(1024)},
    BYTES | {"codes": (field(codes(2, 32), 0, range(0, 256, 8)),)},
    BYTES | {"codes": (field(codes(2, 40), 10),)},
    BYTES | {"codes": (field(codes(2, 32), 8, []),)},
    BYTES | {"codes": ((codes(2, 32), 8, bytes(63)),)},
    BYTES | {"codes": (field(codes(2, 32)),) * 4},
    BYTES | {"minus": 1},
    BYTES | {"shifts": SCALES},
    BYTES | {"signs": (field(codes(2, 4)),), "flips": np.zeros(256, np.uint64)},
    FITS | {"codes": (planes(codes(2, 16), 4, 8),)},
    FITS | {"codes": (planes(codes(2, 16), 4, 16), planes(codes(2, 8), 1, 16))},
    BITS | {"codes": (BITS["codes"][0], field(codes(2, 5), 1, range(1, 33)))},
    BITS | {"codes": (BITS["codes"][0], field(codes(3, 4), 1))},
    FITS | {"codes": (planes(codes(2, 16), 4, 16), planes(codes(2, 16), 4, 16))},
    FITS | {"codes": (planes(codes(2, 16), 4, 16), *[field(codes(2, 32), 1, range(0, 256, 8))] * 2)},
    TERNARY | {"codes": (field(codes(2, 32), -1, range(5, 261, 8)),)},
    TERNARY | {"codes": (*TERNARY["codes"], field(codes(2, 32), 1, range(0, 256, 8)))},
    FITS | {"out": floats(63)},
    FITS | {"out": floats(65)},
    FITS | {"out": unaligned(64)},
    FITS | {"scales": (np.ones((3, 2), np.float32), None, 0, 1)},
    FITS | {"scales": (np.ones((2, 4), np.float32), None, 0, 1)},
    FITS | {"scales": (np.ones((2, 0), np.float32), None, 0, 1)},
    FITS | {"scales": (np.ones((2, 4), np.float32)[:, ::2], None, 0, 1)},
    FITS | {"scales": (np.ones((2, 2), ">f4"), None, 0, 1)},
    FITS | {"scales": (floats(2), None, 0, 1)},
    FITS | {"scales": (SCALES[0], INTEGERS, 0, 1)},
    BYTES | {"codes": (field(codes(2, 64)),), "out": floats(128), "scales": (np.ones((2, 64), np.float32), None, 0, 1)},
    SCALED | {"scales": (HALVES[:1], INTEGERS, 0, 1)},
    SCALED | {"scales": (HALVES, (field(codes(3, 2)),), 0, 1)},
    SCALED | {"scales": (HALVES, (field(codes(2, 64)),), 0, 1)},
    SCALED | {"scales": (HALVES, (field(codes(2, 2), -1, [0, 8]),), 0, 1)},
    SCALED | {"scales": (HALVES, (field(codes(2, 2)),) * 2, 0, 1)},
    SCALED | {"scales": (HALVES, (field(codes(2, 1), 7, [0, 1]),), 0, 1)},
    LOOKED_UP | {"scales": (floats(255), INTEGERS, 0, 1)},
    LOOKED_UP | {"scales": (floats(512)[::2], INTEGERS, 0, 1)},
    FITS | {"shifts": (np.ones((2, 1), np.float32), None, 0, 1)},
    ROWS | {"shifts": SCALES},
    ROWS | {"table": TABLE[:255]},
    ROWS | {"width": 7},
    ROWS | {"width": 16, "out": floats(256)},
    ROWS | {"codes": (field(codes(2, 64)),), "out": floats(1024)},
    ROWS | {"codes": (field(codes(2, 9), 9),)},
    ROWS | {"codes": (field(codes(2, 8)), field(codes(2, 1), 1))},
    ROWS | {"codes": (field(codes(2, 8), -1, range(0, 64, 8)),)},
    SIGNED | {"signs": (field(codes(2, 7)),)},
    SIGNED | {"flips": None},
    SIGNED | {"flips": np.zeros(255, np.uint64)},
    ENTRIES | {"table": np.zeros(17, np.int8)},
    ENTRIES | {"codes": (planes(codes(2, 16), 4, 4),)},
    ENTRIES | {"signs": (field(codes(2, 4)),), "flips": np.zeros(256, np.uint64)},
    # Sizes that overflow, for example 2**59 blocks of 32 elements: 2**64
    ROWS | {"width": 2**63 - 1},
    ROWS | {"width": -(2**63)},
    ROWS | {"codes": (field(HUGE),), "out": floats(0), "scales": (np.broadcast_to(floats(2), (2**59, 2)), None, 0, 1)},
    FITS | {"codes": ((np.empty((0, 2**61), np.uint8), 4, field(codes(2, 16))[2]),)},
]


@pytest.mark.parametrize("call", [FITS, BYTES, BITS, TERNARY, ROWS, SIGNED, ENTRIES, SCALED, LOOKED_UP])
def test_scale_takes_what_fits(call: dict[str, Any]) -> None:
    KERNELS.scale(*(call | {"out": call["out"].copy()}).values())


@pytest.mark.parametrize("call", MISFITS)
def test_scale_takes_nothing_else(call: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the sizes of the arrays don't match"):
        KERNELS.scale(*call.values())


def test_arrays_without_strides_are_contiguous() -> None:
    packed = np.arange(64, dtype=np.uint8).reshape(2, 32)
    array = (ctypes.c_uint8 * 32 * 2).from_buffer_copy(packed)
    scales = (ctypes.c_float * 2 * 2).from_buffer_copy(np.arange(4, dtype=np.float32))
    table = (ctypes.c_float * 256).from_buffer_copy(np.arange(256, dtype=np.float32))
    selected = (ctypes.c_uint8 * 2 * 2).from_buffer_copy(bytes([0, 1, 2, 3]))
    expected, out = packed * np.repeat(np.arange(4), 16).reshape(2, 32), floats(64)
    for given in [(scales, None, 0, 1), (table, ((selected, 8, field(codes(2, 2))[2]),), 0, 1)]:
        out[:] = -1
        codes_of_array = ((array, 8, field(packed)[2]),)
        KERNELS.scale(*(BYTES | {"codes": codes_of_array, "scales": given, "out": out}).values())
        assert out.reshape(2, 32).tolist() == expected.tolist()


@pytest.mark.parametrize("minus", [-(2**31), 2**31 - 1])
@pytest.mark.parametrize("call", [FITS, BITS, TERNARY])
def test_any_integer_is_subtracted(call: dict[str, Any], minus: int) -> None:
    out = call["out"].copy()
    KERNELS.scale(*(call | {"minus": minus, "out": out}).values())
    assert set(out) == {np.float32(-minus)}


def test_the_product_is_rounded_before_the_sum() -> None:
    """A fused multiply-add would keep the bits that rounding the product discards."""
    factor, out = np.float32(1 + 2**-23), floats(64)
    scales, shifts = ((np.full((2, 2), number, np.float32), None, 0, 1) for number in (factor, -3))
    threes = (planes(codes(2, 16) + np.uint8(0x33), 4, 16),)
    KERNELS.scale(*(FITS | {"codes": threes, "scales": scales, "shifts": shifts, "out": out}).values())
    assert set(out) == {np.float32(3) * factor - 3}
    assert out[0] != float(factor) * 3 - 3


@pytest.mark.parametrize(
    "call", [{"codes": 1}, {"codes": (1,)}, {"codes": ((1, 2),)}, {"signs": 1}, {"scales": None}, {"shifts": 1}]
)
def test_scale_wants_tuples(call: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        KERNELS.scale(*(FITS | call).values())


@pytest.mark.parametrize("convert", [KERNELS and KERNELS.f16, KERNELS and KERNELS.bf16])
@pytest.mark.parametrize(
    ("words", "out"), [(4, floats(1)), (4, floats(3)), (3, floats(1)), (4, np.zeros(9, np.uint8)), (4, unaligned(2))]
)
def test_sizes_have_to_match(convert: Any, words: int, out: Any) -> None:
    with pytest.raises(ValueError, match="the sizes of the arrays don't match"):
        convert(bytes(words), out)


def test_memory_has_to_be_contiguous_and_writable() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        KERNELS.f16(np.zeros(4, np.float16)[::2], floats(2))
    with pytest.raises(TypeError, match="read-write"):
        KERNELS.f16(bytes(4), floats(2).tobytes())
