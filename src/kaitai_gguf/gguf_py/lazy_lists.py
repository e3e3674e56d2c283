"""Sequences that behave like gguf-py's lists and create items on demand."""

import operator
from abc import abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, TypeVar, overload

from kaitai_gguf.reading.arrays import equal_values

__all__ = ["Indices", "LazyList"]

CHUNK = 4096  # items created at a time while iterating
SHOWN = 100  # the most items in a repr

T = TypeVar("T")


class LazyList(Sequence[T]):
    """A read-only sequence that equals the list of its items, and turns into that list when copied or pickled.

    Slices, and sums with lists, are lists. It is not a subclass of `list`: C code would bypass `__getitem__` and find
    no items.
    """

    @abstractmethod
    def _item(self, number: int) -> T:
        """Return one item. The number is at least 0 and less than the length."""

    def _items(self, numbers: range) -> list[T]:
        """Return several items."""
        item = self._item
        return [item(number) for number in numbers]

    @overload
    def __getitem__(self, index: int) -> T: ...
    @overload
    def __getitem__(self, index: slice) -> list[T]: ...
    def __getitem__(self, index: int | slice) -> T | list[T]:
        if isinstance(index, slice):
            return self._items(range(len(self))[index])
        number, count = operator.index(index), len(self)
        if 0 <= number < count:
            return self._item(number)
        if -count <= number < 0:
            return self._item(number + count)
        raise IndexError(f"index {index} of a list of {count} items")

    def __iter__(self) -> Iterator[T]:
        for first in range(0, len(self), CHUNK):
            yield from self._items(range(first, min(first + CHUNK, len(self))))

    def copy(self) -> list[T]:
        """Return the items as a list."""
        return self[:]

    def __add__(self, other: Any) -> list[T]:
        return self[:] + list(other) if isinstance(other, list | LazyList) else NotImplemented

    def __radd__(self, other: Any) -> list[T]:
        return other + self[:] if isinstance(other, list) else NotImplemented

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, list | LazyList):
            return NotImplemented
        return len(self) == len(other) and all(map(equal_values, self, other))

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> tuple[Any, ...]:
        return list, (self[:],)

    def __repr__(self) -> str:
        shown = repr(self[:SHOWN])
        return shown if len(self) <= SHOWN else f"{shown[:-1]}, … {len(self) - SHOWN} more]"


class Indices(LazyList[int]):
    """Evenly spaced numbers, kept as a range."""

    def __init__(self, numbers: range) -> None:
        self._numbers = numbers

    def _item(self, number: int) -> int:
        return self._numbers[number]

    def _items(self, numbers: range) -> list[int]:
        return [*map(self._numbers.__getitem__, numbers)]

    def __len__(self) -> int:
        return len(self._numbers)

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers)
