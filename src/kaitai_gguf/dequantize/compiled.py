"""The compiled kernels, which fill an array in one pass over the blocks, and their description of each type.

`_kernels.scale` computes (code - minus) × scale + shift, or row of a table × scale, for blocks of any type. A `_Layout`
says where the codes and scales are: it describes to C what the type's formula in `formulas` computes.
"""

from collections.abc import Callable
from functools import cache
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from kaitai_gguf.dequantize import codebooks
from kaitai_gguf.dequantize.formulas import Blocks, iq1_m_scale
from kaitai_gguf.types import GGMLType

try:
    from kaitai_gguf import _kernels
except ImportError:  # the package was built without a C compiler
    _kernels = None  # type: ignore[assignment]

KERNELS: Any = _kernels
"""The extension module, or None without one."""

_TERNARY = -1  # instead of a number of bits: digit k of byte b has the position 8 × b + k
_ALL_BYTES = np.arange(256, dtype=np.uint8)


class _Packed(NamedTuple):
    """Numbers of at most 9 bits in a field of the blocks."""

    field: str | None  # None: the bytes of the whole block
    bits: int
    positions: NDArray[np.uint16]  # the lowest bit of each number; bit 8 is the lowest of the second byte


class _Scales(NamedTuple):
    """What the elements of each run are multiplied by, or what is added to them: d × factor × (integers + plus).

    d are halves (n); or float32 (n, runs), without integers; or a table of float32, from which the integers select.
    """

    d: Callable[[Blocks], NDArray[Any]] = itemgetter("d")
    integers: tuple[_Packed, ...] = ()
    factor: float = 1
    plus: float = 0


class _Layout(NamedTuple):
    """What `_kernels.scale` needs. Of numbers in several parts, the lowest bits come first."""

    codes: tuple[_Packed, ...]
    scales: _Scales = _Scales()
    minus: int = 0
    shifts: _Scales | None = None
    table: NDArray[np.int8] | None = None  # a row for each code
    signs: _Packed | None = None  # a number for each eight elements, of 7 or 8 bits


def is_supported(type: GGMLType) -> bool:
    """Return whether `fill` can be called for a type."""
    return KERNELS is not None and (type in (GGMLType.F16, GGMLType.BF16) or type in _layouts())


def fill(type: GGMLType, blocks: Blocks, out: NDArray[np.float32]) -> None:
    """Fill `out`, contiguous and aligned, with the elements of n blocks (1-D, of either byte order)."""
    if type in (GGMLType.F16, GGMLType.BF16):
        value = blocks["value"]
        words = value.view(np.dtype("u2").newbyteorder(value.dtype.byteorder))
        kernel = KERNELS.f16 if type is GGMLType.F16 else KERNELS.bf16
        kernel(np.ascontiguousarray(words, np.uint16), out)
        return
    codes, scales, minus, shifts, table, signs = _layouts()[type]
    KERNELS.scale(
        _fields(codes, blocks),
        minus,
        table,
        1 if table is None else table.shape[1],
        signs and _fields((signs,), blocks),
        signs and _flips(signs.bits),
        _scales(scales, blocks),
        shifts and _scales(shifts, blocks),
        out,
    )


def _fields(numbers: tuple[_Packed, ...], blocks: Blocks) -> tuple[Any, ...]:
    return tuple((_bytes(blocks, field), bits, positions) for field, bits, positions in numbers)


def _bytes(blocks: Blocks, name: str | None) -> NDArray[Any]:
    """Return the bytes of a field, (n, k) as int8 or uint8, as they are in a little-endian file."""
    field: NDArray[Any] = blocks if name is None else blocks[name]
    if field.dtype.itemsize == 2 and field.dtype != np.dtype("<u2"):
        field = np.ascontiguousarray(field, "<u2")  # `astype` may keep an order of axes that has no view as bytes
    field = field if field.ndim == 2 else field[:, None]
    return field if field.dtype == np.int8 else field.view(np.uint8)


def _scales(scales: _Scales, blocks: Blocks) -> tuple[Any, ...]:
    d = scales.d(blocks)
    if not d.dtype.isnative:
        d = d.astype(d.dtype.newbyteorder("="))
    return d, _fields(scales.integers, blocks) or None, scales.plus, scales.factor


@cache
def _flips(bits: int) -> NDArray[np.int8]:
    """Return eight bytes for each code of signs: all bits are set for a minus."""
    return _in_order(_ALL_BYTES if bits == 8 else codebooks.signs_of_7_bits(), 1, 0, -1)


def _in_order(codes: NDArray[np.uint8], bits: int, *values: int) -> NDArray[np.int8]:
    """Return a row for each byte: the values that its numbers of 1 or 2 bits encode."""
    numbers = codes[:, None] >> np.arange(0, 8, bits) & ((1 << bits) - 1)
    return np.array(values, np.int8).take(numbers)


def _packed(field: str, bits: int, size: int, group: int = 1, first: int = 0) -> _Packed:
    """Describe numbers that are interleaved by groups, see `formulas`, in `size` bytes from byte `first` on."""
    starts = np.arange(8 * first, 8 * (first + size), 8).reshape(-1, 1, group)
    return _Packed(field, bits, (starts + np.arange(0, 8, bits)[:, None]).reshape(-1).astype(np.uint16))


def _in_words(field: str, bits: int, word: int, count: int, first: int = 0, *, each: int = 1) -> _Packed:
    """Describe numbers in `count` words of `word` bits: `each` side by side in a word, from bit `first` on."""
    positions = np.arange(0, word * count, word)[:, None] + np.arange(first, first + bits * each, bits)
    return _Packed(field, bits, positions.reshape(-1).astype(np.uint16))


def _six_bits(low: int, bit: int) -> tuple[_Packed, ...]:
    """Describe sc or m of Q4_K and Q5_K: the first four from byte `low` on, the others from bit `bit` of byte 8 on."""

    def joined(bits: int, *starts: int) -> _Packed:
        return _Packed("scales", bits, np.concatenate([np.arange(at, at + 32, 8) for at in starts]).astype(np.uint16))

    return joined(4, 8 * low, 64 + bit), joined(2, 8 * low + 4, 8 * low + 6)


def _half_more(sc: _Packed, factor: float, d: Callable[[Blocks], NDArray[Any]] = itemgetter("d")) -> _Scales:
    return _Scales(d, (sc,), factor, 1 / 2)


def _tq1_0_digits() -> _Packed:
    groups = ((0, 32, 5), (32, 16, 5), (48, 4, 4))  # first byte, bytes, digits in a byte; qh follows qs
    positions = [8 * np.arange(first, first + size) + np.arange(count)[:, None] for first, size, count in groups]
    return _Packed(None, _TERNARY, np.concatenate([each.reshape(-1) for each in positions]).astype(np.uint16))


@cache
def _layouts() -> dict[GGMLType, _Layout]:
    rows = codebooks.rows
    nibbles, fifth_bits, q8 = _packed("qs", 4, 16, 16), _packed("qh", 1, 4), _packed("qs", 8, 32)
    k_2_bits, k_4_bits = _packed("qs", 2, 64, 32), _packed("qs", 4, 128, 32)
    m, dmin = _Scales(itemgetter("m")), itemgetter("dmin")
    iq4_nl, fp4 = rows("kvalues_iq4nl"), rows("kvalues_fp4")
    q2_k_sc, q2_k_m = (_in_words("scales", 4, 8, 16, bit) for bit in (0, 4))
    q6_k_sc = _Scales(integers=(_packed("scales", 8, 16),))
    q3_k_sc = _packed("scales", 4, 8, 8), _packed("scales", 2, 4, 4, first=8)
    k_sc, k_m = _Scales(integers=_six_bits(0, 0)), _Scales(dmin, _six_bits(4, 4), -1)
    eighths = 8 * rows("iq1s_grid")
    iq1_grid = np.concatenate((eighths + 1, eighths - 1))  # selected by the index and, above it, the bit of the shift
    iq1_s_shifts = _Packed("qh", 1, np.repeat(np.arange(15, 128, 16), 4).astype(np.uint16))
    iq4_xs_sc = _packed("scales_l", 4, 4), _packed("scales_h", 2, 2)
    return {
        GGMLType.Q4_0: _Layout((nibbles,), minus=8),
        GGMLType.Q4_1: _Layout((nibbles,), shifts=m),
        GGMLType.Q5_0: _Layout((nibbles, fifth_bits), minus=16),
        GGMLType.Q5_1: _Layout((nibbles, fifth_bits), shifts=m),
        GGMLType.Q8_0: _Layout((q8,)),
        GGMLType.Q8_1: _Layout((q8,)),
        GGMLType.Q8_K: _Layout((_packed("qs", 8, 256),), _Scales(lambda blocks: blocks["d"][:, None])),
        GGMLType.Q2_K: _Layout((k_2_bits,), _Scales(integers=(q2_k_sc,)), shifts=_Scales(dmin, (q2_k_m,), -1)),
        GGMLType.Q3_K: _Layout((k_2_bits, _packed("hmask", 1, 32, 32)), _Scales(integers=q3_k_sc, plus=-32), minus=4),
        GGMLType.Q4_K: _Layout((k_4_bits,), k_sc, shifts=k_m),
        GGMLType.Q5_K: _Layout((k_4_bits, _packed("qh", 1, 32, 32)), k_sc, shifts=k_m),
        GGMLType.Q6_K: _Layout((_packed("ql", 4, 128, 64), _packed("qh", 2, 64, 32)), q6_k_sc, minus=32),
        GGMLType.IQ1_S: _Layout(
            (q8, _in_words("qh", 3, 16, 8, each=4), iq1_s_shifts),
            _half_more(_in_words("qh", 3, 16, 8, 12), 1 / 4),
            table=iq1_grid,
        ),
        GGMLType.IQ1_M: _Layout(
            (q8, _packed("qh", 4, 16)),
            _half_more(_in_words("scales", 3, 16, 4, each=4), 1 / 4, iq1_m_scale),
            table=iq1_grid,
        ),
        GGMLType.IQ2_XXS: _Layout(
            (_in_words("qs", 8, 64, 8, each=4),),
            _half_more(_in_words("qs", 4, 64, 8, 60), 1 / 4),
            table=rows("iq2xxs_grid"),
            signs=_in_words("qs", 7, 64, 8, 32, each=4),
        ),
        GGMLType.IQ2_XS: _Layout(
            (_in_words("qs", 9, 16, 32),),
            _half_more(_packed("scales", 4, 8), 1 / 4),
            table=rows("iq2xs_grid"),
            signs=_in_words("qs", 7, 16, 32, 9),
        ),
        GGMLType.IQ2_S: _Layout(
            (q8, _packed("qh", 2, 8)),
            _half_more(_packed("scales", 4, 8), 1 / 4),
            table=rows("iq2s_grid"),
            signs=_packed("qs", 8, 32, first=32),
        ),
        GGMLType.IQ3_XXS: _Layout(
            (_packed("qs", 8, 64),),
            _half_more(_in_words("qs", 4, 32, 8, 540), 1 / 2),
            table=rows("iq3xxs_grid"),
            signs=_in_words("qs", 7, 32, 8, 512, each=4),
        ),
        GGMLType.IQ3_S: _Layout(
            (_packed("qs", 8, 64), _packed("qh", 1, 8)),
            _half_more(_packed("scales", 4, 4), 2),
            table=rows("iq3s_grid"),
            signs=_packed("signs", 8, 32),
        ),
        GGMLType.IQ4_NL: _Layout((nibbles,), table=iq4_nl),
        GGMLType.IQ4_XS: _Layout((_packed("qs", 4, 128, 16),), _Scales(integers=iq4_xs_sc, plus=-32), table=iq4_nl),
        GGMLType.MXFP4: _Layout((nibbles,), _Scales(lambda _: codebooks.e8m0(), (_packed("e", 8, 1),)), table=fp4),
        GGMLType.NVFP4: _Layout(
            (_packed("qs", 4, 32, 8),),
            _Scales(lambda _: codebooks.ue4m3(), (_packed("d", 8, 4),)),
            table=fp4,
        ),
        GGMLType.Q1_0: _Layout((_packed("qs", 8, 16),), table=_in_order(_ALL_BYTES, 1, -1, 1)),
        GGMLType.Q2_0: _Layout((_packed("qs", 8, 16),), table=_in_order(_ALL_BYTES, 2, -1, 0, 1, 2)),
        GGMLType.TQ1_0: _Layout((_tq1_0_digits(),), minus=1),
        GGMLType.TQ2_0: _Layout((k_2_bits,), minus=1),
    }
