"""A mapping whose keys can be renamed."""

from collections.abc import Iterator, MutableMapping
from itertools import count
from typing import TypeVar

__all__ = ["Items"]

T = TypeVar("T")


class Items(MutableMapping[str, T]):
    """Values by name, in insertion order. A renamed value keeps its place; renaming is O(1)."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}
        self._items: dict[int, tuple[str, T]] = {}  # by place; the last item has the highest
        self._next = count()

    def __getitem__(self, name: str) -> T:
        return self._items[self._places[name]][1]

    def __setitem__(self, name: str, value: T) -> None:
        place = self._places.setdefault(name, next(self._next))
        self._items[place] = name, value

    def __delitem__(self, name: str) -> None:
        del self._items[self._places.pop(name)]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def clear(self) -> None:  # the inherited method pops the first item repeatedly, in O(n) each
        self._places.clear()
        self._items.clear()

    def rename(self, old: str, new: str) -> None:
        place = self._places[new] = self._places.pop(old)
        self._items[place] = new, self._items[place][1]
