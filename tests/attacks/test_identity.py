"""Files that are not GGUF, or have an unknown version."""

import pytest
from support.gguf_bytes import FORMS, Form

from attacks.others import OTHERS
from attacks.outcome import refused
from kaitai_gguf import NotGGUFError, TruncatedError


@pytest.mark.parametrize("name", OTHERS)
def test_another_format_is_named(name: str) -> None:
    data, words = OTHERS[name]
    refused(data, 0, "/magic", words, NotGGUFError)


def test_an_empty_file() -> None:
    refused(b"", 0, "/magic", "the file is empty", TruncatedError)


@pytest.mark.parametrize("size", [1, 2, 3])
def test_a_part_of_the_magic(size: int) -> None:
    refused(b"GGUF"[:size], 0, "/magic", f"the file ends after {size} bytes", TruncatedError)


@pytest.mark.parametrize("number", [0, 4, 0x10000, 0x0300_0003, 2**32 - 1])
def test_a_version_that_there_is_not(number: int) -> None:
    shown = int.from_bytes(number.to_bytes(4, "little"), "big") if number & 0xFFFF == 0 else number
    refused(Form(number).header(), 4, "/version", f"version is {shown}, expected 1")


def test_a_big_endian_version_that_there_is_not() -> None:
    refused(Form(4, ">").header(), 4, "/version", "version is 4, expected 1")


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_less_than_the_fixed_part(form: Form) -> None:
    fields = [(4, 8, "/version"), (8, 8 + form.width, "/num_tensors"), (8 + form.width, form.first, "/num_metadata")]
    for start, end, path in fields:
        for size in range(start, end):
            refused(form.header()[:size], start, path, f"and {size - start} are left", TruncatedError)
