"""What is generated from the schema, for the rest of the package: no other package imports it, or kaitaistruct.

The layout, as `schema/gguf.ksy` has it. All numbers are in the byte order of the file; a length or
count is 32 bits wide in version 1 and 64 since.

    magic "GGUF" · version u4 · number of tensors · number of key-values
    key-value    key (string) · value type (u4) · value
    array        element type (u4) · count · elements, which may be arrays
    string       length · bytes
    tensor info  name (string) · number of dims (u4) · dims · type (u4) · offset (u8)

| module | what is in it |
|---|---|
| `reader` | one header: its index, and the tables of what there is |
| `names` | items by number and by name |
| `scanner` | the derived index and tables, compiled or in Python |
| `items` | single values, read by the generated classes |
| `writing` | headers as bytes, written by the generated classes |
| `refusal` | what the index refuses, as errors with offset and path |
| `spans` | fields with their places, by the positions that the index gives |
| `positions` | fields with their places, read by the generated classes that remember them |
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

from kaitai_gguf.schema.names import Names, Pages
from kaitai_gguf.schema.reader import ArrayInfo, Handle, KeyValueTable, Reader, TensorTable
from kaitai_gguf.schema.scanner import Buffer, IntArray
from kaitai_gguf.schema.spans import array_spans, header_spans, tensor_info_spans

__all__ = [
    "BLOCKS",
    "MAGIC",
    "MAX_DEPTH",
    "MAX_DIMS",
    "REMOVED_TYPES",
    "ArrayInfo",
    "Block",
    "Buffer",
    "Field",
    "GGMLType",
    "Handle",
    "IntArray",
    "KeyValueTable",
    "Names",
    "Pages",
    "Reader",
    "TensorTable",
    "ValueType",
    "array_spans",
    "header_spans",
    "tensor_info_spans",
]
