"""How many tensors, elements and bytes of a model each type has, and what follows from that."""

import itertools
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from kaitai_gguf.schema import BLOCKS, IntArray
from kaitai_gguf.standard_values import contradicting_type
from kaitai_gguf.types import type_name

__all__ = ["TypeShare", "bits_per_weight", "contradiction", "type_mix"]


class TypeShare(NamedTuple):
    """The tensors of one type."""

    type: str
    """The name, also of a type that ggml has removed, or `type 77`."""
    n_tensors: int
    n_elements: int
    nbytes: int
    """0 if the type is not known."""
    n_weights: int
    """The elements of tensors with two dims or more: biases and norms have one."""
    is_known: bool


def type_mix(type_ids: IntArray, num_dims: IntArray, n_elements: IntArray, nbytes: IntArray) -> list[TypeShare]:
    """Return the share of each type, most bytes first. The arguments have one array element for each tensor."""
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
    """The exact sums of the columns over each type, also those that do not fit in 64 bits."""
    if not columns.size:
        return [[] for _ in columns]
    if columns.sum(dtype=np.float64) < 1 << 62:
        sums: list[list[int]] = np.add.reduceat(columns, ends[:-1], axis=1).tolist()
        return sums
    return [[sum(column[start:end].tolist()) for start, end in itertools.pairwise(ends.tolist())] for column in columns]


def bits_per_weight(mix: Sequence[TypeShare]) -> float | None:
    """Return the average size of an element in bits; None without elements, or if a type is not known."""
    count = sum(share.n_elements for share in mix)
    return 8 * sum(share.nbytes for share in mix) / count if count and all(share.is_known for share in mix) else None


def contradiction(file_type: int, mix: Sequence[TypeShare]) -> str | None:
    """Return the type that most weights have, if it is not the one that `general.file_type` names."""
    return contradicting_type(file_type, {share.type: share.n_weights for share in mix if share.n_weights})
