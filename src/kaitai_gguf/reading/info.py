"""The facts about a model at a glance: what `kaitai-gguf info` prints."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from kaitai_gguf.arguments import is_integer
from kaitai_gguf.chat_templates import suspicious_templates, template_names
from kaitai_gguf.layout_rules import is_shard
from kaitai_gguf.llama_cpp import FILE_TYPE, facts, file_type_name
from kaitai_gguf.reading.arrays import vocabulary
from kaitai_gguf.reading.handle import Handle
from kaitai_gguf.reading.metadata import Metadata
from kaitai_gguf.reading.tensor import Tensor
from kaitai_gguf.reading.tensors import Tensors
from kaitai_gguf.tensor_names import tensor_role
from kaitai_gguf.type_mix import bits_per_weight, contradiction, type_mix

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
MOST_LAYERS = 4096  # longer arrays can't be one number per layer

Value = str | int | float | bool | list[Any] | None
"""The value of a key: a scalar, or a list with a number for each layer; None if it is missing or another array."""


@dataclass(frozen=True)
class TensorShare:
    """The tensors of one type or kind, and the size of their data in bytes."""

    tensors: int
    nbytes: int


@dataclass(frozen=True)
class SpecialToken:
    """The id of a special token, and its text in the vocabulary, or None."""

    id: int
    text: str | None


@dataclass(frozen=True)
class FileType:
    """The value of `general.file_type`, its name if it has one, and the type of most weights if that is another."""

    number: int
    name: str | None
    contradicted_by: str | None


@dataclass(frozen=True)
class ModelInfo:
    """The facts about a model; None for those that it does not have. Values of metadata may have any type."""

    version: int
    byte_order: str
    alignment: int
    architecture: Value
    purpose: str | None
    """What a projector (mmproj) or an adapter (LoRA) is for; None for a model."""
    general: dict[str, Value]
    """The keys `general.name`, `general.license` and so on, without the prefix."""
    hyperparameters: dict[str, Value]
    """The keys that begin with the architecture, without it: `context_length`, `attention.head_count` and so on."""
    gqa_ratio: float | list[float | None] | None
    """How many heads share a key and a value: one number, or a number for each layer."""
    encoders: dict[str, dict[str, Value]]
    """The facts about the encoders "vision" and "audio", as far as the model has them."""
    tokenizer: Value
    tokenizer_pre: Value
    vocabulary: int | None
    """The number of tokens."""
    special_tokens: dict[str, SpecialToken]
    """The special tokens by name: "bos" for the key tokenizer.ggml.bos_token_id."""
    chat_templates: list[str]
    """The names of the chat templates; "default" is that of tokenizer.chat_template."""
    suspicious_templates: dict[str, str]
    """The chat templates that may attack programs that run them: by name, the start of the code in question."""
    parameters: int
    """The number of elements of all tensors."""
    bits_per_weight: float | None
    file_type: FileType | None
    tensors: int
    types: dict[str, TensorShare]
    """The tensors of each type, most bytes first."""
    kinds: dict[str, TensorShare]
    """The tensors of each kind, such as "attention", most bytes first."""
    metadata_keys: int
    header_nbytes: int
    data_offset: int
    data_nbytes: int
    file_nbytes: int
    """The size of all files of the model."""
    missing_nbytes: int
    """How many bytes of tensor data are missing at the end of the files."""
    shard: Value
    """The number of a shard that was opened without the others, counted from 0."""
    shard_count: Value
    files: int
    fetched: dict[str, int] | None
    """For a remote file: the bytes and requests so far, as `nbytes` and `requests`."""

    @property
    def name(self) -> Value:
        """The value of `general.name`."""
        return self.general["name"]


def model_info(files: Sequence[Handle], metadata: Metadata, tensors: Tensors) -> ModelInfo:
    """Return the facts about a model in one or several files."""

    def value(key: str) -> Value:
        value: Any = metadata.get(key)
        if isinstance(value, np.ndarray):
            return value.tolist() if len(value) <= MOST_LAYERS else None
        return value if isinstance(value, str | int | float | bool) else None

    header, architecture = files[0].header, value("general.architecture")
    mix = type_mix((each.type_id, each.ndim, each.n_elements, each.nbytes or 0) for each in tensors.values())
    roles = list(map(tensor_role, tensors))
    kinds: dict[str, TensorShare] = {}
    for role, tensor in zip(roles, tensors.values(), strict=True):
        share = kinds.get(role.kind, TensorShare(0, 0))
        kinds[role.kind] = TensorShare(share.tensors + 1, share.nbytes + (tensor.nbytes or 0))
    tokens, is_split = vocabulary(metadata.get), is_shard(metadata.get)
    is_alone = is_split and len(files) == 1
    number = value(FILE_TYPE)
    file_type = None
    if isinstance(number, int):
        file_type = FileType(number, file_type_name(number), None if is_alone else contradiction(number, mix))
    hyperparameters = {key: value(f"{architecture}.{key}") for key in HYPERPARAMETERS}
    ranges = [file.source.ranges for file in files if file.source.ranges is not None]
    ends = [file.header.data_offset + file.header.data_nbytes if file.header.data_nbytes else 0 for file in files]
    return ModelInfo(
        version=header.version,
        byte_order=header.byte_order,
        alignment=header.alignment or 0,
        architecture=architecture,
        purpose=_purpose(metadata, tensors),
        general={key: value(f"general.{key}") for key in GENERAL},
        hyperparameters=hyperparameters,
        gqa_ratio=_ratio(hyperparameters["attention.head_count"], hyperparameters["attention.head_count_kv"]),
        encoders=_encoders(metadata, value, architecture, {role.part for role in roles}),
        tokenizer=value("tokenizer.ggml.model"),
        tokenizer_pre=value("tokenizer.ggml.pre"),
        vocabulary=None if tokens is None else len(tokens),
        special_tokens={
            name: SpecialToken(id, tokens[id] if tokens is not None and 0 <= id < len(tokens) else None)
            for name, id in special_token_ids(metadata).items()
        },
        chat_templates=list(template_names(metadata)),
        suspicious_templates=suspicious_templates(metadata),
        parameters=sum(share.n_elements for share in mix),
        bits_per_weight=bits_per_weight(mix),
        file_type=file_type,
        tensors=len(tensors),
        types={share.type: TensorShare(share.n_tensors, share.nbytes) for share in mix},
        kinds=dict(sorted(kinds.items(), key=lambda item: -item[1].nbytes)),
        metadata_keys=len(metadata),
        header_nbytes=header.end,
        data_offset=header.data_offset,
        data_nbytes=tensors.data_nbytes,
        file_nbytes=sum(file.source.nbytes for file in files),
        missing_nbytes=sum(max(0, end - file.source.nbytes) for end, file in zip(ends, files, strict=True)),
        shard=value("split.no") if is_alone else None,
        shard_count=value("split.count") if is_split else None,
        files=len(files),
        fetched={
            "nbytes": sum(each.num_bytes for each in ranges),
            "requests": sum(each.num_requests for each in ranges),
        }
        if ranges
        else None,
    )


def kind_of(metadata: Mapping[str, Any]) -> Literal["model", "projector", "adapter"]:
    """Return what a file is: a model, or a projector or adapter that llama.cpp loads beside one."""
    if metadata.get("general.architecture") == "clip":
        return "projector"
    return "adapter" if metadata.get("general.type") == "adapter" else "model"


def projector_widths(metadata: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> list[tuple[str, int | None]]:
    """Return the type of each projector of a file, and how many values its output has; None if that is not known."""
    widths: list[tuple[str, int | None]] = []
    for kind, type_of_omni in {"vision": "qwen2.5vl_merger", "audio": "qwen2a"}.items():
        type = metadata.get("clip.projector_type") or metadata.get(f"clip.{kind}.projector_type")
        if isinstance(type, str) and metadata.get(f"clip.has_{kind}_encoder") is True:
            name, dim = facts()["projectors"].get(type_of_omni if type == "qwen2.5o" else type, ("", 0))
            if name.endswith(".bias") and name not in tensors:
                name, dim = f"{name.removesuffix('bias')}weight", 1
            width = tensors[name].dims[dim] if name in tensors and dim < tensors[name].ndim else None
            deep = {each.split(".")[2] for each in tensors if each.startswith("v.deepstack.")}
            widths.append((type, width and width * (1 + len(deep) * (type == "qwen3vl_merger"))))
    return widths


def _purpose(metadata: Mapping[str, Any], tensors: Mapping[str, Tensor]) -> str | None:
    """Return what a projector or adapter is for, in words; None for a model."""
    kind = kind_of(metadata)
    if kind == "projector":
        widths = {width for _, width in projector_widths(metadata, tensors) if width}
        of = f" whose embeddings have {' or '.join(map(str, sorted(widths)))} values" if widths else ""
        return f"projector for models{of}"
    if kind == "adapter":
        count = sum(name.endswith(".lora_a") for name in tensors)
        alpha = metadata.get("adapter.lora.alpha")
        scale = f", alpha {alpha:g}" if isinstance(alpha, float) else ""
        of = f"models of the architecture {metadata.get('general.architecture')}: {count} tensors{scale}"
        return f"{metadata.get('adapter.type')} adapter for {of}"
    return None


def special_token_ids(metadata: Mapping[str, Any]) -> dict[str, int]:
    """Return the ids of special tokens by name: "bos" for the key tokenizer.ggml.bos_token_id."""
    matches = (re.fullmatch(r"tokenizer\.ggml\.(.+)_token_id", key) for key in metadata)
    ids = {match[1]: metadata[match[0]] for match in matches if match}
    return {name: id for name, id in ids.items() if is_integer(id)}


def _ratio(heads: Value, kv_heads: Value) -> Any:
    """Return how many heads share a key and a value: a number, or a list of one per layer; None if unknown."""
    if isinstance(heads, list) or isinstance(kv_heads, list):
        count = len(heads if isinstance(heads, list) else kv_heads)  # type: ignore[arg-type]
        one, other = (each if isinstance(each, list) else [each] * count for each in (heads, kv_heads))
        return [_ratio(*pair) for pair in zip(one, other, strict=True)] if len(one) == len(other) else None
    if not (is_integer(heads) and is_integer(kv_heads) and heads > 0 and kv_heads > 0):
        return None
    return heads // kv_heads if heads % kv_heads == 0 else heads / kv_heads


def _encoders(
    keys: Metadata, value: Callable[[str], Value], architecture: Value, parts: set[str]
) -> dict[str, dict[str, Value]]:
    """Return the facts about each encoder. `parts` are those that the tensors belong to."""
    encoders = {}
    for kind in ENCODERS:
        prefixes = (f"clip.{kind}.", f"{architecture}.{kind}.")
        is_announced = keys.get(f"clip.has_{kind}_encoder") is True or kind in parts
        if is_announced or any(key.startswith(prefixes) for key in keys):
            places = {name: [prefix + name for prefix in prefixes] for name in ENCODER_FACTS}
            places["projector_type"].append("clip.projector_type")
            values = {name: [value(key) for key in place if value(key) is not None] for name, place in places.items()}
            encoders[kind] = {name: row[0] if row else None for name, row in values.items()}
    return encoders
