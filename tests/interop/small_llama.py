"""A llama model with two layers, random weights and a tokenizer with a few hundred tokens."""

import string
from pathlib import Path

import numpy as np

import kaitai_gguf

LAYERS, WIDTH, HIDDEN, HEADS, KV_HEADS = 2, 64, 128, 4, 2

PIECES = [*string.ascii_letters, *string.digits, "▁", "th", "he", "▁the", "in", "▁in", "er", "an", "▁an", "qu", "ick"]
TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256)), *PIECES]
KINDS = [2, 3, 3, *[6] * 256, *[1] * len(PIECES)]  # unknown, control, byte, normal


def write(path: Path) -> None:
    numbers = np.random.default_rng(15)
    shapes = {
        "token_embd.weight": (len(TOKENS), WIDTH),
        "output.weight": (len(TOKENS), WIDTH),
        "output_norm.weight": (WIDTH,),
    }
    for layer in range(LAYERS):
        row = {
            "attn_norm": (WIDTH,), "ffn_norm": (WIDTH,), "attn_q": (WIDTH, WIDTH), "attn_output": (WIDTH, WIDTH),
            "attn_k": (WIDTH * KV_HEADS // HEADS, WIDTH), "attn_v": (WIDTH * KV_HEADS // HEADS, WIDTH),
            "ffn_gate": (HIDDEN, WIDTH), "ffn_up": (HIDDEN, WIDTH), "ffn_down": (WIDTH, HIDDEN),
        }  # fmt: skip
        shapes |= {f"blk.{layer}.{name}.weight": shape for name, shape in row.items()}
    types = {"attn_q": "Q8_0", "attn_v": "Q4_0", "ffn_up": "F16", "ffn_down": "BF16"}
    tensors = {}
    for name, shape in shapes.items():
        array = numbers.standard_normal(shape, np.float32)
        tensors[name] = array, types.get(name.split(".")[-2], "F32")
    kaitai_gguf.write(path, METADATA, tensors)


METADATA = {
    "general.architecture": "llama",
    "general.name": "small",
    "general.quantization_version": 2,
    "llama.block_count": LAYERS,
    "llama.context_length": 256,
    "llama.embedding_length": WIDTH,
    "llama.feed_forward_length": HIDDEN,
    "llama.attention.head_count": HEADS,
    "llama.attention.head_count_kv": KV_HEADS,
    "llama.attention.layer_norm_rms_epsilon": 1e-5,
    "llama.rope.dimension_count": WIDTH // HEADS,
    "llama.vocab_size": len(TOKENS),
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": TOKENS,
    "tokenizer.ggml.scores": np.array([0.0] * 259 + [-float(rank) for rank in range(len(PIECES))], np.float32),
    "tokenizer.ggml.token_type": np.array(KINDS, np.int32),
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
    "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.ggml.add_bos_token": True,
}
