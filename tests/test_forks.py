"""Tensor types of forks: those under ids of ggml's types are told by the offsets of the tensors."""

import numpy as np
import pytest
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf.forks import fork_types, why_unknown
from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.schema import BLOCKS, GGMLType

COLLIDING = [(int(id), fork) for id in BLOCKS for fork in fork_types(id)]
DIMS = [(256, 64), (128, 3, 5), (512, 8), (256, 64)]


def model_of(type_id: int, elements: int, nbytes: int, others: int = 0) -> bytes:
    """Return a model with tensors whose blocks have a size; the first is `others` bytes further from the second."""
    offset, tensors = 0, []
    for number, dims in enumerate(DIMS):
        tensors.append(TensorSpec(f"blk.{number}.attn_q.weight", dims, type_id, offset))
        size = int(np.prod(dims)) // elements * nbytes
        offset += size + -size % 32 + others
        others = 0
    return Model([("general.architecture", "string", "llama")], tensors, bytes(2 * offset)).build()


@pytest.mark.parametrize(("type_id", "fork"), COLLIDING)
def test_a_layout_of_a_fork_is_named(type_id: int, fork: kaitai_gguf.forks.ForkType) -> None:
    data = model_of(type_id, fork.num_elements, fork.nbytes)
    block = f"{fork.name} of {fork.fork} ({fork.num_elements} elements in {fork.nbytes} bytes)"
    words = f"The offsets fit {block}, which has the same id as {GGMLType(type_id).name}"
    with pytest.raises(kaitai_gguf.FormatError, match=f"overlaps .*{words.replace('(', '.').replace(')', '.')}"):
        kaitai_gguf.open(data)
    (finding,) = (each for each in kaitai_gguf.check(data) if each.rule == "fork-type")
    assert (finding.path, finding.message.partition(": ")[2]) == (
        "/tensors/0/type_id",
        f"type {type_id} is {GGMLType(type_id).name} in ggml, but the offsets fit {block}",
    )


@pytest.mark.parametrize(("type_id", "fork"), COLLIDING)
def test_other_offsets_are_not_those_of_a_fork(type_id: int, fork: kaitai_gguf.forks.ForkType) -> None:
    ours = BLOCKS[type_id]
    for data in (
        model_of(type_id, ours.num_elements, ours.size),
        model_of(type_id, fork.num_elements, fork.nbytes, others=32),
        model_of(type_id, fork.num_elements, fork.nbytes - 1),
        model_of(GGMLType.Q8_0, 32, 16),
    ):
        assert "fork-type" not in [finding.rule for finding in kaitai_gguf.check(data)]


def test_unknown_types_have_the_names_of_forks() -> None:
    assert COLLIDING
    assert why_unknown(142) == "type 142 is PQ2_0 of PrismML (128 elements in 34 bytes), which ggml does not have"
    assert why_unknown(139) == "type 139 is IQ4_K of ik_llama.cpp, which ggml does not have"
    removed = "type 36 is IQ4_NL_4_4, which ggml has removed"
    assert why_unknown(36) == f"{removed}, or I2_S of BitNet, which ggml does not have"
    assert why_unknown(31) == "type 31 is Q4_0_4_4, which ggml has removed"
    assert why_unknown(77) == "type 77 is unknown to this version"
    with kaitai_gguf.open(model_of(142, 128, 34)) as model, pytest.raises(kaitai_gguf.UnknownTypeError, match="PQ2_0"):
        model.tensors["blk.0.attn_q.weight"].dequantize()


def test_the_layouts_of_forks_differ_from_those_of_ggml() -> None:
    for type_id, forks in facts()["forks"].items():
        for _, name, elements, nbytes in forks:
            assert bool(elements) == bool(nbytes)
            if int(type_id) in BLOCKS:
                ours = BLOCKS[int(type_id)]
                assert (elements, nbytes) not in ((0, 0), (ours.num_elements, ours.size)), name
