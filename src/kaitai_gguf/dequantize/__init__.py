"""From blocks to numbers: `dequantize(raw, type)`.

| module | what is in it |
|---|---|
| `plain` | F32, F16, BF16, F64, I8, I16, I32, I64 |
| `legacy` | Q4_0, Q4_1, Q5_0, Q5_1, Q8_0, Q8_1, Q8_K |
| `k_quants` | Q2_K, Q3_K, Q4_K, Q5_K, Q6_K |
| `iq_grids` | IQ1_S, IQ1_M, IQ2_XXS, IQ2_XS, IQ2_S, IQ3_XXS, IQ3_S |
| `four_bit` | IQ4_NL, IQ4_XS, MXFP4, NVFP4 |
| `low_bit` | Q1_0, Q2_0, TQ1_0, TQ2_0 |
| `scaling` | the step that all quantized types share: codes to scaled numbers |
| `scratch` | shared by all of these: buffers, gathering, table look-up |
| `compiled` | that step, F16 and BF16 in C (`_kernels.c`), where the package was built with a compiler |
| `codebooks`, `codebooks.npz` | the tables of the IQ and FP4 types |
| `arrays` | checks of the arguments |
| `run` | `dequantize` itself: `KERNELS` by type, chunks and threads |

The docstring of each module has the formula of an element in terms of the fields of its block, which are those of
`ggml_block.ksy`. Results equal, bit for bit, those of ggml's C code compiled without fused multiply-add.
"""

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray

if TYPE_CHECKING:  # importing the package need not take longer than importing numpy
    from kaitai_gguf.types import ByteOrder, GGMLType

__all__ = ["dequantize"]


def dequantize(
    raw: NDArray[Any] | bytes | bytearray | memoryview,
    type: "GGMLType | str | int",
    *,
    dtype: DTypeLike = np.float32,
    out: NDArray[Any] | None = None,
    threads: int | None = None,
    rows: slice | ArrayLike | None = None,
    byte_order: "ByteOrder" = "little",
) -> NDArray[Any]:
    """Turn blocks into numbers: an array (..., elements) of floats, newly made unless `out` is given.

    raw         the blocks, in one of three forms: uint8 (..., bytes of a row), as they are in the file; a structured
                array (..., blocks of a row) of `types.block_dtype(type)`; or, for the plain types, an array (...) of
                `types.plain_dtype(type)`. The last two may be in either byte order. `bytes`, and what else lends its
                memory as bytes, are one row of the first.
    type        the type of the blocks, its name or its number.
    dtype       float32, float16, float64 or bfloat16. The last three are converted from the float32 value, except
                that float64 gets F64, I32 and I64 unrounded.
    out         a float array of the shape of the result, filled and returned; its dtype counts, not `dtype`.
    threads     how many threads work, the calling one included. None: one for each 2^20 elements of the result, but
                no more than 4, and no more than the machine has processors.
    rows        a slice, or a 1-D array of indices, of the rows to turn into numbers; negative indices count from the
                end. Rows are the first axis of `raw` reshaped to two axes, the last one kept; the result then is
                (number of rows, elements). Other rows are not read.
    byte_order  that of uint8 `raw`.

    Besides input and result this takes about 2 MB for each thread, except that `raw` is copied first when its rows are
    not contiguous in memory or, having three axes or more, not evenly spaced.

    Raises GGUFError for an unknown type, rows that are not whole blocks, a dtype that is not the type's, an `out` that
    doesn't fit, a row out of range; TypeError for arguments of the wrong type.
    """
    from kaitai_gguf.dequantize import run  # the kernels take a while to import, and most files are only looked at

    return run.dequantize(raw, type, dtype=dtype, out=out, threads=threads, rows=rows, byte_order=byte_order)
