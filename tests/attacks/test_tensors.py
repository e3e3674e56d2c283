"""Dims, types, names and offsets of tensors."""

import json
from pathlib import Path

import numpy as np
import pytest
from support.gguf_bytes import (
    F32,
    FORMS,
    I8,
    Q4_0,
    Q4_K,
    UINT32,
    V1,
    Form,
    file,
    header,
    key_value,
    string,
    tensor,
    u4,
    u8,
)

import kaitai_gguf
from attacks.outcome import refused, tensor_of, touch
from kaitai_gguf import MissingDataError, TensorDataError, UnknownTypeError

TYPES = json.loads((Path(__file__).parents[1] / "data" / "golden" / "TYPES.json").read_text())
QUANTIZED = [(row["id"], row["name"], row["block_size"]) for row in TYPES["types"] if row["block_size"] > 1]
REMOVED = [(row["id"], row["name"]) for row in TYPES["removed"]]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("number", [5, 2**31, 2**32 - 1])
def test_more_than_four_dims_are_refused(number: int, form: Form) -> None:
    data = form.header(tensors=[form.string(b"t") + form.u4(number) + bytes(64)])
    refused(data, form.first + form.width + 1, "/tensors/0/num_dims", f"is {number}, expected at most 4")


@pytest.mark.parametrize(
    "dims",
    [
        (2**63,),
        (2**64 - 1,),
        (2**32, 2**32),
        (2**62, 2),
        (2**16,) * 4,
        (1, 1, 2**32, 2**31),
        (3, 3, 3, 2**63 // 27 + 1),
        (2**64 - 1,) * 4,
    ],
)
def test_dims_whose_product_is_too_large_are_refused(dims: tuple[int, ...]) -> None:
    shown = " × ".join(map(str, dims))
    for type_id in (F32, I8, 99):
        refused(header(tensors=[tensor(dims, type_id)]), 37, "/tensors/0/dims", f"tensor 't': {shown} elements")


@pytest.mark.parametrize(
    ("type_id", "dims"), [(F32, (2**61,)), (F32, (2**31, 2**30)), (28, (2**60,)), (Q4_0, (2**63 - 32,))]
)
def test_a_size_in_bytes_that_is_too_large_is_refused(type_id: int, dims: tuple[int, ...]) -> None:
    data = header(tensors=[tensor(dims, type_id)])
    if type_id == Q4_0:  # 18 bytes for 32 elements: the size fits in 63 bits, but the file has no data
        with pytest.raises(MissingDataError):
            _ = tensor_of(data).data
    else:
        refused(data, 37, "/tensors/0/dims", "do not fit in 63 bits")


def test_the_largest_dims_of_version_1_are_refused() -> None:
    data = V1.header(tensors=[V1.tensor((2**32 - 1,) * 4)])
    refused(data, 25, "/tensors/0/dims", "do not fit in 63 bits")


@pytest.mark.parametrize(
    ("type_id", "dims"),
    [
        (F32, (2**62, 0)),
        (F32, (0, 2**62)),
        (I8, (2**40, 2**40, 0)),
        (Q4_K, (0, 2**62)),
        (Q4_K, (0, 2**57)),
        (Q4_K, (2**62, 2**62, 0, 1)),
    ],
)
def test_a_zero_does_not_make_other_dims_possible(type_id: int, dims: tuple[int, ...]) -> None:
    shown = " × ".join(map(str, dims))
    refused(header(tensors=[tensor(dims, type_id)]), 37, "/tensors/0/dims", f"tensor 't': {shown} elements")


@pytest.mark.parametrize(
    ("type_id", "dims"), [(F32, (0, 2**60)), (I8, (2**62, 0)), (Q4_K, (2**62, 0)), (Q4_K, (0, 2**55))]
)
def test_large_dims_with_a_zero_open_while_they_can(type_id: int, dims: tuple[int, ...]) -> None:
    empty = tensor_of(header(tensors=[tensor(dims, type_id)]))
    assert (empty.nbytes, empty.data.size, empty.blocks.size) == (0, 0, 0)


def test_nothing_that_has_more_floats_to_a_row_than_numpy_can_count_is_not_dequantized() -> None:
    empty = tensor_of(header(tensors=[tensor((2**61, 0), Q4_0)]))
    assert empty.data.size == 0
    with pytest.raises(TensorDataError, match=r"tensor 't': .* × 0 floats are more than numpy arrays can hold"):
        empty.dequantize()


@pytest.mark.parametrize("dims", [(0,), (0, 3), (256, 0, 2), (0, 0, 0, 0)])
def test_a_tensor_of_no_elements_has_data_at_the_end_of_the_file(dims: tuple[int, ...]) -> None:
    for type_id in (F32, Q4_K):
        empty = tensor_of(header(tensors=[tensor(dims, type_id)]))
        assert (empty.nbytes, empty.n_elements, empty.data.size, empty.blocks.size) == (0, 0, 0, 0)
        assert empty.data.shape[:-1] == dims[:0:-1]


def test_a_tensor_of_no_elements_may_start_anywhere() -> None:
    tensors = [tensor((4,)), tensor((0,), offset=0, name=b"u"), tensor((0,), offset=2**40, name=b"v")]
    model = kaitai_gguf.open(file(tensors=tensors, data=bytes(16)))
    touch(model)
    assert [each.data.size for each in model.tensors.values()] == [4, 0, 0]


def test_a_tensor_of_no_dims_is_a_scalar() -> None:
    scalar = tensor_of(file(tensors=[tensor(())], data=u4(0x3F800000)))
    assert (scalar.shape, scalar.nbytes, scalar.data.tolist()) == ((), 4, 1.0)
    assert scalar.blocks.shape == (1,)


def test_a_quantized_tensor_of_no_dims_is_refused() -> None:
    words = "row length 1 is not a multiple of the Q4_K block size 256"
    refused(header(tensors=[tensor((), Q4_K)]), 37, "/tensors/0/dims", words)


def test_a_row_of_broken_blocks_is_refused() -> None:
    assert len(QUANTIZED) > 25
    for type_id, name, block in QUANTIZED:
        row = block + block // 2
        words = f"tensor 't': row length {row} is not a multiple of the {name} block size {block}"
        refused(header(tensors=[tensor((row, 2), type_id)]), 37, "/tensors/0/dims", words)


def test_a_removed_type_opens_and_is_named() -> None:
    assert len(REMOVED) > 5
    for type_id, name in REMOVED:
        removed = tensor_of(file(tensors=[tensor((32,), type_id)], data=bytes(64)))
        assert (removed.type, removed.type_id, removed.nbytes, removed.type_name) == (None, type_id, None, name)
        words = f"tensor 't': its type {type_id} is {name}, which ggml has removed"
        for view in ("data", "blocks"):
            with pytest.raises(UnknownTypeError, match=words):
                getattr(removed, view)


@pytest.mark.parametrize("type_id", [43, 2**31, 2**32 - 1])
def test_an_unknown_type_opens(type_id: int) -> None:
    unknown = tensor_of(file(tensors=[tensor((7,), type_id)], data=bytes(64)))
    assert (unknown.type, unknown.type_id, unknown.nbytes, unknown.dims) == (None, type_id, None, (7,))
    for view in ("data", "blocks"):
        with pytest.raises(UnknownTypeError, match=f"tensor 't': its type {type_id} is unknown"):
            getattr(unknown, view)


def test_an_unknown_type_leaves_other_tensors_in_reach() -> None:
    data = file(tensors=[tensor((4,), 99), tensor((4,), I8, 32, b"u")], data=bytes(32) + b"\x01\x02\x03\x04")
    assert tensor_of(data, "u").data.tolist() == [1, 2, 3, 4]


def test_an_empty_name_is_refused() -> None:
    data = header(tensors=[tensor(), tensor(name=b"", offset=32)])
    refused(data, 24 + len(tensor()), "/tensors/1/name", "the name of tensor 1 is empty")


def test_a_name_that_is_there_twice_is_refused() -> None:
    data = header(tensors=[tensor(), tensor(name=b"u", offset=32), tensor(offset=64)])
    refused(data, 24 + 2 * len(tensor()), "/tensors/2/name", "the name 't' is duplicated")


@pytest.mark.parametrize(
    "name", [b"\xff", b"\xed\xa0\x80", b"\0", b"\x1b[2J", "重み".encode(), b"n" * 10_000], ids=lambda n: n[:9]
)
def test_an_odd_name_opens(name: bytes) -> None:
    model = kaitai_gguf.open(file(tensors=[tensor(name=name)], data=bytes(4)))
    (key,) = model.tensors
    assert key.encode("utf-8", "surrogateescape") == name
    assert model.tensors[key].data.shape == (1,)


@pytest.mark.parametrize("offset", [1, 31, 2**40 + 1])
def test_an_offset_that_is_not_aligned_is_refused(offset: int) -> None:
    words = f"offset {offset} is not a multiple of the alignment 32"
    refused(header(tensors=[tensor(offset=offset)]), 45 + 4, "/tensors/0/ofs_data", words)


def test_an_offset_is_held_against_the_alignment_of_the_file() -> None:
    metadata = [key_value(UINT32, u4(4096), b"general.alignment")]
    data = header(metadata, [tensor(offset=2048)])
    refused(data, len(data) - 8, "/tensors/0/ofs_data", "is not a multiple of the alignment 4096")


# 2^64 - 32 and the size of the data wrap around to a small number.
@pytest.mark.parametrize("offset", [2**63 - 32, 2**63, 2**64 - 64, 2**64 - 32])
def test_an_offset_that_no_file_reaches_is_refused(offset: int) -> None:
    for dims, type_id in (((16,), F32), ((0,), F32), ((16,), 99)):
        data = header(tensors=[tensor(dims, type_id, offset)])
        refused(data, len(data) - 8, "/tensors/0/ofs_data", "beyond the end of any file")


def test_an_end_that_no_file_reaches_is_refused() -> None:
    data = header(tensors=[tensor((2**61 - 1,), offset=2**40)])
    refused(data, len(data) - 8, "/tensors/0/ofs_data", "beyond the end of any file")


def test_an_offset_behind_the_end_of_the_file_opens() -> None:
    far = tensor_of(file(tensors=[tensor(offset=2**62)], data=bytes(4)))
    with pytest.raises(MissingDataError):
        _ = far.data


@pytest.mark.parametrize(
    ("offsets", "named", "other"),
    [((0, 0), 1, "a"), ((0, 32), 1, "a"), ((32, 0), 0, "b"), ((64, 64), 1, "a")],
)
def test_tensors_that_overlap_are_refused(offsets: tuple[int, int], named: int, other: str) -> None:
    tensors = [tensor((16,), offset=offset, name=name) for offset, name in zip(offsets, [b"a", b"b"], strict=True)]
    data = header(tensors=tensors)
    position = 24 + (named + 1) * len(tensor()) - 8
    refused(data, position, f"/tensors/{named}/ofs_data", f"its data overlaps the data of tensor '{other}'")


def test_a_tensor_inside_another_is_refused() -> None:
    tensors = [tensor((256,), offset=0, name=b"a"), tensor((1,), offset=2048, name=b"b"), tensor(offset=512, name=b"c")]
    words = "tensor 'c': its data overlaps the data of tensor 'a', which ends at offset 1024"
    refused(header(tensors=tensors), 24 + 3 * len(tensor()) - 8, "/tensors/2/ofs_data", words)


def test_gaps_and_any_order_open() -> None:
    tensors = [tensor((4,), I8, 64, b"a"), tensor((4,), I8, 0, b"b")]
    model = kaitai_gguf.open(file(tensors=tensors, data=b"b" * 64 + b"a" * 4))
    assert [each.data.tobytes() for each in model.tensors.values()] == [b"aaaa", b"bbbb"]


def test_tensors_may_touch() -> None:
    tensors = [tensor((32,), I8, 0, b"a"), tensor((32,), I8, 32, b"b")]
    assert kaitai_gguf.open(file(tensors=tensors, data=bytes(64))).tensors["b"].data.shape == (32,)


def test_two_bad_tensors_name_the_first() -> None:
    tensors = [tensor(offset=0), tensor((5,), Q4_0, 32, b"a"), tensor((7,), Q4_0, 64, b"b")]
    refused(header(tensors=tensors), 24 + len(tensor()) + 13, "/tensors/1/dims", "tensor 'a'")


def test_views_are_read_only() -> None:
    small = tensor_of(file(tensors=[tensor()], data=bytes(4)))
    for view in (small.data, small.blocks, tensor_of(header(tensors=[tensor((0,))])).data):
        assert not view.flags.writeable


def test_a_tensor_whose_data_would_be_the_header() -> None:
    data = string(b"t") + u4(1) + u8(8) + u4(F32) + u8(2**64 - 32)
    with pytest.raises(kaitai_gguf.FormatError):
        kaitai_gguf.open(header(tensors=[data]) + bytes(64))


def test_many_tensors_of_all_numbers_of_dims() -> None:
    tensors = [tensor((1,) * (i % 5), I8, 32 * i, f"t{i}".encode()) for i in range(5000)]
    model = kaitai_gguf.open(file(tensors=tensors, data=np.arange(32 * 5000, dtype=np.uint32).tobytes()))
    assert model.tensors["t4999"].shape == (1, 1, 1, 1)
    assert model.tensors["t0"].shape == ()


@pytest.mark.parametrize("type_id", [F32, 99])
def test_messages_do_not_grow_with_names(type_id: int) -> None:
    long = tensor_of(header(tensors=[tensor((4,), type_id, name=b"n" * 10_000)]), "n" * 10_000)
    with pytest.raises(TensorDataError) as caught:
        _ = long.data
    assert len(str(caught.value)) < 300
