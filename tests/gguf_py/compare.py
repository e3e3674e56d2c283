"""Compare two readers of the same file, attribute by attribute."""

from typing import Any

import numpy as np


def assert_same(theirs: Any, ours: Any) -> int:
    """Assert that two readers have the same attributes. Return the number of fields and tensors compared."""
    for name in ("byte_order", "endianess", "alignment", "data_offset", "gguf_scalar_to_np"):
        assert getattr(theirs, name) == getattr(ours, name), name
    assert type(theirs.endianess) is type(ours.endianess)
    assert_same_array(theirs.data, ours.data)
    assert isinstance(ours.data, np.memmap)
    assert list(theirs.fields) == list(ours.fields)
    for key, field in theirs.fields.items():
        assert_same_field(field, ours.fields[key])
        assert ours.get_field(key) is ours.fields[key]
    assert type(ours.tensors) is list
    assert len(theirs.tensors) == len(ours.tensors)
    for number, tensor in enumerate(theirs.tensors):
        assert_same_tensor(tensor, ours.tensors[number])
        assert ours.get_tensor(number) is ours.tensors[number]
    return len(theirs.fields) + len(theirs.tensors)


def assert_same_field(theirs: Any, ours: Any) -> None:
    assert (theirs.offset, theirs.name) == (ours.offset, ours.name)
    assert type(ours.types) is list
    assert [(type(each), each) for each in theirs.types] == [(type(each), each) for each in ours.types]
    assert theirs.data == ours.data
    assert ours.data == theirs.data
    assert list(ours.data) == theirs.data
    assert len(theirs.parts) == len(ours.parts)
    for number, (one, iterated) in enumerate(zip(theirs.parts, ours.parts, strict=True)):
        assert_same_array(one, iterated)
        assert_same_array(one, ours.parts[number])
        assert_same_array(one, ours.parts[number - len(ours.parts)])
    for index in (slice(None), slice(6), slice(-2, None), slice(None, None, -2), 0, -1, 2):
        assert outcome(theirs.contents, index) == outcome(ours.contents, index), index


def assert_same_tensor(theirs: Any, ours: Any) -> None:
    assert theirs.name == ours.name
    assert theirs.tensor_type is ours.tensor_type
    assert_same_array(theirs.shape, ours.shape)
    for name in ("n_elements", "n_bytes", "data_offset"):
        assert getattr(theirs, name) == getattr(ours, name), name
    assert_same_array(theirs.data, ours.data)
    assert_same_field(theirs.field, ours.field)


def assert_same_array(theirs: Any, ours: Any) -> None:
    assert isinstance(ours, np.ndarray)
    assert (theirs.dtype, theirs.shape, theirs.strides) == (ours.dtype, ours.shape, ours.strides)
    assert theirs.dtype.byteorder == ours.dtype.byteorder
    assert theirs.flags.writeable == ours.flags.writeable
    assert theirs.tobytes() == ours.tobytes()


def outcome(function: Any, *arguments: Any) -> str:
    """Return the repr of what a function returns, so that NaNs compare equal, or the name of its exception."""
    try:
        return repr(function(*arguments))
    except Exception as error:
        return type(error).__name__
