"""New files: what is in them, and what is refused."""

import errno
import gc
import io
import os
import subprocess
import sys
import tracemalloc
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import gguf
import ml_dtypes
import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings, strategies as st
from support.about import about
from support.gguf_bytes import CODES, Array, Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import FileError, GGMLType, Typed, ValueType, WriteError, Writer, write

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
GOLDEN = Path(__file__).parents[1] / "data" / "golden"
MORE = sorted(Path(os.environ["KAITAI_GGUF_MODELS"]).glob("*.gguf")) if "KAITAI_GGUF_MODELS" in os.environ else []

by_stem = pytest.mark.parametrize("path", [*MODELS, *MORE], ids=lambda path: path.stem)
both_orders = pytest.mark.parametrize("byte_order", ["little", "big"])


def written(*arguments: Any, **options: Any) -> bytes:
    file = io.BytesIO()
    write(file, *arguments, **options)
    return file.getvalue()


def copied(model: kaitai_gguf.GGUFFile, **options: Any) -> bytes:
    same: dict[str, Any] = {"version": model.version, "byte_order": model.byte_order, "alignment": model.alignment}
    return written(model.metadata, model.tensors, **(same | options))


def typed(type: str, value: Any) -> Any:
    """A value of `Model` as it is given to a writer."""
    if type == "array":
        if value.type == "array":
            return Typed([typed("array", each) for each in value.items], ValueType.ARRAY)
        type, value = value.type, value.items
        if type == "bool":
            value = [bool(each) for each in value]
        return Typed(value, ValueType[type.upper()])
    return Typed(bool(value) if type == "bool" else value, ValueType[type.upper()])


# Round trips


@by_stem
def test_read_and_written_is_the_same_file(path: Path) -> None:
    with kaitai_gguf.open(path, shards=False) as model:
        assert copied(model) == path.read_bytes()


@by_stem
def test_twice_in_the_other_byte_order_is_the_same_file(path: Path) -> None:
    with kaitai_gguf.open(path, shards=False) as model:
        other = copied(model, byte_order="big" if model.byte_order == "little" else "little")
        with kaitai_gguf.open(other) as swapped:
            assert swapped.byte_order != model.byte_order
            assert copied(swapped, byte_order=model.byte_order) == path.read_bytes()


@given(models())
def test_any_file_is_written_as_it_was(model: Model) -> None:
    data = model.build()
    assert copied(kaitai_gguf.open(data)) == data


@given(models(), st.binary(min_size=1, max_size=70))
def test_what_follows_the_last_tensor_stays(model: Model, more: bytes) -> None:
    data = model.build() + more
    assert copied(kaitai_gguf.open(data)) == data


@given(models(), st.data())
def test_a_file_that_is_cut_off_is_written_as_it_was(model: Model, draw: st.DataObject) -> None:
    data = model.build()
    data = data[: draw.draw(st.integers(len(model.header()), len(data)))]
    assert copied(kaitai_gguf.open(data)) == data


def test_padding_that_is_not_zeros_stays() -> None:
    model = Model([("x", "uint8", 1)], [TensorSpec("t", (2,), 24, 0)], b"ab")
    data = bytearray(model.build())
    data[len(model.header())] = 7
    assert copied(kaitai_gguf.open(bytes(data))) == data


def test_a_type_that_is_not_known_is_copied() -> None:
    data = Model([], [TensorSpec("t", (2,), 77, 0)], b"abc").build()
    model = kaitai_gguf.open(data)
    assert copied(model) == data
    with pytest.raises(kaitai_gguf.UnknownTypeError, match="'t'"):
        copied(model, byte_order="big")


def test_a_float_that_is_not_a_number_keeps_its_bits() -> None:
    data = Model([("x", "float32", 1.5), ("y", "array", Array("float32", [1.5]))]).build()
    data = data.replace(b"\0\0\xc0\x3f", b"\1\0\xa0\x7f")  # a signalling NaN
    swapped = copied(kaitai_gguf.open(data), byte_order="big")
    assert swapped.count(b"\x7f\xa0\0\1") == data.count(b"\1\0\xa0\x7f") > 1
    assert copied(kaitai_gguf.open(swapped), byte_order="little") == data


# From nothing


@given(models())
def test_any_metadata_and_tensors(model: Model) -> None:
    """The same bytes as those that are made by hand, but for the gaps, which a writer does not make."""
    tensors, data, end = [], b"", 0
    arrays = {}
    for spec in model.tensors:
        dtype, size = ("<f4", 4) if spec.type_id == 0 else ("i1", 1)
        dtype = dtype.replace("<", ">") if model.byte_order == "big" else dtype
        nbytes = size * int(np.prod(spec.dims, dtype=int))
        raw = model.data[spec.offset : spec.offset + nbytes]
        arrays[spec.name] = np.frombuffer(raw, dtype).reshape(spec.dims[::-1])
        end += -end % model.alignment
        tensors.append(TensorSpec(spec.name, spec.dims, spec.type_id, end))
        data = data.ljust(end, b"\0") + raw
        end += nbytes
    data += bytes(-end % model.alignment)
    expected = Model(model.metadata, tensors, data, model.version, model.byte_order, model.alignment)
    metadata = {key: typed(type, value) for key, type, value in model.metadata}
    found = written(metadata, arrays, version=model.version, byte_order=model.byte_order)
    assert found == (expected.build() if tensors else expected.header())


@settings(max_examples=30, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(models())
def test_gguf_py_reads_what_is_written(tmp_path: Path, model: Model) -> None:
    """As far as it goes: no version 1, no arrays in arrays or without elements, and text that is UTF-8."""
    metadata = {
        key: typed(type, value)
        for key, type, value in model.metadata
        if gguf_py_reads(type, value) and key.isprintable()
    }
    array = np.arange(6, dtype=np.float32).reshape(2, 3)
    path = tmp_path / "model.gguf"
    version = max(model.version, 2)
    write(path, metadata, {"t": array}, version=version, byte_order=model.byte_order, alignment=model.alignment)
    theirs = gguf.GGUFReader(path)
    with kaitai_gguf.open(path) as ours:
        for key in metadata:
            value = ours.metadata[key]
            plain = value.tolist() if isinstance(value, np.ndarray | kaitai_gguf.StringArray) else value
            assert repr(theirs.fields[key].contents()) == repr(plain)
        (tensor,) = theirs.tensors
        assert (tensor.name, tensor.data.tolist()) == ("t", array.tolist())


def gguf_py_reads(type: str, value: Any) -> bool:
    if type == "array":
        return value.type != "array" and len(value.items) > 0 and all(gguf_py_reads(value.type, x) for x in value.items)
    if type == "string":
        try:
            (value if isinstance(value, bytes) else value.encode()).decode()
        except UnicodeError:
            return False
        return True
    return type in CODES


@both_orders
def test_blocks_of_every_type(byte_order: str) -> None:
    types = [type for type in GGMLType if (GOLDEN / f"{type.name}.npz").exists()]
    assert len(types) > 25
    for type in types:
        with about(type.name):
            check_blocks(type, byte_order)


def check_blocks(type: GGMLType, byte_order: str) -> None:
    raw = np.load(GOLDEN / f"{type.name}.npz")["raw"]
    if byte_order == "big":
        raw = kaitai_gguf.byteswap(raw, type)
    shape = np.load(GOLDEN / f"{type.name}.npz")["expected"].shape
    given: Any = (raw, type) if type not in (GGMLType.F16, GGMLType.BF16) else None
    if given is None:
        dtype = np.dtype(np.float16) if type is GGMLType.F16 else np.dtype(ml_dtypes.bfloat16)
        given = np.load(GOLDEN / f"{type.name}.npz")["raw"].view(dtype)
    data = written({}, {"t": given}, byte_order=byte_order)
    tensor = kaitai_gguf.open(data).tensors["t"]
    assert (tensor.type, tensor.shape) == (type, shape)
    assert tensor._stored().tobytes() == raw.tobytes()
    # Blocks that know their byte order, and tensors, are converted.
    for each in (tensor, (tensor.blocks, type)):
        other = written({}, {"t": each}, byte_order="little" if byte_order == "big" else "big")
        assert kaitai_gguf.open(other).tensors["t"].dequantize().tobytes() == tensor.dequantize().tobytes()


@both_orders
@pytest.mark.parametrize("dtype", ["f4", "f8", "f2", "i1", "i2", "i4", "i8"])
def test_arrays_of_any_byte_order_and_layout(dtype: str, byte_order: str) -> None:
    array = np.arange(24).reshape(2, 3, 4).astype(dtype)
    for mine in (array, array.astype(f">{dtype}"), np.asfortranarray(array), array[:, ::-1, ::2], array[0, 0, 0]):
        data = written({}, {"t": mine}, byte_order=byte_order)
        tensor = kaitai_gguf.open(data).tensors["t"]
        assert tensor.shape == mine.shape
        assert np.array_equal(tensor.data, mine)


def test_a_large_array_that_is_not_contiguous() -> None:
    array = np.arange(3 << 20, dtype=np.int8).reshape(3, 1 << 20)
    for mine in (array.T, array[:, ::2], array[::2]):
        assert np.array_equal(kaitai_gguf.open(written({}, {"t": mine})).tensors["t"].data, mine)


def test_key_values_of_an_open_file_among_others() -> None:
    """Arrays keep their types, also as values."""
    source = Model(
        [("n", "array", Array("array", [Array("int8", [1]), Array("string", [b"\xff"])])), ("u", "uint8", 1)]
    )
    with kaitai_gguf.open(source.build()) as model:
        data = written({"n": model.metadata["n"], "s": model.metadata["n"][1]}, {}, byte_order="big")
        with kaitai_gguf.open(data) as other:
            assert other.metadata["n"] == model.metadata["n"]
            assert other.metadata["n"][0].dtype == np.int8
            assert other.metadata["s"].raw(0) == b"\xff"


# One by one


def test_data_of_every_kind(tmp_path: Path) -> None:
    raw = bytes(range(24))
    (tmp_path / "data").write_bytes(b"before" + raw + b"after")
    source = kaitai_gguf.open(written({}, {"x": np.frombuffer(raw, np.int8)}))

    def pieces() -> Iterator[Any]:
        yield raw[:5]
        yield memoryview(raw)[5:5]
        yield bytearray(raw[5:20])
        yield np.frombuffer(raw[20:], np.int8)

    with (tmp_path / "data").open("rb") as file:
        file.seek(6)
        given = [
            raw,
            memoryview(raw),
            memoryview(raw[::-1])[::-1],
            np.frombuffer(raw, np.int8),
            source.tensors["x"],
            file,
            pieces(),
            [raw],
        ]
        path = tmp_path / "model.gguf"
        with Writer(path) as writer:
            for number in range(len(given)):
                writer.add_tensor(f"t{number}", (24,), GGMLType.I8)
            for number, data in enumerate(given):
                writer.write_tensor(f"t{number}", data)
        assert file.tell() == 30
    with kaitai_gguf.open(path) as model:
        assert [tensor.data.tobytes() for tensor in model.tensors.values()] == [raw] * len(given)


def test_no_more_than_one_piece_is_held() -> None:
    alive = 0

    class Piece(bytes):
        def __del__(self) -> None:
            nonlocal alive
            alive -= 1

    def pieces() -> Iterator[bytes]:
        nonlocal alive
        for _ in range(20):
            alive += 1
            assert alive <= 2
            yield Piece(8)

    class Nowhere(io.RawIOBase):
        def write(self, data: Any) -> int:
            return len(data)

    with Writer(Nowhere()) as writer:
        writer.add_tensor("t", (160,), GGMLType.I8)
        writer.write_tensor("t", pieces())


def test_offsets_may_leave_gaps() -> None:
    file = io.BytesIO()
    with Writer(file) as writer:
        writer.add_tensor("a", (2,), np.int8)
        writer.add_tensor("b", (2,), np.int8, offset=128)
        writer.write_tensor("a", b"ab")
        writer.write_tensor("b", b"cd")
    tensors = kaitai_gguf.open(file.getvalue()).tensors
    assert [(tensor.offset, tensor.data.tobytes()) for tensor in tensors.values()] == [(0, b"ab"), (128, b"cd")]


def test_tensors_after_those_of_another_file() -> None:
    with kaitai_gguf.open(MODELS[0].parent / "tiny-be.gguf") as model:
        file = io.BytesIO()
        with Writer(file, byte_order="big") as writer:
            writer.metadata.update(model.metadata)
            writer.copy_tensors(model.tensors)
            writer.add_tensor("more", (3,), np.float32)
            writer.write_tensor("more", np.ones(3, np.float32))
        with kaitai_gguf.open(file.getvalue()) as both:
            assert list(both.tensors) == [*model.tensors, "more"]
            assert both.tensors["more"].data.tolist() == [1, 1, 1]
            for name, tensor in model.tensors.items():
                assert both.tensors[name].data.tobytes() == tensor.data.tobytes()


def test_alignment() -> None:
    array = np.ones(3, np.int8)
    with kaitai_gguf.open(written({"x": 1}, {"a": array, "b": array}, alignment=64)) as model:
        assert list(model.metadata) == ["x", "general.alignment"]
        assert (model.alignment, model.tensors["b"].offset, model.nbytes % 64) == (64, 64, 0)
    with kaitai_gguf.open(written({"general.alignment": 8, "x": 1}, {"a": array, "b": array})) as model:
        assert (list(model.metadata), model.tensors["b"].offset) == (["general.alignment", "x"], 8)
    with kaitai_gguf.open(written({}, {"a": array}, alignment=32)) as model:
        assert list(model.metadata) == []


def test_offsets_of_an_open_file_are_kept_if_they_can_be() -> None:
    model = kaitai_gguf.open(written({}, {"a": np.ones(3, np.int8), "b": np.ones(3, np.int8)}))
    assert kaitai_gguf.open(written({}, model.tensors, alignment=8)).tensors["b"].offset == 32
    assert kaitai_gguf.open(written({}, model.tensors, alignment=64)).tensors["b"].offset == 64


def test_progress() -> None:
    done: list[int] = []
    written({"x": "long" * 100}, {"a": np.ones(100, np.int8), "b": np.ones((2, 5))}, progress=done.append)
    assert sum(done) == 180


# What is refused


def declare(*tensors: tuple[Any, ...], **options: Any) -> Writer:
    writer = Writer(io.BytesIO(), **options)
    for tensor in tensors:
        writer.add_tensor(*tensor)
    return writer


@pytest.mark.parametrize(
    ("tensor", "words"),
    [
        (("", (1,), np.int8), "the name of a tensor must not be empty"),
        (("\ud800", (1,), np.int8), "surrogate"),
        (("a", (1,), np.int8), "tensor 'a' is there twice"),
        (("t", (1, 1, 1, 1, 1), np.int8), "tensor 't': 5 dims are more than 4"),
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
    with pytest.raises(WriteError, match="version 1 has 32 bits for a dim"):
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
        (32, "'b': its data overlaps the data of tensor 'a', which ends at offset 33"),
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
    with pytest.raises(WriteError, match="tensor 'b': offset 0 is before the end of the last, 97"):
        writer.write_tensor("a", bytes(33))


def test_a_file_that_is_too_large() -> None:
    writer = declare(("a", (2**62,), np.int8), ("b", (2**62,), np.int8))
    with pytest.raises(WriteError, match=f"tensor 'b': its data ends at offset {2**63}, beyond the end of any file"):
        writer.write_tensor("a", b"")


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (bytes(7), "7 bytes were given, and it has 24"),
        (np.zeros((3, 2), np.float32), r"the array has shape \(3, 2\), expected \(2, 3\)"),
        (np.zeros((2, 3), np.float64), "F32 is float32, and float64 was given"),
        (np.zeros((2, 12), np.uint8), "F32 is float32, and uint8 was given"),
        (io.BytesIO(bytes(23)), "the data ends after 23 of 24 bytes"),
        ([bytes(20), bytes(3)], "the data ends after 23 of 24 bytes"),
        ([bytes(20), bytes(5)], "there is more data than its 24 bytes"),
        ([np.zeros(6)], "F32 is float32, and float64 was given"),
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
        writer.write_tensor("t", b"abc")  # nothing of which is written yet
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
        (np.zeros((2, 32), np.float32), "Q4_0 is rows of blocks as uint8, and float32 was given"),
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
    with pytest.raises(WriteError, match="tensor 'b' was declared, and its data is not there"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


def test_nothing_is_declared_after_the_first_data() -> None:
    writer = declare(("a", (1,), np.int8))
    writer.write_tensor("a", b"x")
    with pytest.raises(WriteError, match="before the first data"):
        writer.add_tensor("b", (1,), np.int8)
    with pytest.raises(WriteError, match="before the first data"):
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
        ("64", {}, "general.alignment is of type string, expected uint32"),
    ],
)
def test_metadata_that_say_another_alignment(value: Any, options: dict[str, int], words: str) -> None:
    with pytest.raises(WriteError, match=words):
        written({"general.alignment": value}, {}, **options)


def test_options_that_can_not_be() -> None:
    with pytest.raises(WriteError, match="no version 4"):
        declare(version=4)
    with pytest.raises(TypeError, match="byte_order"):
        declare(byte_order="middle")


@pytest.mark.parametrize(
    ("tensor", "error"),
    [
        ([1.0], TypeError),
        ((np.ones(3),), TypeError),
        (np.ones(3, np.uint8), TypeError),
        ((np.ones(3, np.uint8), GGMLType.Q4_0), WriteError),
        ((np.ones(3, np.float32), GGMLType.F16), WriteError),
    ],
)
def test_what_is_no_tensor(tensor: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="'t'"):
        written({}, {"t": tensor})


# Files


def test_a_file_is_replaced_when_the_new_one_is_complete(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {"x": 1}, {})
    before = path.read_bytes()
    with pytest.raises(ZeroDivisionError), Writer(path) as writer:  # noqa: PT012
        writer.add_tensor("t", (1 << 20,), np.int8)
        writer.write_tensor("t", bytes(1 << 20))
        assert path.read_bytes() == before
        _ = 1 / 0
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    write(path, {"x": 2}, {})
    assert kaitai_gguf.open(path).metadata["x"] == 2


def test_a_file_is_not_overwritten_if_it_should_not_be(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")
    with pytest.raises(FileError, match="already exists") as caught:
        write(path, {}, {}, overwrite=False)
    assert caught.value.errno == errno.EEXIST
    assert path.read_bytes() == b"mine"


def test_a_model_over_itself(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    write(path, {"x": 1}, {"t": np.arange(10)})
    with kaitai_gguf.open(path) as model:
        write(path, {**model.metadata, "y": 2}, model.tensors)
        with kaitai_gguf.open(path) as other:
            assert other.metadata["y"] == 2
            assert np.array_equal(other.tensors["t"].data, np.arange(10))


def test_a_link_stays_one(tmp_path: Path) -> None:
    path, link = tmp_path / "model.gguf", tmp_path / "link.gguf"
    path.write_bytes(b"mine")
    link.symlink_to(path)
    write(link, {"x": 1}, {})
    assert link.is_symlink()
    assert kaitai_gguf.open(path).metadata["x"] == 1


def test_a_disk_that_is_full(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.gguf"
    writer = Writer(path)
    writer.add_tensor("t", (1 << 20,), np.int8)

    def full(_: Any) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(writer._sink, "_file", type("Full", (), {"write": staticmethod(full)})())
    with pytest.raises(FileError, match="No space left") as caught:
        writer.write_tensor("t", bytes(1 << 20))
    assert caught.value.filename == str(path)
    with pytest.raises(WriteError, match="closed"):
        writer.write_tensor("t", bytes(1 << 20))
    writer.close()
    assert list(tmp_path.iterdir()) == []


def forgotten(path: Path) -> None:
    """What a program does that never closes its writer."""
    writer = Writer(path)
    writer.add_tensor("t", (4,), np.int8)
    writer.write_tensor("t", b"abcd")
    del writer
    gc.collect()


def test_a_writer_that_nobody_closes(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")
    with pytest.warns(ResourceWarning, match="unclosed Writer of .*model.gguf: nothing was written"):
        forgotten(path)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"mine", [path])


def test_a_writer_that_a_program_ends_with(tmp_path: Path) -> None:
    code = f"import kaitai_gguf, sys; sys.modules['keep'] = kaitai_gguf.Writer({str(tmp_path / 'x')!r})"
    done = subprocess.run([sys.executable, "-Wall", "-c", code], capture_output=True, text=True, check=True)
    assert "ResourceWarning: unclosed Writer of " in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_writer_whose_process_forks(tmp_path: Path) -> None:
    """A child that ends leaves the file to its parent."""
    code = (
        "import kaitai_gguf, os, sys\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    if os.fork() == 0:\n"
        "        del writer\n"
        "        sys.modules['keep'] = None\n"
        "        import atexit; atexit._run_exitfuncs()\n"
        "        os._exit(0)\n"
        "    assert os.wait()[1] == 0\n"
    )
    subprocess.run([sys.executable, "-Werror", "-c", code], check=True, timeout=60)
    assert kaitai_gguf.open(tmp_path / "x").version == 3


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
@pytest.mark.parametrize("leave", ["sys.exit()", "writer.abort()", "os._exit(0)", "del writer; gc.collect()"])
def test_a_fork_that_leaves_the_block_of_a_writer(tmp_path: Path, leave: str) -> None:
    """Neither the child's buffer, nor its clearing up, gets into the file."""
    code = (
        "import gc, kaitai_gguf, numpy as np, os, sys\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    writer.metadata['a'] = 'b'\n"
        "    for name in 'xy':\n"
        "        writer.add_tensor(name, (4,), np.int8)\n"
        "    writer.write_tensor('x', np.arange(4, dtype=np.int8))\n"
        "    if os.fork() == 0:\n"
        f"        {leave}\n"
        "        os._exit(0)\n"
        "    assert os.wait()[1] == 0\n"
        "    writer.write_tensor('y', np.arange(4, dtype=np.int8))\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    kaitai_gguf.write(tmp_path / "y", {"a": "b"}, dict.fromkeys("xy", np.arange(4, dtype=np.int8)))
    assert (tmp_path / "x").read_bytes() == (tmp_path / "y").read_bytes()
    assert len(list(tmp_path.iterdir())) == 2


@pytest.mark.skipif(not hasattr(os, "fork"), reason="the system has no fork")
def test_a_fork_can_not_complete_a_file(tmp_path: Path) -> None:
    code = (
        "import kaitai_gguf, os\n"
        f"with kaitai_gguf.Writer({str(tmp_path / 'x')!r}) as writer:\n"
        "    if os.fork() == 0:\n"
        "        try:\n"
        "            writer.close()\n"
        "        except kaitai_gguf.FileError as error:\n"
        "            os._exit(7 if 'the process that began it' in str(error) else 1)\n"
        "    assert os.waitstatus_to_exitcode(os.wait()[1]) == 7\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    assert kaitai_gguf.open(tmp_path / "x").version == 3


def test_a_writer_that_is_closed_or_given_up_is_not_forgotten(tmp_path: Path) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with Writer(tmp_path / "a"):
            pass
        Writer(tmp_path / "b").abort()
        with pytest.raises(ZeroDivisionError), Writer(tmp_path / "c"):
            _ = 1 / 0
        gc.collect()
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_a_writer_that_can_not_begin_leaves_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "model.gguf"
    path.write_bytes(b"mine")

    def fail(*_: object) -> None:
        raise OSError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(kaitai_gguf.writing.atomic, "_take_over", fail)
    with pytest.raises(FileError, match="Operation not permitted"):
        Writer(path)
    assert (path.read_bytes(), list(tmp_path.iterdir())) == (b"mine", [path])


@pytest.mark.parametrize("target", [5, None, io.StringIO(), b"path"], ids=["number", "none", "text", "bytes"])
def test_what_is_not_a_target(target: Any) -> None:
    with pytest.raises(TypeError, match="target must be a path or a binary file object"):
        Writer(target)


# Padding


def test_an_alignment_that_makes_a_large_file_of_a_small_one(tmp_path: Path) -> None:
    array, path = np.ones(3, np.int8), tmp_path / "model.gguf"
    words = r"alignment 2147483648 and offsets would add 4294967\d+ bytes of padding to \d+ bytes of header and data"
    for action in (
        lambda: write(path, {}, {"t": array}, alignment=1 << 31),
        lambda: write(path, {"general.alignment": 1 << 31}, {"t": array}),
        lambda: write(io.BytesIO(), {}, {"t": array}, alignment=1 << 31),
    ):
        with pytest.raises(WriteError, match=words):
            action()
    assert list(tmp_path.iterdir()) == []


def test_padding_that_is_wanted(tmp_path: Path) -> None:
    path = tmp_path / "model.gguf"
    tracemalloc.start()
    write(path, {}, {"t": np.ones(3, np.int8)}, alignment=1 << 28, allow_padding=True)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 8 << 20
    assert path.stat().st_size == 1 << 29
    if hasattr(path.stat(), "st_blocks"):
        assert path.stat().st_blocks * 512 < 1 << 20
    with kaitai_gguf.open(path) as model:
        assert (model.alignment, model.data_offset) == (1 << 28, 1 << 28)
        assert model.tensors["t"].data.tolist() == [1, 1, 1]


@pytest.mark.parametrize("tensors", [2, 60])
def test_alignments_of_pages_are_not_refused(tensors: int, tmp_path: Path) -> None:
    arrays = {f"t{number}": np.ones(3, np.int8) for number in range(tensors)}
    write(tmp_path / "model.gguf", {}, arrays, alignment=1 << 20)
    assert kaitai_gguf.open(tmp_path / "model.gguf").nbytes == (tensors + 1) << 20


def test_a_gap_that_is_too_large() -> None:
    writer = declare(("a", (1,), np.int8))
    writer.add_tensor("b", (1,), np.int8, offset=1 << 40)
    with pytest.raises(WriteError, match="would add 10995116278"):
        writer.write_tensor("a", b"x")


def test_padding_after_another_header() -> None:
    """The same padding in the file, or less than it: a model of another version gets nothing that it did not have."""
    header = Model([("general.alignment", "uint32", 1 << 31)]).header()
    for data in (header, header + b"\0"):
        model = kaitai_gguf.open(data)
        assert copied(model) == data
    with pytest.raises(WriteError, match="would add 214748"):
        copied(model, version=1)
    with pytest.raises(WriteError, match="would add 214748"):
        written({**model.metadata, "x": 1}, model.tensors)


@pytest.mark.parametrize(("name", "is_kept"), [("four", True), ("three", False)])
def test_padding_that_is_not_zeros_is_kept_where_it_has_the_same_size(name: str, is_kept: bool) -> None:
    """Version 1 takes 4 bytes less for each length: 8 of them are a whole step of the alignment."""
    rows = [(name + str(number), "uint8", 1) for number in range(4 if is_kept else 3)]
    model = Model(rows, [TensorSpec("t", (2,), 24, 0)], b"ab")
    assert ((2 + len(rows) + 2) * 4 % 32 == 0) == is_kept
    data = bytearray(model.build())
    data[len(model.header())] = 7
    one = copied(kaitai_gguf.open(bytes(data)), version=1)
    back = copied(kaitai_gguf.open(one), version=3)
    assert back == (data if is_kept else model.build())


# Names and numbers


def test_a_name_in_another_spelling() -> None:
    """The bytes of a name are the same whether they come as text or as bytes that are not yet decoded."""
    spelling = "é".encode().decode("ascii", "surrogateescape")
    data = written({}, {spelling: np.ones(2, np.int8)})
    assert data == written({}, {"é": np.ones(2, np.int8)})
    assert list(kaitai_gguf.open(data).tensors) == ["é"]
    with pytest.raises(WriteError, match="is there twice"):
        declare(("é", (1,), np.int8), (spelling, (1,), np.int8))


def test_an_alignment_of_numpy() -> None:
    model = kaitai_gguf.open(written({}, {"t": np.ones(3, np.int8)}, alignment=np.int64(64)))
    assert model.metadata.entry("general.alignment").value_type is ValueType.UINT32
    assert model.alignment == 64
    for alignment in (64.0, True, "64"):
        with pytest.raises(TypeError):
            declare(alignment=alignment)


def test_an_alignment_that_changes_after_it_was_given() -> None:
    alignment, file = np.array(64, np.uint32), io.BytesIO()
    with Writer(file) as writer:
        writer.metadata["general.alignment"] = alignment
        alignment[...] = 8
        writer.add_tensor("t", (1,), np.int8)
        writer.write_tensor("t", b"x")
    model = kaitai_gguf.open(file.getvalue())
    assert (model.alignment, model.data_offset, model.tensors["t"].data.tobytes()) == (64, 128, b"x")


@pytest.mark.parametrize("type_id", [0, 77])
def test_version_1_has_short_dims_also_for_tensors_of_a_file(type_id: int) -> None:
    model = kaitai_gguf.open(Model([], [TensorSpec("t", (1 << 32, 0), type_id, 0)]).build())
    with pytest.raises(WriteError, match="tensor 't': version 1 has 32 bits for a dim, too few for 4294967296"):
        copied(model, version=1)
