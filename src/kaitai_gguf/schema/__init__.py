"""The interface to the generated code. No other package imports generated code or kaitaistruct.

This is the layout in `schema/gguf.ksy`. All numbers are in the byte order of the file. Lengths and counts have 32 bits
in version 1, and 64 bits in later versions.

    magic "GGUF" · version u4 · number of tensors · number of key-values
    key-value    key (string) · value type (u4) · value
    array        element type (u4) · count · elements, which may be arrays
    string       length · bytes
    tensor info  name (string) · number of dims (u4) · dims · type (u4) · offset (u8)

| module | contents |
|---|---|
| `reader` | one header: its index, and tables of its items |
| `names` | items by name |
| `scanner` | the generated index and tables, compiled or in Python |
| `parsing` | whole headers, parsed with the generated classes |
| `writing` | headers as bytes, packed by generated functions |
| `refusal` | errors with offset and path for what the index refuses |
| `fields` | positions and values of the fields of single items, from the generated table of fields |
"""

from kaitai_gguf_schema.types import (
    BLOCKS,
    MAGIC,
    MAX_DEPTH,
    MAX_DIMS,
    REMOVED_TYPES,
    Block,
    Field,
    GGMLType,
    ValueType,
)

from kaitai_gguf.schema.reader import ArrayInfo, KeyValueTable, Reader, TensorTable
from kaitai_gguf.schema.scanner import Buffer, ByteOrder, IntArray

__all__ = [
    "BLOCKS",
    "MAGIC",
    "MAX_DEPTH",
    "MAX_DIMS",
    "REMOVED_TYPES",
    "ArrayInfo",
    "Block",
    "Buffer",
    "ByteOrder",
    "Field",
    "GGMLType",
    "IntArray",
    "KeyValueTable",
    "Reader",
    "TensorTable",
    "ValueType",
]
