"""Writers: what they write, in which order they take it, and what they refuse."""

import io
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from support.gguf_bytes import Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import GGMLType, Typed, ValueType, WriteError, Writer, write
from writing.build import copied, declare, written

MODELS = Path(__file__).parents[1] / "data" / "models"


def typed(type: str, value: Any) -> Any:
    """Convert a value of `Model` to one for a writer."""
    if type == "array":
        if value.type == "array":
            return Typed([typed("array", each) for each in value.items], ValueType.ARRAY)
        type, value = value.type, value.items
        return Typed([bool(each) for each in value] if type == "bool" else value, type)
    return Typed(bool(value) if type == "bool" else value, type)


@given(models())
def test_any_metadata_and_tensors(model: Model) -> None:
    """A writer gives the same bytes as `Model`, except for gaps, which it does not write."""
    tensors, data, end = [], b"", 0
    arrays = {}
    for spec in model.tensors:
        dtype = np.dtype("f4" if spec.type_id == 0 else "i1").newbyteorder("<" if model.byte_order == "little" else ">")
        nbytes = dtype.itemsize * int(np.prod(spec.dims, dtype=int))
        raw = model.data[spec.offset : spec.offset + nbytes]
        arrays[spec.name] = np.frombuffer(raw, dtype).reshape(spec.dims[::-1])
        end += -end % model.alignment
        tensors.append(TensorSpec(spec.name, spec.dims, spec.type_id, end))
        data = data.ljust(end, b"\0") + raw
        end += nbytes
    data += bytes(-end % model.alignment)
    expected = Model(model.metadata, tensors, data, model.version, model.byte_order, model.alignment)
    metadata = {key: typed(type, value) for key, type, value in model.metadata}
    result = written(metadata, arrays, version=model.version, byte_order=model.byte_order)
    assert result == (expected.build() if tensors else expected.header())


def test_data_of_every_kind(tmp_path: Path) -> None:
    raw = bytes(range(24))
    (tmp_path / "data").write_bytes(b"before" + raw + b"after")
    source = kaitai_gguf.open(written({}, {"x": np.frombuffer(raw, np.int8)}))
    chunks = raw[:5], memoryview(raw)[5:5], bytearray(raw[5:20]), np.frombuffer(raw[20:], np.int8)
    with (tmp_path / "data").open("rb") as file:
        file.seek(6)
        given = [
            raw,
            memoryview(raw[::-1])[::-1],
            np.frombuffer(raw, np.int8),
            source.tensors["x"],
            file,
            iter(chunks),
            [raw],
        ]
        path = tmp_path / "model.gguf"
        with Writer(path) as writer:
            for number in range(len(given)):
                writer.add_tensor(f"t{number}", (24,), GGMLType.I8, offset=number * 64 if number % 2 else None)
            for number, data in enumerate(given):
                writer.write_tensor(f"t{number}", data)
        assert file.tell() == 30
    with kaitai_gguf.open(path) as model:
        assert [tensor.data.tobytes() for tensor in model.tensors.values()] == [raw] * len(given)
        assert [tensor.offset for tensor in model.tensors.values()] == [0, 64, 96, 192, 224, 320, 352]


def test_a_writer_shows_how_far_it_is() -> None:
    with Writer(io.BytesIO()) as writer:
        writer.metadata["x"] = 1
        writer.add_tensor("a", (2,), "I8")
        assert repr(writer) == "<Writer to a file object v3, 1 keys, 1 tensors>"
        assert repr(writer.metadata) == "<1 keys: 'x'>"
        writer.write_tensor("a", b"ab")
        assert repr(writer) == "<Writer to a file object v3, 1 keys, 1 tensors, 1 written>"
    assert repr(writer) == "<Writer to a file object v3, 1 keys, 1 tensors, 1 written, closed>"


# The header


def test_asking_for_the_header_changes_nothing() -> None:
    files = io.BytesIO(), io.BytesIO()
    for file in files:
        with Writer(file, alignment=64) as writer:
            writer.add_tensor("a", (1,), "F32")
            for key, value in (("x", 1), ("general.alignment", np.uint32(64)), ("y", 2)):
                assert file is files[0] or writer.header() == writer.header()
                writer.metadata[key] = value
            writer.write_tensor("a", bytes(4))
        assert list(writer.metadata) == ["x", "general.alignment", "y"]
    assert files[0].getvalue() == files[1].getvalue()


def test_a_file_with_quantized_tensors_has_the_version_of_their_blocks(tmp_path: Path) -> None:
    key, blocks = "general.quantization_version", (np.ones((1, 32), np.float32), "Q8_0")
    for metadata, tensor, expected in (
        ({}, blocks, (2, "uint32")),
        ({key: Typed(1, "uint8")}, blocks, (1, "uint8")),
        ({}, np.ones(2), None),
        ({"split.no": 1, "split.count": 2}, blocks, None),  # it is in the first shard
    ):
        with kaitai_gguf.open(written(metadata, {"t": tensor})) as model:
            entry = model.metadata.entry(key) if key in model.metadata else None
            assert (entry and (model.metadata[key], str(entry.value_type))) == expected
            assert not [each for each in kaitai_gguf.check(model) if each.rule == "missing-quantization-version"]
    with Writer(tmp_path / "a.gguf") as writer:
        writer.copy_tensors(kaitai_gguf.open(written({}, {"t": blocks})).tensors)
        assert kaitai_gguf.open(writer.header()).metadata[key] == 2
        assert not writer.metadata
    assert dict(writer.metadata) == {key: 2}


# Tensors of other files


def test_tensors_after_those_of_another_file() -> None:
    with kaitai_gguf.open(MODELS / "tiny-be.gguf") as model:
        file = io.BytesIO()
        with Writer(file, byte_order="big") as writer:
            writer.metadata.update(model.metadata)
            writer.copy_tensors(model.tensors)
            with pytest.raises(WriteError, match="must be the first ones"):
                writer.copy_tensors(model.tensors)
            writer.add_tensor("more", (3,), np.float32)
            writer.write_tensor("more", np.ones(3, np.float32))
        with pytest.raises(WriteError, match="must be the first ones"):
            declare(("first", (), np.int8)).copy_tensors(model.tensors)
        with kaitai_gguf.open(file.getvalue()) as both:
            assert list(both.tensors) == [*model.tensors, "more"]
            assert both.tensors["more"].data.tolist() == [1, 1, 1]
            for name, tensor in model.tensors.items():
                assert both.tensors[name].data.tobytes() == tensor.data.tobytes()


@pytest.mark.parametrize("type_id", [0, 77])
def test_version_1_has_short_dims(type_id: int) -> None:
    model = kaitai_gguf.open(Model([], [TensorSpec("t", (1 << 32, 0), type_id, 0)]).build())
    with pytest.raises(WriteError, match="tensor 't': the dim 4294967296 does not fit in the 32 bits of version 1"):
        copied(model, version=1)


def test_a_region_that_is_cut_off_is_never_completed(tmp_path: Path) -> None:
    whole = Model([], [TensorSpec("a", (64,), 24, 0)], bytes(64)).build()
    with kaitai_gguf.open(whole[:-32]) as model, Writer(tmp_path / "model.gguf") as writer:
        writer.copy_tensors(model.tensors)
        writer.add_tensor("b", (1,), np.int8)
        for message in ("is cut off", "closed"):
            with pytest.raises(WriteError, match=message):
                writer.write_tensor("b", b"x")
    assert list(tmp_path.iterdir()) == []


# Alignment, offsets and padding


def test_alignment() -> None:
    tensors = {name: np.ones(3, np.int8) for name in "ab"}
    for metadata, options, keys, alignment in (
        ({"x": 1}, {"alignment": 64}, ["x", "general.alignment"], 64),
        ({"x": 1}, {"alignment": np.int64(64)}, ["x", "general.alignment"], 64),
        ({"general.alignment": 8, "x": 1}, {}, ["general.alignment", "x"], 8),
        ({}, {"alignment": 32}, [], 32),
    ):
        with kaitai_gguf.open(written(metadata, tensors, **options)) as model:
            assert (list(model.metadata), model.alignment) == (keys, alignment)
            assert (model.tensors["b"].offset, model.nbytes % alignment) == (alignment, 0)
            if keys:
                assert model.metadata.entry("general.alignment").value_type is ValueType.UINT32
    for alignment, offset in ((8, 32), (64, 64)):  # the offsets of an open file are kept if they are aligned
        source = kaitai_gguf.open(written({}, tensors)).tensors
        assert kaitai_gguf.open(written({}, source, alignment=alignment)).tensors["b"].offset == offset


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


def test_an_alignment_that_makes_a_large_file_of_a_small_one(tmp_path: Path) -> None:
    """It is refused unless it is wanted, and takes little space on the disk."""
    tensors, path = {"t": np.ones(3, np.int8)}, tmp_path / "model.gguf"
    words = r"alignment 268435456 and offsets would add 536870\d+ bytes of padding to \d+ bytes of header and data"
    for metadata, options in (({}, {"alignment": 1 << 28}), ({"general.alignment": 1 << 28}, {})):
        with pytest.raises(WriteError, match=words):
            write(path, metadata, tensors, **options)
        assert list(tmp_path.iterdir()) == []
        write(path, metadata, tensors, allow_padding=True, **options)
        assert path.stat().st_size == 1 << 29
        assert getattr(path.stat(), "st_blocks", 0) * 512 < 1 << 20
        with kaitai_gguf.open(path) as model:
            assert (model.alignment, model.data_offset) == (1 << 28, 1 << 28)
            assert model.tensors["t"].data.tolist() == [1, 1, 1]
        path.unlink()


def test_padding_after_another_header() -> None:
    """A copy has as much padding as its source, or less. Large padding that the source did not have is refused.

    Padding that is not zeros is kept where it has the same size: version 1 saves 4 bytes per length, 32 for 8 lengths.
    """
    header = Model([("general.alignment", "uint32", 1 << 31)]).header()
    for data in (header, header + b"\0"):
        model = kaitai_gguf.open(data)
        assert copied(model) == data
    with pytest.raises(WriteError, match="would add 214748"):
        copied(model, version=1)
    with pytest.raises(WriteError, match="would add 214748"):
        written({**model.metadata, "x": 1}, model.tensors)
    for name, count, is_kept in (("four", 4, True), ("three", 3, False)):
        rows = [(f"{name}{number}", "uint8", 1) for number in range(count)]
        model = Model(rows, [TensorSpec("t", (2,), 24, 0)], b"ab")
        data = bytearray(model.build())
        data[len(model.header())] = 7
        one = copied(kaitai_gguf.open(bytes(data)), version=1)
        assert copied(kaitai_gguf.open(one), version=3) == (data if is_kept else model.build())


# Refusals


@pytest.mark.parametrize("target", [5, None, io.StringIO(), b"path"], ids=["number", "none", "text", "bytes"])
def test_what_is_not_a_target(target: Any) -> None:
    with pytest.raises(TypeError, match="target must be a path or a binary file object"):
        Writer(target)


@pytest.mark.parametrize(
    ("metadata", "options", "error", "words"),
    [
        (None, {}, TypeError, "metadata must be a mapping, from keys to values, not"),
        ({}, {"version": 4}, WriteError, "version must be 1, 2 or 3, not 4"),
        ({}, {"version": True}, WriteError, "version must be 1, 2 or 3, not True"),
        ({}, {"byte_order": "middle"}, ValueError, "byte_order must be 'little' or 'big', not 'middle'"),
        ({}, {"byte_order": 1}, TypeError, "byte_order must be 'little' or 'big', not 1"),
        ({}, {"alignment": 0}, WriteError, "alignment is 0, expected a power of two"),
        ({}, {"alignment": 2**32}, WriteError, "alignment is 4294967296, expected a power of two"),
        ({}, {"alignment": True}, TypeError, "alignment must be an integer"),
        ({}, {"alignment": 64.0}, TypeError, "alignment must be an integer"),
        (64, {"alignment": 32}, WriteError, "'general.alignment' is 64, but the alignment asked for is 32"),
        (48, {}, WriteError, "general.alignment is 48, expected a power of two"),
        (Typed(64, "uint64"), {}, WriteError, "general.alignment is of type uint64, expected uint32"),
        (Typed("64", "string"), {}, WriteError, "general.alignment is of type string, expected uint32"),
    ],
)
def test_options_that_can_not_be(metadata: Any, options: dict[str, Any], error: type[Exception], words: str) -> None:
    """Metadata that is a number stands for the alignment."""
    with pytest.raises(error, match=words):
        written({"general.alignment": metadata} if isinstance(metadata, int | Typed) else metadata, {}, **options)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("", "the name of a tensor must not be empty"),
        ("\ud800", r"the name of a tensor '\\ud800' has an unpaired surrogate"),
        ("é", "tensor 'é' is duplicated"),
        ("é".encode().decode("ascii", "surrogateescape"), "tensor 'é' is duplicated"),
    ],
)
def test_names_that_can_not_be(name: str, words: str) -> None:
    with pytest.raises(WriteError, match=words):
        declare(("é", (1,), np.int8), (name, (1,), np.int8))


def test_half_a_tensor_is_not_begun_again(tmp_path: Path) -> None:
    writer = Writer(tmp_path / "model.gguf")
    writer.add_tensor("t", (4,), np.int8)
    for data, words in (
        (b"abc", "3 bytes were given"),  # none of it is written
        ([b"abc"], "ends after 3 of 4 bytes"),
        (b"abcd", "tensor 't' is half written"),
    ):
        with pytest.raises(WriteError, match=words):
            writer.write_tensor("t", data)
    with pytest.raises(WriteError, match="'t'"):
        writer.close()
    assert list(tmp_path.iterdir()) == []


def test_the_order_of_calls() -> None:
    writer = declare(("a", (1,), np.int8), ("b", (1,), np.int8))
    steps: list[tuple[Callable[[], object], str | None]] = [
        (lambda: writer.write_tensor("b", b"x"), "tensor 'b' is out of order: tensor 'a' comes next"),
        (lambda: writer.write_tensor("c", b"x"), "tensor 'c' was not declared"),
        (lambda: writer.write_tensor("a", b"x"), None),
        (lambda: writer.write_tensor("a", b"x"), "tensor 'a' is out of order: tensor 'b' comes next"),
        (lambda: writer.add_tensor("c", (1,), np.int8), "before the first data"),
        (lambda: writer.metadata.update(x=1), "once tensor data has been written"),
        (lambda: writer.write_tensor("b", b"x"), None),
        (lambda: writer.write_tensor("b", b"x"), "tensor 'b' is out of order: all data is written"),
        (writer.close, None),
        (lambda: writer.add_tensor("c", (1,), np.int8), "closed"),
        (lambda: writer.write_tensor("a", b"x"), "closed"),
    ]
    for step, words in steps:
        with pytest.raises(WriteError, match=words) if words else nullcontext():
            step()
