"""Tensors: their infos in the header, views and chunks of their data, and refusals."""

import sys
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given, strategies as st
from support import strategies
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGMLType, Tensor, TensorNotFound, UnknownTypeError
from kaitai_gguf.reading import tensor as tensor_module
from kaitai_gguf.reading.chunks import CHUNK, first_nonzero, tensor_chunks
from kaitai_gguf.sources import Source
from kaitai_gguf.types import type_size

DATA = Path(__file__).parents[1] / "data"
F32, BF16, I16, Q4_0, Q8_0, Q4_K = (
    GGMLType.F32, GGMLType.BF16, GGMLType.I16, GGMLType.Q4_0, GGMLType.Q8_0, GGMLType.Q4_K
)  # fmt: skip


def tensors_of(*tensors: TensorSpec, data: bytes = b"", **options: Any) -> kaitai_gguf.Tensors:
    return kaitai_gguf.open(Model([], list(tensors), data, **options).build()).tensors


def tensor_of(dims: tuple[int, ...], type_id: int, data: bytes = b"", **options: Any) -> Tensor:
    return tensors_of(TensorSpec("t", dims, type_id, 0), data=data, **options)["t"]


# The mapping


@given(strategies.models())
def test_tensors_are_those_that_were_written(model: Model) -> None:
    with kaitai_gguf.open(model.build()) as file:
        assert list(file.tensors) == [tensor.name for tensor in model.tensors]
        assert file.data_offset % model.alignment == 0
        ends = (each.offset + (each.nbytes or 0) for each in file.tensors.values())
        assert file.tensors.data_nbytes == max(ends, default=0)
        for spec in model.tensors:
            tensor = file.tensors[str(spec.name)]
            assert (tensor.dims, tensor.shape) == (spec.dims, spec.dims[::-1])
            assert (tensor.type_id, tensor.offset) == (spec.type_id, spec.offset)
            assert tensor.data.shape == tensor.shape
            assert tensor.data.tobytes() == model.data[spec.offset : spec.offset + (tensor.nbytes or 0)]


def test_values_are_the_tensors_that_names_find() -> None:
    """There are more than are converted at a time."""
    specs = [TensorSpec(f"t{i}", ((), (32,), (32, i), (32, 0, i))[i % 4], i % 4, 4096 * i) for i in range(200)]
    first, second = tensors_of(*specs), tensors_of(*specs)
    by_name = [first[str(spec.name)] for spec in specs]
    assert all(one is other for one, other in zip(first.values(), by_name, strict=True))
    for tensors in (first, second):
        facts = [(each.name, each.dims, each.type_id, each.offset) for each in tensors.values()]
        assert facts == [(spec.name, spec.dims, spec.type_id, spec.offset) for spec in specs]
    assert repr(first) == "<200 tensors: 't0', 't1', 't2', …>"


def test_a_name_has_one_spelling() -> None:
    """A name in valid UTF-8 can also be looked up with its bytes as surrogates."""
    tensors = tensors_of(TensorSpec("blk.3.attn_q.weight", (64, 2), Q4_0, 0), TensorSpec("é", (1,), 0, 96))
    for name in ("é", np.str_("é"), "\udcc3\udca9"):
        assert name in tensors
        assert (tensors[name].name, type(tensors[name].name)) == ("é", str)
        assert tensors["é"] is tensors[name]
    with pytest.raises(TensorNotFound, match="no tensor 'x' in the file"):
        tensors["x"]
    tensor = tensors["blk.3.attn_q.weight"]
    assert (tensor.block, tensor.role) == (3, "attn_q")
    assert repr(tensor) == "<Tensor 'blk.3.attn_q.weight' Q4_0 (2, 64)>"


def test_closing_ends_an_iteration() -> None:
    model = kaitai_gguf.open(Model([], [TensorSpec(f"t{i}", (1,), 0, 32 * i) for i in range(9)], bytes(300)).build())
    values = iter(model.tensors.values())
    assert next(values).name == "t0"
    model.close()
    with pytest.raises(kaitai_gguf.ClosedError):
        next(values)


# Views of the data

PLAIN = [
    (F32, np.float32), (GGMLType.F16, np.float16), (BF16, ml_dtypes.bfloat16), (GGMLType.F64, np.float64),
    (GGMLType.I8, np.int8), (I16, np.int16), (GGMLType.I32, np.int32), (GGMLType.I64, np.int64),
]  # fmt: skip


@pytest.mark.parametrize(("type", "dtype"), PLAIN, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_plain_types_are_typed(type: GGMLType, dtype: Any, byte_order: str) -> None:
    values = np.array([[1, -2, 3], [4, 5, -6]], dtype)
    size, raw = values.itemsize, values.tobytes()
    if sys.byteorder == "big":
        raw = values.byteswap().tobytes()
    swapped = b"".join(raw[i : i + size][::-1] for i in range(0, len(raw), size))
    tensor = tensor_of((3, 2), type, swapped if byte_order == "big" else raw, byte_order=byte_order)
    assert tensor.data.astype(np.float64).tolist() == [[1, -2, 3], [4, 5, -6]]
    order = "=" if type is BF16 else ">" if byte_order == "big" else "<"
    assert tensor.data.dtype == np.dtype(dtype).newbyteorder(order)  # type: ignore[call-overload]  # a str
    assert tensor.data.shape == tensor.blocks.shape == (2, 3)


def test_quantized_types_are_rows_of_blocks() -> None:
    raw = bytes(range(36)) * 6
    tensor = tensor_of((64, 3, 2), Q4_0, raw)
    assert (tensor.data.dtype, tensor.data.shape, tensor.data.tobytes()) == (np.uint8, (2, 3, 36), raw)
    assert tensor.blocks.shape == (2, 3, 2)
    assert tensor.blocks["qs"][0, 0, 1].tolist() == list(range(20, 36))
    block = np.array(1.5, ">f2").tobytes() + bytes(32)
    assert tensor_of((32,), Q8_0, block, byte_order="big").blocks["d"].tolist() == [1.5]


def test_rows_that_are_too_large_for_a_dtype(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_module, "_LARGEST_ITEM", 16)
    stored = bytes(range(96))
    for dims in ((7, 1, 3), (5, 3, 3)):  # that no other test has: the forms of views are remembered
        tensor = tensor_of(dims, I16, stored)
        assert tensor.data.shape == tensor.blocks.shape == dims[::-1]
        assert tensor.data.tobytes() == tensor.blocks.tobytes() == stored[: tensor.nbytes]


def test_empty_tensors_and_scalars() -> None:
    for dims in ((0,), (256, 0), (0, 0, 3)):
        for type in (F32, BF16, Q4_K):
            tensor = tensor_of(dims, type)
            assert tensor.nbytes == tensor.data.size == tensor.blocks.size == len(list(tensor_chunks(tensor))) == 0
            assert not tensor.data.flags.writeable
    with pytest.raises(kaitai_gguf.TensorDataError, match=r"tensor 't': 1152921504606846976 × 0 floats are more than"):
        tensor_of((1 << 60, 0), GGMLType.I8).dequantize()
    tensor = tensor_of((), F32, np.array(2.5, "<f4").tobytes())
    assert (tensor.shape, tensor.ndim, tensor.n_elements, tensor.size, tensor.nbytes) == ((), 0, 1, 1, 4)
    assert (tensor.data, bool(tensor)) == (2.5, True)
    assert [bytes(chunk) for chunk in tensor_chunks(tensor)] == [np.array(2.5, "<f4").tobytes()]
    for use in (len, list, lambda each: each[0], lambda each: each[:1]):
        with pytest.raises(TypeError, match="tensor 't' has no axes"):
            use(tensor)


@pytest.mark.parametrize(("type_id", "message"), [(77, "77 is unknown"), (4, "4 is Q4_2, which ggml has removed")])
def test_only_the_data_of_an_unknown_type_is_out_of_reach(type_id: int, message: str) -> None:
    tensors = tensors_of(TensorSpec("new", (5, 3), type_id, 0), TensorSpec("old", (1,), 24, 0), data=b"\x07")
    assert tensors["old"].data.tolist() == [7]
    tensor = tensors["new"]
    assert (tensor.type, tensor.type_id, tensor.nbytes, tensor.shape) == (None, type_id, None, (3, 5))
    for view in ("data", "blocks", "dtype", "dequantize"):
        with pytest.raises(UnknownTypeError, match=f"tensor 'new': its type {message}"):
            getattr(tensor, view)()
    with pytest.raises(UnknownTypeError, match="'new'"):
        tensor_chunks(tensor)


# A tensor as an array

SHAPES = [(64,), (5, 64), (3, 2, 64), (2, 1, 3, 32)]
TYPES = [F32, BF16, I16, Q8_0, GGMLType.Q4_1]


def random_tensor(shape: tuple[int, ...], type: GGMLType, byte_order: str = "little") -> Tensor:
    numbers = np.random.default_rng(1).integers(0, 60, 8 * int(np.prod(shape)), np.uint8)  # too small for NaN
    return tensor_of(shape[::-1], type, numbers.tobytes(), byte_order=byte_order)


def facts(array: Any) -> tuple[Any, ...]:
    array = np.asarray(array)
    return array.dtype, array.shape, array.tobytes()


@given(st.sampled_from(TYPES), st.sampled_from(SHAPES), st.sampled_from(["little", "big"]), st.data())
def test_attributes_and_rows_are_those_of_the_array(
    type: GGMLType, shape: tuple[int, ...], byte_order: str, data: Any
) -> None:
    tensor = random_tensor(shape, type, byte_order)
    index = data.draw(st.integers(-len(tensor), len(tensor) - 1) | st.slices(len(tensor)))
    array = np.asarray(tensor)
    assert facts(tensor[index]) == facts(array[index])
    assert [facts(row) for row in tensor] == [facts(row) for row in array]
    own = tensor.dtype, tensor.shape, tensor.ndim, tensor.size, len(tensor)
    assert own == (array.dtype, array.shape, array.ndim, array.size, len(array))
    assert np.array_equal(array.astype(np.float32), tensor.dequantize())


def test_an_invalid_index() -> None:
    for type in (F32, Q8_0):
        tensor = random_tensor((5, 64), type)
        for index in (5, -6):
            with pytest.raises(IndexError, match=f"'t': index {index} is out of range for a first axis of length 5"):
                tensor[index]
        for wrong in (..., None, "a", 1.0, np.array([1, 2]), ("a", 0)):
            with pytest.raises(TypeError, match=r"integers or slices; for other indices, use np.asarray\(tensor\)"):
                tensor[wrong]  # type: ignore[index]
        with pytest.raises(IndexError, match="too many indices"):
            tensor[0, 0, 0]


@pytest.mark.parametrize("type", [F32, Q8_0])
def test_several_indices(type: int) -> None:
    tensor = random_tensor((3, 5, 64), type)
    array = np.asarray(tensor)
    for index in ((0, 0), (2, 4, 63), (slice(None), 0), (slice(1, 3), slice(None, None, 2), -1), (1, slice(2)), ()):
        assert np.array_equal(tensor[index], array[index])


def test_an_array_of_a_tensor() -> None:
    plain = tensor_of((4,), I16, np.arange(4, dtype="<i2").tobytes())
    assert np.shares_memory(np.asarray(plain), plain.data)
    assert np.array(plain).flags.writeable
    assert np.asarray(plain, np.float64).dtype == np.float64
    quantized = tensor_of((32,), Q8_0, bytes(34))
    assert np.asarray(quantized).dtype == np.float32
    assert np.asarray(quantized, np.float64).dtype == np.float64
    with pytest.raises(ValueError, match="tensor 't': Q8_0 is not available as numbers without a copy"):
        np.array(quantized, copy=False)


def test_dlpack_has_the_same_array() -> None:
    plain, quantized = tensor_of((2,), F32, bytes(8)), tensor_of((32,), Q8_0, bytes(34))
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":  # older versions refuse arrays that are read-only
        assert np.shares_memory(np.from_dlpack(plain), plain.data)
        assert np.array_equal(np.from_dlpack(quantized), quantized.dequantize())
    with pytest.raises(BufferError, match="readonly"):
        plain.__dlpack__()


def test_numbers_are_those_of_ggml_in_either_byte_order() -> None:
    golden = np.load(DATA / "golden" / "Q4_0.npz")
    for byte_order, raw in (("little", golden["raw"]), ("big", kaitai_gguf.byteswap(golden["raw"], Q4_0))):
        tensor = tensor_of((1024, 8), Q4_0, raw.tobytes(), byte_order=byte_order)
        out = np.zeros((8, 1024), np.float32)
        assert tensor.dequantize(out=out) is out
        assert np.array_equal(out, golden["expected"], equal_nan=True)
        assert np.array_equal(tensor.dequantize(rows=[5, 1]), golden["expected"][[5, 1]], equal_nan=True)


def test_the_first_of_several_errors_is_raised() -> None:
    """Sizes come before names, names before offsets, and offsets before overlaps. For other refusals: attacks."""
    overlapping, misaligned = TensorSpec("a", (16,), 0, 0), TensorSpec("b", (4,), 0, 8)
    tensors = [overlapping, misaligned, TensorSpec("", (4,), 0, 0), TensorSpec("c", (1,), 2, 0)]
    for field in ("3/dims", "2/name", "1/ofs_data"):
        with pytest.raises(kaitai_gguf.FormatError) as caught:
            tensors_of(*tensors)
        assert caught.value.path == f"/tensors/{field}"
        tensors.pop()


# Chunks


@pytest.mark.parametrize("name", ["tiny-allquants", "tiny-be", "v2"])
def test_chunks_of_whole_blocks_make_the_data(name: str) -> None:
    with kaitai_gguf.open(DATA / "models" / f"{name}.gguf") as model:
        for nbytes in (1, 100, 1 << 22):
            for tensor in model.tensors.values():
                assert tensor.type is not None
                block = type_size(tensor.type)
                chunks = [bytes(chunk) for chunk in tensor_chunks(tensor, nbytes)]
                assert b"".join(chunks) == model.buffer[tensor.position :][: tensor.nbytes]
                assert all(len(chunk) % block == 0 and len(chunk) <= max(nbytes, block) for chunk in chunks)
    with pytest.raises(kaitai_gguf.MissingDataError, match="'t'"):
        tensor_chunks(tensor_of((32,), F32))


@pytest.mark.parametrize("size", [1, 1023, 1024, CHUNK + 1])
def test_the_first_byte_that_is_not_zero(size: int) -> None:
    start, end = 5, 5 + size
    assert first_nonzero(Source(b"\1" * start + bytes(size) + b"\1"), start, end) is None
    for position in {start, start + size // 2, end - 1}:
        data = bytearray(end + 1)
        data[position] = data[end - 1] = data[end] = 7
        assert first_nonzero(Source(bytes(data)), start, end) == position
    assert first_nonzero(Source(b"\1\1"), 1, 1) is None
