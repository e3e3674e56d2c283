"""Keys, value types, values and the alignment."""

from struct import pack

import pytest
from support.gguf_bytes import (
    ARRAY,
    BIG_ENDIAN,
    BOOL,
    FORMS,
    INT8,
    STRING,
    UINT8,
    UINT32,
    UINT64,
    Form,
    array,
    file,
    key_value,
    string,
    tensor,
    u4,
    u8,
)

import kaitai_gguf
from attacks.outcome import refused, touch

UNKNOWN = [13, 256, 2**32 - 1]
NOT_UTF8 = [b"\xff", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82", b"\xff\xfe\xfd"]


def value_of(value_type: int, value: bytes) -> object:
    model = kaitai_gguf.open(file([key_value(value_type, value)]))
    touch(model)
    return model.metadata["k"]


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("number", UNKNOWN)
def test_an_unknown_value_type_is_refused(number: int, form: Form) -> None:
    data = form.file([form.key_value(number, bytes(64))])
    refused(data, form.first + form.width + 1, "/metadata/0/value_type", f"is {number}, expected a value_type")


@pytest.mark.parametrize("number", UNKNOWN)
def test_an_unknown_element_type_is_refused_even_without_elements(number: int) -> None:
    for elements in (array(number, 1, bytes(64)), array(number, 0)):
        data = file([key_value(ARRAY, elements)])
        refused(data, 37, "/metadata/0/value/element_type", f"is {number}, expected a value_type")


def test_an_unknown_type_of_a_nested_array_is_refused() -> None:
    data = file([key_value(ARRAY, array(ARRAY, 2, array(UINT8, 0) + array(99, 0)))])
    refused(data, 61, "/metadata/0/value/elements/1/element_type", "is 99, expected a value_type")


def test_the_number_of_the_key_value_is_said() -> None:
    data = file([key_value(UINT8, b"\0", b"a"), key_value(13, b"\0", b"b")])
    refused(data, 47, "/metadata/1/value_type", "value_type of key-value 1 is 13")


def test_an_empty_key_is_refused() -> None:
    data = file([key_value(UINT8, b"\0"), key_value(UINT8, b"\0", b"")])
    refused(data, 38, "/metadata/1/key", "the key of key-value 1 is empty")


def test_a_key_that_is_there_twice_is_refused() -> None:
    data = file([key_value(UINT8, b"\0"), key_value(UINT8, b"\0", b"j"), key_value(STRING, string(b""))])
    refused(data, 52, "/metadata/2/key", "the key 'k' is duplicated")


def test_a_key_that_is_not_utf8_twice_is_refused() -> None:
    refused(file([key_value(UINT8, b"\0", b"\xff")] * 2), 38, "/metadata/1/key", r"the key '\udcff' is duplicated")


def test_keys_that_are_not_utf8_open_and_stay_apart() -> None:
    model = kaitai_gguf.open(file([key_value(UINT8, bytes([number]), key) for number, key in enumerate(NOT_UTF8)]))
    assert [name.encode("utf-8", "surrogateescape") for name in model.metadata] == NOT_UTF8
    assert [model.metadata[name] for name in model.metadata] == list(range(len(NOT_UTF8)))


@pytest.mark.parametrize(
    "key",
    [b"\0", b"a\0b", b"\n", b" ", b"A", b"..", b"\xef\xbb\xbfk", "日本".encode(), b"k" * 70_000],
    ids=lambda k: k[:9],
)
def test_an_odd_key_opens(key: bytes) -> None:
    assert list(kaitai_gguf.open(file([key_value(UINT8, b"\0", key)])).metadata) == [key.decode()]


@pytest.mark.parametrize("data", NOT_UTF8)
def test_a_string_that_is_not_utf8_gives_its_bytes_back(data: bytes) -> None:
    value = value_of(STRING, string(data))
    assert isinstance(value, str)
    assert value.encode("utf-8", "surrogateescape") == data


def test_strings_of_an_array_that_are_not_utf8_give_their_bytes_back() -> None:
    value = value_of(ARRAY, array(STRING, len(NOT_UTF8), b"".join(map(string, NOT_UTF8))))
    assert isinstance(value, kaitai_gguf.StringArray)
    assert [value.raw(index) for index in range(len(value))] == NOT_UTF8
    assert [item.encode("utf-8", "surrogateescape") for item in value] == NOT_UTF8


@pytest.mark.parametrize("byte", [2, 127, 255])
def test_a_bool_that_is_neither_0_nor_1_is_true(byte: int) -> None:
    assert value_of(BOOL, bytes([byte])) is True


def test_bools_of_an_array_that_are_neither_0_nor_1_are_true() -> None:
    value = value_of(ARRAY, array(BOOL, 5, b"\x00\x01\x02\x80\xff"))
    assert value.tolist() == [False, True, True, True, True]  # type: ignore[attr-defined]


def test_an_array_of_nothing_at_the_very_end() -> None:
    for element_type in range(13):
        assert len(value_of(ARRAY, array(element_type, 0))) == 0  # type: ignore[arg-type]


def alignment_file(value_type: int, value: bytes, form: Form = FORMS["v3"]) -> bytes:
    return form.file([form.key_value(value_type, value, b"general.alignment")])


# The key is 17 bytes long: the value type is at 24 + 8 + 17, and the value 4 bytes after it.
@pytest.mark.parametrize("number", [0, 3, 2**31 + 1])
def test_an_alignment_that_is_no_power_of_two_is_refused(number: int) -> None:
    data = alignment_file(UINT32, u4(number))
    refused(data, 53, "/metadata/0/value", f"general.alignment is {number}, expected a power of two")


def test_a_byte_swapped_alignment_is_refused_as_it_is_read() -> None:
    data = alignment_file(UINT32, pack("<I", 33), BIG_ENDIAN)
    refused(data, 53, "/metadata/0/value", f"general.alignment is {33 << 24}, expected a power of two")


@pytest.mark.parametrize(
    ("value_type", "value", "name"),
    [
        (UINT64, u8(32), "uint64"),
        (INT8, b"\x20", "int8"),
        (5, u4(32), "int32"),
        (6, pack("<f", 32), "float32"),
        (BOOL, b"\x01", "bool"),
        (STRING, string(b"32"), "string"),
        (ARRAY, array(UINT32, 1, u4(32)), "array"),
    ],
)
def test_an_alignment_of_another_type_is_refused(value_type: int, value: bytes, name: str) -> None:
    refused(alignment_file(value_type, value), 49, "/metadata/0/value_type", f"is of type {name}, expected uint32")


@pytest.mark.parametrize("number", [1, 64, 2**31])
def test_any_power_of_two_is_an_alignment(number: int) -> None:
    model = kaitai_gguf.open(alignment_file(UINT32, u4(number)))
    assert (model.alignment, model.data_offset) == (number, max(number, -(-57 // number) * number))


def test_the_alignment_may_come_last() -> None:
    metadata = [key_value(UINT8, b"\0"), key_value(UINT32, u4(64), b"general.alignment")]
    assert kaitai_gguf.open(file(metadata, [tensor(offset=64)])).alignment == 64
