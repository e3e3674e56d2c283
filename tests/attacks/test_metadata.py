"""Keys, values and alignments that are odd, but do not prevent opening. Refusals: test_refusals.py."""

import pytest
from support.gguf_bytes import ARRAY, BOOL, FORMS, STRING, UINT8, UINT32, array, file, key_value, string, tensor, u4

import kaitai_gguf
from attacks.cases.opened import NOT_UTF8
from attacks.outcome import touch


def value_of(value_type: int, value: bytes) -> object:
    model = kaitai_gguf.open(file([key_value(value_type, value)]))
    touch(model)
    return model.metadata["k"]


def test_odd_keys_stay_apart() -> None:
    odd = [b"\0", b"a\0b", b"a", b"\n", b" ", b"..", b"\xef\xbb\xbfk", "日本".encode(), b"k" * 70_000, *NOT_UTF8]
    model = kaitai_gguf.open(file([key_value(UINT8, bytes([number]), key) for number, key in enumerate(odd)]))
    assert [name.encode("utf-8", "surrogateescape") for name in model.metadata] == odd
    assert [model.metadata[name] for name in model.metadata] == list(range(len(odd)))


def test_strings_that_are_not_utf8_give_their_bytes_back() -> None:
    value = value_of(ARRAY, array(STRING, len(NOT_UTF8), b"".join(map(string, NOT_UTF8))))
    assert isinstance(value, kaitai_gguf.StringArray)
    assert [value.raw(index) for index in range(len(value))] == NOT_UTF8
    for data, item in zip(NOT_UTF8, value, strict=True):
        assert value_of(STRING, string(data)) == item
        assert item.encode("utf-8", "surrogateescape") == data


def test_bools_that_are_neither_0_nor_1_are_true() -> None:
    assert value_of(BOOL, b"\x02") is True
    value = value_of(ARRAY, array(BOOL, 5, b"\x00\x01\x02\x80\xff"))
    assert value.tolist() == [False, True, True, True, True]  # type: ignore[attr-defined]


def test_an_array_of_nothing_at_the_very_end() -> None:
    for element_type in range(13):
        assert len(value_of(ARRAY, array(element_type, 0))) == 0  # type: ignore[arg-type]


def test_nested_arrays() -> None:
    """The limit is on levels: the levels of siblings do not add up."""
    rows = array(ARRAY, 1, array(UINT8, 0)) * 200
    assert value_of(ARRAY, array(ARRAY, 200, rows)).tolist() == [[[]]] * 200  # type: ignore[attr-defined]
    deepest = value_of(ARRAY, array(ARRAY, 1) * 127 + array(UINT8, 1, b"\x07")).tolist()  # type: ignore[attr-defined]
    for _ in range(127):
        (deepest,) = deepest
    assert deepest == [7]


@pytest.mark.parametrize("number", [1, 64, 2**31])
def test_any_power_of_two_is_an_alignment(number: int) -> None:
    form = FORMS["v3"]
    model = kaitai_gguf.open(form.file([form.key_value(UINT32, u4(number), b"general.alignment")]))
    assert (model.alignment, model.data_offset) == (number, max(number, -(-57 // number) * number))


def test_the_alignment_may_come_last() -> None:
    metadata = [key_value(UINT8, b"\0"), key_value(UINT32, u4(64), b"general.alignment")]
    assert kaitai_gguf.open(file(metadata, [tensor(offset=64)])).alignment == 64
