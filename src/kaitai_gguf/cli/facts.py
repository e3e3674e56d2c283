"""The facts about a model that `info` shows, as plain values; None for facts that the file does not have."""

import re
from typing import Any

import numpy as np

import kaitai_gguf
from kaitai_gguf.arguments import is_integer
from kaitai_gguf.cli import canonical
from kaitai_gguf.cli.files import missing_nbytes
from kaitai_gguf.models.type_mix import TypeShare, bits_per_weight, contradiction, type_mix
from kaitai_gguf.reading.arrays import vocabulary
from kaitai_gguf.standard_values import FILE_TYPE, file_type_name, is_shard

GENERAL = ["name", "basename", "size_label", "finetune", "version", "license", "type"]
HYPERPARAMETERS = [
    "context_length", "embedding_length", "feed_forward_length", "block_count", "attention.head_count",
    "attention.head_count_kv", "attention.sliding_window", "expert_count", "expert_used_count", "expert_shared_count",
    "rope.freq_base", "rope.dimension_count", "rope.scaling.type", "rope.scaling.factor",
    "rope.scaling.original_context_length",
]  # fmt: skip
ENCODERS = ["vision", "audio"]
"""The inputs other than text that a model may have encoders for."""
ENCODER_FACTS = ["projector_type", "block_count", "embedding_length", "image_size", "patch_size", "num_mel_bins"]

TEMPLATE = "tokenizer.chat_template"
MOST_LAYERS = 4096  # longer arrays can't be one number per layer


def collect(model: kaitai_gguf.GGUFFile) -> dict[str, Any]:
    """Return the facts as values that JSON can represent."""
    architecture = _value(model, "general.architecture")
    tensors = list(model.tensors.values())
    roles = [kaitai_gguf.tensor_role(tensor.name) for tensor in tensors]
    mix = type_mix(
        np.array([tensor.type_id for tensor in tensors], np.int64),
        np.array([len(tensor.dims) for tensor in tensors], np.int64),
        np.array([tensor.n_elements for tensor in tensors], np.uint64),
        np.array([tensor.nbytes or 0 for tensor in tensors], np.uint64),
    )
    kinds = {role.kind: [0, 0] for role in roles}
    for tensor, role in zip(tensors, roles, strict=True):
        kinds[role.kind][0] += 1
        kinds[role.kind][1] += tensor.nbytes or 0
    tokens = vocabulary(model.metadata)
    templates = [key.removeprefix(f"{TEMPLATE}.") for key in model.metadata if key.startswith(f"{TEMPLATE}.")]
    is_split = is_shard(model.metadata.get)
    is_part = len(model.shards) == 1 and is_split
    hyperparameters = {key: _value(model, f"{architecture}.{key}") for key in HYPERPARAMETERS}
    ranges = [file.source.ranges for file in model.shards if file.source.ranges is not None]
    facts = {
        "version": model.version,
        "byte_order": model.byte_order,
        "alignment": model.alignment,
        "architecture": architecture,
        "general": {key: _value(model, f"general.{key}") for key in GENERAL},
        "hyperparameters": hyperparameters,
        "gqa_ratio": _ratio(hyperparameters["attention.head_count"], hyperparameters["attention.head_count_kv"]),
        "encoders": _encoders(model, architecture, {role.part for role in roles}),
        "tokenizer": _value(model, "tokenizer.ggml.model"),
        "tokenizer_pre": _value(model, "tokenizer.ggml.pre"),
        "vocabulary": None if tokens is None else len(tokens),
        "special_tokens": {
            name: {"id": id, "text": tokens[id] if tokens is not None and 0 <= id < len(tokens) else None}
            for name, id in special_token_ids(model).items()
        },
        "chat_templates": ["default", *templates] if TEMPLATE in model.metadata else templates,
        "parameters": sum(tensor.n_elements for tensor in tensors),
        "bits_per_weight": bits_per_weight(mix),
        "file_type": _file_type(_value(model, FILE_TYPE), [] if is_part else mix),
        "tensors": len(tensors),
        "types": [{"type": share.type, "tensors": share.n_tensors, "nbytes": share.nbytes} for share in mix],
        "kinds": [
            {"kind": kind, "tensors": number, "nbytes": nbytes}
            for kind, (number, nbytes) in sorted(kinds.items(), key=lambda item: -item[1][1])
        ],
        "metadata_keys": len(model.metadata),
        "header_nbytes": model.header_nbytes,
        "data_offset": model.data_offset,
        "data_nbytes": model.tensors.data_nbytes,
        "file_nbytes": model.nbytes,
        "missing_nbytes": sum(map(missing_nbytes, model.shards)),
        "shard": _value(model, "split.no") if is_part else None,
        "shard_count": _value(model, "split.count") if is_split else None,
        "files": len(model.shards),
        "fetched": None,
    }
    if ranges:
        n_bytes, n_requests = sum(each.num_bytes for each in ranges), sum(each.num_requests for each in ranges)
        facts["fetched"] = {"nbytes": n_bytes, "requests": n_requests}
    return {key: _plain(fact) for key, fact in facts.items()}


def _value(model: kaitai_gguf.GGUFFile, key: str) -> Any:
    """Return the value of a key: a scalar, or a list with a number for each layer."""
    value = model.metadata.get(key)
    if isinstance(value, np.ndarray):
        return value.tolist() if len(value) <= MOST_LAYERS else None
    return value if isinstance(value, str | int | float | bool) else None


def _plain(facts: Any) -> Any:
    if isinstance(facts, dict):
        return {key: _plain(value) for key, value in facts.items()}
    if isinstance(facts, list):
        return [_plain(value) for value in facts]
    return canonical.text(facts) if isinstance(facts, str) else canonical.number(facts)


def _ratio(heads: Any, kv_heads: Any) -> Any:
    """Return how many heads share a key and a value: a number, or a list of one per layer; None if unknown."""
    if isinstance(heads, list) or isinstance(kv_heads, list):
        count = len(heads if isinstance(heads, list) else kv_heads)
        pairs = [each if isinstance(each, list) else [each] * count for each in (heads, kv_heads)]
        return [_ratio(*pair) for pair in zip(*pairs, strict=True)] if len(pairs[0]) == len(pairs[1]) else None
    if not (_is_count(heads) and _is_count(kv_heads)):
        return None
    return heads // kv_heads if heads % kv_heads == 0 else heads / kv_heads


def _is_count(value: Any) -> bool:
    return is_integer(value) and value > 0


def _encoders(model: kaitai_gguf.GGUFFile, architecture: Any, parts: set[str]) -> dict[str, dict[str, Any]]:
    """Return the facts about each encoder. `parts` are those that the tensors belong to."""
    encoders = {}
    for kind in ENCODERS:
        prefixes = (f"clip.{kind}.", f"{architecture}.{kind}.")
        is_announced = model.metadata.get(f"clip.has_{kind}_encoder") is True
        if not (is_announced or kind in parts or any(key.startswith(prefixes) for key in model.metadata)):
            continue
        values = {key: [_value(model, prefix + key) for prefix in prefixes] for key in ENCODER_FACTS}
        values["projector_type"].append(_value(model, "clip.projector_type"))
        encoders[kind] = {
            key: next((each for each in found if each is not None), None) for key, found in values.items()
        }
    return encoders


def special_token_ids(model: kaitai_gguf.GGUFFile) -> dict[str, int]:
    """Return the ids of special tokens by name: "bos" for the key tokenizer.ggml.bos_token_id."""
    matches = (re.fullmatch(r"tokenizer\.ggml\.(.+)_token_id", key) for key in model.metadata)
    ids = {match[1]: model.metadata[match[0]] for match in matches if match}
    return {name: id for name, id in ids.items() if is_integer(id)}


def _file_type(number: Any, mix: list[TypeShare]) -> dict[str, Any] | None:
    """Return the file type in the metadata, and the type of most weights if it contradicts that."""
    if not isinstance(number, int):
        return None
    return {"number": number, "name": file_type_name(number), "contradicted_by": contradiction(number, mix)}
