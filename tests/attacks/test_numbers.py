"""Tensors with extreme sizes and offsets, compared with the rules computed without overflow."""

import json
from itertools import pairwise
from math import prod
from pathlib import Path

import pytest
from hypothesis import given, settings, strategies as st
from support.gguf_bytes import header, tensor

import kaitai_gguf
from attacks.exercise import touch
from kaitai_gguf import FormatError

TYPES = json.loads((Path(__file__).parents[1] / "data" / "golden" / "TYPES.json").read_text())["types"]
SIZES = {row["id"]: (row["block_size"], row["type_size"]) for row in TYPES}
LIMIT = 2**63

Info = tuple[tuple[int, ...], int, int]  # dims, type, offset

dims = st.lists(
    st.one_of(
        st.sampled_from([0, 1, 2, 32, 64, 128, 256, 512]),
        st.integers(0, 64).map(lambda power: min(2**power, 2**64 - 1)),
        st.integers(5, 63).map(lambda power: 2**power - 32),
        st.integers(0, 2**64 - 1),
    ),
    max_size=4,
).map(tuple)
type_ids = st.sampled_from([*SIZES, 4, 31, 38, 43, 2**32 - 1])
offsets = st.one_of(
    st.integers(0, 40).map(lambda n: n * 32), st.sampled_from([2**62, 2**63 - 64, 2**63, 2**64 - 64, 2**64 - 32, 8])
)
tensors = st.lists(st.tuples(dims, type_ids, offsets), min_size=1, max_size=3)


def is_possible(info: Info, data_offset: int) -> bool:
    """Return whether a single tensor is possible: it has whole blocks, is aligned, and no number exceeds 63 bits."""
    dims, type_id, offset = info
    block_size, type_size = SIZES.get(type_id, (1, 0))
    row = dims[0] if dims else 1
    if row % block_size or offset % 32:
        return False
    blocks = [max(row // block_size, 1), *(max(dim, 1) for dim in dims[1:])]
    elements = prod(max(dim, 1) for dim in dims)
    nbytes = prod(dims) // block_size * type_size
    fits = max(elements, prod(blocks) * type_size, *dims, 0, 0) < LIMIT
    return fits and data_offset + offset + nbytes < LIMIT


def overlap(infos: list[Info]) -> bool:
    spans = []
    for dims, type_id, offset in infos:
        block_size, type_size = SIZES.get(type_id, (1, 0))
        if nbytes := prod(dims) // block_size * type_size:
            spans.append((offset, offset + nbytes))
    spans.sort()
    return any(end > start for (_, end), (start, _) in pairwise(spans))


@pytest.mark.filterwarnings("error")
@settings(max_examples=200, derandomize=True, deadline=None)
@given(tensors)
def test_tensors_open_when_they_are_possible(infos: list[Info]) -> None:
    names = [b"a", b"b", b"c"]
    data = header(tensors=[tensor(*info, name=name) for info, name in zip(infos, names, strict=False)])
    data_offset = -(-len(data) // 32) * 32
    try:
        model = kaitai_gguf.open(data)
    except FormatError:
        opens = False
    else:
        opens = True
        touch(model)
        for each, (dims, type_id, offset) in zip(model.tensors.values(), infos, strict=True):
            assert (each.dims, each.type_id, each.offset) == (dims, type_id, offset)
            assert each.position == data_offset + offset
            assert each.n_elements == prod(dims)
    assert opens == (all(is_possible(info, data_offset) for info in infos) and not overlap(infos))
