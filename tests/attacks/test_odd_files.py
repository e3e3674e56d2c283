"""Odd keys, values and tensors that do not prevent opening. What is refused: verdicts.json."""

import pytest
from support.gguf_bytes import ARRAY, BOOL, F32, I8, UINT8, array, file, header, key_value, tensor

import kaitai_gguf
from attacks.exercise import tensor_of, touch
from kaitai_gguf import MissingDataError, TensorDataError

NOT_UTF8 = [b"\xff", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"]
ODD = [b"\0", b"a\0b", b"a", b"\n", b" ", b"..", b"\xef\xbb\xbfk", "日本".encode(), b"k" * 60_000, *NOT_UTF8]


def list_of(value: bytes) -> list[object]:
    model = kaitai_gguf.open(file([key_value(ARRAY, value)]))
    touch(model)
    items: list[object] = model.metadata["k"].tolist()
    return items


def test_keys_and_names() -> None:
    metadata = [key_value(UINT8, bytes([number]), key) for number, key in enumerate(ODD)]
    tensors = [tensor((1,), I8, 32 * number, name) for number, name in enumerate(ODD)]
    model = kaitai_gguf.open(file(metadata, tensors, bytes(32 * len(ODD))))
    for names in (model.metadata, model.tensors):
        assert [name.encode("utf-8", "surrogateescape") for name in names] == ODD
    assert list(model.metadata.values()) == list(range(len(ODD)))
    assert [each.offset for each in model.tensors.values()] == list(range(0, 32 * len(ODD), 32))


def test_arrays() -> None:
    """The limit of nested arrays is on levels: the levels of siblings do not add up."""
    assert list_of(array(BOOL, 5, b"\x00\x01\x02\x80\xff")) == [False, True, True, True, True]
    for element_type in range(13):
        assert list_of(array(element_type, 0)) == []
    assert list_of(array(ARRAY, 200, array(ARRAY, 1, array(UINT8, 0)) * 200)) == [[[]]] * 200
    deepest = list_of(array(ARRAY, 1) * 127 + array(UINT8, 1, b"\x07"))
    for _ in range(127):
        (deepest,) = deepest  # type: ignore[assignment]
    assert deepest == [7]


@pytest.mark.parametrize("size", [0, 1, 15])
def test_missing_data_leaves_the_rest_readable(size: int) -> None:
    tensors = [tensor((4,)), tensor((4,), offset=32, name=b"u"), tensor((4,), offset=2**62, name=b"v")]
    with kaitai_gguf.open(file(tensors=tensors, data=bytes(32 + size))) as model:
        assert model.tensors["t"].data.shape == (4,)
        for name, view in (("u", "data"), ("u", "blocks"), ("v", "data")):
            words = "0xa0 to 0xb0 are needed, but the file ends at" if name == "u" else "are needed"
            with pytest.raises(MissingDataError, match=f"tensor '{name}': its data is not in the file.* {words}"):
                getattr(model.tensors[name], view)


@pytest.mark.parametrize("type_id", [F32, 99])
def test_messages_do_not_grow_with_names(type_id: int) -> None:
    long = tensor_of(header(tensors=[tensor((4,), type_id, name=b"n" * 10_000)]), "n" * 10_000)
    with pytest.raises(TensorDataError) as caught:
        _ = long.data
    assert len(str(caught.value)) < 300
