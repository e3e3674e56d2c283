"""The share of each tensor type in a model: its tensors, elements and bytes, and the bits per weight."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kaitai_gguf.schema import BLOCKS, IntArray
from kaitai_gguf.standard_values import contradicting_type
from kaitai_gguf.types import type_name

__all__ = ["TypeShare", "bits_per_weight", "contradiction", "type_mix"]


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
    ids, firsts, counts = np.unique(type_ids, return_index=True, return_counts=True)
    order = np.argsort(type_ids, kind="stable")
    columns = np.array([n_elements, nbytes, np.where(num_dims > 1, n_elements, np.uint64(0))])
    sums = _sums(columns[:, order], np.concatenate([[0], counts.cumsum()]))
    rows = zip(ids.tolist(), counts.tolist(), *sums, strict=True)
    shares = [
        TypeShare(type_name(type_id), count, elements, size, weights, type_id in BLOCKS)
        for type_id, count, elements, size, weights in rows
    ]
    in_order_of_file = [shares[index] for index in np.argsort(firsts).tolist()]
    return sorted(in_order_of_file, key=lambda share: -share.nbytes)


def _sums(columns: IntArray, ends: IntArray) -> list[list[int]]:
    """Return the exact sums of the columns for each type, even if they don't fit in 64 bits."""
    if not columns.size:
        return [[] for _ in columns]
    if columns.sum(dtype=np.float64) < 1 << 62:
        sums: list[list[int]] = np.add.reduceat(columns, ends[:-1], axis=1).tolist()
        return sums
    return [[sum(column[start:end].tolist()) for start, end in itertools.pairwise(ends.tolist())] for column in columns]


def bits_per_weight(mix: Sequence[TypeShare]) -> float | None:
    """Return the average size of an element in bits; None without elements, or if a type is unknown."""
    count = sum(share.n_elements for share in mix)
    return 8 * sum(share.nbytes for share in mix) / count if count and all(share.is_known for share in mix) else None


def contradiction(file_type: int, mix: Sequence[TypeShare]) -> str | None:
    """Return the type of most weights if `general.file_type` names another one; None if they agree."""
    return contradicting_type(file_type, {share.type: share.n_weights for share in mix if share.n_weights})
