"""Models for the viewer: a realistic header, and only the first bytes of each tensor."""

import math
from pathlib import Path

import numpy as np

from support.gguf_bytes import Array, Model, TensorSpec

F32, Q4_K, Q6_K = 0, 12, 14
BLOCKS = {F32: (1, 4), Q4_K: (256, 144), Q6_K: (256, 210)}  # elements and bytes
WRITTEN = 1 << 14  # bytes written at the start of each tensor

TEMPLATE = """\
{{- bos_token }}
{%- for message in messages %}
    {{- '<|start|>' + message['role'] + '\\n\\n' + message['content'] | trim + '<|end|>' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|start|>assistant\\n\\n' }}
{%- endif %}
"""


def llama(path: Path, num_layers: int = 32, *, num_tokens: int = 32_000, least_nbytes: int = 0) -> Path:
    """Write a sparse file like Llama 3 8B in Q4_K_M, of at least a given size."""
    tensors: list[TensorSpec] = []
    sizes: list[int] = []
    position = 0

    def add(name: str, type_id: int, *dims: int) -> None:
        nonlocal position
        num_elements, nbytes = BLOCKS[type_id]
        size = math.prod(dims) // num_elements * nbytes
        tensors.append(TensorSpec(name, dims, type_id, position))
        sizes.append(size)
        position += size + -size % 32

    add("token_embd.weight", Q4_K, 4096, num_tokens)
    for layer in range(num_layers):
        better = Q6_K if layer < num_layers // 8 or layer >= num_layers * 7 // 8 or layer % 3 == 2 else Q4_K
        add(f"blk.{layer}.attn_norm.weight", F32, 4096)
        add(f"blk.{layer}.attn_q.weight", Q4_K, 4096, 4096)
        add(f"blk.{layer}.attn_k.weight", Q4_K, 4096, 1024)
        add(f"blk.{layer}.attn_v.weight", better, 4096, 1024)
        add(f"blk.{layer}.attn_output.weight", Q4_K, 4096, 4096)
        add(f"blk.{layer}.ffn_norm.weight", F32, 4096)
        add(f"blk.{layer}.ffn_gate.weight", Q4_K, 4096, 14336)
        add(f"blk.{layer}.ffn_up.weight", Q4_K, 4096, 14336)
        add(f"blk.{layer}.ffn_down.weight", better, 14336, 4096)
    add("output_norm.weight", F32, 4096)
    add("output.weight", Q6_K, 4096, num_tokens)
    if position < least_nbytes:
        add("padding.weight", F32, (least_nbytes - position) // 4)
    model = Model(metadata(num_layers, num_tokens), tensors)
    start = model.build()
    generator = np.random.default_rng(17)
    with path.open("wb") as file:
        file.write(start)
        for spec, size in zip(tensors, sizes, strict=True):
            file.seek(len(start) + spec.offset)
            file.write(_data(generator, spec.type_id, min(size, WRITTEN)))
        file.truncate(len(start) + position)
    return path


def metadata(num_layers: int, num_tokens: int) -> list[tuple[str | bytes, str, object]]:
    tokens = ["<unk>", "<|begin|>", "<|end|>", *(f"token{number}" for number in range(num_tokens - 3))]
    return [
        ("general.architecture", "string", "llama"),
        ("general.type", "string", "model"),
        ("general.name", "string", "Example 8B Instruct"),
        ("general.basename", "string", "Example"),
        ("general.size_label", "string", "8B"),
        ("general.license", "string", "apache-2.0"),
        ("general.file_type", "uint32", 15),
        ("llama.context_length", "uint32", 131072),
        ("llama.embedding_length", "uint32", 4096),
        ("llama.block_count", "uint32", num_layers),
        ("llama.feed_forward_length", "uint32", 14336),
        ("llama.attention.head_count", "uint32", 32),
        ("llama.attention.head_count_kv", "uint32", 8),
        ("llama.attention.layer_norm_rms_epsilon", "float32", 1e-5),
        ("llama.rope.freq_base", "float32", 500000.0),
        ("llama.rope.dimension_count", "uint32", 128),
        ("tokenizer.ggml.model", "string", "gpt2"),
        ("tokenizer.ggml.pre", "string", "llama-bpe"),
        ("tokenizer.ggml.tokens", "array", Array("string", tokens)),
        ("tokenizer.ggml.token_type", "array", Array("int32", [3, 3, 3, *[1] * (num_tokens - 3)])),
        ("tokenizer.ggml.bos_token_id", "uint32", 1),
        ("tokenizer.ggml.eos_token_id", "uint32", 2),
        ("tokenizer.chat_template", "string", TEMPLATE),
        ("general.quantization_version", "uint32", 2),
    ]


def _data(generator: np.random.Generator, type_id: int, size: int) -> bytes:
    if type_id == F32:
        return generator.normal(0, 0.3, size // 4).astype("<f4").tobytes()
    _, nbytes = BLOCKS[type_id]
    blocks = generator.integers(0, 256, (size // nbytes, nbytes), np.uint8)
    scales = slice(0, 4) if type_id == Q4_K else slice(nbytes - 2, nbytes)
    numbers = generator.uniform(1e-4, 2e-3, (len(blocks), (scales.stop - scales.start) // 2))
    blocks[:, scales] = numbers.astype("<f2").view(np.uint8)
    return blocks.tobytes()
