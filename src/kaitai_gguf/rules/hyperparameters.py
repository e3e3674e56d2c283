"""Rules on the architecture, and on the keys that it needs."""

from collections.abc import Iterator

from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.finding import LLAMA_CPP, NOTE, WARNING
from kaitai_gguf.rules.references import ARCH, MODEL, MODELS
from kaitai_gguf.rules.rule import SET, SET_ARCHITECTURE, Place, rule
from kaitai_gguf.text import quoted

# The keys that llama.cpp needs for every architecture (llama_model_base::load_hparams).
BASIC = ("context_length", "embedding_length", "block_count")

# The architectures that llama.cpp knows (llama-arch.cpp at 0c1e57098), without clip, see below, and without gptj, of
# which it has the name but no code.
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


@rule("unknown-architecture", WARNING, ARCH, refused_by=(LLAMA_CPP,), fixes=[SET_ARCHITECTURE])
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


@rule("missing-hyperparameter", WARNING, MODEL, refused_by=(LLAMA_CPP,), fixes=[SET])
def missing_hyperparameter(facts: Facts) -> Iterator[Place]:
    """A key that llama.cpp needs to load a model of this architecture is missing.

    All models need `context_length`, `embedding_length` and `block_count`. For documented architectures, other keys are
    checked as well. Vocabularies, adapters and later shards need none of these keys.

    Fix: set each missing key to its value in the configuration of the original model, or convert that model again.
    """
    if is_loaded(facts):
        keys = [f"{facts.architecture}.{key}" for key in (*BASIC, *KEYS.get(facts.architecture, NONE)[0])]
        missing = [key for key in keys if facts.number(key) is None]
        if missing:
            yield _missing(facts, f"llama.cpp needs {', '.join(missing)}", missing)


@rule("documented-key", NOTE, MODELS, fixes=[SET])
def documented_key(facts: Facts) -> Iterator[Place]:
    """A key that the documentation requires for this architecture is missing, but llama.cpp does not need it.

    llama.cpp derives its value from other keys, or uses a default.

    Fix: set each missing key to its value in the configuration of the original model.
    """
    missing = []
    for names in KEYS.get(facts.architecture, NONE)[1]:
        keys = [f"{facts.architecture}.{name}" for name in names.split("|")]
        if all(facts.number(key) is None for key in keys):
            missing.append(" or ".join(keys))
    if missing and is_model(facts):
        yield _missing(facts, f"the documentation requires {', '.join(missing)}", missing)


def _missing(facts: Facts, needed: str, missing: list[str]) -> Place:
    message = f"{needed}, which {'is' if len(missing) == 1 else 'are'} missing"
    return facts.missing_key(message)._replace(total=len(missing))


def is_model(facts: Facts) -> bool:
    """Return whether the file has tensors, and they are those of a model; later shards are left out."""
    has_type = (facts.header.text("general.type") or "model") == "model"
    return has_type and len(facts.tensors.position) > 0 and not facts.is_later_shard


def is_loaded(facts: Facts) -> bool:
    """Return whether the file is a model that llama.cpp knows."""
    return is_model(facts) and facts.architecture in LLAMA_CPP_ARCHITECTURES
