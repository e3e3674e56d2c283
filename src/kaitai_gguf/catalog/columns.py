"""The columns of a catalog that come from the header of a model."""

import hashlib
from collections.abc import Iterator
from functools import lru_cache
from typing import Any

import numpy as np

from kaitai_gguf.catalog.tables import TABLES, Column, arrow, readable, schema, text
from kaitai_gguf.chat_templates import suspicious_templates
from kaitai_gguf.decimals import shortest
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.llama_cpp import FILE_TYPE, file_type_name
from kaitai_gguf.memory import memory
from kaitai_gguf.models.identities import identities
from kaitai_gguf.reading.arrays import TOKENS, vocabulary
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.header import Header, KeyValue
from kaitai_gguf.schema import BLOCKS, GGMLType, IntArray, ValueType
from kaitai_gguf.tensor_names import tensor_role
from kaitai_gguf.text import encode
from kaitai_gguf.type_mix import bits_per_weight, contradiction, type_mix

_MOST_BASE_MODELS = 64  # a larger count is not plausible, even for a merge
_MOST_LAYERS = 4096  # longer arrays are not one number per layer
_INT64 = range(-(1 << 63), 1 << 63)
_TYPES = {int(type): str(type) for type in ValueType}
_TYPE_NAMES = {int(type): GGMLType(type).name for type in BLOCKS}
_COLUMNS = {int: "value_int", float: "value_float", bool: "value_bool"}


def scalars(header: Header) -> dict[str, Any]:
    """Return the values that are not arrays, by key."""
    rows = zip(*(column.tolist() for column in header.key_values), strict=True)
    items = (KeyValue(number, *row) for number, row in enumerate(rows))
    return {
        key: header.value(item)
        for key, item in zip(header.keys, items, strict=True)
        if item.value_type != ValueType.ARRAY
    }


def key_values(header: Header, values: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the columns of each key-value; `values` are its `scalars`."""
    rows = zip(*(column.tolist() for column in header.key_values), strict=True)
    for key, item in zip(header.keys, (KeyValue(number, *row) for number, row in enumerate(rows)), strict=True):
        array = header.array_of(item)
        row: dict[str, Any] = {"number": item.number, **text("key", key), "type": _TYPES[item.value_type]}
        row["offset"] = item.value
        if array is not None:
            row |= {"element_type": str(array.element_type), "count": array.num_elements, "offset": array.elements}
            row["sha256"] = _array_sha256(header, item)
        else:
            value = values[key]
            if isinstance(value, str):
                row |= text("value_string", value) | {"offset": item.end - len(encode(value))}
            elif type(value) is int and value not in _INT64:
                row["value_uint"] = value
            else:
                row[_COLUMNS[type(value)]] = shortest(value) if item.value_type == ValueType.FLOAT32 else value
        yield row | {"nbytes": item.end - row["offset"]}


def _array_sha256(header: Header, item: KeyValue | None) -> str | None:
    """Return the hash of the elements of an array as they are in the file; None for any other value."""
    array = None if item is None else header.array_of(item)
    if item is None or array is None:
        return None
    return hashlib.sha256(memoryview(header.buf)[array.elements : item.end]).hexdigest()


@lru_cache(1 << 14)  # most models have the same names
def _named(name: str) -> tuple[Any, ...]:
    """Return the columns that depend on the name of a tensor: from `name` to `kind`."""
    role = tensor_role(name)
    return *text("name", name).values(), role.block, role.part, readable(role.role), role.kind


def tensors(header: Header) -> Any:
    """Return the columns of all tensors as a `pyarrow.StructArray`, which is faster than a dict for each."""
    pa = arrow()
    infos = header.tensor_infos
    ends = np.concatenate([[0], infos.num_dims.cumsum()])
    has_dim = np.arange(infos.dims.shape[1]) < infos.num_dims[:, None]
    types = [_TYPE_NAMES.get(type_id) for type_id in infos.type_id.tolist()]
    columns = [
        np.arange(len(types)),
        *(zip(*map(_named, header.names), strict=True) if types else [[]] * 6),
        types,
        infos.type_id,
        pa.ListArray.from_arrays(ends.astype(np.int32), infos.dims[has_dim]),
        n_elements(header),
        infos.offset,
        pa.array(header.sizes, mask=np.array([type is None for type in types], bool)),
    ]
    fields = list(schema("tensors"))[1:]
    arrays = [
        pa.array(column, field.type) if isinstance(column, list | tuple) else pa.array(column).cast(field.type)
        for column, field in zip(columns, fields, strict=True)
    ]
    return pa.StructArray.from_arrays(arrays, fields=fields)


def n_elements(header: Header) -> IntArray:
    """Return the number of elements of each tensor, as uint64."""
    infos = header.tensor_infos
    has_dim = np.arange(infos.dims.shape[1]) < infos.num_dims[:, None]
    count: IntArray = np.where(has_dim, infos.dims, np.uint64(1)).prod(axis=1, dtype=np.uint64)
    return count


def file_columns(model: GGUFFile, values: dict[str, Any]) -> dict[str, Any]:
    """Return the columns of the table `files` that an open file provides, by name; `values` are its `scalars`."""
    header = model.header
    tokens = vocabulary(header.get)
    data_end = header.data_offset + header.data_nbytes if header.data_nbytes else 0
    hashes = identities(model)
    return {
        "nbytes": model.nbytes,
        "missing_nbytes": max(0, data_end - model.nbytes),
        "version": model.version,
        "byte_order": model.byte_order,
        "alignment": model.alignment,
        "data_offset": model.data_offset,
        "header_nbytes": model.header_nbytes,
        **{column.name: _value(header, values, column) for column in TABLES["files"] if column.key},
        **_types(header, values),
        "vocabulary_size": None if tokens is None else len(tokens),
        "base_models": list(_base_models(values)),
        "n_kv": len(model.metadata),
        "n_tensors": len(model.tensors),
        "metadata_sha256": hashes.metadata,
        "tokenizer_sha256": hashes.tokenizer,
        "tokens_sha256": None if tokens is None else _array_sha256(header, header.key_value(TOKENS)),
        "chat_template_sha256": hashes.chat_template,
        "memory_4096": _memory(model),
        "suspicious_template": next((readable(code) for code in suspicious_templates(values).values()), None),
        "tensors_sha256": hashes.tensors,
    }


def _memory(model: GGUFFile) -> int | None:
    """Return the most bytes that llama.cpp needs; None if it does not load the file alone, such as a shard."""
    try:
        return None if is_shard(model.header.get) else _int64(memory(model, ctx_size=4096).total[1])
    except ValueError:
        return None


def _value(header: Header, values: dict[str, Any], column: Column) -> str | int | None:
    """Return the value of the key that a column is named for; the largest element of an array with one per layer."""
    key = column.key.replace("ARCHITECTURE", _text(values, "general.architecture") or "")
    if column.type == "string":
        return _text(values, key)
    value = None if key in values else header.get(key)
    if not isinstance(value, np.ndarray):
        return _integer(values, key)
    is_per_layer = 0 < len(value) <= _MOST_LAYERS and np.issubdtype(value.dtype, np.integer)
    return _int64(int(value.max())) if is_per_layer else None


def _types(header: Header, values: dict[str, Any]) -> dict[str, Any]:
    infos = header.tensor_infos
    columns = infos.type_id, infos.num_dims, n_elements(header), header.sizes
    mix = type_mix(zip(*(column.tolist() for column in columns), strict=True))
    file_type = _integer(values, FILE_TYPE)
    return {
        "parameters": _int64(sum(share.n_elements for share in mix)),
        "bits_per_weight": bits_per_weight(mix),
        "file_type_name": None if file_type is None else file_type_name(file_type),
        "contradicted_by": None if file_type is None or is_shard(header.get) else contradiction(file_type, mix),
        "type_mix": [
            {
                "type": share.type,
                "n_tensors": share.n_tensors,
                "n_elements": _int64(share.n_elements),
                "nbytes": _int64(share.nbytes),
            }
            for share in mix
        ],
    }


def _base_models(values: dict[str, Any]) -> Iterator[str | None]:
    count = _integer(values, "general.base_model.count") or 0
    for number in range(min(count, _MOST_BASE_MODELS)):
        prefix = f"general.base_model.{number}"
        yield _text(values, f"{prefix}.repo_url") or _text(values, f"{prefix}.name")


def _text(values: dict[str, Any], key: str) -> str | None:
    """Return a string; None for a value of another type."""
    value = values.get(key)
    return readable(value) if isinstance(value, str) else None


def _integer(values: dict[str, Any], key: str) -> int | None:
    """Return an integer that fits in int64; None for any other value."""
    value = values.get(key)
    return _int64(value) if type(value) is int else None


def _int64(value: int) -> int | None:
    return value if value in _INT64 else None
