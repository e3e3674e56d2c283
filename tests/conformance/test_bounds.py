"""Impossible sizes raise an ordinary error in each language, quickly and in little memory."""

from pathlib import Path

import pytest
from support.gguf_bytes import ARRAY, STRING, UINT8, UINT64, V3
from toolchains import Language, run

HUGE = 2**60
LIMIT = 2**30  # of the schema
HANGS = 60  # seconds

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


def error(language: Language, data: bytes, directory: Path) -> str:
    path = directory / "huge.gguf"
    path.write_bytes(data)
    done = run(language.limited, path, timeout=HANGS)
    assert done.returncode in (1, 2), done.stderr
    assert not done.stdout
    return done.stderr


@pytest.mark.parametrize("data", REFUSED.values(), ids=REFUSED)
def test_a_count_that_no_file_has(language: Language, data: bytes, tmp_path: Path) -> None:
    assert INVALID[language.name] in error(language, data, tmp_path)


@pytest.mark.parametrize("data", CUT_OFF.values(), ids=CUT_OFF)
def test_a_count_that_this_file_does_not_have(language: Language, data: bytes, tmp_path: Path) -> None:
    assert ENDED[language.name] in error(language, data, tmp_path)
