"""From numbers to blocks: `quantize(array, type)`.

The bytes are those of ggml's reference quantization without an importance matrix; `kernels` has the formulas. The
other types of ggml are found by search, not by formula, and are refused.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:  # importing the package need not take longer than importing numpy
    from kaitai_gguf.types import ByteOrder, GGMLType

__all__ = ["quantize"]


def quantize(
    array: NDArray[Any], type: "GGMLType | str | int", *, byte_order: "ByteOrder" = "little"
) -> NDArray[np.uint8]:
    """Turn numbers into blocks: floats (..., elements) give uint8 (..., bytes of a row), as they are in a file.

    array       of float16, float32, float64 or bfloat16; rounded to float32 first. The last axis is the row, which
                has to be whole blocks of the type.
    type        F32, F16, BF16, Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, TQ1_0, TQ2_0, MXFP4, Q1_0 or Q2_0, or its name or number.
    byte_order  that of the blocks.

    Raises GGUFError for a type that is not supported, a row that is not whole blocks, and a number that is infinite,
    NaN or, as a float32, too large; it names the row, of the array reshaped to two axes, and the column. Raises
    TypeError for arguments that are no such thing at all.
    """
    from kaitai_gguf.quantize import run  # the kernels take a while to import, and most files are only looked at

    return run.quantize(array, type, byte_order)
