"""The parsers of all languages refuse the same files: with an ordinary error of the language, and in little memory."""

from pathlib import Path

import pytest
from attacks.corpus import CASES
from support import eager
from support.gguf_bytes import ARRAY, STRING, UINT64, V3
from toolchains import Language, refusals

LIMIT = 2**30  # of the schema
ENDED = {  # files of a few bytes, whose numbers the schema allows
    "tensors": V3.header(num_tensors=LIMIT),
    "key-values": V3.header(num_metadata=LIMIT),
    "text": V3.header([V3.key_value(STRING, V3.string(b"v", LIMIT))]),
    "array-past-32-bits": V3.header([V3.key_value(ARRAY, V3.array(UINT64, LIMIT // 2))]),
    "array-of-strings": V3.header([V3.key_value(ARRAY, V3.array(STRING, LIMIT, V3.string(b"v")))]),
    "array-of-arrays": V3.header([V3.key_value(ARRAY, V3.array(ARRAY, LIMIT, V3.array(STRING, 0)))]),
}
END_OF_FILE = {"python": "requested", "javascript": "requested", "go": "EOF", "java": "BufferUnderflowException"}
LEFT_OUT = (
    "refused/nested-1",  # only this project's own code has a limit on nesting
    "refused/array-wraps-32-bits", "refused/array-in-array-longer",  # Go allocates 4 GB for each before it reads
)  # fmt: skip


def is_refused(data: bytes) -> bool:
    """Return whether the generated parser in Python, which has no limit on nesting, refuses the data."""
    try:
        eager.parse(data)
    except eager.Refused:
        return True
    return False


def test_attacks(language: Language, tmp_path: Path) -> None:
    cases = {name.replace("/", "-"): case.data for name, case in CASES.items() if not name.startswith(LEFT_OUT)}
    refused = ENDED | {name: data for name, data in cases.items() if is_refused(data)}
    assert len(refused) > 150
    errors = refusals(language, refused, tmp_path)
    assert errors.keys() == refused.keys()
    assert [name for name in ENDED if END_OF_FILE[language.name] not in errors[name]] == []


@pytest.mark.parametrize("name", ["found/nothing-times-2-to-the-61", "opened/order-big-endian"])
def test_files_that_are_odd_but_valid(language: Language, name: str, tmp_path: Path) -> None:
    path = tmp_path / "valid.gguf"
    path.write_bytes(CASES[name].data)
    assert language.run(path).returncode == 0
