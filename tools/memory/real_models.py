"""Models of real sizes: the default configurations of the package `transformers`, as metadata of GGUF files.

The keys are those that the conversion scripts of llama.cpp write.
"""

from collections.abc import Iterator
from typing import Any

import transformers

Rows = dict[str, Any]

NAMES = {
    "context_length": ["max_position_embeddings", "max_seq_len", "n_positions"],
    "embedding_length": ["hidden_size", "d_model", "n_embd"],
    "feed_forward_length": ["intermediate_size", "ffn_hidden_size", "n_inner"],
    "block_count": ["num_hidden_layers", "n_layers", "n_layer", "num_layers"],
    "attention.head_count": ["num_attention_heads", "n_heads", "n_head"],
    "attention.head_count_kv": ["num_key_value_heads"],
    "vocab_size": ["vocab_size"],
    "expert_count": ["num_local_experts", "n_routed_experts", "num_experts"],
    "expert_used_count": ["num_experts_per_tok"],
    "expert_feed_forward_length": ["moe_intermediate_size"],
}
"""The attributes of configurations that have the value of a key."""

EPSILON = {"attention.layer_norm_rms_epsilon": 1e-5, "attention.layer_norm_epsilon": 1e-5}
HEAD = ["attention.key_length", "attention.value_length"]


def _mla(c: Any) -> Rows:
    return {
        "attention.head_count_kv": 1,
        "attention.key_length": c.kv_lora_rank + c.qk_rope_head_dim,
        "attention.value_length": c.kv_lora_rank,
        "attention.key_length_mla": c.qk_nope_head_dim + c.qk_rope_head_dim,
        "attention.value_length_mla": c.v_head_dim,
        "attention.kv_lora_rank": c.kv_lora_rank,
        "attention.q_lora_rank": getattr(c, "q_lora_rank", None),
        "rope.dimension_count": c.qk_rope_head_dim,
        "leading_dense_block_count": getattr(c, "first_k_dense_replace", 1),
        "expert_shared_count": getattr(c, "n_shared_experts", 1),
        "expert_weights_scale": 1.0,
        "expert_gating_func": 2,
    }


def _jamba(c: Any) -> Rows:
    every, first = c.attn_layer_period, c.attn_layer_offset
    heads = [c.num_key_value_heads if il % every == first else 0 for il in range(c.num_hidden_layers)]
    state = _mamba(c.mamba_d_conv, c.mamba_expand * c.hidden_size, c.mamba_d_state, c.mamba_dt_rank)
    return {"attention.head_count_kv": heads} | state


def _mamba(kernel: int, inner: int, state: int, rank: int, **more: Any) -> Rows:
    rows = {"conv_kernel": kernel, "inner_size": inner, "state_size": state, "time_step_rank": rank} | more
    return {f"ssm.{name}": value for name, value in rows.items()}


def _qwen3next(c: Any) -> Rows:
    state = _mamba(
        c.linear_conv_kernel_dim,
        c.linear_value_head_dim * c.linear_num_value_heads,
        c.linear_key_head_dim,
        c.linear_num_value_heads,
        group_count=c.linear_num_key_heads,
    )
    return state | {"expert_shared_feed_forward_length": c.shared_expert_intermediate_size, "rope.dimension_count": 64}


def _gemma4(c: Any) -> Rows:
    return {
        "attention.sliding_window": c.sliding_window,
        "attention.sliding_window_pattern": [kind == "sliding_attention" for kind in c.layer_types],
        "attention.shared_kv_layers": c.num_kv_shared_layers,
        "attention.key_length": c.per_layer_config[5].head_dim,
        "attention.value_length": c.per_layer_config[5].head_dim,
        "attention.key_length_swa": c.head_dim,
        "attention.value_length_swa": c.head_dim,
        "embedding_length_per_layer_input": c.hidden_size_per_layer_input,
    }


def _kimi(c: Any) -> Rows:
    return _mla(c) | {
        "attention.head_count_kv": [int(kind == "full_attention") for kind in c.layer_types],
        "attention.head_count": c.num_attention_heads,
        "ssm.conv_kernel": c.linear_conv_kernel_dim,
        "kda.head_dim": c.linear_head_dim,
        "expert_used_count": c.num_experts_per_token,
    }


def _none(_: Any) -> Rows:
    return {}


WITHOUT_HEADS: Rows = {"attention.head_count": 0, "feed_forward_length": 0, "context_length": 1 << 20}

# Name, architecture, class of the configuration, and the rows that follow from more than one attribute.
MODELS: list[tuple[str, str, str, Any]] = [
    ("llama", "llama", "Llama", _none),
    ("mistral", "llama", "Mistral", _none),
    ("mixtral", "llama", "Mixtral", _none),
    ("gemma", "gemma", "Gemma", _none),
    ("gemma2", "gemma2", "Gemma2", lambda c: {"attention.sliding_window": c.sliding_window}),
    ("gemma3", "gemma3", "Gemma3Text", lambda c: {"attention.sliding_window": c.sliding_window}),
    (
        "gemma3n",
        "gemma3n",
        "Gemma3nText",
        lambda c: {
            "attention.sliding_window": c.sliding_window,
            "feed_forward_length": 16384,
            "embedding_length_per_layer_input": c.hidden_size_per_layer_input,
        },
    ),
    ("qwen2", "qwen2", "Qwen2", _none),
    (
        "qwen2moe",
        "qwen2moe",
        "Qwen2Moe",
        lambda c: {
            "expert_shared_feed_forward_length": c.shared_expert_intermediate_size,
        },
    ),
    ("qwen3", "qwen3", "Qwen3", _none),
    ("qwen3moe", "qwen3moe", "Qwen3Moe", _none),
    ("qwen3next", "qwen3next", "Qwen3Next", _qwen3next),
    ("phi2", "phi2", "Phi", lambda c: {"rope.dimension_count": 32}),
    ("phi3", "phi3", "Phi3", _none),
    ("phimoe", "phimoe", "Phimoe", _none),
    ("falcon", "falcon", "Falcon", lambda c: {"attention.head_count_kv": 1, "feed_forward_length": 4 * c.hidden_size}),
    ("mamba", "mamba", "Mamba", lambda c: WITHOUT_HEADS | _mamba(c.conv_kernel, c.intermediate_size, c.state_size, 48)),
    (
        "mamba2",
        "mamba2",
        "Mamba2",
        lambda c: (
            WITHOUT_HEADS
            | _mamba(c.conv_kernel, c.expand * c.hidden_size, c.state_size, c.num_heads, group_count=c.n_groups)
        ),
    ),
    ("jamba", "jamba", "Jamba", _jamba),
    ("deepseek3", "deepseek2", "DeepseekV3", _mla),
    (
        "gpt-oss",
        "gpt-oss",
        "GptOss",
        lambda c: {
            "attention.sliding_window": c.sliding_window,
            "expert_feed_forward_length": c.intermediate_size,
        },
    ),
    ("command-r", "command-r", "Cohere", lambda c: {"logit_scale": 0.0625}),
    ("cohere2", "cohere2", "Cohere2", lambda c: {"attention.sliding_window": c.sliding_window, "logit_scale": 0.25}),
    ("olmo", "olmo", "Olmo", _none),
    ("olmo2", "olmo2", "Olmo2", _none),
    ("olmoe", "olmoe", "Olmoe", _none),
    ("gpt2", "gpt2", "GPT2", lambda c: {"feed_forward_length": 4 * c.n_embd}),
    ("mpt", "mpt", "Mpt", lambda c: {"feed_forward_length": 4 * c.d_model, "attention.max_alibi_bias": 8.0}),
    ("stablelm", "stablelm", "StableLm", lambda c: {"rope.dimension_count": 20}),
    ("starcoder2", "starcoder2", "Starcoder2", _none),
    ("gptneox", "gptneox", "GPTNeoX", lambda c: {"use_parallel_residual": True, "rope.dimension_count": 24}),
    (
        "lfm2",
        "lfm2",
        "Lfm2",
        lambda c: {
            "shortconv.l_cache": c.conv_L_cache,
            "attention.head_count_kv": [8 if kind == "full_attention" else 0 for kind in c.layer_types],
        },
    ),
    ("granite", "granite", "Granite", lambda c: {"logit_scale": c.logits_scaling}),
    ("granitemoe", "granitemoe", "GraniteMoe", lambda c: {"logit_scale": c.logits_scaling}),
    ("exaone4", "exaone4", "Exaone4", lambda c: {"attention.sliding_window": c.sliding_window}),
    ("smollm3", "smollm3", "SmolLM3", _none),
    ("glm4", "glm4", "Glm4", lambda c: {"rope.dimension_count": 64}),
    (
        "glm4moe",
        "glm4moe",
        "Glm4Moe",
        lambda c: {
            "leading_dense_block_count": c.first_k_dense_replace,
            "expert_shared_count": c.n_shared_experts,
            "rope.dimension_count": 64,
            "expert_gating_func": 2,
        },
    ),
    (
        "llama4",
        "llama4",
        "Llama4Text",
        lambda c: {
            "interleave_moe_layer_step": c.interleave_moe_layer_step,
            "feed_forward_length": c.intermediate_size_mlp,
            "expert_feed_forward_length": c.intermediate_size,
        },
    ),
    ("gemma4", "gemma4", "Gemma4Text", _gemma4),
    ("kimi-linear", "kimi-linear", "KimiLinear", _kimi),
    (
        "glm-dsa",
        "glm-dsa",
        "GlmMoeDsa",
        lambda c: (
            _mla(c)
            | {
                "attention.indexer.head_count": c.index_n_heads,
                "attention.indexer.key_length": c.index_head_dim,
                "attention.indexer.top_k": c.index_topk,
            }
        ),
    ),
    ("seed-oss", "seed_oss", "SeedOss", _none),
    ("nemotron", "nemotron", "Nemotron", lambda c: {"rope.dimension_count": c.head_dim // 2}),
    ("ernie4_5", "ernie4_5", "Ernie4_5", _none),
]


def metadata(name: str, architecture: str, config: Any, more: Any) -> Rows:
    """Return the metadata of a model, without its vocabulary."""
    rows: Rows = dict(EPSILON)
    for key, attributes in NAMES.items():
        value = next((getattr(config, each) for each in attributes if getattr(config, each, None)), None)
        if value is not None:
            rows[key] = value
    heads = rows.get("attention.head_count")
    size = getattr(config, "head_dim", None)
    if heads and size:
        rows |= dict.fromkeys(HEAD, size)
    rows |= more(config)
    width = rows.get("rope.dimension_count", rows.get(HEAD[0]))
    if width:
        rows["rope.dimension_count"] = width
    rows["rope.scaling.finetuned"] = False
    named = {f"{architecture}.{key}": value for key, value in rows.items() if value is not None}
    return {"general.architecture": architecture, "general.name": name, "tokenizer.ggml.model": "none"} | named


def real_models() -> Iterator[tuple[str, str, Rows, bool]]:
    """Yield the name, the source and the metadata of each model, and whether it has an output of its own."""
    for name, architecture, kind, more in MODELS:
        config = getattr(transformers, f"{kind}Config")()
        config.allow_global_per_layer_attribute_access = True
        source = f"transformers {transformers.__version__}, {kind}Config()"
        yield name, source, metadata(name, architecture, config, more), not config.tie_word_embeddings
