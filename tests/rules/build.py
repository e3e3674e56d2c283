"""A model that breaks no rule, and helpers that make it break one, without the reader's code."""

from dataclasses import dataclass, field, replace
from typing import Any

from support.gguf_bytes import Array, Model, TensorSpec

F32, Q8_0 = 0, 8
NAME = "Tiny-1K-v1.0-Q8_0.gguf"

METADATA: list[tuple[str | bytes, str, Any]] = [
    ("general.architecture", "string", "llama"),
    ("general.file_type", "uint32", 7),
    ("general.quantization_version", "uint32", 2),
    ("llama.context_length", "uint32", 512),
    ("llama.embedding_length", "uint32", 32),
    ("llama.block_count", "uint32", 1),
    ("llama.feed_forward_length", "uint32", 128),
    ("llama.rope.dimension_count", "uint32", 16),
    ("llama.attention.head_count", "uint32", 2),
    ("llama.attention.layer_norm_rms_epsilon", "float32", 1e-6),
    ("llama.vocab_size", "uint32", 4),
    ("tokenizer.ggml.model", "string", "gpt2"),
    ("tokenizer.ggml.tokens", "array", Array("string", ["<s>", "a", "b", "ab"])),
    ("tokenizer.ggml.token_type", "array", Array("int32", [3, 1, 1, 1])),
    ("tokenizer.ggml.merges", "array", Array("string", ["a b"])),
    ("tokenizer.ggml.bos_token_id", "uint32", 3),
    ("tokenizer.ggml.add_bos_token", "bool", 1),
]
# Seven floats and padding, then four blocks.
TENSORS = [TensorSpec("output_norm.weight", (7,), F32, 0), TensorSpec("token_embd.weight", (32, 4), Q8_0, 32)]
DATA = bytes(32) + bytes(4 * 34) + bytes(24)


@dataclass
class Broken:
    """A file, and where it breaks a rule."""

    data: bytes
    offset: int
    path: str
    refused_by: tuple[str, ...] | None = None  # if different from the rule's
    name: str = NAME
    others: dict[str, bytes] = field(default_factory=dict)  # files in the same folder
    choices: dict[str, str | list[str]] = field(default_factory=dict)
    """What a user has to choose in the fixes of docs/rules.md."""
    fixes: tuple[int, ...] | None = None  # those that apply to this file; None for all


def good(tensors: list[TensorSpec] = TENSORS, **other: Any) -> Model:
    return replace(Model(list(METADATA), [replace(tensor) for tensor in tensors], DATA), **other)


def without(*keys: str) -> Model:
    return good(metadata=[row for row in METADATA if row[0] not in keys])


def with_key(key: str | bytes, type: str, value: Any, model: Model | None = None) -> Model:
    """Append a key-value to the model, and remove any other with the same key."""
    model = model or good()
    model.metadata = [row for row in model.metadata if row[0] != key] + [(key, type, value)]
    return model


def with_tensor(tensor: TensorSpec, nbytes: int = 0) -> Model:
    """Append a tensor to the good model, and `nbytes` bytes of data."""
    return good([*TENSORS, tensor], data=DATA + bytes(nbytes))


def last_key(model: Model) -> str:
    return f"/metadata/{len(model.metadata) - 1}"


def last_tensor(model: Model) -> str:
    return f"/tensors/{len(model.tensors) - 1}"


def position(model: Model, path: str) -> int:
    """Return where a field of a key-value or a tensor info starts."""
    _, kind, number, name = path.split("/")
    items = getattr(model, kind)
    before: dict[str, Any] = {kind: items[: int(number)]} | ({"tensors": []} if kind == "metadata" else {})
    start, item = len(replace(model, **before).header()), items[int(number)]
    text = item.name if isinstance(item, TensorSpec) else item[0]
    end = start + 8 + len(text if isinstance(text, bytes) else text.encode())
    if not isinstance(item, TensorSpec):
        return {"key": start, "value_type": end, "value": end + 4}[name]
    after_dims = end + 4 + 8 * len(item.dims)
    return {"name": start, "num_dims": end, "dims": end + 4, "type_id": after_dims, "ofs_data": after_dims + 4}[name]


def data_start(model: Model) -> int:
    end = len(model.header())
    return end + -end % model.alignment


def shard(number: int, count: int, tensors: int) -> Model:
    model = with_key("split.no", "uint16", number)
    model = with_key("split.count", "uint16", count, model)
    return with_key("split.tensors.count", "int32", tensors, model)


def shards(count: int = 2) -> dict[str, Model]:
    """Return all shards of a model by name. The first has all metadata and two tensors, the others one tensor each."""
    files = {}
    for number in range(count):
        model = shard(number, count, count + 1)
        if number:
            model.metadata = model.metadata[-3:]
            model.tensors, model.data = [TensorSpec(f"blk.{number}.attn_norm.weight", (32,), F32, 0)], bytes(128)
        files[f"Tiny-1K-v1.0-{number + 1:05}-of-{count:05}.gguf"] = model
    return files
