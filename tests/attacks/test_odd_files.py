"""Odd keys, values and tensors that do not prevent opening. What is refused: verdicts.json."""

import json
from pathlib import Path

import pytest
from support.about import about
from support.gguf_bytes import (
    ARRAY,
    BOOL,
    F32,
    I8,
    Q4_0,
    Q4_K,
    STRING,
    UINT8,
    array,
    file,
    header,
    key_value,
    string,
    tensor,
    u4,
)

import kaitai_gguf
from attacks.outcome import tensor_of, touch
from kaitai_gguf import FormatError, MissingDataError, TensorDataError, UnknownTypeError

TYPES = json.loads((Path(__file__).parents[1] / "data" / "golden" / "TYPES.json").read_text())
NOT_UTF8 = [b"\xff", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"]
ODD = [b"\0", b"a\0b", b"a", b"\n", b" ", b"..", b"\xef\xbb\xbfk", "日本".encode(), b"k" * 60_000, *NOT_UTF8]


def value_of(value_type: int, value: bytes) -> object:
    model = kaitai_gguf.open(file([key_value(value_type, value)]))
    touch(model)
    return model.metadata["k"]


def test_keys_and_names() -> None:
    metadata = [key_value(UINT8, bytes([number]), key) for number, key in enumerate(ODD)]
    tensors = [tensor((1,), I8, 32 * number, name) for number, name in enumerate(ODD)]
    model = kaitai_gguf.open(file(metadata, tensors, bytes(32 * len(ODD))))
    for names in (model.metadata, model.tensors):
        assert [name.encode("utf-8", "surrogateescape") for name in names] == ODD
    assert list(model.metadata.values()) == list(range(len(ODD)))
    assert [each.offset for each in model.tensors.values()] == list(range(0, 32 * len(ODD), 32))


def test_strings() -> None:
    value = value_of(ARRAY, array(STRING, len(ODD), b"".join(map(string, ODD))))
    assert isinstance(value, kaitai_gguf.StringArray)
    assert [value.raw(index) for index in range(len(value))] == ODD
    for data, item in zip(ODD, value, strict=True):
        assert value_of(STRING, string(data)) == item == data.decode("utf-8", "surrogateescape")


def test_bools_that_are_neither_0_nor_1_are_true() -> None:
    assert value_of(BOOL, b"\x02") is True
    value = value_of(ARRAY, array(BOOL, 5, b"\x00\x01\x02\x80\xff"))
    assert value.tolist() == [False, True, True, True, True]  # type: ignore[attr-defined]


def test_arrays() -> None:
    """The limit of nested arrays is on levels: the levels of siblings do not add up."""
    for element_type in range(13):
        assert len(value_of(ARRAY, array(element_type, 0))) == 0  # type: ignore[arg-type]
    rows = array(ARRAY, 1, array(UINT8, 0)) * 200
    assert value_of(ARRAY, array(ARRAY, 200, rows)).tolist() == [[[]]] * 200  # type: ignore[attr-defined]
    deepest = value_of(ARRAY, array(ARRAY, 1) * 127 + array(UINT8, 1, b"\x07")).tolist()  # type: ignore[attr-defined]
    for _ in range(127):
        (deepest,) = deepest
    assert deepest == [7]


@pytest.mark.parametrize("number", [1, 64, 2**31])
def test_any_power_of_two_is_an_alignment(number: int) -> None:
    """It may come last."""
    metadata = [key_value(UINT8, b"\0"), key_value(4, u4(number), b"general.alignment")]
    model = kaitai_gguf.open(file(metadata, alignment=1))
    assert (model.alignment, model.data_offset) == (number, -(-model.header_nbytes // number) * number)


# Tensors


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
            data = file(tensors=[tensor((7,), type_id), tensor((4,), I8, 32, b"u")], data=bytes(32) + b"\1\2\3\4")
            odd = tensor_of(data)
            assert (odd.type, odd.type_id, odd.nbytes, odd.dims) == (None, type_id, None, (7,))
            assert name in (None, odd.type_name)
            for view in ("data", "blocks"):
                with pytest.raises(UnknownTypeError, match=f"tensor 't': its type {type_id} {words}"):
                    getattr(odd, view)
            assert tensor_of(data, "u").data.tolist() == [1, 2, 3, 4]


@pytest.mark.parametrize(
    ("dims", "type_id"),
    [((0,), F32), ((256, 0, 2), Q4_K), ((0, 2**60), F32), ((2**62, 0), Q4_K), ((0, 0, 0, 0), Q4_K)],
)
@pytest.mark.parametrize("offset", [0, 2**40])
def test_a_tensor_of_no_elements_needs_no_data(dims: tuple[int, ...], type_id: int, offset: int) -> None:
    empty = tensor_of(header(tensors=[tensor(dims, type_id, offset)]))
    assert (empty.nbytes, empty.n_elements, empty.data.size, empty.blocks.size) == (0, 0, 0, 0)
    assert empty.data.shape[:-1] == dims[:0:-1]
    assert not empty.data.flags.writeable


def test_rows_of_more_floats_than_numpy_can_count_are_not_dequantized() -> None:
    empty = tensor_of(header(tensors=[tensor((2**61, 0), Q4_0)]))
    with pytest.raises(TensorDataError, match=r"tensor 't': .* × 0 floats are more than numpy arrays can hold"):
        empty.dequantize()


def test_a_tensor_of_no_dims_is_a_scalar() -> None:
    scalar = tensor_of(file(tensors=[tensor(())], data=u4(0x3F800000)))
    assert (scalar.shape, scalar.nbytes, scalar.data.tolist(), scalar.blocks.shape) == ((), 4, 1.0, (1,))
    assert not scalar.data.flags.writeable


@pytest.mark.parametrize("size", [0, 1, 15])
def test_missing_data_leaves_the_rest_readable(size: int) -> None:
    tensors = [tensor((4,)), tensor((4,), offset=32, name=b"u"), tensor((4,), offset=2**62, name=b"v")]
    with kaitai_gguf.open(file(tensors=tensors, data=bytes(32 + size))) as model:
        assert model.tensors["t"].data.shape == (4,)
        for name, view in (("u", "data"), ("u", "blocks"), ("v", "data")):
            words = "0xa0 to 0xb0 are needed, but the file ends at" if name == "u" else "are needed"
            with pytest.raises(MissingDataError, match=f"tensor '{name}'.* {words}"):
                getattr(model.tensors[name], view)
    with pytest.raises(MissingDataError, match="tensor 't': its data is not in the file"):
        _ = tensor_of(header(tensors=[tensor()])).data


def test_gaps_and_any_order_open() -> None:
    tensors = [tensor((4,), I8, 64, b"a"), tensor((32,), I8, 0, b"b"), tensor((32,), I8, 32, b"c")]
    model = kaitai_gguf.open(file(tensors=tensors, data=b"b" * 32 + b"c" * 32 + b"a" * 4))
    assert [each.data.tobytes() for each in model.tensors.values()] == [b"aaaa", b"b" * 32, b"c" * 32]


def test_the_first_of_two_bad_tensors_is_named() -> None:
    tensors = [tensor(offset=0), tensor((5,), Q4_0, 32, b"a"), tensor((7,), Q4_0, 64, b"b")]
    with pytest.raises(FormatError, match="tensor 'a'") as caught:
        kaitai_gguf.open(header(tensors=tensors))
    assert (caught.value.offset, caught.value.path) == (24 + len(tensor()) + 13, "/tensors/1/dims")


@pytest.mark.parametrize("type_id", [F32, 99])
def test_messages_do_not_grow_with_names(type_id: int) -> None:
    long = tensor_of(header(tensors=[tensor((4,), type_id, name=b"n" * 10_000)]), "n" * 10_000)
    with pytest.raises(TensorDataError) as caught:
        _ = long.data
    assert len(str(caught.value)) < 300
