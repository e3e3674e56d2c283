"""Tensors: their infos in the header, views of their data, and refusals."""

from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from hypothesis import given
from support import strategies
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FormatError, GGMLType, MissingDataError, TensorNotFound, UnknownTypeError
from kaitai_gguf.reading import tensor as tensor_module
from kaitai_gguf.schema.names import Names

DATA = Path(__file__).parents[1] / "data"
Q4_0, Q8_0, Q4_K = GGMLType.Q4_0, GGMLType.Q8_0, GGMLType.Q4_K


def tensors_of(*tensors: TensorSpec, data: bytes = b"", **options: Any) -> kaitai_gguf.Tensors:
    return kaitai_gguf.open(Model([], list(tensors), data, **options).build()).tensors


def tensor_of(dims: tuple[int, ...], type_id: int, data: bytes = b"", **options: Any) -> kaitai_gguf.Tensor:
    return tensors_of(TensorSpec("t", dims, type_id, 0), data=data, **options)["t"]


@given(strategies.models())
def test_tensors_are_those_that_were_written(model: Model) -> None:
    with kaitai_gguf.open(model.build()) as file:
        assert list(file.tensors) == [tensor.name for tensor in model.tensors]
        assert file.data_offset % model.alignment == 0
        for spec in model.tensors:
            tensor = file.tensors[str(spec.name)]
            assert (tensor.dims, tensor.shape) == (spec.dims, spec.dims[::-1])
            assert (tensor.type_id, tensor.offset) == (spec.type_id, spec.offset)
            assert tensor.data.shape == tensor.shape
            assert tensor.data.tobytes() == model.data[spec.offset : spec.offset + (tensor.nbytes or 0)]


PLAIN = [
    (GGMLType.F32, np.float32), (GGMLType.F16, np.float16), (GGMLType.BF16, ml_dtypes.bfloat16),
    (GGMLType.F64, np.float64), (GGMLType.I8, np.int8), (GGMLType.I16, np.int16), (GGMLType.I32, np.int32),
    (GGMLType.I64, np.int64),
]  # fmt: skip


@pytest.mark.parametrize(("type", "dtype"), PLAIN, ids=lambda value: getattr(value, "name", ""))
@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_plain_types_are_typed(type: GGMLType, dtype: Any, byte_order: str) -> None:
    values = np.array([[1, -2, 3], [4, 5, -6]], dtype)
    stored = _swapped(values) if byte_order == "big" else values.tobytes()
    tensor = tensor_of((3, 2), type, stored, byte_order=byte_order)
    assert tensor.data.astype(np.float64).tolist() == [[1, -2, 3], [4, 5, -6]]
    order = "=" if type is GGMLType.BF16 else ">" if byte_order == "big" else "<"
    assert tensor.data.dtype == np.dtype(dtype).newbyteorder(order)  # type: ignore[call-overload]  # a str
    assert tensor._stored().tobytes() == stored
    assert tensor.data.shape == tensor.blocks.shape == (2, 3)


def _swapped(values: np.ndarray[Any, Any]) -> bytes:
    size = values.itemsize
    return b"".join(values.tobytes()[i : i + size][::-1] for i in range(0, values.nbytes, size))


def test_values_are_the_tensors_that_names_find() -> None:
    specs = [TensorSpec(f"t{i}", ((), (32,), (32, i), (32, 0, i))[i % 4], i % 4, 4096 * i) for i in range(200)]
    names = [str(spec.name) for spec in specs]
    first, second = tensors_of(*specs), tensors_of(*specs)
    found = [first[name] for name in names]
    values = list(first.values())
    assert [id(each) for each in found] == [id(each) for each in values]
    assert list(first.items()) == list(zip(names, found, strict=True))
    facts = [(each.name, each.dims, each.type_id, each.offset, each.nbytes) for each in second.values()]
    assert facts == [(each.name, each.dims, each.type_id, each.offset, each.nbytes) for each in found]
    assert [each.dims for each in found] == [spec.dims for spec in specs]


def test_values_are_not_looked_up_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    tensors = tensors_of(*(TensorSpec(f"t{i}", (1,), 0, 32 * i) for i in range(200)), data=bytes(32 * 200))
    lookups: list[bytes] = []
    find = Names.find
    monkeypatch.setattr(Names, "find", lambda self, *args: lookups.append(args[1]) or find(self, *args))
    assert len([each.data for each in tensors.values()]) == 200
    assert lookups == []
    assert tensors["t7"].nbytes == 4
    assert lookups == []  # all tensors already exist
    assert "t7" in tensors
    assert lookups == [b"t7"]


def test_a_name_is_a_plain_str_however_it_was_asked_for() -> None:
    tensors = tensors_of(TensorSpec("a", (1,), 0, 0), TensorSpec("é", (1,), 0, 32), data=bytes(64))
    for name in ("a", "é"):
        assert type(tensors[np.str_(name)].name) is str
        assert tensors[name] is tensors[np.str_(name)]


def test_closing_ends_an_iteration() -> None:
    model = kaitai_gguf.open(Model([], [TensorSpec(f"t{i}", (1,), 0, 32 * i) for i in range(9)], bytes(300)).build())
    values = iter(model.tensors.values())
    assert next(values).name == "t0"
    model.close()
    with pytest.raises(kaitai_gguf.ClosedError):
        next(values)


def test_quantized_types_are_rows_of_blocks() -> None:
    raw = bytes(range(36)) * 6
    tensor = tensor_of((64, 3, 2), Q4_0, raw)
    assert tensor.data.dtype == np.uint8
    assert tensor.data.shape == (2, 3, 36)
    assert tensor.data.tobytes() == raw
    assert tensor.blocks.shape == (2, 3, 2)
    assert tensor.blocks["qs"][0, 0, 1].tolist() == list(range(20, 36))


def test_blocks_are_in_the_byte_order_of_the_file() -> None:
    block = np.float16(1.5).tobytes()[::-1] + bytes(32)
    assert tensor_of((32,), Q8_0, block, byte_order="big").blocks["d"].tolist() == [1.5]


def test_views_are_read_only_and_zero_copy() -> None:
    file = Model([], [TensorSpec("t", (4,), 0, 0)], bytes(16)).build()
    data = kaitai_gguf.open(file).tensors["t"].data
    assert not data.flags.writeable
    assert np.shares_memory(data, np.frombuffer(file, np.uint8))


@pytest.mark.parametrize(("length", "is_one_dtype"), [((1 << 31) - 1, True), (1 << 31, False)])
def test_rows_may_be_larger_than_a_dtype(length: int, is_one_dtype: bool) -> None:
    shape, dtype, item = tensor_module._form((2, length), np.dtype(np.int8))
    assert shape == (2, length)
    assert (item.itemsize == length) == is_one_dtype
    assert (item is dtype) != is_one_dtype


def test_large_rows_have_the_same_data(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tensor_module, "_LARGEST_ITEM", 16)
    stored = bytes(range(96))
    tensor = tensor_of((7, 1, 3), GGMLType.I16, stored)  # dims that no other test has, whose form would be remembered
    assert tensor.data.shape == tensor.blocks.shape == (3, 1, 7)
    large = tensor_of((5, 3, 3), GGMLType.I16, stored)
    assert large.data.shape == large.blocks.shape == (3, 3, 5)
    for each in (tensor, large):
        assert each.data.tobytes() == each.blocks.tobytes() == stored[: each.nbytes]


def test_a_scalar_has_one_element() -> None:
    tensor = tensor_of((), GGMLType.F32, np.float32(2.5).tobytes())
    assert (tensor.shape, tensor.n_elements, tensor.nbytes) == ((), 1, 4)
    assert tensor.data == 2.5


@pytest.mark.parametrize("dims", [(0,), (4, 0), (0, 0, 3), (256, 0)])
@pytest.mark.parametrize("type", [GGMLType.F32, GGMLType.BF16, Q4_K])
def test_empty_tensors(dims: tuple[int, ...], type: GGMLType) -> None:
    if dims[0] % (256 if type is Q4_K else 1):
        return
    tensor = tensor_of(dims, type)
    assert tensor.nbytes == 0
    assert tensor.data.size == tensor.blocks.size == 0
    assert not tensor.data.flags.writeable


@pytest.mark.parametrize(("type_id", "message"), [(77, "77 is unknown"), (4, "4 is Q4_2, which ggml has removed")])
def test_only_the_data_of_an_unknown_type_is_out_of_reach(type_id: int, message: str) -> None:
    tensors = tensors_of(TensorSpec("new", (5, 3), type_id, 0), TensorSpec("old", (1,), 24, 0), data=b"\x07")
    assert tensors["old"].data.tolist() == [7]
    tensor = tensors["new"]
    assert (tensor.type, tensor.type_id, tensor.nbytes, tensor.shape) == (None, type_id, None, (3, 5))
    for view in ("data", "blocks"):
        with pytest.raises(UnknownTypeError, match=f"tensor 'new': its type {message}"):
            getattr(tensor, view)


def test_a_header_without_its_data_opens() -> None:
    tensors = tensors_of(TensorSpec("here", (4,), 0, 0), TensorSpec("gone", (4,), 0, 32), data=bytes(40))
    assert tensors["here"].data.tolist() == [0] * 4
    with pytest.raises(MissingDataError, match=r"tensor 'gone': .* bytes 0x.* to 0x.* are needed"):
        _ = tensors["gone"].data


def test_a_missing_tensor_is_named() -> None:
    with pytest.raises(TensorNotFound, match="no tensor 'x' in the file"):
        tensors_of()["x"]


def specs(*rows: tuple[tuple[int, ...], int, int]) -> list[TensorSpec]:
    return [TensorSpec(f"t{i}", *row) for i, row in enumerate(rows)]


REFUSED = [
    ("row length 100 is not a multiple of the Q4_K block size 256", "/tensors/0/dims", specs(((100, 2), 12, 0))),
    ("do not fit in 63 bits", "/tensors/1/dims", specs(((1,), 0, 0), ((1 << 63,), 24, 0))),
    ("do not fit in 63 bits", "/tensors/0/dims", specs(((1 << 32, 1 << 31), 24, 0))),
    ("do not fit in 63 bits", "/tensors/0/dims", specs(((1 << 61, 1), 28, 0))),
    ("do not fit in 63 bits", "/tensors/0/dims", specs(((1 << 62, 0, 2), 24, 0))),
    (
        f"its data ends at offset {2**64 - 16}, beyond the end of any file",
        "/tensors/0/ofs_data",
        specs(((4,), 0, (1 << 64) - 32)),
    ),
    (f"its data ends at offset {2**63 - 32}, beyond", "/tensors/0/ofs_data", specs(((2**63 - 32,), 24, 0))),
    (f"ends at offset {2**63 - 32}, ", "/tensors/1/ofs_data", specs(((4,), 24, 0), ((2**62 - 32,), 1, 32))),
    ("offset 8 is not a multiple of the alignment 32", "/tensors/0/ofs_data", specs(((4,), 0, 8))),
    (
        "overlaps the data of tensor 't0', which ends at offset 64",
        "/tensors/1/ofs_data",
        specs(((16,), 0, 0), ((4,), 0, 32)),
    ),
    ("overlaps the data of tensor 't1'", "/tensors/0/ofs_data", specs(((4,), 0, 32), ((16,), 0, 0))),
]


@pytest.mark.parametrize(("message", "path", "tensors"), REFUSED)
def test_impossible_tensors_are_refused(message: str, path: str, tensors: list[TensorSpec]) -> None:
    data = Model([], tensors).build()
    with pytest.raises(FormatError, match=message) as caught:
        kaitai_gguf.open(data)
    assert caught.value.path == path
    number, field = int(path.split("/")[2]), path.split("/")[3]
    start = data.index(f"t{number}".encode())
    dims = start + 2 + 4
    assert caught.value.offset == (dims if field == "dims" else dims + 8 * len(tensors[number].dims) + 4)


@pytest.mark.parametrize(
    "tensors",
    [
        specs(((16,), 0, 64), ((16,), 0, 0)),  # not in order of their offsets
        specs(((4,), 0, 0), ((4,), 0, 320)),  # a gap
        specs(((0,), 0, 0), ((16,), 0, 0)),  # an empty tensor takes no space
    ],
)
def test_odd_tensors_open(tensors: list[TensorSpec]) -> None:
    assert len(tensors_of(*tensors)) == len(tensors)


@pytest.mark.parametrize(("names", "message"), [(["a", "b", "a"], "'a' is duplicated"), (["a", ""], "1 is empty")])
def test_names_are_unique_and_not_empty(names: list[str], message: str) -> None:
    with pytest.raises(FormatError, match=message) as caught:
        tensors_of(*(TensorSpec(name, (0,), 0, 0) for name in names))
    assert caught.value.path == f"/tensors/{len(names) - 1}/name"


def test_a_tensor_says_what_it_is() -> None:
    assert repr(tensor_of((64, 2), Q4_0)) == "<Tensor 't' Q4_0 (2, 64)>"


@pytest.mark.parametrize("name", ["tiny-allquants", "tiny-newquants", "tiny-be", "v1"])
def test_every_tensor_has_numbers(name: str) -> None:
    with kaitai_gguf.open(DATA / "models" / f"{name}.gguf") as model:
        for tensor in model.tensors.values():
            values = tensor.dequantize()
            assert values.dtype == np.float32
            assert values.shape == tensor.shape
            assert np.array_equal(np.asarray(tensor).astype(np.float32), values, equal_nan=True)


def test_numbers_are_those_of_ggml_in_either_byte_order() -> None:
    golden = np.load(DATA / "golden" / "Q4_0.npz")
    tensor = tensor_of((1024, 8), Q4_0, golden["raw"].tobytes())
    assert np.array_equal(tensor.dequantize(), golden["expected"], equal_nan=True)
    assert np.array_equal(tensor.dequantize(rows=[5, 1]), golden["expected"][[5, 1]], equal_nan=True)
    blocks = tensor.blocks.copy()
    swapped = blocks.astype(blocks.dtype.newbyteorder(">"))
    big = tensor_of((1024, 8), Q4_0, swapped.tobytes(), byte_order="big")
    assert np.array_equal(big.dequantize(), golden["expected"], equal_nan=True)


def test_numbers_into_an_array_that_is_there() -> None:
    tensor = tensor_of((4,), GGMLType.F32, np.arange(4, dtype=np.float32).tobytes())
    out = np.zeros(4, np.float64)
    assert tensor.dequantize(out=out) is out
    assert out.tolist() == [0, 1, 2, 3]


def test_an_array_of_a_tensor() -> None:
    plain = tensor_of((4,), GGMLType.I16, np.arange(4, dtype=np.int16).tobytes())
    assert np.shares_memory(np.asarray(plain), plain.data)
    assert np.array(plain).flags.writeable
    assert np.asarray(plain, np.float64).dtype == np.float64
    quantized = tensor_of((32,), Q8_0, bytes(34))
    assert np.asarray(quantized).dtype == np.float32
    with pytest.raises(ValueError, match="tensor 't': Q8_0 is not available as numbers without a copy"):
        np.array(quantized, copy=False)


@pytest.mark.skipif(np.lib.NumpyVersion(np.__version__) < "2.1.0", reason="needs numpy 2.1 or later")
def test_dlpack_has_the_same_array() -> None:
    plain, quantized = tensor_of((2,), GGMLType.F32, bytes(8)), tensor_of((32,), Q8_0, bytes(34))
    view = np.from_dlpack(plain)
    assert np.shares_memory(view, plain.data)
    assert not view.flags.writeable
    assert np.array_equal(np.from_dlpack(quantized), quantized.dequantize())
    with pytest.raises(BufferError, match="readonly"):
        plain.__dlpack__()


def test_numbers_of_an_unknown_type_are_out_of_reach() -> None:
    with pytest.raises(UnknownTypeError):
        tensor_of((4,), 77).dequantize()


def test_a_name_has_one_spelling() -> None:
    """A name in valid UTF-8 can also be looked up with its bytes as surrogates."""
    with kaitai_gguf.open(Model(tensors=[TensorSpec("é", (1,), 24, 0)], data=b"\1").build()) as model:
        tensor = model.tensors["\udcc3\udca9"]
        assert tensor.name == "é"
        assert model.tensors["é"] is tensor
        assert "\udcc3\udca9" in model.tensors
