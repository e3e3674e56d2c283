"""Floats that are converted or quantized to the type of their tensor."""

import io
import re
import tracemalloc
from collections.abc import Callable
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import GGMLType, UnknownTypeError, WriteError, Writer, quantize, write
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import is_quantized, plain_dtype
from kaitai_gguf.writing import tensor_data
from kaitai_gguf.writing.plan import declared

FLOATS = [np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ">f4"]
BLOCKS = [type for type in KERNELS if type not in (GGMLType.F32, GGMLType.F16, GGMLType.BF16)]
PLAIN = [GGMLType.F32, GGMLType.F16, GGMLType.BF16, GGMLType.F64]
NUMBERS = np.random.default_rng(0).standard_normal((2, 3, 512))


def stored(array: Any, type: Any, **options: Any) -> kaitai_gguf.Tensor:
    file = io.BytesIO()
    write(file, {}, {"t": (array, type)}, **options)
    return kaitai_gguf.open(file.getvalue()).tensors["t"]


@pytest.fixture(params=[1 << 18, 1 << 10], ids=["at once", "in chunks"])
def chunks(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_data, "_ELEMENTS", request.param)


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("type", BLOCKS, ids=str)
def test_blocks_are_those_of_quantize(type: GGMLType, byte_order: Any) -> None:
    for dtype in FLOATS:
        array = NUMBERS.astype(dtype)
        tensor = stored(array, type, byte_order=byte_order)
        assert (tensor.type, tensor.shape) == (type, array.shape)
        assert tensor.data.tobytes() == quantize(array, type, byte_order=byte_order).tobytes(), dtype


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize("type", PLAIN, ids=str)
def test_numbers_are_rounded_as_numpy_does(type: GGMLType, byte_order: Any) -> None:
    for dtype in FLOATS:
        array = NUMBERS.astype(dtype)
        tensor = stored(array, type, byte_order=byte_order)
        assert (tensor.type, tensor.shape) == (type, array.shape)
        expected = array.astype(plain_dtype(type, "little"))
        assert tensor.data.astype(np.float64).tobytes() == expected.astype(np.float64).tobytes(), dtype


@pytest.mark.usefixtures("chunks")
@pytest.mark.parametrize("type", [GGMLType.Q8_0, GGMLType.F16], ids=str)
@pytest.mark.parametrize(
    "view",
    [
        lambda array: array.T,
        lambda array: array[:, ::-1],
        lambda array: array[:, :, ::2],
        lambda array: np.broadcast_to(array[0, 0], (4, 512)),
        lambda array: np.asfortranarray(array[0]),
        lambda array: np.repeat(array.reshape(-1), 2)[::2],
        lambda array: array[:0],
    ],
    ids=["transposed", "backwards", "every other", "broadcast", "by columns", "one axis", "empty"],
)
def test_arrays_of_any_layout(view: Callable[[Any], Any], type: GGMLType) -> None:
    array = view(np.random.default_rng(0).standard_normal((64, 32, 512)).astype(np.float32)[:, ::2])
    assert stored(array, type).data.tobytes() == stored(array.copy(), type).data.tobytes()


def test_a_single_number() -> None:
    assert stored(np.float32(1.5), "F16").data == 1.5
    with pytest.raises(WriteError, match="tensor 't': row length 1 is not a multiple of the Q8_0 block size 32"):
        stored(np.float32(1.5), "Q8_0")


def test_floats_one_piece_after_the_other() -> None:
    array = NUMBERS.reshape(6, 512)
    file = io.BytesIO()
    with Writer(file, byte_order="big") as writer:
        writer.add_tensor("q", array.shape, "Q4_0")
        writer.add_tensor("f", array.shape, "F16")
        writer.write_tensor("q", (array[row] for row in range(6)))
        writer.write_tensor("f", iter(array.reshape(-1)))
    tensors = kaitai_gguf.open(file.getvalue()).tensors
    assert tensors["q"].data.tobytes() == quantize(array, "Q4_0", byte_order="big").tobytes()
    assert np.array_equal(tensors["f"].data, array.astype(np.float16))


def test_pieces_are_whole_blocks() -> None:
    writer = Writer(io.BytesIO())
    writer.add_tensor("t", (2, 32), "Q8_0")
    with pytest.raises(WriteError, match="tensor 't': a chunk of 33 numbers is not a multiple of the Q8_0 block size"):
        writer.write_tensor("t", [np.ones(33)])


def test_infinite_numbers_stay_what_they_are() -> None:
    array = np.array([np.inf, -np.inf, np.nan, -0.0])
    for type in PLAIN:
        assert np.array_equal(stored(array, type).data.astype(np.float64), array, equal_nan=True), type


@pytest.mark.parametrize(
    ("type", "number", "message"),
    [
        ("F16", 1e6, "tensor 't' as F16: 1000000.0 at row 2500, column 3 is too large"),
        ("F32", -1e39, "tensor 't' as F32: -1e+39 at row 2500, column 3 is too large"),
        ("Q8_0", np.nan, "tensor 't' as Q8_0: nan at row 2500, column 3: only finite numbers can be quantized"),
        (
            "Q8_0",
            1e9,
            "tensor 't' as Q8_0: the block at row 2500, column 0 has numbers that are too large: its d, a half",
        ),
        (
            "Q4_1",
            -1e5,
            "tensor 't' as Q4_1: the block at row 2500, column 0 has numbers that are too large: its m, a half",
        ),
    ],
)
def test_errors_name_tensor_type_and_row(type: str, number: float, message: str) -> None:
    array = np.zeros((2, 2000, 256))
    array[1, 500, 3] = number
    for data in (array, np.asfortranarray(array)):
        with pytest.raises(WriteError, match=re.escape(message)):
            stored(data, type)
    writer = Writer(io.BytesIO())
    writer.add_tensor("t", array.shape, type)
    with pytest.raises(WriteError, match=re.escape(message)):
        writer.write_tensor("t", iter(array))


@pytest.mark.parametrize("type", [type for type in GGMLType if type not in KERNELS and type not in PLAIN], ids=str)
def test_types_to_which_floats_are_not_converted(type: GGMLType, tmp_path: Any) -> None:
    """The error is raised before anything is written."""
    array = np.ones((2, 256), np.float32)
    expected = f"expected int.* for {type}, not float32"
    if is_quantized(type):
        expected = f"can't quantize to {type}, only to F32, F16, .*Q8_0.*; llama.cpp's llama-quantize supports"
    with pytest.raises(WriteError, match=f"tensor 't': {expected}"):
        write(tmp_path / "model.gguf", {}, {"t": (array, type)})
    assert list(tmp_path.iterdir()) == []


def test_rows_of_whole_blocks() -> None:
    with pytest.raises(WriteError, match="tensor 't': row length 33 is not a multiple of the Q8_0 block size 32"):
        stored(np.ones((32, 33)), "Q8_0")


def test_bytes_stay_blocks() -> None:
    raw = quantize(NUMBERS.astype(np.float32), "Q5_1")
    assert stored(raw, "Q5_1").data.tobytes() == raw.tobytes()
    assert stored(raw, "Q5_1").shape == NUMBERS.shape


def test_it_takes_a_few_megabytes() -> None:
    array = np.zeros((1 << 14, 1 << 10), np.float32)  # 64 MiB
    write(Nowhere(), {}, {"t": (array[:1], "Q8_0")})  # triggers the imports
    for data in (array, np.asfortranarray(array)):
        for type in ("Q8_0", "F16"):
            tracemalloc.start()
            write(Nowhere(), {}, {"t": (data, type)})
            _, peak = tracemalloc.get_traced_memory()
            tracemalloc.stop()
            assert peak < 12 << 20, type


class Nowhere(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        return memoryview(data).nbytes


# Names of types


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("I8", GGMLType.I8),
        ("i8", GGMLType.I64),
        ("i4", GGMLType.I32),
        ("i16", GGMLType.I16),
        ("F16", GGMLType.F16),
        ("f16", GGMLType.F16),
        ("f2", GGMLType.F16),
        ("f4", GGMLType.F32),
        (">f4", GGMLType.F32),
        ("f32", GGMLType.F32),
        ("float32", GGMLType.F32),
        ("int8", GGMLType.I8),
        ("bfloat16", GGMLType.BF16),
        ("bf16", GGMLType.BF16),
        ("Q8_0", GGMLType.Q8_0),
        ("q8_0", GGMLType.Q8_0),
        ("iq4_nl", GGMLType.IQ4_NL),
        (8, GGMLType.Q8_0),
        (np.uint32(8), GGMLType.Q8_0),
        (gguf.GGMLQuantizationType.Q8_0, GGMLType.Q8_0),
        (GGMLType.Q8_0, GGMLType.Q8_0),
        (np.int8, GGMLType.I8),
        (np.dtype("<i8"), GGMLType.I64),
    ],
    ids=repr,
)
def test_types_by_any_name(name: Any, expected: GGMLType) -> None:
    assert declared("t", (256,), name, None).type is expected


def test_every_type_has_a_name_in_any_case() -> None:
    for type in GGMLType:
        assert declared("t", (256,), str(type), None).type is type
        if type is not GGMLType.I8:  # numpy uses "i8" for int64
            assert declared("t", (256,), str(type).lower(), None).type is type
    theirs = [type for type in gguf.GGMLQuantizationType if type.value in set(GGMLType)]
    assert len(theirs) > 30
    for each in theirs:
        assert declared("t", (256,), each, None).type == each


@pytest.mark.parametrize("name", ["Q4_9", "f17", "", "llama"])
def test_names_that_are_not_types(name: str) -> None:
    with pytest.raises(UnknownTypeError, match=f"tensor 't': unknown type '{name}'; the types are F32"):
        declared("t", (256,), name, None)


@pytest.mark.parametrize("name", ["complex64", "U3", "uint8", "?", "F", "f4,f4"])
def test_dtypes_that_ggml_does_not_have(name: str) -> None:
    with pytest.raises(TypeError, match=r"tensor 't': ggml has no .*; (convert it|for blocks, give their)"):
        declared("t", (256,), name, None)
