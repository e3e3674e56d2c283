"""Headers as bytes, compared with the official compiler's read-write classes and with bytes built by hand."""

import struct
from io import BytesIO
from typing import Any

import numpy as np
import pytest
from hypothesis import given, strategies as st
from kaitai_gguf_schema.read_write.gguf import Gguf
from kaitaistruct import KaitaiStream
from support.gguf_bytes import CODES, Model
from support.strategies import models

from kaitai_gguf import ValueType, WriteError
from kaitai_gguf.schema.writing import ArrayItem, Scalar, Serializer


def serialized(model: Model) -> bytes:
    serializer = Serializer(model.version, model.byte_order)
    key_values = [
        serializer.key_value(raw(key), ValueType[type.upper()], serializer.value(item(model, type, value)))
        for key, type, value in model.metadata
    ]
    infos = [serializer.tensor_info(raw(each.name), each.dims, each.type_id, each.offset) for each in model.tensors]
    return b"".join(serializer.header(key_values, infos))


def item(model: Model, type: str, value: Any) -> Scalar | ArrayItem:
    if type == "string":
        return Scalar(ValueType.STRING, raw(value))
    order = "<" if model.byte_order == "little" else ">"
    if type != "array":
        return Scalar(ValueType[type.upper()], struct.pack(order + CODES[type], value))
    element_type = ValueType[value.type.upper()]
    if value.type == "array":
        return ArrayItem(element_type, len(value.items), [item(model, "array", each) for each in value.items])
    if value.type == "string":
        return ArrayItem(element_type, len(value.items), [raw(each) for each in value.items])
    return ArrayItem(element_type, len(value.items), np.array(value.items, order + CODES[value.type]).tobytes())


def raw(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")


@given(models())
def test_the_generated_serializer_writes_the_same(model: Model) -> None:
    """The generated serializer writes the same bytes as ours."""
    header = serialized(model)
    assert header == model.header()
    theirs = Gguf(KaitaiStream(BytesIO(header)))
    theirs._read()
    stream = KaitaiStream(BytesIO(bytes(len(header))))
    theirs.version_le__enabled = theirs.version_be__enabled = False
    theirs._check()
    theirs._write(stream)
    assert stream.to_byte_array() == header


@given(st.lists(st.binary(max_size=40), max_size=60), st.sampled_from([1, 2, 3]), st.booleans())
def test_strings_joined(strings: list[bytes], version: int, is_big_endian: bool) -> None:
    serializer = Serializer(version, "big" if is_big_endian else "little")
    joined = serializer.value(ArrayItem(ValueType.STRING, len(strings), strings))
    each = [serializer.value(Scalar(ValueType.STRING, string)) for string in strings]
    empty = serializer.value(ArrayItem(ValueType.STRING, 0, []))
    count = serializer.value(Scalar(ValueType.STRING, bytes(len(strings))))[: -len(strings) or None]
    assert joined == empty[:4] + count + b"".join(each)


@pytest.mark.parametrize("version", [1, 2, 3])
def test_a_length_that_no_reader_takes(version: int) -> None:
    class Long(bytes):
        def __len__(self) -> int:
            return 2**30 + 1

    with pytest.raises(WriteError, match="len_data is 1073741825, expected at most 1073741824"):
        Serializer(version, "little").value(Scalar(ValueType.STRING, Long()))


def test_a_tensor_of_five_dims() -> None:
    with pytest.raises(WriteError, match="num_dims is 5, expected at most 4"):
        Serializer(3, "little").tensor_info(b"x", (1,) * 5, 0, 0)
