"""GGUF files built with struct alone: what the reader is held against must not share its code."""

import struct
from dataclasses import dataclass, field
from typing import Any

TYPE_IDS = {
    "uint8": 0, "int8": 1, "uint16": 2, "int16": 3, "uint32": 4, "int32": 5, "float32": 6, "bool": 7,
    "string": 8, "array": 9, "uint64": 10, "int64": 11, "float64": 12,
}  # fmt: skip
CODES = {
    "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i", "float32": "f", "bool": "B",
    "uint64": "Q", "int64": "q", "float64": "d",
}  # fmt: skip


@dataclass
class Array:
    """An array value; `type` is that of its elements, which are `Array`s themselves if it is "array"."""

    type: str
    items: list[Any]


@dataclass
class TensorSpec:
    name: str | bytes
    dims: tuple[int, ...]
    type_id: int
    offset: int


@dataclass
class Model:
    metadata: list[tuple[str | bytes, str, Any]] = field(default_factory=list)
    tensors: list[TensorSpec] = field(default_factory=list)
    data: bytes = b""
    version: int = 3
    byte_order: str = "little"
    alignment: int = 32

    def header(self) -> bytes:
        end = "<" if self.byte_order == "little" else ">"
        length = "I" if self.version == 1 else "Q"

        def number(code: str, value: Any) -> bytes:
            return struct.pack(end + code, value)

        def string(value: str | bytes) -> bytes:
            data = value if isinstance(value, bytes) else value.encode("utf-8", "surrogateescape")
            return number(length, len(data)) + data

        def value_bytes(type: str, value: Any) -> bytes:
            if type == "string":
                return string(value)
            if type == "array":
                start = number("I", TYPE_IDS[value.type]) + number(length, len(value.items))
                return start + b"".join(value_bytes(value.type, item) for item in value.items)
            return number(CODES[type], value)

        parts = [b"GGUF", number("I", self.version), number(length, len(self.tensors))]
        parts.append(number(length, len(self.metadata)))
        for key, type, value in self.metadata:
            parts += [string(key), number("I", TYPE_IDS[type]), value_bytes(type, value)]
        for tensor in self.tensors:
            parts += [string(tensor.name), number("I", len(tensor.dims))]
            parts += [number(length, dim) for dim in tensor.dims]
            parts += [number("I", tensor.type_id), number("Q", tensor.offset)]
        return b"".join(parts)

    def build(self) -> bytes:
        header = self.header()
        return header + bytes(-len(header) % self.alignment) + self.data
