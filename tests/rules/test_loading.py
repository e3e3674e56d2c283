"""What llama.cpp needs to load a model: it loads a small model, and refuses it after each of these changes."""

from math import prod
from pathlib import Path
from typing import Any

import pytest
from support.gguf_bytes import Array, Model, TensorSpec

from kaitai_gguf import check
from rules.build import F32, METADATA
from rules.oracles import LLAMA_CPP, llama_cpp_loads

EMBEDDING, FEED_FORWARD, TOKENS = 32, 128, 4
ATTENTION = ("attn_q", "attn_k", "attn_v", "attn_output")
DIMS: dict[str, tuple[int, ...]] = {
    "token_embd.weight": (EMBEDDING, TOKENS),
    "output_norm.weight": (EMBEDDING,),
    "blk.0.attn_norm.weight": (EMBEDDING,),
    **{f"blk.0.{name}.weight": (EMBEDDING, EMBEDDING) for name in ATTENTION},
    "blk.0.ffn_norm.weight": (EMBEDDING,),
    "blk.0.ffn_gate.weight": (EMBEDDING, FEED_FORWARD),
    "blk.0.ffn_down.weight": (FEED_FORWARD, EMBEDDING),
    "blk.0.ffn_up.weight": (EMBEDDING, FEED_FORWARD),
}


def model(dims: dict[str, tuple[int, ...]] = DIMS, without: tuple[str, ...] = (), **values: tuple[str, Any]) -> Model:
    """Return the model with other tensors, without some keys, or with other values (`__` in a name is a dot)."""
    new = {key.replace("__", "."): value for key, value in values.items()}
    metadata = [row for row in METADATA if row[0] not in (*without, *new, "general.file_type")]
    metadata += [(key, *value) for key, value in new.items()]
    tensors, offset = [], 0
    for name, each in dims.items():
        tensors.append(TensorSpec(name, each, F32, offset))
        offset += prod(each) * 4
    return Model(metadata, tensors, bytes(offset))


def tokens(*texts: str) -> tuple[str, Array]:
    return "array", Array("string", list(texts))


def but(*names: str) -> dict[str, tuple[int, ...]]:
    return {name: each for name, each in DIMS.items() if name not in names}


MODELS: dict[str, tuple[Model, set[str]]] = {
    "a model": (model(), set()),
    "a known pre-tokenizer": (model(tokenizer__ggml__pre=("string", "qwen2")), set()),
    "an empty pre-tokenizer": (model(tokenizer__ggml__pre=("string", "")), set()),
    "empty tokens": (model(tokenizer__ggml__tokens=tokens("<s>", "a", "", "")), set()),
    "embeddings of three dimensions": (model(DIMS | {"token_embd.weight": (EMBEDDING, TOKENS, 1)}), set()),
    "a start token that llama.cpp writes": (model(llama__decoder_start_token_id=("int32", -1)), set()),
    "another's architecture": (model(general__architecture=("string", "whisper")), {"unknown-architecture"}),
    "an architecture without code": (model(general__architecture=("string", "gptj")), {"unknown-architecture"}),
    "no tokenizer": (model(without=("tokenizer.ggml.model",)), {"missing-tokenizer"}),
    "no tokens": (model(without=("tokenizer.ggml.tokens",)), {"missing-tokens"}),
    "no merges": (model(without=("tokenizer.ggml.merges",)), {"missing-merges"}),
    "an unknown tokenizer": (model(tokenizer__ggml__model=("string", "gpt3")), {"unknown-tokenizer"}),
    "an unknown pre-tokenizer": (model(tokenizer__ggml__pre=("string", "qwen")), {"unknown-tokenizer"}),
    "a token that is duplicated": (model(tokenizer__ggml__tokens=tokens("<s>", "a", "b", "a")), {"duplicate-token"}),
    "two tokens": (model(tokenizer__ggml__tokens=tokens("<s>", "a")), {"embedding-shape"}),
    "too many embeddings": (model(DIMS | {"token_embd.weight": (EMBEDDING, TOKENS + 1)}), {"embedding-shape"}),
    "no embeddings": (model(but("token_embd.weight")), {"missing-tensor"}),
    "no norm": (model(but("output_norm.weight")), {"missing-tensor"}),
    "one tensor": (model({"x": (8,)}), {"missing-tensor"}),
    "a missing hyperparameter": (model(without=("llama.block_count",)), {"missing-hyperparameter"}),
}


def refusing(data: bytes) -> set[str]:
    return {finding.rule for finding in check(data) if "llama.cpp" in finding.refused_by}


@pytest.mark.parametrize("name", MODELS)
def test_the_rules_that_say_that_it_is_refused(name: str) -> None:
    made, rules = MODELS[name]
    assert refusing(made.build()) == rules


@pytest.mark.skipif(LLAMA_CPP is None, reason="llama-cpp-python is not installed")
def test_llama_cpp_agrees(tmp_path: Path) -> None:
    paths = [tmp_path / f"{number}.gguf" for number in range(len(MODELS))]
    for path, (made, _) in zip(paths, MODELS.values(), strict=True):
        path.write_bytes(made.build())
    loads = dict(zip(MODELS, llama_cpp_loads(paths), strict=True))
    assert loads == {name: not rules for name, (_, rules) in MODELS.items()}


@pytest.mark.parametrize("key", ["general.type=adapter", "general.architecture=clip"])
def test_what_is_not_a_model_needs_no_tokenizer_and_a_vocabulary_no_tensors(key: str) -> None:
    name, _, value = key.partition("=")
    made = model({"x": (8,)}, ("tokenizer.ggml.model", "tokenizer.ggml.tokens", "tokenizer.ggml.merges"))
    made.metadata = [row for row in made.metadata if row[0] != name] + [(name, "string", value)]
    assert refusing(made.build()) == set()
    assert refusing(model({}, ("llama.block_count", "llama.context_length")).build()) == set()
