"""Data of tensors: arrays that are stored, converted, quantized or refused; names of types, shapes and offsets."""

import io
import re
import tracemalloc
from contextlib import nullcontext
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FormatError, GGMLType, UnknownTypeError, WriteError, Writer, quantize, write
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import block_dtype, is_quantized, plain_dtype
from kaitai_gguf.writing import tensor_data
from kaitai_gguf.writing.plan import declared

F32 = np.arange(6, dtype=np.float32).reshape(2, 3)
Q8_0 = quantize(np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64), GGMLType.Q8_0)
NUMBERS = np.random.default_rng(0).standard_normal((2, 3, 512))
FLOATS = [np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ">f4"]
PLAIN = [GGMLType.F32, GGMLType.F16, GGMLType.BF16, GGMLType.F64]
TARGETS = [*PLAIN, *(type for type in KERNELS if type not in PLAIN)]

both_orders = pytest.mark.parametrize("byte_order", ["little", "big"])


def stored(shape: Any, type: Any, data: Any, **options: Any) -> kaitai_gguf.Tensor:
    """Write a tensor with a `Writer`, and return it as it is read."""
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.add_tensor("t", shape, type)
        writer.write_tensor("t", data)
    return kaitai_gguf.open(file.getvalue()).tensors["t"]


def converted(array: Any, type: Any, **options: Any) -> kaitai_gguf.Tensor:
    """Write a pair of array and type with `write`, and return the tensor as it is read."""
    file = io.BytesIO()
    write(file, {}, {"t": (array, type)}, **options)
    return kaitai_gguf.open(file.getvalue()).tensors["t"]


# Stored as they are


def test_a_structured_scalar() -> None:
    scalar = np.array((1.5,), block_dtype(GGMLType.F32, "little"))
    tensor = converted(scalar, "F32")
    assert (tensor.shape, tensor.data) == ((), 1.5)


@both_orders
@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize(
    "array",
    [
        F32.view(np.matrix),
        F32.astype(">f4"),
        np.asfortranarray(F32),
        np.repeat(F32, 2, axis=1)[:, ::2],
        np.broadcast_to(np.float32(1), (2, 3)),
        np.float32(2.5),
        np.array(2.5, ">f4"),
    ],
    ids=["matrix", "big-endian", "by columns", "every other", "broadcast", "a number", "no axes"],
)
def test_arrays_of_any_kind(array: Any, byte_order: str) -> None:
    for data in (array, [array], iter([array])):
        assert np.array_equal(stored(array.shape, np.float32, data, byte_order=byte_order).data, np.asarray(array))


def test_blocks_as_records() -> None:
    blocks = Q8_0.view(block_dtype(GGMLType.Q8_0))
    for array in (blocks, blocks.view(np.recarray), blocks.astype(block_dtype(GGMLType.Q8_0, "big"))):
        for byte_order in ("little", "big"):
            tensor = stored((2, 64), GGMLType.Q8_0, array, byte_order=byte_order)
            assert tensor.dequantize().tobytes() == kaitai_gguf.dequantize(Q8_0, GGMLType.Q8_0).tobytes()


@pytest.mark.parametrize("dtype", [object, "f4, f4", "S4", "M8[s]", bool, np.uint8, np.int32, ml_dtypes.float8_e4m3])
def test_arrays_of_something_else(dtype: Any) -> None:
    array = np.zeros((2, 3), dtype)
    for data in (array, [array]):
        with pytest.raises(WriteError, match="tensor 't': expected float32 for F32"):
            stored((2, 3), np.float32, data)


@pytest.mark.parametrize("array", [np.ma.array(F32, mask=F32 > 3), np.ma.array(F32), np.ma.masked], ids=repr)
def test_masked_arrays_are_refused(array: Any) -> None:
    """Masked elements have no defined value, so masked arrays are refused."""
    for action in (
        lambda: write(io.BytesIO(), {}, {"t": array}),
        lambda: converted(array, GGMLType.F32),
        lambda: stored((2, 3), np.float32, array),
        lambda: stored((2, 3), np.float32, iter([F32[:1], array])),
    ):
        with pytest.raises(WriteError, match=r"tensor 't' is a masked array: array.filled\(value\)"):
            action()


def test_a_text_file_is_refused() -> None:
    with pytest.raises(TypeError, match="tensor 't': expected a binary file, not a text file"):
        stored((2,), np.int8, io.StringIO("ab"))


def test_data_that_closes_the_writer() -> None:
    file = io.BytesIO()
    writer = Writer(file)
    writer.add_tensor("t", (2,), np.int8)

    def chunks() -> Any:
        yield b"a"
        writer.abort()
        yield b"b"

    with pytest.raises(WriteError, match="was closed while its data was written"):
        writer.write_tensor("t", chunks())
    assert file.getvalue()[-1:] == b"a"


# Converted and quantized


@both_orders
@pytest.mark.parametrize("type", TARGETS, ids=str)
def test_floats_are_quantized_or_rounded(type: GGMLType, byte_order: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    for dtype, elements in zip(FLOATS, (1 << 18, 1 << 10, 1 << 18, 1 << 10, 1 << 18), strict=True):
        monkeypatch.setattr(tensor_data, "_ELEMENTS", elements)
        array = NUMBERS.astype(dtype)
        tensor = converted(array, type, byte_order=byte_order)
        assert (tensor.type, tensor.shape) == (type, array.shape)
        if is_quantized(type):
            assert tensor.data.tobytes() == quantize(array, type, byte_order=byte_order).tobytes(), dtype
        else:
            expected = array.astype(plain_dtype(type, "little")).astype(np.float64)
            assert tensor.data.astype(np.float64).tobytes() == expected.tobytes(), dtype


@pytest.mark.parametrize("type", ["Q8_0", "F16", "F32"])
def test_arrays_of_any_layout(type: str) -> None:
    whole = np.random.default_rng(0).standard_normal((64, 32, 512)).astype(np.float32)[:, ::2]
    for array in (
        whole.T[:64],
        whole[:, ::-1],
        whole[:, :, ::2],
        np.broadcast_to(whole[0, 0], (4, 512)),
        np.repeat(whole.reshape(-1), 2)[::2],
        whole[:0],
    ):
        rows = array[..., : array.shape[-1] // 32 * 32]
        assert converted(rows, type).data.tobytes() == converted(rows.copy(), type).data.tobytes()


def test_floats_in_chunks() -> None:
    array = NUMBERS.reshape(6, 512)
    chunks = (array[row] for row in range(6))
    found = stored(array.shape, "Q4_0", chunks, byte_order="big").data.tobytes()
    assert found == quantize(array, "Q4_0", byte_order="big").tobytes()
    assert np.array_equal(stored(array.shape, "F16", iter(array.reshape(-1))).data, array.astype(np.float16))
    with pytest.raises(WriteError, match="tensor 't': a chunk of 33 numbers is not a multiple of the Q8_0 block size"):
        stored((2, 32), "Q8_0", [np.ones(33)])


def test_infinite_numbers_stay_what_they_are() -> None:
    array = np.array([np.inf, -np.inf, np.nan, -0.0])
    for type in PLAIN:
        assert np.array_equal(converted(array, type).data.astype(np.float64), array, equal_nan=True), type


@pytest.mark.parametrize(
    ("type", "number", "message"),
    [
        ("F16", 1e6, "F16: 1000000.0 at row 2500, column 3 is too large"),
        ("F32", -1e39, "F32: -1e+39 at row 2500, column 3 is too large"),
        ("Q8_0", np.nan, "Q8_0: nan at row 2500, column 3: only finite numbers can be quantized"),
        ("Q8_0", 1e9, "Q8_0: the block at row 2500, column 0 has numbers that are too large: its d, a half"),
        ("Q4_1", -1e5, "Q4_1: the block at row 2500, column 0 has numbers that are too large: its m, a half"),
    ],
)
def test_errors_name_tensor_type_and_row(type: str, number: float, message: str) -> None:
    array = np.zeros((2, 2000, 256))
    array[1, 500, 3] = number
    for data in (array, np.asfortranarray(array), iter(array)):
        with pytest.raises(WriteError, match=re.escape(f"tensor 't' as {message}")):
            stored(array.shape, type, data)


@pytest.mark.parametrize("type", [GGMLType.IQ2_XXS, GGMLType.I8, GGMLType.I64], ids=str)
def test_types_to_which_floats_are_not_converted(type: GGMLType, tmp_path: Any) -> None:
    """The error is raised before anything is written."""
    assert type not in KERNELS
    expected = f"expected int.* for {type}, not float32"
    if is_quantized(type):
        expected = f"can't quantize to {type}, only to F32, F16, .*Q8_0.*; llama.cpp's llama-quantize supports"
    with pytest.raises(WriteError, match=f"tensor 't': {expected}"):
        write(tmp_path / "model.gguf", {}, {"t": (np.ones((2, 256), np.float32), type)})
    assert list(tmp_path.iterdir()) == []


def test_it_takes_a_few_megabytes() -> None:
    class Nowhere(io.RawIOBase):
        def write(self, data: Any) -> int:
            return memoryview(data).nbytes

    array = np.zeros((1 << 14, 1 << 10), np.float32)  # 64 MiB
    write(Nowhere(), {}, {"t": (array[:1], "Q8_0")})  # triggers the imports
    for data in (array, np.asfortranarray(array)):
        for type in ("Q8_0", "F16"):
            tracemalloc.start()
            write(Nowhere(), {}, {"t": (data, type)})
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 12 << 20, type


# Names of types


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("I8", GGMLType.I8),
        ("i8", GGMLType.I64),
        ("f2", GGMLType.F16),
        ("f16", GGMLType.F16),
        (">f4", GGMLType.F32),
        ("float32", GGMLType.F32),
        ("bfloat16", GGMLType.BF16),
        ("bf16", GGMLType.BF16),
        ("iq4_nl", GGMLType.IQ4_NL),
        (8, GGMLType.Q8_0),
        (np.uint32(8), GGMLType.Q8_0),
        (gguf.GGMLQuantizationType.Q8_0, GGMLType.Q8_0),
        (np.int8, GGMLType.I8),
        (np.dtype("<i8"), GGMLType.I64),
    ],
    ids=repr,
)
def test_types_by_any_name(name: Any, expected: GGMLType) -> None:
    assert declared("t", (256,), name).type is expected


def test_every_type_has_a_name_in_any_case() -> None:
    for type in GGMLType:
        assert declared("t", (256,), str(type)).type is type
        if type is not GGMLType.I8:  # numpy uses "i8" for int64
            assert declared("t", (256,), str(type).lower()).type is type


@pytest.mark.parametrize(
    ("type", "error", "message"),
    [
        ("Q4_9", UnknownTypeError, "unknown type 'Q4_9'; the types are F32"),
        ("", UnknownTypeError, "unknown type ''"),
        (4, UnknownTypeError, "type 4 is Q4_2, which ggml has removed"),
        (77, UnknownTypeError, "type 77 is unknown to this version"),
        (-1, UnknownTypeError, "type -1 is unknown"),
        (None, TypeError, "expected a GGMLType or a dtype, not None"),
        (True, TypeError, "expected a GGMLType"),
        ("complex64", TypeError, "ggml has no complex64 tensors; convert it"),
        ("U3", TypeError, "ggml has no str96 tensors; convert it"),
        ("uint8", TypeError, "ggml has no uint8 tensors; for blocks, give their type"),
        (bool, TypeError, "ggml has no bool tensors; convert it"),
        ("f4,f4", TypeError, "ggml has no void64 tensors; for blocks, give their type"),
    ],
    ids=repr,
)
def test_what_is_not_a_type(type: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"tensor 't': {message}"):
        declared("t", (256,), type)


# Shapes and offsets


@pytest.mark.parametrize("shape", [2, "2", b"2", (2.0,), (True,), ("2",), None, (np.float32(2),)], ids=repr)
def test_shapes_that_are_not_integers(shape: Any) -> None:
    for valid in ((1,), (2,)):  # equal to some of the others
        declared("t", valid, GGMLType.I8)
    with pytest.raises(TypeError, match=r"tensor 't': .* must be a"):
        declared("t", shape, GGMLType.I8)


@pytest.mark.parametrize("shape", [(np.int64(2), 3), np.array([2, 3]), [2, 3], range(2, 4)], ids=repr)
def test_shapes_of_any_integers(shape: Any) -> None:
    assert declared("t", shape, GGMLType.I8).shape == (2, 3)


@pytest.mark.parametrize(
    ("offset", "error", "message"),
    [
        (32.0, TypeError, "the offset must be an integer"),
        (True, TypeError, "the offset must be an integer"),
        ("32", TypeError, "the offset must be an integer"),
        (-32, WriteError, "offset -32 is negative"),
        ((1 << 63) - 2, WriteError, "beyond the end of any file"),
        (10**400, WriteError, "beyond the end of any file"),
    ],
)
def test_offsets_that_no_file_has(offset: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=f"tensor 't': .*{message}"):
        declared("t", (2,), GGMLType.I8, offset)
    assert type(declared("t", (2,), GGMLType.I8, np.uint16(32)).offset) is int


@pytest.mark.parametrize(
    ("shape", "is_refused"),
    [
        ((1 << 61, 0), True),
        ((0, 1 << 31, 1 << 30), True),
        ((1 << 61,), True),
        ((1 << 60,), False),
        ((1 << 60, 0), False),
    ],
)
def test_what_is_refused_by_reading_is_refused_by_writing(shape: tuple[int, ...], is_refused: bool) -> None:
    """Even with a dim of 0, impossible dims are refused, and everything that is written can be read."""
    data = Model([], [TensorSpec("t", shape[::-1], GGMLType.F32, 0)]).build()
    words = "elements do not fit in 63 bits"
    with pytest.raises(FormatError, match=words) if is_refused else nullcontext():
        kaitai_gguf.open(data)
    with pytest.raises(WriteError, match=words) if is_refused else nullcontext():
        declared("t", shape, GGMLType.F32)
