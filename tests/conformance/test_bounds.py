"""Impossible sizes raise an ordinary error in each language, quickly and in little memory."""

import pytest
from support.gguf_bytes import ARRAY, STRING, UINT8, UINT64, V3
from toolchains import Language, refusals

HUGE = 2**60
LIMIT = 2**30  # of the schema

# Files of a few bytes, so a parser reads little before the error.
REFUSED = {
    "tensors": V3.header(num_tensors=HUGE),
    "key-values": V3.header(num_metadata=HUGE),
    "string": V3.header([V3.key_value(STRING, V3.string(b"v", HUGE))]),
    "array": V3.header([V3.key_value(ARRAY, V3.array(UINT8, HUGE))]),
    "array-past-64-bits": V3.header([V3.key_value(ARRAY, V3.array(UINT64, 2**61))]),
    "array-of-strings": V3.header([V3.key_value(ARRAY, V3.array(STRING, HUGE, V3.string(b"v")))]),
    "array-of-arrays": V3.header([V3.key_value(ARRAY, V3.array(ARRAY, HUGE, V3.array(UINT8, 0)))]),
    "dims": V3.header(tensors=[V3.string(b"t") + V3.u4(2**32 - 1) + V3.u8(1) * 8]),
}
CUT_OFF = {
    "tensors": V3.header(num_tensors=LIMIT),
    "key-values": V3.header(num_metadata=LIMIT),
    "string": V3.header([V3.key_value(STRING, V3.string(b"v", LIMIT))]),
    "array": V3.header([V3.key_value(ARRAY, V3.array(UINT64, LIMIT // 8))]),
    "array-past-32-bits": V3.header([V3.key_value(ARRAY, V3.array(UINT64, LIMIT // 2))]),
    "array-of-strings": V3.header([V3.key_value(ARRAY, V3.array(STRING, LIMIT, V3.string(b"v")))]),
    "array-of-arrays": V3.header([V3.key_value(ARRAY, V3.array(ARRAY, LIMIT, V3.array(UINT8, 0)))]),
}

# The error of each language for an invalid number, and for the end of the file.
INVALID = {
    "python": "ValidationGreaterThanError",
    "javascript": "ValidationGreaterThanError",
    "go": "validation failed: not in range, max",
    "java": "ValidationGreaterThanError",
}
ENDED = {
    "python": "requested",
    "javascript": "requested",
    "go": "EOF",
    "java": "BufferUnderflowException",
}


@pytest.fixture(scope="module")
def errors(language: Language, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the errors of one process that is given all these files."""
    files = {f"refused-{name}": data for name, data in REFUSED.items()}
    files |= {f"cut-off-{name}": data for name, data in CUT_OFF.items()}
    return refusals(language.limited, files, tmp_path_factory.mktemp("huge"))


@pytest.mark.parametrize("name", REFUSED)
def test_a_count_that_no_file_has(language: Language, name: str, errors: dict[str, str]) -> None:
    assert INVALID[language.name] in errors[f"refused-{name}"]


@pytest.mark.parametrize("name", CUT_OFF)
def test_a_count_that_this_file_does_not_have(language: Language, name: str, errors: dict[str, str]) -> None:
    assert ENDED[language.name] in errors[f"cut-off-{name}"]
