"""What a writer refuses: wrong tensors, offsets, data, order of calls, and options."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import GGMLType, Typed, ValueType, WriteError, Writer
from writing.build import declare, written


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (("", (1,), np.int8), "the name of a tensor must not be empty"),
        (("\ud800", (1,), np.int8), r"the name of a tensor '\\ud800' has an unpaired surrogate"),
        (("a", (1,), np.int8), "tensor 'a' is duplicated"),
        (("t", (1, 1, 1, 1, 1), np.int8), "tensor 't': it has 5 dims, expected at most 4"),
        (("t", (-1,), np.int8), r"tensor 't': the shape \(-1,\) has a negative number"),
        (("t", (2, 33), GGMLType.Q4_0), "tensor 't': row length 33 is not a multiple of the Q4_0 block size 32"),
        (("t", (), GGMLType.Q4_0), "row length 1 is not a multiple of the Q4_0 block size 32"),
        (("t", (2**62, 2), np.int8), "elements do not fit in 63 bits"),
        (("t", (0, 2**63), np.int8), "elements do not fit in 63 bits"),
        (("t", (2**61,), np.float32), "elements do not fit in 63 bits"),
    ],
)
def test_tensors_that_can_not_be(tensor: tuple[Any, ...], words: str) -> None:
    with pytest.raises(WriteError, match=words):
        declare(("a", (1,), np.int8), tensor)


@pytest.mark.parametrize(
    ("shapes", "offsets", "words"),
    [
        ([33, 1], [None, 33], "'b': offset 33 is not a multiple of the alignment 32"),
        ([33, 1], [None, 32], "'b': offset 32 is before 33, where the data of the previous tensor ends"),
        ([33, 1], [64, 0], "'b': offset 0 is before 97"),
        ([2**62, 2**62], [None, None], f"'b': its data ends at offset {2**63}, beyond the end of any file"),
        ([2**63 - 33], [None], f"'a': its data ends at offset {2**63 - 33}, beyond the end of any file"),
        ([1, 1], [None, 1 << 40], "would add 10995116278"),
    ],
)
def test_offsets_that_can_not_be(shapes: list[int], offsets: list[int | None], words: str) -> None:
    writer = declare()
    for name, shape, offset in zip("ab", shapes, offsets, strict=False):
        writer.add_tensor(name, (shape,), np.int8, offset=offset)
    with pytest.raises(WriteError, match=words):
        writer.write_tensor("a", bytes(33))


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes(7), "7 bytes were given, expected 24"),
        (np.zeros((3, 2), np.float32), r"the array has shape \(3, 2\), expected \(2, 3\)"),
        (np.zeros((2, 3), np.int64), "expected float32 for F32, not int64"),
        (np.zeros((2, 12), np.uint8), "expected float32 for F32, not uint8"),
        (io.BytesIO(bytes(23)), "the data ends after 23 of 24 bytes"),
        ([bytes(20), bytes(3)], "the data ends after 23 of 24 bytes"),
        ([bytes(20), bytes(5)], "more data was given than its 24 bytes"),
        ([np.zeros(6, np.int64)], "expected float32 for F32, not int64"),
        ([np.zeros(7)], "more data was given than its 24 bytes"),
    ],
)
def test_data_of_another_size_or_type(data: Any, words: str) -> None:
    writer = declare(("t", (2, 3), GGMLType.F32))
    with pytest.raises(WriteError, match=f"tensor 't': {words}"):
        writer.write_tensor("t", data)
    with pytest.raises(WriteError, match="'t'"):
        writer.close()


def test_half_a_tensor_is_not_begun_again(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "model.gguf")
    writer.add_tensor("t", (4,), np.int8)
    with pytest.raises(WriteError, match="3 bytes were given"):
        writer.write_tensor("t", b"abc")  # none of it is written
    with pytest.raises(WriteError, match="ends after 3 of 4 bytes"):
        writer.write_tensor("t", [b"abc"])
    with pytest.raises(WriteError, match="tensor 't' is half written"):
        writer.write_tensor("t", b"abcd")
    with pytest.raises(WriteError, match="'t'"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (np.zeros((2, 17), np.uint8), r"shape \(2, 17\), expected \(2, 18\)"),
        (np.zeros((2, 32), np.int8), "expected floats or rows of blocks as uint8 for Q4_0, not int8"),
        (np.zeros((2, 18), np.float32), r"shape \(2, 18\), expected \(2, 32\)"),
    ],
)
def test_blocks_of_another_size_or_type(data: Any, words: str) -> None:
    with pytest.raises(WriteError, match=words):
        declare(("t", (2, 32), GGMLType.Q4_0)).write_tensor("t", data)


def test_a_tensor_of_another_type_or_shape() -> None:
    tensor = kaitai_gguf.open(written({}, {"x": np.ones((2, 3), np.float32)})).tensors["x"]
    with pytest.raises(WriteError, match=r"tensor 't' is F32 \(3, 2\), and was given F32 \(2, 3\)"):
        declare(("t", (3, 2), GGMLType.F32)).write_tensor("t", tensor)


@pytest.mark.parametrize("data", [None, 5, "text", ["text"], [None]])
def test_what_is_no_data(data: Any) -> None:
    with pytest.raises(TypeError, match="'t'"):
        declare(("t", (4,), np.int8)).write_tensor("t", data)


def test_the_order_of_tensors() -> None:
    writer = declare(("a", (1,), np.int8), ("b", (1,), np.int8))
    with pytest.raises(WriteError, match="tensor 'b' is out of order: tensor 'a' comes next"):
        writer.write_tensor("b", b"x")
    with pytest.raises(WriteError, match="tensor 'c' was not declared"):
        writer.write_tensor("c", b"x")
    writer.write_tensor("a", b"x")
    with pytest.raises(WriteError, match="tensor 'a' is out of order: tensor 'b' comes next"):
        writer.write_tensor("a", b"x")
    writer.write_tensor("b", b"x")
    with pytest.raises(WriteError, match="tensor 'b' is out of order: all data is written"):
        writer.write_tensor("b", b"x")


def test_nothing_is_declared_after_the_first_data() -> None:
    writer = declare(("a", (1,), np.int8))
    writer.write_tensor("a", b"x")
    with pytest.raises(WriteError, match="before the first data"):
        writer.add_tensor("b", (1,), np.int8)
    with pytest.raises(WriteError, match="once tensor data has been written"):
        writer.metadata["x"] = 1
    writer.close()
    with pytest.raises(WriteError, match="closed"):
        writer.add_tensor("b", (1,), np.int8)
    with pytest.raises(WriteError, match="closed"):
        writer.write_tensor("a", b"x")


@pytest.mark.parametrize(
    ("value", "options", "words"),
    [
        (64, {"alignment": 32}, "'general.alignment' is 64, but the alignment asked for is 32"),
        (48, {}, "general.alignment is 48, expected a power of two"),
        (0, {}, "general.alignment is 0, expected a power of two"),
        (Typed(64, ValueType.UINT64), {}, "general.alignment is of type uint64, expected uint32"),
        (Typed("64", "string"), {}, "general.alignment is of type string, expected uint32"),
    ],
)
def test_metadata_that_say_another_alignment(value: Any, options: dict[str, int], words: str) -> None:
    with pytest.raises(WriteError, match=words):
        written({"general.alignment": value}, {}, **options)


@pytest.mark.parametrize(
    ("options", "error", "words"),
    [
        ({"version": 4}, WriteError, "version must be 1, 2 or 3, not 4"),
        ({"version": True}, WriteError, "version must be 1, 2 or 3, not True"),
        ({"byte_order": "middle"}, ValueError, "byte_order must be 'little' or 'big', not 'middle'"),
        ({"byte_order": 1}, TypeError, "byte_order must be 'little' or 'big', not 1"),
        ({"alignment": 0}, WriteError, "alignment is 0, expected a power of two"),
        ({"alignment": 48}, WriteError, "alignment is 48, expected a power of two"),
        ({"alignment": 2**32}, WriteError, "alignment is 4294967296, expected a power of two"),
        ({"alignment": True}, TypeError, "alignment must be an integer"),
        ({"alignment": 64.0}, TypeError, "alignment must be an integer"),
    ],
)
def test_options_that_can_not_be(options: dict[str, Any], error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        declare(**options)


@pytest.mark.parametrize(
    ("metadata", "tensors", "words"),
    [
        (None, {}, "metadata must be a mapping, from keys to values, not"),
        ({}, [], "tensors must be a mapping, from names to data, not"),
        ({}, {"t": [1.0]}, "tensor 't': expected an array, a Tensor, or a pair of array and type"),
        ({}, {"t": (np.ones(3),)}, "tensor 't': expected an array, a Tensor, or a pair of array and type"),
        ({}, {1: np.ones(3)}, "the name of a tensor must be a str"),
    ],
)
def test_arguments_of_write_that_can_not_be(metadata: Any, tensors: Any, words: str, tmp_path: Path) -> None:
    with pytest.raises(TypeError, match=words):
        kaitai_gguf.write(tmp_path / "x", metadata, tensors)
    assert list(tmp_path.iterdir()) == []


def test_rows_that_are_not_whole_blocks() -> None:
    for data, words in ((np.ones((2, 20), np.uint8), "20 bytes of a row"), (np.ones((2, 33)), "row length 33")):
        with pytest.raises(WriteError, match=f"tensor 't': {words} (is|are) not a multiple of the Q4_0 block size"):
            written({}, {"t": (data, "Q4_0")})
    with pytest.raises(WriteError, match="row length 1 is not a multiple of the Q4_0 block size"):
        written({}, {"t": (np.uint8(1), "Q4_0")})
