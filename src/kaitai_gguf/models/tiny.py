"""Tiny models with random weights, for tests of programs that read models.

Of each architecture, the tensors are those without which llama.cpp does not load or run a model. They were found by
leaving out tensors of the models of its own test, test-llama-archs.
"""

from typing import Any

import numpy as np

from kaitai_gguf.llama_cpp import facts

CONTEXT, EMBEDDING, FEED_FORWARD, HEADS, KV_HEADS, EXPERTS = 512, 256, 512, 4, 2, 4
HEAD = EMBEDDING // HEADS

_ATTENTION = "attn_norm attn_q attn_k attn_v attn_output"
_FUSED = "attn_norm attn_qkv attn_output"
_GATED = "ffn_gate ffn_up ffn_down"
_LLAMA = f"{_ATTENTION} ffn_norm {_GATED}"
_QWEN2 = f"attn_norm attn_q+ attn_k+ attn_v+ attn_output ffn_norm {_GATED}"
_QK_NORM = "attn_q_norm attn_k_norm"
_POST_NORM = "post_attention_norm post_ffw_norm"
_EXPERTS = "ffn_norm ffn_gate_inp ffn_gate_exps ffn_up_exps ffn_down_exps"
_GPT2 = "attn_norm+ attn_qkv+ attn_output+ ffn_norm+ ffn_up+ ffn_down+"
_TIED = "token_embd output_norm"
_OUTPUT = f"{_TIED} output"
_BIASED = "token_embd output_norm+ output"

_LIKE_LLAMA = [
    "baichuan", "deci", "dream", "ernie4_5", "exaone", "granite", "internlm2", "llada", "llama", "minicpm", "mistral3",
    "nanbeige", "refact", "smollm3", "xverse",
]  # fmt: skip
ARCHITECTURES: dict[str, tuple[str, str]] = dict.fromkeys(_LIKE_LLAMA, (_OUTPUT, _LLAMA)) | {
    "arcee": (_OUTPUT, f"{_ATTENTION} ffn_norm ffn_up ffn_down"),
    "bloom": ("token_embd token_embd_norm+ output_norm+ output", _GPT2),
    "cohere2": (_TIED, f"{_ATTENTION} {_GATED}"),
    "command-r": (_TIED, f"{_ATTENTION} {_GATED}"),
    "exaone4": (_OUTPUT, f"attn_q attn_k attn_v attn_output {_QK_NORM} {_GATED} {_POST_NORM}"),
    "falcon": (_BIASED, "attn_norm+ attn_qkv attn_output ffn_up ffn_down"),
    "gemma": (_TIED, _LLAMA),
    "gemma2": (_TIED, f"{_LLAMA} {_POST_NORM}"),
    "gemma3": (_TIED, f"{_LLAMA} {_QK_NORM} {_POST_NORM}"),
    "gpt-oss": (
        _OUTPUT,
        "attn_norm attn_q+ attn_k+ attn_v+ attn_output+ attn_sinks post_attention_norm ffn_gate_inp+ ffn_gate_exps+ "
        "ffn_up_exps+ ffn_down_exps+",
    ),
    "gpt2": ("token_embd position_embd output_norm+ output", _GPT2),
    "gptneox": (_BIASED, _GPT2),
    "hunyuan-dense": (_OUTPUT, f"{_LLAMA} {_QK_NORM}"),
    "jais2": (_BIASED, "attn_norm+ attn_q+ attn_k+ attn_v+ attn_output+ ffn_norm+ ffn_up+ ffn_down+"),
    "maincoder": (_OUTPUT, f"{_LLAMA} {_QK_NORM}"),
    "mpt": (_OUTPUT, f"{_FUSED} ffn_norm ffn_up ffn_down"),
    "nemotron": (_BIASED, "attn_norm+ attn_q attn_k attn_v attn_output ffn_norm+ ffn_up ffn_down"),
    "olmo": ("token_embd output", f"attn_q attn_k attn_v attn_output {_GATED}"),
    "orion": (_BIASED, f"attn_norm+ attn_q attn_k attn_v attn_output ffn_norm+ {_GATED}"),
    "phi2": ("token_embd output_norm+ output+", "attn_norm+ attn_q+ attn_k+ attn_v+ attn_output+ ffn_up+ ffn_down+"),
    "plamo": (_OUTPUT, f"{_ATTENTION} {_GATED}"),
    "qwen2": (_OUTPUT, _QWEN2),
    "qwen2vl": (_OUTPUT, _QWEN2),
    "qwen3": (_OUTPUT, f"{_LLAMA} {_QK_NORM}"),
    "qwen3moe": (_OUTPUT, f"{_ATTENTION} {_QK_NORM} {_EXPERTS}"),
    "seed_oss": (_OUTPUT, f"{_ATTENTION} post_attention_norm {_GATED}"),
    "stablelm": (_BIASED, f"attn_norm+ attn_q attn_k attn_v attn_output ffn_norm+ {_GATED}"),
    "starcoder": ("token_embd position_embd output_norm+ output", _GPT2),
    "starcoder2": (_BIASED, "attn_norm+ attn_q+ attn_k+ attn_v+ attn_output+ ffn_norm+ ffn_up+ ffn_down+"),
}
"""The tensors outside of the blocks and those in each block, by architecture. A + stands for a bias beside a weight."""

_VALUES: dict[str, Any] = {
    "context_length": CONTEXT,
    "embedding_length": EMBEDDING,
    "feed_forward_length": FEED_FORWARD,
    "attention.head_count": HEADS,
    "attention.head_count_kv": KV_HEADS,
    "rope.dimension_count": HEAD,
    "attention.layer_norm_rms_epsilon": 1e-5,
    "attention.layer_norm_epsilon": 1e-5,
    "attention.sliding_window": CONTEXT // 2,
    "use_parallel_residual": True,
    "logit_scale": 1.0,
    "rope.dimension_sections": [8, 12, 12, 0],
    "expert_count": EXPERTS,
    "expert_used_count": 2,
    "expert_feed_forward_length": FEED_FORWARD,
}
_ALWAYS = ("feed_forward_length", "attention.head_count", "attention.head_count_kv")
_OF_EXPERTS = ("expert_count", "expert_used_count", "expert_feed_forward_length")

# A vocabulary of bytes, with which any text can be tokenized.
_TOKENS = ["<unk>", "<s>", "</s>", *(f"<0x{byte:02X}>" for byte in range(256))]
_TOKENIZER = {
    "tokenizer.ggml.model": "llama",
    "tokenizer.ggml.tokens": _TOKENS,
    "tokenizer.ggml.scores": [0.0] * len(_TOKENS),
    "tokenizer.ggml.token_type": [2, 3, 3, *[6] * 256],
    "tokenizer.ggml.unknown_token_id": 0,
    "tokenizer.ggml.bos_token_id": 1,
    "tokenizer.ggml.eos_token_id": 2,
}

_MATRIX, _DOWN = (EMBEDDING, FEED_FORWARD), (FEED_FORWARD, EMBEDDING)
_DIMS: dict[str, tuple[int, ...]] = {
    "token_embd": (EMBEDDING, len(_TOKENS)),
    "position_embd": (EMBEDDING, CONTEXT),
    "output": (EMBEDDING, len(_TOKENS)),
    "attn_q": (EMBEDDING, EMBEDDING),
    "attn_k": (EMBEDDING, KV_HEADS * HEAD),
    "attn_v": (EMBEDDING, KV_HEADS * HEAD),
    "attn_qkv": (EMBEDDING, (HEADS + 2 * KV_HEADS) * HEAD),
    "attn_output": (EMBEDDING, EMBEDDING),
    "attn_q_norm": (HEAD,),
    "attn_k_norm": (HEAD,),
    "attn_sinks": (HEADS,),
    "ffn_gate": _MATRIX,
    "ffn_up": _MATRIX,
    "ffn_down": _DOWN,
    "ffn_gate_inp": (EMBEDDING, EXPERTS),
    "ffn_gate_exps": (*_MATRIX, EXPERTS),
    "ffn_up_exps": (*_MATRIX, EXPERTS),
    "ffn_down_exps": (*_DOWN, EXPERTS),
}
"""The dims of weights; norms have `EMBEDDING` elements."""


def tiny_model(architecture: str, layers: int, seed: int = 0) -> tuple[dict[str, Any], dict[str, np.ndarray]]:
    """Return metadata and float32 tensors of a model that llama.cpp loads, as `write` takes them.

    architecture  one of `ARCHITECTURES`.
    layers        the number of blocks, at least 1.
    seed          of the random numbers: equal seeds give equal models.
    """
    outside, block = ARCHITECTURES[architecture]
    known = facts()["architectures"]
    keys = [*known["*"]["required"], *_ALWAYS, *known[architecture]["required"]]
    keys += ["rope.dimension_count"] if "attn_k" in block else []
    keys += _OF_EXPERTS if "_exps" in block else []
    values = _VALUES | {"block_count": layers}
    metadata = {"general.architecture": architecture, "general.name": f"Tiny {architecture} with random weights"}
    metadata |= {f"{architecture}.{key}": values[key] for key in dict.fromkeys(keys)} | _TOKENIZER
    random = np.random.default_rng(seed)
    names = outside.split() + [f"blk.{number}.{name}" for number in range(layers) for name in block.split()]
    tensors = {}
    for name in names:
        dims = _DIMS.get(name.rstrip("+").rpartition(".")[2], (EMBEDDING,))
        spread, mean = (EMBEDDING**-0.5, 0) if len(dims) > 1 else (0.1, 1)
        tensors[f"{name.rstrip('+')}.weight"] = random.normal(mean, spread, dims[::-1]).astype(np.float32)
        if name.endswith("+"):
            shape = (dims[1:] or dims)[::-1]
            tensors[f"{name.rstrip('+')}.bias"] = random.normal(0, 0.1, shape).astype(np.float32)
    return metadata, tensors
