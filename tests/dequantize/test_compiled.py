"""The compiled kernels refuse arguments that would make them read or write beyond their memory."""

from typing import Any

import numpy as np
import pytest

from kaitai_gguf.dequantize.compiled import KERNELS

pytestmark = pytest.mark.usefixtures("only_compiled")


def floats(count: int) -> Any:
    return np.ones(count, np.float32)


def unaligned(count: int) -> Any:
    return np.zeros(4 * count + 1, np.uint8)[1:]


MISFITS = [
    ("f16", bytes(4), floats(1)),
    ("f16", bytes(4), floats(3)),
    ("f16", bytes(3), floats(1)),
    ("bf16", bytes(4), np.zeros(9, np.uint8)),
    ("bf16", bytes(4), unaligned(2)),
    ("scale", bytes(8), floats(2), None, floats(7)),
    ("scale", bytes(8), floats(2), None, floats(9)),
    ("scale", bytes(8), floats(3), None, floats(8)),
    ("scale", bytes(8), floats(0), None, floats(8)),
    ("scale", bytes(8), bytes(9), None, floats(8)),
    ("scale", bytes(8), floats(2), floats(1), floats(8)),
    ("scale", bytes(8), floats(2), floats(3), floats(8)),
    ("scale", bytes(8), unaligned(2), None, floats(8)),
    ("scale", bytes(8), floats(2), unaligned(2), floats(8)),
    ("unpack", bytes(8), 3, 8, 0, bytearray(16)),
    ("unpack", bytes(8), 8, 8, 0, bytearray(8)),
    ("unpack", bytes(8), 0, 8, 0, bytearray(8)),
    ("unpack", bytes(8), 4, 3, 0, bytearray(16)),
    ("unpack", bytes(8), 4, 0, 0, bytearray(16)),
    ("unpack", bytes(8), 4, -8, 0, bytearray(16)),
    ("unpack", bytes(8), 4, 8, 5, bytearray(16)),
    ("unpack", bytes(8), 4, 8, -1, bytearray(16)),
    ("unpack", bytes(8), 4, 8, 2**31 - 1, bytearray(16)),
    ("unpack", bytes(8), 4, 8, 0, bytearray(15)),
    ("unpack", bytes(8), 4, 8, 0, bytearray(17)),
]


@pytest.mark.parametrize("call", MISFITS, ids=lambda call: call[0])
def test_sizes_have_to_match(call: tuple[Any, ...]) -> None:
    name, *arguments = call
    with pytest.raises(ValueError, match="the sizes of the arrays don't match"):
        getattr(KERNELS, name)(*arguments)


def test_memory_has_to_be_contiguous_and_writable() -> None:
    with pytest.raises(ValueError, match="contiguous"):
        KERNELS.f16(np.zeros(4, np.float16)[::2], floats(2))
    with pytest.raises(TypeError, match="read-write"):
        KERNELS.f16(bytes(4), floats(2).tobytes())


def test_the_product_is_rounded_before_the_sum() -> None:
    """A fused multiply-add would keep the bits that a product loses."""
    scale, shift, out = np.float32(1 + 2**-23), np.float32(-3), floats(1)
    KERNELS.scale(np.array([3], np.int8), np.array([scale]), np.array([shift]), out)
    assert out[0] == np.float32(3) * scale + shift
    assert out[0] != float(scale) * 3 - 3
