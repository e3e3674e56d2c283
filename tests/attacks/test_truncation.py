"""Headers truncated after every byte."""

from pathlib import Path

import pytest
from support.gguf_bytes import F32, FORMS, INT32, STRING, Form, file, header, tensor

import kaitai_gguf
from attacks.outcome import refused, tensor_of
from kaitai_gguf import MissingDataError, TruncatedError

MODELS = Path(__file__).parents[1] / "data" / "models"
WHOLE = {"v1": 1376, "nested-arrays": 1504}  # where the tensor data starts


def cut_errors(data: bytes, end: int) -> list[TruncatedError]:
    errors = []
    for size in range(end):
        with pytest.raises(TruncatedError) as caught:
            kaitai_gguf.open(data[:size])
        errors.append(caught.value)
    return errors


def header_end(data: bytes, data_offset: int) -> int:
    """Return the smallest size that opens. The header ends there; its last field, 0, looks like padding."""
    return next(size for size in range(data_offset - 31, data_offset + 1) if opens(data[:size]))


def opens(data: bytes) -> bool:
    try:
        return bool(kaitai_gguf.open(data).tensors)
    except TruncatedError:
        return False


@pytest.mark.parametrize("name", WHOLE)
def test_every_cut_is_refused_where_it_is(name: str) -> None:
    data = (MODELS / f"{name}.gguf").read_bytes()
    errors = cut_errors(data, header_end(data, WHOLE[name]))
    offsets = [error.offset for error in errors]
    assert offsets == sorted(offsets)
    assert all(offset <= size for size, offset in enumerate(offsets))
    assert all(error.path.startswith("/") for error in errors)
    assert all("end" in str(error) or "cut off" in str(error) or "empty" in str(error) for error in errors)


@pytest.mark.parametrize("name", WHOLE)
def test_every_cut_after_the_header_opens(name: str) -> None:
    data = (MODELS / f"{name}.gguf").read_bytes()
    for size in range(header_end(data, WHOLE[name]), len(data)):
        with kaitai_gguf.open(data[:size]) as model:
            assert model.data_offset == WHOLE[name]
            *_, last = model.tensors.values()
            whole = last.position + (last.nbytes or 0) <= size
            if whole:
                assert last.data.nbytes == last.nbytes
            else:
                with pytest.raises(MissingDataError, match=last.name):
                    _ = last.data


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
    assert len(data) % 32
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


def test_no_byte_is_missing_when_the_last_is_there() -> None:
    assert tensor_of(file(tensors=[tensor((4,))], data=bytes(16))).data.shape == (4,)


def test_a_file_cut_in_the_fixed_part_of_a_nested_list() -> None:
    refused(
        one_of_each(FORMS["v3"])[:60],
        49,
        "/metadata/0/value/elements",
        "needs 24 bytes, and 11 are left",
        TruncatedError,
    )
