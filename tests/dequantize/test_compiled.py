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
]


def codes(blocks: int, size: int, dtype: Any = np.uint8) -> Any:
    return np.zeros((blocks, size), dtype)


SCALES = (np.ones((2, 2), np.float32), None, 1.0)
TABLE = np.zeros((256, 8), np.int8)
FITS: dict[str, Any] = {
    "low": (codes(2, 32), 8, 1), "high": None, "minus": 0, "table": None, "width": 1, "signs": None, "flips": None,
    "scales": SCALES, "shifts": None, "out": floats(64),
}  # fmt: skip
ROWS = FITS | {"low": (codes(2, 8), 8, 1), "table": TABLE, "width": 8, "out": floats(128)}
SIGNED = ROWS | {"signs": codes(2, 8), "flips": np.zeros(256, np.uint64)}
ENTRIES = FITS | {"low": (codes(2, 16), 4, 16), "table": np.zeros(16, np.int8)}
HALVES = np.ones(2, np.float16)
SCALE_MISFITS = [
    FITS | {"low": (codes(3, 32), 8, 1)},
    FITS | {"low": (codes(2, 33), 8, 1)},
    FITS | {"low": (codes(2, 0), 8, 1)},
    FITS | {"low": (codes(2, 32), 4, 16)},
    FITS | {"low": (codes(2, 16), 4, 15)},
    FITS | {"low": (codes(2, 16), 4, 8)},
    FITS | {"low": (codes(2, 16), 4, 0)},
    FITS | {"low": (codes(2, 16), 4, -16)},
    FITS | {"low": (codes(2, 32), 3, 16)},
    FITS | {"low": (codes(2, 32), 0, 16)},
    FITS | {"low": (codes(2, 32, np.uint16), 16, 1)},
    FITS | {"low": (codes(2, 32, np.uint16), 8, 1)},
    FITS | {"low": (codes(2, 64)[:, ::2], 8, 1)},
    FITS | {"low": (np.zeros(64, np.uint8), 8, 1)},
    FITS | {"low": (codes(2, 512), 8, 1), "out": floats(1024)},
    FITS | {"low": (codes(2, 128), 2, 32), "out": floats(1024)},
    FITS | {"low": (codes(2, 16), 4, 16), "high": (codes(2, 8), 1, 8)},
    FITS | {"low": (codes(2, 16), 4, 16), "high": (codes(2, 16), 1, 16)},
    FITS | {"low": (codes(2, 16), 4, 16), "high": (codes(3, 32), 8, 1)},
    FITS | {"low": (codes(2, 16), 4, 16), "high": (codes(2, 32, np.uint16), 16, 1)},
    FITS | {"high": (codes(2, 32), 8, 1)},
    FITS | {"signs": codes(2, 4)},
    FITS | {"out": floats(63)},
    FITS | {"out": floats(65)},
    FITS | {"out": unaligned(64)},
    FITS | {"scales": (np.ones((3, 2), np.float32), None, 1.0)},
    FITS | {"scales": (np.ones((2, 3), np.float32), None, 1.0)},
    FITS | {"scales": (np.ones((2, 4), np.float32), None, 1.0)},
    FITS | {"scales": (np.ones((2, 0), np.float32), None, 1.0)},
    FITS | {"scales": (np.ones((2, 4), np.float32)[:, ::2], None, 1.0)},
    FITS | {"scales": (np.ones((2, 2), ">f4"), None, 1.0)},
    FITS | {"scales": (np.ones((2, 2), np.float64), None, 1.0)},
    FITS | {"scales": (floats(2), None, 1.0)},
    FITS | {"scales": (SCALES[0], codes(2, 2), 1.0)},
    FITS | {"scales": (HALVES[:1], codes(2, 2), 1.0)},
    FITS | {"scales": (HALVES.astype(">f2"), codes(2, 2), 1.0)},
    FITS | {"scales": (HALVES[:, None], codes(2, 2), 1.0)},
    FITS | {"scales": (HALVES, codes(3, 2), 1.0)},
    FITS | {"scales": (HALVES, codes(2, 64), 1.0)},
    FITS | {"scales": (HALVES, codes(2, 2, np.uint16), 1.0)},
    FITS | {"shifts": (np.ones((2, 1), np.float32), None, 1.0)},
    FITS | {"shifts": SCALES, "minus": 1},
    ROWS | {"shifts": SCALES},
    ROWS | {"table": TABLE[:255]},
    ROWS | {"table": TABLE.reshape(-1)[:-1]},
    ROWS | {"table": b""},
    ROWS | {"width": 7},
    ROWS | {"width": 0},
    ROWS | {"width": -8},
    ROWS | {"width": 16, "out": floats(256)},
    ROWS | {"low": (codes(2, 64), 8, 1), "out": floats(1024)},
    ROWS | {"low": (codes(2, 8), 4, 8), "out": floats(256)},
    ROWS | {"high": (codes(2, 8), 4, 8)},
    ROWS | {"low": (codes(2, 8, np.uint16), 16, 1), "high": (codes(2, 8), 8, 1)},
    SIGNED | {"signs": codes(2, 7)},
    SIGNED | {"signs": codes(3, 8)},
    SIGNED | {"flips": None},
    SIGNED | {"flips": np.zeros(255, np.uint64)},
    SIGNED | {"flips": bytes(2047)},
    ENTRIES | {"table": np.zeros(17, np.int8)},
    ENTRIES | {"low": (codes(2, 32), 2, 16), "out": floats(256)},
    ENTRIES | {"low": (codes(2, 16), 4, 4)},
    ENTRIES | {"signs": codes(2, 4), "flips": np.zeros(256, np.uint64)},
]


@pytest.mark.parametrize("call", [FITS, ROWS, SIGNED, ENTRIES])
def test_scale_takes_what_fits(call: dict[str, Any]) -> None:
    KERNELS.scale(*(call | {"out": call["out"].copy()}).values())


@pytest.mark.parametrize("call", SCALE_MISFITS)
def test_scale_takes_nothing_else(call: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match="the sizes of the arrays don't match"):
        KERNELS.scale(*call.values())


@pytest.mark.parametrize("call", [{"low": None}, {"high": 1}, {"low": (1, 2)}, {"scales": None}, {"shifts": 1}])
def test_scale_wants_tuples(call: dict[str, Any]) -> None:
    with pytest.raises(TypeError):
        KERNELS.scale(*(FITS | call).values())


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
