"""A model that breaks no rule, and helpers that make it break one, without the reader's code."""

from dataclasses import dataclass, field, replace
from typing import Any

from support.gguf_bytes import Array, Model, TensorSpec

F32, Q4_0, Q8_0, Q8_K, TQ2_0, MXFP4, NVFP4, IQ1_M, Q2_0 = 0, 2, 8, 15, 35, 39, 40, 29, 42
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


def good() -> Model:
    return Model(list(METADATA), [replace(tensor) for tensor in TENSORS], DATA)


@dataclass
class Broken:
    """A file, and where it breaks a rule."""

    data: bytes
    offset: int
    path: str
    refused_by: tuple[str, ...] | None = None  # if different from the rule's
    others: dict[str, bytes] = field(default_factory=dict)  # files in the same folder


def without(*keys: str) -> Model:
    model = good()
    model.metadata = [row for row in model.metadata if row[0] not in keys]
    return model


def with_key(key: str | bytes, type: str, value: Any, model: Model | None = None) -> Model:
    """Append a key-value to the model, and remove any other with the same key."""
    model = model or good()
    model.metadata = [row for row in model.metadata if row[0] != key] + [(key, type, value)]
    return model


def with_tensor(tensor: TensorSpec, nbytes: int = 0, model: Model | None = None) -> Model:
    """Append a tensor to the model, and `nbytes` bytes of data."""
    model = model or good()
    model.tensors.append(tensor)
    model.data += bytes(nbytes)
    return model


def start(model: Model, number: int) -> int:
    """Return the position of a key-value."""
    return len(replace(model, metadata=model.metadata[:number], tensors=[]).header())


def key_place(model: Model, number: int = -1) -> tuple[int, str]:
    number %= len(model.metadata)
    return start(model, number), f"/metadata/{number}/key"


def type_place(model: Model, number: int = -1) -> tuple[int, str]:
    number %= len(model.metadata)
    key = model.metadata[number][0]
    length = len(key if isinstance(key, bytes) else key.encode())
    return start(model, number) + 8 + length, f"/metadata/{number}/value_type"


def value_place(model: Model, number: int = -1) -> tuple[int, str]:
    offset, path = type_place(model, number)
    return offset + 4, path.replace("value_type", "value")


def tensor_place(model: Model, name: str, number: int = -1) -> tuple[int, str]:
    """Return the position and path of a field of a tensor info."""
    number %= len(model.tensors)
    tensor = model.tensors[number]
    begin = len(replace(model, tensors=model.tensors[:number]).header())
    after_name = begin + 8 + len(tensor.name if isinstance(tensor.name, bytes) else tensor.name.encode())
    after_dims = after_name + 4 + 8 * len(tensor.dims)
    places = {
        "name": begin,
        "num_dims": after_name,
        "dims": after_name + 4,
        "type_id": after_dims,
        "ofs_data": after_dims + 4,
    }
    return places[name], f"/tensors/{number}/{name}"


def data_start(model: Model) -> int:
    end = len(model.header())
    return end + -end % model.alignment
