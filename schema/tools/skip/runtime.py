"""The beginning of each generated index. `module.py` copies all but this docstring."""

from array import array
from collections.abc import Callable, Sequence
from itertools import repeat
from struct import Struct, error
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
Positions = Any  # array("q")
Buffer = Any  # bytes, memoryview or mmap


class Refused(Exception):
    """Data that is not valid.

    `kind` is "end" (the data is too short), "invalid" (a value is not allowed), "depth" or "other". `pos` is the
    start of the field at `path`. `reason` continues a sentence that begins with the field. `found` has the positions
    that the index would have returned, up to the item that is refused. `needed` is the smallest size in bytes that
    the data must have if it is too short.
    """

    found: Sequence[Positions] = ()

    def __init__(self, kind: str = "other", pos: int = 0, path: str = "", reason: str = "", needed: int = 0) -> None:
        super().__init__(kind, pos, path, reason, needed)
        self.kind, self.pos, self.path, self.reason, self.needed = kind, pos, path, reason, needed

    def within(self, field: str) -> "Refused":
        """Return the same refusal with the path from the structure around it."""
        return Refused(self.kind, self.pos, f"/{field}{self.path}", self.reason, self.needed)


def need(buf: Buffer, pos: int, size: int, field: str) -> None:
    """Raise `Refused` if a field needs more bytes than are left."""
    if size > len(buf) - pos:
        left = max(len(buf) - pos, 0)
        raise Refused("end", pos, f"/{field}", f"needs {size} bytes, and {left} are left", pos + size)


def refuse_any(wrong: Array, pos: Array, field: str) -> None:
    """Raise `Refused` for the first field that is wrong. `pos` has the positions of the fields."""
    if wrong.any():
        raise Refused("other", int(pos[wrong.argmax()]), f"/{field}", "has changed since it was indexed")


def each(code: str) -> Callable[[Array, Array], Array]:
    """Return a function that reads the number at each position of uint8 data."""
    dtype = np.dtype(code)

    def read(data: Array, pos: Array) -> Array:
        if not pos.size:
            return np.zeros(pos.shape, dtype)
        if pos.min() < 0 or pos.max() > len(data) - dtype.itemsize:
            raise Refused("end", len(data), "", "has changed since it was indexed")
        return np.ndarray((len(data) - dtype.itemsize + 1,), dtype, data.data, strides=(1,))[pos]

    return read


def runs(code: str) -> Callable[[Array, Array, Array], Array]:
    """Return a function that reads `count` numbers at each position, as rows padded with zeros."""
    number = each(code)
    size = np.dtype(code).itemsize

    def read(data: Array, pos: Array, count: Array) -> Array:
        rows = np.zeros((len(pos), int(count.max(initial=0))), code)
        for column in range(rows.shape[1]):
            longer = count > column
            rows[longer, column] = number(data, pos[longer] + column * size)
        return rows

    return read


FEWER = 1 << 11  # fewer items than this are followed one by one, which is faster than searching a window
WINDOW = 1 << 16  # bytes


def chain(code: str) -> Callable[..., int]:
    """Return a function that follows items of a length and that many bytes, and returns their end.

    A length below 256 has only one byte that can be nonzero. numpy finds all positions in a window of the data that
    look like such lengths. Those that follow the previous item are taken. Longer items are followed one by one.
    """
    number = Struct(code)
    size = number.size
    low, high = (size - 1, 0) if code[0] == ">" else (0, 1)  # the lowest byte, and the first of the others

    def follow(buf: Buffer, pos: int, count: int, found: Positions | None) -> int:
        read = number.unpack_from
        if found is None:
            for _ in repeat(None, count):
                pos += size + read(buf, pos)[0]
        else:
            for _ in repeat(None, count):
                found.append(pos)
                pos += size + read(buf, pos)[0]
        return pos

    def look(window: Array) -> tuple[Array, Array]:
        zero = window == 0
        last = max(len(window) - size + 1, 0)
        clear = zero[high : high + last].copy()
        for i in range(high + 1, high + size - 1):
            clear &= zero[i : i + last]
        starts = np.flatnonzero(clear)
        after = starts + size + window[starts + low]
        if not starts.size or starts[0]:
            return starts[:0], after[:0]
        wrong = np.flatnonzero(after[:-1] != starts[1:])
        right = int(wrong[0]) + 1 if wrong.size else len(starts)
        return starts[:right], after[:right]

    def go_on(buf: Buffer, pos: int, count: int, found: Positions | None) -> int:
        data = np.frombuffer(buf, np.uint8)
        while count > FEWER:
            starts, after = look(data[pos : pos + WINDOW])
            step = min(len(starts), count)
            if found is not None:
                found.frombytes((starts[:step] + pos).tobytes())
            pos += int(after[step - 1]) if step else 0
            count -= step
            if step < FEWER // 32:  # searching did not pay off
                step = min(count, FEWER)
                pos = follow(buf, pos, step, found)
                count -= step
        return follow(buf, pos, count, found)

    return go_on


TOGETHER = 1 << 15  # items that are validated together


def sound(
    follow: Callable[..., int], buf: Buffer, pos: int, count: int, limit: int, *, found: Positions | None = None
) -> tuple[int, int]:
    """Return how many items of a chain are known to be valid, and where they end. More may be valid."""
    done = 0
    while (step := min(count - done, TOGETHER)) > FEWER:
        kept = None if found is None else array("q")
        try:
            end = follow(buf, pos, step, kept)
        except (error, OverflowError):
            break
        if end > len(buf) or end - pos > limit:
            break
        if found is not None:
            found.extend(kept)
        done, pos = done + step, end
    return done, pos
