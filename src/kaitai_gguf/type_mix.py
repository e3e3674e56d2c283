"""The share of each tensor type in a model: its tensors, elements and bytes, and the bits per weight."""

from collections.abc import Sequence
from typing import NamedTuple

from kaitai_gguf.llama_cpp import contradicting_type
from kaitai_gguf.schema import BLOCKS, IntArray
from kaitai_gguf.types import type_name


class TypeShare(NamedTuple):
    """Totals over all tensors of one type."""

    type: str
    """ggml's name, even if ggml has removed the type; `type 77` for an unknown one."""
    n_tensors: int
    n_elements: int
    nbytes: int
    """The size of the data in bytes; 0 if the type is unknown."""
    n_weights: int
    """The elements in tensors with at least two dims, which leaves out biases and norms."""
    is_known: bool


def type_mix(type_ids: IntArray, num_dims: IntArray, n_elements: IntArray, nbytes: IntArray) -> list[TypeShare]:
    """Return the share of each type, the one with most bytes first. Each argument has one element per tensor."""
    totals: dict[int, list[int]] = {}
    columns = (column.tolist() for column in (type_ids, num_dims, n_elements, nbytes))
    for type_id, dims, elements, size in zip(*columns, strict=True):
        sums = totals.setdefault(type_id, [0, 0, 0, 0])
        for place, number in enumerate((1, elements, size, elements if dims > 1 else 0)):
            sums[place] += number
    shares = [
        TypeShare(type_name(type_id), count, elements, size, weights, type_id in BLOCKS)
        for type_id, (count, elements, size, weights) in totals.items()
    ]
    return sorted(shares, key=lambda share: -share.nbytes)


def bits_per_weight(mix: Sequence[TypeShare]) -> float | None:
    """Return the average size of an element in bits; None without elements, or if a type is unknown."""
    count = sum(share.n_elements for share in mix)
    return 8 * sum(share.nbytes for share in mix) / count if count and all(share.is_known for share in mix) else None


def contradiction(file_type: int, mix: Sequence[TypeShare]) -> str | None:
    """Return the type of most weights if `general.file_type` names another one; None if they agree."""
    return contradicting_type(file_type, {share.type: share.n_weights for share in mix if share.n_weights})
