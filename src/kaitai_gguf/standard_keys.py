"""The standard metadata keys, and the types of their values.

They come from the format's documentation (ggml's docs/gguf.md), and from what llama.cpp and gguf-py read and write.
Where these disagree, for example on the width of counts, every documented type is allowed, and the one that llama.cpp
reads comes first.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any

from kaitai_gguf.types import KeyType, ValueType

__all__ = ["architecture_of", "standard_keys", "standard_types"]


COUNT = "uint32|uint64"
PER_LAYER = f"{COUNT}|int32[]|uint32[]|uint64[]"

# Types separated by "|", the one to write first; then the keys of these types.
_KEYS: list[tuple[str, str]] = [
    (
        "string",
        """general.architecture general.type general.name general.author general.version general.organization
        general.basename general.finetune general.description general.quantized_by general.size_label general.license
        general.license.name general.license.link general.url general.doi general.uuid general.repo_url
        general.source.url general.source.doi general.source.uuid general.source.repo_url
        general.base_model.{id}.name general.base_model.{id}.author general.base_model.{id}.version
        general.base_model.{id}.organization general.base_model.{id}.description general.base_model.{id}.url
        general.base_model.{id}.doi general.base_model.{id}.uuid general.base_model.{id}.repo_url
        general.dataset.{id}.name general.dataset.{id}.author general.dataset.{id}.version
        general.dataset.{id}.organization general.dataset.{id}.description general.dataset.{id}.url
        general.dataset.{id}.doi general.dataset.{id}.uuid general.dataset.{id}.repo_url
        tokenizer.ggml.model tokenizer.ggml.pre tokenizer.huggingface.json tokenizer.rwkv.world
        tokenizer.chat_template tokenizer.chat_template.{id} adapter.type
        [arch].tensor_data_layout [arch].rope.scaling.type""",
    ),
    (
        "uint32",
        """general.quantization_version general.alignment general.file_type general.base_model.count
        general.dataset.count tokenizer.ggml.token_type_count
        tokenizer.ggml.bos_token_id tokenizer.ggml.eos_token_id tokenizer.ggml.eot_token_id tokenizer.ggml.eom_token_id
        tokenizer.ggml.unknown_token_id tokenizer.ggml.separator_token_id tokenizer.ggml.seperator_token_id
        tokenizer.ggml.padding_token_id tokenizer.ggml.cls_token_id tokenizer.ggml.mask_token_id
        tokenizer.ggml.prefix_token_id tokenizer.ggml.suffix_token_id tokenizer.ggml.middle_token_id
        tokenizer.ggml.fim_pre_token_id tokenizer.ggml.fim_suf_token_id tokenizer.ggml.fim_mid_token_id
        tokenizer.ggml.fim_pad_token_id tokenizer.ggml.fim_rep_token_id tokenizer.ggml.fim_sep_token_id""",
    ),
    ("uint16", "split.no split.count"),
    ("int32", "split.tensors.count"),
    ("float32", "adapter.lora.alpha"),
    (
        "bool",
        """tokenizer.ggml.add_bos_token tokenizer.ggml.add_eos_token tokenizer.ggml.add_sep_token
        tokenizer.ggml.add_space_prefix tokenizer.ggml.remove_extra_whitespaces
        tokenizer.ggml.normalizer.lowercase tokenizer.ggml.normalizer.strip_accents
        [arch].use_parallel_residual [arch].attention.causal [arch].attention.use_norm
        [arch].rope.scaling.finetuned [arch].expert_weights_norm [arch].ssm.dt_b_c_rms""",
    ),
    (
        "string[]",
        """general.tags general.languages general.datasets tokenizer.ggml.tokens tokenizer.ggml.merges
        tokenizer.ggml.added_tokens tokenizer.chat_templates [arch].classifier.output_labels""",
    ),
    ("float32[]|int32[]", "tokenizer.ggml.scores"),
    ("int32[]", "tokenizer.ggml.token_type"),
    ("uint8[]|int8[]", "tokenizer.ggml.precompiled_charsmap"),
    ("int32[]|uint32[]|int32", "[arch].rope.dimension_sections"),
    (f"{COUNT}|int32", "[arch].decoder_start_token_id"),  # int32 from llama.cpp, uint32 from gguf-py
    (
        COUNT,
        """[arch].context_length [arch].embedding_length [arch].block_count [arch].vocab_size [arch].expert_count
        [arch].expert_shared_count [arch].expert_shared_feed_forward_length
        [arch].expert_gating_func [arch].leading_dense_block_count [arch].embedding_length_per_layer_input
        [arch].nextn_predict_layers [arch].pooling_type [arch].architecture_version
        [arch].attention.key_length [arch].attention.value_length
        [arch].attention.key_length_swa [arch].attention.value_length_swa
        [arch].attention.key_length_mla [arch].attention.value_length_mla
        [arch].attention.q_lora_rank [arch].attention.kv_lora_rank [arch].attention.shared_kv_layers
        [arch].attention.relative_buckets_count
        [arch].rope.dimension_count [arch].rope.dimension_count_swa [arch].rope.scaling.original_context_length
        [arch].ssm.conv_kernel [arch].ssm.inner_size [arch].ssm.state_size [arch].ssm.time_step_rank
        [arch].ssm.group_count [arch].wkv.head_size [arch].time_mix_extra_dim [arch].time_decay_extra_dim
        [arch].rescale_every_n_layers [arch].token_shift_count
        [arch].encoder.context_length [arch].encoder.embedding_length [arch].encoder.block_count
        [arch].encoder.mels_count [arch].encoder.attention.head_count
        [arch].decoder.context_length [arch].decoder.embedding_length [arch].decoder.block_count
        [arch].decoder.attention.head_count""",
    ),
    (
        PER_LAYER,
        """[arch].feed_forward_length [arch].attention.head_count [arch].attention.head_count_kv
        [arch].expert_used_count [arch].expert_feed_forward_length [arch].attention.sliding_window""",
    ),
    (f"{PER_LAYER}|bool[]", "[arch].attention.sliding_window_pattern"),
    (
        "float32",
        """[arch].attention.max_alibi_bias [arch].attention.clamp_kqv [arch].attention.layer_norm_epsilon
        [arch].attention.layer_norm_rms_epsilon [arch].attention.group_norm_epsilon [arch].attention.scale
        [arch].rope.scale [arch].rope.freq_base [arch].rope.freq_base_swa [arch].rope.scale_linear
        [arch].rope.scaling.factor [arch].rope.scaling.attn_factor [arch].rope.scaling.yarn_log_multiplier
        [arch].logit_scale [arch].residual_scale [arch].embedding_scale [arch].expert_weights_scale
        [arch].attn_logit_softcapping [arch].final_logit_softcapping""",
    ),
    # Known to gguf-py alone: recommended sampling, other architectures, projectors and adapters.
    (
        "string",
        """general.sampling.sequence clip.projector_type clip.vision.projector_type clip.audio.projector_type
        adapter.lora.task_name adapter.lora.prompt_prefix general.source.huggingface.repository""",
    ),
    (
        COUNT,
        """[arch].embedding_length_out [arch].features_length [arch].posnet.embedding_length
        [arch].posnet.block_count [arch].convnext.embedding_length [arch].convnext.block_count
        [arch].shortconv.l_cache [arch].full_attention_interval [arch].expert_chunk_feed_forward_length
        [arch].decoder_block_count [arch].altup.active_idx [arch].altup.num_inputs
        [arch].attention.indexer.head_count [arch].attention.indexer.key_length [arch].attention.indexer.top_k
        [arch].expert_group_count [arch].expert_group_used_count [arch].experts_per_group
        [arch].moe_every_n_layers [arch].moe_latent_size [arch].interleave_moe_layer_step
        [arch].attention.group_norm_groups [arch].attention.decay_lora_rank [arch].attention.iclr_lora_rank
        [arch].attention.value_residual_mix_lora_rank [arch].attention.gate_lora_rank
        [arch].attention.temperature_length [arch].n_deepstack_layers [arch].kda.head_dim
        clip.vision.projection_dim clip.vision.patch_size clip.vision.embedding_length
        clip.vision.feed_forward_length clip.vision.block_count clip.vision.attention.head_count
        clip.vision.image_size clip.vision.image_max_pixels clip.vision.image_min_pixels
        clip.vision.preproc_max_tiles clip.vision.preproc_min_tiles clip.vision.preproc_image_size
        clip.vision.spatial_merge_size clip.vision.projector.scale_factor clip.vision.n_wa_pattern
        clip.vision.window_size clip.vision.sam.block_count clip.vision.sam.embedding_length
        clip.vision.sam.head_count clip.audio.projection_dim clip.audio.embedding_length
        clip.audio.feed_forward_length clip.audio.block_count clip.audio.attention.head_count
        clip.audio.num_mel_bins clip.audio.projector.stack_factor clip.audio.chunk_size
        clip.audio.conv_kernel_size clip.audio.max_pos_emb clip.audio.projector.window_size
        clip.audio.projector.downsample_rate clip.audio.projector.head_count""",
    ),
    ("uint32", "imatrix.chunk_count imatrix.chunk_size"),
    ("int32", "general.sampling.top_k general.sampling.penalty_last_n general.sampling.mirostat"),
    (
        "float32",
        """general.sampling.top_p general.sampling.min_p general.sampling.xtc_probability
        general.sampling.xtc_threshold general.sampling.temp general.sampling.penalty_repeat
        general.sampling.mirostat_tau general.sampling.mirostat_eta [arch].router_logit_softcapping
        [arch].expert_group_scale [arch].attention.output_scale [arch].attention.temperature_scale
        [arch].rope.scaling.alpha [arch].rope.scaling.yarn_ext_factor [arch].rope.scaling.yarn_attn_factor
        [arch].rope.scaling.yarn_beta_fast [arch].rope.scaling.yarn_beta_slow
        clip.vision.attention.layer_norm_epsilon clip.audio.attention.layer_norm_epsilon""",
    ),
    (
        "bool",
        """[arch].swin_norm clip.has_vision_encoder clip.has_audio_encoder clip.use_gelu clip.use_silu
        diffusion.shift_logits clip.has_llava_projector""",
    ),
    ("float32[]", "[arch].activation_sparsity_scale clip.vision.image_mean clip.vision.image_std"),
    (
        "float32[]|float32",
        "[arch].swiglu_clamp_exp [arch].swiglu_clamp_shexp xielu.alpha_p xielu.alpha_n xielu.beta xielu.eps",
    ),
    ("int32[]", "clip.vision.wa_layer_indexes"),
    ("bool[]", "clip.vision.is_deepstack_layers"),
    ("uint32[]", "adapter.alora.invocation_tokens"),
    ("string[]", "imatrix.datasets"),
]
_TYPES = {key: types for types, keys in _KEYS for key in keys.split()}

_WITH_ID = ("general.base_model.", "general.dataset.", "tokenizer.chat_template.")
_ID = r"(?<=^general\.base_model\.)\d+|(?<=^general\.dataset\.)\d+|(?<=^tokenizer\.chat_template\.).+"


def architecture_of(metadata: Mapping[str, Any]) -> str | None:
    """Return the value of `general.architecture`; None if it is missing, empty or not a string."""
    value = metadata.get("general.architecture")
    return value if isinstance(value, str) and value else None


def standard_types(key: str, architecture: str | None = None) -> tuple[KeyType, ...]:
    """Return the types allowed for a key, the one that llama.cpp reads first; empty if the key is not standard.

    `architecture` is the value of `general.architecture`, the prefix of keys such as `llama.block_count`.
    """
    if key.startswith("[arch]") or "{id}" in key:  # the table's own placeholders
        return ()
    if architecture and key.startswith(f"{architecture}."):
        return _parsed(_TYPES.get(f"[arch]{key[len(architecture) :]}", ""))
    return _parsed(_TYPES.get(re.sub(_ID, "{id}", key) if key.startswith(_WITH_ID) else key, ""))


def standard_keys(architecture: str | None = None) -> list[str]:
    """Return all standard keys, except those that contain a number or a name (`general.dataset.0.name`).

    The hyperparameters are included only if an architecture is given, with its name as their prefix.
    """
    keys = (key for key in _TYPES if "{id}" not in key)
    if not architecture:
        return [key for key in keys if not key.startswith("[arch]")]
    return [key.replace("[arch]", architecture) for key in keys]


@cache
def _parsed(types: str) -> tuple[KeyType, ...]:
    return tuple(_type(word) for word in types.split("|") if word)


def _type(word: str) -> KeyType:
    if word.endswith("[]"):
        return KeyType(ValueType.ARRAY, ValueType[word.removesuffix("[]").upper()])
    return KeyType(ValueType[word.upper()])
