# This is a generated file! Please edit schema/*.ksy and run `make generate`.
"""Value types, tensor types and limits of the format."""

from enum import IntEnum
from typing import NamedTuple

MAGIC = b'GGUF'
MAX_DIMS = 4  # dims of a tensor
MAX_DEPTH = 128  # levels of nested arrays


class ValueType(IntEnum):
    """The type of a metadata value or of an array's elements: `str()` gives its name in lower case."""

    UINT8 = 0
    INT8 = 1
    UINT16 = 2
    INT16 = 3
    UINT32 = 4
    INT32 = 5
    FLOAT32 = 6
    BOOL = 7
    STRING = 8
    ARRAY = 9
    UINT64 = 10
    INT64 = 11
    FLOAT64 = 12


    def __str__(self) -> str:
        return self.name.lower()

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec)


# The classes for values of each type, and for the elements of arrays.
VALUE_CLASSES: dict[ValueType, str] = {
    ValueType.UINT8: "ValueU1",
    ValueType.INT8: "ValueS1",
    ValueType.UINT16: "ValueU2",
    ValueType.INT16: "ValueS2",
    ValueType.UINT32: "ValueU4",
    ValueType.INT32: "ValueS4",
    ValueType.FLOAT32: "ValueF4",
    ValueType.BOOL: "ValueU1",
    ValueType.STRING: "GgufString",
    ValueType.ARRAY: "GgufArray",
    ValueType.UINT64: "ValueU8",
    ValueType.INT64: "ValueS8",
    ValueType.FLOAT64: "ValueF8",
}
ELEMENT_CLASSES: dict[ValueType, str] = {
    ValueType.UINT8: "Elements1",
    ValueType.INT8: "Elements1",
    ValueType.UINT16: "Elements2",
    ValueType.INT16: "Elements2",
    ValueType.UINT32: "Elements4",
    ValueType.INT32: "Elements4",
    ValueType.FLOAT32: "Elements4",
    ValueType.BOOL: "Elements1",
    ValueType.STRING: "StringElements",
    ValueType.ARRAY: "ArrayElements",
    ValueType.UINT64: "Elements8",
    ValueType.INT64: "Elements8",
    ValueType.FLOAT64: "Elements8",
}


class GGMLType(IntEnum):
    """The type of a tensor: `str()` gives its name."""

    F32 = 0
    F16 = 1
    Q4_0 = 2
    Q4_1 = 3
    Q5_0 = 6
    Q5_1 = 7
    Q8_0 = 8
    Q8_1 = 9
    Q2_K = 10
    Q3_K = 11
    Q4_K = 12
    Q5_K = 13
    Q6_K = 14
    Q8_K = 15
    IQ2_XXS = 16
    IQ2_XS = 17
    IQ3_XXS = 18
    IQ1_S = 19
    IQ4_NL = 20
    IQ3_S = 21
    IQ2_S = 22
    IQ4_XS = 23
    I8 = 24
    I16 = 25
    I32 = 26
    I64 = 27
    F64 = 28
    IQ1_M = 29
    BF16 = 30
    TQ1_0 = 34
    TQ2_0 = 35
    MXFP4 = 39
    NVFP4 = 40
    Q1_0 = 41
    Q2_0 = 42


    def __str__(self) -> str:
        return self.name

    def __format__(self, format_spec: str) -> str:
        return format(str(self), format_spec)


class Field(NamedTuple):
    """A field of a block: its name, numpy (or ml_dtypes) dtype name, and count (None for a single value)."""

    name: str
    dtype: str
    repeat: int | None


class Block(NamedTuple):
    """A block of a tensor type: its number of elements, size in bytes, and fields, which have no padding."""

    num_elements: int
    size: int
    fields: tuple[Field, ...]


BLOCKS: dict[int, Block] = {
    GGMLType.F32: Block(
        1,
        4,
        (
            Field("value", "float32", None),
        ),
    ),
    GGMLType.F16: Block(
        1,
        2,
        (
            Field("value", "float16", None),
        ),
    ),
    GGMLType.Q4_0: Block(
        32,
        18,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.Q4_1: Block(
        32,
        20,
        (
            Field("d", "float16", None),
            Field("m", "float16", None),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.Q5_0: Block(
        32,
        22,
        (
            Field("d", "float16", None),
            Field("qh", "uint8", 4),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.Q5_1: Block(
        32,
        24,
        (
            Field("d", "float16", None),
            Field("m", "float16", None),
            Field("qh", "uint8", 4),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.Q8_0: Block(
        32,
        34,
        (
            Field("d", "float16", None),
            Field("qs", "int8", 32),
        ),
    ),
    GGMLType.Q8_1: Block(
        32,
        36,
        (
            Field("d", "float16", None),
            Field("s", "float16", None),
            Field("qs", "int8", 32),
        ),
    ),
    GGMLType.Q2_K: Block(
        256,
        84,
        (
            Field("scales", "uint8", 16),
            Field("qs", "uint8", 64),
            Field("d", "float16", None),
            Field("dmin", "float16", None),
        ),
    ),
    GGMLType.Q3_K: Block(
        256,
        110,
        (
            Field("hmask", "uint8", 32),
            Field("qs", "uint8", 64),
            Field("scales", "uint8", 12),
            Field("d", "float16", None),
        ),
    ),
    GGMLType.Q4_K: Block(
        256,
        144,
        (
            Field("d", "float16", None),
            Field("dmin", "float16", None),
            Field("scales", "uint8", 12),
            Field("qs", "uint8", 128),
        ),
    ),
    GGMLType.Q5_K: Block(
        256,
        176,
        (
            Field("d", "float16", None),
            Field("dmin", "float16", None),
            Field("scales", "uint8", 12),
            Field("qh", "uint8", 32),
            Field("qs", "uint8", 128),
        ),
    ),
    GGMLType.Q6_K: Block(
        256,
        210,
        (
            Field("ql", "uint8", 128),
            Field("qh", "uint8", 64),
            Field("scales", "int8", 16),
            Field("d", "float16", None),
        ),
    ),
    GGMLType.Q8_K: Block(
        256,
        292,
        (
            Field("d", "float32", None),
            Field("qs", "int8", 256),
            Field("bsums", "int16", 16),
        ),
    ),
    GGMLType.IQ2_XXS: Block(
        256,
        66,
        (
            Field("d", "float16", None),
            Field("qs", "uint16", 32),
        ),
    ),
    GGMLType.IQ2_XS: Block(
        256,
        74,
        (
            Field("d", "float16", None),
            Field("qs", "uint16", 32),
            Field("scales", "uint8", 8),
        ),
    ),
    GGMLType.IQ3_XXS: Block(
        256,
        98,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 96),
        ),
    ),
    GGMLType.IQ1_S: Block(
        256,
        50,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 32),
            Field("qh", "uint16", 8),
        ),
    ),
    GGMLType.IQ4_NL: Block(
        32,
        18,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.IQ3_S: Block(
        256,
        110,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 64),
            Field("qh", "uint8", 8),
            Field("signs", "uint8", 32),
            Field("scales", "uint8", 4),
        ),
    ),
    GGMLType.IQ2_S: Block(
        256,
        82,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 64),
            Field("qh", "uint8", 8),
            Field("scales", "uint8", 8),
        ),
    ),
    GGMLType.IQ4_XS: Block(
        256,
        136,
        (
            Field("d", "float16", None),
            Field("scales_h", "uint16", None),
            Field("scales_l", "uint8", 4),
            Field("qs", "uint8", 128),
        ),
    ),
    GGMLType.I8: Block(
        1,
        1,
        (
            Field("value", "int8", None),
        ),
    ),
    GGMLType.I16: Block(
        1,
        2,
        (
            Field("value", "int16", None),
        ),
    ),
    GGMLType.I32: Block(
        1,
        4,
        (
            Field("value", "int32", None),
        ),
    ),
    GGMLType.I64: Block(
        1,
        8,
        (
            Field("value", "int64", None),
        ),
    ),
    GGMLType.F64: Block(
        1,
        8,
        (
            Field("value", "float64", None),
        ),
    ),
    GGMLType.IQ1_M: Block(
        256,
        56,
        (
            Field("qs", "uint8", 32),
            Field("qh", "uint8", 16),
            Field("scales", "uint8", 8),
        ),
    ),
    GGMLType.BF16: Block(
        1,
        2,
        (
            Field("value", "bfloat16", None),
        ),
    ),
    GGMLType.TQ1_0: Block(
        256,
        54,
        (
            Field("qs", "uint8", 48),
            Field("qh", "uint8", 4),
            Field("d", "float16", None),
        ),
    ),
    GGMLType.TQ2_0: Block(
        256,
        66,
        (
            Field("qs", "uint8", 64),
            Field("d", "float16", None),
        ),
    ),
    GGMLType.MXFP4: Block(
        32,
        17,
        (
            Field("e", "float8_e8m0fnu", None),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.NVFP4: Block(
        64,
        36,
        (
            Field("d", "float8_e4m3fn", 4),
            Field("qs", "uint8", 32),
        ),
    ),
    GGMLType.Q1_0: Block(
        128,
        18,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 16),
        ),
    ),
    GGMLType.Q2_0: Block(
        64,
        18,
        (
            Field("d", "float16", None),
            Field("qs", "uint8", 16),
        ),
    ),
}

# Types that ggml has removed, but that old files still use.
REMOVED_TYPES: dict[int, str] = {
    4: "Q4_2",
    5: "Q4_3",
    31: "Q4_0_4_4",
    32: "Q4_0_4_8",
    33: "Q4_0_8_8",
    36: "IQ4_NL_4_4",
    37: "IQ4_NL_4_8",
    38: "IQ4_NL_8_8",
}
