"""Tensors that are odd, but do not prevent opening. Refusals: test_refusals.py, test_numbers.py."""

import json
from pathlib import Path

import pytest
from support.about import about
from support.gguf_bytes import F32, I8, Q4_0, Q4_K, file, header, tensor, u4

import kaitai_gguf
from attacks.outcome import tensor_of, touch
from kaitai_gguf import FormatError, MissingDataError, TensorDataError, UnknownTypeError

TYPES = json.loads((Path(__file__).parents[1] / "data" / "golden" / "TYPES.json").read_text())


def test_a_row_of_broken_blocks_is_refused() -> None:
    quantized = [row for row in TYPES["types"] if row["block_size"] > 1]
    assert len(quantized) > 25
    for row in quantized:
        block = row["block_size"]
        with pytest.raises(FormatError, match=f"not a multiple of the {row['name']} block size {block}"):
            kaitai_gguf.open(header(tensors=[tensor((block + block // 2, 2), row["id"])]))


def test_a_type_that_is_removed_or_unknown() -> None:
    removed = [(row["id"], row["name"], f"is {row['name']}, which ggml has removed") for row in TYPES["removed"]]
    assert len(removed) > 5
    for type_id, name, words in [*removed, (43, None, "is unknown"), (2**32 - 1, None, "is unknown")]:
        with about(type_id):
            data = file(
                tensors=[tensor((7,), type_id), tensor((4,), I8, 32, b"u")], data=bytes(32) + b"\x01\x02\x03\x04"
            )
            odd = tensor_of(data)
            assert (odd.type, odd.type_id, odd.nbytes, odd.dims) == (None, type_id, None, (7,))
            assert name in (None, odd.type_name)
            for view in ("data", "blocks"):
                with pytest.raises(UnknownTypeError, match=f"tensor 't': its type {type_id} {words}"):
                    getattr(odd, view)
            assert tensor_of(data, "u").data.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("dims", "type_id"),
    [((0,), F32), ((256, 0, 2), Q4_K), ((0, 2**60), F32), ((2**62, 0), Q4_K), ((0, 2**55), Q4_K), ((0, 0, 0, 0), Q4_K)],
)
def test_a_tensor_of_no_elements_has_data_at_the_end_of_the_file(dims: tuple[int, ...], type_id: int) -> None:
    empty = tensor_of(header(tensors=[tensor(dims, type_id)]))
    assert (empty.nbytes, empty.n_elements, empty.data.size, empty.blocks.size) == (0, 0, 0, 0)
    assert empty.data.shape[:-1] == dims[:0:-1]


def test_nothing_that_has_more_floats_to_a_row_than_numpy_can_count_is_not_dequantized() -> None:
    empty = tensor_of(header(tensors=[tensor((2**61, 0), Q4_0)]))
    with pytest.raises(TensorDataError, match=r"tensor 't': .* × 0 floats are more than numpy arrays can hold"):
        empty.dequantize()


def test_a_tensor_of_no_elements_may_start_anywhere() -> None:
    tensors = [tensor((4,)), tensor((0,), offset=0, name=b"u"), tensor((0,), offset=2**40, name=b"v")]
    model = kaitai_gguf.open(file(tensors=tensors, data=bytes(16)))
    touch(model)
    assert [each.data.size for each in model.tensors.values()] == [4, 0, 0]


def test_a_tensor_of_no_dims_is_a_scalar() -> None:
    scalar = tensor_of(file(tensors=[tensor(())], data=u4(0x3F800000)))
    assert (scalar.shape, scalar.nbytes, scalar.data.tolist(), scalar.blocks.shape) == ((), 4, 1.0, (1,))


@pytest.mark.parametrize(
    "name", [b"\xff", b"\xed\xa0\x80", b"\0", b"\x1b[2J", "重み".encode(), b"n" * 10_000], ids=lambda n: n[:9]
)
def test_an_odd_name_opens(name: bytes) -> None:
    model = kaitai_gguf.open(file(tensors=[tensor(name=name)], data=bytes(4)))
    (key,) = model.tensors
    assert key.encode("utf-8", "surrogateescape") == name
    assert model.tensors[key].data.shape == (1,)


@pytest.mark.parametrize(("dims", "type_id", "offset"), [((1,), F32, 2**62), ((2**63 - 32,), Q4_0, 0)])
def test_data_far_behind_the_end_of_the_file_is_missing(dims: tuple[int, ...], type_id: int, offset: int) -> None:
    far = tensor_of(file(tensors=[tensor(dims, type_id, offset)], data=bytes(4)))
    with pytest.raises(MissingDataError):
        _ = far.data


def test_gaps_and_any_order_open() -> None:
    tensors = [tensor((4,), I8, 64, b"a"), tensor((32,), I8, 0, b"b"), tensor((32,), I8, 32, b"c")]
    model = kaitai_gguf.open(file(tensors=tensors, data=b"b" * 32 + b"c" * 32 + b"a" * 4))
    assert [each.data.tobytes() for each in model.tensors.values()] == [b"aaaa", b"b" * 32, b"c" * 32]


def test_the_first_of_two_bad_tensors_is_named() -> None:
    tensors = [tensor(offset=0), tensor((5,), Q4_0, 32, b"a"), tensor((7,), Q4_0, 64, b"b")]
    with pytest.raises(FormatError, match="tensor 'a'") as caught:
        kaitai_gguf.open(header(tensors=tensors))
    assert (caught.value.offset, caught.value.path) == (24 + len(tensor()) + 13, "/tensors/1/dims")


def test_views_are_read_only() -> None:
    small = tensor_of(file(tensors=[tensor()], data=bytes(4)))
    for view in (small.data, small.blocks, tensor_of(header(tensors=[tensor((0,))])).data):
        assert not view.flags.writeable


@pytest.mark.parametrize("type_id", [F32, 99])
def test_messages_do_not_grow_with_names(type_id: int) -> None:
    long = tensor_of(header(tensors=[tensor((4,), type_id, name=b"n" * 10_000)]), "n" * 10_000)
    with pytest.raises(TensorDataError) as caught:
        _ = long.data
    assert len(str(caught.value)) < 300
