"""Where the items of a header start, also of one that is refused: up to the field that it is refused for."""

import math
from functools import cache
from typing import Any

import numpy as np
from kaitai_gguf_schema import index
from kaitai_gguf_schema.types import ValueType

from kaitai_gguf.schema.reader import ArrayInfo
from kaitai_gguf.schema.scanner import DEFAULT, Buffer, IntArray, Refused

__all__ = ["Outline"]


class Outline:
    """The positions of one header's items.

    `broken` is the path of the field that the header is refused for, or None. The item that it is in
    is the last that is found, and nothing in it needs to be valid.
    """

    def __init__(self, buf: Buffer, broken: str | None) -> None:
        self.metadata: list[int] = []
        self.tensors: list[int] = []
        self.arrays: dict[int, int] = {}
        """By the position of a key-value: where its array starts, if its value is one."""
        self.end: int | None = None
        """Where the header ends; None if it is broken before that."""
        self.is_big_endian = False
        self._limits = _limits(broken)
        try:
            self._buf = buf
            self._layout = index.layout(buf)
            self.is_big_endian = self._layout.endian == ">"
            self.end = _recorder(self, self._layout).check_gguf(buf, 0, 0)
        except (Refused, _EnoughError):
            pass

    def array(self, position: int) -> ArrayInfo:
        """The start, which must be valid, of the array at a position."""
        element_type, num_elements, elements = self._layout.read_gguf_array(self._buf, position)
        return ArrayInfo(ValueType(element_type), num_elements, elements)

    def elements(self, info: ArrayInfo, count: int) -> IntArray:
        """Where the first `count` elements of an array of strings or arrays start, and where the last of them ends.

        They must be valid. Takes O(count), and makes no object for each.
        """
        kind = "string_elements" if info.element_type is ValueType.STRING else "array_elements"
        (starts,), end = DEFAULT.index(self._layout, kind, self._buf, info.elements, count)
        return np.append(starts, end)

    def text_spans(self, starts: IntArray) -> tuple[IntArray, IntArray]:
        """Where the bytes of the strings at the positions, which must be valid, start and end."""
        first, last = DEFAULT.table(self._layout, "gguf_string", self._buf, starts)
        return first, last

    def found(self, kind: str, position: int) -> None:
        """Keeps the position of an item, unless the one before it was the last that is wanted."""
        if self.is_last(kind):
            raise _EnoughError
        getattr(self, kind).append(position)

    def is_last(self, kind: str) -> bool:
        return len(getattr(self, kind)) >= self._limits[kind]


class _EnoughError(Exception):
    """The walk has come to the field that the header is refused for."""


def _limits(broken: str | None) -> dict[str, float]:
    """How many items are to be found: those before the broken one, and that one."""
    limits = {"metadata": math.inf, "tensors": math.inf}
    if broken is not None:
        kind, *below = broken.strip("/").split("/")
        if kind in limits and below:
            limits[kind] = int(below[0]) + 1
        if kind == "metadata":
            limits["tensors"] = 0
    return limits


def _recorder(outline: Outline, layout: Any) -> Any:
    """The layout, with a checked walk that tells of the items it comes to, and takes arrays as fast as the index."""
    recorder = _recorder_class(type(layout))(layout.endian)  # type: ignore[arg-type]  # a class is hashable
    recorder.outline, recorder.layout = outline, layout
    return recorder


@cache
def _recorder_class(layout: Any) -> Any:
    """One class for each version: classes are collected late, and must not know of any buffer."""

    class Recorder(layout):  # type: ignore[misc]  # which class it is depends on the version
        outline: Outline
        layout: Any

        def check_key_value(self, buf: Buffer, pos: int, depth: int) -> Any:
            self.outline.found("metadata", pos)
            return super().check_key_value(buf, pos, depth)

        def check_gguf_array(self, buf: Buffer, pos: int, depth: int) -> int:
            outline = self.outline
            outline.arrays[outline.metadata[-1]] = pos
            if outline.is_last("metadata"):
                raise _EnoughError
            return DEFAULT.index(self.layout, "array_elements", buf, pos, 1)[1]

        def check_tensor_info(self, buf: Buffer, pos: int) -> Any:
            self.outline.found("tensors", pos)
            return super().check_tensor_info(buf, pos)

    return Recorder
