"""Tensor types of programs that are forked from llama.cpp. Under some of their ids, ggml has other types."""

from typing import NamedTuple

import numpy as np

from kaitai_gguf.layout_rules import align
from kaitai_gguf.llama_cpp import facts
from kaitai_gguf.schema import BLOCKS, REMOVED_TYPES, IntArray, TensorTable


class ForkType(NamedTuple):
    """A tensor type of a fork."""

    fork: str
    name: str
    num_elements: int
    """Elements of a block; 0 if its layout is not known here."""
    nbytes: int
    """Size of a block in bytes."""

    def __str__(self) -> str:
        layout = f" ({self.num_elements} elements in {self.nbytes} bytes)" if self.nbytes else ""
        return f"{self.name} of {self.fork}{layout}"


def fork_types(type_id: int) -> list[ForkType]:
    """Return the types that forks have under an id and ggml has not."""
    return [ForkType(*each) for each in facts()["forks"].get(str(int(type_id)), ())]


def why_unknown(type_id: int) -> str:
    """Return why a tensor type is unknown: ggml has removed it, forks have it, or it is newer than this version."""
    removed = [f"{REMOVED_TYPES[type_id]}, which ggml has removed"] if type_id in REMOVED_TYPES else []
    reasons = [*removed, *(f"{fork}, which ggml does not have" for fork in fork_types(type_id))]
    return f"type {type_id} is {', or '.join(reasons) or 'unknown to this version'}"


def collision(table: TensorTable, sizes: IntArray, alignment: int) -> tuple[int, ForkType, int] | None:
    """Return the first tensor whose type is that of a fork under an id of ggml, the type, and the id; None if none is.

    The offsets tell: each tensor of the type has as much space as the fork's layout takes, not as ggml's does. `sizes`
    are those of ggml's types, in bytes.
    """
    order = np.argsort(table.offset, kind="stable")
    space = np.diff(table.offset[order])
    for type_id in (id for id in map(int, facts()["forks"]) if id in BLOCKS):
        of_type = table.type_id[order[:-1]] == type_id
        rows = list(zip(order[:-1][of_type].tolist(), space[of_type].tolist(), strict=True))
        if all(nbytes == align(int(sizes[row]), alignment) for row, nbytes in rows):
            continue
        for fork in fork_types(type_id):
            if fork.num_elements and all(nbytes == _space(table, row, fork, alignment) for row, nbytes in rows):
                return rows[0][0], fork, type_id
    return None


def _space(table: TensorTable, row: int, fork: ForkType, alignment: int) -> int | None:
    """Return the size of the data of a tensor with its padding; None if its rows are not whole blocks."""
    length, *outer = table.dims[row, : table.num_dims[row]].tolist() or [1]
    blocks, rest = divmod(length, fork.num_elements)
    return None if rest else align(blocks * fork.nbytes * int(np.prod(outer, dtype=object)), alignment)
