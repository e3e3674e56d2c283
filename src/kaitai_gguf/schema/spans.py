"""Spans of fields, computed from the positions in the index.

This needs no generated classes, which would create objects for each tensor.
"""

from typing import NamedTuple

from kaitai_gguf.schema.reader import ArrayInfo, Reader
from kaitai_gguf.sources import Span

__all__ = ["TensorInfoSpans", "array_spans", "header_spans", "tensor_info_spans"]

_U4, _U8 = 4, 8


class TensorInfoSpans(NamedTuple):
    """The spans of the fields of a tensor info after its name."""

    num_dims: Span
    dims: Span
    type_id: Span
    offset: Span


def header_spans(reader: Reader) -> tuple[Span, Span, Span]:
    """Return the spans of the version, the number of tensors and the number of key-values."""
    first = next((int(items[0]) for items in (reader.metadata, reader.tensors) if len(items)), reader.end)
    version = Span(_U4, 2 * _U4)
    middle = (version.end + first) // 2
    return version, Span(version.end, middle), Span(middle, first)


def array_spans(position: int, info: ArrayInfo) -> tuple[Span, Span]:
    """Return the spans of the element type and the count of the array at a position."""
    return Span(position, position + _U4), Span(position + _U4, info.elements)


def tensor_info_spans(name_end: int, end: int) -> TensorInfoSpans:
    """Return the spans of the fields of a tensor info, given the end of its name and its own end."""
    dims, offset = name_end + _U4, end - _U8
    type_id = offset - _U4
    return TensorInfoSpans(Span(name_end, dims), Span(dims, type_id), Span(type_id, offset), Span(offset, end))
