"""New files: metadata and tensors of every kind, from any source."""

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from support.about import about
from support.gguf_bytes import Model, TensorSpec
from support.strategies import models

import kaitai_gguf
from kaitai_gguf import GGMLType, Typed, ValueType, WriteError, Writer
from writing.build import copied, declare, written

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
GOLDEN = Path(__file__).parents[1] / "data" / "golden"

both_orders = pytest.mark.parametrize("byte_order", ["little", "big"])


def typed(type: str, value: Any) -> Any:
    """Convert a value of `Model` to one for a writer."""
    if type == "array":
        if value.type == "array":
            return Typed([typed("array", each) for each in value.items], ValueType.ARRAY)
        type, value = value.type, value.items
        if type == "bool":
            value = [bool(each) for each in value]
        return Typed(value, ValueType[type.upper()])
    return Typed(bool(value) if type == "bool" else value, ValueType[type.upper()])


@given(models())
def test_any_metadata_and_tensors(model: Model) -> None:
    """A writer gives the same bytes as `Model`, except for gaps, which it does not write."""
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
    assert tensor._view().tobytes() == raw.tobytes()
    # Tensors, and blocks whose dtype has a byte order, are converted.
    for each in (tensor, (tensor.blocks, type)):
        other = written({}, {"t": each}, byte_order="little" if byte_order == "big" else "big")
        assert kaitai_gguf.open(other).tensors["t"].dequantize().tobytes() == tensor.dequantize().tobytes()


# Tensor by tensor


def test_data_of_every_kind(tmp_path: Path) -> None:
    raw = bytes(range(24))
    (tmp_path / "data").write_bytes(b"before" + raw + b"after")
    source = kaitai_gguf.open(written({}, {"x": np.frombuffer(raw, np.int8)}))

    def chunks() -> Iterator[Any]:
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
            chunks(),
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

    def chunks() -> Iterator[bytes]:
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
        writer.write_tensor("t", chunks())


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
            with pytest.raises(WriteError, match="must be the first ones"):
                writer.copy_tensors(model.tensors)
            writer.add_tensor("more", (3,), np.float32)
            writer.write_tensor("more", np.ones(3, np.float32))
        with kaitai_gguf.open(file.getvalue()) as both:
            assert list(both.tensors) == [*model.tensors, "more"]
            assert both.tensors["more"].data.tolist() == [1, 1, 1]
            for name, tensor in model.tensors.items():
                assert both.tensors[name].data.tobytes() == tensor.data.tobytes()


def test_tensors_of_another_file_come_before_all_others() -> None:
    with kaitai_gguf.open(written({}, {"t": np.ones(2)})) as model, Writer(io.BytesIO()) as writer:
        writer.add_tensor("first", (), np.int8)
        with pytest.raises(WriteError, match="must be the first ones"):
            writer.copy_tensors(model.tensors)
        writer.abort()


def test_alignment() -> None:
    array = np.ones(3, np.int8)
    with kaitai_gguf.open(written({"x": 1}, {"a": array, "b": array}, alignment=64)) as model:
        assert list(model.metadata) == ["x", "general.alignment"]
        assert (model.alignment, model.tensors["b"].offset, model.nbytes % 64) == (64, 64, 0)
    with kaitai_gguf.open(written({"general.alignment": 8, "x": 1}, {"a": array, "b": array})) as model:
        assert (list(model.metadata), model.tensors["b"].offset) == (["general.alignment", "x"], 8)
    with kaitai_gguf.open(written({}, {"a": array}, alignment=32)) as model:
        assert list(model.metadata) == []
    with kaitai_gguf.open(written({}, {"a": array}, alignment=np.int64(64))) as model:
        assert (model.alignment, model.metadata.entry("general.alignment").value_type) == (64, ValueType.UINT32)


def test_offsets_of_an_open_file_are_kept_if_they_can_be() -> None:
    model = kaitai_gguf.open(written({}, {"a": np.ones(3, np.int8), "b": np.ones(3, np.int8)}))
    assert kaitai_gguf.open(written({}, model.tensors, alignment=8)).tensors["b"].offset == 32
    assert kaitai_gguf.open(written({}, model.tensors, alignment=64)).tensors["b"].offset == 64


def test_a_name_in_another_spelling() -> None:
    """A name is written the same whether it is text or bytes decoded to surrogates."""
    spelling = "é".encode().decode("ascii", "surrogateescape")
    data = written({}, {spelling: np.ones(2, np.int8)})
    assert data == written({}, {"é": np.ones(2, np.int8)})
    assert list(kaitai_gguf.open(data).tensors) == ["é"]
    with pytest.raises(WriteError, match="is duplicated"):
        declare(("é", (1,), np.int8), (spelling, (1,), np.int8))


@pytest.mark.parametrize("type_id", [0, 77])
def test_version_1_has_short_dims_also_for_tensors_of_a_file(type_id: int) -> None:
    model = kaitai_gguf.open(Model([], [TensorSpec("t", (1 << 32, 0), type_id, 0)]).build())
    with pytest.raises(WriteError, match="tensor 't': the dim 4294967296 does not fit in the 32 bits of version 1"):
        copied(model, version=1)


def test_asking_for_the_header_changes_nothing() -> None:
    def filled(file: io.BytesIO, asks: bool) -> Writer:
        writer = Writer(file, alignment=64)
        writer.add_tensor("a", (1,), "F32")
        writer.add_tensor("b", (1,), "F32")
        for key, value in (("x", 1), ("general.alignment", np.uint32(64)), ("y", 2)):
            headers = [writer.header() for _ in range(2 * asks)]
            assert len(set(headers)) == asks
            writer.metadata[key] = value
        writer.add_tensor("c", (1,), "F32")
        for name in "abc":
            writer.write_tensor(name, bytes(4))
        writer.close()
        return writer

    plain, asked = io.BytesIO(), io.BytesIO()
    assert list(filled(plain, False).metadata) == list(filled(asked, True).metadata) == ["x", "general.alignment", "y"]
    assert asked.getvalue() == plain.getvalue()


def test_an_alignment_can_be_set_after_asking_for_the_header() -> None:
    writer = declare(("a", (1,), "F32"), ("b", (1,), "F32"))
    assert [each.offset for each in kaitai_gguf.open(writer.header()).tensors.values()] == [0, 32]
    writer.metadata["general.alignment"] = 64
    assert [each.offset for each in kaitai_gguf.open(writer.header()).tensors.values()] == [0, 64]


# What a file needs

Q8 = (np.ones((1, 32), np.float32), "Q8_0")


def version_of_blocks(source: Path | bytes) -> tuple[int, str] | None:
    """Return the value and the type of `general.quantization_version`."""
    key = "general.quantization_version"
    with kaitai_gguf.open(source) as model:
        assert not [each for each in kaitai_gguf.check(model) if each.rule == "missing-quantization-version"]
        return (model.metadata[key], str(model.metadata.entry(key).value_type)) if key in model.metadata else None


def test_a_file_with_quantized_tensors_says_which_blocks_they_have(tmp_path: Path) -> None:
    assert version_of_blocks(written({}, {"t": Q8})) == (2, "uint32")
    assert version_of_blocks(written({"general.quantization_version": Typed(1, "uint8")}, {"t": Q8})) == (1, "uint8")
    assert version_of_blocks(written({}, {"t": np.ones(2)})) is None
    assert version_of_blocks(written({"split.no": 1, "split.count": 2}, {"t": Q8})) is None  # it is in the first shard
    with Writer(tmp_path / "a.gguf") as writer:
        writer.copy_tensors(kaitai_gguf.open(written({}, {"t": Q8})).tensors)
        assert version_of_blocks(writer.header()) == (2, "uint32")
        assert not writer.metadata
    assert version_of_blocks(tmp_path / "a.gguf") == (2, "uint32")
    assert dict(writer.metadata) == {"general.quantization_version": 2}
