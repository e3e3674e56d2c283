"""From the codes of blocks to scaled numbers: the step that all quantized types share.

`scale` is for codes that are numbers, `scale_rows` for those that select rows of a table. Each unpacks the codes, turns
them into int8 numbers and multiplies those by the scales of their runs: in C in one pass over each block, where it is
compiled; with numpy in one pass over a chunk of blocks for each step. Both round each product to float32.
"""

from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import compiled
from kaitai_gguf.dequantize.codebooks import SIGNS
from kaitai_gguf.dequantize.scratch import PART, Scratch, as_one, gather, look_up, parts, to_float

__all__ = ["TERNARY", "Numbers", "Packed", "Scales", "scale", "scale_rows", "unpack"]

TERNARY = -1
"""`Packed.bits` of ternary digits, of which five are in a byte. Digit k of byte b has the position 8 × b + k.

The byte is ceil(v × 256 / 243), where v has five ternary digits, the first one the most significant. So it is the
fraction v / 243 in 8 bits, and its first digit is floor(byte × 3 / 256); byte × 3, modulo 256, is the fraction of the
remaining digits.
"""


class Packed(NamedTuple):
    """A field of blocks that holds numbers of at most 9 bits.

    ggml interleaves numbers of 1, 2 or 4 bits by groups: `group` bytes hold, in their lowest bits, the first `group`
    numbers, in the next bits the `group` numbers after those, and so on. With a group of 1 they are in order. Numbers
    in any other order have `positions`.
    """

    field: NDArray[Any]
    """(n, k): uint8; k is a multiple of `group`, unless there are positions."""
    bits: int = 8
    group: int = 1
    positions: tuple[int, ...] | None = None
    """The lowest bit of each number: bit 0 is the lowest bit of the first byte of the field, bit 8 that of the next."""


Numbers = tuple[Packed, ...]
"""Numbers of up to three parts, each in a field of its own: their lowest bits are in the first one, and so on."""


class Scales(NamedTuple):
    """What the numbers of each run are multiplied by, or what is added to them: d × factor × (integers + plus).

    There are s runs of the same length in a block, at most 32. All steps are in float32. The first two are exact: the
    factor is a power of 2 or minus one; `plus` is a whole number or, for unsigned integers, 1/2.
    """

    d: NDArray[Any]
    """Halves (n); or float32 (n, s), without integers; or a float32 table (1-D), from which bytes select scales."""
    integers: Numbers | None = None
    """(n, s), unsigned unless the field is of int8; None where a block is one run."""
    factor: float = 1
    plus: float = 0


def unpack(packed: Packed, scratch: Scratch, *, at: int = 0, name: str = "q") -> NDArray[Any]:
    """Return numbers (n, count), each shifted to the left by `at` bits, as uint8.

    Numbers at positions may have more than 8 bits with those by which they are shifted: these are uint16.
    """
    (n, k), planes = packed.field.shape, 8 // packed.bits
    if packed.positions is not None or n * k % 8:
        return _unpack_at_positions(packed, packed.positions or _positions(*packed[1:3], k), scratch, at, name)
    codes = gather(packed.field, scratch, f"{name} packed").view(np.uint8)
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
    _keep(unpacked, ((1 << packed.bits) - 1) << at)
    return unpacked.reshape(n, k * planes)


@cache
def _spread(bits: int, at: int) -> NDArray[Any]:
    """The numbers in each byte as bytes: 2, 4 or 8 of them in an unsigned integer."""
    codes = np.arange(256)[:, None] >> np.arange(0, 8, bits) & ((1 << bits) - 1)
    spread: NDArray[Any] = (codes << at).astype(np.uint8).view(f"u{8 // bits}")[:, 0]
    return spread


def _unpack_at_positions(
    packed: Packed, positions: tuple[int, ...], scratch: Scratch, at: int, name: str
) -> NDArray[Any]:
    if packed.bits == TERNARY:
        return _ternary_digits(packed.field, np.array(positions), scratch, name)
    field, bits, n = packed.field, packed.bits, len(packed.field)
    # Numbers that cross bytes are read as two bytes; of others, as many as are neighbours are read at once.
    in_pairs = bits + at > 8 or any(position % 8 + bits > 8 for position in positions)
    size, in_word = _in_first_word(positions, field.shape[1], 1 + in_pairs)
    if size < field.shape[1]:
        field = gather(field, scratch, f"{name} packed").reshape(-1, size)
    numbers = scratch.array(f"{name} in words", (len(field), len(in_word)), np.uint16 if in_pairs else np.uint8)
    for index, width, place, shift in _moves(in_word, size, in_pairs):
        source = field[:, place : place + width].view(f"<u{width}")[:, 0]
        target = numbers.view(np.uint8)[:, index : index + width].view(numbers.dtype if in_pairs else f"<u{width}")[
            :, 0
        ]
        (np.right_shift if shift >= at else np.left_shift)(source, abs(shift - at), out=target)
    _keep(numbers, ((1 << bits) - 1) << at)
    if in_pairs and bits + at <= 8:
        codes = scratch.array(name, numbers.shape, np.uint8)
        np.copyto(codes, numbers, casting="unsafe")
        numbers = codes
    return numbers.reshape(n, len(positions))


@cache
def _in_first_word(positions: tuple[int, ...], size: int, least: int) -> tuple[int, tuple[int, ...]]:
    """The size, `least` or more, of the smallest words that all have numbers at the same positions; those positions."""
    for word in range(least, size):
        first = positions[: len(positions) * word // size]
        in_words = (8 * start + position for start in range(0, size, word) for position in first)
        if size % word == 0 and positions == tuple(in_words):
            return word, first
    return size, positions


@cache
def _moves(positions: tuple[int, ...], size: int, in_pairs: bool) -> list[tuple[int, int, int, int]]:
    """What to copy: from which byte of the result on, how many bytes, from which byte of a word and which bit on."""
    if in_pairs:
        places = [min(position // 8, size - 2) for position in positions]
        return [(2 * i, 2, places[i], positions[i] - 8 * places[i]) for i in range(len(positions))]
    moves, index = [], 0
    while index < len(positions):
        width = next(
            width
            for width in (8, 4, 2, 1)
            if positions[index : index + width] == tuple(range(positions[index], positions[index] + 8 * width, 8))
        )
        moves.append((index, width, *divmod(positions[index], 8)))
        index += width
    return moves


def _keep(numbers: NDArray[Any], mask: int) -> None:
    """Clear all bits of numbers but those in a mask, in eight bytes at once if that is possible."""
    if numbers.nbytes % 8 == 0:
        repeated = int.from_bytes(mask.to_bytes(numbers.itemsize, "little") * (8 // numbers.itemsize), "little")
        numbers, mask = numbers.reshape(-1).view(np.uint64), repeated
    np.bitwise_and(numbers, mask, out=numbers)


def _ternary_digits(
    field: NDArray[np.uint8], positions: NDArray[np.intp], scratch: Scratch, name: str
) -> NDArray[np.uint8]:
    numbers = _bytes_at(field, positions // 8, scratch, name)
    np.multiply(numbers, (3 ** (positions % 8)).astype(np.uint8), out=numbers)
    # floor(3 x / 256) is 1 from x = 86 on and 2 from x = 171 on.
    at_least_2 = scratch.array(f"{name} at least 2", numbers.shape, np.bool_)
    np.greater_equal(numbers, 171, out=at_least_2)
    np.greater_equal(numbers, 86, out=numbers.view(np.bool_))
    np.add(numbers, at_least_2.view(np.uint8), out=numbers)
    return numbers


def _bytes_at(field: NDArray[np.uint8], columns: NDArray[np.intp], scratch: Scratch, name: str) -> NDArray[np.uint8]:
    """The bytes in some columns of a field: consecutive ones are copied as one element."""
    found = scratch.array(f"{name} bytes", (len(field), len(columns)), np.uint8)
    starts = [0, *(np.flatnonzero(np.diff(columns) != 1) + 1), len(columns)]
    for start, end in pairwise(starts):
        whole = as_one(end - start)
        np.copyto(found[:, start:end].view(whole), field[:, columns[start] : columns[start] + end - start].view(whole))
    return found


def scale(
    codes: Numbers,
    scales: Scales,
    out: NDArray[np.float32],
    scratch: Scratch,
    *,
    minus: int = 0,
    shifts: Scales | None = None,
) -> None:
    """Fill `out` (n, elements) with (codes - minus) × scales + shifts.

    The codes have one or two parts, of at most 8 bits together. Codes less `minus` are taken for int8; with shifts,
    `minus` is 0. The length of a run is a multiple of 16. The product is rounded to float32 before the sum.
    """
    if compiled.KERNELS:
        fields = tuple(map(_described, codes))
        arguments = (minus, None, 1, None, None, _described_scales(scales), shifts and _described_scales(shifts), out)
        compiled.KERNELS.scale(fields, *arguments)
        return
    numbers = _joined(codes, scratch).view(np.int8)
    if minus:
        np.subtract(numbers, minus, out=numbers)
    _multiply(numbers, scales, out, scratch, shifts)


def scale_rows(
    table: NDArray[np.int8],
    codes: Numbers,
    scales: Scales,
    out: NDArray[np.float32],
    scratch: Scratch,
    *,
    signs: Packed | None = None,
    flips: NDArray[np.uint64] = SIGNS,
) -> None:
    """Fill `out` (n, elements) with rows × scales.

    The codes select rows of `table` (rows, 1, 4 or 8); a table of single elements has 16 of them. Each number in
    `signs` (n, elements / 8) selects a row of `flips`, eight bytes in an integer, 255 where the element is negative.
    The length of a run is a multiple of 8.
    """
    if compiled.KERNELS:
        minuses = (None, None) if signs is None else ((_described(signs),), flips)
        fields = tuple(map(_described, codes))
        compiled.KERNELS.scale(fields, 0, table, table.shape[1], *minuses, _described_scales(scales), None, out)
        return
    numbers = _rows(table, _joined(codes, scratch), scratch)
    if signs is not None:
        flipped = look_up(flips, unpack(signs, scratch, name="signs"), scratch, "flips").reshape(-1)
        # In two's complement, -v is (v ^ -1) - (-1).
        words = numbers.view(np.uint64)
        np.bitwise_xor(words, flipped, out=words)
        np.subtract(numbers, flipped.view(np.int8), out=numbers)
    _multiply(numbers, scales, out, scratch)


def _described(packed: Packed) -> tuple[NDArray[Any], int, NDArray[np.uint16]]:
    """A field as C reads it."""
    field, bits, group, positions = packed
    return field, bits, _words(positions, bits, group, field.shape[1])


@cache
def _positions(bits: int, group: int, size: int) -> tuple[int, ...]:
    """The positions of numbers that are interleaved by groups, in a field of `size` bytes."""
    return tuple(
        8 * byte + shift
        for first in range(0, size, group)
        for shift in range(0, 8, bits)
        for byte in range(first, first + group)
    )


@cache
def _words(positions: tuple[int, ...] | None, bits: int, group: int, size: int) -> NDArray[np.uint16]:
    """The positions of numbers as C reads them."""
    return np.array(positions or _positions(bits, group, size), np.uint16)


def _described_scales(scales: Scales) -> tuple[Any, ...]:
    """Scales as C reads them: floats and halves in native order."""
    d, integers, factor, plus = scales
    if not d.dtype.isnative:
        d = d.astype(d.dtype.newbyteorder("="))
    return d, None if integers is None else tuple(map(_described, integers)), plus, factor


def _joined(numbers: Numbers, scratch: Scratch, name: str = "q") -> NDArray[Any]:
    """All parts of numbers (n, count): uint8, or uint16 if they have more bits."""
    codes = unpack(numbers[0], scratch, name=name)
    at = numbers[0].bits
    for part in numbers[1:]:
        if at + part.bits <= 8 or (part.positions is not None and part.field.shape[1] > 1):
            high = unpack(part, scratch, at=at, name=f"{name} at {at}")
        else:
            high = scratch.array(f"{name} from {at}", codes.shape, np.uint16)
            np.copyto(high, unpack(part, scratch, name=f"{name} at {at}"))
            np.left_shift(high, at, out=high)
        codes = np.bitwise_or(codes, high, out=high)
        at += part.bits
    return codes


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
        return scales.d.astype(np.float32, copy=False)
    integers = None
    if scales.integers is not None:
        integers = _joined(scales.integers, scratch, name)
        if scales.integers[0].field.dtype == np.int8:
            integers = integers.view(np.int8)
    if integers is not None and scales.d.dtype == np.float32:
        return look_up(scales.d, integers, scratch, f"{name} of a table")
    d = to_float(scales.d, scratch, f"d of {name}")[:, None]
    if scales.factor != 1:
        np.multiply(d, np.float32(scales.factor), out=d)
    if integers is None:
        return d
    products = scratch.array(f"{name} × d", integers.shape, np.float32)
    np.copyto(products, integers)
    if scales.plus:
        np.add(products, np.float32(scales.plus), out=products)
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
        chunk = target[part]
        np.copyto(chunk, numbers[part])
        np.multiply(chunk, factors[part], out=chunk)
        if summands is not None:
            np.add(chunk, summands[part], out=chunk)
