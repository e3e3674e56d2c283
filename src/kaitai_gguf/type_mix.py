"""The share of each tensor type in a model: its tensors, elements and bytes, and the bits per weight."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kaitai_gguf.llama_cpp import file_types
from kaitai_gguf.schema import BLOCKS
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


def type_mix(tensors: Iterable[tuple[int, int, int, int]]) -> list[TypeShare]:
    """Return the share of each type, the one with most bytes first.

    `tensors` has the type id, the number of dims, the number of elements and the size in bytes of each tensor.
    """
    totals: dict[int, list[int]] = {}
    for type_id, dims, elements, size in tensors:
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
    weights = {share.type: share.n_weights for share in mix}
    type = file_types().get(file_type, (None, None))[1]
    if type is None or not weights:
        return None
    most = max(weights, key=lambda name: weights[name])
    return most if weights.get(type, 0) < weights[most] else None
