"""GGUF files as bytes, built with `struct` only: they test the reader, so they must not share its code.

`Form` writes every number as given, valid or not. `Model` builds a whole file with it. In version 3, the first item
starts at byte 24. If it is a key-value with a key of one letter, the value type is at 33 and the value at 37. If it is
a tensor info with a name of one letter, the number of dims is at 33, the dims at 37, and after n dims the type is at
37 + 8n and the offset at 41 + 8n.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import pack
from typing import Any, Literal

UINT8, INT8, UINT16, INT16, UINT32, INT32, FLOAT32, BOOL, STRING, ARRAY, UINT64, INT64, FLOAT64 = range(13)
F32, F16, Q4_0, Q4_K, I8 = 0, 1, 2, 12, 24

TYPE_IDS = {
    "uint8": 0, "int8": 1, "uint16": 2, "int16": 3, "uint32": 4, "int32": 5, "float32": 6, "bool": 7,
    "string": 8, "array": 9, "uint64": 10, "int64": 11, "float64": 12,
}  # fmt: skip
CODES = {
    "uint8": "B", "int8": "b", "uint16": "H", "int16": "h", "uint32": "I", "int32": "i", "float32": "f", "bool": "B",
    "uint64": "Q", "int64": "q", "float64": "d",
}  # fmt: skip


@dataclass(frozen=True)
class Form:
    """A version and a byte order ("<" or ">")."""

    version: int = 3
    order: str = "<"

    @property
    def width(self) -> int:
        """Return the size of a length in bytes."""
        return 4 if self.version == 1 else 8

    @property
    def first(self) -> int:
        """Return the position of the first key-value or tensor info."""
        return 8 + 2 * self.width

    @property
    def byte_order(self) -> Literal["little", "big"]:
        return "little" if self.order == "<" else "big"

    def read(self, raw: bytes) -> int:
        return int.from_bytes(raw, self.byte_order)

    def u4(self, number: int) -> bytes:
        return pack(f"{self.order}I", number)

    def u8(self, number: int) -> bytes:
        return pack(f"{self.order}Q", number)

    def length(self, number: int) -> bytes:
        return self.u4(number) if self.version == 1 else self.u8(number)

    def string(self, data: bytes, length: int | None = None) -> bytes:
        return self.length(len(data) if length is None else length) + data

    def array(self, element_type: int, count: int, elements: bytes = b"") -> bytes:
        return self.u4(element_type) + self.length(count) + elements

    def key_value(self, value_type: int, value: bytes, key: bytes = b"k") -> bytes:
        return self.string(key) + self.u4(value_type) + value

    def tensor(self, dims: Sequence[int] = (1,), type_id: int = F32, offset: int = 0, name: bytes = b"t") -> bytes:
        start = self.string(name) + self.u4(len(dims)) + b"".join(map(self.length, dims))
        return start + self.u4(type_id) + self.u8(offset)

    def header(
        self,
        metadata: Sequence[bytes] = (),
        tensors: Sequence[bytes] = (),
        num_metadata: int | None = None,
        num_tensors: int | None = None,
    ) -> bytes:
        counts = self.length(len(tensors) if num_tensors is None else num_tensors)
        counts += self.length(len(metadata) if num_metadata is None else num_metadata)
        return b"GGUF" + self.u4(self.version) + counts + b"".join(metadata) + b"".join(tensors)

    def file(
        self, metadata: Sequence[bytes] = (), tensors: Sequence[bytes] = (), data: bytes = b"", alignment: int = 32
    ) -> bytes:
        start = self.header(metadata, tensors)
        return start + bytes(-len(start) % alignment) + data


V1, V2, V3, BIG_ENDIAN = Form(1), Form(2), Form(3), Form(3, ">")
FORMS = {"v1": V1, "v2": V2, "v3": V3, "big-endian": BIG_ENDIAN}

u4, u8, string, array = V3.u4, V3.u8, V3.string, V3.array
key_value, tensor, header, file = V3.key_value, V3.tensor, V3.header, V3.file


@dataclass
class Array:
    """An array value. `type` is the element type; if it is "array", the items are `Array`s."""

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
        form = Form(self.version, "<" if self.byte_order == "little" else ">")
        metadata = [
            form.key_value(TYPE_IDS[type], _value(form, type, value), _utf8(key)) for key, type, value in self.metadata
        ]
        tensors = [form.tensor(each.dims, each.type_id, each.offset, _utf8(each.name)) for each in self.tensors]
        return form.header(metadata, tensors)

    def build(self) -> bytes:
        header = self.header()
        return header + bytes(-len(header) % self.alignment) + self.data


def _value(form: Form, type: str, value: Any) -> bytes:
    if type == "string":
        return form.string(_utf8(value))
    if type == "array":
        elements = b"".join(_value(form, value.type, item) for item in value.items)
        return form.array(TYPE_IDS[value.type], len(value.items), elements)
    return pack(form.order + CODES[type], value)


def _utf8(text: str | bytes) -> bytes:
    return text if isinstance(text, bytes) else text.encode("utf-8", "surrogateescape")
