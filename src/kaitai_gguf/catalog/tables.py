"""The tables of a catalog: names, types and descriptions of all columns.

A catalog is one Delta table with a row for each file. Its columns are those of the table `files`, and `metadata`,
`tensors` and `findings`: lists of structs with the columns of these tables except `file`, which is `files.source`.
Text is UTF-8. If a string in a model is not, the text has `\\xNN` for each byte that is not part of a character, and
the column whose name ends in `_bytes` has the original bytes; for all other strings that column is null.
"""

from functools import cache, partial
from importlib import import_module
from typing import Any, NamedTuple

from kaitai_gguf.errors import MissingPackageError
from kaitai_gguf.text import encode

SCHEMA_VERSION = 4
"""Increased whenever a column changes. A table with another version is refused."""


class Column(NamedTuple):
    """A column of a table."""

    name: str
    type: str
    """The name of the type in pyarrow, `list<TYPE>`, `decimal` for decimal(20, 0), or `mix` for shares of types."""
    description: str

    @property
    def key(self) -> str:
        """The key whose value this is, if the description starts with it; "" for other columns."""
        return self.description.split("`")[1] if self.description.startswith("`") else ""


def _columns(text: str) -> tuple[Column, ...]:
    rows = [line.split(maxsplit=2) for line in text.strip().splitlines()]
    return tuple(Column(name, type, description) for name, type, description in rows)


TABLES: dict[str, tuple[Column, ...]] = {
    "files": _columns("""
        key                       string        hash of the path or URL, by which the next scan finds the row
        source                    string        absolute path, or URL without user, password, query and fragment
        source_bytes              binary        the path if it is not UTF-8
        revision                  string        ETag, version or commit; locally the size, and the time of change in ns
        nbytes                    int64         size of the file in bytes
        missing_nbytes            int64         bytes of tensor data that are missing from a file that was cut short
        version                   int32         version of the format: 1 to 3
        byte_order                string        "little" or "big"
        alignment                 int64         of tensor data, in bytes
        data_offset               int64         where the tensor data starts, in bytes from the start of the file
        header_nbytes             int64         where the header ends, in bytes from the start of the file
        architecture              string        `general.architecture`
        name                      string        `general.name`
        size_label                string        `general.size_label`
        parameters                int64         elements of all tensors
        bits_per_weight           double        average size of an element in bits; null if a tensor type is unknown
        file_type                 int64         `general.file_type`
        file_type_name            string        llama.cpp's name of the file type: `Q4_K_M`; null for an unknown number
        contradicted_by           string        type that most weights have, if the file type names another one
        type_mix                  mix           tensors, elements and bytes of each tensor type, most bytes first
        context_length            int64         `ARCHITECTURE.context_length`, in tokens
        embedding_length          int64         `ARCHITECTURE.embedding_length`
        block_count               int64         `ARCHITECTURE.block_count`
        head_count                int64         `ARCHITECTURE.attention.head_count`; the largest, if layers differ
        head_count_kv             int64         `ARCHITECTURE.attention.head_count_kv`; the largest, if layers differ
        vocabulary_size           int64         number of tokens in `tokenizer.ggml.tokens`
        tokenizer_model           string        `tokenizer.ggml.model`
        tokenizer_pre             string        `tokenizer.ggml.pre`
        license                   string        `general.license`
        base_models               list<string>  repository URL of each base model, or its name where it has no URL
        split_no                  int64         `split.no`: number of this shard, from 0
        split_count               int64         `split.count`: number of shards
        n_kv                      int64         number of key-values
        n_tensors                 int64         number of tensors in this file
        metadata_sha256           string        of all key-values, in any order
        tokenizer_sha256          string        of the key-values of the tokenizer, without chat templates
        tokens_sha256             string        of the list of tokens as it is in the file
        chat_template_sha256      string        of the text of `tokenizer.chat_template`
        memory_4096               int64         the most bytes that llama.cpp needs for a context of 4,096 tokens
        suspicious_template       string        code in a chat template that may attack programs that run it
        tensors_sha256            string        of names, types and dims of all tensors, in any order
        n_errors                  int64         findings that are errors; null without `check`
        n_warnings                int64         findings that are warnings; null without `check`
        error                     string        why the file could not be read; null if it could
        error_type                string        class of the error: `TruncatedError`, `FileMissingError`
        error_offset              int64         byte where the offending field starts, from the start of the file
        error_path                string        the offending field: `/metadata/12/value`
    """),
    "metadata": _columns("""
        file                      string        the file
        number                    int64         place in the file, from 0
        key                       string        the key
        key_bytes                 binary        the key if it is not UTF-8
        type                      string        type of the value: `uint32`, `string`, `array`
        element_type              string        type of the elements of an array
        count                     int64         number of elements of an array
        value_int                 int64         an integer, except those from 2^63 on
        value_uint                decimal       an integer from 2^63 on
        value_float               double        a float32 (as its shortest decimal) or float64
        value_bool                bool          a bool
        value_string              string        a string
        value_string_bytes        binary        a string if it is not UTF-8
        offset                    int64         byte where the value starts, without its length, element type and count
        nbytes                    int64         size of the value in bytes
        sha256                    string        of the bytes of an array as they are in the file
    """),
    "tensors": _columns("""
        file                      string        the file
        number                    int64         place in the file, from 0
        name                      string        the name
        name_bytes                binary        the name if it is not UTF-8
        block                     int64         number of the block in the name: 3 for `blk.3.attn_q.weight`
        part                      string        part of the model: `text`, `vision`
        role                      string        role in the name: `attn_q`
        kind                      string        group of roles: `attention`; `other` for a role that is not known
        type                      string        tensor type: `Q4_K`; null if it is unknown
        type_id                   int64         number of the tensor type
        dims                      list<int64>   dims in ggml order, the fastest-varying first
        n_elements                int64         number of elements
        offset                    int64         where the data starts, in bytes from `files.data_offset`
        nbytes                    int64         size of the data in bytes; null if the type is unknown
    """),
    "findings": _columns("""
        file                      string        the file
        rule                      string        id of the rule: a section of docs/rules.md
        severity                  string        `error`, `warning` or `note`
        offset                    int64         byte where the offending field starts, from the start of the file
        path                      string        the offending field: `/metadata/12/value`
        message                   string        what is wrong
        count                     int64         number of places that the finding covers
    """),
}  # fmt: skip


@cache
def _imported(module: str, package: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        message = f"a catalog needs the package {package}: pip install 'kaitai-gguf[{extra}]'"
    raise MissingPackageError(message)


# Packages that only catalogs need, imported on first use. Each raises `MissingPackageError`.
arrow = partial(_imported, "pyarrow", "pyarrow", "catalog")
delta = partial(_imported, "deltalake", "deltalake", "catalog")
distributed = partial(_imported, "distributed", "dask[distributed]", "cluster")


@cache
def schema(table: str) -> Any:
    """Return the `pyarrow.Schema` of a table."""
    return arrow().schema([(column.name, _type(column.type)) for column in TABLES[table]])


@cache
def row_schema() -> Any:
    """Return the `pyarrow.Schema` of the Delta table."""
    pa = arrow()
    lists = [pa.field(name, pa.list_(pa.struct(list(schema(name))[1:]))) for name in TABLES if name != "files"]
    return pa.schema([*schema("files"), *lists])


def _type(name: str) -> Any:
    pa = arrow()
    if name == "decimal":
        return pa.decimal128(20, 0)
    if name == "mix":
        fields = {"type": "string", "n_tensors": "int64", "n_elements": "int64", "nbytes": "int64"}
        return pa.list_(pa.struct([(name, _type(type)) for name, type in fields.items()]))
    if name.startswith("list<"):
        return pa.list_(_type(name.removeprefix("list<").removesuffix(">")))
    return pa.type_for_alias(name)


def flattened(rows: Any, table: str) -> Any:
    """Return the rows of a table as a `pyarrow.RecordBatch`, from a batch of rows of the Delta table."""
    import pyarrow.compute as pc

    if table == "files":
        return rows.select(schema(table).names)
    lists = rows[table]
    files = rows["source"].take(pc.list_parent_indices(lists))
    return arrow().RecordBatch.from_arrays([files, *pc.list_flatten(lists).flatten()], schema=schema(table))


def text(name: str, value: str | None) -> dict[str, str | bytes | None]:
    """Return the two columns of a string: the text, and its bytes if they are not UTF-8."""
    readable_value = None if value is None else readable(value)
    return {name: readable_value, f"{name}_bytes": None if value in (None, readable_value) else encode(value)}


def readable(text: str) -> str:
    """Return text that UTF-8 can hold: bytes that are not part of a character become `\\xNN`."""
    return text.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
