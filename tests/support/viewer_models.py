"""Models for the viewer: a realistic header, and only the first bytes of each tensor."""

import math
from itertools import accumulate
from pathlib import Path

import numpy as np

from support.gguf_bytes import F32, Q4_K, Array, Model, TensorSpec

Q6_K = 14
BLOCKS = {F32: (1, 4), Q4_K: (256, 144), Q6_K: (256, 210)}  # elements and bytes
WRITTEN = 1 << 14  # bytes written at the start of each tensor
TYPES = {str: "string", int: "uint32", float: "float32", Array: "array"}

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
    rows: list[tuple[str, tuple[int, ...], int]] = [("token_embd.weight", (4096, num_tokens), Q4_K)]
    for layer in range(num_layers):
        better = Q6_K if layer < num_layers // 8 or layer >= num_layers * 7 // 8 or layer % 3 == 2 else Q4_K
        rows += [
            (f"blk.{layer}.attn_norm.weight", (4096,), F32),
            (f"blk.{layer}.attn_q.weight", (4096, 4096), Q4_K),
            (f"blk.{layer}.attn_k.weight", (4096, 1024), Q4_K),
            (f"blk.{layer}.attn_v.weight", (4096, 1024), better),
            (f"blk.{layer}.attn_output.weight", (4096, 4096), Q4_K),
            (f"blk.{layer}.ffn_norm.weight", (4096,), F32),
            (f"blk.{layer}.ffn_gate.weight", (4096, 14336), Q4_K),
            (f"blk.{layer}.ffn_up.weight", (4096, 14336), Q4_K),
            (f"blk.{layer}.ffn_down.weight", (14336, 4096), better),
        ]
    rows += [("output_norm.weight", (4096,), F32), ("output.weight", (4096, num_tokens), Q6_K)]
    nbytes = [math.prod(dims) // BLOCKS[type_id][0] * BLOCKS[type_id][1] for _, dims, type_id in rows]
    if least_nbytes:
        rows.append(("padding.weight", ((least_nbytes - sum(nbytes)) // 4,), F32))
        nbytes.append(least_nbytes - sum(nbytes))
    ends = list(accumulate(nbytes))  # all sizes are multiples of 32
    tensors = [TensorSpec(*row, end - size) for row, end, size in zip(rows, ends, nbytes, strict=True)]
    start = Model(metadata(num_layers, num_tokens), tensors).build()
    generator = np.random.default_rng(17)
    with path.open("wb") as file:
        file.write(start)
        for spec, end in zip(tensors, ends, strict=True):
            file.seek(len(start) + spec.offset)
            numbers = generator.normal(0, 0.3, WRITTEN // 4).astype("<f4").tobytes()
            blocks = generator.integers(0, 0x40, WRITTEN, np.uint8).tobytes()  # as float16, each scale is below 2
            file.write((numbers if spec.type_id == F32 else blocks)[: end - spec.offset])
        file.truncate(len(start) + ends[-1])
    return path


def metadata(num_layers: int, num_tokens: int) -> list[tuple[str | bytes, str, object]]:
    tokens = ["<unk>", "<|begin|>", "<|end|>", *(f"token{number}" for number in range(num_tokens - 3))]
    values = {
        "general.architecture": "llama",
        "general.type": "model",
        "general.name": "Example 8B Instruct",
        "general.basename": "Example",
        "general.size_label": "8B",
        "general.license": "apache-2.0",
        "general.file_type": 15,
        "llama.context_length": 131072,
        "llama.embedding_length": 4096,
        "llama.block_count": num_layers,
        "llama.feed_forward_length": 14336,
        "llama.attention.head_count": 32,
        "llama.attention.head_count_kv": 8,
        "llama.attention.layer_norm_rms_epsilon": 1e-5,
        "llama.rope.freq_base": 500000.0,
        "llama.rope.dimension_count": 128,
        "tokenizer.ggml.model": "gpt2",
        "tokenizer.ggml.pre": "llama-bpe",
        "tokenizer.ggml.tokens": Array("string", tokens),
        "tokenizer.ggml.token_type": Array("int32", [3, 3, 3, *[1] * (num_tokens - 3)]),
        "tokenizer.ggml.bos_token_id": 1,
        "tokenizer.ggml.eos_token_id": 2,
        "tokenizer.chat_template": TEMPLATE,
        "general.quantization_version": 2,
    }
    return [(key, TYPES[type(value)], value) for key, value in values.items()]
