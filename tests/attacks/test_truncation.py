"""Headers truncated after every byte, and data that is missing."""

import pytest
from support.gguf_bytes import F32, FORMS, INT32, STRING, Form, file, header, tensor

import kaitai_gguf
from attacks.outcome import tensor_of
from kaitai_gguf import MissingDataError, TruncatedError


def fields(form: Form) -> list[tuple[int, str]]:
    """Return the size and path of each field of `one_of_each` after the fixed part of the header."""
    width, value, info = form.width, "/metadata/0/value", "/tensors/0"
    return [
        (width, "/metadata/0/key/len_data"),
        (1, "/metadata/0/key/data"),
        (4, "/metadata/0/value_type"),
        (4, f"{value}/element_type"),
        (width, f"{value}/num_elements"),
        (4, f"{value}/elements/0/element_type"),
        (width, f"{value}/elements/0/num_elements"),
        (width, f"{value}/elements/0/elements/0/len_data"),
        (3, f"{value}/elements/0/elements/0/data"),
        (4, f"{value}/elements/1/element_type"),
        (width, f"{value}/elements/1/num_elements"),
        (8, f"{value}/elements/1/elements"),
        (width, f"{info}/name/len_data"),
        (1, f"{info}/name/data"),
        (4, f"{info}/num_dims"),
        (2 * width, f"{info}/dims"),
        (4, f"{info}/type_id"),
        (8, f"{info}/ofs_data"),
    ]


def one_of_each(form: Form) -> bytes:
    inner = form.array(STRING, 1, form.string(b"abc")) + form.array(INT32, 2, bytes(8))
    metadata = [form.key_value(9, form.array(9, 2, inner))]
    return form.header(metadata, [form.tensor((2, 3), F32)])


def room(form: Form) -> dict[str, int]:
    """Return the number of bytes that must follow before the first item of a list is read."""
    width = form.width
    return {
        "/metadata": width + 4,
        "/metadata/0/value/elements": 2 * (4 + width),
        "/metadata/0/value/elements/0/elements": width,
        "/tensors": width + 16,
    }


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_each_field_is_named_when_it_is_cut(form: Form) -> None:
    data = one_of_each(form)
    start = form.first
    for size, path in fields(form):
        for cut in range(start, start + size):
            with pytest.raises(TruncatedError) as caught:
                kaitai_gguf.open(data[:cut])
            error = caught.value
            if error.path in room(form):
                assert cut < error.offset + room(form)[error.path]
                assert path.startswith(error.path)
            else:
                assert (error.path, error.offset) == (path, start)
        start += size
    assert start == len(data)


def test_a_header_without_its_padding_opens() -> None:
    data = header(tensors=[tensor()])
    with pytest.raises(MissingDataError, match="tensor 't': its data is not in the file"):
        _ = tensor_of(data).data


@pytest.mark.parametrize("size", [0, 1, 15])
def test_missing_data_leaves_the_rest_in_reach(size: int) -> None:
    tensors = [tensor((4,)), tensor((4,), offset=32, name=b"u")]
    with kaitai_gguf.open(file(tensors=tensors, data=bytes(32 + size))) as model:
        assert model.tensors["t"].data.shape == (4,)
        for view in ("data", "blocks"):
            with pytest.raises(MissingDataError, match=r"tensor 'u'.* 0x80 to 0x90 are needed, but the file ends at"):
                getattr(model.tensors["u"], view)
