"""Every type gives the same results as ggml's C code, bit for bit."""

import ctypes
import sys

import gguf.quants
import numpy as np
import pytest

from dequantize.oracles import GOLDEN, TYPES, assert_same, ggml, gguf_py_type, golden, random_blocks
from kaitai_gguf import byteswap
from kaitai_gguf.dequantize import codebooks, dequantize
from kaitai_gguf.dequantize.formulas import FORMULAS
from kaitai_gguf.types import GGMLType, block_size

IN_GGUF_PY = [
    type
    for type in TYPES
    if (known := gguf_py_type(type)) is not None and (type == GGMLType.F16 or known in gguf.quants._type_traits)
]


def test_every_type_has_a_formula_and_all_but_the_exact_ones_have_vectors() -> None:
    assert set(FORMULAS) == set(GGMLType)
    assert {type.name for type in set(GGMLType) - set(TYPES)} == {"F32", "F64", "I8", "I16", "I32", "I64"}


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.name)
class TestGolden:
    def test_as_ggml(self, type: GGMLType) -> None:
        raw, expected = golden(type)
        assert_same(dequantize(raw, type), expected)
        assert_same(dequantize(byteswap(raw, type), type, byte_order="big"), expected)

    def test_as_ggml_for_any_bytes(self, type: GGMLType) -> None:
        if type == GGMLType.Q8_1:
            pytest.skip("ggml has no function for it")
        lower = type.name.lower().replace("_k", "_K") if type.name.endswith("_K") else type.name.lower()
        names = {GGMLType.F16: "ggml_fp16_to_fp32_row", GGMLType.BF16: "ggml_bf16_to_fp32_row"}
        function = getattr(ggml(), names.get(type, f"dequantize_row_{lower}"))
        raw = random_blocks(type, 64, 4096 // block_size(type))
        expected = np.empty((64, 4096), np.float32)
        function.restype = None
        function(raw.ctypes, expected.ctypes, ctypes.c_int64(expected.size))
        assert_same(dequantize(raw, type), expected)


@pytest.mark.parametrize("type", IN_GGUF_PY, ids=lambda type: type.name)
def test_as_gguf_py_for_any_bytes(type: GGMLType) -> None:
    raw = random_blocks(type, 32, 1024 // block_size(type), 1)
    known = gguf_py_type(type)
    assert known is not None
    with np.errstate(all="ignore"):
        expected = gguf.quants.dequantize(raw, known)
        result = dequantize(raw, type, byte_order=sys.byteorder)  # gguf-py takes that of the machine
    # Signs of zeros may differ, because gguf-py sometimes multiplies in another order.
    np.testing.assert_array_equal(result, expected.reshape(result.shape))


def test_codebooks_are_those_of_ggml() -> None:
    stored = np.load(GOLDEN / "CODEBOOKS.npz")
    minuses = np.unpackbits(codebooks.signs_of_7_bits()[:, None], axis=1, bitorder="little")
    np.testing.assert_array_equal((minuses * np.uint8(255)).view("<u8")[:, 0], stored["ksigns64"])
    names = [name for name in stored if name.endswith("_grid") or name.startswith("kvalues")]
    assert len(names) == 8
    for name in names:
        np.testing.assert_array_equal(codebooks.rows(name).reshape(-1).view(stored[name].dtype), stored[name])
