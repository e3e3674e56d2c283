"""What a writer refuses: wrong tensors, offsets, data, order of calls, and options."""

import io
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import kaitai_gguf
from kaitai_gguf import FileError, GGMLType, Typed, ValueType, WriteError, Writer
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


def test_version_1_has_short_dims() -> None:
    declare(("t", (2**32,), np.int8))
    with pytest.raises(WriteError, match="does not fit in the 32 bits of version 1"):
        declare(("t", (2**32,), np.int8), version=1)


@pytest.mark.parametrize("type", [4, 31, 77, -1])
def test_types_that_are_not_known(type: int) -> None:
    with pytest.raises(kaitai_gguf.UnknownTypeError, match="'t'"):
        declare(("t", (1,), type))


@pytest.mark.parametrize("type", [np.uint8, np.complex64, "U3", bool])
def test_dtypes_that_ggml_does_not_have(type: Any) -> None:
    with pytest.raises(TypeError, match="'t'"):
        declare(("t", (1,), type))


@pytest.mark.parametrize(
    ("offset", "words"),
    [
        (33, "'b': offset 33 is not a multiple of the alignment 32"),
        (32, "'b': offset 32 is before 33, where the data of the previous tensor ends"),
    ],
)
def test_offsets_that_can_not_be(offset: int, words: str) -> None:
    writer = declare(("a", (33,), np.int8))
    writer.add_tensor("b", (1,), np.int8, offset=offset)
    with pytest.raises(WriteError, match=words):
        writer.write_tensor("a", bytes(33))


def test_offsets_come_in_the_order_of_the_tensors() -> None:
    writer = declare()
    writer.add_tensor("a", (33,), np.int8, offset=64)
    writer.add_tensor("b", (1,), np.int8, offset=0)
    with pytest.raises(WriteError, match="tensor 'b': offset 0 is before 97"):
        writer.write_tensor("a", bytes(33))


def test_a_file_that_is_too_large() -> None:
    writer = declare(("a", (2**62,), np.int8), ("b", (2**62,), np.int8))
    with pytest.raises(WriteError, match=f"tensor 'b': its data ends at offset {2**63}, beyond the end of any file"):
        writer.write_tensor("a", b"")


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


def test_a_tensor_that_is_forgotten(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "model.gguf")
    writer.add_tensor("a", (1,), np.int8)
    writer.add_tensor("b", (1,), np.int8)
    writer.write_tensor("a", b"x")
    with pytest.raises(WriteError, match="tensor 'b' was declared, but its data was not written"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


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


@pytest.mark.parametrize("alignment", [0, 3, -32, 2**32])
def test_alignments_that_can_not_be(alignment: int) -> None:
    with pytest.raises(WriteError, match=f"alignment is {alignment}, expected a power of two"):
        declare(alignment=alignment)


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


def test_options_that_can_not_be() -> None:
    with pytest.raises(WriteError, match="version must be 1, 2 or 3, not 4"):
        declare(version=4)
    with pytest.raises(ValueError, match="byte_order must be 'little' or 'big', not 'middle'"):
        declare(byte_order="middle")
    with pytest.raises(TypeError, match="byte_order must be 'little' or 'big', not 1"):
        declare(byte_order=1)


def test_arguments_of_write_that_are_not_mappings(tmp_path: Path) -> None:
    for wrong in (None, "abc", 5):
        with pytest.raises(TypeError, match="metadata must be a mapping, from keys to values, not"):
            kaitai_gguf.write(tmp_path / "x", wrong, {})  # type: ignore[arg-type]
    assert list(tmp_path.iterdir()) == []


def test_the_root_is_not_a_file_to_write(tmp_path: Path) -> None:
    root = Path(tmp_path.anchor)
    with pytest.raises(FileError, match="is not a regular file, and can't be overwritten"):
        kaitai_gguf.write(root, {}, {})
    kaitai_gguf.write(tmp_path / "x", {"a": 1}, {})
    with kaitai_gguf.edit(tmp_path / "x") as editor, pytest.raises(FileError, match="already exists"):
        editor.commit(root)


@pytest.mark.parametrize(
    ("tensor", "error"),
    [
        ([1.0], TypeError),
        ((np.ones(3),), TypeError),
        (np.ones(3, np.uint8), TypeError),
        ((np.ones(3, np.uint8), GGMLType.Q4_0), WriteError),
        ((np.ones(3, np.float32), GGMLType.Q4_0), WriteError),
        ((np.ones(3, np.float32), GGMLType.I8), WriteError),
        ((np.ones(3, np.float32), "F17"), kaitai_gguf.UnknownTypeError),
    ],
)
def test_what_is_no_tensor(tensor: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="'t'"):
        written({}, {"t": tensor})
