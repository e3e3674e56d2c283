"""The rules of the tensor layout: opening, checking and writing refuse the same tables for the same reasons."""

import json
from itertools import pairwise
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from attacks.exercise import touch
from hypothesis import given, settings, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FormatError, Writer
from kaitai_gguf.errors import WriteError
from kaitai_gguf.layout_rules import MUCH_PADDING, align, alignment_breach, check_padding, overlaps
from kaitai_gguf.types import GGMLType, ValueType

TYPES = json.loads((Path(__file__).parent / "data" / "golden" / "TYPES.json").read_text())["types"]
SIZES = {row["id"]: (row["block_size"], row["type_size"]) for row in TYPES}
RULES = {"dims-overflow", "row-blocks", "offset-range", "offset-alignment", "overlap"}
F32, Q4_0, I8 = GGMLType.F32, GGMLType.Q4_0, GGMLType.I8

Row = tuple[tuple[int, ...], int, int]  # dims, type, offset

dims = st.one_of(
    st.lists(st.sampled_from([0, 1, 8, 32, 64, 256]), max_size=4),
    st.lists(st.sampled_from([1, 33, 256, 2**31, 2**61, 2**62, 2**63, 2**64 - 256]), min_size=1, max_size=4),
    st.lists(st.integers(0, 64).map(lambda power: min(2**power, 2**64 - 1)), max_size=4),
    st.lists(st.integers(0, 2**64 - 1), max_size=4),
).map(tuple)
type_ids = st.one_of(st.sampled_from([F32, Q4_0, I8]), st.sampled_from(sorted(SIZES)))
offsets = st.one_of(
    st.integers(0, 64).map(lambda number: 32 * number),
    st.sampled_from([8, 33, 2**62, 2**63 - 128, 2**63 - 32, 2**63, 2**64 - 32]),
)
tables = st.lists(st.tuples(dims, type_ids, offsets), min_size=1, max_size=4)


class _AcceptedError(Exception):
    """The writer accepted all tensors, and starts to write the header."""


class _Target:
    def write(self, data: Any) -> int:
        raise _AcceptedError


def write(table: list[Row]) -> None:
    """Add the tensors of a table to a writer, and write up to the first byte."""
    writer = Writer(_Target(), allow_padding=True)  # type: ignore[arg-type]
    for number, (dims, type_id, offset) in enumerate(table):
        writer.add_tensor(f"t{number}", dims[::-1], GGMLType(type_id), offset=offset)
    writer.close()


def span(row: Row) -> tuple[int, int]:
    """Return the start and end of a tensor's data, computed in integers that can't overflow."""
    dims, type_id, offset = row
    block_size, type_size = SIZES[type_id]
    return offset, offset + prod(dims) // block_size * type_size


def is_possible(row: Row, data_offset: int) -> bool:
    """Return whether a tensor has whole blocks, is aligned, and no number exceeds 63 bits."""
    dims, type_id, offset = row
    block_size, type_size = SIZES[type_id]
    first, *others = dims or (1,)
    sizes = [max(dim, 1) for dim in others]
    numbers = [*dims, max(first, 1) * prod(sizes), max(first // block_size, 1) * prod(sizes) * type_size]
    fits = max(*numbers, data_offset + span(row)[1]) < 2**63
    return fits and first % block_size == 0 and offset % 32 == 0


def rules_broken(table: list[Row]) -> set[str]:
    """Return the rules that a table breaks, after asserting that opening, checking and writing agree."""
    is_quantized = any(SIZES[type_id][0] > 1 for _, type_id, _ in table)  # then the writer adds a key
    metadata = [("general.quantization_version", "uint32", 2)] if is_quantized else []
    model = Model(metadata, [TensorSpec(f"t{number}", *row) for number, row in enumerate(table)])
    data = model.build()
    findings = [finding for finding in kaitai_gguf.check(data) if finding.rule in RULES]
    spans = [span(row) for row in table]
    occupied = sorted((start, end) for start, end in spans if end > start)
    is_valid = all(is_possible(row, len(data)) for row in table)
    is_valid = is_valid and all(end <= start for (_, end), (start, _) in pairwise(occupied))
    assert is_valid == (not findings)
    if is_valid:
        opened = kaitai_gguf.open(data)
        touch(opened)
        for tensor, (dims, type_id, offset) in zip(opened.tensors.values(), table, strict=True):
            assert (tensor.dims, tensor.type_id, tensor.offset) == (dims, type_id, offset)
            assert (tensor.position, tensor.n_elements) == (len(data) + offset, prod(dims))
        is_in_order = all(end <= start for (_, end), (start, _) in pairwise([(0, 0), *spans]))
        with pytest.raises(_AcceptedError if is_in_order else WriteError, match=None if is_in_order else "is before"):
            write(table)
        return set()
    with pytest.raises(FormatError) as caught:
        kaitai_gguf.open(data)
    error = caught.value
    first = (error.path, error.offset, str(error).removesuffix(f" (at byte {error.offset:#x})"))
    assert first in [(finding.path, finding.offset, finding.message) for finding in findings]
    with pytest.raises(WriteError) as refused:
        write(table)
    messages = [finding.message for finding in findings]
    assert str(refused.value) in messages or " is before " in str(refused.value)  # tensors must be in order, too
    return {finding.rule for finding in findings}


@pytest.mark.filterwarnings("error")
@settings(max_examples=400, derandomize=True, deadline=None)
@given(tables)
def test_opening_checking_and_writing_agree(table: list[Row]) -> None:
    rules_broken(table)


@pytest.mark.parametrize(
    ("table", "broken"),
    [
        ([((32,), F32, 128), ((32,), F32, 0)], set()),
        ([((32, 2), Q4_0, 0), ((), F32, 64), ((0,), I8, 64), ((1,), I8, 96)], set()),
        ([((2**62, 2), I8, 0)], {"dims-overflow", "offset-range"}),
        ([((2**62, 0, 2), I8, 0)], {"dims-overflow"}),
        ([((33,), Q4_0, 0)], {"row-blocks"}),
        ([((32,), I8, 2**63 - 32)], {"offset-range"}),
        ([((32,), I8, 8)], {"offset-alignment"}),
        ([((33,), I8, 0), ((1,), I8, 32)], {"overlap"}),
        ([((1,), I8, 32), ((33,), I8, 0)], {"overlap"}),
    ],
)
def test_tables_and_the_rules_that_they_break(table: list[Row], broken: set[str]) -> None:
    assert rules_broken(table) == broken


def test_overlaps_name_the_tensor_that_reaches_furthest() -> None:
    offsets, nbytes = np.array([64, 0, 96, 32, 300], np.uint64), np.array([8, 256, 4, 0, 1], np.uint64)
    found = list(overlaps(offsets, nbytes, lambda number: f"t{number}"))
    words = "its data overlaps the data of tensor 't1', which ends at offset 256"
    assert found == [(0, "ofs_data", words), (2, "ofs_data", words)]


@given(st.integers(0, 2**62), st.integers(0, 31).map(lambda n: 1 << n))
def test_the_next_multiple(position: int, alignment: int) -> None:
    aligned = align(position, alignment)
    assert aligned % alignment == 0
    assert position <= aligned < position + alignment


def test_only_powers_of_two_as_uint32_are_alignments() -> None:
    for alignment in (0, 3, 24, 33, -8, 1 << 32):
        message = f"general.alignment is {alignment}, expected a power of two below 2^32"
        assert alignment_breach(ValueType.UINT32, alignment) == ("value", message)
    for alignment in (1, 2, 8, 64, 1 << 31):
        assert alignment_breach(ValueType.UINT32, alignment) is None
    message = "general.alignment is of type uint64, expected uint32"
    assert alignment_breach(ValueType.UINT64, 32) == ("value_type", message)


@pytest.mark.parametrize("nbytes", [0, 136, MUCH_PADDING, MUCH_PADDING + 1, 1 << 40])
def test_padding_beyond_all_measure(nbytes: int) -> None:
    most = max(MUCH_PADDING, nbytes)
    check_padding(most, nbytes, alignment=32, allowed=False)
    check_padding(most + 1, nbytes, alignment=32, allowed=True)
    message = f"alignment 32 and offsets would add {most + 1} bytes of padding to {nbytes} bytes of header and data"
    with pytest.raises(WriteError, match=message):
        check_padding(most + 1, nbytes, alignment=32, allowed=False)
