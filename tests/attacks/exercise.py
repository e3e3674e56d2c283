"""Run every operation of the package on a file. Whatever the file contains, only a `GGUFError` may be raised."""

import io
import json
from contextlib import suppress
from typing import Any
from zlib import crc32

import kaitai_gguf
from kaitai_gguf import FormatError, GGUFError, NestedArray, StringArray
from kaitai_gguf.cli import canonical

LARGE = 1 << 20  # bytes: larger tensor data is not read


def exercise(data: bytes) -> bool:
    """Return whether the file opens. Exceptions other than `GGUFError` are not caught."""
    error = None
    try:
        use(kaitai_gguf.open(data))
    except FormatError as refusal:
        error = refusal
        assert 0 <= error.offset <= len(data)
        assert error.path.startswith("/")
        assert str(error).isprintable()
    check(data, error)
    explain(data, error)
    return error is None


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
    end, refusal = 0, None
    try:
        for field in kaitai_gguf.explain(data):
            assert end == field.start <= field.end, field
            end = field.end
    except FormatError as raised:
        refusal = raised
    assert repr(refusal) == repr(error)
    assert end == (len(data) if error is None else error.offset)
    at = crc32(data) % (len(data) + 1)  # an arbitrary byte, the same for the same file
    with suppress(GGUFError):
        assert all(field.start <= at < field.end for field in kaitai_gguf.explain(data, at))


def touch(model: kaitai_gguf.GGUFFile) -> None:
    """Read everything in the model. Exceptions other than `GGUFError` are not caught."""
    repr(model)
    for key in model.metadata:
        with suppress(GGUFError):
            entry, value, raw = model.metadata.entry(key), model.metadata[key], model.metadata.raw(key)
            assert 0 <= entry.span[0] < entry.value_span[0] <= entry.span[1] <= model.nbytes
            assert len(raw) == entry.value_span[1] - entry.value_span[0]
            if isinstance(value, str):
                assert value.encode("utf-8", "surrogateescape") == raw
            elif not isinstance(value, int | float):
                assert value.tobytes() == raw
                touch_array(value)
    for tensor in model.tensors.values():
        repr(tensor)
        for view in ("data", "blocks"):
            with suppress(GGUFError):
                assert getattr(tensor, view).nbytes == tensor.nbytes
    assert model.tensors.data_nbytes >= 0


def touch_array(array: Any) -> None:
    assert len(array.tolist()) == len(array)
    repr(array)
    while isinstance(array, NestedArray) and len(array):
        array = array[-1]
    if isinstance(array, StringArray):
        raw = [array.raw(index) for index in range(len(array))]
        assert raw == [item.encode("utf-8", "surrogateescape") for item in array]
