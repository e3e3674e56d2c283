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


def test_fields_keep_their_values() -> None:
    for type in GGMLType:
        raw = random_blocks(type)
        ours = byteswap(raw, type).view(block_dtype(type, "big"))
        for name in block_dtype(type).names:
            assert ours[name].tobytes() == swapped(raw.view(block_dtype(type))[name]).tobytes(), (type, name)


def swapped(field: np.ndarray) -> np.ndarray:
    return np.ascontiguousarray(field).view(f"u{field.dtype.itemsize}").byteswap()


def test_twice_is_where_it_was() -> None:
    for type in GGMLType:
        raw = random_blocks(type)
        once = byteswap(raw, type)
        assert (once == raw).all() == (type in WITHOUT_WIDE_FIELDS), type
        assert (byteswap(once, type) == raw).all(), type


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
            theirs, mine = big.tensors[name], little.tensors[name]
            raw = mine.data.reshape(-1).view(np.uint8)
            assert byteswap(raw, mine.type_id).tobytes() == theirs.data.tobytes(), name


@given(st.sampled_from(GGMLType), st.integers(0, 40), st.integers(0, 99))
def test_blocks_do_not_touch_each_other(type: GGMLType, count: int, seed: int) -> None:
    raw = random_blocks(type, count, seed)
    one_by_one = [byteswap(block, type) for block in raw.reshape(-1, block_dtype(type).itemsize)]
    assert byteswap(raw, type).tobytes() == b"".join(block.tobytes() for block in one_by_one)


def test_out_is_filled_and_returned() -> None:
    raw = random_blocks(GGMLType.Q4_K)
    out = np.empty_like(raw)
    assert byteswap(raw, GGMLType.Q4_K, out=out) is out
    assert (out == byteswap(raw, GGMLType.Q4_K)).all()


def test_what_is_read_only_will_do() -> None:
    raw = np.frombuffer(b"\1\2\3\4", np.uint8)
    assert byteswap(raw, GGMLType.F32).tobytes() == b"\4\3\2\1"


def test_nan_keeps_its_bits() -> None:
    signalling = np.frombuffer(bytes.fromhex("0100a07f"), np.uint8)
    assert byteswap(signalling, GGMLType.F32).tobytes().hex() == "7fa00001"


@pytest.mark.parametrize("number", [4, 31, 77])
def test_a_type_that_is_not_known(number: int) -> None:
    with pytest.raises(UnknownTypeError, match=f"type {number} is "):
        byteswap(np.zeros(8, np.uint8), number)


@pytest.mark.parametrize(
    ("raw", "message"),
    [
        (np.zeros((2, 17), np.uint8), r"rows of 17 bytes are not made of whole Q4_0 blocks of 18 bytes"),
        (np.zeros((36, 2), np.uint8).T, "raw must be contiguous"),
    ],
)
def test_bytes_that_will_not_do(raw: np.ndarray, message: str) -> None:
    with pytest.raises(GGUFError, match=message):
        byteswap(raw, GGMLType.Q4_0)


def test_an_out_that_will_not_do() -> None:
    raw = random_blocks(GGMLType.Q4_0)
    with pytest.raises(GGUFError, match=r"out has shape \(3,\)"):
        byteswap(raw, GGMLType.Q4_0, out=np.empty(3, np.uint8))
    with pytest.raises(GGUFError, match="out shares"):
        byteswap(raw, GGMLType.Q4_0, out=raw)


@pytest.mark.parametrize("raw", [b"1234", np.zeros(4, np.int8)])
def test_no_array_of_bytes(raw: object) -> None:
    with pytest.raises(TypeError, match="raw must be an array of uint8"):
        byteswap(raw, GGMLType.F32)  # type: ignore[arg-type]


def test_no_type() -> None:
    with pytest.raises(TypeError, match="expected a GGMLType, or the name or number of one, not None"):
        byteswap(np.zeros(4, np.uint8), None)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("type", [GGMLType.Q4_0, GGMLType.F16])
def test_a_matrix_is_an_array(type: GGMLType) -> None:
    raw = random_blocks(type)
    assert np.array_equal(byteswap(raw.view(np.matrix), type), byteswap(raw, type))
    out = np.empty_like(raw)
    byteswap(raw, type, out=out.view(np.matrix))
    assert np.array_equal(out, byteswap(raw, type))


def test_masked_arrays_are_refused() -> None:
    raw = random_blocks(GGMLType.Q4_0)
    with pytest.raises(TypeError, match=r"raw is a masked array: array.filled\(value\)"):
        byteswap(np.ma.array(raw), GGMLType.Q4_0)
    with pytest.raises(TypeError, match="out is a masked array"):
        byteswap(raw, GGMLType.Q4_0, out=np.ma.array(raw))
