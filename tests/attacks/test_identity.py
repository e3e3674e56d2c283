"""Files that are not GGUF, or of no version that there is."""

import pytest

from attacks.build import FORMS, Form
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


@pytest.mark.parametrize("number", [0, 4, 255, 0x0300, 0x10000, 0x0300_0003, 2**31, 2**32 - 1])
def test_a_version_that_there_is_not(number: int) -> None:
    shown = int.from_bytes(number.to_bytes(4, "little"), "big") if number & 0xFFFF == 0 else number
    refused(Form(number).header(), 4, "/version", f"version is {shown}, expected 1")


def test_a_big_endian_version_that_there_is_not() -> None:
    refused(Form(4, ">").header(), 4, "/version", "version is 4, expected 1")


@pytest.mark.parametrize(
    ("name", "size"), [(name, size) for name, form in FORMS.items() for size in range(4, form.first)]
)
def test_less_than_the_fixed_part(name: str, size: int) -> None:
    form = FORMS[name]
    starts = {4: "/version", 8: "/num_tensors", 8 + form.width: "/num_metadata"}
    offset = max(start for start in starts if start <= size)
    refused(form.header()[:size], offset, starts[offset], f"and {size - offset} are left", TruncatedError)
