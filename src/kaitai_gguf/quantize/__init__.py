"""Quantization of floats to blocks: `quantize(array, type)`.

The bytes equal those of ggml's `ggml_quantize_chunk`, without fused multiply-add; `kernels` and `k_quants` have the
formulas. The IQ types are not supported: ggml searches the grid of their values.
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # importing the package does not import numpy
    import numpy as np
    from numpy.typing import ArrayLike, NDArray

    from kaitai_gguf.types import ByteOrder, GGMLType

__all__ = ["quantize"]


def quantize(
    array: "NDArray[Any]",
    type: "GGMLType | str | int",
    *,
    imatrix: "ArrayLike | None" = None,
    threads: int | None = None,
    byte_order: "ByteOrder" = "little",
) -> "NDArray[np.uint8]":
    """Quantize floats of shape (..., elements) to the bytes of blocks: uint8 of shape (..., bytes per row).

    array       float16, float32, float64 or bfloat16; rounded to float32 first. The last axis is the row; its length
                must be a multiple of the type's block size.
    type        F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q2_K, Q3_K, Q4_K, Q5_K, Q6_K, TQ1_0, TQ2_0, MXFP4,
                NVFP4, Q1_0 or Q2_0: a GGMLType, its name or its number.
    imatrix     the importance of each column: numbers of shape (elements,), or (matrices, elements) for an array of
                shape (matrices, rows, elements), finite and not negative. Q4_0 to Q5_1 and the K-quants use it.
    threads     at most so many threads; None: up to one for each million elements and for each processor.
    byte_order  the byte order of the result, "little" or "big".

    If a number, or the scale of a block, is too large for a half, it becomes infinite or NaN, as in ggml. A `Writer`
    refuses such numbers.

    Raises `GGUFError` for an unsupported type, a row that is not made of whole blocks, an importance matrix that does
    not fit the array, and a number that is NaN, infinite or too large for float32; the message names its row (of the
    array reshaped to two axes) and column. Raises `UnknownTypeError` for an unknown type, and TypeError for an argument
    of the wrong type.
    """
    from kaitai_gguf.quantize import run  # the kernels are slow to import, and most programs don't need them

    return run.quantize(array, type, imatrix, threads, byte_order)
