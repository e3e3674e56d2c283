"""Return the result of explain() for a file, and check that it is complete."""

from pathlib import Path
from typing import Any

import pytest
from support.gguf_bytes import CODES, F32, Q4_0, Array, Form, Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import Field, FormatError, explain

MODELS = sorted((Path(__file__).parents[1] / "data" / "models").glob("*.gguf"))
SMALL = ["v1", "nested-arrays"]
models = pytest.mark.parametrize("path", MODELS, ids=lambda path: path.stem)

FLAT = [Array(type, [1] * count) for type in CODES if type not in ("string", "array") for count in (0, 3, 5)]
TEXTS = [Array("string", ["x" * number for number in range(count)]) for count in (0, 1, 4, 40)]
VALUES = [
    *((type, 1) for type in CODES if type not in ("string", "array")),
    *(("string", text) for text in ("", "é\t", b"\xff")),
    *(("array", each) for each in (*FLAT, *TEXTS, Array("array", []), Array("array", [*TEXTS, *FLAT[:5]]))),
]


def of_every_kind(form: Form) -> bytes:
    """Return a file with all types of values, and with tensors of all numbers of dims."""
    metadata = [(f"k.{number}", type, value) for number, (type, value) in enumerate(VALUES)]
    tensors = [
        TensorSpec(f"t.{number}", (32, 2, 1, 1)[:number], Q4_0 if number == 2 else F32, 256 * number)
        for number in range(5)
    ]
    return Model(metadata, tensors, version=form.version, byte_order=form.byte_order).build()


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
    assert repr(error) == repr(expected)
    assert error is None or expected is None or (error.offset, error.path) == (expected.offset, expected.path)
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
