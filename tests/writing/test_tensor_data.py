"""Data of tensors: arrays that are stored, converted, quantized or refused; names of types, shapes and offsets."""

import io
import re
import tracemalloc
from pathlib import Path
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest
from support.about import about

import kaitai_gguf
from kaitai_gguf import GGMLType, UnknownTypeError, WriteError, Writer, quantize, write
from kaitai_gguf.quantize.kernels import KERNELS
from kaitai_gguf.types import block_dtype, is_quantized, plain_dtype
from kaitai_gguf.writing import tensor_data
from kaitai_gguf.writing.plan import declared
from writing.build import Nowhere, declare, stored, written

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
F32 = np.arange(6, dtype=np.float32).reshape(2, 3)
Q8_0 = quantize(np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64), GGMLType.Q8_0)
NUMBERS = np.random.default_rng(0).standard_normal((2, 3, 512))
FLOATS = [np.float16, np.float32, np.float64, ml_dtypes.bfloat16, ">f4"]
PLAIN = [GGMLType.F32, GGMLType.F16, GGMLType.BF16, GGMLType.F64]
TARGETS = [*PLAIN, *(type for type in KERNELS if type not in PLAIN)]

both_orders = pytest.mark.parametrize("byte_order", ["little", "big"])


def converted(array: Any, type: Any, **options: Any) -> kaitai_gguf.Tensor:
    """Write a pair of array and type with `write`, and return the tensor as it is read."""
    return kaitai_gguf.open(written({}, {"t": (array, type)}, **options)).tensors["t"]


# Stored as they are


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


@both_orders
def test_blocks_of_every_type(byte_order: str) -> None:
    types = [type for type in GGMLType if (GOLDEN / f"{type.name}.npz").exists()]
    assert len(types) > 25
    for type in types:
        with about(type.name):
            check_blocks(type, byte_order)


def check_blocks(type: GGMLType, byte_order: str) -> None:
    golden = np.load(GOLDEN / f"{type.name}.npz")
    raw = golden["raw"] if byte_order == "little" else kaitai_gguf.byteswap(golden["raw"], type)
    given: Any = raw, type
    if type in (GGMLType.F16, GGMLType.BF16):
        given = (
            golden["raw"].view("<f2")
            if type is GGMLType.F16
            else golden["raw"].view("<u2").astype("=u2").view(ml_dtypes.bfloat16)
        )
    tensor = kaitai_gguf.open(written({}, {"t": given}, byte_order=byte_order)).tensors["t"]
    assert (tensor.type, tensor.shape) == (type, golden["expected"].shape)
    assert tensor._view().tobytes() == raw.tobytes()
    # Tensors, and blocks whose dtype has a byte order, are converted.
    for each in (tensor, (tensor.blocks, type)):
        other = written({}, {"t": each}, byte_order="little" if byte_order == "big" else "big")
        assert kaitai_gguf.open(other).tensors["t"].dequantize().tobytes() == tensor.dequantize().tobytes()


@both_orders
def test_blocks_as_records(byte_order: str) -> None:
    blocks = Q8_0.view(block_dtype(GGMLType.Q8_0))
    for array in (blocks, blocks.view(np.recarray), blocks.astype(block_dtype(GGMLType.Q8_0, "big"))):
        tensor = stored((2, 64), GGMLType.Q8_0, array, byte_order=byte_order)
        assert tensor.dequantize().tobytes() == kaitai_gguf.dequantize(Q8_0, GGMLType.Q8_0).tobytes()
    scalar = converted(np.array((1.5,), block_dtype(GGMLType.F32, "little")), "F32", byte_order=byte_order)
    assert (scalar.shape, scalar.data) == ((), 1.5)


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


def test_floats_in_chunks() -> None:
    array = NUMBERS.reshape(6, 512)
    result = stored(array.shape, "Q4_0", iter(array), byte_order="big").data.tobytes()
    assert result == quantize(array, "Q4_0", byte_order="big").tobytes()
    assert np.array_equal(stored(array.shape, "F16", iter(array.reshape(-1))).data, array.astype(np.float16))


def test_infinite_numbers_stay_what_they_are() -> None:
    array = np.array([np.inf, -np.inf, np.nan, -0.0])
    for type in PLAIN:
        assert np.array_equal(converted(array, type).data.astype(np.float64), array, equal_nan=True), type


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


# Refusals


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


@both_orders
@pytest.mark.parametrize(("given", "type"), [("F32", "Q4_K"), ("Q8_0", "F16"), ("F64", "F16"), ("BF16", "Q8_0")])
def test_tensors_become_another_type(
    given: str, type: str, byte_order: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    expected = converted(np.asarray(converted(NUMBERS, given)), type)
    monkeypatch.setattr(tensor_data, "_ELEMENTS", 1024)  # two rows
    tensor = converted(NUMBERS, given, byte_order=byte_order)
    write(tmp_path / "new.gguf", {}, {"t": (tensor, type)})
    write(tmp_path / "edited.gguf", {}, {"t": tensor}, byte_order=byte_order)
    with kaitai_gguf.edit(tmp_path / "edited.gguf") as editor:
        editor.tensors["t"] = editor.tensors["t"], type
    for file in ("new.gguf", "edited.gguf"):
        result = kaitai_gguf.open(tmp_path / file).tensors["t"]
        assert result.type_name == type
        np.testing.assert_array_equal(np.asarray(result), np.asarray(expected))
    assert np.array_equal(converted(tensor, given).blocks, tensor.blocks)  # of the same type: copied


@pytest.mark.parametrize(
    ("given", "type", "message"),
    [
        ("I32", "Q8_0", "I32 is not converted to Q8_0: only floats are"),
        ("F32", "I32", "expected int32 for I32, not float32"),
        ("F32", "IQ2_XXS", "can't quantize to IQ2_XXS"),
        ("F16", "Q8_0", "row length 500 is not a multiple of the Q8_0 block size 32"),
    ],
)
def test_tensors_that_do_not_become_another_type(given: str, type: str, message: str, tmp_path: Path) -> None:
    array = np.ones((2, 500 if given == "F16" else 512), np.int32 if given == "I32" else np.float32)
    tensors: dict[str, Any] = {"t": (converted(array, given), type)}
    with pytest.raises(WriteError, match=f"tensor 't': {message}"):
        write(Nowhere(), {}, tensors)
    write(tmp_path / "old.gguf", {}, {})
    with pytest.raises(WriteError, match=f"tensor 't': {message}"), kaitai_gguf.edit(tmp_path / "old.gguf") as editor:
        editor.tensors.update(tensors)


@pytest.mark.parametrize(
    ("shape", "type", "data", "message"),
    [
        ((2, 3), "F32", bytes(7), "7 bytes were given, expected 24"),
        ((2, 3), "F32", np.zeros((3, 2), np.float32), r"the array has shape \(3, 2\), expected \(2, 3\)"),
        ((2, 3), "F32", io.BytesIO(bytes(23)), "the data ends after 23 of 24 bytes"),
        ((2, 3), "F32", [bytes(20), bytes(3)], "the data ends after 23 of 24 bytes"),
        ((2, 3), "F32", [bytes(20), bytes(5)], "more data was given than its 24 bytes"),
        ((2, 3), "F32", [np.zeros(7)], "more data was given than its 24 bytes"),
        ((2, 3), "F32", [np.zeros(6, np.int64)], "expected float32 for F32, not int64"),
        *(
            ((2, 3), "F32", np.zeros((2, 3), dtype), "expected float32 for F32, not ")
            for dtype in (object, "f4, f4", "M8[s]", bool, np.uint8, np.int32, ml_dtypes.float8_e4m3)
        ),
        ((2, 256), "I8", np.ones((2, 256), np.float32), "expected int8 for I8, not float32"),
        ((2, 256), "IQ2_XXS", np.ones((2, 256)), "can't quantize to IQ2_XXS, only to F32, .*llama-quantize supports"),
        ((2, 32), "Q4_0", np.zeros((2, 17), np.uint8), r"the array has shape \(2, 17\), expected \(2, 18\)"),
        ((2, 32), "Q4_0", np.zeros((2, 32), np.int8), "expected floats or rows of blocks as uint8 for Q4_0, not int8"),
        ((2, 32), "Q4_0", np.zeros((2, 18), np.float32), r"the array has shape \(2, 18\), expected \(2, 32\)"),
        ((2, 32), "Q8_0", [np.ones(33)], "a chunk of 33 numbers is not a multiple of the Q8_0 block size"),
        ((3, 2), "F32", converted(F32, "F32"), r"F32 \(3, 2\), and was given F32 \(2, 3\)"),
        *(((4,), "I8", data, "") for data in (None, 5, "text", ["text"], [None])),
        ((2,), "I8", io.StringIO("ab"), "expected a binary file, not a text file"),
    ],
)
def test_data_that_does_not_fit_a_tensor(shape: Any, type: str, data: Any, message: str) -> None:
    writer = declare(("t", shape, type))
    with pytest.raises((WriteError, TypeError), match=f"^tensor 't'.*{message}"):
        writer.write_tensor("t", data)
    with pytest.raises(WriteError, match="'t'"):
        writer.close()


@pytest.mark.parametrize(
    ("tensors", "message"),
    [
        ([], "tensors must be a mapping, from names to data, not"),
        ({"t": [1.0]}, "tensor 't': expected an array, a Tensor, or a pair of one of these and a type"),
        ({"t": (np.ones(3),)}, "tensor 't': expected an array, a Tensor, or a pair of one of these and a type"),
        ({"t": np.ones(3, np.uint8)}, "tensor 't': ggml has no uint8 tensors; for blocks, give their type"),
        ({"t": (np.ones((2, 20), np.uint8), "Q4_0")}, "tensor 't': 20 bytes of a row are not a multiple of the Q4_0"),
        ({"t": (np.ones((2, 33)), "Q4_0")}, "tensor 't': row length 33 is not a multiple of the Q4_0 block size"),
        ({"t": (np.uint8(1), "Q4_0")}, "tensor 't': row length 1 is not a multiple of the Q4_0 block size"),
        ({1: np.ones(3)}, "the name of a tensor must be a str"),
    ],
)
def test_what_write_does_not_take_as_tensors(tensors: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises((WriteError, TypeError), match=message):
        write(tmp_path / "model.gguf", {}, tensors)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("array", [np.ma.array(F32, mask=F32 > 3), np.ma.masked], ids=repr)
def test_masked_arrays_are_refused(array: Any) -> None:
    """Masked elements have no defined value, so masked arrays are refused."""
    for action in (
        lambda: written({}, {"t": array}),
        lambda: converted(array, GGMLType.F32),
        lambda: stored((2, 3), np.float32, array),
        lambda: stored((2, 3), np.float32, iter([F32[:1], array])),
    ):
        with pytest.raises(WriteError, match=r"tensor 't' is a masked array: array.filled\(value\)"):
            action()


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


# Types, shapes and offsets


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("i8", GGMLType.I64),
        ("f2", GGMLType.F16),
        (">f4", GGMLType.F32),
        ("float32", GGMLType.F32),
        ("bfloat16", GGMLType.BF16),
        (8, GGMLType.Q8_0),
        (np.uint32(8), GGMLType.Q8_0),
        (gguf.GGMLQuantizationType.Q8_0, GGMLType.Q8_0),
        (np.int8, GGMLType.I8),
        (np.dtype("<i8"), GGMLType.I64),
        *((str(type), type) for type in GGMLType),
        *((str(type).lower(), type) for type in GGMLType if type is not GGMLType.I8),  # numpy uses "i8" for int64
    ],
    ids=repr,
)
def test_types_by_any_name(name: Any, expected: GGMLType) -> None:
    assert declared("t", (256,), name).type is expected


def test_numbers_of_any_integer_type() -> None:
    for shape in ((np.int64(2), 3), np.array([2, 3]), [2, 3], range(2, 4)):
        assert declared("t", shape, GGMLType.I8).shape == (2, 3)
    assert type(declared("t", (2,), GGMLType.I8, np.uint16(32)).offset) is int


@pytest.mark.parametrize(
    ("shape", "type", "offset", "error", "message"),
    [
        *(
            (256, type, None, error, message)
            for type, error, message in (
                ("Q4_9", UnknownTypeError, "unknown type 'Q4_9'; the types are F32"),
                (4, UnknownTypeError, "type 4 is Q4_2, which ggml has removed"),
                (77, UnknownTypeError, "type 77 is unknown to this version"),
                (None, TypeError, "expected a GGMLType or a dtype, not None"),
                (True, TypeError, "expected a GGMLType"),
                ("complex64", TypeError, "ggml has no complex64 tensors; convert it"),
                ("uint8", TypeError, "ggml has no uint8 tensors; for blocks, give their type"),
                ("f4,f4", TypeError, "ggml has no void64 tensors; for blocks, give their type"),
            )
        ),
        *((shape, "I8", None, TypeError, ".* must be a") for shape in ("2", b"2", (2.0,), (True,), ("2",), None)),
        ((1, 1, 1, 1, 1), "I8", None, WriteError, "it has 5 dims, expected at most 4"),
        ((-1,), "I8", None, WriteError, r"the shape \(-1,\) has a negative number"),
        ((2, 33), "Q4_0", None, WriteError, "row length 33 is not a multiple of the Q4_0 block size 32"),
        ((), "Q4_0", None, WriteError, "row length 1 is not a multiple of the Q4_0 block size 32"),
        *(((2,), "I8", offset, TypeError, "the offset must be an integer") for offset in (32.0, True, "32")),
        ((2,), "I8", -32, WriteError, "offset -32 is negative"),
        ((2,), "I8", (1 << 63) - 2, WriteError, ".*beyond the end of any file"),
        ((2,), "I8", 10**400, WriteError, ".*beyond the end of any file"),
    ],
)
def test_tensors_that_can_not_be(shape: Any, type: Any, offset: Any, error: type[Exception], message: str) -> None:
    declared("t", (1,), GGMLType.I8), declared("t", (2,), GGMLType.I8)  # equal to (True,) and (2.0,)
    with pytest.raises(error, match=f"tensor 't': {message}"):
        declared("t", (shape,) if isinstance(shape, int) else shape, type, offset)
