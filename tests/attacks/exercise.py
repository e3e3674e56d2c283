"""Run every operation of the package on a file. Whatever the file contains, only a `GGUFError` may be raised."""

import io
import json
from collections.abc import Callable
from contextlib import suppress
from typing import TypeVar
from zlib import crc32

import kaitai_gguf
from attacks.outcome import touch
from kaitai_gguf import FormatError, GGUFError
from kaitai_gguf.cli import canonical

T = TypeVar("T")

LARGE = 1 << 20  # bytes: larger tensor data is not read


def exercise(data: bytes) -> bool:
    """Return whether the file opens. Exceptions other than `GGUFError` are not caught."""
    model, error = outcome(lambda: kaitai_gguf.open(data))
    if error is not None:
        assert 0 <= error.offset <= len(data)
        assert error.path.startswith("/")
        assert str(error).isprintable()
    if model is not None:
        use(model)
    check(data, error)
    explain(data, error)
    return error is None


def outcome(action: Callable[[], T]) -> tuple[T | None, FormatError | None]:
    """Return the result of the action, or the error that refuses the file."""
    try:
        return action(), None
    except FormatError as error:
        return None, error


def use(model: kaitai_gguf.GGUFFile) -> None:
    touch(model)
    for tensor in model.tensors.values():
        with suppress(GGUFError):
            if (tensor.nbytes or 0) < LARGE and tensor.n_elements < LARGE:
                assert tensor.dequantize().shape == tensor.shape
    json.dumps(canonical.document(model, full=True), allow_nan=False)
    if model.data_offset + model.tensors.data_nbytes < LARGE:
        with suppress(GGUFError):
            kaitai_gguf.write(io.BytesIO(), model.metadata, model.tensors, alignment=model.alignment)


def check(data: bytes, error: FormatError | None) -> None:
    findings = kaitai_gguf.check(data, deep=len(data) < LARGE)
    for finding in findings:
        assert finding.offset >= 0  # it may be beyond the end: that is where a missing item would be
        assert finding.path.startswith("/")
        assert finding.message
    if error is not None:
        assert any(finding.severity == "error" for finding in findings), error


def explain(data: bytes, error: FormatError | None) -> None:
    """Check that the fields are contiguous up to the end of the file, or to the byte of the error."""
    end = 0

    def walk() -> None:
        nonlocal end
        for field in kaitai_gguf.explain(data):
            assert end == field.start <= field.end, field
            end = field.end

    _, refusal = outcome(walk)
    assert repr(refusal) == repr(error)
    assert end == (len(data) if error is None else error.offset)
    at = crc32(data) % (len(data) + 1)  # an arbitrary byte, the same for the same file
    with suppress(GGUFError):
        assert all(field.start <= at < field.end for field in kaitai_gguf.explain(data, at))
