"""Rules on what llama.cpp needs to load a model: a known architecture and its keys, a tokenizer, tensors.

All lists are those of llama.cpp 0c1e57098.
"""

from collections.abc import Iterator

from kaitai_gguf.layout_rules import is_later_shard, is_shard
from kaitai_gguf.reading.arrays import vocabulary
from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.rule import RENAME, SET, SET_ARCHITECTURE, Place, rule
from kaitai_gguf.rules.tokenizer import MODEL as TOKENIZER_MODEL, PRE, WITH_MERGES, WITHOUT_TOKENS
from kaitai_gguf.text import quoted

# The keys that llama.cpp needs for every architecture (llama_model_base::load_hparams).
BASIC = ("context_length", "embedding_length", "block_count")

# The architectures that llama.cpp knows, without clip, see below, and without gptj, of which it has no code.
_NAMES = """
    afmoe apertus arcee arctic arwkv7 baichuan bailingmoe bailingmoe2 bailingmoe3 bert bitnet bloom chameleon chatglm
    codeshell cogvlm cohere2 cohere2moe command-r dbrx deci deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 dflash
    dots1 dots3note dream eagle3 ernie4_5 ernie4_5-moe eurobert exaone exaone-moe exaone4 falcon falcon-h1 gemma gemma2
    gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding glm-dsa glm4 glm4moe glm5-next gpt-oss gpt2 gptneox
    granite granite_swa granitehybrid granitemoe graniteswitch grok grovemoe hrm_text hunyuan-dense hunyuan-moe
    hunyuan_vl hy_v3 hy_v4 internlm2 jais jais2 jamba jina-bert-v2 jina-bert-v3 kimi-k3 kimi-linear laguna lfm2 lfm2moe
    llada llada-moe llama llama-embed llama4 maincoder mamba mamba2 maple mellum mimo2 minicpm minicpm3 minimax-01
    minimax-m2 minimax-m3 mistral3 mistral4 modern-bert mpt muse-glimmer nanbeige nemotron nemotron_h nemotron_h_moe
    neo-bert nomic-bert nomic-bert-moe olmo olmo2 olmoe openelm orion paddleocr pangu-embedded phi2 phi3 phimoe plamo
    plamo2 plamo3 plm pockettts qwen qwen2 qwen2moe qwen2vl qwen3 qwen35 qwen35moe qwen3moe qwen3next qwen3tts qwen3vl
    qwen3vlmoe qwen4exp refact rnd1 rwkv6 rwkv6qwen2 rwkv7 seed_oss smallthinker smollm3 spark2_5 stablelm starcoder
    starcoder2 step35 t5 t5encoder talkie wavtokenizer-dec xverse
"""
LLAMA_CPP_ARCHITECTURES = frozenset(_NAMES.split())
BESIDE_MODELS = frozenset({"clip", "controlvector"})
"""Architectures of files that llama.cpp loads next to a model."""

EPSILON, RMS_EPSILON = "attention.layer_norm_epsilon", "attention.layer_norm_rms_epsilon"
SSM = ("ssm.conv_kernel", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank")
HEADS = "attention.head_count"
MPT = ("attention.alibi_bias_max|attention.max_alibi_bias", "attention.clip_kqv|attention.clamp_kqv")
WHISPER = (
    *(f"encoder.{key}" for key in (*BASIC, "mels_count", HEADS)),
    *(f"decoder.{key}" for key in (*BASIC, HEADS)),
)

# By documented architecture: the other keys that llama.cpp needs, and the keys that only the documentation requires. If
# real files use another name for a key, that name comes second.
KEYS: dict[str | None, tuple[tuple[str, ...], tuple[str, ...]]] = {
    "llama": ((RMS_EPSILON,), ("feed_forward_length", "rope.dimension_count", HEADS)),
    "mpt": ((EPSILON,), (HEADS, *MPT)),
    "gptneox": ((EPSILON, "use_parallel_residual"), ("rope.dimension_count", HEADS)),
    "gptj": ((), (*BASIC, "rope.dimension_count", HEADS, EPSILON)),
    "gpt2": ((EPSILON,), (HEADS,)),
    "bloom": ((EPSILON,), ("feed_forward_length", HEADS)),
    "falcon": ((EPSILON,), (HEADS, "attention.head_count_kv", "attention.use_norm")),
    "mamba": ((*SSM, RMS_EPSILON), ()),
    "rwkv": ((), ("architecture_version", *BASIC, "feed_forward_length")),
    "whisper": ((), WHISPER),
}
NONE: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())

EMBEDDINGS, OUTPUT_NORM = "token_embd.weight", "output_norm.weight"

TOKENIZERS = frozenset({*WITHOUT_TOKENS, *WITH_MERGES, "llama", "bert", "t5", "rwkv", "test", "plamo2"})
WITH_PRE_TOKENIZER = ("gpt2", "hybriddna", "whitespace")  # gemma4 has its own, whatever the key says
_PRE_TOKENIZERS = """
    a.x-4.0 afmoe bailingmoe bailingmoe2 bloom chameleon chatglm-bpe codeshell cohere2moe command-r dbrx deepseek-coder
    deepseek-llm deepseek-r1-qwen deepseek-v3 default exaone exaone-moe exaone4 f2llmv2 falcon falcon-h1 falcon3 gemma4
    gigachat glm4 glm5 gpt-2 gpt-4o gpt3-finnish granite-docling granite-embed-multi-311m granite-embed-multi-97m
    grok-2 hunyuan hunyuan-dense hy_v4 jais jais-2 jina-de jina-es jina-v1-en jina-v2-code jina-v2-de jina-v2-es
    jina-v5-nano joyai-llm kanana2 kimi-k2 kormo laguna lfm2 llada-moe llama-bpe llama-v3 llama3 llama4 megrez mellum
    mellum2 midm-2.0 minerva-7b minicpm5 minimax-m2 modern-bert mpt olmo phi-2 pixtral poro-chat qwen2 qwen35 refact
    roberta-bpe sarvam-moe seed-coder smaug-bpe smollm solar-open spark2_5 stablelm2 starcoder superbpe talkie tekken
    tiny_aya trillion ufakzeka viking whitespace youtu
"""
PRE_TOKENIZERS = frozenset(_PRE_TOKENIZERS.split())

# Architectures whose embeddings are optional or have another shape, or for which that was not checked.
_OTHER_EMBEDDINGS = """
    codeshell dflash eagle3 ernie4_5-moe falcon-h1 hunyuan-dense llama-embed mistral4 nemotron_h_moe paddleocr qwen3tts
    wavtokenizer-dec
"""
WITH_EMBEDDINGS = LLAMA_CPP_ARCHITECTURES - set(_OTHER_EMBEDDINGS.split())
# Likewise for the norm before the output.
_OTHER_NORMS = """
    baichuan bert ernie4_5-moe falcon falcon-h1 granitehybrid hrm_text hunyuan-dense jamba jina-bert-v2 jina-bert-v3
    lfm2 lfm2moe llama-embed mamba2 mistral4 nemotron_h nemotron_h_moe neo-bert nomic-bert nomic-bert-moe olmo paddleocr
    qwen3tts qwen4exp starcoder t5 t5encoder talkie wavtokenizer-dec
"""
WITH_OUTPUT_NORM = LLAMA_CPP_ARCHITECTURES - set(_OTHER_NORMS.split())


@rule("hyperparameters", "warning", "llama.cpp/src/llama-arch.cpp", refused_by="llama.cpp", fixes=[SET_ARCHITECTURE])
def unknown_architecture(facts: Facts) -> Iterator[Place]:
    """llama.cpp does not know the architecture.

    The list of architectures is that of llama.cpp 0.5 (commit 0c1e57098); most releases add some. Files of other
    programs, such as whisper.cpp or stable-diffusion.cpp, have their own architectures. `clip` and `controlvector`
    are known: llama.cpp loads such files next to a model, with `--mmproj` and `--control-vector`.
    Fix: nothing, if another program or a later llama.cpp reads the file. If the name is misspelled, set the right one.
    """
    name = facts.architecture
    if name is not None and name not in LLAMA_CPP_ARCHITECTURES | BESIDE_MODELS:
        yield facts.value_place(ARCHITECTURE, f"llama.cpp does not know the architecture {quoted(name)}")


@rule("hyperparameters", "warning", "llama.cpp/src/llama-model.cpp", refused_by="llama.cpp", fixes=[SET])
def missing_hyperparameter(facts: Facts) -> Iterator[Place]:
    """A key that llama.cpp needs to load a model of this architecture is missing.

    All models need `context_length`, `embedding_length` and `block_count`. For documented architectures, other keys are
    checked as well. Vocabularies, adapters and later shards need none of these keys.
    Fix: set each missing key to its value in the configuration of the original model, or convert that model again.
    """
    keys = [f"{facts.architecture}.{key}" for key in (*BASIC, *KEYS.get(facts.architecture, NONE)[0])]
    missing = [key for key in keys if not facts.has(key)]
    if missing and _is_loaded(facts):
        yield facts.missing_key(_missing(f"llama.cpp needs {', '.join(missing)}", missing), len(missing))


@rule("hyperparameters", "note", "ggml/docs/gguf.md#models", fixes=[SET])
def documented_key(facts: Facts) -> Iterator[Place]:
    """A key that the documentation requires for this architecture is missing, but llama.cpp does not need it.

    llama.cpp derives its value from other keys, or uses a default.
    Fix: set each missing key to its value in the configuration of the original model.
    """
    missing = []
    for names in KEYS.get(facts.architecture, NONE)[1]:
        keys = [f"{facts.architecture}.{name}" for name in names.split("|")]
        if not any(map(facts.has, keys)):
            missing.append(" or ".join(keys))
    if missing and _is_model(facts):
        yield facts.missing_key(_missing(f"the documentation requires {', '.join(missing)}", missing), len(missing))


@rule("loading", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp")
def missing_tokenizer(facts: Facts) -> Iterator[Place]:
    """`tokenizer.ggml.model` is missing.

    llama.cpp needs it for every model, but not for adapters and later shards; `none` stands for no vocabulary.
    Fix: convert the original model again, together with its tokenizer.
    """
    if _is_loaded(facts) and not facts.has(TOKENIZER_MODEL):
        yield facts.missing_key(f"{TOKENIZER_MODEL} is missing")


@rule("loading", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp", fixes=[SET])
def unknown_tokenizer(facts: Facts) -> Iterator[Place]:
    """llama.cpp does not know the tokenizer model or the pre-tokenizer.

    The lists are those of llama.cpp 0.5 (commit 0c1e57098); many releases add pre-tokenizers.
    Fix: use a later llama.cpp. If the name is misspelled, set the right one.
    """
    if facts.architecture not in LLAMA_CPP_ARCHITECTURES:
        return
    model, pre = facts.header.text(TOKENIZER_MODEL), facts.header.text(PRE)
    if model is not None and model not in TOKENIZERS:
        yield facts.value_place(TOKENIZER_MODEL, f"llama.cpp does not know the tokenizer model {quoted(model)}")
    if model in WITH_PRE_TOKENIZER and pre and pre not in PRE_TOKENIZERS:
        yield facts.value_place(PRE, f"llama.cpp does not know the pre-tokenizer {quoted(pre)}")


@rule("loading", "warning", "llama.cpp/src/llama-model.cpp", refused_by="llama.cpp", fixes=[RENAME])
def missing_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor that llama.cpp needs is missing: `token_embd.weight` or `output_norm.weight`.

    Most architectures need both; some need only the first. Tensors of the blocks are not checked, and neither are
    shards.
    Fix: convert the original model again. If the tensor has another name in the file, rename it.
    """
    needed = {EMBEDDINGS: WITH_EMBEDDINGS, OUTPUT_NORM: WITH_OUTPUT_NORM}
    existing = set(facts.header.names)
    missing = [name for name in needed if facts.architecture in needed[name] and name not in existing]
    if missing and _is_loaded(facts) and not is_shard(facts.header.get):
        message = _missing(f"llama.cpp needs {' and '.join(missing)}", missing)
        yield Place("/tensors", message, int(facts.tensors.position[0]), len(missing))


@rule("loading", "warning", "llama.cpp/src/llama-model.cpp", refused_by="llama.cpp")
def embedding_shape(facts: Facts) -> Iterator[Place]:
    """The dimensions of `token_embd.weight` are not the embedding length and the number of tokens.

    llama.cpp requires exactly these dimensions.
    Fix: convert the original model again, together with its tokenizer.
    """
    tokens, length = vocabulary(facts.header.get), facts.header.integer(f"{facts.architecture}.embedding_length")
    is_checked = facts.architecture in WITH_EMBEDDINGS and facts.header.text(TOKENIZER_MODEL) not in WITHOUT_TOKENS
    if is_checked and _is_model(facts) and tokens is not None and length is not None:
        for i in [i for i, name in enumerate(facts.header.names) if name == EMBEDDINGS][:1]:
            dims = facts.dims(i)
            if [*dims, 1, 1, 1, 1][:4] != [length, len(tokens), 1, 1]:
                shown = " × ".join(map(str, dims)) or "a scalar"
                expected = f"expected {length} (the embedding length) × {len(tokens)} (the number of tokens)"
                yield facts.tensor_place(i, "dims", f"it is {shown}, {expected}")


def _missing(needed: str, missing: list[str]) -> str:
    return f"{needed}, which {'is' if len(missing) == 1 else 'are'} missing"


def _is_model(facts: Facts) -> bool:
    """Return whether the file has tensors, and they are those of a model; later shards are left out."""
    has_type = (facts.header.text("general.type") or "model") == "model"
    return has_type and len(facts.offsets) > 0 and not is_later_shard(facts.header.get)


def _is_loaded(facts: Facts) -> bool:
    """Return whether the file is a model that llama.cpp knows."""
    return _is_model(facts) and facts.architecture in LLAMA_CPP_ARCHITECTURES
