"""Deeply nested arrays."""

import pytest
from support.gguf_bytes import ARRAY, FORMS, STRING, UINT8, V3, Form

import kaitai_gguf
from attacks.outcome import refused, touch

DEEPEST = 128


def nested(levels: int, form: Form = V3, core: bytes | None = None) -> bytes:
    """Build `levels` nested arrays of one element each; the innermost is `core`."""
    last = form.array(UINT8, 1, b"\x07") if core is None else core
    return form.file([form.key_value(ARRAY, form.array(ARRAY, 1) * (levels - 1) + last)])


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_128_levels_open(form: Form) -> None:
    model = kaitai_gguf.open(nested(DEEPEST, form))
    value = model.metadata["k"].tolist()
    for _ in range(DEEPEST - 1):
        (value,) = value
    assert value == [7]
    touch(model)


@pytest.mark.parametrize("levels", [129, 100_000])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_more_are_refused(form: Form, levels: int) -> None:
    position = form.first + form.width + 5 + DEEPEST * (4 + form.width)
    path = "/metadata/0/value" + "/elements/0" * DEEPEST
    refused(nested(levels, form), position, path, "is nested more than 128 levels deep")


def test_the_limit_holds_for_an_empty_innermost_array() -> None:
    touch(kaitai_gguf.open(nested(DEEPEST, core=V3.array(ARRAY, 0))))


def test_siblings_do_not_add_up() -> None:
    rows = V3.array(ARRAY, 1, V3.array(UINT8, 0)) * 200
    model = kaitai_gguf.open(V3.file([V3.key_value(ARRAY, V3.array(ARRAY, 200, rows))]))
    assert model.metadata["k"].tolist() == [[[]]] * 200


def test_many_empty_arrays() -> None:
    model = kaitai_gguf.open(V3.file([V3.key_value(ARRAY, V3.array(ARRAY, 50_000, V3.array(STRING, 0) * 50_000))]))
    assert model.metadata["k"].tolist() == [[]] * 50_000


def test_a_count_too_large_in_the_deepest() -> None:
    data = nested(DEEPEST, core=V3.array(UINT8, 2**63))
    position = V3.first + 13 + (DEEPEST - 1) * 12 + 4
    path = "/metadata/0/value" + "/elements/0" * (DEEPEST - 1) + "/num_elements"
    refused(data, position, path, f"is {2**63}, expected at most")


def test_an_element_type_that_there_is_not_in_the_deepest() -> None:
    data = nested(DEEPEST, core=V3.array(13, 0))
    path = "/metadata/0/value" + "/elements/0" * (DEEPEST - 1) + "/element_type"
    refused(data, V3.first + 13 + (DEEPEST - 1) * 12, path, "is 13, expected a value_type")
