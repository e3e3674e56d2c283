"""Byte-swapping of tensor data: field by field, for every type."""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, strategies as st

import kaitai_gguf
from kaitai_gguf import GGMLType, GGUFError, UnknownTypeError, byteswap
from kaitai_gguf.types import block_dtype

DATA = Path(__file__).parent / "data"
WITHOUT_WIDE_FIELDS = [GGMLType.I8, GGMLType.IQ1_M, GGMLType.MXFP4, GGMLType.NVFP4]


def random_blocks(type: GGMLType, rows: int = 5, seed: int = 0) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (rows, 3 * block_dtype(type).itemsize), np.uint8)


def swapped(field: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(field).view(f"u{field.dtype.itemsize}").byteswap()


@pytest.mark.parametrize("type", list(GGMLType), ids=lambda type: type.name)
def test_fields_keep_their_values(type: GGMLType) -> None:
    raw = random_blocks(type)
    once = byteswap(raw, type)
    for name in block_dtype(type).names:
        expected = swapped(raw.view(block_dtype(type))[name])
        assert once.view(block_dtype(type, "big"))[name].tobytes() == expected.tobytes()
    assert (once == raw).all() == (type in WITHOUT_WIDE_FIELDS)
    assert (byteswap(once, type) == raw).all()


def test_numbers_stay_what_they_are() -> None:
    paths = {type: DATA / "golden" / f"{type.name}.npz" for type in GGMLType}
    vectors = {type: np.load(path) for type, path in paths.items() if path.exists()}
    assert len(vectors) > 25
    for type, golden in vectors.items():
        numbers = kaitai_gguf.dequantize(byteswap(golden["raw"], type), type, byte_order="big")
        assert numbers.tobytes() == golden["expected"].tobytes(), type


@pytest.mark.parametrize("sibling", ["v2", "tiny-allquants"])
def test_a_converter_of_others_does_the_same(sibling: str) -> None:
    """gguf-convert-endian made tiny-be from files with these tensors."""
    with (
        kaitai_gguf.open(DATA / "models" / "tiny-be.gguf") as big,
        kaitai_gguf.open(DATA / "models" / f"{sibling}.gguf") as little,
    ):
        shared = [name for name in big.tensors if name in little.tensors]
        assert len(shared) >= 8
        for name in shared:
            raw = little.tensors[name].data.reshape(-1).view(np.uint8)
            assert byteswap(raw, little.tensors[name].type_id).tobytes() == big.tensors[name].data.tobytes(), name


@given(st.sampled_from(GGMLType), st.integers(0, 40), st.integers(0, 99))
def test_blocks_do_not_touch_each_other(type: GGMLType, count: int, seed: int) -> None:
    raw = random_blocks(type, count, seed)
    one_by_one = [byteswap(block, type) for block in raw.reshape(-1, block_dtype(type).itemsize)]
    assert byteswap(raw, type).tobytes() == b"".join(block.tobytes() for block in one_by_one)


def test_bits_of_read_only_bytes() -> None:
    signalling = np.frombuffer(bytes.fromhex("0100a07f"), np.uint8)  # a NaN
    assert byteswap(signalling, GGMLType.F32).tobytes().hex() == "7fa00001"


ROWS = random_blocks(GGMLType.Q4_0)


@pytest.mark.parametrize(
    ("raw", "type", "out", "error", "message"),
    [
        *((np.zeros(8, np.uint8), number, None, UnknownTypeError, f"type {number} is ") for number in (4, 31, 77)),
        (np.zeros((2, 17), np.uint8), "Q4_0", None, GGUFError, "rows of 17 bytes are not made of whole Q4_0 blocks"),
        (np.zeros((36, 2), np.uint8).T, "Q4_0", None, GGUFError, "raw must be contiguous"),
        (ROWS, "Q4_0", np.empty(3, np.uint8), GGUFError, r"out has shape \(3,\)"),
        (ROWS, "Q4_0", ROWS, GGUFError, "out shares"),
        (b"1234", "F32", None, TypeError, "raw must be an array of uint8"),
        (np.zeros(4, np.int8), "F32", None, TypeError, "raw must be an array of uint8"),
        (ROWS, None, None, TypeError, "expected a GGMLType, or the name or number of one, not None"),
        (np.ma.array(ROWS), "Q4_0", None, TypeError, r"raw is a masked array: array.filled\(value\)"),
        (ROWS, "Q4_0", np.ma.array(ROWS), TypeError, "out is a masked array"),
    ],
)
def test_wrong_arguments(raw: np.ndarray, type: object, out: object, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        byteswap(raw, type, out=out)


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("type", [GGMLType.Q4_0, GGMLType.F16])
def test_out_is_filled_and_a_matrix_is_an_array(type: GGMLType) -> None:
    raw = random_blocks(type)
    expected, out, matrix = byteswap(raw, type), np.empty_like(raw), np.empty_like(raw)
    assert byteswap(raw, type, out=out) is out
    byteswap(raw, type, out=matrix.view(np.matrix))
    for each in (out, matrix, byteswap(raw.view(np.matrix), type)):
        assert np.array_equal(each, expected)
