"""Every type gives the same results as ggml's C code, bit for bit."""

import ctypes

import gguf.quants
import numpy as np
import pytest

from dequantize.oracles import GOLDEN, TYPES, assert_same, big_endian, ggml, gguf_py_type, golden, random_blocks
from kaitai_gguf.dequantize import codebooks, dequantize
from kaitai_gguf.dequantize.formulas import FORMULAS
from kaitai_gguf.types import GGMLType, block_size

IN_GGUF_PY = [
    type
    for type in TYPES
    if (known := gguf_py_type(type)) is not None and (type == GGMLType.F16 or known in gguf.quants._type_traits)
]


def test_every_type_has_a_formula() -> None:
    assert set(FORMULAS) == set(GGMLType)


def test_all_types_but_the_exact_ones_have_vectors() -> None:
    assert {type.name for type in set(GGMLType) - set(TYPES)} == {"F32", "F64", "I8", "I16", "I32", "I64"}


@pytest.mark.usefixtures("kernels")
@pytest.mark.parametrize("type", TYPES, ids=lambda type: type.name)
class TestGolden:
    def test_rows_of_bytes(self, type: GGMLType) -> None:
        raw, expected = golden(type)
        assert_same(dequantize(raw, type), expected)

    def test_big_endian(self, type: GGMLType) -> None:
        raw, expected = golden(type)
        assert_same(dequantize(big_endian(raw, type), type, byte_order="big"), expected)

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
        result = dequantize(raw, type)
    # Signs of zeros may differ, because gguf-py sometimes multiplies in another order.
    np.testing.assert_array_equal(result, expected.reshape(result.shape))


# Codebooks


STORED = np.load(GOLDEN / "CODEBOOKS.npz")


@pytest.mark.parametrize(
    "name",
    ["iq2xxs_grid", "iq2xs_grid", "iq2s_grid", "iq3xxs_grid", "iq3s_grid", "iq1s_grid", "kvalues_iq4nl", "kvalues_fp4"],
)
def test_codebooks_are_those_of_ggml(name: str) -> None:
    np.testing.assert_array_equal(codebooks.rows(name).reshape(-1).view(STORED[name].dtype), STORED[name])


def test_signs_of_seven_bits() -> None:
    minuses = np.unpackbits(codebooks.signs_of_7_bits()[:, None], axis=1, bitorder="little")
    np.testing.assert_array_equal((minuses * np.uint8(255)).view(np.uint64)[:, 0], STORED["ksigns64"])
