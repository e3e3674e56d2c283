"""From the codes of blocks to scaled numbers: the step that all quantized types share.

`scale` is for codes that are numbers, `scale_rows` for those that select rows of a table. Each unpacks the codes, turns
them into int8 numbers and multiplies those by the scales of their runs: in C in one pass over each block, where it is
compiled; with numpy in one pass over a piece for each step. Both round each product to float32.
"""

from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import compiled
from kaitai_gguf.dequantize.codebooks import SIGNS
from kaitai_gguf.dequantize.scratch import PART, Scratch, as_one, gather, look_up, parts, to_float

__all__ = ["Packed", "Scales", "scale", "scale_rows", "unpack"]


class Packed(NamedTuple):
    """A field of blocks that holds numbers of `bits` bits: 1, 2, 4 or 8; or 16, in native order and contiguous.

    ggml interleaves numbers of less than 8 bits by groups: `group` bytes hold, in their lowest bits, the first `group`
    numbers, in the next bits the `group` numbers after those, and so on. With a group of 1 they are in order.
    """

    field: NDArray[Any]
    """(n, k): uint8, or uint16 if there are 16 bits; k is a multiple of `group`, n × k one of 8."""
    bits: int = 8
    group: int = 1


class Scales(NamedTuple):
    """What the numbers of each run are multiplied by, or what is added to them: d × factor × integers, in float32.

    There are s runs of the same length in a block. d × factor must be exact: the factor is a power of 2, or minus one.
    """

    d: NDArray[Any]
    """Halves (n); or float32 (n, s), which have no integers and no factor."""
    integers: NDArray[np.uint8 | np.int8] | None = None
    """(n, s); None, for 1, where a block is one run."""
    factor: float = 1


def unpack(packed: Packed, scratch: Scratch, *, at: int = 0, name: str = "q") -> NDArray[np.uint8]:
    """Return numbers of at most 8 bits as bytes (n, k × 8 / bits) in which they start at bit `at`."""
    (n, k), planes = packed.field.shape, 8 // packed.bits
    codes = gather(packed.field, scratch, f"{name} packed")
    if packed.bits == 8 and at == 0:
        return codes
    if packed.group == 1 and planes > 1:
        return look_up(_spread(packed.bits, at), codes, scratch, name).view(np.uint8).reshape(n, k * planes)
    unpacked = scratch.array(name, (n * k // packed.group, planes * packed.group), np.uint8)
    words = codes.reshape(-1).view(np.uint64)
    shifted = scratch.array(f"{name} shifted", words.shape, np.uint64)
    whole = as_one(packed.group)
    source, target = shifted.view(whole), unpacked.view(whole)
    for plane in range(planes):
        # Bits that cross into a neighbouring byte are cleared by the mask below.
        shift = plane * packed.bits - at
        (np.right_shift if shift >= 0 else np.left_shift)(words, abs(shift), out=shifted)
        np.copyto(target[:, plane], source)
    every_byte = unpacked.reshape(-1).view(np.uint64)
    np.bitwise_and(every_byte, (((1 << packed.bits) - 1) << at) * 0x0101_0101_0101_0101, out=every_byte)
    return unpacked.reshape(n, k * planes)


@cache
def _spread(bits: int, at: int) -> NDArray[Any]:
    """The numbers in each byte as bytes: 2, 4 or 8 of them in an unsigned integer."""
    codes = np.arange(256)[:, None] >> np.arange(0, 8, bits) & ((1 << bits) - 1)
    spread: NDArray[Any] = (codes << at).astype(np.uint8).view(f"u{8 // bits}")[:, 0]
    return spread


def scale(
    low: Packed,
    scales: Scales,
    out: NDArray[np.float32],
    scratch: Scratch,
    *,
    high: Packed | None = None,
    minus: int = 0,
    shifts: Scales | None = None,
) -> None:
    """Fill `out` (n, elements) with (codes - minus) × scales + shifts.

    The codes' low bits are in `low`, those above in `high`. Codes less `minus` are taken for int8; with shifts, `minus`
    is 0. The length of a run is a multiple of 16. The product is rounded to float32 before the sum.
    """
    if compiled.KERNELS:
        scales, shifts = _native(scales), shifts and _native(shifts)
        compiled.KERNELS.scale(low, _in_groups(high, scratch), minus, None, 1, None, None, scales, shifts, out)
        return
    codes = unpack(low, scratch)
    if high:
        words = codes.view(np.uint64)
        np.bitwise_or(words, unpack(high, scratch, at=low.bits, name="high").view(np.uint64), out=words)
    numbers = codes.view(np.int8)
    if minus:
        np.subtract(numbers, minus, out=numbers)
    _multiply(numbers, scales, out, scratch, shifts)


def scale_rows(
    table: NDArray[np.int8],
    low: Packed,
    scales: Scales,
    out: NDArray[np.float32],
    scratch: Scratch,
    *,
    high: Packed | None = None,
    signs: NDArray[np.uint8] | None = None,
    flips: NDArray[np.uint64] = SIGNS,
) -> None:
    """Fill `out` (n, elements) with rows × scales.

    The codes select rows of `table` (rows, 1, 4 or 8), whose number is a power of two; further bits of 16-bit codes are
    ignored. A table of single elements has 16 of them. `high` has the ninth and further bits of codes whose `low` has
    8. Each byte of `signs` (n, elements / 8) selects a row of `flips`, eight bytes in an integer, 255 where the element
    is negative. The length of a run is a multiple of 8.
    """
    if compiled.KERNELS:
        rest = (table, table.shape[1], signs, None if signs is None else flips, _native(scales), None, out)
        compiled.KERNELS.scale(low, _in_groups(high, scratch), 0, *rest)
        return
    numbers = _rows(table, _codes(low, high, len(table) - 1, scratch), scratch)
    if signs is not None:
        flipped = look_up(flips, gather(signs, scratch, "signs"), scratch, "flips").reshape(-1)
        # In two's complement, -v is (v ^ -1) - (-1).
        words = numbers.view(np.uint64)
        np.bitwise_xor(words, flipped, out=words)
        np.subtract(numbers, flipped.view(np.int8), out=numbers)
    _multiply(numbers, scales, out, scratch)


def _native(scales: Scales) -> Scales:
    """C reads numbers in native order."""
    if scales.d.dtype.isnative:
        return scales
    return scales._replace(d=scales.d.astype(scales.d.dtype.newbyteorder("=")))


def _in_groups(packed: Packed | None, scratch: Scratch) -> Packed | None:
    """Numbers that are in order are unpacked by a table: C has no loop for them."""
    if packed is None or packed.group > 1:
        return packed
    return Packed(unpack(packed, scratch, name="high"))


def _codes(low: Packed, high: Packed | None, last: int, scratch: Scratch) -> NDArray[Any]:
    if low.bits == 16:
        return low.field & last
    codes = unpack(low, scratch)
    if high is None:
        return codes
    wide = scratch.array("codes", codes.shape, np.uint16)
    np.copyto(wide, unpack(high, scratch, name="high"))
    np.left_shift(wide, 8, out=wide)
    np.bitwise_or(wide, codes, out=wide)
    return wide


def _rows(table: NDArray[np.int8], codes: NDArray[Any], scratch: Scratch) -> NDArray[np.int8]:
    """The rows of a table, one after the other."""
    width = table.shape[1]
    if width == 1:  # two codes in two bytes select two elements at once
        pairs = np.arange(0x0F0F + 1, dtype=np.uint16).view(np.uint8) & 0x0F
        table, codes, width = table[pairs], codes.view(np.uint16), 2
    return look_up(table.reshape(-1).view(f"u{width}"), codes, scratch, "numbers").reshape(-1).view(np.int8)


def _floats(scales: Scales, scratch: Scratch, name: str) -> NDArray[np.float32]:
    """(n, s)"""
    if scales.d.ndim == 2:
        return scales.d
    d = to_float(scales.d, scratch, f"d of {name}")[:, None]
    if scales.factor != 1:
        np.multiply(d, np.float32(scales.factor), out=d)
    if scales.integers is None:
        return d
    products = scratch.array(f"{name} × d", scales.integers.shape, np.float32)
    np.copyto(products, scales.integers)
    np.multiply(products, d, out=products)
    return products


def _multiply(
    numbers: NDArray[np.int8],
    scales: Scales,
    out: NDArray[np.float32],
    scratch: Scratch,
    shifts: Scales | None = None,
) -> None:
    """Go in parts of `out` that stay in the cache of a core from the first step to the last."""
    factors = _floats(scales, scratch, "scales").reshape(-1, 1)
    summands = _floats(shifts, scratch, "shifts").reshape(-1, 1) if shifts else None
    run = out.size // factors.size
    numbers, target = numbers.reshape(-1, run), out.reshape(-1, run)
    for part in parts(len(target), PART // run):
        piece = target[part]
        np.copyto(piece, numbers[part])
        np.multiply(piece, factors[part], out=piece)
        if summands is not None:
            np.add(piece, summands[part], out=piece)
