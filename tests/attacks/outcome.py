"""Functions that open a file, and read everything in a model."""

from contextlib import suppress
from typing import Any

import kaitai_gguf
from kaitai_gguf import GGUFError, NestedArray, StringArray


def tensor_of(data: bytes, name: str = "t") -> kaitai_gguf.Tensor:
    return kaitai_gguf.open(data).tensors[name]


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
