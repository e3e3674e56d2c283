"""Rules on what llama.cpp needs to load a model, whatever its architecture."""

from collections.abc import Iterator

from kaitai_gguf.reading.arrays import vocabulary
from kaitai_gguf.rules.facts import Facts
from kaitai_gguf.rules.finding import LLAMA_CPP, WARNING
from kaitai_gguf.rules.hyperparameters import LLAMA_CPP_ARCHITECTURES, is_loaded, is_model
from kaitai_gguf.rules.references import MODEL, VOCAB
from kaitai_gguf.rules.rule import RENAME, SET, Place, rule
from kaitai_gguf.rules.tensors import shown
from kaitai_gguf.rules.tokenizer import MODEL as TOKENIZER_MODEL, WITH_MERGES, WITHOUT_TOKENS
from kaitai_gguf.standard_values import is_shard
from kaitai_gguf.text import quoted

PRE = "tokenizer.ggml.pre"
EMBEDDINGS, OUTPUT_NORM = "token_embd.weight", "output_norm.weight"

# All lists are those of llama.cpp 0c1e57098.
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


@rule("missing-tokenizer", WARNING, VOCAB, refused_by=(LLAMA_CPP,))
def missing_tokenizer(facts: Facts) -> Iterator[Place]:
    """`tokenizer.ggml.model` is missing.

    llama.cpp needs it for every model, but not for adapters and later shards; `none` means that there is no vocabulary.

    Fix: convert the original model again, together with its tokenizer.
    """
    if is_loaded(facts) and facts.number(TOKENIZER_MODEL) is None:
        yield facts.missing_key(f"{TOKENIZER_MODEL} is missing")


@rule("unknown-tokenizer", WARNING, VOCAB, refused_by=(LLAMA_CPP,), fixes=[SET])
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


@rule("missing-tensor", WARNING, MODEL, refused_by=(LLAMA_CPP,), fixes=[RENAME])
def missing_tensor(facts: Facts) -> Iterator[Place]:
    """A tensor that llama.cpp needs is missing: `token_embd.weight` or `output_norm.weight`.

    Most architectures need both; some need only the first. Tensors of the blocks are not checked, and neither are
    shards.

    Fix: convert the original model again. If the tensor has another name in the file, rename it.
    """
    if is_loaded(facts) and not is_shard(facts.header.get):
        needed = {EMBEDDINGS: WITH_EMBEDDINGS, OUTPUT_NORM: WITH_OUTPUT_NORM}
        existing = set(facts.header.names)
        missing = [name for name in needed if facts.architecture in needed[name] and name not in existing]
        if missing:
            message = f"llama.cpp needs {' and '.join(missing)}, which {'is' if len(missing) == 1 else 'are'} missing"
            yield Place(int(facts.tensors.position[0]), "/tensors", message, len(missing))


@rule("embedding-shape", WARNING, MODEL, refused_by=(LLAMA_CPP,))
def embedding_shape(facts: Facts) -> Iterator[Place]:
    """The dimensions of `token_embd.weight` are not the embedding length and the number of tokens.

    llama.cpp requires exactly these dimensions.

    Fix: convert the original model again, together with its tokenizer.
    """
    tokens, length = vocabulary(facts.header), facts.header.integer(f"{facts.architecture}.embedding_length")
    if facts.architecture not in WITH_EMBEDDINGS or not is_model(facts) or tokens is None or length is None:
        return
    if facts.header.text(TOKENIZER_MODEL) in WITHOUT_TOKENS or EMBEDDINGS not in facts.header.names:
        return
    number = facts.header.names.index(EMBEDDINGS)
    dims = facts.dims(number)
    if [*dims, 1, 1, 1, 1][:4] != [length, len(tokens), 1, 1]:
        expected = f"expected {length} (the embedding length) × {len(tokens)} (the number of tokens)"
        yield facts.tensor_place(number, "dims", f"it is {shown(dims) or 'a scalar'}, {expected}")
