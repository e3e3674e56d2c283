"""The roles of tensors, determined from their names: gguf-py's table is the oracle."""

import re
from dataclasses import replace

import pytest
from hypothesis import example, given, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import GGMLType, tensor_role
from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.tensor_names import KINDS, PARTS, SUFFIXES

NAMES = list(facts()["tensors"])


def with_block(template: str, block: int) -> str:
    return re.sub(r"\bN\b", "3", re.sub(r"\bN\b", str(block), template, count=1))


def test_roles_are_those_of_gguf_py() -> None:
    from gguf import TENSOR_NAMES

    assert len(NAMES) > 550
    assert {name.replace("{bid}", "N") for name in TENSOR_NAMES.values()} - set(NAMES) == set()


def test_roles_are_told_apart_and_described() -> None:
    known = [tensor_role(with_block(name, 5)) for name in NAMES]
    assert len({(each.part, each.role) for each in known}) == len(NAMES)
    assert {each.part for each in known} == set(PARTS)
    assert {each.kind for each in known} == set(KINDS)
    for each in known:
        assert re.fullmatch(r"[A-Za-z][^.:\n]{5,95}", each.description), each


@given(st.sampled_from(NAMES), st.integers(0, 999_999_999), st.sampled_from(["", *sorted(SUFFIXES)]))
def test_known_names_with_any_block(template: str, block: int, suffix: str) -> None:
    name = with_block(template, block)
    result = tensor_role(f"{name}.{suffix}" if suffix else name)
    assert (result.is_known, result.suffix) == (True, suffix)
    assert result.block == (block if re.search(r"\bN\b", template) else None)
    expected = tensor_role(with_block(template, 5))
    assert replace(result, block=None, suffix="") == replace(expected, block=None)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("blk.3.attn_q.weight", (3, "attn_q", "weight", "text", "attention")),
        ("token_embd.weight", (None, "token_embd", "weight", "text", "embedding")),
        ("blk.0.ssm_a", (0, "ssm_a", "", "text", "recurrent")),
        ("blk.61.nextn.eh_proj.weight", (61, "nextn.eh_proj", "weight", "text", "other")),
        ("blk.0.ffn_gate_exps.bias", (0, "ffn_gate_exps", "bias", "text", "experts")),
        ("blk.0.ffn_down.3.weight", (0, "ffn_down.3", "weight", "text", "experts")),
        ("a.gen.wav.dac.blk.1.res.2.conv1.bias", (1, "gen.wav.dac.res.2.conv1", "bias", "audio", "convolution")),
        ("blk.2.ffn.act.scales", (2, "ffn", "act.scales", "text", "feed-forward")),
        ("enc.blk.1.ffn_norm.weight", (1, "ffn_norm", "weight", "encoder", "norm")),
        ("dec.output_norm.weight", (None, "output_norm", "weight", "decoder", "norm")),
        ("v.blk.26.ffn_up.bias", (26, "ffn_up", "bias", "vision", "feed-forward")),
        ("v.patch_embd.weight.1", (None, "patch_embd", "weight.1", "vision", "embedding")),
        ("v.sam.blk.4.attn.qkv.weight", (4, "sam.attn.qkv", "weight", "vision", "attention")),
        ("a.conv1d.0.norm.weight", (0, "conv1d.norm", "weight", "audio", "norm")),
        ("a.proj_blk.1.cross_attn_q.weight", (1, "proj_blk.cross_attn_q", "weight", "audio", "attention")),
        ("mm.2.weight", (2, "mm", "weight", "projector", "projector")),
        ("mm.a.mlp.1.weight", (1, "mm.a.mlp", "weight", "projector", "projector")),
        ("resampler.query", (None, "resampler.query", "", "projector", "embedding")),
        ("blk.7.attn_v.weight.lora_a", (7, "attn_v", "weight.lora_a", "text", "attention")),
        ("blk.7.attn_v.weight.in_sum2", (7, "attn_v", "weight.in_sum2", "text", "attention")),
    ],
)
def test_known_name(name: str, expected: tuple[object, ...]) -> None:
    result = tensor_role(name)
    assert (result.block, result.role, result.suffix, result.part, result.kind) == expected
    assert result.is_known


@pytest.mark.parametrize(
    ("name", "block", "role", "suffix", "part"),
    [
        ("blk.0.q4_0.weight", 0, "q4_0", "weight", "text"),
        ("blk.0.attn_q.foo", 0, "attn_q.foo", "", "text"),
        ("blk.0.attn_q.", 0, "attn_q.", "", "text"),
        ("blk.0.attn_q\n", 0, "attn_q\n", "", "text"),
        ("blk.0.ffn_gate_inp.7.weight", 0, "ffn_gate_inp.7", "weight", "text"),
        ("v.blk.2.1.bn1.weight", 2, "1.bn1", "weight", "vision"),
        ("model.layers.3.self_attn.q_proj.weight", None, "model.layers.3.self_attn.q_proj", "weight", "text"),
        ("blk.N.attn_q.weight", None, "blk.N.attn_q", "weight", "text"),
        ("blk.00.attn_q.weight", None, "blk.00.attn_q", "weight", "text"),
        ("blk.-1.attn_q.weight", None, "blk.-1.attn_q", "weight", "text"),
        ("blk.١.attn_q.weight", None, "blk.١.attn_q", "weight", "text"),
        ("blk.0", 0, "", "", "text"),
        ("token_embd.0.weight", None, "token_embd.0", "weight", "text"),
        ("weight", None, "weight", "", "text"),
        ("", None, "", "", "text"),
    ],
)
def test_unknown_name(name: str, block: int | None, role: str, suffix: str, part: str) -> None:
    result = tensor_role(name)
    assert (result.block, result.role, result.suffix, result.part) == (block, role, suffix, part)
    assert (result.is_known, result.kind, result.description) == (False, "other", "")


WORDS = st.sampled_from(
    ["blk", "N", "0", "12", "", "v", "mm", "weight", "act", "scales", "1", "attn_q", "\udc80", "\n"]
)


@given(st.text() | st.lists(WORDS).map(".".join))
@example("blk." + "9" * 5000 + ".attn_q.weight")  # int() refuses more than 4300 digits
@example("." * 100_000)
def test_any_text_has_a_result(name: str) -> None:
    result = tensor_role(name)
    characters = iter(name)
    assert all(character in characters for character in result.role)  # in the same order
    assert name.endswith(result.suffix)
    assert result.is_known == bool(result.description)


def test_tensor_says_block_and_role() -> None:
    specs = [TensorSpec(name, (32,), GGMLType.F32, 128 * i) for i, name in enumerate(["blk.3.attn_q.weight", "x"])]
    tensors = kaitai_gguf.open(Model([], specs, bytes(256)).build()).tensors
    assert [(each.block, each.role) for each in tensors.values()] == [(3, "attn_q"), (None, "x")]
