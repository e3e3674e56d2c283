"""The oracle: the official compiler's parser, which reads everything."""

from typing import Any

from kaitai_gguf_schema.gguf import Gguf
from kaitaistruct import KaitaiStructError

MAX_DEPTH = 128  # -max-depth in gguf.ksy, which the official compiler ignores


class Refused(Exception):
    """The generated parser refused the bytes."""


def parse(data: bytes) -> dict[str, Any]:
    """Return the whole header, with strings as bytes and arrays as (element type, elements)."""
    try:
        root = Gguf.from_bytes(data)
    except (KaitaiStructError, EOFError, ValueError) as error:
        raise Refused from error
    key_values = [
        (item.key.data, item.value_type.name, _value(root, item.value_type, item.value)) for item in root.body.metadata
    ]
    tensors = [
        (item.name.data, tuple(dim.value for dim in item.dims), item.type_id, item.ofs_data)
        for item in root.body.tensors
    ]
    return {
        "version": root.version,
        "is_be": root.is_be,
        "metadata": key_values,
        "tensors": tensors,
        "end": root._io.pos(),
    }


def _value(root: Gguf, value_type: Gguf.ValueType, value: Any, depth: int = 1) -> Any:
    if value_type == Gguf.ValueType.string:
        return value.data
    if value_type == Gguf.ValueType.array:
        if depth > MAX_DEPTH:
            raise Refused
        return value.element_type.name, _elements(root, value, depth)
    return value.value


def _elements(root: Gguf, array: Any, depth: int) -> Any:
    if array.element_type in (Gguf.ValueType.string, Gguf.ValueType.array):
        return [_value(root, array.element_type, item, depth + 1) for item in array.elements.items]
    return array.elements.data
