"""The canonical JSON of a file. Parsers in every language can print it, so their results can be compared."""

import math
import re
from binascii import a2b_base64, b2a_base64
from typing import Any

from kaitai_gguf import GGUFFile, NestedArray, StringArray, Tensor, ValueType
from kaitai_gguf.decimals import shortest
from kaitai_gguf.text import decode, encode

_NOT_UTF8 = re.compile("[\ud800-\udfff]")  # bytes that are not UTF-8 are decoded as lone surrogates

SHORT = 64  # elements: longer arrays are given as their count and SHA-256, unless in full


def document(model: GGUFFile, full: bool) -> dict[str, Any]:
    facts = {name: getattr(model, name) for name in ("version", "byte_order", "alignment", "data_offset")}
    metadata = [key_value(model, key, full) for key in model.metadata]
    return facts | {"metadata": metadata, "tensors": [tensor_info(tensor) for tensor in model.tensors.values()]}


def tensor_info(tensor: Tensor) -> dict[str, Any]:
    return {
        "name": text(tensor.name),
        "dims": list(tensor.dims),
        "type": tensor.type.name if tensor.type is not None else None,
        "type_id": tensor.type_id,
        "offset": tensor.offset,
        "nbytes": tensor.nbytes,
    }


def tensor_row(tensor: Tensor) -> dict[str, Any]:
    """Return the facts about a tensor that a dump has, with its block and role."""
    return tensor_info(tensor) | {"block": tensor.block, "role": text(tensor.role)}


def key_value(model: GGUFFile, key: str, full: bool) -> dict[str, Any]:
    return {"key": text(key)} | typed_value(model, key, full)


def typed_value(model: GGUFFile, key: str, full: bool = False) -> dict[str, Any]:
    type, value = model.metadata.entry(key).value_type, model.metadata[key]
    row: dict[str, Any] = {"type": str(type)}
    if isinstance(value, str):
        return row | {"value": text(value)}
    if isinstance(value, int | float):
        return row | {"value": number(shortest(value) if type is ValueType.FLOAT32 else value)}
    return row | array(value, full)


def array(value: Any, full: bool) -> dict[str, Any]:
    """Return an array with its element type and count."""
    is_lazy = isinstance(value, StringArray | NestedArray)
    type = value.element_type if is_lazy else ValueType[value.dtype.name.upper()]
    row = {"element_type": str(type), "count": len(value)}
    if len(value) > SHORT and not full:
        import hashlib  # most commands show no array

        return row | {"value": {"count": len(value), "sha256": hashlib.sha256(value.tobytes()).hexdigest()}}
    return row | {"value": elements(value, full)}


def elements(value: Any, full: bool = False) -> list[Any]:
    if isinstance(value, StringArray):
        return [text(item) for item in value]
    if isinstance(value, NestedArray):
        return [array(item, full) for item in value]
    return [number(item) for item in (map(shortest, value) if value.dtype.name == "float32" else value.tolist())]


def text(value: str) -> str | dict[str, str]:
    """Return a string unchanged, or its bytes in base64 if they are not UTF-8."""
    if value.isascii() or not _NOT_UTF8.search(value):
        return value
    return {"base64": b2a_base64(encode(value), newline=False).decode("ascii")}


def number(value: float | None) -> int | float | str | None:
    """Return a number unchanged; "NaN", "Infinity" or "-Infinity" for values that JSON lacks."""
    if isinstance(value, float) and not math.isfinite(value):
        return "NaN" if math.isnan(value) else "Infinity" if value > 0 else "-Infinity"
    return value


def parsed_text(document: str | dict[str, str]) -> str:
    """Return the string for a result of `text`."""
    return document if isinstance(document, str) else decode(a2b_base64(document["base64"], strict_mode=True))
