"""Return the result of explain() for a file, and check that it is complete."""

from pathlib import Path
from typing import Any

import pytest

import kaitai_gguf
from kaitai_gguf import Field, FormatError, explain
from kaitai_gguf.schema.positions import Place, Positions

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
SMALL = ["v1", "nested-arrays"]
models = pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)


def shown(data: bytes, **options: Any) -> tuple[list[Field], FormatError | None]:
    """Return the fields, and the error that ended them, if any."""
    fields: list[Field] = []
    try:
        for field in explain(data, **options):
            fields.append(field)  # not list(): keeps the fields before an error
    except FormatError as error:
        return fields, error
    return fields, None


def opened(data: bytes) -> FormatError | None:
    try:
        kaitai_gguf.open(data)
    except FormatError as error:
        return error
    return None


def tiles(data: bytes, **options: Any) -> list[Field]:
    """Assert that the fields are contiguous, from the first byte to the last or to the byte of the error."""
    fields, error = shown(data, **options)
    expected = opened(data)
    assert (error and (type(error), error.offset, error.path, str(error))) == (
        expected and (type(expected), expected.offset, expected.path, str(expected))
    )
    position = 0
    for field in fields:
        assert field.start == position <= field.end
        assert field.head == data[field.start : min(field.end, field.start + 16)]
        position = field.end
    assert position == (error.offset if error else len(data))
    return fields


def one(data: bytes, path: str) -> Field:
    (field,) = explain(data, path=path)
    return field


def record_reads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return a list that gets the type of each item that is read with the generated classes."""
    types: list[str] = []
    read = Positions.read

    def recorded(self: Positions, type: str, start: int, end: int) -> tuple[Place, ...]:
        types.append(type)
        return read(self, type, start, end)

    monkeypatch.setattr(Positions, "read", recorded)
    return types
