"""What the metadata and the tensors of a file that is being edited have in common."""

from abc import abstractmethod
from collections.abc import Iterator, MutableMapping
from itertools import count, islice
from typing import Any, ClassVar, Generic, TypeVar

from kaitai_gguf.errors import KeyNotFound, TensorNotFound, WriteError
from kaitai_gguf.text import canonical, checked_name, quoted

T = TypeVar("T")


class Items(MutableMapping[str, Any], Generic[T]):
    """A mapping by key or by tensor name, in the order of the file. It stores an item for each value."""

    _what: ClassVar[str]  # "key" or "tensor"
    _missing: ClassVar[type[KeyNotFound | TensorNotFound]]

    def __init__(self) -> None:
        self.revision = 0
        """A number that grows with each change."""
        self._places: dict[str, int] = {}
        self._items: dict[int, tuple[str, T]] = {}  # names and items by place; the last one has the highest
        self._next = count()

    @abstractmethod
    def changes(self) -> list[str]:
        """Return how many items of each kind changed since the file was opened."""

    def _change(self) -> None:
        self.revision += 1

    def __contains__(self, name: object) -> bool:
        return canonical(name) in self._places

    def __delitem__(self, name: str) -> None:
        self._change()
        self._item(name)
        del self._items[self._places.pop(canonical(name))]

    def __iter__(self) -> Iterator[str]:
        return (name for name, _ in self._items.values())

    def __len__(self) -> int:
        return len(self._items)

    def clear(self) -> None:  # the inherited method pops the first item repeatedly, in O(n) each
        self._change()
        self._places.clear()
        self._items.clear()

    def rename(self, old: str, new: str) -> None:
        """Rename a key or tensor, which keeps its value and its place.

        Raises `KeyNotFound` or `TensorNotFound`, or `WriteError` if another one has the new name.
        """
        self._change()
        item = self._item(old)
        old, new = canonical(old), self._checked(new)
        if new in self and new != old:
            raise WriteError(f"{self._what} {old!r}: {self._what} {new!r} already exists")
        place = self._places[new] = self._places.pop(old)  # O(1)
        self._items[place] = new, item

    def __repr__(self) -> str:
        shown = ", ".join(quoted(name) for name in islice(self, 3))
        more = ", …" if len(self) > 3 else ""
        return f"<{'; '.join([f'{len(self)} {self._what}s: {shown}{more}', *self.changes()])}>"

    def _checked(self, name: Any) -> str:
        return checked_name(name, "a key" if self._what == "key" else "the name of a tensor")

    def _item(self, name: str) -> T:
        try:
            return self._items[self._places[canonical(name)]][1]
        except KeyError:
            where = "metadata" if self._what == "key" else "file"
            raise self._missing(f"no {self._what} {name!r} in the {where}") from None

    def _set(self, name: str, item: T) -> None:
        """Set the item of a canonical name."""
        self._items[self._places.setdefault(name, next(self._next))] = name, item
