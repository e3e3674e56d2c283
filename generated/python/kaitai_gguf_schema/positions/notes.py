# This is a generated file! Please edit schema/gguf.ksy and run `make generate`.
"""The documentation of types and fields in gguf.ksy. Types have the names of their classes."""

from typing import NamedTuple


class FieldNote(NamedTuple):
    """A field: its type ("" if it varies), its name in ggml if that differs, and its documentation."""

    type: str
    orig_id: str
    doc: str


class TypeNote(NamedTuple):
    """A type. `is_alone`: it has a single field, which goes by the name of the field that has this type."""

    id: str
    orig_id: str
    doc: str
    is_alone: bool
    fields: dict[str, FieldNote]


TYPES: dict[str, TypeNote] = {
    "Gguf": TypeNote(
        "gguf",
        "",
        "GGUF holds the weights of a machine learning model together with everything needed to run it: a list of typed key-values (architecture, hyperparameters, the tokenizer's vocabulary), a list of tensor descriptions and, aligned, the tensor data. This specification covers the header: everything before the tensor data. It reads versions 1 to 3 in both byte orders. The tensor data starts at `body.ofs_tensor_data`: at the end of the header, rounded up to a multiple of the value of the key `general.alignment` (uint32), or of 32 if there is no such key. Each tensor starts at `ofs_data` from there. Its size follows from its type and dimensions: see `ggml_block.ksy`. No field states the byte order. The version number reveals it: read in the wrong byte order, its low 16 bits are zero. Strings are not always valid UTF-8 (tokens of a vocabulary can be parts of characters), so they are kept as bytes, and decoded on request.",
        False,
        {
            "magic": FieldNote("bytes", "", "The same bytes in both byte orders."),
            "body": FieldNote("gguf_body", "", ""),
        },
    ),
    "GgufBody": TypeNote(
        "gguf_body",
        "",
        "",
        False,
        {
            "version": FieldNote("u4", "", "Lengths and counts have 32 bits in version 1, 64 bits in versions 2 and 3. Big-endian files are allowed since version 3."),
            "num_tensors": FieldNote("length", "tensor_count", ""),
            "num_metadata": FieldNote("length", "metadata_kv_count", ""),
            "metadata": FieldNote("key_value", "metadata_kv", ""),
            "tensors": FieldNote("tensor_info", "tensor_infos", ""),
            "header_end": FieldNote("bytes", "", ""),
        },
    ),
    "Length": TypeNote(
        "length",
        "",
        "A count of bytes or items. 32 bits wide in version 1, 64 bits since version 2. At most 2^30, which is ggml's limit for strings and arrays.",
        True,
        {
            "value_u4": FieldNote("u4", "", ""),
            "value_u8": FieldNote("u8", "", ""),
        },
    ),
    "GgufString": TypeNote(
        "gguf_string",
        "gguf_string_t",
        "",
        False,
        {
            "len_data": FieldNote("length", "len", ""),
            "data": FieldNote("bytes", "string", "UTF-8 in most cases, with no terminator."),
        },
    ),
    "KeyValue": TypeNote(
        "key_value",
        "gguf_metadata_kv_t",
        "",
        False,
        {
            "key": FieldNote("gguf_string", "", "Unique in the file. By the specification at most 65535 bytes of ASCII, `lower_snake_case` segments joined by `.`; not all writers comply."),
            "value_type": FieldNote("u4", "", ""),
            "value": FieldNote("", "", ""),
        },
    ),
    "ValueU1": TypeNote(
        "value_u1",
        "",
        "",
        True,
        {
            "value": FieldNote("u1", "", ""),
        },
    ),
    "ValueS1": TypeNote(
        "value_s1",
        "",
        "",
        True,
        {
            "value": FieldNote("s1", "", ""),
        },
    ),
    "ValueU2": TypeNote(
        "value_u2",
        "",
        "",
        True,
        {
            "value": FieldNote("u2", "", ""),
        },
    ),
    "ValueS2": TypeNote(
        "value_s2",
        "",
        "",
        True,
        {
            "value": FieldNote("s2", "", ""),
        },
    ),
    "ValueU4": TypeNote(
        "value_u4",
        "",
        "",
        True,
        {
            "value": FieldNote("u4", "", ""),
        },
    ),
    "ValueS4": TypeNote(
        "value_s4",
        "",
        "",
        True,
        {
            "value": FieldNote("s4", "", ""),
        },
    ),
    "ValueU8": TypeNote(
        "value_u8",
        "",
        "",
        True,
        {
            "value": FieldNote("u8", "", ""),
        },
    ),
    "ValueS8": TypeNote(
        "value_s8",
        "",
        "",
        True,
        {
            "value": FieldNote("s8", "", ""),
        },
    ),
    "ValueF4": TypeNote(
        "value_f4",
        "",
        "",
        True,
        {
            "value": FieldNote("f4", "", ""),
        },
    ),
    "ValueF8": TypeNote(
        "value_f8",
        "",
        "",
        True,
        {
            "value": FieldNote("f8", "", ""),
        },
    ),
    "GgufArray": TypeNote(
        "gguf_array",
        "",
        "Elements of one type, without padding. They can be arrays themselves, each with its own element type and count.",
        False,
        {
            "element_type": FieldNote("u4", "type", ""),
            "num_elements": FieldNote("length", "len", ""),
            "elements": FieldNote("", "array", ""),
        },
    ),
    "Elements1": TypeNote(
        "elements_1",
        "",
        "Numbers of 1 byte each, in the file's byte order.",
        True,
        {
            "data": FieldNote("bytes", "", ""),
        },
    ),
    "Elements2": TypeNote(
        "elements_2",
        "",
        "Numbers of 2 bytes each, in the file's byte order.",
        True,
        {
            "data": FieldNote("bytes", "", ""),
        },
    ),
    "Elements4": TypeNote(
        "elements_4",
        "",
        "Numbers of 4 bytes each, in the file's byte order.",
        True,
        {
            "data": FieldNote("bytes", "", ""),
        },
    ),
    "Elements8": TypeNote(
        "elements_8",
        "",
        "Numbers of 8 bytes each, in the file's byte order.",
        True,
        {
            "data": FieldNote("bytes", "", ""),
        },
    ),
    "StringElements": TypeNote(
        "string_elements",
        "",
        "",
        True,
        {
            "items": FieldNote("gguf_string", "", ""),
        },
    ),
    "ArrayElements": TypeNote(
        "array_elements",
        "",
        "",
        True,
        {
            "items": FieldNote("gguf_array", "", ""),
        },
    ),
    "TensorInfo": TypeNote(
        "tensor_info",
        "gguf_tensor_info_t",
        "",
        False,
        {
            "name": FieldNote("gguf_string", "", "Unique in the file. By the specification at most 64 bytes; ggml accepts at most 63, and some writers exceed both."),
            "num_dims": FieldNote("u4", "n_dimensions", "A tensor without dimensions holds one element."),
            "dims": FieldNote("dim", "dimensions", "In elements. The first is the row length, which varies fastest: numpy and most others use the reverse order."),
            "type_id": FieldNote("u4", "type", "New types come with most releases of ggml, so a number that is not in the enum does not make a file invalid."),
            "ofs_data": FieldNote("u8", "offset", "In bytes, from the start of the tensor data. A multiple of the alignment."),
        },
    ),
    "Dim": TypeNote(
        "dim",
        "",
        "A size in elements. 32 bits wide in version 1, 64 bits since version 2.",
        True,
        {
            "value_u4": FieldNote("u4", "", ""),
            "value_u8": FieldNote("u8", "", ""),
        },
    ),
}
