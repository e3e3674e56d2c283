"""Which kernel turns the blocks of which type into float32."""

from kaitai_gguf.dequantize import fp4, iq1, iq2_iq3, iq4, k_quants, legacy, low_bit, plain, ternary
from kaitai_gguf.dequantize.scratch import Kernel
from kaitai_gguf.errors import UnknownTypeError
from kaitai_gguf.types import GGMLType

__all__ = ["KERNELS", "kernel_of"]

KERNELS: dict[GGMLType, Kernel] = {
    GGMLType.F32: plain.number,
    GGMLType.F16: plain.f16,
    GGMLType.BF16: plain.bf16,
    GGMLType.F64: plain.number,
    GGMLType.I8: plain.number,
    GGMLType.I16: plain.number,
    GGMLType.I32: plain.number,
    GGMLType.I64: plain.number,
    GGMLType.Q4_0: legacy.q4_0,
    GGMLType.Q4_1: legacy.q4_1,
    GGMLType.Q5_0: legacy.q5_0,
    GGMLType.Q5_1: legacy.q5_1,
    GGMLType.Q8_0: legacy.q8,
    GGMLType.Q8_1: legacy.q8,
    GGMLType.Q8_K: legacy.q8,
    GGMLType.Q2_K: k_quants.q2_k,
    GGMLType.Q3_K: k_quants.q3_k,
    GGMLType.Q4_K: k_quants.q4_k,
    GGMLType.Q5_K: k_quants.q5_k,
    GGMLType.Q6_K: k_quants.q6_k,
    GGMLType.IQ1_S: iq1.iq1_s,
    GGMLType.IQ1_M: iq1.iq1_m,
    GGMLType.IQ2_XXS: iq2_iq3.iq2_xxs,
    GGMLType.IQ2_XS: iq2_iq3.iq2_xs,
    GGMLType.IQ2_S: iq2_iq3.iq2_s,
    GGMLType.IQ3_XXS: iq2_iq3.iq3_xxs,
    GGMLType.IQ3_S: iq2_iq3.iq3_s,
    GGMLType.IQ4_NL: iq4.iq4_nl,
    GGMLType.IQ4_XS: iq4.iq4_xs,
    GGMLType.TQ1_0: ternary.tq1_0,
    GGMLType.TQ2_0: ternary.tq2_0,
    GGMLType.MXFP4: fp4.mxfp4,
    GGMLType.NVFP4: fp4.nvfp4,
    GGMLType.Q1_0: low_bit.q1_0,
    GGMLType.Q2_0: low_bit.q2_0,
}


def kernel_of(type: GGMLType) -> Kernel:
    """Raises `UnknownTypeError` if there is none yet."""
    if type not in KERNELS:
        raise UnknownTypeError(f"can't dequantize {type.name}: its blocks are known, what they stand for is not")
    return KERNELS[type]
