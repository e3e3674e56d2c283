"""The messages of refusals, and the largest counts and lengths. What is refused, and where: test_verdicts.py."""

from struct import unpack_from

import pytest
from support.about import about
from support.gguf_bytes import FORMS, Form

import kaitai_gguf
from attacks.cases import CASES
from attacks.others import OTHERS
from kaitai_gguf import FormatError, TruncatedError

REFUSED = {name: case for name, case in CASES.items() if case.refusal is not None}
LIMIT = 2**30
COUNTED = ("len_data", "num_elements", "num_tensors", "num_metadata")

# The words of the message, by the case.
MESSAGES = {
    "empty": "the file is empty (at byte 0x0)",
    "magic-3-of-4": "the file ends after 3 bytes, inside the magic (at byte 0x0)",
    "version-big-endian-4": "version is 4, expected 1 or 2 or 3 (at byte 0x4)",
    "metadata-more-than-bytes-v3": "the file is cut off: metadata needs 1200 bytes, and 0 are left (at byte 0x18)",
    "tensors-more-than-bytes-v1": "the file is cut off: tensors needs 2000 bytes, and 0 are left (at byte 0x10)",
    "string-one-byte-longer-v3": "value/data of key-value 0 needs 6 bytes, and 5 are left",
    "metadata-one-more-v3": "key/len_data of key-value 1 needs 8 bytes, and 0 are left",
    "value-type-13-v3": "value_type of key-value 0 is 13, expected a value_type",
    "nested-element-type-13-v3": "value/elements/1/element_type of key-value 0 is 13, expected a value_type",
    "nested-1000-v1": "is nested more than 128 levels deep",
    "dims-5-big-endian": "num_dims of tensor info 0 is 5, expected at most 4",
    "key-empty-v3": "the key of key-value 0 is empty",
    "key-twice-not-utf8-v3": r"the key '\udcff' is duplicated",
    "alignment-array-v3": "general.alignment is of type array, expected uint32",
    "alignment-13-big-endian": "general.alignment is 13, expected a power of two below 2^32",
    "tensor-name-empty-v3": "tensor '': the name of tensor 0 is empty",
    "tensor-name-twice-v3": "tensor 't': the name 't' is duplicated",
    "bytes-wrap-to-0-v3": "tensor 't': 2147483648 × 2147483648 elements do not fit in 63 bits",
    "row-not-blocks-v3": "tensor 't': row length 100 is not a multiple of the Q4_K block size 256",
    "scalar-not-blocks-v3": "tensor 't': row length 1 is not a multiple of the Q4_0 block size 32",
    "offset-not-aligned-to-64-v3": "tensor 't': offset 32 is not a multiple of the alignment 64",
    "end-wraps-v3": "tensor 't': its data ends at offset 9223372036854775840, beyond the end of any file",
    "overlap-of-an-earlier-one-v3": "tensor 'a': its data overlaps the data of tensor 'b', which ends at offset 64",
    "overlap-inside-v3": "tensor 'u': its data overlaps the data of tensor 't', which ends at offset 256",
} | {f"not-gguf-{name}": words for name, (_, words) in OTHERS.items()}


def refusal(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        kaitai_gguf.open(data)
    return caught.value


@pytest.mark.parametrize("name", MESSAGES)
def test_the_message(name: str) -> None:
    assert MESSAGES[name] in str(refusal(CASES[f"refused/{name}"].data))


def test_messages_name_the_byte_and_its_number() -> None:
    numbers = 0
    for name, case in REFUSED.items():
        with about(name):
            error = refusal(case.data)
            message, field = str(error), error.path.rpartition("/")[2]
            assert message.endswith(f"(at byte {error.offset:#x})")
            if "needs" in message:
                assert f" bytes, and {len(case.data) - error.offset} are left" in message
            elif field in COUNTED:
                order, width = (">" if "big-endian" in name else "<"), (4 if "v1" in name or "66960" in name else 8)
                (number,) = unpack_from(f"{order}{'I' if width == 4 else 'Q'}", case.data, error.offset)
                assert f" is {number}, expected at most {LIMIT}" in message
                numbers += 1
    assert numbers > 40


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
@pytest.mark.parametrize(
    "field", ["tensors", "metadata", "key", "string", "array-string", "tensor-name", "array", "array-in-array"]
)
def test_a_count_or_length_of_at_most_2_to_the_30(field: str, form: Form) -> None:
    """A larger one is refused where it is; this one, after it, since the file is smaller."""
    (name,) = (name for name, each in FORMS.items() if each is form)
    case = CASES[f"refused/{field}-negative-{name}"]
    assert case.refusal is not None
    start, path = case.refusal.offset, case.refusal.path
    for number in (LIMIT + 1, LIMIT):
        data = case.data[:start] + form.length(number) + case.data[start + form.width :]
        error = refusal(data)
        if number > LIMIT:
            assert (type(error), error.offset, error.path) == (FormatError, start, path)
        else:
            assert type(error) is TruncatedError
            assert error.offset == start + form.width * (2 if field == "tensors" else 1)


def test_a_count_of_elements_of_each_type() -> None:
    form = FORMS["v3"]
    for element_type in range(13):
        data = form.header([form.key_value(9, form.array(element_type, LIMIT + 1, bytes(64)))])
        assert f"is {LIMIT + 1}, expected at most {LIMIT}" in str(refusal(data))
