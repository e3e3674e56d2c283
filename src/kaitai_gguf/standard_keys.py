"""Keys that have a meaning everywhere, and the types of their values.

From the format's documentation (docs/gguf.md of ggml), and from what llama.cpp and gguf-py read and write today. Where
these differ, e.g. on the width of counts, the type that llama.cpp reads comes first, and all that are documented are
allowed.
"""

import re
from functools import cache
from typing import NamedTuple

from kaitai_gguf.types import ValueType

__all__ = ["KeyType", "standard_types"]


class KeyType(NamedTuple):
    """The type of a value; of an array, with that of its elements."""

    value_type: ValueType
    element_type: ValueType | None = None

    def __str__(self) -> str:
        if self.element_type is None:
            return self.value_type.name.lower()
        return f"array of {self.element_type.name.lower()}"


COUNT = "uint32|uint64"
PER_LAYER = f"{COUNT}|int32[]|uint32[]|uint64[]"

# Types, separated by "|", the one to write first; then keys that have them.
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
    ("float32[]", "tokenizer.ggml.scores"),
    ("int32[]", "tokenizer.ggml.token_type"),
    ("uint8[]|int8[]", "tokenizer.ggml.precompiled_charsmap"),
    ("int32[]|uint32[]", "[arch].rope.dimension_sections"),
    (
        COUNT,
        """[arch].context_length [arch].embedding_length [arch].block_count [arch].vocab_size [arch].expert_count
        [arch].expert_shared_count [arch].expert_feed_forward_length [arch].expert_shared_feed_forward_length
        [arch].expert_gating_func [arch].leading_dense_block_count [arch].embedding_length_per_layer_input
        [arch].nextn_predict_layers [arch].decoder_start_token_id [arch].pooling_type [arch].architecture_version
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
        [arch].expert_used_count [arch].attention.sliding_window""",
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
]
_TYPES = {key: types for types, keys in _KEYS for key in keys.split()}

_WITH_ID = ("general.base_model.", "general.dataset.", "tokenizer.chat_template.")
_ID = re.compile(r"(?<=^general\.base_model\.)\d+|(?<=^general\.dataset\.)\d+|(?<=^tokenizer\.chat_template\.).+")


def standard_types(key: str, architecture: str | None = None) -> tuple[KeyType, ...]:
    """The types that a value of this key may have, the one that llama.cpp reads first; none if the key is not standard.

    `architecture` is the value of `general.architecture`, with which keys like `llama.block_count` begin.
    """
    if key.startswith("[arch]") or "{id}" in key:  # what stands for something in the table
        return ()
    if architecture and key.startswith(f"{architecture}."):
        return _parsed(_TYPES.get(f"[arch]{key[len(architecture) :]}", ""))
    return _parsed(_TYPES.get(_ID.sub("{id}", key) if key.startswith(_WITH_ID) else key, ""))


@cache
def _parsed(types: str) -> tuple[KeyType, ...]:
    return tuple(_type(word) for word in types.split("|") if word)


def _type(word: str) -> KeyType:
    if word.endswith("[]"):
        return KeyType(ValueType.ARRAY, ValueType[word.removesuffix("[]").upper()])
    return KeyType(ValueType[word.upper()])
