"""Impossible counts and lengths, in every field that has one, in every version and byte order."""

from collections.abc import Callable

import pytest
from support.gguf_bytes import ARRAY, FORMS, STRING, UINT8, UINT64, V3, Form

from attacks.outcome import refused
from kaitai_gguf import TruncatedError

LIMIT = 2**30
HUGE = {4: [LIMIT + 1, 2**31, 2**32 - 1], 8: [LIMIT + 1, 2**63, 2**64 - 1]}  # by the width of a length

# A function that builds a file with the number, the distance from the first item to the number, and its path.
# `width` is the size of a length; a value starts 1 + 4 bytes after the length of its key "k".
Place = tuple[Callable[[Form, int], bytes], Callable[[int], int], str]
PLACES: dict[str, Place] = {
    "tensors": (lambda form, n: form.header(num_tensors=n), lambda width: -2 * width, "/num_tensors"),
    "metadata": (lambda form, n: form.header(num_metadata=n), lambda width: -width, "/num_metadata"),
    "key": (
        lambda form, n: form.header([form.string(b"k", n) + form.u4(UINT8) + b"\0"]),
        lambda width: 0,
        "/metadata/0/key/len_data",
    ),
    "second-key": (
        lambda form, n: form.header([form.key_value(UINT8, b"\0"), form.string(b"j", n) + form.u4(UINT8) + b"\0"]),
        lambda width: width + 6,
        "/metadata/1/key/len_data",
    ),
    "string": (
        lambda form, n: form.header([form.key_value(STRING, form.string(b"v", n))]),
        lambda width: width + 5,
        "/metadata/0/value/len_data",
    ),
    "array-of-strings": (
        lambda form, n: form.header([form.key_value(ARRAY, form.array(STRING, n, form.string(b"v")))]),
        lambda width: width + 9,
        "/metadata/0/value/num_elements",
    ),
    "string-in-array": (
        lambda form, n: form.header([form.key_value(ARRAY, form.array(STRING, 1, form.string(b"v", n)))]),
        lambda width: 2 * width + 9,
        "/metadata/0/value/elements/0/len_data",
    ),
    "second-string-in-array": (
        lambda form, n: form.header(
            [form.key_value(ARRAY, form.array(STRING, 2, form.string(b"v") + form.string(b"", n)))]
        ),
        lambda width: 3 * width + 10,
        "/metadata/0/value/elements/1/len_data",
    ),
    "array-of-arrays": (
        lambda form, n: form.header([form.key_value(ARRAY, form.array(ARRAY, n, form.array(UINT8, 0)))]),
        lambda width: width + 9,
        "/metadata/0/value/num_elements",
    ),
    "array-in-array": (
        lambda form, n: form.header([form.key_value(ARRAY, form.array(ARRAY, 1, form.array(UINT64, n)))]),
        lambda width: 2 * width + 13,
        "/metadata/0/value/elements/0/num_elements",
    ),
    "tensor-name": (
        lambda form, n: form.header(tensors=[form.string(b"t", n) + form.tensor()[form.width + 1 :]]),
        lambda width: 0,
        "/tensors/0/name/len_data",
    ),
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("place", PLACES)
def test_more_than_2_to_the_30_is_refused(place: str, form: Form) -> None:
    make, distance, path = PLACES[place]
    where = form.first + distance(form.width)
    for number in HUGE[form.width]:
        refused(make(form, number), where, path, f"is {number}, expected at most {LIMIT}")


@pytest.mark.parametrize("element_type", range(13))
def test_an_array_of_any_type_with_such_a_count(element_type: int) -> None:
    for number in HUGE[8]:
        data = V3.header([V3.key_value(ARRAY, V3.array(element_type, number, bytes(64)))])
        refused(data, 41, "/metadata/0/value/num_elements", f"is {number}, expected at most {LIMIT}")


# The path of what follows the number: the file must have room for that many items of the minimum size.
AFTER = {
    "tensors": "/tensors",
    "metadata": "/metadata",
    "key": "/metadata/0/key/data",
    "second-key": "/metadata/1/key/data",
    "string": "/metadata/0/value/data",
    "array-of-strings": "/metadata/0/value/elements",
    "string-in-array": "/metadata/0/value/elements/0/data",
    "second-string-in-array": "/metadata/0/value/elements/1/data",
    "array-of-arrays": "/metadata/0/value/elements",
    "array-in-array": "/metadata/0/value/elements/0/elements",
    "tensor-name": "/tensors/0/name/data",
}


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize("place", PLACES)
def test_more_than_the_file_holds_is_refused_before_it_is_read(place: str, form: Form) -> None:
    make, distance, _ = PLACES[place]
    where = form.first + distance(form.width) + (2 if place == "tensors" else 1) * form.width
    for number in (100, LIMIT):
        refused(make(form, number), where, AFTER[place], "bytes, and", TruncatedError)


@pytest.mark.parametrize("place", ["key", "string", "string-in-array", "tensor-name"])
def test_one_byte_more_than_there_is(place: str) -> None:
    make, distance, _ = PLACES[place]
    where = V3.first + distance(8)
    left = len(make(V3, 1)) - where - 8
    refused(make(V3, left + 1), where + 8, AFTER[place], f"needs {left + 1} bytes, and {left} are left", TruncatedError)


def test_one_key_value_more_than_there_is() -> None:
    data = V3.header([V3.key_value(STRING, V3.string(b"v" * 30))], num_metadata=2)
    refused(data, len(data), "/metadata/1/key/len_data", "needs 8 bytes, and 0 are left", TruncatedError)


def test_one_tensor_more_than_there_is() -> None:
    data = V3.header(tensors=[V3.tensor([1] * 4, name=b"t" * 30)], num_tensors=2)
    refused(data, len(data), "/tensors/1/name/len_data", "needs 8 bytes, and 0 are left", TruncatedError)
