"""Rules on the keys that a model of some architecture needs."""

from collections.abc import Iterator

from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.finding import LLAMA_CPP, Severity
from kaitai_gguf.rules.rule import Place, quoted, rule
from kaitai_gguf.rules.sources import MODEL, MODELS

# What llama.cpp asks of every model, whatever its architecture (llama_model_base::load_hparams).
BASIC = ("context_length", "embedding_length", "block_count")

# The architectures that llama.cpp knows (llama-arch.cpp), without clip, which is read by another program.
_NAMES = """
    afmoe apertus arcee arctic arwkv7 baichuan bailingmoe bailingmoe2 bailingmoe3 bert bitnet bloom chameleon chatglm
    codeshell cogvlm cohere2 cohere2moe command-r dbrx deci deepseek deepseek2 deepseek2-ocr deepseek32 deepseek4 dflash
    dots1 dots3note dream eagle3 ernie4_5 ernie4_5-moe eurobert exaone exaone-moe exaone4 falcon falcon-h1 gemma gemma2
    gemma3 gemma3n gemma4 gemma4-assistant gemma-embedding glm-dsa glm4 glm4moe glm5-next gpt-oss gpt2 gptj gptneox
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

# What llama.cpp asks for besides, of the architectures that are documented.
EPSILON, RMS_EPSILON = "attention.layer_norm_epsilon", "attention.layer_norm_rms_epsilon"
SSM = ("ssm.conv_kernel", "ssm.inner_size", "ssm.state_size", "ssm.time_step_rank")
NEEDED: dict[str, tuple[str, ...]] = {
    "llama": (RMS_EPSILON,),
    "mpt": (EPSILON,),
    "gptneox": (EPSILON, "use_parallel_residual"),
    "gpt2": (EPSILON,),
    "bloom": (EPSILON,),
    "falcon": (EPSILON,),
    "mamba": (*SSM, RMS_EPSILON),
}

# What the documentation asks for. Where practice has another name, that comes second.
DOCUMENTED: dict[str, tuple[str, ...]] = {
    "llama": (*BASIC, "feed_forward_length", "rope.dimension_count", "attention.head_count", RMS_EPSILON),
    "mpt": (
        *BASIC,
        "attention.head_count",
        "attention.alibi_bias_max|attention.max_alibi_bias",
        "attention.clip_kqv|attention.clamp_kqv",
        EPSILON,
    ),
    "gptneox": (*BASIC, "use_parallel_residual", "rope.dimension_count", "attention.head_count", EPSILON),
    "gptj": (*BASIC, "rope.dimension_count", "attention.head_count", EPSILON),
    "gpt2": (*BASIC, "attention.head_count", EPSILON),
    "bloom": (*BASIC, "feed_forward_length", "attention.head_count", EPSILON),
    "falcon": (*BASIC, "attention.head_count", "attention.head_count_kv", "attention.use_norm", EPSILON),
    "mamba": (*BASIC, *SSM, RMS_EPSILON),
    "rwkv": ("architecture_version", *BASIC, "feed_forward_length"),
    "whisper": (
        *(f"encoder.{key}" for key in (*BASIC, "mels_count", "attention.head_count")),
        *(f"decoder.{key}" for key in (*BASIC, "attention.head_count")),
    ),
}


@rule("unknown-architecture", Severity.NOTE, source=MODELS)
def unknown_architecture(facts: Facts) -> Iterator[Place]:
    """The architecture is none that is documented, or that llama.cpp knows.

    Which keys it needs is not known, and not looked at. Architectures are added with most releases of llama.cpp.

    To mend it, do nothing if a reader knows the architecture.
    """
    number, known = facts.number(ARCHITECTURE), {*DOCUMENTED, *LLAMA_CPP_ARCHITECTURES, "clip"}
    if number is not None and facts.architecture is not None and facts.architecture not in known:
        yield facts.key_value_place(number, "value", f"the architecture {quoted(facts.architecture)} is not known")


@rule("missing-hyperparameter", Severity.WARNING, source=MODEL, refused_by=(LLAMA_CPP,))
def missing_hyperparameter(facts: Facts) -> Iterator[Place]:
    """A key is missing that llama.cpp needs to make a model of this architecture.

    All models need `context_length`, `embedding_length` and `block_count`; the documented ones are looked at for
    others as well. Vocabularies, adapters and later shards do without.

    To mend it, convert the original model again.
    """
    if _is_model(facts) and facts.architecture in LLAMA_CPP_ARCHITECTURES:
        keys = [f"{facts.architecture}.{key}" for key in (*BASIC, *NEEDED.get(facts.architecture, ()))]
        missing = [key for key in keys if facts.number(key) is None]
        if missing:
            yield facts.missing_key(f"llama.cpp needs {', '.join(missing)}: not there")._replace(total=len(missing))


@rule("documented-key", Severity.NOTE, source=MODELS)
def documented_key(facts: Facts) -> Iterator[Place]:
    """A key is missing that the documentation asks for with this architecture, and llama.cpp does without.

    To mend it, add the key; llama.cpp takes its value from others.
    """
    if not _is_model(facts) or facts.architecture not in DOCUMENTED:
        return
    needed: set[str] = set()
    if facts.architecture in LLAMA_CPP_ARCHITECTURES:
        needed = {*BASIC, *NEEDED.get(facts.architecture, ())}
    missing = []
    for names in DOCUMENTED[facts.architecture]:
        keys = [f"{facts.architecture}.{name}" for name in names.split("|")]
        if names not in needed and all(facts.number(key) is None for key in keys):
            missing.append(" or ".join(keys))
    if missing:
        says = f"the documentation asks for {', '.join(missing)}: not there"
        yield facts.missing_key(says)._replace(total=len(missing))


def _is_model(facts: Facts) -> bool:
    """Whether there are tensors, and they are those of a model."""
    is_model = (facts.text("general.type") or "model") == "model"
    return is_model and len(facts.tensors.position) > 0 and not facts.is_later_shard
