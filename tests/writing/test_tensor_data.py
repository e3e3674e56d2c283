"""Sources of tensor data: every kind of array is written correctly, or refused by name."""

import io
from contextlib import nullcontext
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FormatError, GGMLType, WriteError, Writer, write
from kaitai_gguf.types import block_dtype
from kaitai_gguf.writing.plan import declared

F32 = np.arange(6, dtype=np.float32).reshape(2, 3)
Q8_0 = kaitai_gguf.quantize(np.linspace(-1, 1, 128, dtype=np.float32).reshape(2, 64), GGMLType.Q8_0)


def stored(shape: Any, type: Any, data: Any, **options: Any) -> kaitai_gguf.Tensor:
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.add_tensor("t", shape, type)
        writer.write_tensor("t", data)
    return kaitai_gguf.open(file.getvalue()).tensors["t"]


# Kinds of arrays


@pytest.mark.filterwarnings("ignore:the matrix subclass")
@pytest.mark.parametrize("byte_order", ["little", "big"])
@pytest.mark.parametrize(
    "array",
    [
        F32.view(np.matrix),
        F32.astype(">f4"),
        np.asfortranarray(F32),
        np.repeat(F32, 2, axis=1)[:, ::2],
        F32[::-1, ::-1].copy()[::-1, ::-1],
        np.broadcast_to(np.float32(1), (2, 3)),
        F32.view(type("Mine", (np.ndarray,), {})),
    ],
    ids=["matrix", "big-endian", "by columns", "every other", "backwards", "broadcast", "a subclass"],
)
def test_an_array_of_any_kind(array: np.ndarray, byte_order: str) -> None:
    for data in (array, [array], iter([array[:1], array[1:]])):
        assert np.array_equal(stored((2, 3), np.float32, data, byte_order=byte_order).data, np.asarray(array))


def test_blocks_as_records() -> None:
    blocks = Q8_0.view(block_dtype(GGMLType.Q8_0))
    for array in (blocks, blocks.view(np.recarray), blocks.astype(block_dtype(GGMLType.Q8_0, "big"))):
        for byte_order in ("little", "big"):
            tensor = stored((2, 64), GGMLType.Q8_0, array, byte_order=byte_order)
            assert tensor.dequantize().tobytes() == kaitai_gguf.dequantize(Q8_0, GGMLType.Q8_0).tobytes()


@pytest.mark.parametrize("data", [np.array(2.5, np.float32), np.float32(2.5), np.array(2.5, ">f4"), [np.float32(2.5)]])
def test_a_single_number(data: Any) -> None:
    for byte_order in ("little", "big"):
        assert stored((), np.float32, data, byte_order=byte_order).data == 2.5


def test_numbers_one_by_one_have_the_byte_order_of_the_file() -> None:
    assert stored((2,), np.float32, [np.float32(1), np.float32(2)], byte_order="big").data.tolist() == [1, 2]
    with pytest.raises(WriteError, match="expected float32 for F32, not int8"):
        stored((2,), np.float32, [np.int8(1)])


@pytest.mark.parametrize("dtype", [object, "f4, f4", "S4", "M8[s]", bool, np.uint8, np.int32, ml_dtypes.float8_e4m3])
def test_arrays_of_something_else(dtype: Any) -> None:
    array = np.zeros((2, 3), dtype)
    for data in (array, [array]):
        with pytest.raises(WriteError, match="tensor 't': expected float32 for F32"):
            stored((2, 3), np.float32, data)


@pytest.mark.parametrize("array", [np.ma.array(F32, mask=F32 > 3), np.ma.array(F32), np.ma.masked], ids=repr)
def test_masked_arrays_are_refused(array: Any) -> None:
    """Masked elements have no defined value, so masked arrays are refused."""
    words = r"tensor 't' is a masked array: array.filled\(value\)"
    for action in (
        lambda: write(io.BytesIO(), {}, {"t": array}),
        lambda: write(io.BytesIO(), {}, {"t": (array, GGMLType.F32)}),
        lambda: stored((2, 3), np.float32, array),
        lambda: stored((2, 3), np.float32, [array]),
        lambda: stored((2, 3), np.float32, iter([F32[:1], array])),
    ):
        with pytest.raises(WriteError, match=words):
            action()


def test_masks_are_filled_as_the_message_says() -> None:
    masked = np.ma.array(F32, mask=F32 > 3)
    assert stored((2, 3), np.float32, masked.filled(0)).data.tolist() == [[0, 1, 2], [3, 0, 0]]


def test_a_text_file_is_refused() -> None:
    with pytest.raises(TypeError, match="tensor 't': expected a binary file, not a text file"):
        stored((2,), np.int8, io.StringIO("ab"))


# Arrays that change


def test_a_shape_that_changes_after_it_was_given() -> None:
    shape, file = [2, 3], io.BytesIO()
    with Writer(file) as writer:
        writer.add_tensor("t", shape, np.float32)
        shape[:] = [50, 50]
        writer.write_tensor("t", F32)
    assert kaitai_gguf.open(file.getvalue()).tensors["t"].data.tolist() == F32.tolist()


def test_an_array_that_changes_its_shape_after_it_was_given() -> None:
    class Later(dict[str, Any]):
        """A mapping that returns a larger array each time."""

        times = 0

        def items(self) -> Any:
            self.times += 1
            return {"t": np.ones(self.times, np.int8)}.items()

    with pytest.raises(WriteError, match=r"tensor 't': the array has shape \(2,\), expected \(1,\)"):
        write(io.BytesIO(), {}, Later())


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


# Shapes and offsets


@pytest.mark.parametrize("shape", [2, "2", b"2", (2.0,), (True,), ("2",), (None,), None, (np.float32(2),)], ids=repr)
def test_shapes_that_are_not_integers(shape: Any) -> None:
    for valid in ((1,), (2,)):  # equal to some of the others
        declared("t", valid, GGMLType.I8, None)
    with pytest.raises(TypeError, match=r"tensor 't': .* must be a"):
        declared("t", shape, GGMLType.I8, None)


@pytest.mark.parametrize("shape", [(np.int64(2), 3), np.array([2, 3]), [2, 3], range(2, 4), {2: "", 3: ""}], ids=repr)
def test_shapes_of_any_integers(shape: Any) -> None:
    assert declared("t", shape, GGMLType.I8, None).shape == (2, 3)


@pytest.mark.parametrize("offset", [32.0, True, "32", np.float64(32)], ids=repr)
def test_offsets_that_are_not_integers(offset: Any) -> None:
    with pytest.raises(TypeError, match="tensor 't': the offset must be an integer"):
        declared("t", (2,), GGMLType.I8, offset)


@pytest.mark.parametrize("offset", [-32, 1 << 63, 1 << 64, 10**400, (1 << 63) - 2])
def test_offsets_that_no_file_has(offset: int) -> None:
    with pytest.raises(WriteError, match=r"tensor 't': .*offset .* (is negative|beyond the end of any file)"):
        declared("t", (2,), GGMLType.I8, offset)


def test_an_offset_of_numpy() -> None:
    offset = declared("t", (2,), GGMLType.I8, np.uint16(32)).offset
    assert (offset, type(offset)) == (32, int)


@pytest.mark.parametrize(
    ("shape", "is_refused"),
    [
        ((1 << 61, 0), True),
        ((0, 1 << 61), True),
        ((0, 1 << 31, 1 << 30), True),
        ((1 << 61,), True),
        ((1 << 60,), False),
        ((1 << 60, 0), False),
        ((1 << 31, 0, 1 << 29), False),
    ],
)
def test_what_is_refused_by_reading_is_refused_by_writing(shape: tuple[int, ...], is_refused: bool) -> None:
    """Even with a dim of 0, impossible dims are refused, and everything that is written can be read."""
    data = Model([], [TensorSpec("t", shape[::-1], GGMLType.F32, 0)]).build()
    words = "elements do not fit in 63 bits"
    with pytest.raises(FormatError, match=words) if is_refused else nullcontext():
        kaitai_gguf.open(data)
    with pytest.raises(WriteError, match=words) if is_refused else nullcontext():
        declared("t", shape, GGMLType.F32, None)


def test_none_is_not_a_type() -> None:
    with pytest.raises(TypeError, match="tensor 't': expected a GGMLType or a dtype, not None"):
        declared("t", (2,), None, None)


# From other files


def test_tensors_of_several_files_over_one_of_them(tmp_path: Any) -> None:
    one, other = tmp_path / "one.gguf", tmp_path / "other.gguf"
    write(one, {"x": 1}, {"a": np.arange(5, dtype=np.int16), "b": F32})
    write(other, {"y": 2}, {"a": Q8_0.view(np.int8), "q": (Q8_0, GGMLType.Q8_0)}, byte_order="big", alignment=64)
    with kaitai_gguf.open(one) as first, kaitai_gguf.open(other) as second:
        tensors = {"b": first.tensors["b"], "q": second.tensors["q"], "a": first.tensors["a"], "c": second.tensors["a"]}
        write(one, first.metadata, tensors)
        with kaitai_gguf.open(one) as both:
            assert list(both.tensors) == ["b", "q", "a", "c"]
            for name, tensor in tensors.items():
                assert np.array_equal(both.tensors[name].dequantize(), tensor.dequantize()), name
            assert dict(both.metadata) == {"x": 1, "general.quantization_version": 2}
    assert sorted(tmp_path.iterdir()) == [one, other]
