"""The columns of the table `files` that come from the key-values and tensors of a model."""

from collections.abc import Iterator
from typing import Any

import numpy as np

from kaitai_gguf.catalog.header_columns import KeyValueColumns, TensorColumns
from kaitai_gguf.catalog.text_columns import readable
from kaitai_gguf.models.identities import identities
from kaitai_gguf.models.type_mix import bits_per_weight, contradiction, type_mix
from kaitai_gguf.reading.arrays import TOKENS, numbers, vocabulary
from kaitai_gguf.reading.file import GGUFFile
from kaitai_gguf.reading.shards import COUNT_KEY, NUMBER_KEY
from kaitai_gguf.schema import ValueType
from kaitai_gguf.standard_values import FILE_TYPE, file_type_name, is_shard

__all__ = ["facts_of"]

_MOST_BASE_MODELS = 64  # a larger count is not plausible, even for a merge
_MOST_LAYERS = 4096  # longer arrays are not one number per layer
_INT64 = range(-(1 << 63), 1 << 63)


def facts_of(model: GGUFFile, key_values: KeyValueColumns, tensors: TensorColumns) -> dict[str, Any]:
    """Return the values of the columns that an open file provides, by name."""
    values = _Values(model, key_values)
    architecture = key_values.scalars.get("general.architecture", "")
    data_end = model.data_offset + model.tensors.data_nbytes if model.tensors.data_nbytes else 0
    tokens = vocabulary(model.metadata)
    same = identities(model)
    return {
        "nbytes": model.nbytes,
        "missing_nbytes": max(0, data_end - model.nbytes),
        "version": model.version,
        "byte_order": model.byte_order,
        "alignment": model.alignment,
        "data_offset": model.data_offset,
        "header_nbytes": model.header_nbytes,
        "architecture": values.text("general.architecture"),
        "name": values.text("general.name"),
        "size_label": values.text("general.size_label"),
        **_mix(values.integer(FILE_TYPE), is_shard(model.metadata.get), tensors),
        "context_length": values.integer(f"{architecture}.context_length"),
        "embedding_length": values.integer(f"{architecture}.embedding_length"),
        "block_count": values.integer(f"{architecture}.block_count"),
        "head_count": values.largest(f"{architecture}.attention.head_count"),
        "head_count_kv": values.largest(f"{architecture}.attention.head_count_kv"),
        "vocabulary_size": None if tokens is None else len(tokens),
        "tokenizer_model": values.text("tokenizer.ggml.model"),
        "tokenizer_pre": values.text("tokenizer.ggml.pre"),
        "license": values.text("general.license"),
        "base_models": list(_base_models(values)),
        "split_no": values.integer(NUMBER_KEY),
        "split_count": values.integer(COUNT_KEY),
        "n_kv": len(key_values.keys),
        "n_tensors": len(tensors.names),
        "metadata_sha256": same.metadata,
        "tokenizer_sha256": same.tokenizer,
        "tokens_sha256": key_values.sha256(TOKENS),
        "chat_template_sha256": same.chat_template,
        "tensors_sha256": same.tensors,
    }


def _mix(file_type: int | None, is_shard: bool, tensors: TensorColumns) -> dict[str, Any]:
    mix = type_mix(tensors.table.type_id, tensors.table.num_dims, tensors.n_elements, tensors.nbytes)
    return {
        "parameters": _int64(sum(share.n_elements for share in mix)),
        "bits_per_weight": bits_per_weight(mix),
        "file_type": file_type,
        "file_type_name": None if file_type is None else file_type_name(file_type),
        "contradicted_by": None if file_type is None or is_shard else contradiction(file_type, mix),
        "type_mix": [
            {name: getattr(share, name) for name in ("type", "n_tensors")}
            | {name: _int64(getattr(share, name)) for name in ("n_elements", "nbytes")}
            for share in mix
        ],
    }


def _base_models(values: "_Values") -> Iterator[str | None]:
    count = values.integer("general.base_model.count") or 0
    for number in range(min(count, _MOST_BASE_MODELS)):
        prefix = f"general.base_model.{number}"
        yield values.text(f"{prefix}.repo_url") or values.text(f"{prefix}.name")


class _Values:
    """Looks up values by key. A value of an unexpected type counts as missing."""

    def __init__(self, model: GGUFFile, key_values: KeyValueColumns) -> None:
        self._header = model.header
        self._scalars = key_values.scalars
        self._arrays = key_values.arrays

    def text(self, key: str) -> str | None:
        value = self._scalars.get(key)
        return readable(value) if isinstance(value, str) else None

    def integer(self, key: str) -> int | None:
        value = self._scalars.get(key)
        return _int64(value) if type(value) is int else None

    def largest(self, key: str) -> int | None:
        """Return an integer, or the largest element of an array with one integer per layer."""
        info = self._arrays.get(key)
        if info is None:
            return self.integer(key)
        if info.element_type in (ValueType.STRING, ValueType.ARRAY) or not 0 < info.num_elements <= _MOST_LAYERS:
            return None
        layers = numbers(self._header, info)
        return _int64(int(layers.max())) if np.issubdtype(layers.dtype, np.integer) else None


def _int64(value: int) -> int | None:
    """Return an integer if the column can hold it; the table `metadata` has the others."""
    return value if value in _INT64 else None
