"""Rules on what llama.cpp needs to load a model: a known architecture and its keys, a tokenizer, tensors.

What llama.cpp knows and needs is in llama_cpp.json.
"""

from collections.abc import Iterator

from kaitai_gguf import llama_cpp
from kaitai_gguf.layout_rules import is_later_shard, is_shard
from kaitai_gguf.reading.arrays import vocabulary
from kaitai_gguf.rules.facts import ARCHITECTURE, Facts
from kaitai_gguf.rules.rule import RENAME, SET, SET_ARCHITECTURE, Place, rule
from kaitai_gguf.rules.tokenizer import MODEL as TOKENIZER_MODEL, PRE, WITHOUT_TOKENS
from kaitai_gguf.text import quoted

BESIDE_MODELS = frozenset({"clip", "controlvector"})
"""Architectures of files that llama.cpp loads next to a model."""

BASIC = ("context_length", "embedding_length", "block_count")
HEADS = "attention.head_count"
MPT = ("attention.alibi_bias_max|attention.max_alibi_bias", "attention.clip_kqv|attention.clamp_kqv")
WHISPER = (
    *(f"encoder.{key}" for key in (*BASIC, "mels_count", HEADS)),
    *(f"decoder.{key}" for key in (*BASIC, HEADS)),
)

# By documented architecture: the keys that only the documentation requires. If real files use another name for a key,
# that name comes second.
DOCUMENTED: dict[str | None, tuple[str, ...]] = {
    "llama": ("feed_forward_length", "rope.dimension_count", HEADS),
    "mpt": (HEADS, *MPT),
    "gptneox": ("rope.dimension_count", HEADS),
    "gptj": (*BASIC, "rope.dimension_count", HEADS, "attention.layer_norm_epsilon"),
    "gpt2": (HEADS,),
    "bloom": ("feed_forward_length", HEADS),
    "falcon": (HEADS, "attention.head_count_kv", "attention.use_norm"),
    "rwkv": ("architecture_version", *BASIC, "feed_forward_length"),
    "whisper": WHISPER,
}

EMBEDDINGS = "token_embd.weight"

WITH_PRE_TOKENIZER = ("gpt2", "hybriddna", "whitespace")  # gemma4 has its own, whatever the key says


@rule("hyperparameters", "warning", "llama.cpp/src/llama-arch.cpp", refused_by="llama.cpp", fixes=[SET_ARCHITECTURE])
def unknown_architecture(facts: Facts) -> Iterator[Place]:
    """llama.cpp does not know the architecture.

    The list of architectures is that of the release that the option `--version` names; most releases add some. Files
    of other programs, such as whisper.cpp or stable-diffusion.cpp, have their own architectures. `clip` and
    `controlvector` are known: llama.cpp loads such files next to a model, with `--mmproj` and `--control-vector`.
    Fix: nothing, if another program or a later llama.cpp reads the file. If the name is misspelled, set the right one.
    """
    name = facts.architecture
    if name is not None and name not in llama_cpp.models() | BESIDE_MODELS:
        yield facts.value_place(ARCHITECTURE, f"llama.cpp does not know the architecture {quoted(name)}")


@rule("hyperparameters", "warning", "llama.cpp/src/llama-model.cpp", refused_by="llama.cpp", fixes=[SET])
def missing_hyperparameter(facts: Facts) -> Iterator[Place]:
    """A key that llama.cpp needs to load a model of this architecture is missing.

    All models need `context_length`, `embedding_length` and `block_count`; the architecture decides which others.
    Vocabularies, adapters and later shards need none of these keys.
    Fix: set each missing key to its value in the configuration of the original model, or convert that model again.
    """
    keys = [f"{facts.architecture}.{key}" for key in _needed(facts, "required")]
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
    for names in DOCUMENTED.get(facts.architecture, ()):
        keys = [f"{facts.architecture}.{name}" for name in names.split("|")]
        if not any(map(facts.has, keys)):
            missing.append(" or ".join(keys))
    if missing and _is_model(facts):
        yield facts.missing_key(_missing(f"the documentation requires {', '.join(missing)}", missing), len(missing))


@rule("loading", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp")
def missing_tokenizer(facts: Facts) -> Iterator[Place]:
    """`tokenizer.ggml.model` is missing.

    llama.cpp needs it for every model, but not for adapters and later shards; `none` means no vocabulary.
    Fix: convert the original model again, together with its tokenizer.
    """
    if _is_loaded(facts) and not facts.has(TOKENIZER_MODEL):
        yield facts.missing_key(f"{TOKENIZER_MODEL} is missing")


@rule("loading", "warning", "llama.cpp/src/llama-vocab.cpp", refused_by="llama.cpp", fixes=[SET])
def unknown_tokenizer(facts: Facts) -> Iterator[Place]:
    """llama.cpp does not know the tokenizer model or the pre-tokenizer.

    The lists are those of the release that the option `--version` names; many releases add pre-tokenizers.
    Fix: use a later llama.cpp. If the name is misspelled, set the right one.
    """
    if facts.architecture not in llama_cpp.models():
        return
    model, pre = facts.header.text(TOKENIZER_MODEL), facts.header.text(PRE)
    if model is not None and model not in llama_cpp.facts()["tokenizers"]:
        yield facts.value_place(TOKENIZER_MODEL, f"llama.cpp does not know the tokenizer model {quoted(model)}")
    if model in WITH_PRE_TOKENIZER and pre and pre not in llama_cpp.facts()["pre_tokenizers"]:
        yield facts.value_place(PRE, f"llama.cpp does not know the pre-tokenizer {quoted(pre)}")


@rule("loading", "warning", "llama.cpp/src/llama-model.cpp", refused_by="llama.cpp", fixes=[RENAME])
def missing_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor that llama.cpp needs is missing: `token_embd.weight` or `output_norm.weight`.

    Most architectures need both; some need only the first. Tensors of the blocks are not checked, and neither are
    shards.
    Fix: convert the original model again. If the tensor has another name in the file, rename it.
    """
    existing = set(facts.header.names)
    missing = [name for name in _needed(facts, "tensors") if name not in existing]
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
    is_checked = EMBEDDINGS in _needed(facts, "tensors") and facts.header.text(TOKENIZER_MODEL) not in WITHOUT_TOKENS
    if is_checked and _is_model(facts) and tokens is not None and length is not None:
        for i in [i for i, name in enumerate(facts.header.names) if name == EMBEDDINGS][:1]:
            dims = facts.dims(i)
            if [*dims, 1, 1, 1, 1][:4] != [length, len(tokens), 1, 1]:
                shown = " × ".join(map(str, dims)) or "a scalar"
                expected = f"expected {length} (the embedding length) × {len(tokens)} (the number of tokens)"
                yield facts.tensor_place(i, "dims", f"it is {shown}, {expected}")


def _needed(facts: Facts, what: str) -> list[str]:
    """Return the hyperparameters ("required") or the tensors ("tensors") that llama.cpp needs to load the model."""
    known = llama_cpp.facts()["architectures"]
    return [*known["*"].get(what, ()), *known.get(facts.architecture, {}).get(what, ())]


def _missing(needed: str, missing: list[str]) -> str:
    return f"{needed}, which {'is' if len(missing) == 1 else 'are'} missing"


def _is_model(facts: Facts) -> bool:
    """Return whether the file has tensors, and they are those of a model; later shards are left out."""
    has_type = (facts.header.text("general.type") or "model") == "model"
    return has_type and len(facts.offsets) > 0 and not is_later_shard(facts.header.get)


def _is_loaded(facts: Facts) -> bool:
    """Return whether the file is a model that llama.cpp knows."""
    return _is_model(facts) and facts.architecture in llama_cpp.models()
