"""The largest counts and lengths, and headers that are cut off in any field."""

import pytest
from support.gguf_bytes import FORMS, INT32, STRING, Form

import kaitai_gguf
from attacks.corpus import CASES
from kaitai_gguf import FormatError, TruncatedError

LIMIT = 2**30
each_form = pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)


def refusal(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        kaitai_gguf.open(data)
    return caught.value


@each_form
@pytest.mark.parametrize(
    "field", ["tensors", "metadata", "key", "string", "array-string", "tensor-name", "array", "array-in-array"]
)
def test_a_count_or_length_of_at_most_2_to_the_30(field: str, form: Form) -> None:
    """A larger one is refused where it is; this one, after it, since the file is smaller."""
    (name,) = (name for name, each in FORMS.items() if each is form)
    case = CASES[f"refused/{field}-negative-{name}"]
    start, path = case.verdict["offset"], case.verdict["path"]
    for number in (LIMIT + 1, LIMIT):
        error = refusal(case.data[:start] + form.length(number) + case.data[start + form.width :])
        if number > LIMIT:
            assert (type(error), error.offset, error.path) == (FormatError, start, path)
            assert f" is {number}, expected at most {LIMIT}" in str(error)
        else:
            assert type(error) is TruncatedError
            assert error.offset == start + form.width * (2 if field == "tensors" else 1)


def one_of_each(form: Form) -> bytes:
    """Return a header with nested arrays of strings and numbers, and a tensor."""
    inner = form.array(STRING, 1, form.string(b"abc")) + form.array(INT32, 2, bytes(8))
    return form.header([form.key_value(9, form.array(9, 2, inner))], [form.tensor((2, 3))])


@each_form
def test_a_header_that_is_cut_off_anywhere(form: Form) -> None:
    """The error names the field that is cut off, or the list in which not even the first item fits."""
    data = one_of_each(form)
    for field in kaitai_gguf.explain(data):
        for cut in range(max(field.start, form.first), field.end):
            error = refusal(data[:cut])
            assert type(error) is TruncatedError
            assert field.path.startswith(error.path)
            assert error.offset == field.start or (error.path in LISTS and error.offset <= cut)


VALUE = "/metadata/0/value/elements"
LISTS = {"/metadata", "/tensors", VALUE, f"{VALUE}/0/elements", f"{VALUE}/1/elements", "/tensors/0/dims"}
