# This is a generated file! Please edit schema/gguf.ksy and run `make generate`.
"""The fields of the types in gguf.ksy, in file order, with their documentation."""

from typing import NamedTuple


class Field(NamedTuple):
    """A field. A type that has a single field is not listed: its field has the name of the field with this type."""

    name: str
    type: str
    """`u4`, `bytes`, or the name of a type that is listed; "" if it varies."""
    orig_id: str = ""
    """The name in ggml, if it differs."""
    doc: str = ""
    code: str = ""
    """The struct code of a number."""
    enum: str = ""
    """The enum that a number belongs to."""
    size: "int | str" = 0
    """The size of bytes, or the name of the field before that has it."""
    repeat: str = ""
    """The name of the field before that has the number of items, if the field is repeated."""
    item: "Field | None" = None
    """What is repeated. Its type is that of each item, even if a type with a single field has another name."""
    switch_on: str = ""
    """The name of the field before that selects one of the cases."""
    cases: "dict[int, Field]" = {}
    """Empty if the cases are repeated numbers, strings or arrays."""


TYPES: dict[int, dict[str, tuple[Field, ...]]] = {}
"""The fields of each type, by version."""

TYPES[1] = {
    "gguf": (
        Field("magic", "bytes", "", "The same bytes in both byte orders.", size=4),
        Field("body", "gguf_body", "", ""),
    ),
    "gguf_body": (
        Field("version", "u4", "", "Lengths and counts have 32 bits in version 1, 64 bits in versions 2 and 3. Big-endian files are allowed since version 3.", code="I"),
        Field("num_tensors", "u4", "tensor_count", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="I"),
        Field("num_metadata", "u4", "metadata_kv_count", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="I"),
        Field("metadata", "key_value", "metadata_kv", "", repeat="num_metadata", item=Field("", "key_value", "gguf_metadata_kv_t", "")),
        Field("tensors", "tensor_info", "tensor_infos", "", repeat="num_tensors", item=Field("", "tensor_info", "gguf_tensor_info_t", "")),
    ),
    "gguf_string": (
        Field("len_data", "u4", "len", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="I"),
        Field("data", "bytes", "string", "UTF-8 in most cases, with no terminator.", size="len_data"),
    ),
    "key_value": (
        Field("key", "gguf_string", "gguf_string_t", "Unique in the file. By the specification at most 65535 bytes of ASCII, `lower_snake_case` segments joined by `.`; not all writers comply."),
        Field("value_type", "u4", "", "", code="I", enum="value_type"),
        Field("value", "", "", "", switch_on="value_type", cases={0: Field("value", "u1", "", "", code="B"), 1: Field("value", "s1", "", "", code="b"), 2: Field("value", "u2", "", "", code="H"), 3: Field("value", "s2", "", "", code="h"), 4: Field("value", "u4", "", "", code="I"), 5: Field("value", "s4", "", "", code="i"), 6: Field("value", "f4", "", "", code="f"), 7: Field("value", "u1", "", "", code="B"), 8: Field("value", "gguf_string", "gguf_string_t", ""), 9: Field("value", "gguf_array", "", "Elements of one type, without padding. They can be arrays themselves, each with its own element type and count."), 10: Field("value", "u8", "", "", code="Q"), 11: Field("value", "s8", "", "", code="q"), 12: Field("value", "f8", "", "", code="d")}),
    ),
    "gguf_array": (
        Field("element_type", "u4", "type", "", code="I", enum="value_type"),
        Field("num_elements", "u4", "len", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="I"),
        Field("elements", "", "array", "", switch_on="element_type"),
    ),
    "tensor_info": (
        Field("name", "gguf_string", "gguf_string_t", "Unique in the file. By the specification at most 64 bytes; ggml accepts at most 63, and some writers exceed both."),
        Field("num_dims", "u4", "n_dimensions", "A tensor without dimensions holds one element.", code="I"),
        Field("dims", "dim", "dimensions", "In elements. The first is the row length, which varies fastest: numpy and most others use the reverse order.", repeat="num_dims", item=Field("", "u4", "", "In elements. The first is the row length, which varies fastest: numpy and most others use the reverse order.", code="I")),
        Field("type_id", "u4", "type", "New types come with most releases of ggml, so a number that is not in the enum does not make a file invalid.", code="I"),
        Field("ofs_data", "u8", "offset", "In bytes, from the start of the tensor data. A multiple of the alignment.", code="Q"),
    ),
}
TYPES[2] = {
    "gguf": (
        Field("magic", "bytes", "", "The same bytes in both byte orders.", size=4),
        Field("body", "gguf_body", "", ""),
    ),
    "gguf_body": (
        Field("version", "u4", "", "Lengths and counts have 32 bits in version 1, 64 bits in versions 2 and 3. Big-endian files are allowed since version 3.", code="I"),
        Field("num_tensors", "u8", "tensor_count", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="Q"),
        Field("num_metadata", "u8", "metadata_kv_count", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="Q"),
        Field("metadata", "key_value", "metadata_kv", "", repeat="num_metadata", item=Field("", "key_value", "gguf_metadata_kv_t", "")),
        Field("tensors", "tensor_info", "tensor_infos", "", repeat="num_tensors", item=Field("", "tensor_info", "gguf_tensor_info_t", "")),
    ),
    "gguf_string": (
        Field("len_data", "u8", "len", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="Q"),
        Field("data", "bytes", "string", "UTF-8 in most cases, with no terminator.", size="len_data"),
    ),
    "key_value": (
        Field("key", "gguf_string", "gguf_string_t", "Unique in the file. By the specification at most 65535 bytes of ASCII, `lower_snake_case` segments joined by `.`; not all writers comply."),
        Field("value_type", "u4", "", "", code="I", enum="value_type"),
        Field("value", "", "", "", switch_on="value_type", cases={0: Field("value", "u1", "", "", code="B"), 1: Field("value", "s1", "", "", code="b"), 2: Field("value", "u2", "", "", code="H"), 3: Field("value", "s2", "", "", code="h"), 4: Field("value", "u4", "", "", code="I"), 5: Field("value", "s4", "", "", code="i"), 6: Field("value", "f4", "", "", code="f"), 7: Field("value", "u1", "", "", code="B"), 8: Field("value", "gguf_string", "gguf_string_t", ""), 9: Field("value", "gguf_array", "", "Elements of one type, without padding. They can be arrays themselves, each with its own element type and count."), 10: Field("value", "u8", "", "", code="Q"), 11: Field("value", "s8", "", "", code="q"), 12: Field("value", "f8", "", "", code="d")}),
    ),
    "gguf_array": (
        Field("element_type", "u4", "type", "", code="I", enum="value_type"),
        Field("num_elements", "u8", "len", "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.", code="Q"),
        Field("elements", "", "array", "", switch_on="element_type"),
    ),
    "tensor_info": (
        Field("name", "gguf_string", "gguf_string_t", "Unique in the file. By the specification at most 64 bytes; ggml accepts at most 63, and some writers exceed both."),
        Field("num_dims", "u4", "n_dimensions", "A tensor without dimensions holds one element.", code="I"),
        Field("dims", "dim", "dimensions", "In elements. The first is the row length, which varies fastest: numpy and most others use the reverse order.", repeat="num_dims", item=Field("", "u8", "", "In elements. The first is the row length, which varies fastest: numpy and most others use the reverse order.", code="Q")),
        Field("type_id", "u4", "type", "New types come with most releases of ggml, so a number that is not in the enum does not make a file invalid.", code="I"),
        Field("ofs_data", "u8", "offset", "In bytes, from the start of the tensor data. A multiple of the alignment.", code="Q"),
    ),
}
TYPES[3] = TYPES[2]
