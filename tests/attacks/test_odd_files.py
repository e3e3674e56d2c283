"""The largest counts, headers that are cut off anywhere, and odd content that does not prevent opening.

The other files that are refused are in `files/`.
"""

import pytest
from support.gguf_bytes import ARRAY, BOOL, F32, FORMS, I8, INT32, STRING, UINT8, Form, array, file, key_value, tensor

import kaitai_gguf
from attacks.corpus import CASES
from attacks.exercise import touch
from kaitai_gguf import FormatError, MissingDataError, TensorDataError, TruncatedError

LIMIT = 2**30
NOT_UTF8 = [b"\xff", b"a\x80", b"\xc0\x80", b"\xed\xa0\x80", b"\xf5\x80\x80\x80", b"\xe2\x82"]
NAMES = [b"\0", b"a\0b", b"a", b"\n", b" ", b"..", b"\xef\xbb\xbfk", "日本".encode(), b"k" * 60_000, *NOT_UTF8]
VALUE = "/metadata/0/value/elements"
LISTS = {"/metadata", "/tensors", VALUE, f"{VALUE}/0/elements", f"{VALUE}/1/elements", "/tensors/0/dims"}
COUNTS = ["tensors", "metadata", "key", "string", "array-string", "tensor-name", "array", "array-in-array"]


def refusal(data: bytes) -> FormatError:
    with pytest.raises(FormatError) as caught:
        kaitai_gguf.open(data)
    return caught.value


@pytest.mark.parametrize("version", FORMS)
@pytest.mark.parametrize("field", COUNTS)
def test_a_count_or_length_of_at_most_2_to_the_30(field: str, version: str) -> None:
    """A larger one is refused where it is; this one, after it, since the file is smaller."""
    form, case = FORMS[version], CASES[f"refused/{field}-negative-{version}"]
    start, path = case.verdict["offset"], case.verdict["path"]
    end = start + form.width
    too_large = refusal(case.data[:start] + form.length(LIMIT + 1) + case.data[end:])
    assert (type(too_large), too_large.offset, too_large.path) == (FormatError, start, path)
    assert f" is {LIMIT + 1}, expected at most {LIMIT}" in str(too_large)
    cut_off = refusal(case.data[:start] + form.length(LIMIT) + case.data[end:])
    assert (type(cut_off), cut_off.offset) == (TruncatedError, end + form.width * (field == "tensors"))


def one_of_each(form: Form) -> bytes:
    """Return a header with nested arrays of strings and numbers, and a tensor."""
    inner = form.array(STRING, 1, form.string(b"abc")) + form.array(INT32, 2, bytes(8))
    return form.header([form.key_value(ARRAY, form.array(ARRAY, 2, inner))], [form.tensor((2, 3))])


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_header_that_is_cut_off_anywhere(form: Form) -> None:
    """The error names the field that is cut off, or the list in which not even the first item fits."""
    data = one_of_each(form)
    for field in kaitai_gguf.explain(data):
        for cut in range(max(field.start, form.first), field.end):
            error = refusal(data[:cut])
            assert type(error) is TruncatedError
            assert field.path.startswith(error.path)
            assert error.offset == field.start or (error.path in LISTS and error.offset <= cut)


def test_keys_and_names() -> None:
    metadata = [key_value(UINT8, bytes([number]), key) for number, key in enumerate(NAMES)]
    tensors = [tensor((1,), I8, 32 * number, name) for number, name in enumerate(NAMES)]
    model = kaitai_gguf.open(file(metadata, tensors, bytes(32 * len(NAMES))))
    for names in (model.metadata, model.tensors):
        assert [name.encode("utf-8", "surrogateescape") for name in names] == NAMES
    assert list(model.metadata.values()) == list(range(len(NAMES)))
    assert [each.offset for each in model.tensors.values()] == list(range(0, 32 * len(NAMES), 32))


DEEPEST: list[object] = [7]
for _ in range(127):
    DEEPEST = [DEEPEST]


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (array(BOOL, 5, b"\x00\x01\x02\x80\xff"), [False, True, True, True, True]),
        *((array(element_type, 0), []) for element_type in range(13)),
        (array(ARRAY, 200, array(ARRAY, 1, array(UINT8, 0)) * 200), [[[]]] * 200),  # levels of siblings do not add up
        (array(ARRAY, 1) * 127 + array(UINT8, 1, b"\x07"), DEEPEST),
    ],
)
def test_arrays(value: bytes, expected: list[object]) -> None:
    model = kaitai_gguf.open(file([key_value(ARRAY, value)]))
    touch(model)
    assert model.metadata["k"].tolist() == expected


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
    (long,) = kaitai_gguf.open(file(tensors=[tensor((4,), type_id, name=b"n" * 10_000)])).tensors.values()
    with pytest.raises(TensorDataError) as caught:
        _ = long.data
    assert len(str(caught.value)) < 300
