"""The rules of the tensor layout: opening, checking and writing refuse the same tables for the same reasons."""

from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings, strategies as st
from support.gguf_bytes import Model, TensorSpec

import kaitai_gguf
from kaitai_gguf import FormatError, Writer
from kaitai_gguf.errors import WriteError
from kaitai_gguf.layout_rules import MUCH_PADDING, align, alignment_breach, check_padding, overlaps
from kaitai_gguf.types import GGMLType, ValueType

RULES = {"dims-overflow", "row-blocks", "offset-range", "offset-alignment", "overlap"}

F32, Q4_0, Q4_K, I8 = GGMLType.F32, GGMLType.Q4_0, GGMLType.Q4_K, GGMLType.I8

Row = tuple[tuple[int, ...], int, int]

dims = st.one_of(
    st.lists(st.sampled_from([0, 1, 8, 32, 64, 256]), max_size=4),
    st.lists(st.sampled_from([1, 33, 256, 2**31, 2**61, 2**62, 2**63, 2**64 - 256]), min_size=1, max_size=4),
).map(tuple)
offsets = st.one_of(
    st.integers(0, 64).map(lambda number: 32 * number),
    st.sampled_from([8, 33, 2**62, 2**63 - 128, 2**63 - 32, 2**63, 2**64 - 32]),
)
tables = st.lists(st.tuples(dims, st.sampled_from([F32, Q4_0, Q4_K, I8]), offsets), min_size=1, max_size=4)


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


def rules_broken(table: list[Row]) -> set[str]:
    """Return the rules that a table breaks, after asserting that opening, checking and writing agree."""
    is_quantized = any(type_id in (Q4_0, Q4_K) for _, type_id, _ in table)  # then the writer adds a key
    metadata = [("general.quantization_version", "uint32", 2)] if is_quantized else []
    data = Model(metadata, [TensorSpec(f"t{number}", *row) for number, row in enumerate(table)]).build()
    error: FormatError | None = None
    try:
        kaitai_gguf.open(data)
    except FormatError as refused:
        error = refused
    findings = [finding for finding in kaitai_gguf.check(data) if finding.rule in RULES]
    assert (error is None) == (not findings)
    if error is not None:
        first = (error.path, error.offset, str(error).removesuffix(f" (at byte {error.offset:#x})"))
        assert first in [(finding.path, finding.offset, finding.message) for finding in findings]
        with pytest.raises(WriteError) as refused:
            write(table)
        messages = [finding.message for finding in findings]
        assert str(refused.value) in messages or " is before " in str(refused.value)  # tensors must be in order, too
    elif all(offset >= end for (_, _, offset), end in zip(table, ends(table), strict=False)):
        with pytest.raises(_AcceptedError):
            write(table)
    else:
        with pytest.raises(WriteError, match="is before"):
            write(table)
    return {finding.rule for finding in findings}


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


def ends(table: list[Row]) -> list[int]:
    """Return 0, and the end of the data of each tensor."""
    sizes = {F32: (1, 4), Q4_0: (32, 18), Q4_K: (256, 144), I8: (1, 1)}
    found = [0]
    for dims, type_id, offset in table:
        elements, nbytes = sizes[GGMLType(type_id)]
        found.append(offset + prod(dims) // elements * nbytes)
    return found


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
