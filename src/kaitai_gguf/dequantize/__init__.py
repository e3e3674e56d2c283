"""Convert blocks to numbers: `dequantize(raw, type)`.

| module | contents |
|---|---|
| `formulas` | the formula of each type in numpy: the reference, and the fallback without a C compiler |
| `compiled` | the C kernels (`_kernels.c`), and the layout of each type for them |
| `codebooks`, `codebooks.npz` | the tables of the IQ and FP4 types |
| `arrays` | checks of the arguments |
| `run` | the implementation of `dequantize`: chunks and threads |

The results equal those of ggml's C code, compiled without fused multiply-add, bit for bit.
"""

from typing import TYPE_CHECKING, Any, overload

if TYPE_CHECKING:  # importing the package does not import numpy
    import numpy as np
    from numpy.typing import ArrayLike, DTypeLike, NDArray

    from kaitai_gguf.types import ByteOrder, GGMLType

__all__ = ["dequantize"]


@overload
def dequantize(
    raw: "NDArray[Any] | bytes | bytearray | memoryview",
    type: "GGMLType | str | int",
    *,
    threads: int | None = None,
    rows: "slice | ArrayLike | None" = None,
    byte_order: "ByteOrder" = "little",
) -> "NDArray[np.float32]": ...


@overload
def dequantize(
    raw: "NDArray[Any] | bytes | bytearray | memoryview",
    type: "GGMLType | str | int",
    *,
    dtype: "DTypeLike" = "float32",
    out: "NDArray[Any] | None" = None,
    threads: int | None = None,
    rows: "slice | ArrayLike | None" = None,
    byte_order: "ByteOrder" = "little",
) -> "NDArray[Any]": ...


def dequantize(
    raw: "NDArray[Any] | bytes | bytearray | memoryview",
    type: "GGMLType | str | int",
    *,
    dtype: "DTypeLike" = "float32",
    out: "NDArray[Any] | None" = None,
    threads: int | None = None,
    rows: "slice | ArrayLike | None" = None,
    byte_order: "ByteOrder" = "little",
) -> "NDArray[Any]":
    """Return the values of blocks as an array (..., elements) of floats: a new one, unless `out` is given.

    raw         the blocks, in one of three forms: uint8 (..., bytes per row), as they are in the file; a structured
                array (..., blocks per row) of `types.block_dtype(type)`; or, for types that are not quantized, an array
                (...) of `types.plain_dtype(type)`. The last two may be in either byte order. `bytes` and other objects
                with the buffer protocol count as one row of the first form.
    type        the type of the blocks, its name or its number.
    dtype       float32, float16, float64 or bfloat16. Values are computed as float32 and then converted; only F64, I32
                and I64 are converted to float64 without rounding.
    out         a float array of the shape of the result, to fill and return. Its dtype is used instead of `dtype`. It
                must not share memory with `raw`.
    threads     the number of threads, including the calling one. None: one for each 2^20 elements of the result, but
                at most 4, and at most the number of processors.
    rows        a slice or a 1-D array of indices: only these rows are read and converted. Negative indices count from
                the end. Rows are those of `raw` reshaped to two axes, and the result is (number of rows, elements).
    byte_order  the byte order of `raw` if it is uint8.

    Besides its input and result, each thread needs up to 5 MB. `raw` is copied first if its rows are not contiguous in
    memory, or if it has three or more axes that are not evenly spaced.

    Raises GGUFError for an unknown type, partial blocks, a dtype that does not match the type, an `out` of the wrong
    shape or in the memory of `raw`, or a row out of range; TypeError for arguments of the wrong type.
    """
    from kaitai_gguf.dequantize import run  # slow to import, and most programs only read metadata

    return run.dequantize(raw, type, dtype=dtype, out=out, threads=threads, rows=rows, byte_order=byte_order)
